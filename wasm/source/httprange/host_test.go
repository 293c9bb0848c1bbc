//go:build !js

package httprange

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
)

// few are files of different lengths and bytes, by run, and a host of them at our server, with
// spoil in front of it: that answers what it returns true for. asked takes what the requests for
// bytes are, spoiled or not.
type few struct {
	*Host
	dir   string
	files [][]byte
	asked []string
	next  http.Handler // our server
	spoil func(w http.ResponseWriter, r *http.Request) bool
}

func newFew(t *testing.T) *few {
	t.Helper()
	dir := t.TempDir()
	f := &few{dir: dir}
	for i, n := range []int{1000, 700, 310} {
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(k*(i+3) + k/7)
		}
		f.files = append(f.files, b)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("events.out.tfevents.", i)), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f.next = hosts["our server"](t, dir)
	f.Host = &Host{Listing: "http://localhost/data/listing.json", via: direct{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == "POST" && r.URL.RawQuery == "":
			f.asked = append(f.asked, "batch")
		case r.Method == "POST":
			f.asked = append(f.asked, "batch "+r.URL.RawQuery)
		case r.Header.Get("Range") != "":
			f.asked = append(f.asked, "range")
		}
		if f.spoil == nil || !f.spoil(w, r) {
			f.next.ServeHTTP(w, r)
		}
	})}}
	if _, err := f.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// slow has the host know that its line is slow.
func (f *few) slow() {
	for range 2 {
		f.line.Took(Sample{Bytes: 1 << 20, Time: time.Second, Wait: time.Second})
	}
}

// ranges are a range of each of the first n files.
func (f *few) ranges(n int) (out []source.Range) {
	for i, b := range f.files[:n] {
		out = append(out, source.Range{Path: fmt.Sprint("events.out.tfevents.", i), Offset: int64(30 + 7*i), Length: int64(50 + 11*i), Size: int64(len(b))})
	}
	return out
}

// read reads a range of each of the first n files and returns the errors; it fails if other
// bytes come, or other requests are made.
func (f *few) read(t *testing.T, what string, n int, asked ...string) []error {
	t.Helper()
	f.asked = nil
	ranges := f.ranges(n)
	results, err := f.Read(t.Context(), ranges)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, n)
	seen := 0
	for i, res := range results {
		if r := ranges[i]; res.Err != nil {
			errs[i] = res.Err
		} else if want := f.files[i][r.Offset : r.Offset+r.Length]; string(res.Data) != string(want) || res.Size != r.Size || res.Version == "" {
			t.Errorf("%s: range %d: %d bytes of a file of %d, version %q", what, i, len(res.Data), res.Size, res.Version)
		}
		seen++
	}
	if seen != n || !slices.Equal(f.asked, asked) {
		t.Errorf("%s: %d results of %d; asked for %q, want %q", what, seen, n, f.asked, asked)
	}
	return errs
}

// whole is read where nothing fails.
func (f *few) whole(t *testing.T, what string, n int, asked ...string) {
	t.Helper()
	for i, err := range f.read(t, what, n, asked...) {
		if err != nil {
			t.Errorf("%s: range %d: %v", what, i, err)
		}
	}
}

// Several ranges are asked for by batch; over a slow line a single one too, and compressed;
// nothing is asked for nothing.
func TestBatches(t *testing.T) {
	f := newFew(t)
	f.whole(t, "none", 0)
	f.whole(t, "one", 1, "range")
	f.whole(t, "three", 3, "batch")
	f.slow()
	f.whole(t, "none, slow", 0)
	f.whole(t, "one, slow", 1, "batch z=1")
	f.whole(t, "three, slow", 3, "batch z=1")
	f.Batch = ""
	f.whole(t, "one, slow, of a host without batches", 1, "range")
	f.whole(t, "two, of a host without batches", 2, "range", "range")
}

// What does not like to be asked for compressed bytes is asked for plain ones at once, and from
// then on.
func TestCompressedRefused(t *testing.T) {
	for what, refuse := range map[string]func(w http.ResponseWriter){
		"not found":    func(w http.ResponseWriter) { w.WriteHeader(404) },
		"busy":         func(w http.ResponseWriter) { w.WriteHeader(503) },
		"no content":   func(w http.ResponseWriter) { w.WriteHeader(204) },
		"a reset line": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		f := newFew(t)
		f.slow()
		f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.RawQuery != "" {
				refuse(w)
				return true
			}
			return false
		}
		f.whole(t, what, 3, "batch z=1", "batch")
		f.whole(t, what+", again", 2, "batch")
	}
}

