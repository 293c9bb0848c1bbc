package files

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

func TestListingETag(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "a/tfevents.1", "abc")
	s := open(t, dir, true)
	seen := map[string]string{}
	// get asks with the last ETag, and says whether the listing is new.
	last := ""
	get := func(what string, wantNew bool) {
		t.Helper()
		w := ask(t, s, "GET", "listing.json", "", "If-None-Match", last)
		if got := w.Code == 200; got != wantNew || !wantNew && (w.Code != 304 || w.Body.Len() > 0) {
			t.Errorf("%s: status %d", what, w.Code)
		}
		tag := w.Header().Get("ETag")
		if old, ok := seen[tag]; ok && wantNew || strings.HasPrefix(tag, "W/") || len(tag) < 10 {
			t.Errorf("%s: ETag %s, as %s", what, tag, old)
		}
		if wantNew {
			l, err := api.Parse(w.Body.Bytes())
			if err != nil || `"`+l.ETag+`"` != tag || l.Base != "files/" || l.Batch != "batch" || l.Logdir != "logs" {
				t.Errorf("%s: %+v %v", what, l, err)
			}
		}
		last, seen[tag] = tag, what
	}
	get("first", true)
	get("same", false)
	put(t, dir, "a/tfevents.1", "abcd")
	get("grown", true)
	if err := os.Chtimes(file, time.Time{}, time.Unix(1e9, 5e6)); err != nil {
		t.Fatal(err)
	}
	get("touched", true)
	put(t, dir, "b/tfevents.1", "")
	get("new run", true)
	get("same again", false)
	put(t, dir, "b/notes.txt", "not listed")
	get("unlisted file", false)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	get("deleted", true)
	for _, header := range []string{"*", `"x", ` + last, "W/" + last, strings.TrimSuffix(last, `"`) + `-gz"`} {
		if w := ask(t, s, "GET", "listing.json", "", "If-None-Match", header); w.Code != 304 {
			t.Errorf("If-None-Match %s: %d", header, w.Code)
		}
	}
}

func TestListingCompressed(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		put(t, dir, fmt.Sprintf("run%d/tfevents.1", i), "")
	}
	s := open(t, dir, true)
	plain := ask(t, s, "GET", "listing.json", "")
	w := ask(t, s, "GET", "listing.json", "", "Accept-Encoding", "br, gzip;q=0.5")
	z, err := gzip.NewReader(w.Body)
	if err != nil || w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("%v %v", w.Header(), err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, plain.Body.Bytes()) {
		t.Errorf("%v\n%s", err, got)
	}
	if w.Header().Get("ETag") == plain.Header().Get("ETag") {
		t.Error("two codings have one strong ETag")
	}
	for _, header := range []string{"", "br", "gzip;q=0", "identity"} {
		if w := ask(t, s, "GET", "listing.json", "", "Accept-Encoding", header); w.Header().Get("Content-Encoding") != "" {
			t.Errorf("Accept-Encoding %q gave %v", header, w.Header())
		}
	}
}

// Listings that are asked for together or shortly after one another cost one walk.
func TestListingShared(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "tfevents.1", "")
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(dir, "logs", true)
		if err != nil {
			t.Fatal(err)
		}
		now := s.roots[0].now.Load()
		count := &counting{tree: now.tree}
		now.tree = count
		for range 10 {
			go ask(t, s, "GET", "listing.json", "")
		}
		synctest.Wait()
		ask(t, s, "GET", "listing.json", "")
		if count.opened != 1 {
			t.Errorf("%d walks at once", count.opened)
		}
		time.Sleep(MinAge)
		ask(t, s, "GET", "listing.json", "")
		if count.opened != 2 {
			t.Errorf("%d walks after %v", count.opened, MinAge)
		}
	})
}

type counting struct {
	tree
	opened int
}

func (c *counting) open(p string) (*os.File, error) {
	c.opened++
	return c.tree.open(p)
}

func TestFileHeaders(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "r/tfevents.html", "<script>alert(1)</script>")
	w := ask(t, open(t, dir, true), "GET", "files/r/tfevents.html", "")
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "Content-Disposition": "attachment", "Accept-Ranges": "bytes",
		"Cache-Control": "no-store", "Content-Length": "25", "Last-Modified": "",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Everything that is not exactly a listed path is not found, and a refusal never
