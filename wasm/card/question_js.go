package card

import (
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Question is what a card asks: one at a time. The zero value is ready to use.
type Question struct{ cancel func() }

// Ask asks in place of what was asked before, of which no answer comes any more. What the
// answer makes belongs to the scope that asked, and ends with it.
func (q *Question) Ask(d board.Data, w wire.Query, got func(engine.Reply)) {
	q.Drop()
	owner := widget.Present()
	q.cancel = d.Ask(w, func(r engine.Reply) { owner.Do(func() { got(r) }) })
}

// Drop gives up what was asked: no answer comes any more.
func (q *Question) Drop() {
	if q.cancel != nil {
		q.cancel()
		q.cancel = nil
	}
}
