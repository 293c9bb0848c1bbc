package summary

// scalarOptions is what Scalar takes.
const scalarOptions = common | setDType

// Scalar writes one point of a curve. Without options it is stored as PyTorch
// stores it: 32 bits, old style, which every reader knows. See AsTensor, Double
// and As for the other forms. NaN and infinities are stored as they are.
func (w *Writer) Scalar(tag string, value float64, step int64, opts ...Option) error {
	if err := checkTag(tag); err != nil {
		return err
	}
	s, err := gather("Scalar", tag, scalarOptions, opts)
	if err != nil {
		return err
	}
	if s.given&^setWallTime != 0 {
		v, err := scalarValue(tag, value, &s)
		if err != nil {
			return err
		}
		return w.value(v, step, &s)
	}
	wall := s.wall
	if !s.has(setWallTime) {
		wall = seconds(w.opts.Clock())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.begin(); err != nil {
		return err
	}
	start := w.open()
	w.queue = appendScalarEvent(w.queue, wall, step, tag, float32(value))
	return w.end(start)
}

// ScalarValue makes the value that Scalar writes.
func ScalarValue(tag string, value float64, opts ...Option) (Value, error) {
	s, err := gather("ScalarValue", tag, scalarOptions&^setWallTime, opts)
	if err != nil {
		return Value{}, err
	}
	return scalarValue(tag, value, &s)
}

func scalarValue(tag string, value float64, s *settings) (Value, error) {
	if s.has(setDType) {
		t, ok := ScalarTensor(s.dtype, value)
		if !ok {
			return Value{}, &ValueError{"Scalar", tag, "the element type holds no real number"}
		}
		m := s.metadata("scalars", nil)
		return TensorValue(tag, t, m), nil
	}
	v := SimpleValue(tag, float32(value))
	v.Metadata = s.metadata("", nil)
	return v, nil
}
