package ui

import (
	"slices"
	"strconv"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// memory is the part of the settings about what is kept: points in memory, and what
// was read in the browser's database.
type memory struct {
	app                  *app
	el                   dom.HTMLElement
	budget, cache, clear dom.HTMLElement
	said                 dom.HTMLElement // what the cache holds, or what was freed
	turn                 int             // counts what was begun to be said
	logdir               string          // whose reading has been waited for
	done                 bool            // everything was read at the last look
	later                *widget.Timer   // measures again
	sizes                []int           // MiB that can be chosen; 0 = automatic
}

func newMemory(a *app) *memory {
	m := &memory{app: a}
	m.later = widget.NewTimer(m.measure)
	m.budget = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Memory for points"},
		widget.Attr{Key: "title", Value: "When more points are logged, the first, least, greatest and last of each stretch are kept; a zoom reads the others. Changing it reads the logdir again."})
	widget.Listen(m.budget, "change", func(dom.Event) {
		if v, err := strconv.Atoi(widget.Get(m.budget, "value").String()); err == nil {
			a.Set(func(s *session.State) { session.Memory.Set(s, v) })
		}
	})
	var check dom.HTMLElement
	m.cache, check = widget.Check("Keep what was read, to reopen fast", func(on bool) { a.Set(func(s *session.State) { session.Cache.Set(s, on) }) })
	m.clear = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("x"), "Clear cache", widget.Click(m.empty))
	m.said = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"})
	// Counting is not free: otherwise only when somebody looks at it.
	m.el = widget.New("div", "memory", widget.On("pointerenter", func(dom.Event) { m.measure() }), m.budget, check, widget.New("div", "pair", m.clear, m.said))
	m.measure()
	return m
}

// setMemory hands the settings on to the data.
func (a *app) setMemory() {
	a.data.SetCaching(session.Cache.Of(&a.state))
	a.data.SetBudget(int64(session.Memory.Of(&a.state)) << 20 / engine.PointBytes)
}

// budgets are the choices, in MiB.
var budgets = []int{0, 128, 256, 512, 1024, 2048, 4096}

// update shows the state.
func (m *memory) update(s *session.State) {
	sizes, chosen := budgets, session.Memory.Of(s)
	if !slices.Contains(sizes, chosen) { // a value from elsewhere is shown as it is
		sizes = append(slices.Clone(sizes), chosen)
	}
	if !slices.Equal(sizes, m.sizes) {
		m.sizes = sizes
		var options []dom.Node
		for _, mib := range sizes {
			label := strconv.Itoa(mib) + " MB for points"
			if mib == 0 {
				label = "Automatic (" + strconv.FormatInt((engine.DefaultBudget()*engine.PointBytes+1<<19)>>20, 10) + " MB)"
			}
			options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: strconv.Itoa(mib)}, label))
		}
		widget.Replace(m.budget, options...)
	}
	widget.Set(m.budget, "value", strconv.Itoa(chosen))
	widget.Set(m.cache, "checked", session.Cache.Of(s))
}

// measureAfter is how long the cache may hold something else than is said. Counting reads
// its ledger, which a job that writes all the time must not cost at every look.
const measureAfter = 30 * time.Second

// follow looks at the cache again when a logdir has been read, and now and then when more
// of it has.
func (m *memory) follow(s wire.Status) {
	done := s.Phase.Done()
	switch {
	case done && s.Logdir != m.logdir:
		m.logdir = s.Logdir
		m.measure()
	case done && !m.done:
		m.later.Soon(measureAfter)
	}
	m.done = done
}

// measure shows what the cache holds, unless something newer is to be said by then.
func (m *memory) measure() {
	m.turn++
	turn := m.turn
	go func() {
		n, err := m.app.data.CacheSize()
		if turn != m.turn {
			return
		}
		if err != nil {
			widget.Text(m.said, "this browser refuses it")
			return
		}
		widget.Text(m.said, bytesText(n))
	}()
}

// empty clears the cache and says what that gave.
func (m *memory) empty() {
	m.logdir = m.app.data.Status().Logdir // what was freed is not to be overwritten by follow
	widget.Set(m.clear, "disabled", true)
	go func() {
		defer widget.Set(m.clear, "disabled", false)
		n, err := m.app.data.ClearCache()
		m.turn++ // void what was measured meanwhile
		if err != nil {
			widget.Text(m.said, "it could not be cleared: "+err.Error())
			return
		}
		widget.Text(m.said, bytesText(n)+" freed")
	}()
}
