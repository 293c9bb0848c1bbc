package prcurves

import (
	"errors"
	"fmt"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// Curve is what a binary classifier did at thresholds that lie evenly between 0 and 1. All
// slices are as long as there are thresholds, but for those at the end at which nothing is
// called positive, where precision is not defined: they are left out, as TensorBoard does
// (tensorboard/plugins/pr_curve/pr_curves_plugin.py), except for the first.
type Curve struct {
	Thresholds        int // that were logged
	TP, FP, TN, FN    []float64
	Precision, Recall []float64
}

// ErrShape says that a tensor is no curve.
var ErrShape = errors.New("a PR curve is a tensor of 6 × thresholds numbers: true and false positives, true and false negatives, precision, recall")

// Decode decodes a serialised TensorProto of shape [6, thresholds].
func Decode(tensor []byte) (c Curve, err error) {
	shape, v, err := event.Numbers(tensor, nil)
	if err != nil {
		return c, err
	}
	if len(shape) != 2 || shape[0] != 6 || len(v) < 6 {
		return c, fmt.Errorf("%w; this one has the shape %v", ErrShape, shape)
	}
	n := len(v) / 6
	c.Thresholds = n
	end := n
	// Like there, parts of a count do not count here.
	for end > 1 && math.Trunc(v[end-1])+math.Trunc(v[n+end-1]) == 0 {
		end--
	}
	for i, row := range []*[]float64{&c.TP, &c.FP, &c.TN, &c.FN, &c.Precision, &c.Recall} {
		*row = v[i*n : i*n+end]
	}
	return c, nil
}

// Threshold is the threshold of point i.
func (c *Curve) Threshold(i int) float64 { return float64(i) / float64(max(1, c.Thresholds-1)) }

// slack is how far beyond 0 and 1 rounding may lead.
const slack = 1e-5

// Check says why a curve cannot be believed.
func (c *Curve) Check() error {
	for i := range c.TP {
		for _, count := range []struct {
			name string
			v    float64
		}{{"true positives", c.TP[i]}, {"false positives", c.FP[i]}, {"true negatives", c.TN[i]}, {"false negatives", c.FN[i]}} {
			switch {
			case count.v < 0:
				return fmt.Errorf("the %s at the threshold %.3g are %v: fewer than none", count.name, c.Threshold(i), count.v)
			case !(count.v <= math.MaxFloat64):
				return fmt.Errorf("the %s at the threshold %.3g are %v: no number", count.name, c.Threshold(i), count.v)
			}
		}
		for _, part := range []struct {
			name string
			v    float64
		}{{"precision", c.Precision[i]}, {"recall", c.Recall[i]}} {
			if !(part.v >= -slack && part.v <= 1+slack) {
				return fmt.Errorf("the %s at the threshold %.3g is %v: it lies between 0 and 1", part.name, c.Threshold(i), part.v)
			}
		}
	}
	return nil
}

// F1 is the harmonic mean of precision and recall at point i; 0 where both are.
func (c *Curve) F1(i int) float64 {
	p, r := c.Precision[i], c.Recall[i]
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Rates are the false and the true positive rate at point i; NaN where there is nothing
// that could be one.
func (c *Curve) Rates(i int) (falsePositive, truePositive float64) {
	return c.FP[i] / (c.FP[i] + c.TN[i]), c.TP[i] / (c.TP[i] + c.FN[i])
}

// Measures are a curve in five numbers; NaN where one is not defined.
type Measures struct {
	// AP is the average precision: the precision of each point, weighted by how much
	// recall it adds to the point at the next threshold.
	AP float64
	// PR is the area under precision over recall, and ROC that under the true over the
	// false positive rate, both by trapezoids. The first begins at recall 0 and precision
	// 1, the second at 0, 0 and ends at 1, 1. So does scikit-learn (average_precision_score,
	// precision_recall_curve with auc, roc_curve with auc).
	PR, ROC float64
	// F1 is the best F1, and At the lowest threshold that has it.
	F1, At float64
}

// Measures computes them.
func (c *Curve) Measures() (m Measures) {
	n := len(c.TP)
	recall, precision := 0.0, 1.0
	fp, tp := 0.0, 0.0
	m.F1 = math.NaN()
	for i := n - 1; i >= 0; i-- { // recall grows as the threshold falls
		r, p := c.Recall[i], c.Precision[i]
		m.AP += (r - recall) * p
		m.PR += (r - recall) * (p + precision) / 2
		recall, precision = r, p
		x, y := c.Rates(i)
		m.ROC += (x - fp) * (y + tp) / 2
		fp, tp = x, y
		if f := c.F1(i); !(f < m.F1) {
			m.F1, m.At = f, c.Threshold(i)
		}
	}
	m.ROC += (1 - fp) * (1 + tp) / 2
	if n > 0 && !(c.TP[0]+c.FN[0] > 0) { // no positives: recall says nothing
		m.AP, m.PR, m.F1, m.At = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	return m
}
