package tbplugin

import (
	"encoding/json"
	"errors"
)

// caller asks the host; the answer is a message, or the host's error.
type caller func(message []byte) ([]byte, error)

// Data is what the viewer has read of the logs that are open, with the names and the meaning of
// TensorBoard's data provider. It is asked by the goroutine that the handler was called on.
type Data struct{ call caller }

// Query says which series are asked for.
type Query struct {
	Plugin     string   // whose data, by the name in summaries' metadata: "scalars", "greeting"
	Runs, Tags []string // nil: all
	// Downsample is how many values of each series come at most, spread evenly, the first and the
	// last among them; 0 is all that there are.
	Downsample int
}

// Facts are what is known of a series without reading it.
type Facts struct {
	MaxStep       int64
	MaxWallTime   float64 // seconds since 1970
	PluginContent []byte  // the plug-in's own data in the metadata
	Description   string  // Markdown, as it was logged
	DisplayName   string
	MaxLength     int // of a sequence of blobs
}

// Scalars are the points of a series, in the order of their logging.
type Scalars struct {
	Steps     []float64
	WallTimes []float64 // seconds since 1970
	Values    []float64
}

// Scalar is one point.
type Scalar struct {
	Step     int64
	WallTime float64
	Value    float64
}

// Tensor is a logged tensor. Data is []float32, []float64, []int32, []int64, []byte (uint8, bool)
// or [][]byte (string), row by row; types that Go lacks are in the next wider one.
type Tensor struct {
	Step     int64
	WallTime float64
	DType    string // as NumPy calls it: "float32", "string"
	Shape    []int
	Data     any
}

// Blobs is a logged sequence of blobs, each by the key by which ReadBlob gives its bytes.
type Blobs struct {
	Step     int64
	WallTime float64
	Keys     []string
}

// Run is a run of the logs.
type Run struct {
	ID        string  `json:"run_id"`
	Name      string  `json:"run_name"`
	StartTime float64 `json:"start_time"` // seconds since 1970; 0 = unknown
}

// Session is a run that logged hyperparameters: float64, bool or string by name.
type Session struct {
	Run       string         `json:"run"`
	Group     string         `json:"group"`
	StartTime number         `json:"start_time"`
	HParams   map[string]any `json:"hparams"`
}

// Of is something for each tag of each run: [run][tag].
type Of[T any] map[string]map[string]T