// Of a batch that is refused the server's own words are told, if it has any; that its route is
// not there says nothing of the files.
func TestBatchRefused(t *testing.T) {
	for _, c := range []struct {
		status       int
		body, reason string
		trouble      source.Trouble
	}{
		{400, `{"error":"too many ranges","remedy":"ask for fewer"}`, "too many ranges", source.Refused},
		{404, `{"error":"no such route","remedy":"look elsewhere"}`, "no such route", source.Refused},
		{404, "", "404", source.Refused},
		{503, `{"error":"too many readers"}`, "too many readers", source.Busy},
		{302, `{"error":"not to be told"}`, "302", source.Refused},
	} {
		f := newFew(t)
		f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
			return true
		}
		for i, err := range f.read(t, c.reason, 3, "batch") {
			if e, ok := err.(*source.Error); !ok || e.Trouble != c.trouble || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%d: range %d: %+v, want %q", c.status, i, err, c.reason)
			}
		}
	}
}

// After two batches in a row that were not answered with one, single ranges are asked for, and
// batches again after a while; an answer that only ends early is none of those.
func TestLameBatches(t *testing.T) {
	lame := map[string]bool{"refused": true, "a page": true, "cut short": false, "lame once": false}
	for what, rests := range lame {
		f := newFew(t)
		turn := 0
		f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != "POST" {
				return false
			}
			turn++
			switch {
			case what == "refused":
				w.WriteHeader(403)
			case what == "a page" || what == "lame once" && turn%2 == 1:
				fmt.Fprint(w, "<!doctype html><title>Sign in, please, before you go on</title>")
			case what == "cut short":
				whole := httptest.NewRecorder()
				f.next.ServeHTTP(whole, r)
				w.Write(whole.Body.Bytes()[:100]) // the first range and a part of the second one's header
			default:
				return false
			}
			return true
		}
		for k := range 2 {
			for i, err := range f.read(t, what, 3, "batch") {
				if failed := !(what == "cut short" && i == 0 || what == "lame once" && k == 1); (err != nil) != failed {
					t.Errorf("%s, batch %d: range %d: %v", what, k, i, err)
				}
			}
		}
		f.spoil = nil
		n := 0
		for ; n < 100; n++ {
			f.asked = nil
			if _, err := f.Read(t.Context(), f.ranges(3)); err != nil {
				t.Fatal(err)
			}
			if f.asked[0] == "batch" {
				break
			}
		}
		if want := map[bool]int{true: batchRest, false: 0}[rests]; n != want {
			t.Errorf("%s: %d reads without a batch, want %d", what, n, want)
		}
		f.whole(t, what+", later", 3, "batch")
	}
}

// A good batch of a single range, too, says that batches are answered.
func TestLameInBetween(t *testing.T) {
	f := newFew(t)
	page := func(w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprint(w, "<!doctype html><title>Please wait, the network is not there yet</title>")
		return true
	}
	f.spoil = page
	f.read(t, "lame", 3, "batch")
	f.spoil = nil
	f.slow()
	f.whole(t, "good", 1, "batch z=1")
	f.spoil = page
	f.read(t, "lame again", 3, "batch z=1")
	f.spoil = nil
	f.whole(t, "good again", 2, "batch")
}

// watched is a transport that counts what is not over: answers that have been neither read nor
// dropped, and bodies that have not been given back.
type watched struct {
	direct
	answers, bodies *int
}

type watchedReply struct {
	reply
	w *watched
}

type watchedBody struct {
	body
	w *watched
}

func (w *watched) send(ctx context.Context, q request) (reply, error) {
	r, err := w.direct.send(ctx, q)
	if err != nil {
		return nil, err
	}
	*w.answers++
	return &watchedReply{r, w}, nil
}

func (r *watchedReply) body(b body, err error) (body, error) {
	*r.w.answers--
	if err != nil {
		return nil, err
	}
	*r.w.bodies++
	return &watchedBody{b, r.w}, nil
}

func (r *watchedReply) read(most int64) (body, Sample, error) {
	b, s, err := r.reply.read(most)
	b, err = r.body(b, err)
	return b, s, err
}

