package mesh

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/values"
	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// live is the kind in a view.
type live struct{ card.ValuedLive }

// Script implements card.Drawn.
func (Kind) Script() string { return "mesh" }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live { return &live{card.ValuedLive{Host: h}} }

// Pane implements card.Live.
func (l *live) Pane() []card.Control {
	return append([]card.Control{
		card.ChoiceOf(l.Host, "Surface", Surface, [][2]string{{"", "Auto"}, {"flat", "Flat"}, {"smooth", "Smooth"}, {"wireframe", "Wireframe"}}, nil),
		card.CheckOf(l.Host, "Turn all meshes together", Linked),
	}, l.ValuedLive.Pane()...)
}

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return card.StepsHelp(), []board.Command{{Keys: "Drag on a mesh", Does: "turn it; with Ctrl or the right button move it"}, {Keys: "Wheel on a mesh", Does: "zoom, when it was clicked, or with Ctrl"}}
}

// meshes is the card of one mesh in one run.
type meshes struct {
	card.Valued
	host  dom.HTMLElement
	stage js.Value // null until it is built
	json  js.Value // the part that was read
	wall  *float64
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card {
	c := &meshes{Valued: card.Valued{Slot: s, Number: -1}, stage: js.Null()}
	c.Shown = c
	return c
}

// Build implements card.Card.
func (c *meshes) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.host = widget.New("div", "meshes")
	c.Init()
	c.stage = js.Global().Get("tbMesh").Get("Stage").New(c.host.Underlying(), c.Slot.ID.Run, c.Slot.ID.Tags()[0], c.Slot.Key())
	return widget.New("div", "clips-card", c.host, c.Steps.El), nil, nil
}

// Open implements card.Card.
func (c *meshes) Open() {
	c.stage.Call("open")
	c.set(c.Slot.Host().State())
	c.Valued.Open()
}

// Shut implements card.Card.
func (c *meshes) Shut() {
	c.Valued.Shut()
	c.stage.Call("close")
}

func (c *meshes) set(s *session.State) {
	if !c.stage.IsNull() {
		c.stage.Call("set", Surface.Of(s), Linked.Of(s))
	}
}

// Query implements card.Valued: up to as much as an answer holds; the script reads the rest,
// and the other parts.
func (c *meshes) Query(q stored.Query) wire.Query {
	return values.Query{Query: q, Max: values.MaxBytes}.For(c.Slot.ID.Run, c.Slot.ID.Tags()[0]+mesh.Vertex.Suffix())
}

// Read implements card.Valued.
func (c *meshes) Read(chunk engine.Chunk) (*stored.Head, bool) {
	for _, p := range engine.Parts[values.Part](chunk) {
		c.json = chunk.JSON
		if len(p.Items) > 0 {
			c.wall = p.Items[0].Wall
		}
		return &p.Head, len(p.Items) > 0
	}
	return nil, false
}

// Show implements card.Valued.
func (c *meshes) Show(buffer js.Value) *float64 {
	c.stage.Call("show", c.json, buffer)
	return c.wall
}

// Say implements card.Valued.
func (c *meshes) Say(text string) { c.stage.Call("say", text) }

// Settings implements card.Card.
func (c *meshes) Settings(old, now *session.State) {
	c.Valued.Settings(old, now)
	c.set(now)
}
