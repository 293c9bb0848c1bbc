//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// until waits for a condition; what it waits for must come.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			b := make([]byte, 1<<20)
			t.Fatalf("%s did not come\n%s", what, b[:runtime.Stack(b, true)])
		}
	}
}

// descriptors is how many files and connections the program has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// A thousand ranges at once are answered right, with clients beside them that read
// slowly, not at all, or go away in the middle; afterwards no goroutine and no
// descriptor is left, and none after the end of the server in the middle of it all.
func TestNothingLeaks(t *testing.T) {
	dir := t.TempDir()
	const size = 8 << 20
	want := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range want {
		want[i] = byte(rng.Uint32())
	}
	if err := os.WriteFile(filepath.Join(dir, "tfevents.1"), want, 0o666); err != nil {
		t.Fatal(err)
	}
	// The collector closes files that nobody has closed, and would hide them.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, w := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		code := serve(ctx, serveFlags{logdirs: []string{dir}, port: anyPort}, w, &stderr)
		w.Close()
		ended <- code
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	base := strings.TrimSpace(line)
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxConnsPerHost: 200, MaxIdleConnsPerHost: 200}
	client := &http.Client{Transport: transport}
	if answer, err := client.Get(base + "data/listing.json"); err != nil {
		t.Fatal(err)
	} else {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	// Clients that ask for all of it and stop reading, and some that go away then.
	stuck := func(n int) (all []net.Conn) {
		for range n {
			c, err := net.Dial("tcp", u.Host)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "GET /data/files/tfevents.1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		return all
	}
	away, slow := stuck(20), stuck(20)
	var wait sync.WaitGroup
	for i := range 1000 {
		from := rng.Int64N(size)
		to := min(size-1, from+rng.Int64N(30_000))
		wait.Go(func() {
			var req *http.Request
			part := want[from : to+1]
			if i%4 == 0 {
				body := api.AppendBatchRequest(nil, []api.Range{{Path: "tfevents.1", Offset: from, Length: to + 1 - from}})
				req, _ = http.NewRequest("POST", base+"data/batch", bytes.NewReader(body))
				req.Header.Set("Content-Type", "application/json")
			} else {
				req, _ = http.NewRequest("GET", base+"data/files/tfevents.1", nil)
				req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to))
			}
			answer, err := client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			got, err := io.ReadAll(answer.Body)
			if i%4 == 0 && len(got) >= api.BatchHeaderSize {
				got = got[api.BatchHeaderSize:]
			}
			if err != nil || !bytes.Equal(got, part) {
				t.Errorf("range %d-%d: %d, %d bytes, %v", from, to, answer.StatusCode, len(got), err)
			}
		})
	}
	wait.Wait()
	for _, c := range append(away, slow[10:]...) {
		c.Close()
	}
	transport.CloseIdleConnections()
	// What is left is what serves: its own goroutines, and those of ten slow clients.
	until(t, "the end of what served the others", func() bool { return descriptors(t) <= open+2*10+10+5 })
	// Now everything ends while those ten, and another, are being sent the file.
	slow = append(slow[:10], stuck(1)...)
	cancel()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("ended with %d, %s", code, stderr.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	for _, c := range slow {
		c.Close()
	}
	until(t, "the number of descriptors", func() bool { return descriptors(t) <= open })
	until(t, "the number of goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// The access log is written on request only, and without the token.
func TestAccessLog(t *testing.T) {
	for _, log := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		r, w := io.Pipe()
		var stderr bytes.Buffer
		ended := make(chan int, 1)
		go func() {
			ended <- serve(ctx, serveFlags{logdirs: []string{logs(t)}, port: anyPort, token: "secret", log: log}, w, &stderr)
			w.Close()
		}()
		link, err := bufio.NewReader(r).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		get(t, strings.TrimSpace(link))
		cancel()
		<-ended
		if got := stderr.String(); strings.Contains(got, `GET "/"`) != log || strings.Contains(got, "secret") || !log && got != "" {
			t.Errorf("log %v: %q", log, got)
		}
	}
}
