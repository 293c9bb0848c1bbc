// Package near is the way to a reader beside the files: frames of bytes, over a WebSocket, or
// over plain requests where something on the way forbids that. What the frames say is the
// reader's (see Reader); nothing of them is understood here.
//
// Below the data's prefix, with the URL that the listing names:
//
//	GET  near               a WebSocket. The first message of each side is a greeting, a text;
//	                        all others are frames, binary
//	POST near               a greeting, answered by ours and, behind a line's end, the name of
//	                        a session; then:
//	POST near?s=…&n=…       frames of the page, number n of its requests, from 0: one that is
//	                        sent twice counts once
//	GET  near?s=…&n=…       the frames that wait, after those of answer n-1, which have come;
//	                        204 when there were none for a while
//	POST near?s=…&end=1     the page has gone
//
// In requests and answers each frame stands behind its length, four bytes, little-endian.
// The guard and the token stand before all of it: see package server.
package near

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/tensorbored/tensorbored-static/server/answer"
)

// Reader reads the logdir for viewers.
type Reader interface {
	Meet() Viewer
}

// Viewer is one page that looks. Its methods may be called by several goroutines.
type Viewer interface {
	// Hear takes a frame of the page; an error says that it is none, and ends the viewer.
	Hear(frame []byte) error
	// Next waits for a frame for the page. It comes in pieces, which belong to the reader.
	Next(ctx context.Context) ([][]byte, error)
	// Leave ends it.
	Leave()
}

// Config says who reads.
type Config struct {
	Reader Reader
	// Greet judges a page's greeting: ours, which is sent in any case, and whether the page can
	// be served.
	Greet func(theirs string) (ours string, ok bool)
	// MaxMessage bounds the bytes of a frame of a page.
	MaxMessage int64
}

const (
	// alive is the time between two pings: what stands between often ends a line on which a
	// minute long nothing has come.
	alive = 20 * time.Second
	// sendTime is how long a frame may take to be sent. A line of 1 Mbit/s brings 8 MB in a
	// minute.
	sendTime = 2 * time.Minute
	// greetTime is how long a greeting may take to come.
	greetTime = 30 * time.Second
	// holdTime is how long a request waits for frames.
	holdTime = 20 * time.Second
	// sessionTime is how long a session lives without a request.
	sessionTime = 2 * time.Minute
	// maxSessions bounds how many there are.
	maxSessions = 1000
	// maxAnswer is about how many bytes of frames an answer has.
	maxAnswer = 4 << 20
)

// Handler serves the line.
type Handler struct {
	c        Config
	mu       sync.Mutex
	sessions map[string]*session
	lines    map[*websocket.Conn]bool
	closed   bool
}

// New returns the handler.
func New(c Config) *Handler {
	return &Handler{c: c, sessions: map[string]*session{}, lines: map[*websocket.Conn]bool{}}
}

// Close ends all lines and sessions: http.Server's Shutdown knows nothing of lines.
func (h *Handler) Close() {
	h.mu.Lock()
	h.closed = true
	lines, sessions := h.lines, h.sessions
	h.lines, h.sessions = map[*websocket.Conn]bool{}, map[string]*session{}
	h.mu.Unlock()
	for c := range lines {
		c.CloseNow()
	}
	for _, s := range sessions {
		s.end()
	}
}

// ServeHTTP answers at the one address.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch {
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		h.line(w, r)
	case r.Method == http.MethodPost && !q.Has("s"):
		h.begin(w, r)
	case r.Method == http.MethodPost || r.Method == http.MethodGet && q.Has("s"):
		h.mu.Lock()
		s := h.sessions[q.Get("s")]
		h.mu.Unlock()
		if s == nil {
			answer.Fail(w, http.StatusGone, "there is no such session", "begin another one")
			return
		}
		h.request(w, r, s)
	default:
		answer.Fail(w, http.StatusUpgradeRequired, "this address is for the page's own questions", "open the page")
	}
}

// line serves a page over a WebSocket.
func (h *Handler) line(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // the guard has looked at Host and Origin
		// What pages send is compressed where they like, each message with those before it: proxies of
		// Tornado, such as Jupyter's, do it so even where they are asked not to. What they are sent is
		// compressed already as far as that is worth the while: see shared/near.
		CompressionMode:      websocket.CompressionContextTakeover,
		CompressionThreshold: math.MaxInt,
	})
	if err != nil {
		return // it has been answered
	}
	defer c.CloseNow()
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.lines[c] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.lines, c)
		h.mu.Unlock()
	}()
	ctx, end := context.WithCancel(r.Context())
	defer end()
	greet, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	kind, text, err := c.Read(greet)
	if err != nil || kind != websocket.MessageText {
		c.Close(websocket.StatusProtocolError, "a greeting comes first")
		return
	}
	ours, ok := h.c.Greet(string(text))
	if err := c.Write(greet, websocket.MessageText, []byte(ours)); err != nil {
		return
	}
	if !ok {
		c.Close(websocket.StatusPolicyViolation, "another version")
		return
	}
	c.SetReadLimit(h.c.MaxMessage)
	v := h.c.Reader.Meet()
	defer v.Leave()
	go func() {
		defer end()
		for {
			_, frame, err := c.Read(ctx)
			if err != nil {
				return
			}
			if v.Hear(frame) != nil {
				c.Close(websocket.StatusInvalidFramePayloadData, "not a message")
				return
			}
		}
	}()
	go func() {
		defer end()
		for tick := time.NewTicker(alive); ; {
			select {
			case <-tick.C:
			case <-ctx.Done():
				tick.Stop()
				return
			}
			ping, cancel := context.WithTimeout(ctx, sendTime)
			err := c.Ping(ping)
			cancel()
			if err != nil {
				return
			}
		}
	}()
	for {
		frame, err := v.Next(ctx)
		if err != nil {
			return
		}
		send, cancel := context.WithTimeout(ctx, sendTime)
		err = write(send, c, frame)
		cancel()
		if err != nil {
			return
		}
	}
}

