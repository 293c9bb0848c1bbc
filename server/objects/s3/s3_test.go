package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
)

func TestMain(m *testing.M) {
	objects.Quick()
	os.Exit(m.Run())
}

// open opens a folder of a store as a logdir.
func open(t *testing.T, s *storetest.S3, folder string, o files.Options) *files.Store {
	t.Helper()
	origin, err := Open(t.Context(), s.Address(folder))
	if err != nil {
		t.Fatal(err)
	}
	o.Name = "logs"
	store, err := files.OpenRoots([]files.Root{{Dir: "s3://logs/" + folder, Origin: origin}}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// A bucket passes the suite of all origins.
func TestSource(t *testing.T) {
	s := storetest.NewS3(t)
	for path, b := range sourcetest.Files() {
		s.Put("folder/"+path, b)
	}
	s.Put("folder2/tfevents.not", []byte("x")) // begins alike
	store := open(t, s, "folder", files.Options{})
	o := &sourcetest.Origin{
		Logdir: store.Source(), Lists: true, Grows: true,
		Append: func(path string, data []byte) error {
			s.Put("folder/"+path, append(s.Get("folder/"+path), data...))
			store.Look()
			_, err := store.List(context.Background(), "") // what it says is what is read
			return err
		},
		Remove: func(path string) error {
			s.Remove("folder/" + path)
			return nil
		},
	}
	for _, c := range sourcetest.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

// readAll reads all of a listed file.
func readAll(ctx context.Context, store *files.Store, path string) ([]byte, error) {
	f, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// put writes runs of one event file each.
func put(s *storetest.S3, runs int) map[string][]byte {
	all := map[string][]byte{}
	for i := range runs {
		path := fmt.Sprintf("run%02d/events.out.tfevents.1", i)
		all[path] = bytes.Repeat([]byte{byte(i), 1, 2, 3, 4, 5, 6}, 20_000)
		s.Put("exp/"+path, all[path])
	}
	return all
}

// Whatever breaks on the way, what is read is what is there, or an error; and a listing is
// whole or none.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault storetest.Fault
		every int // of so many requests one, or all
		fails bool
	}{
		{storetest.SlowDown, 3, false}, {storetest.Reset, 3, false}, {storetest.Short, 2, false}, {storetest.Page, 3, false}, {storetest.Whole, 2, false},
		{storetest.SlowDown, 1, true}, {storetest.Reset, 1, true}, {storetest.Page, 1, true}, {storetest.Expired, 1, true},
	} {
		t.Run(fmt.Sprintf("%s one in %d", c.fault, c.every), func(t *testing.T) {
			s := storetest.NewS3(t)
			all := put(s, 30)
			store := open(t, s, "exp", files.Options{})
			var n atomic.Int64
			faults := func(*http.Request) storetest.Fault {
				if n.Add(1)%int64(c.every) == 0 {
					return c.fault
				}
				return storetest.None
			}
			if c.fails {
				if _, err := store.List(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
			s.Faults(faults)
			l, err := store.List(t.Context(), "")
			if err != nil || len(l.Files) != len(all) {
				t.Fatalf("listed: %+v, %v", l, err)
			}
			for path, want := range all {
				got, err := readAll(t.Context(), store, path)
				var e *source.Error
				if c.fails && (!errors.As(err, &e) || e.Remedy == "" || e.Reason == "") {
					t.Errorf("%s: %v", path, err)
				}
				if c.fails {
					break
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes, %v", path, len(got), err)
				}
			}
			if c.fails && c.fault != storetest.Whole {
				store.Look()
				if l, err := store.List(t.Context(), ""); err == nil {
					t.Errorf("listed all the same: %d files", len(l.Files))
				}
			}
		})
	}
}

// A listing that ends half way is no listing: neither of a logdir alone nor of one of
// several, whose runs stay.
func TestListingThatEnds(t *testing.T) {
	s := storetest.NewS3(t)
	for i := range 2500 {
		s.Put(fmt.Sprintf("many/run%04d/tfevents", i), []byte("x"))
	}
	s.Put("few/tfevents", []byte("y"))
	alone := open(t, s, "many", files.Options{})
	one, err := Open(t.Context(), s.Address("many"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(t.Context(), s.Address("few"))
	if err != nil {
		t.Fatal(err)
	}
	both, err := files.OpenRoots([]files.Root{{Dir: "many", Name: "many", Origin: one}, {Dir: "few", Name: "few", Origin: other}}, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	look := func(store *files.Store) (*api.Listing, error) {
		store.Look()
		return store.List(t.Context(), "")
	}
	for store, want := range map[*files.Store]int{alone: 2500, both: 2501} {
		if l, err := look(store); err != nil || len(l.Files) != want || len(l.Problems) > 0 {
			t.Fatalf("%d files, %v", len(l.Files), err)
		}
	}
	if got := len(s.Requests()); got != 7 {
		t.Errorf("%d requests for two listings of 2500 and one of 1", got)
	}
	s.Remove("many/run0000/tfevents")
	for _, fault := range []storetest.Fault{storetest.SlowDown, storetest.Reset, storetest.Short, storetest.Expired, storetest.Page} {
		s.Faults(func(r *http.Request) storetest.Fault {
			if storetest.Lists(r) && r.URL.Query().Get("continuation-token") != "" {
				return fault
			}
			return storetest.None
		})
		if l, err := look(alone); err == nil {
			t.Errorf("%s: %d files", fault, len(l.Files))
		}
		l, err := look(both)
		if err != nil || len(l.Files) != 2501 || len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Error, "not listed anew") {
			t.Errorf("%s: %d files, problems %v, %v", fault, len(l.Files), l.Problems, err)
		}
	}
	s.Faults(nil)
	for store, want := range map[*files.Store]int{alone: 2499, both: 2500} {
		if l, err := look(store); err != nil || len(l.Files) != want || len(l.Problems) > 0 {
			t.Errorf("when it is whole again: %d files, %v", len(l.Files), err)
		}
	}
}

// An object that is replaced after the listing is noticed, also where the store knows no
// conditions; the next listing is a new one at once, and has the new one.
func TestReplaced(t *testing.T) {
	for _, blind := range []bool{false, true} {
		s := storetest.NewS3(t)
		if blind {
			s.Blind()
		}
		s.Put("exp/tfevents", bytes.Repeat([]byte("a"), 1000))
		store := open(t, s, "exp", files.Options{})
		l, err := store.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		before := l.Files[0].Version
		s.Put("exp/tfevents", bytes.Repeat([]byte("b"), 1000))
		s.Requests()
		_, err = readAll(t.Context(), store, "tfevents")
		if asked := s.Requests(); len(asked) != 1 || !strings.Contains(asked[0], ` if "`) {
			t.Errorf("%q", asked)
		}
		var e *source.Error
		if !errors.As(err, &e) || e.Trouble != source.Changed {
			t.Errorf("blind %v: %v", blind, err)
		}
		if w := get(store, "files/tfevents"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "another one than was listed") {
			t.Errorf("blind %v: %d %s", blind, w.Code, w.Body)
		}
		waitFor(t, func() bool {
			l, err := store.List(t.Context(), "")
			return err == nil && l.Files[0].Version != before
		})
		if got, err := readAll(t.Context(), store, "tfevents"); err != nil || !bytes.Equal(got, bytes.Repeat([]byte("b"), 1000)) {
			t.Errorf("blind %v: %.10q, %v", blind, got, err)
		}
	}
}

// Credentials that end are said in words, and those that have come in their place are used
// without a new start, also by a read that is under way.
func TestCredentialsThatEnd(t *testing.T) {
	s := storetest.NewS3(t)
	s.Credentials("key")
	all := put(s, 2)
	s.Allow("key")
	store := open(t, s, "exp", files.Options{})
	if _, err := store.List(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	const path = "run00/events.out.tfevents.1"
	s.Allow("renewed")
	_, err := readAll(t.Context(), store, path)
	var e *source.Error
	if !errors.As(err, &e) || e.Trouble != source.Refused || !strings.Contains(e.Reason, "ExpiredToken") || !strings.Contains(e.Remedy, "aws sso login") {
		t.Fatalf("%v", err)
	}
	if w := get(store, "files/"+path); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "aws sso login") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	store.Look()
	if w := get(store, "listing.json"); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "aws sso login") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.Credentials("renewed")
	if got, err := readAll(t.Context(), store, path); err != nil || !bytes.Equal(got, all[path]) {
		t.Errorf("after renewing: %d bytes, %v", len(got), err)
	}
	// They end in the middle of a body, and are renewed before it is gone on with.
	var once sync.Once
	s.Faults(func(*http.Request) storetest.Fault {
		f := storetest.None
		once.Do(func() {
			f = storetest.Short
			s.Allow("again")
			s.Credentials("again")
		})
		return f
	})
	if got, err := readAll(t.Context(), store, path); err != nil || !bytes.Equal(got, all[path]) {
		t.Errorf("renewed in the middle: %d bytes, %v", len(got), err)
	}
}

// Keys that are no paths are listed under one, and read.
func TestOddKeys(t *testing.T) {
	s := storetest.NewS3(t)
	want := map[string]string{
		"a b/tfevents":      "a b/tfevents",
		"ünï/数据/tfevents é": "ünï/数据/tfevents é",
		"x//y/tfevents":     `x/\x2fy/tfevents`,
		"/lead/tfevents":    `\x2flead/tfevents`,
		"up/../tfevents":    `up/\x2e\x2e/tfevents`,
		"./here/tfevents":   `\x2e/here/tfevents`,
		"p%20q+r/tfevents":  "p%20q+r/tfevents",
		"q?a=b#c/tfevents":  "q?a=b#c/tfevents",
		`__0x2f__/tfevents`: `__0x2f__/tfevents`,
	}
	for key := range want {
		s.Put("odd/"+key, []byte(key))
	}
	s.Put("odd/folder/", nil)
	s.Put("odd/tfevents.folder/", nil)
	store := open(t, s, "odd", files.Options{})
	l, err := store.List(t.Context(), "")
	if err != nil || len(l.Problems) > 0 {
		t.Fatalf("%+v, %v", l, err)
	}
	listed := map[string]bool{}
	for _, f := range l.Files {
		listed[f.Path] = true
		if !api.ValidPath(f.Path) {
			t.Errorf("%q is no path", f.Path)
		}
	}
	for key, path := range want {
		if got, err := readAll(t.Context(), store, path); !listed[path] || err != nil || string(got) != key {
			t.Errorf("%q as %q: listed %v, %q, %v", key, path, listed[path], got, err)
		}
	}
	if len(listed) != len(want) {
		t.Errorf("%v", listed)
	}
	// A folder may be named with spaces, and one event file is a logdir.
	for address, path := range map[string]string{"odd/a b": "tfevents", "odd/a b/tfevents": "tfevents", "odd/ünï/": "数据/tfevents é"} {
		l, err := open(t, s, address, files.Options{}).List(t.Context(), "")
		if err != nil || len(l.Files) != 1 || l.Files[0].Path != path {
			t.Errorf("%q: %+v, %v", address, l, err)
		}
	}
	if l, err := open(t, s, "od", files.Options{}).List(t.Context(), ""); err != nil || len(l.Files) != 0 || len(l.Problems) != 1 {
		t.Errorf("a folder that is not there: %+v, %v", l, err)
	}
}

// Browsers are sent to the store with an address that is signed, in a listing that has the
// store's own versions and no batch.
func TestSigned(t *testing.T) {
	s := storetest.NewS3(t)
	all := put(s, 1)
	s.Put("exp/x//y/tfevents", []byte("odd"))
	store := open(t, s, "exp", files.Options{Links: true})
	origins, err := store.LinkOrigins(t.Context())
	if err != nil || len(origins) != 1 || origins[0] != s.URL {
		t.Fatalf("%v, %v", origins, err)
	}
	l, err := api.Parse(get(store, "listing.json").Body.Bytes())
	if err != nil || l.Batch != "" || len(l.Files) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	s.Requests()
	const path = "run00/events.out.tfevents.1"
	w := get(store, "files/"+path)
	if w.Code != http.StatusTemporaryRedirect || len(s.Requests()) > 0 {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if again := get(store, "files/"+path); again.Header().Get("Location") != w.Header().Get("Location") {
		t.Error("each request gets another address")
	}
	r, err := http.Get(w.Header().Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if err != nil || !bytes.Equal(got, all[path]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if version := strings.Trim(r.Header.Get("ETag"), `"`); version != l.Files[0].Version {
		t.Errorf("the store says %q, the listing %q", version, l.Files[0].Version)
	}
	// What no address can name exactly the server hands out.
	if w := get(store, `files/x/\x2fy/tfevents`); w.Code != http.StatusOK || w.Body.String() != "odd" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"s3://", "s3:///x", "s3://b/x?y=1", "s3://b/x?%zz", "gs://b"} {
		if _, err := Open(t.Context(), address); !errors.As(err, new(*objects.AddressError)) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// get asks a store as a page does.
func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/", nil)
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for !ok() {
		select {
		case <-t.Context().Done():
			t.Fatal("it never came")
		default:
		}
	}
}

func TestStore(t *testing.T) {
	s := storetest.NewS3(t)
	storetest.Check(t, s, func(folder string) files.Origin {
		o, err := Open(t.Context(), s.Address(folder))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}, "aws sso login")
}
