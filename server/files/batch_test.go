package files

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

func TestBatch(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/tfevents.1", "0123456789")
	put(t, dir, "empty/tfevents", "")
	gone := put(t, dir, "gone/tfevents", "x")
	put(t, dir, "unlisted", "secret")
	long := bytes.Repeat([]byte("0123456789abcdef"), copyBuffer/8) // two buffers
	put(t, dir, "long/tfevents", string(long))
	s := open(t, dir, true)
	paths(t, s)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	got := batch(t, s,
		api.Range{Path: "a/tfevents.1", Offset: 2, Length: 3},
		api.Range{Path: "gone/tfevents", Offset: 0, Length: 3},
		api.Range{Path: "a/tfevents.1", Offset: 8, Length: 100},
		api.Range{Path: "unlisted", Offset: 0, Length: 3},
		api.Range{Path: "a/tfevents.1", Offset: 10, Length: 1},
		api.Range{Path: "a/tfevents.1", Offset: 1 << 62, Length: 1 << 62},
		api.Range{Path: "a/tfevents.1", Offset: 5, Length: 0},
		api.Range{Path: "empty/tfevents", Offset: 0, Length: 1},
		api.Range{Path: "long/tfevents", Offset: 1, Length: 1 << 62},
		api.Range{Path: "a/tfevents.1", Offset: 0, Length: 10},
	)
	head := func(n, size int64) api.BatchHeader { return api.BatchHeader{Count: n, Size: size} }
	want := []part{
		{head(3, 10), "234"}, {head(-1, -1), ""}, {head(2, 10), "89"}, {head(-1, -1), ""}, {head(0, 10), ""},
		{head(0, 10), ""}, {head(0, 10), ""}, {head(0, 0), ""},
		{head(int64(len(long))-1, int64(len(long))), string(long[1:])}, {head(10, 10), "0123456789"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d parts, want %d", len(got), len(want))
	}
	for i := range want {
		if (got[i].Version == 0) != (got[i].Count < 0) {
			t.Errorf("part %d: version %d", i, got[i].Version)
		}
		got[i].Version = 0
		if got[i] != want[i] {
			t.Errorf("part %d: %+v %.20q, want %+v %.20q", i, got[i].BatchHeader, got[i].data, want[i].BatchHeader, want[i].data)
		}
	}
	if got := batch(t, s); len(got) != 0 {
		t.Errorf("empty batch: %+v", got)
	}
}

func TestBatchRefused(t *testing.T) {
	s := open(t, t.TempDir(), true)
	send := func(body string, headers ...string) *httptest.ResponseRecorder {
		t.Helper()
		return ask(t, s, "POST", "batch", body, headers...)
	}
	const good = `{"ranges":[]}`
	failure(t, send(good), 415)
	failure(t, send(good, "Content-Type", "text/plain"), 415)
	failure(t, send(good, "Content-Type", "application/x-www-form-urlencoded"), 415)
	if w := send(good, "Content-Type", "application/json; charset=utf-8"); w.Code != 200 {
		t.Errorf("with a charset: %d", w.Code)
	}
	for _, bad := range []string{"", "x", "[]", `{"ranges":[{"path":"a","offset":-1}]}`,
		string(api.AppendBatchRequest(nil, make([]api.Range, api.MaxBatchRanges+1)))} {
		w := send(bad, "Content-Type", "application/json")
		failure(t, w, 400)
		if text := w.Body.String(); strings.Contains(text, "listing") || !strings.Contains(text, "batch") {
			t.Errorf("%.40q is answered with %s", bad, text)
		}
	}
	failure(t, send(`{"x":"`+strings.Repeat(" ", api.MaxBatchRequest)+`"}`, "Content-Type", "application/json"), 413)
}

func TestBatchCompressed(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("0123456789abcdef", 20_000) // several blocks
	put(t, dir, "tfevents", text)
	s := open(t, dir, true)
	body := string(api.AppendBatchRequest(nil, []api.Range{{Path: "tfevents", Length: 1 << 20}, {Path: "tfevents", Offset: 5, Length: 3}}))
	for _, c := range []struct{ query, accept, want string }{
		{"?z=1", "gzip, deflate", "gzip"}, {"?z=1", "gzip, deflate, br, zstd", "br"}, {"?z=1", "br;q=0, gzip", "gzip"}, {"?z=1", "br", "br"},
		{"?z=1", "zstd", ""}, {"?z=1", "", ""}, {"", "gzip, br", ""}, {"?z=0", "gzip, br", ""},
	} {
		for range 2 { // the second with what the first has left
			r := httptest.NewRequest("POST", "/batch"+c.query, strings.NewReader(body))
			r.URL.Path = "batch"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Encoding", c.accept)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			sent := w.Body.Len()
			var from io.Reader = w.Body
			switch got := w.Header().Get("Content-Encoding"); {
			case got != c.want:
				t.Errorf("%+v: %v", c, w.Header())
				continue
			case got == "gzip":
				z, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				from = z
			case got == "br":
				from = brotli.NewReader(w.Body)
			}
			data, err := io.ReadAll(from)
			if err != nil {
				t.Fatal(err)
			}
			if parts := cutParts(t, data); len(parts) != 2 || parts[0].data != text || parts[1].data != "567" {
				t.Errorf("%+v: %d parts", c, len(parts))
			}
			if c.want != "" && sent > len(text)/10 {
				t.Errorf("%+v: %d bytes were sent", c, sent)
			}
		}
	}
}

// A file that shrinks while it is sent breaks the answer off: the client can not
// take what follows for its bytes.
func TestBatchOfShrinkingFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "tfevents.1", "whole")
	shrinks := put(t, dir, "tfevents.shrinks", "")
	if err := os.Truncate(shrinks, 64<<20); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, true)
	paths(t, s)
	w := &cutter{ResponseRecorder: httptest.NewRecorder(), at: 1 << 20, cut: func() { os.Truncate(shrinks, 0) }}
	r := httptest.NewRequest("POST", "/batch", bytes.NewReader(api.AppendBatchRequest(nil, []api.Range{
		{Path: "tfevents.1", Length: 5}, {Path: "tfevents.shrinks", Length: 64 << 20}})))
	r.URL.Path = "batch"
	r.Header.Set("Content-Type", "application/json")
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("ended with %v", err)
		}
		if h, rest, ok := api.CutBatchHeader(w.Body.Bytes()); !ok || h.Count != 5 || string(rest[:5]) != "whole" {
			t.Errorf("the first part is not whole: %+v", h)
		}
	}()
	s.ServeHTTP(w, r)
}

