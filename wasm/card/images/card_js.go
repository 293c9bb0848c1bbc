package images

import (
	"encoding/json"
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// pictures is the card of one tag in one run. It asks for a value when it is looked at,
// and hands its bytes to the painter (static/lazy/images), which keeps the pixels of
// the last ones.
type pictures struct {
	l     *live
	slot  *card.Slot
	host  dom.HTMLElement
	more  dom.HTMLElement
	steps *card.Steps
	stage js.Value // null away from the screen
	tell  js.Func

	asked  card.Question
	epoch  int // counts how often the values became others
	item   images.Item
	number int // of item; -1: none
}

// New implements card.Live.
func (l *live) New(s *card.Slot) card.Card {
	return &pictures{l: l, slot: s, stage: js.Null(), epoch: l.nextEpoch(), number: -1}
}

// Build implements card.Card.
func (c *pictures) Build() (body dom.HTMLElement, before, after []dom.HTMLElement) {
	c.host = widget.New("div", "pictures")
	c.steps = card.NewSteps(c.slot, c.wanted)
	c.more = card.Button("ellipsis-vertical", "More", "more")
	c.tell = widget.Func(func(js.Value, []js.Value) any {
		c.slot.Painted()
		return nil
	})
	grid := card.Button("layout-grid", "Runs by steps", "grid")
	return widget.New("div", "pictures-card", c.host, c.steps.El), []dom.HTMLElement{grid}, []dom.HTMLElement{c.more}
}

// Open implements card.Card.
func (c *pictures) Open() {
	c.stage = painter().Get("Stage").New(c.host.Underlying(), -1, c.tell)
	c.slot.Stale(false)
}

// Shut implements card.Card.
func (c *pictures) Shut() {
	c.asked.Drop()
	c.number = -1
	c.steps.Shut()
	if !c.stage.IsNull() {
		c.stage.Call("close")
		c.stage = js.Null()
	}
}

// key names a value in the painter's cache.
func (c *pictures) key(n int) string { return key(c.slot.ID.Run, c.slot.ID.Tags()[0], c.epoch, n, 0) }

func key(run, tag string, epoch, n, sample int) string {
	return strconv.Quote(run) + strconv.Quote(tag) + fmt.Sprint("/", epoch, "/", n, "/", sample)
}

// items remembers what was said of values whose pixels are kept, by their keys.
type items map[string]images.Item

// wanted shows another value: at once if its pixels are kept.
func (c *pictures) wanted() {
	if n := c.steps.Wanted(); n >= 0 && !c.stage.IsNull() {
		if item, ok := c.l.items[c.key(n)]; ok {
			if v := painter().Call("get", c.key(n)); v.Truthy() {
				c.asked.Drop()
				c.slot.Drop()
				c.show(n, item, v)
				return
			}
		}
	}
	c.slot.Drop()
	c.slot.Stale(false)
}

// Ask implements card.Card.
func (c *pictures) Ask(calm bool) {
	c.slot.Asked(true)
	q := images.Query{Query: c.steps.Query()}.For(c.slot.ID.Run, c.slot.ID.Tags()[0])
	q.Calm = calm
	c.asked.Ask(c.l.host.Data(), q, func(r engine.Reply) {
		c.slot.Asked(false)
		if !c.take(r) {
			c.steps.Show(-1, nil)
			c.number = -1
			problem := r.Err
			if problem == "" {
				problem = "Not read yet."
			}
			c.stage.Call("say", problem)
		}
		c.slot.Pump()
	})
}

// take shows an answer; false if there is nothing in it.
func (c *pictures) take(r engine.Reply) bool {
	for _, chunk := range r.Chunks {
		for _, p := range engine.Parts[images.Part](chunk) {
			if c.steps.Take(p.Head) {
				c.epoch = c.l.nextEpoch()
				c.number = -1
			}
			if len(p.Items) == 0 {
				continue
			}
			if n := c.steps.Wanted(); n != p.From {
				c.slot.Stale(false) // the first answer tells which steps there are
				if c.number >= 0 {
					return true
				}
			}
			began := widget.Now()
			v := put(c.key(p.From), &p.Items[0], chunk.Buffer)
			c.l.items[c.key(p.From)] = p.Items[0]
			c.show(p.From, p.Items[0], v)
			c.l.cost += widget.Now() - began
			return true
		}
	}
	return false
}

// put hands a value's samples to the painter, which copies them: the buffer is given back at
// once.
func put(key string, item *images.Item, buffer js.Value) js.Value {
	list, err := json.Marshal(item.Samples)
	if err != nil {
		panic("images: internal error: " + err.Error())
	}
	v := painter().Call("put", key, string(list), buffer)
	bridge.Free(buffer)
	return v
}

// show shows value number n.
func (c *pictures) show(n int, item images.Item, v js.Value) {
	c.number, c.item = n, item
	c.steps.Show(n, item.Wall)
	if item.Error != "" {
		c.stage.Call("say", item.Error)
		return
	}
	c.slot.Painting()
	c.stage.Call("show", v, Actual.Of(c.l.host.State()))
	note := ""
	if item.Count > len(item.Samples) {
		note = fmt.Sprintf("the first %d of %s samples", len(item.Samples), widget.Thousands(item.Count))
	}
	widget.Text(c.slot.Note, note)
}

// Settings implements card.Card.
func (c *pictures) Settings(old, now *session.State) {
	c.steps.Settings(old, now)
	if !Actual.Same(old, now) && c.number >= 0 && !c.stage.IsNull() {
		if v := painter().Call("get", c.key(c.number)); v.Truthy() {
			c.stage.Call("show", v, Actual.Of(now))
		} else {
			c.slot.Stale(false)
		}
	}
}

// Renew implements card.Card.
func (c *pictures) Renew() { c.slot.Stale(true) }

// Hurry implements card.Card.
func (c *pictures) Hurry() { c.slot.Stale(false) }

// Reshape implements card.Card: which runs are shown does not concern the card of one.
func (c *pictures) Reshape() {}

// Do implements card.Card.
func (c *pictures) Do(name string, button dom.HTMLElement) {
	sample, _ := strconv.Atoi(button.GetAttribute("data-sample"))
	switch name {
	case "view":
		c.look(sample)
	case "film":
		c.stage.Call("film", sample)
	case "grid":
		c.l.grid(c.slot.ID.Tags()[0])
	case "more":
		c.menu()
	}
}

// look opens the viewer on what the card shows.
func (c *pictures) look(sample int) {
	c.l.look(side{run: c.slot.ID.Run, tag: c.slot.ID.Tags()[0], at: c.number, sample: sample})
}

// menu offers downloads, and a closer look.
func (c *pictures) menu() {
	var list []widget.Item
	if c.number >= 0 && len(c.item.Samples) > 0 {
		list = append(list, widget.Item{Icon: "search", Label: "Look closer, or compare (v)", Do: func() { c.look(0) }})
		for i := range c.item.Samples {
			if i == 8 {
				break
			}
			label := "Download this picture"
			if len(c.item.Samples) > 1 {
				label = fmt.Sprintf("Download picture %d", i+1)
			}
			list = append(list, widget.Item{Icon: "download", Label: label, Do: func() { c.download(i) }})
		}
	}
	list = append(list,
		widget.Item{Icon: "download", Label: "Download all steps as zip", Do: func() { c.l.archive(c.slot.ID.Tags()[0], []string{c.slot.ID.Run}) }},
		widget.Item{Icon: "download", Label: "Download all steps of all shown runs as zip", Do: func() {
			c.l.archive(c.slot.ID.Tags()[0], card.TagRuns(c.l.host.Tags(), c.l.host.Runs(), c.slot.ID.Tags()[0]))
		}})
	widget.Menu(c.more, "More", list)
}

func (c *pictures) download(i int) {
	if v := painter().Call("get", c.key(c.number)); v.Truthy() {
		id := c.slot.ID
		painter().Call("saveSample", v, i, fileName(id.Tags()[0], id.Run, c.item.Step, i, c.item.Count, &c.item.Samples[i]))
	}
}

// Key implements card.Card.
func (c *pictures) Key(key string, _ bool) bool {
	if key == "v" && c.number >= 0 {
		c.look(0)
		return true
	}
	return c.steps.Key(key)
}