func (r *watchedReply) all() (body, error) { return r.body(r.reply.all()) }
func (r *watchedReply) text() []byte       { *r.w.answers--; return r.reply.text() }
func (r *watchedReply) drop()              { *r.w.answers--; r.reply.drop() }
func (b *watchedBody) done()               { *b.w.bodies--; b.body.done() }

// Whatever an answer is, it is read or dropped, once, and the memory of its body is given back.
func TestAnswersEnd(t *testing.T) {
	for what, c := range map[string]struct {
		n     int
		slow  bool
		spoil func(w http.ResponseWriter, r *http.Request) bool // nil: nothing
		fails bool
	}{
		"a range": {n: 1}, "a batch": {n: 3}, "a compressed batch": {n: 2, slow: true},
		"an end before the range": {1, false, func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Range", "bytes */30")
			w.WriteHeader(416)
			return true
		}, true},
		"words": {3, false, func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(403); return true }, true},
		"a refused compressed batch": {2, true, func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(400 + len(r.URL.RawQuery))
			return true
		}, true},
		"no words": {3, false, func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(302); return true }, true},
		"a page": {3, false, func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprint(w, "<!doctype html><title>This is a page that is none of the files</title>")
			return true
		}, true},
		"too little": {1, false, func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Range", "bytes 30-79/1000")
			w.WriteHeader(206)
			w.Write([]byte("short"))
			return true
		}, true},
	} {
		f := newFew(t)
		answers, bodies := 0, 0
		f.via = &watched{f.via.(direct), &answers, &bodies}
		if f.spoil = c.spoil; c.slow {
			f.slow()
		}
		results, err := f.Read(t.Context(), f.ranges(c.n))
		if err != nil {
			t.Fatal(err)
		}
		for i, res := range results {
			if (res.Err != nil) != c.fails {
				t.Errorf("%s: range %d: %v", what, i, res.Err)
			}
		}
		if answers != 0 || bodies != 0 {
			t.Errorf("%s: %d answers are left open, and %d bodies", what, answers, bodies)
		}
	}
	// A file that ends where it is asked for, as nothing is listed.
	f := newFew(t)
	answers, bodies := 0, 0
	f.via = &watched{f.via.(direct), &answers, &bodies}
	results, err := f.Read(t.Context(), []source.Range{{Path: "events.out.tfevents.2", Offset: 310, Length: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range results {
		if res.Err != nil || len(res.Data) != 0 || res.Size != 310 || answers != 0 || bodies != 0 {
			t.Errorf("the end of a file: %+v; %d answers are left open, and %d bodies", res, answers, bodies)
		}
	}
	// A listing that has not changed.
	first, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.List(t.Context()); err != nil || again != first || answers != 0 {
		t.Errorf("%v, another listing: %v; %d answers are left open", err, again != first, answers)
	}
}

// Where answers take their time to begin, more files are asked for at a time; requests that are
// not answered say nothing of that.
func TestFarHost(t *testing.T) {
	for delay, want := range map[time.Duration]int{0: fastFiles, farFrom - time.Millisecond: fastFiles, farFrom: farFiles, time.Second: farFiles} {
		synctest.Test(t, func(t *testing.T) {
			f := newFew(t)
			f.spoil = func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
			f.read(t, "reset", 1, "range")
			f.spoil = func(http.ResponseWriter, *http.Request) bool { time.Sleep(delay); return false }
			f.whole(t, "answered", 1, "range")
			if p := f.Pace(); p.Files != want {
				t.Errorf("%d files are asked for at a time where answers take %v", p.Files, delay)
			}
		})
	}
}

// Of a host that sends no more than so much at a time no more is asked for, once that is known.
func TestHostWithACap(t *testing.T) {
	const most, size = leastCap + 4500, 300_000
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i/5 + i>>9)
	}
	var lengths []int
	version := func() string { return `"one"` }
	f := newFew(t)
	f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
		var from, to int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, to+1-from)
		to = min(to+1, from+most, size)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, size))
		w.Header().Set("ETag", version())
		w.WriteHeader(206)
		w.Write(data[from:to])
		return true
	}
	const offset, length = 100, 250_000
	read := func() source.Result {
		t.Helper()
		lengths = nil
		results, err := f.Read(t.Context(), []source.Range{{Path: "long", Offset: offset, Length: length, Size: size}})
		if err != nil {
			t.Fatal(err)
		}
		for _, res := range results {
			res.Data = slices.Clone(res.Data)
			return res
		}
		return source.Result{}
	}
	for _, first := range []int{length, most} {
		if res := read(); res.Err != nil || string(res.Data) != string(data[offset:offset+length]) || res.Size != size {
			t.Errorf("%d bytes of %d, %v", len(res.Data), res.Size, res.Err)
		}
		if want := []int{first, most, most, length - 3*most}; !slices.Equal(lengths, want) {
			t.Errorf("ranges of %v bytes are asked for, want %v", lengths, want)
		}
	}
	// Pieces of two versions are no range of the file.
	for _, changes := range []int{2, 4} {
		version = func() string { return fmt.Sprintf("%q", fmt.Sprint("v", len(lengths)/changes)) }
		res := read()
		if e := (*source.Error)(nil); !errors.As(res.Err, &e) || e.Trouble != source.Changed || len(lengths) != changes {
			t.Errorf("changed before piece %d: %d bytes after %d pieces, %v", changes, len(res.Data), len(lengths), res.Err)
		}
	}
}

