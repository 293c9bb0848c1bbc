package httprange

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// at is when the answers of these tests came.
var at = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// What each answer to a request for the bytes 100 to 149 of a file proves.
func TestJudge(t *testing.T) {
	const none = source.Trouble(-1)
	r := source.Range{Path: "f", Offset: 100, Length: 50, Size: 1000}
	for _, c := range []struct {
		what  string
		r     source.Range
		h     Head
		err   source.Trouble
		bytes int64 // -1: the whole file
		size  int64
	}{
		{"the range", r, Head{Status: 206, Range: "bytes 100-149/1000", Length: "50"}, none, 50, 1000},
		{"of a file that has grown", r, Head{Status: 206, Range: "bytes 100-149/2000"}, none, 50, 2000},
		{"of a file of unknown size", r, Head{Status: 206, Range: "bytes 100-149/*"}, none, 50, -1},
		{"a first part of it", r, Head{Status: 206, Range: "bytes 100-109/1000", Length: "10"}, none, 10, 1000},
		{"in other letters", r, Head{Status: 206, Range: " Bytes 100-149/1000 ", Encoding: "identity"}, none, 50, 1000},
		{"through a redirect", r, Head{Status: 206, Range: "bytes 100-149/1000", Moved: true}, none, 50, 1000},
		{"no Content-Range", r, Head{Status: 206}, source.Broken, 0, -1},
		{"one byte too early", r, Head{Status: 206, Range: "bytes 99-148/1000"}, source.Broken, 0, -1},
		{"one byte too late", r, Head{Status: 206, Range: "bytes 101-150/1000"}, source.Broken, 0, -1},
		{"one byte too many", r, Head{Status: 206, Range: "bytes 100-150/1000"}, source.Broken, 0, -1},
		{"another length than it says", r, Head{Status: 206, Range: "bytes 100-149/1000", Length: "49"}, source.Broken, 0, -1},
		{"compressed", r, Head{Status: 206, Range: "bytes 100-149/1000", Encoding: "gzip"}, source.Broken, 0, -1},
		{"a part of nothing", r, Head{Status: 206, Range: "bytes */1000"}, source.Broken, 0, -1},
		{"a part that ends before it begins", r, Head{Status: 206, Range: "bytes 149-100/1000"}, source.Broken, 0, -1},
		{"a part behind the end", r, Head{Status: 206, Range: "bytes 100-149/149"}, source.Broken, 0, -1},
		{"of a shorter file", r, Head{Status: 206, Range: "bytes 100-149/999"}, source.Changed, 0, -1},
		{"whole", r, Head{Status: 200, Length: "1000"}, none, -1, -1},
		{"whole, grown", r, Head{Status: 200, Length: "1001"}, none, -1, -1},
		{"whole, compressed", r, Head{Status: 200, Length: "10", Encoding: "gzip"}, none, -1, -1},
		{"whole, of unknown length", r, Head{Status: 200}, none, -1, -1},
		{"a page", r, Head{Status: 200, Length: "999"}, source.Refused, 0, -1},
		{"an empty body", r, Head{Status: 200, Length: "0"}, source.Refused, 0, -1},
		{"somewhere else", r, Head{Status: 200, Length: "1000", Moved: true}, source.Refused, 0, -1},
		{"416 where bytes should be", r, Head{Status: 416, Range: "bytes */1000"}, source.Broken, 0, -1},
		{"416 of a shorter file", r, Head{Status: 416, Range: "bytes */100"}, source.Changed, 0, -1},
		{"416 without a size", r, Head{Status: 416}, source.Broken, 0, -1},
		{"416 behind the end", source.Range{Offset: 100, Length: 50}, Head{Status: 416, Range: "bytes */100"}, none, 0, 100},
		{"416 of a file that is empty now", r, Head{Status: 416, Range: "bytes */0"}, source.Changed, 0, -1},
		{"416 of an empty file", source.Range{Length: 50}, Head{Status: 416, Range: "bytes */0"}, none, 0, 0},
		{"204", r, Head{Status: 204}, source.Refused, 0, -1},
		{"304", r, Head{Status: 304}, source.Refused, 0, -1},
		{"400", r, Head{Status: 400}, source.Refused, 0, -1},
		{"401", r, Head{Status: 401}, source.Refused, 0, -1},
		{"403", r, Head{Status: 403}, source.Refused, 0, -1},
		{"404", r, Head{Status: 404}, source.Gone, 0, -1},
		{"410", r, Head{Status: 410}, source.Gone, 0, -1},
		{"429", r, Head{Status: 429}, source.Busy, 0, -1},
		{"500", r, Head{Status: 500}, source.Busy, 0, -1},
		{"503", r, Head{Status: 503}, source.Busy, 0, -1},
		{"no answer that fetch knows", r, Head{}, source.Refused, 0, -1},
	} {
		v := Judge(c.r, c.h, at)
		got := none
		if v.Err != nil {
			got = v.Err.Trouble
			if v.Err.Reason == "" || v.Err.Remedy == "" && c.h.Status >= 400 && c.h.Status != 400 {
				t.Errorf("%s: it is not said what is wrong, or what to do: %+v", c.what, v.Err)
			}
		}
		bytes := v.Bytes
		if v.Whole {
			bytes = -1
		}
		if v.Err != nil {
			bytes = 0
		}
		if got != c.err || bytes != c.bytes || v.Err == nil && v.Size != c.size {
			t.Errorf("%s: %+v", c.what, v)
		}
	}
}

