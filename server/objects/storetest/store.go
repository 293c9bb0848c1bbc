package storetest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Store is a fake store as Check needs it.
type Store interface {
	Put(key string, data []byte)
	// Faults has f say what happens to each request; nil: nothing.
	Faults(f func(*http.Request) Fault)
}

// Refuser is a Store that does not take every key: servers that keep objects as files have
// no place for some.
type Refuser interface {
	Refuses(key string) bool
}

// Check is what a store of every cloud must do, from its own opener on: odd keys, objects
// that are replaced, answers that go wrong, and words for credentials that have ended.
func Check(t *testing.T, s Store, open func(folder string) files.Origin, renew string) {
	t.Helper()
	keys := []string{"a b/tfevents", "ünï/数据/tfevents é", "x//y/tfevents", "up/../tfevents", "p%20q+r/tfevents", "deep/er/tfevents"}
	if r, ok := s.(Refuser); ok {
		keys = slices.DeleteFunc(keys, r.Refuses)
	}
	data := make([]byte, 50_000)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	for _, k := range keys {
		s.Put("exp/"+k, data)
	}
	s.Put("exp2/tfevents", data)
	store, err := files.OpenRoots([]files.Root{{Dir: "exp", Origin: open("exp")}}, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	listed := func() []string {
		t.Helper()
		store.Look()
		l, err := store.List(t.Context(), "")
		if err != nil || len(l.Problems) > 0 {
			t.Fatalf("listing: %v", err)
		}
		var paths []string
		for _, f := range l.Files {
			paths = append(paths, f.Path)
		}
		return paths
	}
	paths := listed()
	if len(paths) != len(keys) {
		t.Fatalf("listed %q of %q", paths, keys)
	}
	read := func(path string, at int64) ([]byte, error) {
		f, err := store.Open(t.Context(), path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(io.NewSectionReader(f, at, f.Size()-at))
	}
	for _, fault := range []Fault{None, SlowDown, Reset, Short, Page} {
		var n atomic.Int64
		s.Faults(func(*http.Request) Fault {
			if n.Add(1)%3 == 1 {
				return fault
			}
			return None
		})
		if got := listed(); len(got) != len(keys) {
			t.Errorf("%s: listed %q", fault, got)
		}
		for _, p := range paths {
			for _, at := range []int64{0, 1234} {
				if got, err := read(p, at); err != nil || string(got) != string(data[at:]) {
					t.Errorf("%s: %q from %d: %d bytes, %v", fault, p, at, len(got), err)
				}
			}
		}
	}
	for _, fault := range []Fault{SlowDown, Reset, Page, Expired} {
		s.Faults(func(*http.Request) Fault { return fault })
		_, err := read(paths[0], 0)
		var e *source.Error
		if !errors.As(err, &e) || e.Remedy == "" || fault == Expired && (e.Trouble != source.Refused || !strings.Contains(e.Remedy, renew)) {
			t.Errorf("%s all the time: %v", fault, err)
		}
		store.Look()
		if l, err := store.List(t.Context(), ""); err == nil {
			t.Errorf("%s all the time: listed %d files", fault, len(l.Files))
		}
	}
	s.Faults(nil)
	listed()
	s.Put("exp/deep/er/tfevents", append([]byte("another"), data[7:]...))
	for _, how := range []Fault{None, Other} {
		s.Faults(func(*http.Request) Fault { return how })
		_, err := read("deep/er/tfevents", 0)
		var e *source.Error
		if !errors.As(err, &e) || e.Trouble != source.Changed {
			t.Errorf("replaced, %q: %v", how, err)
		}
	}
	s.Faults(nil)
	listed()
	if got, err := read("deep/er/tfevents", 0); err != nil || string(got[:7]) != "another" {
		t.Errorf("listed anew: %v", err)
	}
}

// Spoil answers a request as a fault has it; false: it is to be answered. What is said of
// an error is up to the store.
func Spoil(w http.ResponseWriter, f Fault, say func(status int, code string)) bool {
	switch f {
	case SlowDown:
		say(http.StatusServiceUnavailable, "SlowDown")
	case Expired:
		say(http.StatusForbidden, "ExpiredToken")
	case Reset:
		panic(http.ErrAbortHandler)
	case Page:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Log in</title>")
	default:
		return false
	}
	return true
}

// Send sends a body, or the first half of it.
func Send(w http.ResponseWriter, status int, body []byte, f Fault) {
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	if f != Short {
		w.Write(body)
		return
	}
	w.Write(body[:len(body)/2])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}
