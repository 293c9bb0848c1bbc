package near

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// echo is a Reader whose viewers say again what they hear; "bad" is no message.
type echo struct{ met, left atomic.Int64 }

func (e *echo) Meet() Viewer {
	e.met.Add(1)
	v := &echoing{e: e, frames: make(chan []byte, 1000)}
	v.ctx, v.end = context.WithCancel(context.Background())
	return v
}

type echoing struct {
	e      *echo
	frames chan []byte
	ctx    context.Context
	end    context.CancelFunc
	once   sync.Once
}

func (v *echoing) Hear(b []byte) error {
	if string(b) == "bad" {
		return errors.New("bad")
	}
	v.frames <- bytes.Clone(b)
	return nil
}

func (v *echoing) Next(ctx context.Context) ([][]byte, error) {
	select {
	case b := <-v.frames:
		return [][]byte{b[:len(b)/2], b[len(b)/2:]}, nil
	default:
	}
	select {
	case b := <-v.frames:
		return [][]byte{b[:len(b)/2], b[len(b)/2:]}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, errors.New("over")
	}
}

func (v *echoing) Leave() { v.once.Do(func() { v.e.left.Add(1); v.end() }) }

func begin(t *testing.T) (*echo, *Handler, string) {
	e := &echo{}
	h := New(Config{Reader: e, MaxMessage: 1 << 20, Greet: func(s string) (string, bool) { return "hello", s == "hello" }})
	s := httptest.NewServer(h)
	t.Cleanup(func() { h.Close(); s.Close() })
	return e, h, s.URL
}

func dial(t *testing.T, url, greeting string) (*websocket.Conn, string) {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	c.SetReadLimit(1 << 21)
	if err := c.Write(t.Context(), websocket.MessageText, []byte(greeting)); err != nil {
		t.Fatal(err)
	}
	_, ours, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c, string(ours)
}

// until waits for what others do.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// A client may deflate each message with those before it (RFC 7692, 7.2.1), as Tornado's does whatever
// it is asked for.
func TestLineDeflated(t *testing.T) {
	_, _, url := begin(t)
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n")
	in := bufio.NewReader(c)
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols || !strings.HasPrefix(answer.Header.Get("Sec-WebSocket-Extensions"), "permessage-deflate") {
		t.Fatal(answer, err)
	}
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	say := func(kind byte, text string) (got []byte) {
		t.Helper()
		packed.Reset()
		deflate.Write([]byte(text))
		deflate.Flush()
		data := bytes.TrimSuffix(packed.Bytes(), []byte{0, 0, 0xff, 0xff})
		// final, deflated; masked by zeros
		c.Write(append([]byte{0xc0 | kind, 0x80 | byte(len(data)), 0, 0, 0, 0}, data...))
		for final := false; !final; kind = 0 {
			head := make([]byte, 2)
			if _, err := io.ReadFull(in, head); err != nil || head[0]&0x7f != kind {
				t.Fatalf("answered by %x, %v", head, err)
			}
			part := make([]byte, head[1])
			if _, err := io.ReadFull(in, part); err != nil {
				t.Fatal(err)
			}
			got, final = append(got, part...), head[0] >= 0x80
		}
		return got
	}
	if ours := say(1, "hello"); string(ours) != "hello" {
		t.Errorf("greeted by %q", ours)
	}
	for i := range 5 {
		want := fmt.Sprintf("the same words again and again, %d", i/2)
		if got := say(2, want); string(got) != want {
			t.Errorf("%q came as %q", want, got)
		}
	}
}

// Frames go over a WebSocket, large ones too, in order; who says something else, or is of
// another version, is told to go.
func TestLine(t *testing.T) {
	e, h, url := begin(t)
	c, ours := dial(t, url, "hello")
	if ours != "hello" {
		t.Errorf("greeted by %q", ours)
	}
	for i, n := range []int{0, 1, 100, 70_000, 1 << 20} {
		want := bytes.Repeat([]byte{byte(i)}, n)
		if err := c.Write(t.Context(), websocket.MessageBinary, want); err != nil {
			t.Fatal(err)
		}
		kind, got, err := c.Read(t.Context())
		if err != nil || kind != websocket.MessageBinary || !bytes.Equal(got, want) {
			t.Fatal(kind, len(got), err)
		}
	}
	c.Write(t.Context(), websocket.MessageBinary, []byte("bad"))
	if _, _, err := c.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusInvalidFramePayloadData {
		t.Error(err)
	}
	until(t, "the viewer stays", func() bool { return e.left.Load() == 1 })
	other, ours := dial(t, url, "howdy")
	if _, _, err := other.Read(t.Context()); ours != "hello" || websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Error(ours, err)
	}
	long, _ := dial(t, url, "hello")
	long.Write(t.Context(), websocket.MessageBinary, make([]byte, 1<<20+1))
	if _, _, err := long.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Error(err)
	}
	last, _ := dial(t, url, "hello")
	h.Close()
	if _, _, err := last.Read(t.Context()); err == nil {
		t.Error("it goes on after the end")
	}
	until(t, "viewers stay", func() bool { return e.left.Load() == e.met.Load() && e.met.Load() == 3 })
}

