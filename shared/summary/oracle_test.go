package summary_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/tensorbored/tensorbored-static/shared/internal/prototest"
)

// schema is that of prototest. Names and numbers are those of TensorBoard's .proto
// files.
const schema = `
Event: wall_time 1 double, step 2 int64, file_version 3 string, graph_def 4 GraphDef, summary 5 Summary, log_message 6 LogMessage, session_log 7 SessionLog, tagged_run_metadata 8 TaggedRunMetadata, meta_graph_def 9 bytes, source_metadata 10 SourceMetadata
SourceMetadata: writer 1 string
LogMessage: level 1 int32, message 2 string
SessionLog: status 1 int32, checkpoint_path 2 string, msg 3 string
TaggedRunMetadata: tag 1 string, run_metadata 2 bytes
Summary: value 1 *Value
Value: tag 1 string, simple_value 2 ?float, image 4 Image, histo 5 HistogramProto, audio 6 Audio, node_name 7 string, tensor 8 TensorProto, metadata 9 SummaryMetadata
Image: height 1 int32, width 2 int32, colorspace 3 int32, encoded_image_string 4 bytes
Audio: sample_rate 1 float, num_channels 2 int64, length_frames 3 int64, encoded_audio_string 4 bytes, content_type 5 string
SummaryMetadata: plugin_data 1 PluginData, display_name 2 string, summary_description 3 string, data_class 4 int32
PluginData: plugin_name 1 string, content 2 bytes
HistogramProto: min 1 double, max 2 double, num 3 double, sum 4 double, sum_squares 5 double, bucket_limit 6 *double, bucket 7 *double
TensorProto: dtype 1 int32, tensor_shape 2 TensorShapeProto, version_number 3 int32, tensor_content 4 bytes, float_val 5 *float, double_val 6 *double, int_val 7 *int32, string_val 8 *bytes, int64_val 10 *int64, bool_val 11 *bool, half_val 13 *int32, uint32_val 16 *uint32, uint64_val 17 *uint64
TensorShapeProto: dim 2 *Dim, unknown_rank 3 bool
Dim: size 1 int64, name 2 string
GraphDef: node 1 *NodeDef, versions 4 VersionDef
VersionDef: producer 1 int32, min_consumer 2 int32
NodeDef: name 1 string, op 2 string, input 3 *string, device 4 string, attr 5 *AttrEntry
AttrEntry: key 1 string, value 2 AttrValue
AttrValue: list 1 AttrList, s 2 ?bytes, i 3 ?int64, f 4 ?float, b 5 ?bool, type 6 ?int32, shape 7 TensorShapeProto
AttrList: s 2 *bytes, i 3 *int64, shape 7 *TensorShapeProto
AudioPluginData: version 1 int32, encoding 2 int32, converted_to_tensor 3 bool
PrCurvePluginData: version 1 int32, num_thresholds 2 uint32
MeshPluginData: version 1 int32, name 2 string, content_type 3 int32, json_config 5 string, shape 6 *int32, components 7 uint32
HParamsPluginData: version 1 int32, experiment 2 Experiment, session_start_info 3 SessionStartInfo, session_end_info 4 SessionEndInfo
SessionStartInfo: hparams 1 *HParamEntry, model_uri 2 string, monitor_url 3 string, group_name 4 string, start_time_secs 5 double
HParamEntry: key 1 string, value 2 ProtobufValue
ProtobufValue: null_value 1 ?int32, number_value 2 ?double, string_value 3 ?string, bool_value 4 ?bool
SessionEndInfo: status 1 int32, end_time_secs 2 double
Experiment: description 1 string, user 2 string, time_created_secs 3 double, hparam_infos 4 *HParamInfo, metric_infos 5 *MetricInfo, name 6 string
HParamInfo: name 1 string, display_name 2 string, description 3 string, type 4 int32, domain_discrete 5 ListValue, domain_interval 6 Interval, differs 7 bool
ListValue: values 1 *ProtobufValue
Interval: min_value 1 double, max_value 2 double
MetricInfo: name 1 MetricName, display_name 3 string, description 4 string, dataset_type 5 int32
MetricName: group 1 string, tag 2 string
Layout: version 1 int32, category 2 *Category
Category: title 1 string, chart 2 *Chart, closed 3 bool
Chart: title 1 string, multiline 2 Multiline, margin 3 MarginContent
Multiline: tag 1 *string
MarginContent: series 1 *Series
Series: value 1 string, lower 2 string, upper 3 string
`

