package session

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A link holds what two people must share to see the same curves: the board,
// both filters, smoothing and axes. The names are TensorBoard's where it has
// one. Only what differs from the default is written.
//
//	#timeseries&tagFilter=loss&runFilter=adam&smoothing=0.9&x=wall&y=log

// Hash returns the state's part of the URL, from "#" on.
func (s *State) Hash() string {
	d := Default()
	var b strings.Builder
	b.WriteByte('#')
	b.WriteString(url.QueryEscape(s.Board))
	put := func(key, v, def string) {
		if v != def {
			b.WriteString("&" + key + "=" + strings.ReplaceAll(url.QueryEscape(v), "+", "%20"))
		}
	}
	put("tagFilter", s.TagFilter, "")
	put("runFilter", s.RunFilter, "")
	put("smoothing", number(s.Smoothing), number(d.Smoothing))
	put("x", string(s.X), string(d.X))
	put("y", string(s.Y), string(d.Y))
	return b.String()
}

// ReadHash applies a URL's hash and query to the state. A link that names any
// of a link's settings stands for all of them, those it leaves out being the
// default: whoever opens it sees what its sender saw. One that names none
// changes none. Unknown names are left alone: others may use them.
func (s *State) ReadHash(hash, query string) {
	hash = strings.TrimPrefix(hash, "#")
	board, rest, _ := strings.Cut(hash, "&")
	if board != "" && !strings.Contains(board, "=") {
		if b, err := url.QueryUnescape(board); err == nil {
			s.Board = b
		}
	} else {
		rest = hash
	}
	// TensorBoard writes its parameters in the query; the hash wins.
	pairs := strings.Split(strings.TrimPrefix(query, "?"), "&")
	pairs = append(pairs, strings.Split(rest, "&")...)
	got := map[string]string{}
	for _, p := range pairs {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			continue
		}
		v, err := url.QueryUnescape(v)
		if err != nil {
			continue
		}
		switch k {
		case "_smoothingWeight": // older TensorBoard links
			got["smoothing"] = v
		case "tagFilter", "runFilter", "smoothing", "x", "y":
			got[k] = v
		}
	}
	if len(got) == 0 {
		return
	}
	d := Default()
	s.TagFilter, s.RunFilter = got["tagFilter"], got["runFilter"]
	s.Smoothing, s.X, s.Y = d.Smoothing, d.X, d.Y
	if v, err := strconv.ParseFloat(got["smoothing"], 64); err == nil {
		s.Smoothing = v
	}
	if v := got["x"]; v != "" {
		s.X = wire.XAxis(v)
	}
	if v := got["y"]; v != "" {
		s.Y = Scale(v)
	}
	s.Normalize()
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
