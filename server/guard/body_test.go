package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A body that does not come ends its request, whether anybody reads it or not; one
// that has come does not end the answer.
func TestSlowBodies(t *testing.T) {
	ended := make(chan error, 1)
	slow := make(chan struct{})
	h, err := New(Config{BodyTime: 50 * time.Millisecond}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/read":
			_, err := io.ReadAll(r.Body)
			ended <- err
		case "/slow":
			io.Copy(io.Discard, r.Body)
			<-slow
			if r.Context().Err() != nil {
				http.Error(w, "ended", 500)
			}
		}
		w.Write([]byte("answer"))
	}))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	send := func(path, body string) (net.Conn, *bufio.Reader) {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"+body)
		return c, bufio.NewReader(c)
	}
	send("/read", "half")
	if err := <-ended; err == nil {
		t.Error("half a body was read as a whole one")
	}
	// Not read: the answer comes, and then the connection ends, since no request can
	// follow half a body.
	_, r := send("/ignore", "half")
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	if _, err := r.ReadByte(); err == nil {
		t.Error("the connection goes on")
	}
	_, r = send("/slow", "whole body")
	time.AfterFunc(200*time.Millisecond, func() { close(slow) }) // longer than the limit
	if resp, err = http.ReadResponse(r, nil); err != nil || resp.StatusCode != 200 {
		t.Errorf("a long answer to a body that came: %v %v", resp, err)
	}
}