var oracle = prototest.Compile(schema)

// decode parses b as the named message.
func decode(t testing.TB, name protoreflect.Name, b []byte) protoreflect.Message {
	t.Helper()
	m, err := oracle.Decode(name, b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// get follows names and numbers of elements from m.
var get = prototest.Get

// contents names the message inside a plug-in's content.
var contents = map[string]protoreflect.Name{
	"audio": "AudioPluginData", "pr_curves": "PrCurvePluginData", "mesh": "MeshPluginData", "hparams": "HParamsPluginData",
}

// show writes a message as text that stays the same: fields in the order of
// their numbers, long bytes as their length, lists of numbers on one line.
func show(t testing.TB, m protoreflect.Message, indent string) string {
	var b strings.Builder
	if len(m.GetUnknown()) > 0 {
		fmt.Fprintf(&b, "%sUNKNOWN %x\n", indent, m.GetUnknown())
	}
	fields := m.Descriptor().Fields()
	var order []int
	for i := range fields.Len() {
		order = append(order, i)
	}
	slices.SortFunc(order, func(i, j int) int { return int(fields.Get(i).Number() - fields.Get(j).Number()) })
	for _, i := range order {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		v := m.Get(f)
		if !f.IsList() {
			showField(t, &b, m, f, v, indent)
			continue
		}
		if f.Kind() == protoreflect.MessageKind || f.Kind() == protoreflect.StringKind || f.Kind() == protoreflect.BytesKind {
			for k := range v.List().Len() {
				showField(t, &b, m, f, v.List().Get(k), indent)
			}
			continue
		}
		fmt.Fprintf(&b, "%s%s:", indent, f.Name())
		for k := range v.List().Len() {
			fmt.Fprintf(&b, " %v", v.List().Get(k))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func showField(t testing.TB, b *strings.Builder, m protoreflect.Message, f protoreflect.FieldDescriptor, v protoreflect.Value, indent string) {
	switch f.Kind() {
	case protoreflect.MessageKind:
		fmt.Fprintf(b, "%s%s\n%s", indent, f.Name(), show(t, v.Message(), indent+"  "))
	case protoreflect.BytesKind:
		bytes := v.Bytes()
		if f.Name() == "content" {
			if inner, ok := contents[get(m, "plugin_name").String()]; ok {
				fmt.Fprintf(b, "%s%s %s\n%s", indent, f.Name(), inner, show(t, decode(t, inner, bytes), indent+"  "))
				return
			}
		}
		if len(bytes) > 60 {
			fmt.Fprintf(b, "%s%s: %q… (%d bytes)\n", indent, f.Name(), bytes[:4], len(bytes))
			return
		}
		fmt.Fprintf(b, "%s%s: %q\n", indent, f.Name(), bytes)
	case protoreflect.StringKind:
		fmt.Fprintf(b, "%s%s: %q\n", indent, f.Name(), v.String())
	case protoreflect.DoubleKind:
		fmt.Fprintf(b, "%s%s: %s\n", indent, f.Name(), strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case protoreflect.FloatKind:
		fmt.Fprintf(b, "%s%s: %s\n", indent, f.Name(), strconv.FormatFloat(v.Float(), 'g', -1, 32))
	default:
		fmt.Fprintf(b, "%s%s: %v\n", indent, f.Name(), v)
	}
}

// same compares numbers, NaN being equal to NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
