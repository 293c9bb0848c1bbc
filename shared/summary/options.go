package summary

import (
	"math"
	"time"
)

// Option changes one call: when it happened, what it is called, in which form
// it is stored. A method that does not know an option returns an *OptionError.
// It is a plain struct and not a function, so that a call with options needs no
// memory from the heap.
type Option struct {
	set    optionSet
	text   string
	number float64
	list   []float64
}

type optionSet uint32

const (
	setWallTime optionSet = 1 << iota
	setDisplayName
	setDescription
	setDType
	setLegacy
	setBuckets
	setBounds
	setExponential
	setThresholds
	setWeights
)

// common is what every method that writes a tag takes.
const common = setWallTime | setDisplayName | setDescription

var optionNames = map[optionSet]string{
	setWallTime: "WallTime", setDisplayName: "DisplayName", setDescription: "Description",
	setDType: "As", setLegacy: "Legacy", setBuckets: "Buckets", setBounds: "Bounds",
	setExponential: "ExponentialBuckets", setThresholds: "Thresholds", setWeights: "Weights",
}

// WallTime gives the event's wall time; without it the Writer's clock does.
func WallTime(t time.Time) Option { return WallSeconds(seconds(t)) }

// WallSeconds is WallTime in seconds since 1970. It must be finite.
func WallSeconds(s float64) Option { return Option{set: setWallTime, number: s} }

// DisplayName is shown instead of the tag. Readers keep the first one of a tag.
func DisplayName(name string) Option { return Option{set: setDisplayName, text: name} }

// Description is Markdown shown beside the tag. Readers keep the first one.
func Description(markdown string) Option { return Option{set: setDescription, text: markdown} }

// AsTensor stores a scalar in the new style, as TensorFlow 2 does: a float32
// tensor with the metadata of the scalars plug-in.
func AsTensor() Option { return As(Float32) }

// Double stores a scalar with all its 64 bits, as a float64 tensor. (The old
// style has 32.) TensorBoard's native loader cannot read it; its Python loader
// and this project can.
func Double() Option { return As(Float64) }

// As stores a scalar as a tensor of any real element type: see ScalarTensor.
func As(t DType) Option { return Option{set: setDType, number: float64(t)} }

// Legacy stores a histogram, image or audio clip in the old style of
// TensorFlow 1, PyTorch and tensorboardX.
func Legacy() Option { return Option{set: setLegacy} }

// Buckets sorts a histogram into k buckets of equal width between the least and
// the greatest value. Without it k is 30, as in TensorFlow 2.
func Buckets(k int) Option { return Option{set: setBuckets, number: float64(k)} }

// Bounds sorts a histogram into the buckets between the given edges, which must
// be finite and ascend. A bucket holds its left edge and not its right one, but
// for the last, which holds both. Values beyond the edges get a bucket of their
// own at that end, so that none is lost.
func Bounds(edges ...float64) Option { return Option{set: setBounds, list: edges} }

// ExponentialBuckets sorts a histogram into the buckets of TensorFlow 1 and
// PyTorch: edges at 0 and ±10⁻¹²·1.1ⁱ. Legacy histograms do so unless told
// otherwise.
func ExponentialBuckets() Option { return Option{set: setExponential} }

// Thresholds is the number of points of a PR curve, at least 2. Without it
// there are 201.
func Thresholds(n int) Option { return Option{set: setThresholds, number: float64(n)} }

// Weights gives each prediction of a PR curve a weight.
func Weights(w ...float64) Option { return Option{set: setWeights, list: w} }

// settings is what a call's options add up to. The last of several wins.
type settings struct {
	given       optionSet
	wall        float64
	displayName string
	description string
	dtype       DType
	buckets     int
	bounds      []float64
	thresholds  int
	weights     []float64
}

func (s *settings) has(o optionSet) bool { return s.given&o != 0 }

// metadata completes the plug-in's part with the display name and description.
func (s *settings) metadata(plugin string, content []byte) Metadata {
	return Metadata{Plugin: plugin, Content: content, DisplayName: s.displayName, Description: s.description}
}

// gather reads opts for the named call, which takes those in allowed.
func gather(call, tag string, allowed optionSet, opts []Option) (s settings, err error) {
	for i := range opts {
		o := &opts[i]
		if o.set&allowed == 0 {
			return s, &OptionError{Call: call, Option: optionNames[o.set]}
		}
		s.given |= o.set
		switch o.set {
		case setWallTime:
			if math.IsNaN(o.number) || math.IsInf(o.number, 0) {
				return s, &ValueError{call, tag, "the wall time is not finite"}
			}
			s.wall = o.number
		case setDisplayName:
			s.displayName = o.text
		case setDescription:
			s.description = o.text
		case setDType:
			s.dtype = DType(o.number)
		case setBuckets:
			s.buckets = int(o.number)
		case setBounds:
			s.bounds = o.list
		case setThresholds:
			s.thresholds = int(o.number)
		case setWeights:
			s.weights = o.list
		}
	}
	return s, nil
}

// seconds gives t as event files have it.
func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
