//go:build wander

// Package wander does at random what a user may do, and looks after each act whether the page is
// still one that a user would want: see wander.js for what must never be there. At the end the page
// is loaded again by its address, and must show the same. A seed chooses the same acts again where
// the page shows the same.
//
//	make wander WANDER="-seeds 1-20 -acts 300 -logdir DIR"
//
// A test fails for what is wrong in any case, and ends there. What may be as it should is only said,
// to be looked at: that something else is shown when the page is loaded again (a step that was
// chosen in a card is of the moment), that a key took the focus away, that the page stood still.
// What is found is mended with a test of its own in wasm/e2e. It is no part of make test: what
// nobody has thought of must not stop a change that has nothing to do with it.
package wander

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/looks"
)

var (
	seeds   = flag.String("seeds", "1-4", "from-to, or one `number`")
	acts    = flag.Int("acts", 150, "how many things are done with a seed")
	logdir  = flag.String("logdir", "", "`directory` of event files; a sweep of twelve runs with values of every kind if none is named")
	live    = flag.Bool("demo", false, "the demo, whose training writes while it is looked at")
	slow    = flag.Float64("slow", 400, "says of acts after which the page stood still for more than so many `ms`")
	firefox = flag.Bool("firefox", false, "in Firefox, where no times are known")
	keyed   = flag.Int("keys", 12, "of a hundred acts how many are keys")
	grows   = flag.Int("grows", 0, "of a hundred acts how many are changes of the files")
	tabs    = flag.Int("tabs", 0, "of a hundred acts how many are done in another tab")
	backs   = flag.Int("backs", 0, "of a hundred acts after how many Back and Forward are looked at, where they made a step of the history (Chromium)")
	serving = flag.String("serve", "", "more `flags` of the server, such as \"--read server\"")
	shots   = flag.String("shots", "", "`directory` for pictures of a page before and after it was loaded again, where it shows something else")
	verbose = flag.Bool("all", false, "says every act, not the last ones alone")
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

//go:embed wander.js
var script string

// TestWander fails with the acts that led to what is wrong.
func TestWander(t *testing.T) {
	dir := *logdir
	if dir == "" && !*live {
		dir = t.TempDir()
		if err := looks.Fill(dir, 12); err != nil {
			t.Fatal(err)
		}
	}
	first, last := uint64(0), uint64(0)
	if n, _ := fmt.Sscanf(*seeds, "%d-%d", &first, &last); n == 1 {
		last = first
	} else if n == 0 {
		t.Fatalf("-seeds %s: write 1-20, or 7", *seeds)
	}
	for seed := first; seed <= last; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			wander(t, dir, seed)
		})
	}
}

// found is what the page shows after an act.
type found struct {
	Wrong []string // in words
	Still float64  // ms of the longest task since it was asked before
}

// place is a thing that can be acted on.
type place struct {
	Name string // its role and name, to be read
	Kind string // click, fill, choose, draw or slide
	X, Y float64
	W, H float64
	Of   int // how many options it has
}

// wanderer acts on a page.
type wanderer struct {
	*browsertest.Page
	t       *testing.T
	rand    *rand.Rand
	address string
	done    []string
}

// keys are those that mean something somewhere in the page.
var keys = []string{"Escape", "Tab", "Tab", "Tab", "Enter", "Enter", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", " ",
	"/", "?", "j", "k", "g", "e", "p", "l", "r", "s", "x", "f", "1", "2", "3", "[", "]", "z", "Delete"}

// texts are written into fields.
var texts = []string{"loss", "a", "(", "0.9", "-1", "1e400", "", "12", "lr=.*seed=1", "<b>x</b>", "ä%/?#", strings.Repeat("long ", 40)}

func wander(t *testing.T, dir string, seed uint64) {
	kind := browsertest.Chromium
	if *firefox {
		kind = browsertest.Firefox
	}
	w := &wanderer{Page: browsertest.Start(t, kind), t: t, rand: rand.New(rand.NewPCG(seed, 1))}
	if !*firefox {
		w.Downloads()
	}
	w.Before(script)
	w.Resize(1440, 900)
	if *grows > 0 && *logdir == "" { // each walk changes its own
		dir = t.TempDir()
		if err := looks.Fill(dir, 12); err != nil {
			t.Fatal(err)
		}
	}
	grow := &grower{dir: dir, rand: rand.New(rand.NewPCG(seed, 2))}
	serve := append([]string{"--logdir", dir}, strings.Fields(*serving)...)
	if *live {
		serve = []string{"--demo"}
	}
	address := browsertest.Serve(t, serve...).URL
	w.address = address
	w.Open(address)
	w.Wait(`window.tensorbored?.status().phase === "exact"`)
	for range *acts {
		act := ""
		if w.rand.IntN(100) < *grows {
			var err error
			if act, err = grow.change(); err != nil {
				t.Fatal(err)
			}
			w.looked()
		} else if w.rand.IntN(100) < *tabs {
			w.Eval(fmt.Sprintf(`tbWander.aside(%v, %v)`, w.rand.Float64(), w.rand.Float64()), &act)
			if act == "another tab" {
				w.Wait(`document.querySelector("iframe.wander").contentWindow.tensorbored?.status().phase === "exact"`)
			}
		} else if w.rand.IntN(100) < *backs {
			act = w.undone()
		} else {
			act = w.act()
		}
		w.done = append(w.done, act)
		if *verbose {
			t.Log(act)
		}
		var f found
		w.Rest()
		w.Eval(`tbWander.look()`, &f)
		for _, p := range w.Problems() {
			f.Wrong = append(f.Wrong, "the page complained: "+p)
		}
		if len(f.Wrong) > 0 {
			w.fail(strings.Join(f.Wrong, "\n"))
		}
		if f.Still > *slow {
			t.Logf("the page stood still for %.0f ms: %s", f.Still, act)
		}
	}
	if !*live { // its data have gone on
		w.again()
	}
}