// A listing is asked for again where the host is busy or does not answer, some times, and after
// the time that it asks for; other answers are final.
func TestListingIsAskedForAgain(t *testing.T) {
	reset := func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }
	status := func(n int) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(n) }
	}
	const none = source.Trouble(-1)
	for what, c := range map[string]struct {
		answer func(w http.ResponseWriter)
		fails  int // times
		asked  int
		least  time.Duration
		err    source.Trouble
	}{
		"busy once":       {status(503), 1, 2, 0, none},
		"busy for longer": {status(500), 3, 4, 0, none},
		"always busy":     {status(503), 9, 4, 0, source.Busy},
		"busy with a time": {func(w http.ResponseWriter) { w.Header().Set("Retry-After", "17"); w.WriteHeader(429) },
			2, 3, 34 * time.Second, none},
		"silent twice":  {reset, 2, 3, 0, none},
		"always silent": {reset, 9, 4, 0, source.Silent},
		"forbidden":     {status(403), 1, 1, 0, source.Refused},
		"a bad request": {status(400), 1, 1, 0, source.Refused},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFew(t)
			asked := 0
			f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
				if asked++; asked <= c.fails {
					c.answer(w)
					return true
				}
				return false
			}
			began := time.Now()
			l, err := f.List(t.Context())
			got := none
			if e := (*source.Error)(nil); errors.As(err, &e) {
				got = e.Trouble
			}
			if got != c.err || (l == nil) != (err != nil) || asked != c.asked || time.Since(began) < c.least {
				t.Errorf("%s: asked %d times in %v, %v", what, asked, time.Since(began), err)
			}
		})
	}
	for _, n := range []int{204, 404, 410} {
		f := newFew(t)
		asked := 0
		f.spoil = func(w http.ResponseWriter, r *http.Request) bool { asked++; w.WriteHeader(n); return true }
		if _, err := f.List(t.Context()); !errors.Is(err, ErrNoListing) || asked != 1 {
			t.Errorf("%d: asked %d times, %v", n, asked, err)
		}
	}
}

