//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// layoutLogs has sixty tags and some with margins, and a layout of three categories.
func layoutLogs(t *testing.T) *logs {
	t.Helper()
	l := named(t, "layout")
	tags := map[string][]point{}
	for i := range 60 {
		tags[fmt.Sprintf("t%02d", i)] = level(float64(i))
	}
	for i, tag := range []string{"Zeta", "q", "q_lower", "q/upper", "e/value", "e/lower", "e/upper"} {
		tags[tag] = level(float64(i))
	}
	l.run("r", tags)
	l.file("r", "1700000900.host.1.0", func(w *summary.Buffer) {
		chart := func(title, line string) summary.Chart {
			return summary.Chart{Title: title, Lines: []string{line}}
		}
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{
			{Title: "Alpha", Charts: []summary.Chart{chart("A1", "t01"), chart("A2", "t02"), chart("A3", "t03")}},
			{Title: "Beta", Charts: []summary.Chart{chart("B1", "t04"), chart("B2", "t05")}},
			{Title: "Gamma", Closed: true, Charts: []summary.Chart{chart("G1", "t06"), chart("G2", "t07")}},
		}}); err != nil {
			t.Fatal(err)
		}
	})
	return l
}

// outlined waits until the dialog of the layout shows these lines: "/" stands before a category.
func (s *screen) outlined(want string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...document.querySelectorAll(".lay-line")].map(e => (e.classList.contains("lay-category") ? "/" : "") + e.querySelector("input[type=text]").value)`, &got)
		if strings.Join(got, " ") != want {
			return fmt.Sprintf("the outline is %q, not %q (%v)", strings.Join(got, " "), want, err)
		}
		return ""
	})
}

// The outline of a layout: where what is moved comes to stand, what stays when something changes,
// and what undo and deletion leave.
func TestPageCustomOutline(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, layoutLogs(t).dir)
	s.fresh("#custom_scalars")
	s.cards("A1", "A2", "A3", "B1", "B2")
	card := func(title string) browsertest.Control { return s.Control("article", title) }
	fit := func(title string) browsertest.Control {
		return card(title).Control("button", "Fit to the data (double click)")
	}
	card("A1").Get("e.focus()", nil)
	s.Press("+")
	fit("A1").Wait()
	open := func() browsertest.Control {
		s.Control("button", "Layout…").Click()
		return s.Control("dialog", "Layout")
	}
	box := open()
	undo, logged := box.Control("button", "Undo").Is("e.disabled"), box.Control("button", "As logged").Is("e.disabled")
	s.outlined("/Alpha A1 A2 A3 /Beta B1 B2 /Gamma G1 G2")

	// Another name, and the old one again: the zoom goes with the card.
	box.Control("textbox", "Title of A1").Fill("One")
	s.Press("Tab")
	s.outlined("/Alpha One A2 A3 /Beta B1 B2 /Gamma G1 G2")
	logged.Is("!e.disabled")
	undo.Click()
	s.outlined("/Alpha A1 A2 A3 /Beta B1 B2 /Gamma G1 G2")
	undo.Is("e.disabled")
	logged.Is("e.disabled")
	s.Press("Escape")
	box.Gone()
	fit("A1").Wait()
	s.again() // nothing of it is kept
	open()
	logged.Is("e.disabled")

	// By keys a chart goes from the end of a category to the beginning of the next, which opens.
	shut := func() {
		t.Helper()
		s.Eval(`[...document.querySelectorAll(".lay-category")][1].querySelector("[aria-expanded]").click()`, nil)
	}
	shut()
	s.outlined("/Alpha A1 A2 A3 /Beta /Gamma G1 G2")
	shut()
	s.outlined("/Alpha A1 A2 A3 /Beta B1 B2 /Gamma G1 G2")
	shut()
	box.Control("button", "Move A3").Get("e.focus()", nil)
	s.Press("ArrowDown")
	s.outlined("/Alpha A1 A2 /Beta A3 B1 B2 /Gamma G1 G2")
	box.Control("status", "A3 is now 1 of 3").Wait()
	s.Press("ArrowUp")
	s.outlined("/Alpha A1 A2 A3 /Beta B1 B2 /Gamma G1 G2")

	// Dropped on a category a chart is its first; a category goes before another one only.
	drag := func(from, to string) {
		t.Helper()
		s.Drag(box.Control("button", "Move "+from).Box().Middle(), box.Control("button", "Move "+to).Box().Middle())
	}
	drag("A1", "Gamma")
	s.outlined("/Alpha A2 A3 /Beta B1 B2 /Gamma A1 G1 G2")
	drag("Gamma", "B2")
	s.outlined("/Alpha A2 A3 /Beta B1 B2 /Gamma A1 G1 G2")

	// What is under the pointer and what has the focus stay.
	box.Control("checkbox", "Show B2").Click()
	box.Control("checkbox", "Show B2").Checked(false)
	box.Control("checkbox", "Show B2").Focused()
	s.Resize(1600, 420)
	s.Eval(`void (document.querySelector(".lay-list").scrollTop = 60)`, nil)
	s.Eval(`document.querySelector(".lay-list [aria-label='Show G2']").click()`, nil)
	box.Control("checkbox", "Show G2").Checked(false)
	s.Wait(`document.querySelector(".lay-list").scrollTop === 60`)
	s.Resize(1600, 1000)
	box.Control("button", "New category").Click()
	box.Control("button", "New category").Click()
	s.outlined("/Alpha A2 A3 /Beta B1 B2 /Gamma A1 G1 G2 /New category /New category 2")

	// Charts go with their category, for good.
	box.Control("button", "Delete category Gamma").Click()
	s.outlined("/Alpha A2 A3 /Beta B1 B2 /New category /New category 2")
	s.Press("Escape")
	s.again()
	open()
	s.outlined("/Alpha A2 A3 /Beta B1 B2 /New category /New category 2")
}

// The dialog of one chart: what it offers, guesses and leaves out, and where the chart stands.
func TestPageCustomChart(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, layoutLogs(t).dir)
	s.fresh("#custom_scalars")
	s.cards("A1", "A2", "A3", "B1", "B2")
	s.Press("n")
	box := s.Control("dialog", "New chart")
	box.Control("textbox", "Expression 1").Fill("t")
	box.Is(`e.innerText.includes("60 tags: t00, t01, t02, t03, t04, t05 and 54 more")`)
	find := box.Control("searchbox", "Find tags")
	find.Fill("T")
	box.Is(`e.innerText.includes("11 more match")`)
	find.Fill("zeT")
	box.Control("checkbox", "Zeta").Wait()
	find.Fill("T5")
	box.Control("checkbox", "t55").Click()
	box.Control("textbox", "Expression 2").Value("t55$")
	find.Value("T5")
	box.Control("checkbox", "t55").Focused()
	box.Control("checkbox", "t01").Gone()

	// Edges are guessed where nothing is typed; a margin without a value is none.
	box.Control("radio", "Values with margins").Click()
	edge := func(what string, n int) browsertest.Control {
		return box.Control("textbox", fmt.Sprintf("%s of margin %d", what, n))
	}
	edge("Value", 1).Fill("q")
	edge("Lower", 1).Value("q_lower")
	edge("Upper", 1).Value("q/upper")
	box.Control("button", "Add a margin").Click()
	edge("Lower", 2).Fill("t00")
	edge("Value", 2).Fill("e/value")
	edge("Upper", 2).Value("e/upper")
	edge("Lower", 2).Value("t00")
	box.Control("button", "Add a margin").Click()
	edge("Lower", 3).Fill("t01")
	box.Control("button", "Make the chart").Click()
	card := s.Control("region", "Alpha").Control("article", "q").Wait() // called by its first value
	change := func(title string) {
		s.Control("article", title).Control("button", "More").Click()
		s.Control("menuitem", "Change this chart…").Click()
		box = s.Control("dialog", "Change the chart")
	}
	change("q")
	edge("Value", 2).Value("e/value")
	edge("Value", 3).Gone()
	s.Press("Escape")
	card.Wait()

	// A category that is named is the one of that name, and none named leaves it where it stands.
	into := func(title, category string) {
		t.Helper()
		change(title)
		box.Control("textbox", "Category").Fill(category)
		box.Control("button", "Save").Click()
		box.Gone()
	}
	into("B1", "Alpha")
	s.Control("region", "Alpha").Control("article", "B1").Wait()
	into("B2", "")
	s.Control("region", "Beta").Control("article", "B2").Wait()
	s.Control("button", "Layout…").Click()
	s.outlined("/Alpha A1 A2 A3 q B1 /Beta B2 /Gamma G1 G2")
}

// A dialog that is asked for twice before it is there comes once, and no more when the user has
// gone on.
func TestPageCustomLate(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, layoutLogs(t).dir)
	s.fresh("#custom_scalars")
	s.cards("A1", "A2", "A3", "B1", "B2")
	s.Eval(`void (() => {
		const load = tbBoot.load, late = [];
		tbBoot.load = (name) => name === "layout" ? new Promise((done) => { late.push(() => load(name).then(done)); }) : load(name);
		globalThis.asked = () => late.length;
		globalThis.bring = () => late.splice(0).forEach((f) => f());
	})()`, nil)
	box := s.Control("dialog", "New chart")
	once := func() {
		t.Helper()
		box.Control("textbox", "Title").Wait() // of one
		s.Press("Escape")
		box.Gone()
	}
	s.Control("button", "New chart…").Click()
	s.Wait(`asked() === 1`)
	s.Control("button", "Time series").Click()
	s.Control("article", "t00").Wait()
	s.Eval(`void bring()`, nil)
	s.Wait(`globalThis.tbLayout`)
	s.Control("button", "Custom scalars").Click()
	s.Control("button", "New chart…").Click()
	s.Wait(`asked() === 1`)
	s.Control("button", "New chart…").Click()
	s.Control("button", "Layout…").Click()
	s.Eval(`void bring()`, nil)
	once()
	s.Control("button", "New chart…").Click()
	s.Wait(`asked() === 1`)
	s.Eval(`void bring()`, nil)
	once()
}

// A layout that goes out says which categories are folded, and what is hidden stays behind.
func TestPageCustomExport(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, layoutLogs(t).dir)
	dir := s.Downloads()
	s.fresh("#custom_scalars")
	s.cards("A1", "A2", "A3", "B1", "B2")
	s.Control("button", "Layout…").Click()
	box := s.Control("dialog", "Layout")
	long := `A "long" \ title` + strings.Repeat(" of a chart", 12) // 148 bytes: a length of two bytes
	box.Control("textbox", "Title of A1").Fill(long)
	s.Press("Tab")
	box.Control("checkbox", "Show B1").Click()
	box.Control("checkbox", "Show G2").Click()
	s.Press("Escape")
	s.Press("n")
	chart := s.Control("dialog", "New chart")
	chart.Control("radio", "Values with margins").Click()
	chart.Control("textbox", "Value of margin 1").Fill("e/value")
	chart.Control("textbox", "Category").Fill("Beta")
	chart.Control("button", "Make the chart").Click()
	chart.Gone()
	s.Control("button", "Layout…").Click()
	box.Control("button", "Export…").Click()
	out := s.Control("dialog", "Export the layout")
	out.Is(`e.innerText.includes("6 charts in 3 categories")`)
	text := out.Control("textbox", "The layout as a text")
	quoted := `"A \"long\" \\ title` + strings.Repeat(" of a chart", 12) + `"`
	has := func(parts ...string) {
		t.Helper()
		for _, p := range parts {
			text.Is(`e.value.includes(` + quote(p) + `)`)
		}
		text.Is(`!e.value.includes("B1") && !e.value.includes("G2")`)
	}
	has(`layout_pb2.Category(title="Gamma", closed=True, chart=[`, `layout_pb2.Category(title="Beta", chart=[`,
		`layout_pb2.Chart(title=`+quoted+`, multiline=`, `Series(value="e/value", lower="e/lower", upper="e/upper")`)
	out.Control("combobox", "Form of the text").Choose("Text proto")
	has("  }\n  closed: true\n}\n", "  title: \"Gamma\"\n", "    title: "+quoted+"\n", `series { value: "e/value" lower: "e/lower" upper: "e/upper" }`)
	text.Is(`e.value.split("closed: true").length === 2`)
	out.Control("button", "Event file").Click()
	got := layoutOf(t, s.savedLike(dir, "events.out.tfevents.*.layout"))
	var said []string
	for _, c := range got.Categories {
		said = append(said, fmt.Sprint("/", c.Title, c.Closed))
		for _, k := range c.Charts {
			said = append(said, fmt.Sprint(k.Title, k.Lines, k.Margins))
		}
	}
	want := "/Alphafalse|" + long + "[t01] []|A2[t02] []|A3[t03] []|/Betafalse|B2[t05] []|e/value[] [{e/value e/lower e/upper}]|/Gammatrue|G1[t06] []"
	if strings.Join(said, "|") != want {
		t.Errorf("the file holds\n%s, not\n%s", strings.Join(said, "|"), want)
	}
}
