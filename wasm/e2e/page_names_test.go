//go:build !js

package e2e

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// What the user calls a run is what it is called wherever it is shown, and it is found by
// that as by its name in the files, which downloads keep.
func TestPageRunNames(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&names=beta:the%20best")
	s.list("+alpha", "+the best", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.whole()
	p := s.still("line/up")
	s.Hover(p.at(60, 60))
	s.tips(false, []string{"Run", "Value"}, []string{"alpha", "60"}, []string{"the best", "40"})
	s.Wait(`[...document.querySelectorAll("td.name")].some(e => e.textContent === "the best" && e.title === "beta")`)

	// The picture of a card, and what is downloaded.
	dir := s.Downloads()
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	s.Control("dialog", "Picture").Control("button", "SVG").Click()
	if svg := s.saved(dir, "line_up.svg"); !strings.Contains(svg, ">the best<") || strings.Contains(svg, ">beta<") {
		t.Errorf("the picture has not the name: %s", svg)
	}
	s.Press("Escape")
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "CSV of all points").Click()
	if csv := s.saved(dir, "line_up.csv"); !strings.Contains(csv, "\nbeta,") || strings.Contains(csv, "the best") {
		t.Errorf("what is downloaded has another name: %.200s", csv)
	}

	// The filter and the palette.
	filter := s.Control("searchbox", "Filter runs (regex)")
	for _, text := range []string{"best", "beta"} {
		filter.Fill(text)
		s.list("+the best")
	}
	filter.Fill("!best")
	s.list("+alpha", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	filter.Fill("")
	for _, text := range []string{"best", "beta"} {
		s.Press("k", "Control")
		s.find(text, "the best")
		s.Press("Escape")
	}

	// Another name is there at once.
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&names=beta:other")`, nil)
	s.list("+alpha", "+other", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	p = s.still("line/up")
	s.Hover(p.at(40, 40))
	s.tips(false, []string{"Run", "Value"}, []string{"alpha", "40"}, []string{"other", "60"})
	// And what the list is sorted by.
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&names=alpha:zz,beta:b2,solo/x:b10&runOrder=name")`, nil)
	s.list("+b2", "+b10", "+zz", "+[sweep 3]", "+s1", "+s2", "+s3")
}

// Where names of runs say nothing, the hyperparameters that tell them apart are what runs are
// called, wherever they are shown; a name that the user gave goes before.
func TestPageRunsByHyperparameters(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for run, params := range map[string]map[string]any{
		"4f1a": {"lr": 0.1, "opt": "sgd", "layers": 3},
		"9c02": {"lr": 0.1, "opt": "adam", "layers": 3},
		"b7e5": {"lr": 3e-4, "opt": "adam", "layers": 3},
	} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			err := w.HParams(params, []string{"loss"}, summary.WallSeconds(epoch))
			for i := range int64(2) {
				if err == nil {
					err = w.Scalar("loss", float64(run[0]), i, summary.WallSeconds(epoch))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.list("+4f1a", "+9c02", "+b7e5")
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	s.Control("dialog", "Order and columns").Control("combobox", "Runs are called by").Choose("Hyperparameters that differ")
	s.Press("Escape")
	s.list("+0.1, sgd", "+0.1, adam", "+0.0003, adam")
	s.hash("#timeseries&called=hparams&smoothing=0")
	s.again()
	s.list("+0.1, sgd", "+0.1, adam", "+0.0003, adam")
	p := s.still("loss")
	s.Hover(p.at(1, '4'))
	s.tips(false, []string{"Run", "Value"}, []string{"lr=0.1, opt=sgd", "52"}, []string{"lr=0.1, opt=adam", "57"}, []string{"lr=0.0003, opt=adam", "98"})
	s.Control("searchbox", "Filter runs (regex)").Fill("sgd")
	s.list("+lr=0.1, opt=sgd")
	s.hash("#timeseries&runFilter=sgd&called=hparams&smoothing=0")
	s.again()
	s.list("+lr=0.1, opt=sgd")
	s.Control("article", "loss").Wait()
	s.shown("1 of 3 runs shown")
	s.Eval(`void (location.hash = "#timeseries&called=hparams&names=4f1a:mine&smoothing=0")`, nil)
	s.list("+mine", "+lr=0.1", "+lr=0.0003") // both with adam, which stands above
	s.Eval(`void (location.hash = "#timeseries&smoothing=0")`, nil)
	s.list("+4f1a", "+9c02", "+b7e5")
}

// Of a logdir without hyperparameters the list says why runs keep their names.
func TestPageRunsWithoutHyperparameters(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&called=hparams")
	s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Control("complementary", "Runs").Is(`e.innerText.includes("No hyperparameter tells these runs apart, so their names are shown.")`)
}

// Names that differ at their end are told apart where there is no room for them: on cards,
// in the run list.
func TestPageNamesAreCutInTheMiddle(t *testing.T) {
	t.Parallel()
	const long = "model/encoder.blocks.07.self_attention.query_projection.weight_"
	l := newLogs(t)
	l.run("sweep/learning_rate_0.0003_batch_size_256_weight_decay_0.01_seed_17", map[string][]point{long + "mean": curve(0, 0, 3), long + "norm": curve(0, 0, 3)})
	s := look(t, browsertest.Chromium, l.dir)
	s.Resize(390, 800)
	s.cards(long+"mean", long+"norm")
	s.Until(func() string {
		var seen []string
		err := s.TryEval(`[...document.querySelectorAll(".card-title")].map((e) => {
			const cut = [e, ...e.children].some((x) => x.scrollWidth > x.clientWidth + 1 && getComputedStyle(x).display !== "inline");
			return (cut ? "not " : "") + e.textContent.slice(-11);
		})`, &seen)
		if err != nil {
			return err.Error()
		}
		return differs(strings.Join(seen, ", "), "weight_mean, weight_norm")
	})
}

// Runs that are hidden for good are said at the run list, with the way back; what an older
// version kept of runs for all logdirs is still there.
func TestPageRunsHidden(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	all := []string{"+alpha", "+the best", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3"}
	older := func(hidden string) {
		t.Helper()
		s.leave()
		s.Eval(`(localStorage.clear(), localStorage.setItem("tensorbored-static.view", JSON.stringify({version: 2, runNames: {beta: "the best"}, runsHidden: {`+hidden+`}})))`, nil)
		s.Open(s.url)
		s.rests()
	}
	older(`alpha: true, "of another logdir": true`)
	s.list("+the best", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	show := s.Control("complementary", "Runs").Control("button", "1 hidden: show")
	show.Wait()
	s.again()
	show.Click()
	s.list(all...)
	show.Gone()
	s.again()
	s.list(all...)

	older(`alpha: true, beta: true, "solo/x": true, "sweep/s1": true, "sweep/s2": true, "sweep/s3": true`)
	s.Control("complementary", "Runs").Control("button", "6 hidden: show").Wait()
	s.choose("show all runs", "Show all runs")
	s.list(all...)

}

// What can be done with a run is in one menu, by keys, by the right button, and by the button
// in its row; what is said of a run stands where it is.
func TestPageRunMenu(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { runMenu(t, look(t, kind, l.dir)) })
	}
}

func runMenu(t *testing.T, s *screen) {
	s.fresh("#timeseries&smoothing=0")
	list := s.Control("list", "Runs")
	menu := s.Control("menu", "beta")
	// By keys alone: a name, and a note.
	for _, open := range [][]string{{"F10", "Shift"}, {"m"}} {
		list.Control("checkbox", "beta").Get("e.focus()", nil)
		s.Press(open[0], open[1:]...)
		menu.Control("menuitem", "Only this run").Focused()
		s.Press("Escape")
		menu.Gone()
		list.Control("checkbox", "beta").Focused()
	}
	s.Press("F10") // alone it is the browser's
	s.Rest()
	menu.Gone()
	s.Press("m")
	for range 3 {
		s.Press("ArrowDown")
	}
	menu.Control("menuitem", "Name, note and tags…").Focused()
	s.Press("Enter")
	words := s.Control("dialog", "Words about beta")
	words.Control("textbox", "Name in this view").Focused()
	s.Type("<b>best</b>")
	s.Press("Tab")
	words.Control("textbox", "Note").Focused()
	s.Type("look here")
	s.Press("Escape")
	s.list("+alpha", "+<b>best</b>", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	row := list.Control("listitem", "<b>best</b>*")
	row.Is(`e.querySelector(".run-name").title === "beta\nlook here"`)

	// The colour, by keys.
	list.Control("checkbox", "beta").Get("e.focus()", nil)
	s.Press("m")
	for range 4 {
		s.Press("ArrowDown")
	}
	s.Press("Enter")
	s.Control("dialog", "Colour of beta").Wait()
	s.Press("Escape")

	// By the right button: the baseline. By the button in the row: hidden.
	at := func() browsertest.Point {
		b := list.Control("listitem", "alpha*").Box()
		return browsertest.Point{X: b.X + b.Width/2, Y: b.Y + b.Height/2}
	}
	s.RightClick(at())
	s.Control("menu", "alpha").Control("menuitem", "Use as baseline").Click()
	s.hash("#timeseries&names=beta:%3Cb%3Ebest%3C/b%3E&smoothing=0&baseline=alpha")
	s.RightClick(at())
	s.Control("menu", "alpha").Wait()
	s.said(openMenu, "run-menu")
	s.Control("menuitem", "No baseline").Click()
	s.hash("#timeseries&names=beta:%3Cb%3Ebest%3C/b%3E&smoothing=0")
	s.RightClick(at())
	s.Control("menu", "alpha").Control("menuitem", "Use as baseline").Click()
	s.hash("#timeseries&names=beta:%3Cb%3Ebest%3C/b%3E&smoothing=0&baseline=alpha")
	row.Hover()
	row.Control("button", "Run").Click()
	s.Control("menuitem", "Hide for good").Click()
	s.list("+alpha", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Control("complementary", "Runs").Control("button", "1 hidden: show").Wait()

	// The same in the table of runs.
	s.Control("button", "Table of runs").Click()
	table := s.Control("grid", "Runs")
	table.Control("checkbox", "alpha").Get("e.focus()", nil)
	s.Press("m")
	s.Control("menu", "alpha").Control("menuitem", "Only this run").Focused()
	s.Press("Escape")
	table.Control("checkbox", "alpha").Focused()
	s.Press("Escape")
	s.Press("?")
	s.Control("dialog", "Keys").Is(`tbUser.text(e).includes("on a run, in the list or the table: what can be done with it")`)
	s.said(dialog, "keys")
}
