//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// margins are the curves of pins, and a run with a value from 0 to 10, from 1 below it to 2
// above, but that step 5 has no upper edge; and the layouts of two runs.
func margins(t *testing.T) *logs {
	l := pins(t)
	l.file("margin", "1700000900.host.1.0", func(w *summary.Buffer) {
		for i := range 11 {
			for tag, v := range map[string]float64{"m/value": float64(i), "m/lower": float64(i) - 1, "m/upper": float64(i) + 2} {
				if tag == "m/upper" && i == 5 {
					continue
				}
				if err := w.Scalar(tag, v, int64(i), summary.WallSeconds(epoch+float64(i))); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	layout := func(run string, categories ...summary.Category) {
		l.file(run, "1700000901.host.1.0", func(w *summary.Buffer) {
			if err := w.CustomScalars(summary.Layout{Categories: categories}); err != nil {
				t.Fatal(err)
			}
		})
	}
	layout("alpha", summary.Category{Title: "Zed", Charts: []summary.Chart{
		{Title: "Lines", Lines: []string{"line/up", "flat(?!.*stairs)"}},
		{Title: "Band", Margins: []summary.Margin{{Value: "m/value", Lower: "m/lower", Upper: "m/upper"}}},
	}}, summary.Category{Title: "Folded", Closed: true, Charts: []summary.Chart{{Title: "Inside", Lines: []string{"lone"}}}})
	layout("beta", summary.Category{Title: "Zed", Charts: []summary.Chart{
		{Title: "Lines", Lines: []string{"line/up", "flat(?!.*stairs)"}},
		{Title: "Wrong", Lines: []string{"pow/", "loss(", "none"}},
	}})
	return l
}

// Charts of a layout: in its order, with what it says, as full cards of curves.
func TestPageCustom(t *testing.T) {
	t.Parallel()
	l := margins(t)
	l.file("two", "1700000901.host.1.0", func(w *summary.Buffer) {
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "Pair", Charts: []summary.Chart{{Title: "Two", Margins: []summary.Margin{
			{Value: "m/lower", Lower: "m/lower", Upper: "m/value"}, {Value: "m/upper", Lower: "m/value", Upper: "m/upper"}}}}}}}); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			dir := ""
			if kind == browsertest.Chromium { // Firefox cannot be told where to
				dir = s.Downloads()
			}
			s.Before(drawing)
			s.fresh("#timeseries&smoothing=0")
			s.Control("button", "Custom scalars").Click()
			s.cards("Lines", "Band", "Wrong", "Two")
			s.Control("button", "Folded 1 card").Expanded(false)
			s.Control("button", "Folded 1 card").Click()
			s.cards("Lines", "Band", "Wrong", "Inside", "Two")

			// Several tags of all runs.
			s.draws("Lines", linear, want{"alpha", 75, 75, false}, want{"beta", 25, 75, false})
			rows := func(tag string, x, y float64, columns []string, want ...string) {
				t.Helper()
				s.Hover(s.still(tag).at(x, y))
				s.Until(func() string {
					var got []string
					for _, r := range s.tip(false).Rows {
						line := r["Run"]
						for _, c := range columns {
							line += " " + r[c]
						}
						got = append(got, line)
					}
					slices.Sort(got)
					if !slices.Equal(got, want) {
						return fmt.Sprintf("the tooltip says %q, not %q", got, want)
					}
					return ""
				})
			}
			rows("Lines", 80, 79, []string{"Value"}, "alpha · flat/level 2", "alpha · line/up 80", "beta · flat/level 4", "beta · line/up 20",
				"solo/x · flat/level 12", "sweep/s1 · flat/level 6", "sweep/s2 · flat/level 8", "sweep/s3 · flat/level 10")

			// A margin: the band is filled, the tooltip has its edges, and a gap is told.
			band := s.Control("article", "Band")
			rows("Band", 8, 8, []string{"Value", "Lower", "Upper", "Step"}, "margin 8 7 10 8")
			rows("Band", 5, 5, []string{"Value", "Lower", "Upper", "Step"}, "margin 5 4  5")
			s.drawn(article("Band"), "custom-band")
			s.said(tooltip, "custom-band-tip")
			s.said(article("Band"), "custom-band")
			band.Control("status", "*").Says("The steps of “m/value” in margin do not line up: 1 of 11 steps without a lower and upper value.")
			s.Control("heading", "Settings").Hover()
			tinted := func(x, y float64) bool {
				at := s.still("Band").at(x, y)
				c := browsertest.Cover(s.Pixel(at), s.ground(), s.color("margin").RGB())
				return c > 0.1 && c < 0.5
			}
			for _, in := range []struct {
				x, y float64
				on   bool
			}{{2.5, 3.8, true}, {2.5, 2, true}, {2.5, 5.3, false}, {2.5, 0.9, false}, {5, 5.9, false}, {8.5, 10, true}} {
				s.Until(func() string {
					if tinted(in.x, in.y) != in.on {
						return fmt.Sprintf("at %v, %v the band is not %v", in.x, in.y, in.on)
					}
					return ""
				})
			}

			// Several margins in a chart, each with edges of its own.
			rows("Two", 8, 9, []string{"Value", "Lower", "Upper"}, "margin · m/lower 7 7 8", "margin · m/upper 10 8 10")
			s.Control("article", "Two").Control("status", "*").Gone()

			// What is not understood and what is not there is said, the rest is drawn.
			wrong := s.Control("article", "Wrong")
			wrong.Control("status", "*").Is(`e.innerText.includes("“loss(” is not understood: the brackets do not match") && e.innerText.includes("No tag matches “none”.")`)
			s.draws("Wrong", linear, want{"alpha", 50, 100, false})

			// It is a card as others are: scale, full width, downloads, pins.
			wrong.Control("button", "Lin*").Click()
			wrong.Control("button", "Log*").Wait()
			s.stored(map[string]any{"Zed\nWrong": map[string]string{"y": "log10"}}, "tagAxisScales")
			lines := s.Control("article", "Lines")
			lines.Control("button", "More").Click()
			s.Control("menuitem", "Superimpose other tags…").Gone()
			item := s.Control("menuitem", "CSV of all points (line/up)").Wait()
			if dir == "" {
				s.Press("Escape")
			} else {
				item.Click()
				if text := s.saved(dir, "line_up.csv"); !strings.Contains(text, "alpha") || strings.Count(text, "\n") != 203 {
					t.Errorf("%d lines: %.200s", strings.Count(text, "\n"), text)
				}
			}
			lines.Control("button", "Full width (f)").Click()
			lines.Is(`e.classList.contains("wide")`)
			band.Control("button", "Pin (p)").Click()
			s.Control("region", "Pinned").Control("article", "Band").Wait()
			s.Control("button", "Time series").Click()
			s.pinnedAre("Band")
			s.Control("region", "Pinned").Control("article", "Band").Control("img", "*").Is(`/^Curves of 1 run/.test(e.ariaLabel)`)
			s.Control("group", "Kinds of cards").Gone() // there are no others than curves

			// A chart in a folded category is found by its name.
			s.fresh("#custom_scalars&smoothing=0")
			s.cards("Lines", "Band", "Wrong", "Two")
			s.choose("inside", "Folded, Inside")
			s.cards("Lines", "Band", "Wrong", "Inside", "Two")
			s.Control("article", "Inside").Focused()
			// The filter looks at titles and at what charts say.
			s.fresh("#custom_scalars&tagFilter=POW")
			s.cards("Wrong")
			s.Control("searchbox", "Filter tags (regex)").Fill("nobody")
			s.Control("heading", "No chart matches the filter").Wait()
			s.Control("button", "Clear the filter").Click()
			s.cards("Lines", "Band", "Wrong", "Two")
			s.Control("searchbox", "Filter tags (regex)").Fill("folded")
			s.Control("button", "Folded 1 card").Expanded(false)
		})
	}
}