// looked has the page look for new data, and waits until it has read them.
func (w *wanderer) looked() {
	w.Eval(`tensorbored.reload()`, nil)
	time.Sleep(500 * time.Millisecond) // the listing is under way, and says nothing of it
	w.Wait(`["exact", "incomplete"].includes(tensorbored.status().phase)`)
}

// fail says what was wrong after which acts.
func (w *wanderer) fail(what string) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter %d acts, the last of which were\n  %s", what, len(w.done), strings.Join(w.done[max(0, len(w.done)-12):], "\n  "))
}

// undone does one thing and, where that is a step of the history, says what is not as it was after
// Back, and after Forward.
func (w *wanderer) undone() string {
	index := func() (i int) {
		w.Eval(`navigation.currentEntry.index`, &i)
		return i
	}
	time.Sleep(3200 * time.Millisecond) // changes of one setting that follow each other sooner are one step
	first, before := index(), w.shown()
	act := w.act()
	w.done = append(w.done, act)
	time.Sleep(700 * time.Millisecond)
	if index() != first+1 {
		return "(no step)"
	}
	after := w.shown()
	for _, to := range []struct {
		way  string
		want []string
	}{{"back", before}, {"forward", after}} {
		w.Eval(`void setTimeout(() => history.`+to.way+`())`, nil)
		var differ []string
		for range 8 {
			time.Sleep(300 * time.Millisecond)
			is := w.shown()
			if differ = append(only(to.want, is, "  wanted: "), only(is, to.want, "  is: ")...); len(differ) == 0 {
				break
			}
		}
		if len(differ) > 0 {
			w.t.Logf("after %s and %s it is not as it was\n%s\nafter\n  %s", act, to.way, strings.Join(differ[:min(len(differ), 12)], "\n"), strings.Join(w.done[max(0, len(w.done)-6):], "\n  "))
		}
	}
	return "back and forward"
}

// shown is what is on the screen from the top.
func (w *wanderer) shown() (all []string) {
	w.Hover(browsertest.Point{X: 3, Y: 3}) // a tooltip is of the moment
	w.Eval(`tbWander.top()`, nil)
	w.Rest()
	w.Eval(`tbWander.shown()`, &all)
	return all
}

// again compares what a page shows with what it shows when its address is opened once more.
func (w *wanderer) again() {
	for range 3 {
		w.Press("Escape")
	}
	if *grows > 0 {
		w.looked()
	}
	time.Sleep(700 * time.Millisecond) // a change is in the history a moment after it was made
	before := w.shown()
	picture := w.Screenshot()
	var had, has []string
	w.Eval(`tbWander.data()`, &had)
	var address string
	w.Eval(`location.href`, &address)
	w.reload()
	w.Eval(`tbWander.data()`, &has)
	if differ := append(only(had, has, "  before: "), only(has, had, "  after: ")...); len(differ) > 0 {
		w.t.Errorf("loaded again, the data are others\n%s\nafter\n  %s", strings.Join(differ[:min(len(differ), 12)], "\n"), strings.Join(w.done, "\n  "))
	}
	var differ []string
	for range 12 { // a board of its own program comes later
		after := w.shown()
		differ = append(only(before, after, "  before: "), only(after, before, "  after: ")...)
		if len(differ) == 0 {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	if len(differ) > 0 {
		if *shots != "" {
			name := filepath.Join(*shots, filepath.Base(w.t.Name()))
			os.WriteFile(name+"-before.png", picture, 0o644)
			os.WriteFile(name+"-after.png", w.Screenshot(), 0o644)
		}
		w.t.Logf("loaded again, it shows something else at %s\n%s\nafter\n  %s", address, strings.Join(differ[:min(len(differ), 12)], "\n"),
			strings.Join(w.done[max(0, len(w.done)-40):], "\n  "))
	}
}

// reload loads the page again, and waits until it has read all.
func (w *wanderer) reload() {
	w.Eval(`void setTimeout(() => location.reload())`, nil)
	time.Sleep(300 * time.Millisecond)
	w.Wait(`window.tensorbored?.status().phase === "exact"`)
}

// only is what is in a and not in b, each after a word.
func only(a, b []string, word string) (out []string) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, word+s)
		}
	}
	return out
}