// says more than the request did.
func TestTraversal(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "logs")
	put(t, top, "secret", "secret")
	put(t, top, "tfevents.outside", "secret")
	put(t, dir, "a/tfevents.1", "good")
	put(t, dir, "a/unlisted.txt", "secret")
	for _, follow := range []bool{true, false} {
		s := open(t, dir, follow)
		if w := ask(t, s, "GET", "files/a/tfevents.1", ""); w.Code != 200 || w.Body.String() != "good" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		for _, p := range []string{
			"", ".", "..", "/", "a", "a/", "a/.", "../secret", "../tfevents.outside", "a/../../tfevents.outside", "a/../a/tfevents.1",
			"./a/tfevents.1", "a//tfevents.1", "/a/tfevents.1", "//a/tfevents.1", "a/tfevents.1/", "a/tfevents.1/..", "a/unlisted.txt",
			dir + "/a/tfevents.1", "/etc/passwd", "etc/passwd", `a\tfevents.1`, `..\secret`, "C:/secret", "C:secret", "a/tfevents.1\x00",
			"a/tfevents.1\x00.png", "%2e%2e/secret", "..%2fsecret", "a/%74fevents.1", "A/tfevents.1", "a/tfevents.1 ", "a/tfevents.1.", "file:///etc/passwd",
		} {
			w := ask(t, s, "GET", "files/"+p, "")
			failure(t, w, 404)
			if bytes.Contains(w.Body.Bytes(), []byte("secret\n")) || w.Body.String() == "secret" {
				t.Errorf("%q gave %s", p, w.Body)
			}
			if got := batch(t, s, api.Range{Path: p, Length: 100}); len(got) != 1 || got[0].Count != -1 {
				t.Errorf("batch %q gave %+v", p, got)
			}
		}
	}
}

// The same over a real connection, where the client's and the router's own
// cleaning of paths come in.
func TestTraversalByURL(t *testing.T) {
	top := t.TempDir()
	put(t, top, "tfevents.outside", "secret")
	put(t, top, "logs/tfevents.1", "good")
	s := httptest.NewServer(stripSlash{open(t, filepath.Join(top, "logs"), true)})
	defer s.Close()
	for path, want := range map[string]int{
		"/files/tfevents.1": 200, "/files/%74fevents.1": 200, "/files/../tfevents.outside": 404, "/files/%2e%2e/tfevents.outside": 404,
		"/files/..%2ftfevents.outside": 404, "/files/%2e%2e%2ftfevents.outside": 404, "/files/..%5ctfevents.outside": 404,
		"/files/%00": 404, "/files//tfevents.1": 404, "/files/%2ftfevents.1": 404,
	} {
		if got := rawGet(t, s.Listener.Addr().String(), path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

func TestRangeOfGrowingFile(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "tfevents.1", "0123456789")
	s := open(t, dir, true)
	get := func(header string, status int, body string) string {
		t.Helper()
		w := ask(t, s, "GET", "files/tfevents.1", "", "Range", header)
		if w.Code != status || status == 206 && w.Body.String() != body {
			t.Errorf("%s: %d %q, want %d %q", header, w.Code, w.Body, status, body)
		}
		return w.Header().Get("Content-Range")
	}
	get("bytes=0-3", 206, "0123")
	get("bytes=8-", 206, "89")
	get("bytes=8-99", 206, "89")
	if got := get("bytes=10-", 416, ""); got != "bytes */10" {
		t.Errorf("at the end: Content-Range %s", got)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before := ask(t, s, "HEAD", "files/tfevents.1", "").Header()
	if _, err := f.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	// No new listing is needed.
	if got := get("bytes=10-", 206, "abc"); got != "bytes 10-12/13" {
		t.Errorf("grown: Content-Range %s", got)
	}
	after := ask(t, s, "HEAD", "files/tfevents.1", "").Header()
	if before.Get("ETag") == after.Get("ETag") || after.Get("Content-Length") != "13" {
		t.Errorf("before %v, after %v", before, after)
	}
	// If-Range with the old tag: the whole file, not a part of another one.
	if w := ask(t, s, "GET", "files/tfevents.1", "", "Range", "bytes=0-1", "If-Range", before.Get("ETag")); w.Code != 200 || w.Body.Len() != 13 {
		t.Errorf("If-Range: %d %q", w.Code, w.Body)
	}
	if err := os.Truncate(file, 2); err != nil {
		t.Fatal(err)
	}
	if got := get("bytes=10-", 416, ""); got != "bytes */2" {
		t.Errorf("shrunk: Content-Range %s", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	failure(t, ask(t, s, "GET", "files/tfevents.1", "", "Range", "bytes=0-"), 404)
}
