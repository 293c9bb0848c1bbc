package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// made is an origin that makes its objects up.
type made struct {
	list func(each func(Object) error) error
	data []byte
	err  error // of reads

	lists, reads atomic.Int64
}

func (m *made) List(_ context.Context, each func(Object) error) error {
	m.lists.Add(1)
	return m.list(each)
}

func (m *made) Read(_ context.Context, _ Object, offset, length int64) (io.ReadCloser, error) {
	m.reads.Add(1)
	if m.err != nil {
		return nil, m.err
	}
	return io.NopCloser(io.NewSectionReader(bytes.NewReader(m.data), offset, length)), nil
}

func (m *made) Link(context.Context, Object) (string, error) { return "", nil }
func (m *made) LinkOrigin(context.Context) (string, error)   { return "", errors.New("none") }
func (m *made) Close() error                                 { return nil }

// objects lists some.
func objects(all ...Object) func(func(Object) error) error {
	return func(each func(Object) error) error {
		for _, o := range all {
			if err := each(o); err != nil {
				return err
			}
		}
		return nil
	}
}

func openOrigin(t *testing.T, o Options, origin Origin) *Store {
	t.Helper()
	s, err := OpenRoots([]Root{{Dir: "s3://b/logs", Origin: origin}}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A bucket of a million objects is listed as far as there are files to see, without keeping
// the others; of a million event files as many as a listing has room for, and it is said
// that there are more.
func TestManyObjects(t *testing.T) {
	s := openOrigin(t, Options{}, &made{list: func(each func(Object) error) error {
		for i := range 1_000_000 {
			o := Object{Key: fmt.Sprintf("run%06d/weights.pt", i), Size: 1}
			if i%1000 == 0 {
				o.Key = fmt.Sprintf("run%06d/tfevents", i)
			}
			if err := each(o); err != nil {
				return err
			}
		}
		return nil
	}})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l, err := s.List(t.Context(), "")
	if err != nil || len(l.Files) != 1000 || len(l.Problems) > 0 {
		t.Fatalf("%d files, %v, %v", len(l.Files), l.Problems, err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 10<<20 {
		t.Errorf("%d bytes are kept for 1000 files of a million objects", grown)
	}
	most := mostListed
	mostListed = 20_000
	defer func() { mostListed = most }()
	told := 0
	s = openOrigin(t, Options{}, &made{list: func(each func(Object) error) error {
		for i := range 1_000_000 {
			told++
			if err := each(Object{Key: fmt.Sprintf("run%06d/tfevents", i), Size: 1, Tag: "x"}); err != nil {
				return err
			}
		}
		return nil
	}})
	l, err = s.List(t.Context(), "")
	if err != nil || len(l.Files) != mostListed || len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Error, "20000 of them files to show") {
		t.Fatalf("%d files, %v, %v", len(l.Files), l.Problems, err)
	}
	if told > mostListed+1 {
		t.Errorf("%d objects were asked for after there was no room", told)
	}
	mostObjects = 100
	defer func() { mostObjects = 5_000_000 }()
	s = openOrigin(t, Options{}, &made{list: func(each func(Object) error) error {
		for {
			if err := each(Object{Key: "x.pt"}); err != nil {
				return err
			}
		}
	}})
	if l, err := s.List(t.Context(), ""); err != nil || len(l.Problems) != 1 {
		t.Errorf("objects without an end: %+v, %v", l, err)
	}
}

// Files that matter beside a projector's configuration are listed there, wherever the
// configuration stands in the list.
func TestObjectsBesideConfigurations(t *testing.T) {
	s := openOrigin(t, Options{}, &made{list: objects(Object{Key: "a/bookmarks.txt"}, Object{Key: "a/projector_config.pbtxt"}, Object{Key: "a/x.png"},
		Object{Key: "b/notes.txt"}, Object{Key: "b/tfevents"}, Object{Key: "tfevents/"}, Object{Key: ""})})
	if got, problems := paths(t, s); got != "a/bookmarks.txt a/projector_config.pbtxt a/x.png b/tfevents" || problems != "" {
		t.Errorf("%s, %s", got, problems)
	}
	s = openOrigin(t, Options{}, &made{list: objects(Object{Key: "a//b/tfevents"}, Object{Key: `a/\x2fb/tfevents`})})
	if got, problems := paths(t, s); got != `a/\x2fb/tfevents` || problems != `a/\x2fb/tfevents` {
		t.Errorf("keys of one name: %s, %s", got, problems)
	}
}

// One list is for all who look within the time between two looks of a page, unless
// something is found to be another than listed; and who comes first is told what is known
// while the rest is listed.
func TestListsAreShared(t *testing.T) {
	m := &made{list: objects(Object{Key: "r/tfevents", Size: 5, Tag: "1"}), data: []byte("12345")}
	s := openOrigin(t, Options{Every: time.Hour}, m)
	for range 5 {
		paths(t, s)
	}
	if n := m.lists.Load(); n != 1 {
		t.Errorf("%d lists", n)
	}
	w := ask(t, s, "GET", "files/r/tfevents", "", "Range", "bytes=1-3")
	if w.Code != http.StatusPartialContent || w.Body.String() != "234" || w.Header().Get("Content-Range") != "bytes 1-3/5" || m.reads.Load() != 1 {
		t.Errorf("%d %q %v after %d reads", w.Code, w.Body, w.Header(), m.reads.Load())
	}
	if l, err := s.List(t.Context(), ""); err != nil || w.Header().Get("ETag") != `"`+l.Files[0].Version+`"` {
		t.Errorf("%v, %+v, %v", w.Header(), l, err)
	}
	m.err = &source.Error{Trouble: source.Changed, Reason: "another one", Remedy: "look"}
	failure(t, ask(t, s, "GET", "files/r/tfevents", ""), 404)
	m.list, m.err = objects(Object{Key: "r/tfevents", Size: 5, Tag: "2"}), nil
	s.last.Load().at = time.Now().Add(-time.Minute) // more than a moment
	paths(t, s)
	if n := m.lists.Load(); n != 2 {
		t.Errorf("%d lists", n)
	}

	more := make(chan struct{})
	s = openOrigin(t, Options{}, &made{list: func(each func(Object) error) error {
		for i := range 3000 {
			if i == 2500 {
				<-more
			}
			_ = each(Object{Key: fmt.Sprintf("%04d/tfevents", i)})
		}
		return nil
	}})
	part, err := s.soon(t.Context())
	if err != nil || len(part.found) < 1000 || len(part.found) > 2500 {
		t.Errorf("%v, %v", part, err)
	}
	close(more)
	if l, err := s.List(t.Context(), ""); err != nil || len(l.Files) != 3000 {
		t.Errorf("%d files, %v", len(l.Files), err)
	}
}

// What a store says against a read is said with a status that a page understands, and in
// its words; a batch goes on with the other files.
func TestOriginTroubles(t *testing.T) {
	m := &made{list: objects(Object{Key: "a/tfevents", Size: 3}, Object{Key: "b/tfevents", Size: 3}), data: []byte("abc")}
	s := openOrigin(t, Options{}, m)
	paths(t, s)
	for trouble, status := range map[source.Trouble]int{source.Refused: 403, source.Busy: 503, source.Silent: 502, source.Broken: 502, source.Gone: 404, source.Changed: 404} {
		m.err = &source.Error{Trouble: trouble, Reason: "the reason", Remedy: "the remedy", After: 3 * time.Second}
		w := ask(t, s, "GET", "files/a/tfevents", "")
		failure(t, w, status)
		if f, _ := api.ParseFailure(w.Body.Bytes()); f.Message != "the reason" || f.Remedy != "the remedy" || w.Header().Get("Retry-After") != "3" {
			t.Errorf("%+v %v", f, w.Header())
		}
		if parts := batch(t, s, api.Range{Path: "a/tfevents", Length: 3}); len(parts) != 1 || parts[0].Count != -1 {
			t.Errorf("batch: %+v", parts)
		}
	}
	m.err = nil
	var ranges []api.Range
	for range 100 {
		ranges = append(ranges, api.Range{Path: "a/tfevents", Offset: 1, Length: 9}, api.Range{Path: "none", Length: 1})
	}
	parts := batch(t, s, ranges...)
	if len(parts) != 200 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts {
		if i%2 == 0 && p.data != "bc" || i%2 == 1 && p.Count != -1 {
			t.Errorf("part %d: %+v", i, p)
		}
	}
}

// A file that is read from its beginning to its end is asked for twice, and not for each
// piece.
func TestObjectReadOn(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 100_000)
	m := &made{list: objects(Object{Key: "tfevents", Size: int64(len(data))}), data: data}
	s := openOrigin(t, Options{}, m)
	paths(t, s)
	f, err := s.Open(t.Context(), "tfevents")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got []byte
	for b := make([]byte, 4096); ; {
		n, err := f.ReadAt(b, int64(len(got)))
		got = append(got, b[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, data) || m.reads.Load() > 2 {
		t.Errorf("%d bytes by %d reads", len(got), m.reads.Load())
	}
}
