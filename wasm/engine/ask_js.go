package engine

import (
	"encoding/json"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Chunk is one worker's part of an answer.
type Chunk struct {
	JSON   js.Value // string: a list of parts, whose form is the kind's; undefined: none
	Buffer js.Value // ArrayBuffer that the parts describe
}

// Reply is an answer to a query. Parts stand in no order.
type Reply struct {
	Chunks []Chunk
	More   bool   // a better one follows
	Err    string // why there is none: it was asked wrongly, or the program has a fault
}

// Parts reads the parts of a chunk.
func Parts[T any](c Chunk) []T {
	var parts []T
	if c.JSON.Type() != js.TypeString {
		return nil
	}
	if err := json.Unmarshal([]byte(c.JSON.String()), &parts); err != nil {
		panic("engine: internal error: " + err.Error()) // both sides are this one program
	}
	return parts
}

// Ask asks the workers; see engine.Engine.
func (e *Engine) Ask(q wire.Query, got func(Reply)) (cancel func()) {
	return e.Engine.Ask(q, func(r engine.Reply) { got(e.reply(r)) })
}

// reply is an answer as values of JavaScript.
func (e *Engine) reply(r engine.Reply) Reply {
	out := Reply{More: r.More, Err: r.Err}
	for _, m := range r.Parts {
		c := m.Beside.(Chunk)
		if c.Buffer.Truthy() {
			e.loose.took(c.Buffer)
		}
		out.Chunks = append(out.Chunks, c)
	}
	return out
}

// Client is a stranger who asks; see engine.Client.
type Client struct {
	*engine.Client
	e *Engine
}

// NewClient makes a client. What its code throws in a callback is said on the console, and
// ends nothing.
func (e *Engine) NewClient() *Client {
	return &Client{e.Engine.NewClient(func(call func()) {
		_, err := bridge.Try(func() js.Value { call(); return js.Undefined() })
		if err != nil {
			js.Global().Get("console").Call("error", "a callback of a script failed: "+err.Error())
		}
	}), e}
}

// Ask asks the workers, in the client's turn.
func (c *Client) Ask(q wire.Query, got func(Reply)) (cancel func()) {
	return c.Client.Ask(q, func(r engine.Reply) { got(c.e.reply(r)) })
}

// Stream is all that was logged of a tag of one run, piece by piece; see engine.Stream.
type Stream struct {
	*engine.Stream
	pace chan Piece
}

// Piece is some of a stream's points, in file order. A buffer, which one without
// points may lack, should be freed when it has been used; see bridge.Free.
type Piece struct {
	Chunk
	More   bool // another one follows
	Broken bool // the stream has ended, but not at its end: its worker is gone
}

// Every asks for all that q's kind has of a run, as q says.
func (e *Engine) Every(run string, q wire.Query) *Stream {
	return &Stream{e.Engine.Every(run, q), make(chan Piece, 1)}
}

// Next asks for the next piece, which comes on the channel. It must not be called
// again before that, nor behind the last piece.
func (s *Stream) Next() <-chan Piece {
	s.Stream.Next(func(p engine.Piece) {
		c, _ := p.Beside.(Chunk)
		if p.Broken {
			c = Chunk{}
		}
		s.pace <- Piece{Chunk: c, More: p.More && !p.Broken, Broken: p.Broken}
	})
	return s.pace
}