func TestJudgeWhole(t *testing.T) {
	b := summary.NewBuffer(summary.Options{})
	event := b.Bytes()
	page := []byte("<!doctype html><title>Sign in")
	for _, c := range []struct {
		what  string
		size  int64 // listed
		n     int64
		kind  string
		first []byte
		want  bool
	}{
		{"the file", 1000, 1000, "", event, true},
		{"the file, damaged in its first bytes", 1000, 1000, "application/octet-stream", page, true},
		{"the file, of a host that calls everything a page", 1000, 1000, "text/html", event, true},
		{"the file, grown", 1000, 1001, "", event, true},
		{"too little", 1000, 999, "", event, false},
		{"nothing of a file of one byte", 1, 0, "", nil, false},
		{"a page", 10, 1000, "text/html", page, false},
		{"a page of another type", 10, 1000, "", page, false},
		{"a page of the file's length", 1000, 1000, "Text/HTML; charset=utf-8", page, false},
		{"a page where no size is known", 0, 1000, "text/html", page, false},
		{"bytes where no size is known", 0, 1000, "", page, true},
		{"nothing where no size is known", 0, 0, "", nil, true},
	} {
		e := JudgeWhole(source.Range{Path: "f", Size: c.size, Length: 1}, Head{Status: 200, Type: c.kind}, c.n, c.first[:min(len(c.first), 12)])
		if (e == nil) != c.want {
			t.Errorf("%s: %v", c.what, e)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "7.5": 0, "soon": 0,
		"100": longestWait, "9223372036854775807": longestWait, "99999999999999999999": 0,
		"Mon, 04 May 2026 12:00:30 GMT":    30 * time.Second,
		"Monday, 04-May-26 12:00:30 GMT":   30 * time.Second,
		"Mon May  4 12:00:30 2026":         30 * time.Second,
		"Mon, 04 May 2026 11:00:00 GMT":    0,
		"Mon, 04 May 2099 11:00:00 GMT":    longestWait,
		"Mon, 32 May 2026 11:00:00 GMT":    0,
		"Mon, 04 May 2026 12:00:30 +02:00": 0,
	} {
		if got := Judge(source.Range{Length: 1}, Head{Status: 503, RetryAfter: text}, at).Err.After; got != want {
			t.Errorf("Retry-After %q is %v, want %v", text, got, want)
		}
	}
}

// A date is read as time.Parse reads it, in each of HTTP's three forms, and one with another letter
// in it as time.Parse reads it, or not at all.
func TestHTTPDate(t *testing.T) {
	layouts := []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		when := at.Add(time.Duration(random.Int64N(int64(90*365*24*time.Hour))) - 45*365*24*time.Hour).UTC().Truncate(time.Second)
		layout := layouts[i%len(layouts)]
		text := when.Format(layout)
		if got, ok := httpDate(text, at); !ok || !got.Equal(when) {
			t.Fatalf("%q is %v (%v), want %v", text, got, ok, when)
		}
		b := []byte(text)
		b[random.IntN(len(b))] = " :,-0129aJGT"[random.IntN(12)]
		got, ok := httpDate(string(b), at)
		for k, layout := range layouts {
			if want, err := time.Parse(layout, string(b)); err == nil && ok && k != 1 && !got.Equal(want) {
				t.Fatalf("%q is %v (%v), want %v", b, got, ok, want)
			}
		}
	}
}

