package summary

import (
	"fmt"
	"math"
)

// defaultThresholds is TensorBoard's (tensorboard/plugins/pr_curve/summary.py).
const defaultThresholds = 201

// minCount keeps a division from being by zero, as TensorBoard does.
const minCount = 1e-7

// PRCurve writes precision and recall of a binary classifier: labels are the
// truth, predictions the probabilities in [0, 1] that it gives to true, in the
// same order. Thresholds lie evenly between 0 and 1; see Thresholds and Weights.
func (w *Writer) PRCurve(tag string, labels []bool, predictions []float64, step int64, opts ...Option) error {
	s, err := gather("PRCurve", tag, common|setThresholds|setWeights, opts)
	if err != nil {
		return err
	}
	n := defaultThresholds
	if s.has(setThresholds) {
		n = s.thresholds
	}
	if n < 2 {
		return &ValueError{"PRCurve", tag, "there are fewer than 2 thresholds"}
	}
	if len(labels) != len(predictions) || s.has(setWeights) && len(s.weights) != len(labels) {
		return &ValueError{"PRCurve", tag, fmt.Sprintf("%d labels, %d predictions and %d weights do not match", len(labels), len(predictions), len(s.weights))}
	}
	// Weight of true and of false labels by the last threshold they reach.
	yes, no := make([]float64, n), make([]float64, n)
	for i, p := range predictions {
		if !(p >= 0 && p <= 1) {
			return &ValueError{"PRCurve", tag, fmt.Sprintf("prediction %d is %v, not in [0, 1]", i, p)}
		}
		weight := 1.0
		if s.has(setWeights) {
			weight = s.weights[i]
		}
		bucket := int(math.Floor(p * float64(n-1)))
		if labels[i] {
			yes[bucket] += weight
		} else {
			no[bucket] += weight
		}
	}
	c := PRCounts{}
	for i := n - 2; i >= 0; i-- { // from here on: weight at or above the threshold
		yes[i] += yes[i+1]
		no[i] += no[i+1]
	}
	for i := range n {
		c.TruePositives = append(c.TruePositives, yes[i])
		c.FalsePositives = append(c.FalsePositives, no[i])
		c.TrueNegatives = append(c.TrueNegatives, no[0]-no[i])
		c.FalseNegatives = append(c.FalseNegatives, yes[0]-yes[i])
	}
	return w.prCurve(tag, c, step, &s)
}

// PRCounts are the counts of a PR curve at thresholds from 0 to 1, evenly. All
// four have one element per threshold.
type PRCounts struct {
	TruePositives, FalsePositives, TrueNegatives, FalseNegatives []float64
	// Precision and Recall are computed from the counts when nil.
	Precision, Recall []float64
}

// PRCurveRaw writes counts that were made elsewhere.
func (w *Writer) PRCurveRaw(tag string, c PRCounts, step int64, opts ...Option) error {
	s, err := gather("PRCurveRaw", tag, common, opts)
	if err != nil {
		return err
	}
	return w.prCurve(tag, c, step, &s)
}

func (w *Writer) prCurve(tag string, c PRCounts, step int64, s *settings) error {
	n := len(c.TruePositives)
	if c.Precision == nil && len(c.FalsePositives) == n {
		c.Precision = ratios(c.TruePositives, c.FalsePositives)
	}
	if c.Recall == nil && len(c.FalseNegatives) == n {
		c.Recall = ratios(c.TruePositives, c.FalseNegatives)
	}
	var flat []float32
	for _, row := range [][]float64{c.TruePositives, c.FalsePositives, c.TrueNegatives, c.FalseNegatives, c.Precision, c.Recall} {
		if len(row) != n || n == 0 {
			return &ValueError{"PRCurve", tag, "the rows are empty or have different lengths"}
		}
		for _, x := range row {
			flat = append(flat, float32(x))
		}
	}
	m := s.metadata("pr_curves", putVarint(nil, 2, int64(n)))
	return w.value(TensorValue(tag, FloatTensor([]int64{6, int64(n)}, flat...), m), step, s)
}

// ratios returns part / (part + rest), element by element.
func ratios(part, rest []float64) []float64 {
	r := make([]float64, len(part))
	for i := range r {
		r[i] = part[i] / max(minCount, part[i]+rest[i])
	}
	return r
}
