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
		b = appendSome(b, `,"tag":`, int64(p.Tag))
		b = appendSome(b, `,"piece":`, int64(p.Piece))
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(p.Offset), 10)
		b = strconv.AppendInt(append(b, `,"n":`...), int64(p.N), 10)
		b = strconv.AppendInt(append(b, `,"kept":`...), p.Kept, 10)
		b = strconv.AppendInt(append(b, `,"points":`...), p.Points, 10)
		b = appendNumber(append(b, `,"start":`...), p.Start)
		b = strconv.AppendBool(append(b, `,"preview":`...), p.Preview)
		b = appendSome(b, `,"narrow":`, int64(p.Narrow))
		if p.WallBase != 0 {
			b = appendNumber(append(b, `,"wallBase":`...), p.WallBase)
		}
		b = appendSome(b, `,"edges":`, int64(p.Edges))
		b = appendSome(b, `,"unmatched":`, p.Unmatched)
		if p.Every != 0 {
			b = appendNumber(append(b, `,"every":`...), p.Every)
		}
		if p.Thinned {
			b = append(b, `,"thinned":true`...)
		}
		b = append(strconv.AppendBool(append(b, `,"full":`...), p.Full), '}')
	}
	return append(b, ']')
}

// appendSome writes a field whose zero is left out.
func appendSome(b []byte, name string, v int64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), v, 10)
}

// appendNumber writes a number; one that is not finite, which JSON has no form for, as 0.
func appendNumber(b []byte, v float64) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		v = 0
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}