// Of an answer with other bytes both places are told.
func TestOtherBytes(t *testing.T) {
	e := Judge(source.Range{Path: "f", Offset: 100, Length: 50, Size: 1000}, Head{Status: 206, Range: "bytes 103-151/1000"}, at).Err
	if !strings.Contains(e.Reason, "103 to 151") || !strings.Contains(e.Reason, "100 to 149") {
		t.Errorf("%v", e)
	}
}

// The server's own words go before ours.
func TestWords(t *testing.T) {
	e := Judge(source.Range{Length: 1}, Head{Status: 403}, at).Err
	Words(e, []byte("<html>no</html>"))
	if !strings.Contains(e.Error(), "403") {
		t.Errorf("a page became words: %v", e)
	}
	if Words(e, []byte(`{"error":"the file is locked","remedy":"unlock it"}`)); e.Reason != "the file is locked" || e.Remedy != "unlock it" {
		t.Errorf("%+v", e)
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		h    Head
		want string
	}{
		{Head{ETag: `"abc"`, Modified: "x"}, "abc"},
		{Head{ETag: `W/"abc"`, Modified: "x"}, "x"},
		{Head{ETag: `""`}, ""}, {Head{ETag: `"`}, ""}, {Head{ETag: "abc"}, ""}, {Head{}, ""},
	} {
		if got := c.h.version(); got != c.want {
			t.Errorf("%+v: %q", c.h, got)
		}
	}
}

// Whatever a head says: what is accepted is what was asked for, and nothing panics.
func FuzzJudge(f *testing.F) {
	f.Add(206, "bytes 100-149/1000", "50", "", "", int64(100), int64(50), int64(1000))
	f.Add(416, "bytes */7", "", "gzip", "Mon, 04 May 2026 12:00:30 GMT", int64(0), int64(1), int64(0))
	f.Add(200, "", "9223372036854775808", "", "-1", int64(1)<<62, int64(1)<<62, int64(-1))
	f.Fuzz(func(t *testing.T, status int, span, length, encoding, retry string, offset, n, size int64) {
		r := source.Range{Path: "f", Offset: max(0, offset), Length: max(1, n), Size: max(0, size)}
		v := Judge(r, Head{Status: status, Range: span, Length: length, Encoding: encoding, RetryAfter: retry}, at)
		if v.Err != nil {
			if v.Err.Reason == "" || v.Err.After < 0 || v.Err.After > longestWait {
				t.Fatalf("%+v", v.Err)
			}
			return
		}
		switch {
		case v.Whole:
			if status != 200 {
				t.Fatalf("%d is the whole file", status)
			}
		case v.Bytes > 0:
			if status != 206 || v.Bytes > r.Length || v.Size >= 0 && v.Size < max(r.Size, r.Offset+v.Bytes) {
				t.Fatalf("%+v for %+v", v, r)
			}
		case v.Size < 0 || v.Size > r.Offset || r.Size > r.Offset:
			t.Fatalf("the end of the file: %+v for %+v", v, r)
		}
	})
}