// post sends a request and returns the answer's status and body.
func post(t *testing.T, method, url string, body []byte) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(b)
}

func packed(frames ...string) (b []byte) {
	for _, f := range frames {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), f...)
	}
	return b
}

// Where there are no WebSockets the same goes by requests; one that is sent again because its
// answer was lost counts once, and an answer that was lost is given again.
func TestRequests(t *testing.T) {
	e, _, url := begin(t)
	status, text := post(t, "POST", url, []byte("hello"))
	ours, name, _ := strings.Cut(text, "\n")
	if status != 200 || ours != "hello" || len(name) < 20 {
		t.Fatal(status, text)
	}
	at := func(n int) string { return fmt.Sprintf("%s?s=%s&n=%d", url, name, n) }
	for i, c := range []struct {
		method string
		n      int
		send   []byte
		status int
		want   string
	}{
		{"POST", 0, packed("a", "", "bc"), 204, ""},
		{"POST", 0, packed("a", "", "bc"), 204, ""}, // again
		{"POST", 1, packed("d"), 204, ""},
		{"POST", 3, packed("x"), 409, ""}, // 2 is missing
		{"GET", 0, nil, 200, string(packed("a", "", "bc", "d"))},
		{"GET", 0, nil, 200, string(packed("a", "", "bc", "d"))}, // again
		{"POST", 2, packed("e"), 204, ""},
		{"GET", 1, nil, 200, string(packed("e"))},
		{"GET", 0, nil, 409, ""},
		{"GET", 5, nil, 409, ""},
	} {
		if status, got := post(t, c.method, at(c.n), c.send); status != c.status || c.want != "" && got != c.want {
			t.Errorf("%d: %s %d: %d %q", i, c.method, c.n, status, got)
		}
	}
	for i, body := range [][]byte{packed("bad"), {1}, {9, 0, 0, 0, 1}} {
		_, text := post(t, "POST", url, []byte("hello"))
		_, name, _ := strings.Cut(text, "\n")
		if status, _ := post(t, "POST", url+"?n=0&s="+name, body); status != 400 {
			t.Errorf("%d: %d", i, status)
		}
		if status, _ := post(t, "POST", url+"?n=1&s="+name, packed("a")); status != 410 {
			t.Errorf("%d: it goes on: %d", i, status)
		}
	}
	if status, _ := post(t, "POST", url+"?end=1&s="+name, nil); status != 204 {
		t.Error(status)
	}
	for _, method := range []string{"POST", "GET"} {
		if status, _ := post(t, method, at(3), nil); status != 410 {
			t.Error(method, status)
		}
	}
	if status, text := post(t, "POST", url, []byte("howdy")); status != 409 || text != "hello" {
		t.Error(status, text)
	}
	if status, _ := post(t, "GET", url, nil); status != 426 {
		t.Error(status)
	}
	if e.left.Load() != e.met.Load() || e.met.Load() != 4 {
		t.Errorf("%d viewers, %d left", e.met.Load(), e.left.Load())
	}
}

// An answer waits until there is something, and what is more than an answer's worth stays for
// the next one.
func TestAnswersWait(t *testing.T) {
	_, _, url := begin(t)
	_, text := post(t, "POST", url, []byte("hello"))
	_, name, _ := strings.Cut(text, "\n")
	got := make(chan string)
	go func() {
		_, body := post(t, "GET", url+"?n=0&s="+name, nil)
		got <- body
	}()
	big := strings.Repeat("x", 1<<20-100)
	post(t, "POST", url+"?n=0&s="+name, packed("late"))
	if b := <-got; b != string(packed("late")) {
		t.Errorf("%q", b)
	}
	for i := range 6 {
		post(t, "POST", fmt.Sprintf("%s?n=%d&s=%s", url, i+1, name), packed(big[:len(big)-5]))
	}
	var sizes []int
	for i := 1; len(sizes) < 2; i++ {
		_, b := post(t, "GET", fmt.Sprintf("%s?n=%d&s=%s", url, i, name), nil)
		sizes = append(sizes, len(b)/1e6)
	}
	if !slices.Equal(sizes, []int{5, 1}) {
		t.Errorf("answers of %v MB", sizes)
	}
}
