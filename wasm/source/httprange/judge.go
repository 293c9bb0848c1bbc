package httprange

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// What an answer proves
//
// Between a file and its reader stand servers, proxies and login pages, and each of
// them can answer with a status of success and something else than was asked for. So
// bytes are taken only if the answer says that they are the range that was asked for,
// and as many come as it says. The functions here decide that, from what the head of
// an answer says; they know neither browser nor network.

// Head is what the head of an answer says. Fields are headers as they came; "" is a
// header that is missing.
type Head struct {
	Status     int
	Moved      bool   // it was redirected to another path
	Range      string // Content-Range
	Length     string // Content-Length
	Encoding   string // Content-Encoding
	Type       string // Content-Type
	ETag       string
	Modified   string // Last-Modified
	RetryAfter string
}

// Verdict says what the body of an answer is, as far as its head tells.
type Verdict struct {
	// Bytes is how many bytes the body must have: the range from its beginning on, or
	// a first part of it. Whole says instead that the body should be the whole file;
	// see JudgeWhole. Neither says, without Err, that the file ends before the range.
	Bytes   int64
	Whole   bool
	Size    int64 // of the file now; -1 if unknown
	Version string
	Err     *source.Error
}

// Judge decides what the answer to a request for r is. now is when it came.
func Judge(r source.Range, h Head, now time.Time) Verdict {
	v := Verdict{Size: -1, Version: h.version()}
	switch {
	case h.Status == 206:
		return h.part(r, v)
	case h.Status == 416:
		_, _, size, ok := contentRange(h.Range)
		switch {
		case !ok || size < 0 || size > r.Offset:
			v.Err = broken("the server refuses to send a part of the file")
		case r.Size > r.Offset:
			v.Err = changed(size, r.Size)
		default:
			v.Size = size
		}
	case h.Status == 200 && h.Moved:
		v.Err = notTheFile("the server sent the request on to another page")
	case h.Status == 200:
		v.Whole = true
		if n, err := strconv.ParseInt(h.Length, 10, 64); err == nil && h.plain() && n < r.Size {
			v.Err = notTheFile(fmt.Sprintf("the server answered with %d bytes that are not the file, which has %d", n, r.Size))
		}
	default:
		v.Err = h.failure(now)
	}
	return v
}

// part judges an answer that says it is a part.
func (h Head) part(r source.Range, v Verdict) Verdict {
	from, to, size, ok := contentRange(h.Range)
	n := to - from + 1
	switch {
	case !ok || to < 0:
		v.Err = broken("the server does not say which part of the file it sent")
	case from != r.Offset || n > r.Length:
		v.Err = broken(fmt.Sprintf("the server sent bytes %d to %d where %d to %d were asked for", from, to, r.Offset, r.Offset+r.Length-1))
	case !h.plain():
		v.Err = broken("the server compressed a part of the file (Content-Encoding: " + h.Encoding + ")")
	case h.Length != "" && h.Length != strconv.FormatInt(n, 10):
		v.Err = broken(fmt.Sprintf("the server sent %s bytes for a part of %d", h.Length, n))
	case size >= 0 && size < r.Size:
		v.Err = changed(size, r.Size)
	default:
		v.Bytes, v.Size = n, size
	}
	return v
}

// JudgeWhole decides whether a body of n bytes that begins with first is the file of
// which r was asked for, from a host that knows no ranges. A file that has grown is;
// then, and where the listing told no size, its first record must look like one.
func JudgeWhole(r source.Range, h Head, n int64, first []byte) *source.Error {
	page := strings.Contains(strings.ToLower(h.Type), "html")
	switch {
	case r.Size > 0 && n < r.Size:
		return notTheFile(fmt.Sprintf("the server answered with %d bytes that are not the file, which has %d", n, r.Size))
	case (page || r.Size > 0 && n > r.Size) && !begins(first):
		return notTheFile("the server answered with something other than the file")
	}
	return nil
}

// begins reports whether b, the first bytes of a body, can be those of an event file.
func begins(b []byte) bool {
	if len(b) < tfrecord.HeaderSize {
		return len(b) == 0
	}
	switch _, _, s := tfrecord.Cut(b[:tfrecord.HeaderSize]); s {
	case tfrecord.BadLength, tfrecord.BadLengthCRC:
		return false
	}
	return true
}

// JudgeBatch decides whether the body of an answer is that of a batch.
func JudgeBatch(h Head, now time.Time) *source.Error {
	switch {
	case h.Status == 200 && h.Moved:
		return notTheFile("the server sent the request on to another page")
	case h.Status == 200:
		return nil
	}
	return h.failure(now)
}

// plain reports whether the body comes as it is.
func (h Head) plain() bool { return h.Encoding == "" || strings.EqualFold(h.Encoding, "identity") }

// version is what the host says of the file's version: a strong ETag, or else the time
// of its last change.
func (h Head) version() string {
	if n := len(h.ETag); n > 2 && h.ETag[0] == '"' && h.ETag[n-1] == '"' {
		return h.ETag[1 : n-1]
	}
	return h.Modified
}