// act does one thing, and says what in words.
func (w *wanderer) act() string {
	switch n := w.rand.IntN(100); {
	case n < *keyed:
		key := keys[w.rand.IntN(len(keys))]
		var held []string
		switch w.rand.IntN(6) {
		case 0:
			held = []string{"Shift"}
		case 1:
			if strings.ContainsAny(key, "z/ArrowHomeEnd") {
				held = []string{"Control"}
			}
		}
		var was, is string
		w.Eval(`tbWander.focus()`, &was)
		w.Press(key, held...)
		w.Rest()
		if w.Eval(`tbWander.focus()`, &is); is == "" && was != "" && key != "Escape" && key != "Tab" {
			w.t.Logf("the focus is lost after key %s %v on %s", key, held, was)
		}
		return "key " + strings.Join(append(held, key), "+")
	case n < *keyed+3:
		w.Eval(`void setTimeout(() => history.back())`, nil)
		time.Sleep(100 * time.Millisecond)
		return w.inside("back")
	case n < *keyed+5:
		w.Eval(`void setTimeout(() => history.forward())`, nil)
		time.Sleep(100 * time.Millisecond)
		return w.inside("forward")
	case n < *keyed+6:
		w.reload()
		return "reload"
	case n < *keyed+8:
		size := [][2]int{{1440, 900}, {1280, 800}, {768, 1024}, {390, 844}, {1920, 1080}}[w.rand.IntN(5)]
		w.Resize(size[0], size[1])
		return fmt.Sprint("resize ", size)
	case n < *keyed+9 && !*firefox:
		dark := w.rand.IntN(2) == 0
		w.SystemDark(dark)
		return fmt.Sprint("system dark ", dark)
	}
	var all []place
	w.Eval(`tbWander.places()`, &all)
	if len(all) == 0 {
		return "nothing to act on"
	}
	// Kinds first: else a table's hundred buttons hide the one field.
	kinds := map[string][]place{}
	for _, p := range all {
		kinds[p.Kind] = append(kinds[p.Kind], p)
	}
	kind := []string{"click", "click", "click", "click", "click", "click", "fill", "choose", "draw", "draw", "slide"}[w.rand.IntN(11)]
	if len(kinds[kind]) == 0 {
		kind = all[w.rand.IntN(len(all))].Kind
	}
	p := kinds[kind][w.rand.IntN(len(kinds[kind]))]
	at := browsertest.Point{X: p.X + p.W/2, Y: p.Y + p.H/2}
	in := func() browsertest.Point {
		return browsertest.Point{X: p.X + p.W*(0.05+0.9*w.rand.Float64()), Y: p.Y + p.H*(0.05+0.9*w.rand.Float64())}
	}
	switch kind {
	case "fill":
		text := texts[w.rand.IntN(len(texts))]
		w.Click(at)
		w.Press("a", "Control")
		w.Press("Delete")
		w.Type(text)
		if w.rand.IntN(2) == 0 {
			w.Press("Enter")
		}
		return fmt.Sprintf("fill %s with %.20q", p.Name, text)
	case "choose":
		var chosen string
		w.Eval(fmt.Sprintf(`tbWander.choose(%v, %v, %d)`, at.X, at.Y, w.rand.IntN(max(p.Of, 1))), &chosen)
		return fmt.Sprintf("choose %s in %s", chosen, p.Name)
	case "draw":
		switch w.rand.IntN(5) {
		case 0, 1:
			a, b := in(), in()
			w.Drag(a, b)
			return fmt.Sprintf("drag %v to %v in %s", a, b, p.Name)
		case 2:
			w.Wheel(in(), 200-400*w.rand.IntN(2), "Shift")
			return "wheel with Shift in " + p.Name
		case 3:
			w.DoubleClick(in())
			return "double click in " + p.Name
		}
		w.Hover(in())
		return "hover in " + p.Name
	}
	switch w.rand.IntN(12) {
	case 0:
		w.Eval(fmt.Sprintf(`tbWander.twice(%v, %v)`, at.X, at.Y), nil)
		return "twice at once " + p.Name
	case 1:
		w.Click(at, "Shift")
		return "with Shift " + p.Name
	case 2:
		w.Hover(at)
		return "hover " + p.Name
	case 3:
		w.Wheel(at, 300-600*w.rand.IntN(2))
		return "wheel at " + p.Name
	}
	w.Click(at)
	return kind + " " + p.Name
}

// inside comes back to the page if the history has led out of it.
func (w *wanderer) inside(act string) string {
	var in bool
	if w.TryEval(`location.protocol === "http:"`, &in); !in {
		w.Open(w.address)
	}
	w.Wait(`window.tensorbored?.status().phase === "exact"`)
	return act
}
