package ui

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	numbers "github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// rank is the order of runs by a number that was chosen once: it stays, whatever card is
// under the pointer.
type rank struct {
	app *app
	top map[string]bool // runs that are shown; nil: all
}

// on reports whether runs stand in such an order.
func (r *rank) on() bool {
	by := session.RunSort.Of(&r.app.state)
	return (by == session.SortHigh || by == session.SortLow) && len(session.RunColumnSort.Of(&r.app.state)) == 0
}

// key is the number by which they stand.
func (r *rank) key() runtable.Key {
	if text := session.RunRank.Of(&r.app.state); text != "" {
		k := runtable.ParseKey(text)
		if k.Of == string(numbers.Smoothed) { // by the weight that curves have
			k.Step = int64(math.Round(1000 * scalars.Smoothing.Of(&r.app.state)))
		}
		return k
	}
	first := ""
	for _, tags := range r.app.data.Tags("scalars") {
		for tag := range tags {
			if first == "" || natural.Less(tag, first) {
				first = tag
			}
		}
	}
	if first == "" {
		return runtable.Key{}
	}
	return runtable.Key{Of: string(numbers.Last), Name: first}
}

// smoothed reports whether the number was chosen to be the smoothed value. It is asked in each
// frame of the smoothing slider, so no tag is looked at.
func (r *rank) smoothed() bool {
	return runtable.ParseKey(session.RunRank.Of(&r.app.state)).Of == string(numbers.Smoothed)
}

// mostMetrics is how many tags a list offers: 100,000 hold the page for seconds, and the
// palette finds any.
const mostMetrics = 1000

// tags are those that have numbers; very many by their letters.
func (r *rank) tags() (list []string) {
	seen := map[string]bool{}
	for _, tags := range r.app.data.Tags("scalars") {
		for tag := range tags {
			if !seen[tag] {
				seen[tag] = true
				list = append(list, tag)
			}
		}
	}
	if len(list) > 5*mostMetrics {
		slices.SortFunc(list, strings.Compare)
	} else {
		slices.SortFunc(list, natural.Compare)
	}
	return list
}

// ask has the table of runs know the numbers.
func (r *rank) ask() {
	var keys []runtable.Key
	if r.on() {
		if k := r.key(); k.Name != "" {
			keys = append(keys, k)
		}
	}
	r.app.table.Need("rank", keys...)
}

// value is a run's number.
func (r *rank) value(run string) (v float64, ok bool) {
	row := r.app.table.Row(run)
	if row < 0 {
		return 0, false
	}
	c := r.app.table.Column(r.key()).Cells[row]
	return c.Num, c.Kind == hparams.Number && c.Num == c.Num
}

// best sorts runs that are shown by their numbers, those without one last; nil where they do
// not stand by a number, or as long as none is known.
func (r *rank) best(shown []string) []string {
	if !r.on() {
		return nil
	}
	value, sign := map[string]float64{}, 1
	if session.RunSort.Of(&r.app.state) == session.SortHigh {
		sign = -1
	}
	for _, run := range shown {
		if v, ok := r.value(run); ok {
			value[run] = v
		}
	}
	if len(value) == 0 {
		return nil
	}
	best := slices.Clone(shown)
	slices.SortStableFunc(best, func(a, b string) int {
		x, xok := value[a]
		y, yok := value[b]
		switch {
		case xok && yok:
			return sign * cmp.Compare(x, y)
		case xok:
			return -1
		case yok:
			return 1
		}
		return 0
	})
	return best
}

// cut leaves the first of the runs that are shown, as many as are wanted; as long as no
// number is known, all.
func (r *rank) cut(shown []string) []string {
	r.ask()
	r.top = nil
	n := session.RunTop.Of(&r.app.state)
	if n == 0 || len(shown) <= n {
		return shown
	}
	best := r.best(shown)
	if best == nil {
		return shown
	}
	r.top = map[string]bool{}
	for _, run := range best[:n] {
		r.top[run] = true
	}
	return slices.DeleteFunc(slices.Clone(shown), func(run string) bool { return !r.top[run] })
}

// Best implements board.Host.
func (a *app) Best(n int) []string {
	best := a.rank.best(a.shown)
	return best[:min(len(best), n)]
}

// title says in the list's head what runs stand by, and how: the first may be cut.
func (r *rank) title() (what, how string) {
	k := r.key()
	what = k.Title()
	if k.Of == string(numbers.Last) {
		how = ", last"
	}
	if session.RunSort.Of(&r.app.state) == session.SortHigh {
		how += " ↓"
	} else {
		how += " ↑"
	}
	if n := session.RunTop.Of(&r.app.state); n > 0 {
		what = "top " + strconv.Itoa(n) + ": " + what
	}
	return what, how
}

// fields let the user choose it.
func (r *rank) fields() (el dom.HTMLElement, show func()) {
	a := r.app
	metric := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Metric of the order"})
	of := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Which value of it"})
	for _, o := range [][2]string{{string(numbers.Last), "last"}, {string(numbers.Least), "lowest"}, {string(numbers.Greatest), "highest"}, {string(numbers.Mean), "mean"}, {string(numbers.At), "at step"}, {string(numbers.Smoothed), "smoothed"}} {
		of.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	step := widget.New("input", "number", widget.Attr{Key: "type", Value: "number"}, widget.Attr{Key: "aria-label", Value: "Step of the order"})
	top := widget.New("input", "number", widget.Attr{Key: "type", Value: "number"}, widget.Attr{Key: "min", Value: "1"}, widget.Attr{Key: "aria-label", Value: "Show the top"}, widget.Attr{Key: "placeholder", Value: "all"})
	text := func(e dom.HTMLElement) string { return widget.Get(e, "value").String() }
	set := func(dom.Event) {
		k := runtable.Key{Of: text(of), Name: text(metric)}
		if k.Of == string(numbers.At) {
			k.Step, _ = strconv.ParseInt(text(step), 10, 64)
		}
		widget.Hide(step, k.Of != string(numbers.At))
		n, _ := strconv.Atoi(text(top))
		a.Set(func(s *session.State) {
			session.RunRank.Set(s, k.String())
			session.RunTop.Reset(s)
			if n > 0 {
				session.RunTop.Set(s, n)
			}
		})
	}
	for _, e := range []dom.HTMLElement{metric, of, step, top} {
		widget.Listen(e, "change", set)
	}
	curve, showCurve := a.list.sparks.box()
	el = widget.New("div", "field", widget.New("div", "pair", metric, of, step), widget.New("label", "pair", "Show the top ", top), curve)
	show = func() {
		showCurve()
		widget.Hide(el, !r.on())
		k := r.key()
		var options []dom.Node
		tags := r.tags()
		if tags = tags[:min(len(tags), mostMetrics)]; k.Name != "" && !slices.Contains(tags, k.Name) {
			tags = append(tags, k.Name)
		}
		for _, tag := range tags {
			options = append(options, widget.New("option", "", widget.Attr{Key: "value", Value: tag}, tag))
		}
		widget.Replace(metric, options...)
		widget.Set(metric, "value", k.Name)
		widget.Set(of, "value", k.Of)
		widget.Set(step, "value", strconv.FormatInt(k.Step, 10))
		widget.Hide(step, k.Of != string(numbers.At))
		widget.Set(top, "value", "")
		if n := session.RunTop.Of(&a.state); n > 0 {
			widget.Set(top, "value", strconv.Itoa(n))
		}
	}
	show()
	return el, show
}