// Of a chart of several tags the run list has the values of one, which its heading names.
func TestPageListNamesItsTag(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, margins(t).dir)
	s.fresh("#custom_scalars&smoothing=0&tagFilter=lines&runFilter=alpha|beta|solo")
	p := s.still("Lines")
	for _, o := range []struct {
		y           float64
		of          string
		alpha, beta string
		solo        string
	}{{79, "Lines · line/up", "80", "20", ""}, {2, "Lines · flat/level", "2", "4", "12"}} {
		s.Hover(p.at(80, o.y))
		s.reads([2]string{"alpha", o.alpha}, [2]string{"beta", o.beta}, [2]string{"solo/x", o.solo})
		s.Control("complementary", "Runs").Is(fmt.Sprintf(`e.querySelector(".run-columns").title === %q`, o.of+", step 80"))
	}
}

// A layout that is logged while one looks changes the page, and one without layouts says
// what to do.
func TestPageCustomLive(t *testing.T) {
	t.Parallel()
	l := pins(t)
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#custom_scalars&smoothing=0")
	s.Control("heading", "No layout of charts in this logdir").Wait()
	layout := func(titles ...string) func(w *summary.Buffer) {
		c := summary.Category{Title: "Live"}
		for _, title := range titles {
			c.Charts = append(c.Charts, summary.Chart{Title: title, Lines: []string{title}})
		}
		return func(w *summary.Buffer) {
			if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{c}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := l.file("layout", "1700000901.host.1.0", layout("line"))
	s.cards("line")
	s.draws("line", linear, want{"alpha", 75, 75, false})
	l.add(path, records(layout("flat", "line", "later")))
	s.cards("flat", "line", "later")
	s.Control("article", "later").Control("status", "*").Says("No tag matches “later”.")
	// And a tag that comes later is in its chart.
	l.run("young", map[string][]point{"later/tag": {at(0, epoch, 1), at(100, epoch+9, 3)}})
	s.Control("article", "later").Control("status", "*").Gone()
	s.draws("later", linear, want{"young", 50, 2, false})
	// Charts go with the run that lays them out.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.Control("button", "Reload*").Click()
	s.Control("button", "1 file is gone*").Click()
	s.Control("heading", "No layout of charts in this logdir").Wait()
	s.cards()
}

// layoutOf reads the layout of an event file.
func layoutOf(t *testing.T, file string) customscalars.Layout {
	t.Helper()
	m := source.Mem{"r/tfevents": []byte(file)}
	c := catalog.New()
	if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Runs["r"].Files {
		for _, lost := range f.Losses() {
			t.Error(lost)
		}
	}
	q := customscalars.Query([]string{"r"})
	j, err := customscalars.Kind{}.Answerer(answer.World{Catalog: c}).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	var out customscalars.Layout
	if err := answer.Serve(t.Context(), m.Logdir(), j, func(o *answer.Out) error {
		for _, p := range o.Parts.([]customscalars.Part) {
			if p.Error != "" {
				t.Error(p.Error)
			}
			out = p.Layout
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// The user's own charts: made, changed, moved, renamed, hidden, deleted, brought back, kept,
// and sent out as a layout.
func TestPageCustomEdit(t *testing.T) {
	t.Parallel()
	l := margins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			dir := ""
			if kind == browsertest.Chromium { // Firefox cannot be told where to
				dir = s.Downloads()
			}
			customEdit(t, s, dir)
		})
	}
}

func customEdit(t *testing.T, s *screen, dir string) {
	s.fresh("#custom_scalars&smoothing=0")
	s.cards("Lines", "Band", "Wrong")

	// From an expression, with what it matches at hand.
	s.Control("button", "New chart…").Click()
	box := s.Control("dialog", "New chart")
	make := box.Control("button", "Make the chart").Is("e.disabled")
	box.Control("textbox", "Expression 1").Fill("stairs(")
	box.Is(`e.innerText.includes("“stairs(” is not understood: the brackets do not match")`)
	box.Control("textbox", "Expression 1").Fill("s(tairs|pike)/")
	box.Is(`e.innerText.includes("2 tags: spike/one, stairs/up")`)
	box.Control("textbox", "Title").Fill("Steps <b>")
	box.Control("textbox", "Category").Fill("Mine")
	make.Click()
	box.Gone()
	s.Control("region", "Mine").Control("article", "Steps <b>").Focused() // the page goes there
	s.Control("article", "Steps <b>").Control("img", "Curves of 1 run, step 0 to 100, values 0 to 1,000").Wait()

	// Of chosen tags, by the keyboard.
	s.Control("heading", "Settings").Hover()
	s.Press("Escape")
	s.Press("n")
	box.Control("searchbox", "Find tags").Fill("POW")
	box.Control("checkbox", "pow/ten").Click()
	box.Control("textbox", "Expression 1").Value("pow/ten$")
	box.Control("checkbox", "pow/ten").Checked(true)
	box.Control("searchbox", "Find tags").Fill("one")
	box.Control("checkbox", "lone").Click()
	box.Control("textbox", "Expression 2").Value("lone$")
	box.Control("checkbox", "lone").Click()
	box.Control("textbox", "Expression 2").Gone()
	make.Click()
	s.Control("region", "Zed").Control("article", "pow/ten$").Wait()

	// A margin: the edges are guessed, and can be changed.
	s.Press("n")
	box.Control("radio", "Values with margins").Click()
	box.Control("textbox", "Value of margin 1").Fill("m/value")
	box.Control("textbox", "Lower of margin 1").Value("m/lower")
	box.Control("textbox", "Upper of margin 1").Value("m/upper")
	box.Control("textbox", "Upper of margin 1").Fill("m/none")
	box.Is(`e.innerText.includes("There are no tags “m/none”.")`)
	box.Control("textbox", "Title").Fill("Margin")
	box.Control("textbox", "Category").Fill("Mine")
	make.Click()
	s.Control("article", "Margin").Control("status", "*").Is(`e.innerText.includes("There are no tags “m/none”.") && e.innerText.includes("there is no “m/none”")`)

	// Changed from its menu; what was logged stays what it is elsewhere.
	s.Control("region", "Zed").Control("article", "Lines").Control("button", "Pin (p)").Click()
	card := s.Control("region", "Zed").Control("article", "Lines")
	card.Get("e.focus()", nil)
	s.Press("+")
	card.Control("button", "Fit to the data (double click)").Wait()
	card.Control("button", "More").Click()
	s.Control("menuitem", "Change this chart…").Click()
	box = s.Control("dialog", "Change the chart")
	box.Control("textbox", "Title").Fill("Only level")
	box.Control("button", "Remove expression 1").Click()
	box.Control("button", "Save").Click()
	s.Control("region", "Zed").Control("article", "Only level").Wait()
	s.pinnedAre("Only level") // the pin goes with it, and the zoom
	s.Control("region", "Zed").Control("article", "Only level").Control("button", "Fit to the data (double click)").Click()

	// Hidden and deleted, each with a way back.
	act := func(card, item string) {
		t.Helper()
		s.Control("region", "Zed").Control("article", card).Control("button", "More").Click()
		s.Control("menuitem", item).Click()
		s.Control("region", "Zed").Control("article", card).Gone()
	}
	act("Band", "Hide this chart")
	act("Wrong", "Delete this chart")
	s.Control("status", "Deleted: Wrong*").Control("button", "Undo").Click()
	s.Control("region", "Zed").Control("article", "Wrong").Wait()
	act("Wrong", "Delete this chart")

	// The outline: order by keys and by mouse, names, folded, shown.
	s.Control("button", "Layout…").Click()
	box = s.Control("dialog", "Layout")
	order := func(want string) {
		t.Helper()
		s.Until(func() string {
			var got []string
			err := s.TryEval(`[...document.querySelectorAll(".lay-line")].map(e => (e.classList.contains("lay-category") ? "/" : "") + (e.classList.contains("lay-hidden") ? "-" : "") + e.querySelector("input[type=text]").value)`, &got)
			if strings.Join(got, " ") != want {
				return fmt.Sprintf("the outline is %q, not %q (%v)", strings.Join(got, " "), want, err)
			}
			return ""
		})
	}
	order("/Zed Only level -Band pow/ten$ /Folded Inside /Mine Steps <b> Margin")
	box.Control("checkbox", "Show Band").Click()
	order("/Zed Only level Band pow/ten$ /Folded Inside /Mine Steps <b> Margin")
	box.Control("button", "Move Band").Get("e.focus()", nil)
	s.Press("ArrowUp")
	order("/Zed Band Only level pow/ten$ /Folded Inside /Mine Steps <b> Margin")
	box.Control("button", "Move Band").Focused()
	box.Control("button", "Move pow/ten$").Get("e.focus()", nil)
	s.Press("ArrowDown") // into the next category
	order("/Zed Band Only level /Folded pow/ten$ Inside /Mine Steps <b> Margin")
	box.Control("button", "Move Mine").Get("e.focus()", nil)
	s.Press("ArrowUp")
	order("/Zed Band Only level /Mine Steps <b> Margin /Folded pow/ten$ Inside")
	s.Drag(box.Control("button", "Move Margin").Box().Middle(), box.Control("button", "Move Only level").Box().Middle())
	order("/Zed Band Margin Only level /Mine Steps <b> /Folded pow/ten$ Inside")
	s.Drag(box.Control("button", "Move Folded").Box().Middle(), box.Control("button", "Move Zed").Box().Middle())
	order("/Folded pow/ten$ Inside /Zed Band Margin Only level /Mine Steps <b>")
	box.Control("checkbox", "Fold Folded").Click()
	box.Control("textbox", "Title of category Zed").Fill("Zett")
	s.Press("Tab")
	order("/Folded pow/ten$ Inside /Zett Band Margin Only level /Mine Steps <b>")
	box.Control("textbox", "Title of category Mine").Fill("Zett") // two of one name
	s.Press("Tab")
	order("/Folded pow/ten$ Inside /Zett Band Margin Only level /Zett Steps <b>")
	box.Control("button", "Undo").Click()
	box.Control("button", "Delete Inside").Click()
	order("/Folded pow/ten$ /Zett Band Margin Only level /Mine Steps <b>")
	box.Control("button", "Undo").Click()
	order("/Folded pow/ten$ Inside /Zett Band Margin Only level /Mine Steps <b>")
	box.Control("button", "Close").Click()
	box.Gone()
	all := []string{"Only level", "pow/ten$", "Inside", "Band", "Margin", "Only level", "Steps <b>"}
	s.cards(all...)

	// It is kept, and part of the profile.
	s.again()
	s.cards(all...)
	s.saveAs("Profile", "Mine")
	if dir != "" {
		s.menu("Profile: Mine").Control("button", "Export").Click()
		var doc map[string]any
		if err := json.Unmarshal([]byte(s.savedLike(dir, "*.json")), &doc); err != nil || !strings.Contains(fmt.Sprint(doc), "Only level") {
			t.Errorf("the profile lacks the layout: %v %v", doc, err)
		}
		s.Press("Escape")
	}

	// Out, as TensorBoard reads it.
	s.Control("button", "Layout…").Click()
	s.Control("dialog", "Layout").Control("checkbox", "Show Inside").Click()
	s.Control("dialog", "Layout").Control("button", "Export…").Click()
	out := s.Control("dialog", "Export the layout")
	out.Is(`e.innerText.includes("5 charts in 3 categories")`)
	out.Control("textbox", "The layout as a text").Is(`e.value.includes('layout_pb2.Chart(title="Steps <b>", multiline=layout_pb2.MultilineChartContent(tag=["s(tairs|pike)/"]))')`)
	out.Control("combobox", "Form of the text").Choose("Text proto")
	out.Control("textbox", "The layout as a text").Is(`e.value.includes('series { value: "m/value" lower: "m/lower" upper: "m/none" }')`)
	if dir != "" {
		out.Control("button", "Event file").Click()
		exported(t, s.savedLike(dir, "events.out.tfevents.*.layout"))
	}
	s.Press("Escape")
	s.Press("Escape")

	// And all as it was logged.
	s.Control("button", "As logged").Click()
	s.Control("region", "Zed").Control("article", "Lines").Wait()
	s.Control("button", "As logged").Gone()
	s.Control("region", "Mine").Gone()
	s.Control("status", "The layout is as it was logged*").Control("button", "Undo").Click()
	s.Control("region", "Mine").Control("article", "Steps <b>").Wait()
}

// exported checks the event file of the layout that customEdit makes.
func exported(t *testing.T, file string) {
	t.Helper()
	got := layoutOf(t, file)
	chart := func(title string, lines ...string) customscalars.Chart {
		return customscalars.Chart{Title: title, Lines: lines}
	}
	wanted := customscalars.Layout{Categories: []customscalars.Category{
		{Title: "Folded", Charts: []customscalars.Chart{chart("pow/ten$", "pow/ten$")}},
		{Title: "Zett", Charts: []customscalars.Chart{{Title: "Band", Margins: []customscalars.Margin{{Value: "m/value", Lower: "m/lower", Upper: "m/upper"}}},
			{Title: "Margin", Margins: []customscalars.Margin{{Value: "m/value", Lower: "m/lower", Upper: "m/none"}}}, chart("Only level", "flat(?!.*stairs)")}},
		{Title: "Mine", Charts: []customscalars.Chart{chart("Steps <b>", "s(tairs|pike)/")}}}}
	if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", wanted); a != b {
		t.Errorf("the file holds %s\nnot %s", a, b)
	}
}

// savedLike is saved of a file whose name is not known exactly.
func (s *screen) savedLike(dir, pattern string) string {
	s.t.Helper()
	var b []byte
	s.Until(func() string {
		list, _ := filepath.Glob(filepath.Join(dir, pattern))
		if len(list) != 1 {
			all, _ := filepath.Glob(filepath.Join(dir, "*"))
			return fmt.Sprintf("no file %s among %q", pattern, all)
		}
		var err error
		if b, err = os.ReadFile(list[0]); err != nil || len(b) == 0 {
			return "the file is empty"
		}
		return ""
	})
	return string(b)
}

// A layout of whatever: HTML as titles, ten thousand charts, damaged bytes. The page lives
// and says what is wrong.
func TestPageCustomHostile(t *testing.T) {
	t.Parallel()
	l := pins(t)
	many := summary.Category{Title: `<img src=x onerror="window.broken=1">`}
	for i := range customscalars.MaxCharts + 5 {
		many.Charts = append(many.Charts, summary.Chart{Title: fmt.Sprintf("<i>%d", i), Lines: []string{`line/(?!<script>)`, strings.Repeat("(a|b)*", 20)}})
	}
	l.file("many", "1700000901.host.1.0", func(w *summary.Buffer) {
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{many}}); err != nil {
			t.Fatal(err)
		}
	})
	l.file("broken", "1700000901.host.1.0", func(w *summary.Buffer) {
		v := summary.TensorValue(customscalars.Tag, summary.StringTensor(nil, "\x12\xff\xff"), summary.Metadata{Plugin: customscalars.Name})
		if err := w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{v}}); err != nil {
			t.Fatal(err)
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#custom_scalars&smoothing=0")
	s.Control("region", many.Title).Control("article", "<i>0").Wait()
	s.draws("<i>0", linear, want{"alpha", 75, 75, false})
	s.Control("status", "The layout in broken*").Is(`e.innerText.includes("damaged") && e.innerText.includes("more than 10000 charts")`)
	s.Control("button", "Show 60 more of 9,940").Wait()
	s.Control("searchbox", "Filter tags (regex)").Fill("<i>9999$")
	s.cards("<i>9999")
	s.draws("<i>9999", linear, want{"alpha", 75, 75, false})
	s.Control("button", "Layout…").Click()
	s.Control("dialog", "Layout").Control("button", "Move "+many.Title).Wait()
	s.Press("Escape")
	var broken bool
	if s.Eval(`!!window.broken || !!document.querySelector("main img, dialog img, main i:not(.dot, .swatch, .card-dot)")`, &broken); broken {
		t.Error("a title became HTML")
	}
}
