//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// bidi is a client of WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/): JSON
// commands over a WebSocket, each answered under its id, and events between them.
type bidi struct {
	conn  net.Conn
	event func(method string, params json.RawMessage)

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	err     error // why the connection ended
}

// message is an answer or an event.
type message struct {
	Type    string          `json:"type"` // "success", "error", "event"
	ID      int             `json:"id"`
	Method  string          `json:"method"` // of an event
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

// CommandError is a browser's refusal of a BiDi command.
type CommandError struct{ Method, Code, Message string }

// Error names the command and the browser's words.
func (e *CommandError) Error() string { return e.Method + ": " + e.Code + ": " + e.Message }

// dialBidi connects to url. event is called for each event, in order; it must not
// send a command.
func dialBidi(ctx context.Context, url string, event func(string, json.RawMessage)) (*bidi, error) {
	conn, buffered, _, err := ws.Dial(ctx, url)
	if err != nil {
		return nil, err
	}
	if buffered != nil { // no event comes before a session exists
		ws.PutReader(buffered)
	}
	b := &bidi{conn: conn, event: event, waiting: map[int]chan message{}}
	go b.read()
	return b, nil
}

func (b *bidi) read() {
	for {
		data, err := wsutil.ReadServerText(b.conn)
		var m message
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			b.mu.Lock()
			b.err = fmt.Errorf("the connection to the browser ended: %w", err)
			for id, c := range b.waiting {
				delete(b.waiting, id)
				close(c)
			}
			b.mu.Unlock()
			return
		}
		if m.Type == "event" {
			b.event(m.Method, m.Params)
			continue
		}
		b.mu.Lock()
		c := b.waiting[m.ID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		if c != nil {
			c <- m
		}
	}
}

// call sends a command and stores its result in out, which may be nil.
func (b *bidi) call(ctx context.Context, method string, params any, out any) error {
	c := make(chan message, 1)
	b.mu.Lock()
	if b.err != nil {
		b.mu.Unlock()
		return b.err
	}
	b.last++
	id := b.last
	b.waiting[id] = c
	data, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err == nil {
		err = wsutil.WriteClientText(b.conn, data)
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case m, ok := <-c:
		switch {
		case !ok:
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.err
		case m.Type == "error":
			return &CommandError{method, m.Error, m.Message}
		case out == nil:
			return nil
		}
		return json.Unmarshal(m.Result, out)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (b *bidi) close() error { return b.conn.Close() }
