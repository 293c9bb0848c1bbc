package scalars

import (
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Parts are the parts of an answer.
type Parts []Part

// AppendJSON implements answer.Appender: what encoding/json writes for []Part, but for how
// some numbers and texts are spelled.
func (l Parts) AppendJSON(b []byte) []byte {
	if l == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i := range l {
		if i > 0 {
			b = append(b, ',')
		}
		p := &l[i]
		b = wire.AppendText(append(b, `{"run":`...), p.Run)
		for k := range fields {
			b = fields[k].appendJSON(b, p)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendNumber writes a number; one that is not finite, which JSON has no form for, as 0.
func appendNumber(b []byte, v float64) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		v = 0
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}