// write sends a frame as one message.
func write(ctx context.Context, c *websocket.Conn, frame [][]byte) error {
	w, err := c.Writer(ctx, websocket.MessageBinary)
	for _, piece := range frame {
		if err == nil {
			_, err = w.Write(piece)
		}
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// appendFrame appends the pieces of a frame.
func appendFrame(b []byte, frame [][]byte) []byte {
	for _, piece := range frame {
		b = append(b, piece...)
	}
	return b
}

// session is a page that is served by requests.
type session struct {
	h    *Handler
	name string
	v    Viewer
	ctx  context.Context
	end  context.CancelFunc // it has gone
	dies *time.Timer

	hearing sync.Mutex
	heard   int // requests with frames that have counted

	telling sync.Mutex
	told    int    // answers that have been made
	last    []byte // the last one, until the next is asked for
}

// begin begins a session.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
	if err != nil {
		answer.Fail(w, http.StatusBadRequest, "this is no greeting", "")
		return
	}
	ours, ok := h.c.Greet(string(text))
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !ok {
		w.WriteHeader(http.StatusConflict)
		io.WriteString(w, ours)
		return
	}
	s := &session{h: h, name: rand.Text()}
	h.mu.Lock()
	if h.closed || len(h.sessions) >= maxSessions {
		h.mu.Unlock()
		answer.Fail(w, http.StatusServiceUnavailable, "too many pages are served already", "close some of them")
		return
	}
	s.v = h.c.Reader.Meet()
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithCancel(context.Background())
	s.end = sync.OnceFunc(func() {
		cancel()
		s.dies.Stop()
		s.v.Leave()
		h.mu.Lock()
		delete(h.sessions, s.name)
		h.mu.Unlock()
	})
	s.dies = time.AfterFunc(sessionTime, func() { s.end() })
	h.sessions[s.name] = s
	h.mu.Unlock()
	io.WriteString(w, ours+"\n"+s.name)
}

// request is one of a session's.
func (h *Handler) request(w http.ResponseWriter, r *http.Request, s *session) {
	s.dies.Reset(sessionTime)
	defer s.dies.Reset(sessionTime)
	q := r.URL.Query()
	if r.Method == http.MethodPost && q.Has("end") {
		s.end()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	n, err := strconv.Atoi(q.Get("n"))
	if err != nil || n < 0 {
		answer.Fail(w, http.StatusBadRequest, "the request has no number", "")
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodPost {
		s.hear(w, r, n)
		return
	}
	s.tell(w, r, n)
}

// hear takes frames.
func (s *session) hear(w http.ResponseWriter, r *http.Request, n int) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.h.c.MaxMessage))
	switch {
	case err != nil:
		answer.Fail(w, http.StatusBadRequest, "the request did not come whole", "")
		return
	case n > s.heard:
		answer.Fail(w, http.StatusConflict, "a request is missing before this one", "")
		return
	case n == s.heard:
		s.heard++
		for len(body) > 0 {
			size := uint32(0)
			if len(body) >= 4 {
				size = binary.LittleEndian.Uint32(body)
			}
			if len(body) < 4 || uint64(size) > uint64(len(body)-4) || s.v.Hear(body[4:4+size]) != nil {
				s.end()
				answer.Fail(w, http.StatusBadRequest, "this is no message", "")
				return
			}
			body = body[4+size:]
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// tell gives the frames that wait.
func (s *session) tell(w http.ResponseWriter, r *http.Request, n int) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if n != s.told-1 || s.last == nil { // it did not come: the same again
		if n != s.told {
			answer.Fail(w, http.StatusConflict, "this answer is not kept any more", "")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), holdTime)
		defer cancel()
		stop := context.AfterFunc(s.ctx, cancel)
		defer stop()
		frame, err := s.v.Next(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if err != nil {
			answer.Fail(w, http.StatusGone, "the session has ended", "begin another one")
			return
		}
		s.told++
		s.last = nil
		now, cancel := context.WithCancel(context.Background())
		cancel()
		for err == nil {
			at := len(s.last)
			s.last = appendFrame(append(s.last, 0, 0, 0, 0), frame)
			binary.LittleEndian.PutUint32(s.last[at:], uint32(len(s.last)-at-4))
			if len(s.last) >= maxAnswer {
				break
			}
			frame, err = s.v.Next(now) // what waits already
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(s.last)))
	w.Write(s.last)
}
