//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// TestMain runs the tests with browsers that they share.
func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// view is the page as a script sees it.
type view struct {
	*browsertest.Page
	t *testing.T
}

// start starts a browser. A test that fails says how far the page had come.
func start(t *testing.T, kind browsertest.Kind) view {
	t.Helper()
	return startWith(t, kind, browsertest.Settings{})
}

func startWith(t *testing.T, kind browsertest.Kind, settings browsertest.Settings) view {
	t.Helper()
	v := view{browsertest.StartWith(t, kind, settings), t}
	t.Cleanup(func() {
		var s string
		if t.Failed() && v.TryEval(`JSON.stringify(window.tensorbored?.status())`, &s) == nil {
			t.Logf("the page's status: %s", s)
		}
	})
	return v
}

// open starts a browser, opens url and waits until everything has been read.
func open(t *testing.T, kind browsertest.Kind, url string) view {
	t.Helper()
	v := visit(t, kind, url)
	v.Eval(`tensorbored.ready`, nil)
	return v
}

// manyReaders has the page start as many readers as it may, however little there is to read.
const manyReaders = `Object.defineProperty(globalThis, "tbBoot", {configurable: true, set(v) { globalThis.tbBooted = {...v, worth: () => v.readers}; }, get() { return globalThis.tbBooted; }});`

// visit is open without waiting for more than the API.
func visit(t *testing.T, kind browsertest.Kind, url string) view {
	t.Helper()
	v := start(t, kind)
	v.Before(manyReaders)
	v.Open(url)
	v.Wait(`window.tensorbored`)
	return v
}

type loss struct {
	Run, File, Kind, Remedy string
	Offset, Bytes, Count    int64
}

type status struct {
	Phase, Logdir, Error  string
	BytesRead, BytesTotal int64
	Files, Runs, Unread   int
	Points, Kept          int64
	Lost                  []loss
}

func (v view) status() (s status) {
	v.t.Helper()
	v.Eval(`tensorbored.status()`, &s)
	return s
}

type run struct {
	Name      string
	StartTime float64
	Files     []string
}

func (v view) runs() (r []run) {
	v.t.Helper()
	v.Eval(`tensorbored.runs()`, &r)
	return r
}

// names returns the runs' names in display order.
func (v view) names() (names []string) {
	v.t.Helper()
	for _, r := range v.runs() {
		names = append(names, r.Name)
	}
	return names
}

type tag struct {
	Plugin, DisplayName, Description string
	Points                           int64
}

func (v view) tags(plugin string) (tags map[string]map[string]tag) {
	v.t.Helper()
	v.Eval(`tensorbored.tags(`+quote(plugin)+`)`, &tags)
	return tags
}

// number is a float64 that JavaScript has written as text: JSON knows no NaN.
type number float64

// UnmarshalJSON reads the text.
func (n *number) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(x)
	return err
}

func (n number) same(m number) bool { return n == m || n != n && m != m }

// point is a point of a curve: step, wall time, value.
type point [3]number

func at(step int64, wall, value float64) point {
	return point{number(step), number(wall), number(value)}
}

// curves are the points of every series, by run and tag.
type curves map[string]map[string][]point

// all returns every point of every scalar. That columns are Float64Arrays is
// checked on the way. Sixteen questions are under way at a time: one after the
// other they would wait for each other, all at once they would be answers of 100 MB.
func (v view) all() curves {
	v.t.Helper()
	v.Eval(`void (globalThis.asked = {answers: 0, out: null, wrong: null}, (async () => {
		const out = Object.create(null); // a run may be called __proto__
		const wanted = [];
		for (const [run, tags] of Object.entries(await tensorbored.tags("scalars"))) {
			out[run] = Object.create(null);
			for (const tag of Object.keys(tags)) wanted.push([run, tag]);
		}
		const ask = async () => {
			for (let next; (next = wanted.pop());) {
				const [run, tag] = next;
				const {step, wallTime, value} = await tensorbored.scalars(run, tag);
				for (const c of [step, wallTime, value]) {
					if (!(c instanceof Float64Array) || c.length !== step.length) throw new Error("no column: " + c);
				}
				out[run][tag] = Array.from(step, (s, i) => [s, wallTime[i], value[i]].map(String));
				asked.answers++;
			}
		};
		await Promise.all(Array.from({length: 16}, ask));
		return out;
	})().then((out) => { asked.out = out; }, (e) => { asked.wrong = String(e); }))`, nil)
	// Thousands of questions may take longer than a step of a test: so many answers are one.
	const step = 100
	for more := step; ; more += step {
		var over bool
		v.Wait(fmt.Sprintf(`asked.out || asked.wrong || asked.answers >= %d`, more))
		if v.Eval(`asked.out !== null || asked.wrong !== null`, &over); over {
			break
		}
	}
	var wrong *string
	if v.Eval(`asked.wrong`, &wrong); wrong != nil {
		v.t.Fatalf("every series was asked for: %s", *wrong)
	}
	var c curves
	v.Eval(`asked.out`, &c)
	return c
}

// equal fails the test if got is not want, and says where.
func equal(t *testing.T, got, want curves) {
	t.Helper()
	for run, tags := range want {
		for name, points := range tags {
			g := got[run][name]
			if i := differ(g, points); i >= 0 {
				t.Errorf("run %q tag %q: %d points, want %d; from point %d on %v, want %v", run, name, len(g), len(points), i,
					g[min(i, len(g)):min(i+3, len(g))], points[min(i, len(points)):min(i+3, len(points))])
			}
		}
	}
	for run, tags := range got {
		for name := range tags {
			if _, ok := want[run][name]; !ok {
				t.Errorf("run %q tag %q is one too many", run, name)
			}
		}
	}
}

// differ returns the first place where a and b differ, -1 if there is none.
func differ(a, b []point) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return i
		}
		for k := range a[i] {
			if !a[i][k].same(b[i][k]) {
				return i
			}
		}
	}
	return -1
}

func sameNames(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// quote writes s as a literal of JavaScript.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// f32 is v after a trip through a float32.
func f32(v float64) float64 { return float64(float32(v)) }

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	ninf = math.Inf(-1)
)