// failure is the error of an answer without success. Its words are replaced by the
// server's own where it has some; see Words.
func (h Head) failure(now time.Time) *source.Error {
	e := &source.Error{Trouble: source.Refused, Reason: "the server answered " + strconv.Itoa(h.Status)}
	switch h.Status {
	case 404, 410:
		e.Trouble, e.Reason = source.Gone, "the file is not there (the server answered "+strconv.Itoa(h.Status)+")"
		e.Remedy = "the page looks for it again by itself"
	case 401, 403, 407:
		e.Remedy = "reload the page to log in again, or ask for the right to read it"
	case 408, 425, 429, 503:
		e.Trouble, e.After = source.Busy, retryAfter(h.RetryAfter, now)
		e.Remedy = "it is tried again by itself"
	default:
		if h.Status >= 500 {
			e.Trouble, e.Remedy = source.Busy, "it is tried again by itself"
		}
	}
	return e
}

// Words puts what a server says about a failure in the place of our words for its
// status. body is the beginning of the answer's body.
func Words(e *source.Error, body []byte) {
	if f, ok := api.ParseFailure(body); ok {
		e.Reason, e.Remedy = f.Message, f.Remedy
	}
}

// longestWait bounds what a server can ask us to wait before the next try.
const longestWait = time.Minute

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(s string, now time.Time) time.Duration {
	d := time.Duration(0)
	if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
		d = time.Duration(max(0, min(n, int64(longestWait/time.Second)))) * time.Second
	} else if t, ok := httpDate(s, now); ok {
		d = t.Sub(now)
	}
	return max(0, min(d, longestWait))
}

const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// httpDate reads a date as HTTP writes it (RFC 9110, 5.6.7) in any of its three forms:
//
//	Sun, 06 Nov 1994 08:49:37 GMT
//	Sunday, 06-Nov-94 08:49:37 GMT
//	Sun Nov  6 08:49:37 1994
//
// All of them have the day before the year, and one month and one time of day anywhere. A year
// of two digits is the one that is at most 50 years after now. time.Parse would be 4 KB of what
// a first visit loads.
func httpDate(s string, now time.Time) (time.Time, bool) {
	var month int
	var numbers, clock []int
	var short bool // whether the last number, the year, has two digits
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == ',' || r == '-' })
	for i, word := range words[min(1, len(words)):] { // the first is the day of the week
		if parts := strings.Split(word, ":"); len(parts) == 3 {
			for _, p := range parts {
				n, err := strconv.ParseUint(p, 10, 6)
				if err != nil || len(p) != 2 {
					return time.Time{}, false
				}
				clock = append(clock, int(n))
			}
		} else if n, err := strconv.ParseUint(word, 10, 14); err == nil {
			numbers, short = append(numbers, int(n)), len(word) <= 2
		} else if m := strings.Index(months, word); m >= 0 && m%3 == 0 && len(word) == 3 && month == 0 {
			month = m/3 + 1
		} else if word != "gmt" || i != len(words)-2 {
			return time.Time{}, false
		}
	}
	if month == 0 || len(clock) != 3 || len(numbers) != 2 || clock[0] > 23 || clock[1] > 59 || clock[2] > 60 {
		return time.Time{}, false
	}
	day, year := numbers[0], numbers[1]
	if short {
		year += now.Year() / 100 * 100
		if year > now.Year()+50 {
			year -= 100
		}
	}
	t := time.Date(year, time.Month(month), day, clock[0], clock[1], min(clock[2], 59), 0, time.UTC)
	return t, day > 0 && t.Day() == day
}

// contentRange reads a Content-Range: "bytes from-to/size". size is -1 for "*", from
// and to are -1 for "*".
func contentRange(s string) (from, to, size int64, ok bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(s)), "bytes ")
	place, total, found := strings.Cut(strings.TrimSpace(rest), "/")
	if !ok || !found {
		return 0, 0, 0, false
	}
	number := func(s string) int64 {
		n, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			ok = false
		}
		return int64(n)
	}
	from, to, size = -1, -1, -1
	if total != "*" {
		size = number(total)
	}
	if place != "*" {
		a, b, dash := strings.Cut(place, "-")
		from, to = number(a), number(b)
		ok = ok && dash && from <= to && (size < 0 || to < size)
	}
	return from, to, size, ok
}

func broken(reason string) *source.Error {
	return &source.Error{Trouble: source.Broken, Reason: reason, Remedy: "something on the way to the server changes its answers: look at the proxy, or open the files another way"}
}

func changed(size, listed int64) *source.Error {
	return &source.Error{Trouble: source.Changed, Reason: fmt.Sprintf("the file has %d bytes, fewer than the %d that were listed", size, listed), Remedy: "the page reads it again by itself"}
}

func notTheFile(reason string) *source.Error {
	return &source.Error{Trouble: source.Refused, Reason: reason, Remedy: "a login may have ended: reload the page; or look at the proxy on the way"}
}
