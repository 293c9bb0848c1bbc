//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// colorsProfile is a profile with the colours of n runs that are not there.
func colorsProfile(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"version":1,"name":"colours","lastModifiedTimestamp":0,"pinnedCards":[],"runColors":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"runId":"exp/run%d","color":"#%06x"}`, i, i)
	}
	b.WriteString(`],"groupColors":[],"superimposedCards":[],"tagFilter":"","runFilter":"","smoothing":0.25}`)
	return []byte(b.String())
}

// notesScript keeps what the page says for a while, in tbNotes.
const notesScript = `globalThis.tbNotes = [];
new MutationObserver((list) => { for (const m of list) for (const n of m.addedNodes) if (n.classList?.contains("task")) tbNotes.push(n.firstChild.textContent); })
	.observe(document, {childList: true, subtree: true});`

// What a logdir's default profile may ask of the page is bounded; a limit is said in words,
// and what fits is shown.
func TestPageHugeProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		colors int
		weight float64 // of smoothing, then
		said   string
	}{
		{12_000, 0.25, `/^A part of the profile is left out: runColors: it has 12000 entries; the first 10000 are used/`},
		{100_000, 0.6, `/^The default profile of this logdir is not shown\. .* is too large for a profile/`},
	} {
		t.Run(fmt.Sprint(c.colors), func(t *testing.T) {
			l := newLogs(t)
			l.run("a", map[string][]point{"loss": curve(0, 0, 20)})
			l.put(l.dir+"/.tensorboard/default_profile.json", colorsProfile(c.colors))
			s := &screen{view: start(t, browsertest.Chromium), host: serve(t, l.dir)}
			s.url = s.host.URL
			s.Resize(1600, 1000)
			s.Before(hearing)
			s.Before(notesScript)
			s.Open(s.url)
			s.Wait(`tbNotes.some((text) => ` + c.said + `.test(text))`)
			s.Control("spinbutton", "Smoothing weight").Value(fmt.Sprint(c.weight))
			s.still("loss")
		})
	}
}

// A link shows what it names, and nothing says that the default profile is shown.
func TestPageLinkOverDefault(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a", map[string][]point{"loss": curve(0, 0, 20), "acc": curve(1, 0, 20)})
	l.put(l.dir+"/.tensorboard/default_profile.json", colorsProfile(1))
	s := look(t, browsertest.Chromium, l.dir)
	s.Before(notesScript)
	s.Open(s.url + "blank")
	s.Eval(`localStorage.clear()`, nil)
	s.Open(s.url + "#timeseries&tagFilter=loss")
	s.rests()
	s.cards("loss")
	s.Control("spinbutton", "Smoothing weight").Value("0.6")
	s.Control("button", "Profile*").Wait()
	var said []string
	s.Eval(`tbNotes`, &said)
	for _, text := range said {
		if strings.Contains(text, "is shown") {
			t.Errorf("the page says %q", text)
		}
	}
}

// tasksScript keeps how long the page's longest task took, and how long a fixed computation
// takes here and now: on a busy machine both take longer.
const tasksScript = `{
	let longest = 0;
	const take = (list) => { for (const e of list) longest = Math.max(longest, e.duration); };
	const observer = new PerformanceObserver((list) => take(list.getEntries()));
	observer.observe({type: "longtask", buffered: true});
	const compute = () => {
		const began = performance.now();
		let x = 0;
		for (let i = 0; i < 1e6; i++) x += Math.sqrt(i ^ x);
		return performance.now() - began + (x === 0);
	};
	// Again and again beside what the page does: the machine may be busy for a moment.
	let unit = 0;
	setInterval(() => { unit = Math.max(unit, compute()); }, 150);
	globalThis.tbUnit = () => Math.max(unit, compute(), compute());
	globalThis.tbLongest = () => { take(observer.takeRecords()); return longest; };
}`

// What one user's input can ask of the page in one go is bounded: a table of hostile inputs,
// what the page does with each, and its longest task. That may be longer than the longest of
// a small logdir, which is the page's start, by so many times what a fixed computation takes
// beside it (some 5 ms on a machine that rests): such inputs held the page for 2 to 30 s.
func TestPageBoundedWork(t *testing.T) {
	t.Parallel()
	const most = 40
	usual := 0.0 // the longest task of a small logdir, ms
	many := func(l *logs, runs, tags int, name func(i int) string) {
		for r := range runs {
			points := map[string][]point{}
			for i := range tags {
				points[name(i)] = curve(i, 0, 2)
			}
			l.run(fmt.Sprintf("run%03d", r), points)
		}
	}
	var groups strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&groups, `,"g%d":true`, i)
	}
	for _, c := range []struct {
		name string
		logs func(l *logs)
		do   func(s *screen) // after the page has come; nil: to come is all
	}{
		{"a small logdir", func(l *logs) { many(l, 2, 3, func(i int) string { return fmt.Sprintf("t%d", i) }) }, nil},
		{"a default profile of 10,000 colours", func(l *logs) {
			many(l, 2, 3, func(i int) string { return fmt.Sprintf("t%d", i) })
			l.put(l.dir+"/.tensorboard/default_profile.json", colorsProfile(10_000))
		}, nil},
		{"9,000 groups opened by a profile", func(l *logs) {
			many(l, 40, 400, func(i int) string { return fmt.Sprintf("g%d/a", i) })
			l.put(l.dir+"/.tensorboard/default_profile.json", []byte(strings.Replace(string(colorsProfile(1)), `"smoothing"`, `"expandedTagGroups":{`+groups.String()[1:]+`},"smoothing"`, 1)))
		}, nil},
		{"Expand all over 20,000 groups", func(l *logs) { many(l, 2, 20_000, func(i int) string { return fmt.Sprintf("g%d/a", i) }) }, func(s *screen) {
			s.Control("button", "Expand all").Click()
			s.Control("status", "The first 1,000 of 20,000 groups are open. Filter the tags to see the others.*").Wait()
			s.Control("button", "Collapse all").Click()
			s.Control("status", "The first 1,000 of 20,000 groups are closed*").Wait()
		}},
		{"the palette, a far place and Expand all over 100,000 groups", func(l *logs) { many(l, 1, 100_000, func(i int) string { return fmt.Sprintf("g%d/a", i) }) }, func(s *screen) {
			s.Control("button", "Expand all").Click()
			s.Control("status", "The first 1,000 of 100,000 groups are open*").Wait()
			s.Press("k", "Control")
			s.Control("combobox", "Find commands, tags, runs, settings").Is(`e.getAttribute("aria-expanded") === "true"`)
			s.Type("g98765/a")
			s.Press("Enter")
			s.Wait(`document.activeElement.dataset.tag === "g98765/a"`)
			// Who types and presses Enter before all is listed comes there as well.
			s.Eval(`(() => {
				const key = (at, of) => at.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, ...of}));
				key(document.activeElement, {key: "k", ctrlKey: true});
				const field = document.querySelector("dialog [role=combobox]");
				field.value = "g45678/a";
				field.dispatchEvent(new Event("input", {bubbles: true}));
				key(field, {key: "Enter"});
			})()`, nil)
			s.Wait(`document.activeElement.dataset.tag === "g45678/a"`)
		}},
		{"names of 100,000 characters", func(l *logs) {
			many(l, 2, 30, func(i int) string { return fmt.Sprintf("%d %s", i, strings.Repeat("long ", 20_000)) })
		}, func(s *screen) {
			s.Wait(`[...document.querySelectorAll("h3.card-title")].filter(e => e.innerText.includes("bytes)")).length >= 4`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLogs(t)
			c.logs(l)
			s := &screen{view: start(t, browsertest.Chromium), host: serve(t, l.dir)}
			s.url = s.host.URL
			s.Resize(1600, 1000)
			s.Before(tasksScript)
			s.Open(s.url)
			s.rests()
			s.Wait(`document.querySelector("article, .group")`)
			if c.do != nil {
				c.do(s)
			}
			var got struct{ Longest, Unit float64 }
			s.Eval(`({longest: tbLongest(), unit: tbUnit()})`, &got)
			t.Logf("%.0f ms, where a fixed computation takes %.0f", got.Longest, got.Unit)
			if usual == 0 {
				usual = got.Longest
			} else if got.Longest > usual+most*got.Unit {
				t.Errorf("the page was held for %.0f ms, by a small logdir for %.0f; a fixed computation takes %.0f", got.Longest, usual, got.Unit)
			}
		})
	}
}