// A range that reaches over a file's end is asked for once; of a file whose size the host does
// not tell all of it is asked for, piece by piece.
func TestRangeAtTheEnd(t *testing.T) {
	f := newFew(t)
	read := func(r source.Range) (data string, size int64) {
		t.Helper()
		f.asked = nil
		results, err := f.Read(t.Context(), []source.Range{r})
		if err != nil {
			t.Fatal(err)
		}
		for _, res := range results {
			if res.Err != nil {
				t.Errorf("%+v: %v", r, res.Err)
			}
			data, size = string(res.Data), res.Size
		}
		return data, size
	}
	b := string(f.files[2])
	if data, size := read(source.Range{Path: "events.out.tfevents.2", Offset: 300, Length: 50}); data != b[300:] || size != 310 || len(f.asked) != 1 {
		t.Errorf("%d bytes of %d by %d requests", len(data), size, len(f.asked))
	}
	f.spoil = func(w http.ResponseWriter, r *http.Request) bool {
		var from, to int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil {
			t.Fatal(err)
		}
		to = min(to+1, from+40)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/*", from, to-1))
		w.WriteHeader(206)
		w.Write([]byte(b[from:to]))
		return true
	}
	if data, size := read(source.Range{Path: "events.out.tfevents.2", Offset: 20, Length: 130}); data != b[20:150] || size != -1 || len(f.asked) != 4 {
		t.Errorf("%d bytes of %d by %d requests", len(data), size, len(f.asked))
	}
}

// What is no listing is said to be none: a page in its place, or nothing.
func TestNoListingThere(t *testing.T) {
	for body, reason := range map[string]string{"<html>Sign in": "a page where the listing should be", "": "", "[7": ""} {
		f := newFew(t)
		f.spoil = func(w http.ResponseWriter, r *http.Request) bool { w.Write([]byte(body)); return true }
		_, err := f.List(t.Context())
		e := (*source.Error)(nil)
		if !errors.As(err, &e) || e.Trouble != source.Refused || !strings.Contains(e.Reason, reason) || reason == "" && strings.Contains(e.Reason, "page") {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// Of a host without ranges each small file comes once for all values that are looked at, however
// they take turns; what reads a file or proves one gets it anew, and no copy outlives that.
func TestCopiesOfWholeFiles(t *testing.T) {
	f := newFew(t)
	f.Batch = ""
	f.spoil = func(_ http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Range")
		return false
	}
	path := func(i int) string { return fmt.Sprint("events.out.tfevents.", i) }
	read := func(i int, offset int64, again bool) source.Result {
		t.Helper()
		r := source.Range{Path: path(i), Offset: offset, Length: 90, Size: int64(len(f.files[i])), Again: again}
		results, err := f.Read(t.Context(), []source.Range{r})
		if err != nil {
			t.Fatal(err)
		}
		for _, res := range results {
			if want := f.files[i][offset : offset+90]; res.Err != nil || string(res.Data) != string(want) || res.Version == "" || res.Size != r.Size {
				t.Fatalf("file %d from %d: %d bytes of %d, version %q, %v", i, offset, len(res.Data), res.Size, res.Version, res.Err)
			}
			res.Data = nil
			return res
		}
		t.Fatal("nothing came")
		return source.Result{}
	}
	asked := func(want int) {
		t.Helper()
		if len(f.asked) != want {
			t.Errorf("%d files were asked for, want %d", len(f.asked), want)
		}
		f.asked = nil
	}
	for k := range int64(20) {
		for i := range f.files {
			read(i, k*11, true)
		}
	}
	asked(3)
	read(0, 0, false)
	asked(1)
	read(0, 5, true) // from the answer that is being read
	read(0, 200, true)
	asked(0)
	read(2, 0, false)
	read(0, 5, true) // the copy went when the file was read
	asked(2)
	read(0, 200, true)
	asked(0)

	// Another file of the same length: the copy has the version that it is of.
	was, old := read(1, 40, true), f.files[1]
	time.Sleep(20 * time.Millisecond) // for a file system whose clock is coarse
	other := slices.Clone(old)
	slices.Reverse(other)
	if err := os.WriteFile(filepath.Join(f.dir, path(1)), other, 0o666); err != nil {
		t.Fatal(err)
	}
	if res := read(1, 60, true); res.Version != was.Version {
		t.Errorf("the copy says that it is %q, and is %q", res.Version, was.Version)
	}
	f.files[1] = other
	now := read(1, 80, false)
	if now.Version == was.Version {
		t.Error("another file has the same version")
	}
	if res := read(1, 70, true); res.Version != now.Version {
		t.Errorf("after the file was read anew a copy of %q is given, not of %q", res.Version, now.Version)
	}
}

// filler is a body of so many bytes.
type filler int

func (n filler) size() int      { return int(n) }
func (filler) copy([]byte, int) {}
func (filler) done()            {}

// Copies have a bound; those that were used last stay.
func TestCopiesAreBounded(t *testing.T) {
	h := &Host{}
	for i := range 10 {
		h.keep(wholeCopy{path: fmt.Sprint(i), body: filler(mostCopy)})
		h.copied(source.Range{Path: "0", Length: 1, Again: true})
	}
	var paths []string
	for _, c := range h.copies {
		paths = append(paths, c.path)
	}
	if fmt.Sprint(paths) != "[7 8 9 0]" {
		t.Errorf("copies of %v", paths)
	}
}