// ask calls a method; the result's raw bytes come beside it.
func (d *Data) ask(method string, args, result any) (raw []byte, err error) {
	answer, err := d.call(message1(struct {
		Method string `json:"method"`
		Args   any    `json:"args"`
	}{method, args}, nil))
	if err != nil {
		return nil, err
	}
	head, raw, err := cut(answer)
	if err != nil {
		return nil, err
	}
	var a struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(head, &a); err != nil {
		return nil, err
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	if len(a.Result) == 0 {
		return raw, nil
	}
	return raw, json.Unmarshal(a.Result, result)
}

func (q Query) args() map[string]any {
	args := map[string]any{"plugin_name": q.Plugin}
	if q.Downsample > 0 {
		args["downsample"] = q.Downsample
	}
	filter := map[string]any{}
	if q.Runs != nil {
		filter["runs"] = q.Runs
	}
	if q.Tags != nil {
		filter["tags"] = q.Tags
	}
	if len(filter) > 0 {
		args["run_tag_filter"] = filter
	}
	return args
}

// Metadata is what is known of the logs as a whole.
func (d *Data) Metadata() (location, name string, err error) {
	var m struct {
		Location string `json:"data_location"`
		Name     string `json:"experiment_name"`
	}
	_, err = d.ask("experiment_metadata", nil, &m)
	return m.Location, m.Name, err
}

// Plugins names the plug-ins of which there are data.
func (d *Data) Plugins() (names []string, err error) {
	_, err = d.ask("list_plugins", nil, &names)
	return names, err
}

// Runs lists the runs in the viewer's order.
func (d *Data) Runs() (runs []Run, err error) {
	_, err = d.ask("list_runs", nil, &runs)
	return runs, err
}

// listed is Facts on the wire.
type listed struct {
	MaxStep     number `json:"max_step"`
	MaxWallTime number `json:"max_wall_time"`
	Content     array  `json:"plugin_content"`
	Description string `json:"description"`
	DisplayName string `json:"display_name"`
	MaxLength   int    `json:"max_length"`
}

func (d *Data) list(method string, q Query) (Of[Facts], error) {
	var got Of[listed]
	raw, err := d.ask(method, q.args(), &got)
	return convert(got, err, func(l listed) Facts {
		content, _ := l.Content.value(raw).([]byte)
		return Facts{int64(l.MaxStep), float64(l.MaxWallTime), content, l.Description, l.DisplayName, l.MaxLength}
	})
}

func convert[A, B any](from Of[A], err error, f func(A) B) (Of[B], error) {
	if err != nil {
		return nil, err
	}
	out := make(Of[B], len(from))
	for run, of := range from {
		tags := make(map[string]B, len(of))
		for tag, v := range of {
			tags[tag] = f(v)
		}
		out[run] = tags
	}
	return out, nil
}

// ListScalars lists the series of scalars of a plug-in.
func (d *Data) ListScalars(q Query) (Of[Facts], error) { return d.list("list_scalars", q) }

// ListTensors lists the series of tensors of a plug-in; texts are tensors of strings.
func (d *Data) ListTensors(q Query) (Of[Facts], error) { return d.list("list_tensors", q) }

// ListBlobs lists the sequences of blobs of a plug-in: images, audio, graphs.
func (d *Data) ListBlobs(q Query) (Of[Facts], error) { return d.list("list_blob_sequences", q) }

// ReadScalars reads the points that are in memory.
func (d *Data) ReadScalars(q Query) (Of[Scalars], error) {
	var got Of[struct {
		Step     array `json:"step"`
		WallTime array `json:"wall_time"`
		Value    array `json:"value"`
	}]
	raw, err := d.ask("read_scalars", q.args(), &got)
	floats := func(a array) []float64 {
		v, _ := a.value(raw).([]float64)
		return v
	}
	return convert(got, err, func(s struct {
		Step     array `json:"step"`
		WallTime array `json:"wall_time"`
		Value    array `json:"value"`
	}) Scalars {
		return Scalars{floats(s.Step), floats(s.WallTime), floats(s.Value)}
	})
}

// point is Scalar on the wire.
type point struct {
	Step     number `json:"step"`
	WallTime number `json:"wall_time"`
	Value    number `json:"value"`
}

// ReadLastScalars reads the last point of each series.
func (d *Data) ReadLastScalars(q Query) (Of[Scalar], error) {
	var got Of[point]
	_, err := d.ask("read_last_scalars", q.args(), &got)
	return convert(got, err, func(p point) Scalar { return Scalar{int64(p.Step), float64(p.WallTime), float64(p.Value)} })
}

// ReadTensors reads tensors.
func (d *Data) ReadTensors(q Query) (Of[[]Tensor], error) {
	type one struct {
		Step     number `json:"step"`
		WallTime number `json:"wall_time"`
		DType    string `json:"dtype"`
		Shape    []int  `json:"shape"`
		Data     array  `json:"data"`
	}
	var got Of[[]one]
	raw, err := d.ask("read_tensors", q.args(), &got)
	return convert(got, err, func(list []one) []Tensor {
		out := make([]Tensor, len(list))
		for i, t := range list {
			out[i] = Tensor{int64(t.Step), float64(t.WallTime), t.DType, t.Shape, t.Data.value(raw)}
		}
		return out
	})
}

// ReadBlobSequences lists the blobs of each step.
func (d *Data) ReadBlobSequences(q Query) (Of[[]Blobs], error) {
	type one struct {
		Step     number `json:"step"`
		WallTime number `json:"wall_time"`
		Values   []struct {
			Key string `json:"blob_key"`
		} `json:"values"`
	}
	var got Of[[]one]
	_, err := d.ask("read_blob_sequences", q.args(), &got)
	return convert(got, err, func(list []one) []Blobs {
		out := make([]Blobs, len(list))
		for i, b := range list {
			out[i] = Blobs{Step: int64(b.Step), WallTime: float64(b.WallTime)}
			for _, v := range b.Values {
				out[i].Keys = append(out[i].Keys, v.Key)
			}
		}
		return out
	})
}

// ReadBlob gives the bytes of a blob.
func (d *Data) ReadBlob(key string) ([]byte, error) {
	var a array
	raw, err := d.ask("read_blob", map[string]any{"blob_key": key}, &a)
	if err != nil {
		return nil, err
	}
	b, _ := a.value(raw).([]byte)
	return b, nil
}

// Hyperparameters lists the runs that logged some, with their values.
func (d *Data) Hyperparameters() (sessions []Session, err error) {
	_, err = d.ask("read_hyperparameters", nil, &sessions)
	return sessions, err
}
