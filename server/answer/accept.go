package answer

import (
	"net/http"
	"strconv"
	"strings"
)

// Accepts reports whether the client takes the content coding, e.g. "gzip":
// Accept-Encoding names it, or "*", with a quality that is not zero.
func Accepts(r *http.Request, coding string) bool {
	star := false
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.TrimSpace(name)
		ok := true
		if q, found := strings.CutPrefix(strings.TrimSpace(params), "q="); found {
			v, err := strconv.ParseFloat(q, 64)
			ok = err == nil && v > 0
		}
		if strings.EqualFold(name, coding) {
			return ok
		}
		star = star || name == "*" && ok
	}
	return star
}
