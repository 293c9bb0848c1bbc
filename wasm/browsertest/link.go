//go:build !js

package browsertest

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Link is a line between browser and server, such as that to a machine behind SSH: a
// port of this machine that hands bytes on to a server late and slowly. All
// connections share it.
type Link struct {
	URL string // the server's address by way of the link

	// Down and Up count the bytes that have been handed on so far, from the server and to
	// it, headers included.
	Down, Up atomic.Int64

	rate     float64 // bytes a second in each direction
	delay    time.Duration
	down, up lane
	listener net.Listener
	target   string

	mu    sync.Mutex
	conns map[net.Conn]bool
	held  chan struct{} // closed when bytes are handed on again; nil: they are
	ended bool
}

// lane is one direction of a link.
type lane struct {
	mu   sync.Mutex
	free time.Time // when what has been let in so far is through
}

// linkPiece is how many bytes go through a link in one piece: few enough for
// connections to share it, enough for a timer's precision.
const linkPiece = 16 << 10

// NewLink begins a link to the server at address of bytesPerSecond in each direction,
// over which a request and its answer take roundTrip. It ends with the test.
func NewLink(t testing.TB, address string, bytesPerSecond float64, roundTrip time.Duration) *Link {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l := &Link{rate: bytesPerSecond, delay: roundTrip / 2, target: u.Host, conns: map[net.Conn]bool{}}
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	u.Host = l.listener.Addr().String()
	l.URL = u.String()
	go l.accept()
	t.Cleanup(func() {
		l.listener.Close()
		l.mu.Lock()
		l.ended = true
		l.mu.Unlock()
		l.Cut()
	})
	return l
}

// Cut breaks every connection that there is; new ones can be made.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
	clear(l.conns)
}

// Hold lets nothing through any more, and breaks nothing, as a line does that is away; release
// has all go on.
func (l *Link) Hold() (release func()) {
	held := make(chan struct{})
	l.mu.Lock()
	l.held = held
	l.mu.Unlock()
	return sync.OnceFunc(func() {
		l.mu.Lock()
		l.held = nil
		l.mu.Unlock()
		close(held)
	})
}

// away waits until the line is there.
func (l *Link) away() {
	l.mu.Lock()
	held := l.held
	l.mu.Unlock()
	if held != nil {
		<-held
	}
}

func (l *Link) accept() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return // the link has ended
		}
		far, err := net.Dial("tcp", l.target)
		if err != nil {
			near.Close()
			continue
		}
		l.mu.Lock()
		if l.ended {
			near.Close()
			far.Close()
		} else {
			l.conns[near], l.conns[far] = true, true
		}
		l.mu.Unlock()
		go l.carry(near, far, &l.down, &l.Down)
		go l.carry(far, near, &l.up, &l.Up)
	}
}

// carry hands on what src sends until it ends, then ends both.
func (l *Link) carry(dst, src net.Conn, way *lane, count *atomic.Int64) {
	type piece struct {
		data []byte
		at   time.Time // of its arrival
	}
	// What is on its way is bounded by the rate, since a piece is let in when it has
	// gone through the bottleneck.
	pieces := make(chan piece, 1<<12)
	go func() {
		defer func() {
			dst.Close()
			src.Close()
			l.mu.Lock()
			delete(l.conns, dst)
			delete(l.conns, src)
			l.mu.Unlock()
		}()
		for p := range pieces {
			time.Sleep(time.Until(p.at))
			l.away()
			n, err := dst.Write(p.data)
			count.Add(int64(n))
			if err != nil {
				src.Close()
				for range pieces { // so that the reader ends
				}
				return
			}
		}
	}()
	defer close(pieces)
	for {
		b := make([]byte, linkPiece)
		n, err := src.Read(b)
		if n > 0 {
			through := way.pass(time.Duration(float64(n) / l.rate * float64(time.Second)))
			time.Sleep(time.Until(through))
			pieces <- piece{b[:n], through.Add(l.delay)}
		}
		if err != nil {
			return // io.EOF, or the connection was cut
		}
	}
}

// pass returns when a piece is through that takes the lane for d.
func (w *lane) pass(d time.Duration) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); w.free.Before(now) {
		w.free = now
	}
	w.free = w.free.Add(d)
	return w.free
}