// cutter calls cut once more than at bytes have been written.
type cutter struct {
	*httptest.ResponseRecorder
	at  int
	cut func()
}

func (c *cutter) Write(b []byte) (int, error) {
	n, err := c.ResponseRecorder.Write(b)
	if c.Body.Len() > c.at {
		c.cut()
	}
	return n, err
}

// stripSlash cuts the leading slash, as the router does.
type stripSlash struct{ next http.Handler }

func (s stripSlash) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = strings.TrimPrefix(r.URL.Path, "/")
	s.next.ServeHTTP(w, r)
}

// rawGet asks for a path exactly as written and returns the status.
func rawGet(t *testing.T, addr, path string) int {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// Reading many small files, and one big one, by batch; MB/s of payload.
func BenchmarkBatch(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		put(b, dir, fmt.Sprintf("small/r%d/tfevents", i), strings.Repeat("x", 10_000))
	}
	big := put(b, dir, "big/tfevents", "")
	if err := os.Truncate(big, 256<<20); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(stripSlash{open(b, dir, true)})
	defer server.Close()
	var small []api.Range
	for i := range 1000 {
		small = append(small, api.Range{Path: fmt.Sprintf("small/r%d/tfevents", i), Length: 1 << 30})
	}
	for name, ranges := range map[string][]api.Range{"small": small, "big": {{Path: filepath.Join("big", "tfevents"), Length: 1 << 30}}} {
		b.Run(name, func(b *testing.B) {
			body := api.AppendBatchRequest(nil, ranges)
			for b.Loop() {
				answer, err := http.Post(server.URL+"/batch", "application/json", bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				n, err := io.Copy(io.Discard, answer.Body)
				if err != nil {
					b.Fatal(err)
				}
				answer.Body.Close()
				b.SetBytes(n)
			}
		})
	}
}

// staller takes nothing until it is let go.
type staller struct {
	*httptest.ResponseRecorder
	stalled chan<- bool // whether the answer is compressed
	let     <-chan bool
	once    sync.Once
}

func (s *staller) Write(b []byte) (int, error) {
	s.once.Do(func() { s.stalled <- s.Header().Get("Content-Encoding") != "" })
	<-s.let
	return s.ResponseRecorder.Write(b)
}

// Readers that take their answers slowly share a number of compressors; the others'
// answers are whole, too.
func TestSlowReadersShareCompressors(t *testing.T) {
	dir := t.TempDir()
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = byte(i * i >> 7)
	}
	put(t, dir, "tfevents", string(text))
	s := open(t, dir, true)
	paths(t, s)
	const readers = maxPackers + 8
	stalled, let, done := make(chan bool), make(chan bool), make(chan *httptest.ResponseRecorder)
	body := api.AppendBatchRequest(nil, []api.Range{{Path: "tfevents", Length: 1 << 20}})
	for range readers {
		go func() {
			r := httptest.NewRequest("POST", "/batch?z=1", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Encoding", "gzip")
			w := &staller{ResponseRecorder: httptest.NewRecorder(), stalled: stalled, let: let}
			s.batch(w, r)
			done <- w.ResponseRecorder
		}()
	}
	packed := 0
	for range readers {
		if <-stalled {
			packed++
		}
	}
	if packed != maxPackers {
		t.Errorf("%d answers are compressed at a time", packed)
	}
	close(let)
	for range readers {
		w := <-done
		in := io.Reader(w.Body)
		if w.Header().Get("Content-Encoding") != "" {
			z, err := gzip.NewReader(in)
			if err != nil {
				t.Fatal(err)
			}
			in = z
		}
		got, err := io.ReadAll(in)
		if err != nil || !bytes.HasSuffix(got, text) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	if n := len(packersFree); n != 0 {
		t.Errorf("%d compressors are still in use", n)
	}
}

// writing counts the answers that wait for their readers.
type writing struct {
	http.ResponseWriter
	waiting *atomic.Int64
}

func (w writing) Write(b []byte) (int, error) {
	w.waiting.Add(1)
	defer w.waiting.Add(-1)
	return w.ResponseWriter.Write(b)
}

// What 200 readers that ask for compressed answers and take nothing hold of the server's
// memory, really, over connections: it is bounded by the compressors that they share and
// a piece of each answer, however much they have asked for.
func TestStalledReadersMemory(t *testing.T) {
	const readers, size = 200, 64 << 20
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "tfevents"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{}) // nothing of it can be packed, so it fills the line
	if _, err = io.CopyN(f, random, size); err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, true)
	paths(t, s)
	var waiting atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.batch(writing{w, &waiting}, r)
	}))
	defer server.Close()
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools hold is given up at the second one
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before := used()
	body := api.AppendBatchRequest(nil, []api.Range{{Path: "tfevents", Length: size}})
	for range readers {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /batch?z=1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Accept-Encoding: br, gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	// All wait in one write at the same time, and go on waiting.
	for calm, end := 0, time.Now().Add(3*time.Minute); calm < 20; time.Sleep(20 * time.Millisecond) {
		if waiting.Load() == readers {
			calm++
		} else {
			calm = 0
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d wait", waiting.Load(), readers)
		}
	}
	if n := len(packersFree); n != maxPackers {
		t.Errorf("%d answers are compressed", n)
	}
	held := int64(used()) - int64(before)
	t.Logf("%d readers hold %.1f MB", readers, float64(held)/1e6)
	// A compressor, and for each reader the piece that is written, and the server's buffers.
	if most := int64(maxPackers*(3<<20) + readers*(copyBuffer+64<<10)); held > most {
		t.Errorf("%d readers hold %d bytes, of at most %d", readers, held, most)
	}
}
