//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// hostile are texts that would run a script wherever one is taken for HTML.
var hostile = []string{
	`<img src=x onerror="hacked=1">`,
	`<script>hacked=1</script>`,
	`"><svg onload=hacked=1>`,
	`javascript:hacked=1`,
	`</title></textarea><iframe srcdoc="<script>parent.hacked=1</script>">`,
	`${hacked=1} {{hacked=1}} ' " \ & &lt;b&gt;`,
	"tab\tnew\nline \u202eright to left\u2066 🦊",
	`[click](javascript:hacked=1) ![x](https://evil.example/x.png)`,
	`__proto__`,
	`constructor`,
}

// Nothing that stands in a log is ever executed, and every name comes back as it
// was logged.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, name := range []string{`<img src=x onerror="hacked=1">`, `run " ' & ; $(x) %2e%2e %00`, `ünïcödé 🦊`, `__proto__`, `#frag?query`, ` blank `} {
		l.file(name, "1700000000.host.1.0", func(w *summary.Buffer) {
			for k, tag := range hostile {
				w.Scalar(tag, 1, int64(k), summary.WallSeconds(epoch), summary.AsTensor(), summary.DisplayName(tag+" shown"), summary.Description(tag))
				l.expect(name, tag, at(int64(k), epoch, 1))
			}
			write(w, map[string][]point{"plain": curve(i, 0, 4)})
			l.expect(name, "plain", curve(i, 0, 4)...)
		})
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL)
			equal(t, v.all(), l.want)
			sameNames(t, "runs", sorted(v.names()), sorted(keys(l.want)))
			for run, tags := range v.tags("scalars") {
				for _, name := range hostile {
					if got := tags[name]; got.DisplayName != name+" shown" || got.Description != name {
						t.Errorf("run %q tag %q: %+v", run, name, got)
					}
				}
			}
			v.settle()
			v.unharmed()
		})
	}
}

func keys(c curves) (names []string) {
	for name := range c {
		names = append(names, name)
	}
	return names
}

// settle waits until the page has painted what it got: the description of each chart in
// sight is written when nothing has moved for a while.
func (v view) settle() {
	v.t.Helper()
	v.Wait(`(() => {
		const main = document.querySelector("main").getBoundingClientRect();
		const seen = [...document.querySelectorAll("article")].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.bottom > main.top && r.top < main.bottom; });
		const runs = tensorbored.status().runs > 0 ? document.querySelector("[role=listitem]") : document.querySelector(".shell-notice")?.innerText;
		return runs && seen.every(e => /^(Curves of|No points)/.test(e.querySelector("[role=img]")?.ariaLabel ?? ""));
	})()`)
}

// unharmed fails the test if something in a log was executed or became an element.
func (v view) unharmed() {
	v.t.Helper()
	var bad []string
	v.Eval(`[typeof hacked === "undefined" ? "" : "a script of a log ran", ...Array.from(document.querySelectorAll(
		"img, iframe, svg[onload], [onerror], [onload], body script, a[href^='javascript:']"), (e) => e.outerHTML)].filter(Boolean)`, &bad)
	if len(bad) > 0 {
		v.t.Errorf("found %q", bad)
	}
}

// Tags that are not UTF-8 are shown with replacement marks and can be asked for so.
func TestBrokenText(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for step := range int64(3) {
			for i, tag := range []string{"ok", "bad \xff\xfe tag", "cut \xe2\x82"} {
				w.Raw(summary.Event{WallTime: epoch, Step: step, Values: []summary.Value{summary.SimpleValue(tag, float32(i))}})
				l.expect("r", []string{"ok", "bad \uFFFD tag", "cut \uFFFD"}[i], at(step, epoch, float64(i)))
			}
		}
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	equal(t, v.all(), l.want)
	if st := v.status(); len(st.Lost) != 0 {
		t.Errorf("lost %+v", st.Lost)
	}
}

// Ten thousand tags in a run.
func TestManyTags(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const n = 10_000
	l.file("wide", "1700000000.host.1.0", func(w *summary.Buffer) {
		for step := range int64(2) {
			for i := range n {
				tag := fmt.Sprintf("layer_%03d/weight_%d", i/50, i)
				w.Scalar(tag, float64(i), step, summary.WallSeconds(epoch))
				l.expect("wide", tag, at(step, epoch, float64(i)))
			}
		}
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	equal(t, v.all(), l.want)
	v.settle()
}

// Values, wall times and steps at the end of what they can be.
func TestOddNumbers(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		raw := func(tag string, step int64, wall, value float64) {
			w.Raw(summary.Event{WallTime: wall, Step: step, Values: []summary.Value{
				summary.TensorValue(tag, summary.DoubleTensor(nil, value), summary.Metadata{Plugin: "scalars"})}})
			l.expect("r", tag, at(step, wall, value))
		}
		for i, x := range []float64{1, nan, inf, ninf, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), 2} {
			raw("values", int64(i), epoch+float64(i), x)
		}
		for i := range int64(4) {
			raw("only NaN", i, epoch, nan)
		}
		for i, wall := range []float64{epoch, nan, inf, ninf, 0, -5, 1e300, epoch - 1000, epoch} {
			raw("walls", int64(i), wall, float64(i))
		}
		for i, step := range []int64{-1 << 63, -1 << 53, -1, 0, 1, 1 << 31, 1 << 53, math.MaxInt64} {
			raw("steps", step, epoch, float64(i))
		}
		for i := range 5 {
			raw("equal steps", 3, epoch+float64(i), float64(i))
		}
		for _, i := range []int64{5, 3, 9, 1, 7} {
			raw("unordered", i, epoch, float64(i))
		}
		raw("one", 1, epoch, 1)
	})
	// Runs whose first event has no time that can be ordered by come last.
	l.put(l.path("nan start", "1700000000.host.1.0"), bytesOf(nan, func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 0, 2)}) }))
	l.expect("nan start", "x", curve(1, 0, 2)...)
	l.put(l.path("inf start", "1700000000.host.1.0"), bytesOf(inf, func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 0, 2)}) }))
	l.expect("inf start", "x", curve(1, 0, 2)...)
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	equal(t, v.all(), l.want)
	if names := v.names(); len(names) != 3 || !slices.Contains(names, "nan start") || !slices.Contains(names, "inf start") {
		t.Errorf("runs %q", names)
	}
	if st := v.status(); len(st.Lost) != 0 {
		t.Errorf("lost %+v", st.Lost)
	}
	v.settle()
	v.unharmed()
}
