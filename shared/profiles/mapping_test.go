package profiles

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Settings that kinds of cards declare, by the same names.
var (
	smoothing = session.Number("smoothing", session.View, 0.6, 0, 0.999)
	x         = session.Choice("x", session.View, "step", "relative", "wall")
	yScale    = session.Choice("yAxisScale", session.View, "linear", "log10", "symlog10")
	tagScales = session.Table[map[string]string]("tagAxisScales", session.View, nil)
	zone      = session.Number("symlogZone", session.View, 0, 0, 1e30)
	width     = session.Count("width", session.Preference, 300, 1, 1000)
)

var schema = append(append(session.Schema{}, session.Page...), smoothing.Decl, x.Decl, yScale.Decl, tagScales.Decl, zone.Decl, width.Decl)

// arranged is a session in which the user has changed everything.
func arranged() *session.State {
	s := &session.State{}
	session.Board.Set(s, "text")
	session.TagFilter.Set(s, "loss")
	session.RunFilter.Set(s, "adam")
	session.Wide.Put(s, "scalars?tag=a", true)
	session.Forms.Put(s, "b", true)
	session.Groups.Put(s, "train", false)
	session.PinsClosed.Set(s, true)
	session.Pin(s, session.CardOf("scalars", "b"))
	session.Pin(s, session.CardOf("images", "a").OfRun("x/y", 2))
	session.Pin(s, session.CardOf("scalars", "one", "two"))
	session.Pin(s, session.CardID{Plugin: "scalars", Tag: "a", Part: session.PartOf(session.PartGroup, "0.1")})
	session.RunColors.Put(s, "x/y", "#123456")
	session.RunRank.Set(s, "min?name=loss")
	session.RunTop.Set(s, 5)
	session.RunCalled.Set(s, session.CalledParams)
	session.RunHues.Put(s, "x/y", 7)
	session.RunColumnBest.Put(s, "last?name=lr", "low")
	session.GroupBy.Set(s, session.Grouping{Key: session.GroupByRegex, Regex: "(a|b)"})
	session.GroupColors.Put(s, `["a"]`, "#e52592")
	session.GroupColors.Put(s, `["b"]`, "#010203")
	session.Runs.Put(s, "x/y", true)
	session.Runs.Put(s, "z", false)
	session.OthersOff.Set(s, true)
	session.RunSort.Set(s, session.SortNewest)
	smoothing.Set(s, 0.9)
	x.Set(s, "wall")
	yScale.Set(s, "log10")
	tagScales.Put(s, "a", map[string]string{"y": "symlog10"})
	session.Descriptions.Put(s, "a", "*words*")
	session.Introductions.Put(s, "text", "# Words")
	session.IntroductionsClosed.Set(s, true)
	session.Kinds.Put(s, "images", true)
	run := "x/y"
	session.SuperimposedCards.Set(s, []session.Superimposed{{ID: "superimposed-1", Title: "Both", Tags: []string{"a", "b"}}, {ID: "superimposed-2", Tags: []string{"c", "d"}, Run: &run}})
	zone.Set(s, 0.5)
	width.Set(s, 500)
	lo := 0.5
	session.PluginData.Put(s, "demo.run", "a/b")
	session.RunColumns.Set(s, []string{"param?name=lr", "min?name=loss&group=eval"})
	session.RunColumnWidths.Put(s, "param?name=lr", 90)
	session.RunColumnSort.Set(s, []string{"-min?name=loss", "param?name=lr"})
	session.RunColumnFilters.Put(s, "min?name=loss", session.ColumnFilter{Lo: &lo, Only: true, Values: []string{"a"}, Regex: "x", Missing: true})
	session.RunRowsBy.Set(s, "param?name=lr")
	session.RunPlot.Set(s, "matrix")
	session.RunCompare.Set(s, true)
	session.RunCompareAll.Set(s, true)
	session.RunPlotAxes.Set(s, []string{"param?name=lr", "min?name=loss"})
	session.RunPlotMatrix.Set(s, []string{"min?name=loss", "status"})
	session.RunPlotX.Set(s, "param?name=lr")
	session.RunPlotY.Set(s, "min?name=loss")
	session.RunPlotColor.Set(s, "status")
	session.RunPlotScales.Put(s, "param?name=lr", "log")
	session.RunPlotFlips.Put(s, "param?name=lr", true)
	session.GroupColumn.Set(s, "param?name=lr")
	session.GroupScale.Set(s, "log")
	session.RunTableAll.Set(s, true)
	session.RunNotes.Put(s, "x/y", "a note")
	session.RunTags.Put(s, "x/y", "best")
	session.RunNames.Put(s, "x/y", "the best")
	session.RunsHidden.Put(s, "z", true)
	return s
}

// sent is a profile as who gets its document has it.
func sent(t *testing.T, p *profile.Profile) *profile.Profile {
	t.Helper()
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	p, problems, err := profile.Decode(text)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return p
}

// What is on screen is there again: through the document, on a page that showed something
// else, every setting of the view and the runs; preferences stay those of the browser.
func TestViewThroughProfile(t *testing.T) {
	want := arranged()
	p := sent(t, Derive(schema, profile.New("n"), want))
	other := &session.State{}
	session.TagFilter.Set(other, "something else")
	session.Pin(other, session.CardOf("scalars", "c"))
	session.Runs.Put(other, "other", true)
	for name, from := range map[string]*session.State{"a fresh page": {}, "a page that shows another view": other} {
		got := Apply(schema, p, from, nil)
		for _, d := range schema {
			if d.Scope() == session.Preference {
				if !d.Same(&got, from) {
					t.Errorf("%s: the preference %s is another one", name, d.Name())
				}
			} else if !d.Same(&got, want) {
				t.Errorf("%s: %s is not as it was", name, d.Name())
			}
		}
		if changes := Changes(schema, p, &got); changes != nil {
			t.Errorf("%s: right after loading %v are changed", name, changes)
		}
	}
	for _, d := range schema {
		if d.Scope() != session.Preference && d.Same(want, &session.State{}) && d.Name() != "profile" && d.Name() != "folders" && d.Name() != "noDefault" && d.Name() != "seedsLeft" && d.Name() != "runsOf" && d.Name() != "runGiven" {
			t.Errorf("this test leaves %s as it is", d.Name())
		}
	}
}

// Each change of a setting of the view is a change of the profile, and taking it back is
// none.
func TestEveryChangeIsSeen(t *testing.T) {
	base := &session.State{}
	p := Derive(schema, profile.New("n"), base)
	full := arranged()
	for _, d := range schema {
		if d.Scope() == session.Preference || d.Name() == "profile" || d.Name() == "folders" || d.Name() == "noDefault" || d.Name() == "seedsLeft" || d.Name() == "runsOf" || d.Name() == "runGiven" {
			continue
		}
		s := base.Clone()
		d.Copy(&s, full)
		if got := Changes(schema, p, &s); (len(got) == 0) != (d.Name() == "board") { // to look is no change
			t.Errorf("that %s was changed is noticed as %v", d.Name(), got)
		}
		d.Reset(&s)
		if got := Changes(schema, p, &s); got != nil {
			t.Errorf("%s is as before, and %v are changed", d.Name(), got)
		}
	}
	s := base.Clone()
	width.Set(&s, 400)
	session.Folders.Put(&s, "a", true)
	if got := Changes(schema, p, &s); got != nil {
		t.Errorf("preferences count as changes: %v", got)
	}
}

func decodeFile(t *testing.T, name string) *profile.Profile {
	t.Helper()
	text, err := os.ReadFile("../profile/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := profile.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A profile of TensorBored's Python module shows what its author wrote, and right after
// loading there is nothing to save. The runs that it selects hide the others.
func TestFromPython(t *testing.T) {
	p := decodeFile(t, "python.json")
	s := Apply(schema, p, &session.State{}, nil)
	if got := session.Pins.Of(&s); !slices.Equal(got, []string{"scalars?tag=train%2Floss", "histograms?tag=weights%2Ffc1&run=baseline%2Ftrain", "images?tag=samples&run=baseline%2Ftrain"}) {
		t.Errorf("pins %q", got)
	}
	if c, _ := session.RunColors.Get(&s, "baseline/train"); c != "#2196F3" {
		t.Errorf("colour %q", c)
	}
	if g := session.GroupBy.Of(&s); g.Key != session.GroupByRegex || g.Regex != "(baseline|exp)" {
		t.Errorf("groups %+v", g)
	}
	if c, _ := session.GroupColors.Get(&s, `["baseline"]`); c != "#f9ab00" {
		t.Errorf("the colour of the group is %q", c)
	}
	if on, ok := session.Runs.Get(&s, "baseline/train"); !on || !ok || !session.OthersOff.Of(&s) {
		t.Error("the selected run does not hide the others")
	}
	if d, _ := session.Descriptions.Get(&s, "train/loss"); d != "Cross-entropy on the *training* split." {
		t.Errorf("description %q", d)
	}
	if smoothing.Of(&s) != 0.8 || yScale.Of(&s) != "log10" || zone.Of(&s) != 0.01 || session.TagFilter.Of(&s) != "loss" || session.RunFilter.Of(&s) != "baseline" {
		t.Error("numbers, scales or filters are others")
	}
	if changes := Changes(schema, p, &s); changes != nil {
		t.Errorf("right after loading %v are changed", changes)
	}
	// Saved from here nothing of it is lost.
	if d := profile.Diff(p, Derive(schema, p, &s)); !reflect.DeepEqual(d, []string{"others"}) {
		t.Errorf("saved again it differs in %v", d)
	}
}

// The same run is meant whether a profile names it by id or by name, of whatever
// experiment, as soon as the runs are known.
func TestRunsByIDAndName(t *testing.T) {
	known := func(r string) bool { return r == "baseline/train" || r == "other" }
	for _, id := range []string{"baseline/train", "defaultExperimentId/baseline/train", "17/baseline/train"} {
		p := profile.New("n")
		p.RunColors = []profile.RunColor{{Run: id, Color: "#111111"}}
		p.Pins = []profile.Pin{{Plugin: "images", Tag: "a", Run: id}}
		p.RunSelection = []profile.SelectedRun{{ByID: true, Run: id, Selected: true}}
		s := Apply(schema, p, &session.State{}, Runs(known, ""))
		if c, _ := session.RunColors.Get(&s, "baseline/train"); c != "#111111" {
			t.Errorf("%s: the run has the colour %q", id, c)
		}
		if on, _ := session.Runs.Get(&s, "baseline/train"); !on {
			t.Errorf("%s: the run is off", id)
		}
		if !session.Pinned(&s, session.CardOf("images", "a").OfRun("baseline/train", 0)) {
			t.Errorf("%s: pins %q", id, session.Pins.Of(&s))
		}
	}
}

// A profile of one of several logdirs means that one's runs.
func TestRunsBelowARoot(t *testing.T) {
	have := map[string]bool{"base/x": true, "base": true, "new/x": true, "y": true}
	runs := Runs(func(r string) bool { return have[r] }, "base")
	for id, want := range map[string]string{"x": "base/x", "defaultExperimentId/x": "base/x", "3/x": "base/x", ".": "base", "y": "y", "new/x": "new/x", "gone": "gone"} {
		if got := runs(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// Loading replaces: nothing of the view before piles up. A profile that says nothing of
// runs leaves them as they are.
func TestLoadingReplaces(t *testing.T) {
	p := profile.New("empty")
	s := Apply(schema, p, arranged(), nil)
	if session.Pins.Of(&s) != nil || session.RunColors.Of(&s) != nil || session.TagFilter.Of(&s) != "" || smoothing.Of(&s) != 0.6 {
		t.Error("something of the view before is still there")
	}
	if on, _ := session.Runs.Get(&s, "x/y"); !on {
		t.Error("the runs are others")
	}
}

// What a profile brought goes with it, and the view before comes back; what the user changed
// since stays, and so does what belongs to the logdir or the browser.
func TestWithout(t *testing.T) {
	p := profile.New("theirs")
	p.Pins = []profile.Pin{{Plugin: "scalars", Tag: "theirs"}}
	p.Smoothing = 0.9
	p.TagFilter = "theirs"
	p.RunSelection = []profile.SelectedRun{{Run: "a", Selected: true}}
	own := &session.State{}
	session.TagFilter.Set(own, "mine")
	x.Set(own, "wall")
	width.Set(own, 400)
	s := Apply(schema, p, own, nil)
	session.Profile.Set(&s, Of(OfDefault, p.Name))
	session.Board.Set(&s, "images")
	session.RunFilter.Set(&s, "since")
	width.Set(&s, 500)
	for _, changed := range []bool{false, true} {
		pins := []session.CardID(nil)
		if changed {
			session.Pin(&s, session.CardOf("scalars", "mine"))
			pins = session.PinnedCards(&s)
		}
		next := Without(schema, p, &s, own)
		if got := session.PinnedCards(&next); !slices.Equal(got, pins) {
			t.Errorf("changed %v: pinned are %v, not %v", changed, got, pins)
		}
		if session.TagFilter.Of(&next) != "mine" || x.Of(&next) != "wall" || smoothing.Of(&next) != 0.6 || session.Profile.Of(&next) != "" {
			t.Error("the view before did not come back")
		}
		if session.RunFilter.Of(&next) != "since" || width.Of(&next) != 500 || session.Board.Of(&next) != "images" || !session.OthersOff.Of(&next) {
			t.Error("what was changed since is gone")
		}
	}
}

// What this program does not know stays in a profile that it saves.
func TestUnknownStays(t *testing.T) {
	p := profile.New("n")
	p.Extra = profile.Fields{"future": []byte("1")}
	p.View = profile.Fields{"ofTomorrow": []byte("2")}
	p.TagSymlog = map[string]float64{"a": 3}
	p.Pins = []profile.Pin{{Plugin: "scalars", Tag: "title", Tags: []string{"one", "two"}, Title: "Both", Extra: profile.Fields{"z": []byte("4")}}}
	p.GroupBy = &profile.GroupBy{Key: profile.GroupExperiment}
	p.GroupColors = []profile.GroupColor{{Group: "g", Color: 99}}
	s := Apply(schema, p, &session.State{}, nil)
	smoothing.Set(&s, 0.2)
	q := Derive(schema, p, &s)
	if got := profile.Diff(p, q); !slices.Equal(got, []string{"smoothing", "others"}) {
		t.Errorf("lost or changed: %v", got)
	}
}

// All that a profile says of a run it says of the run that is called so here.
func TestRunsRenamed(t *testing.T) {
	s := &session.State{}
	session.RunNotes.Put(s, "train", "a note")
	session.RunTags.Put(s, "train", "best")
	session.RunNames.Put(s, "train", "the best")
	session.RunsHidden.Put(s, "train", true)
	session.Baseline.Set(s, "train")
	run := "train"
	session.SuperimposedCards.Set(s, []session.Superimposed{{ID: "superimposed-1", Tags: []string{"a", "b"}, Run: &run}})
	l := append(append(session.Schema{}, schema...), session.Baseline.Decl)
	p := Derive(l, profile.New("n"), s)
	got := Apply(l, p, &session.State{}, Runs(func(run string) bool { return run == "base/train" }, "base"))
	for _, d := range []*session.TableSetting[string]{session.RunNotes, session.RunTags, session.RunNames} {
		if _, ok := d.Get(&got, "base/train"); !ok || len(d.Of(&got)) != 1 {
			t.Errorf("%s is %v", d.Name(), d.Of(&got))
		}
	}
	if !session.RunsHidden.Of(&got)["base/train"] || session.Baseline.Of(&got) != "base/train" {
		t.Errorf("hidden are %v, the baseline is %q", session.RunsHidden.Of(&got), session.Baseline.Of(&got))
	}
	if c := session.SuperimposedCards.Of(&got); len(c) != 1 || session.RunName(*c[0].Run) != "base/train" {
		t.Errorf("the card is %+v", c)
	}
	if string(p.View["runNotes"]) != `{"train":"a note"}` || p.Superimposed[0].Run == "base/train" {
		t.Error("the profile was changed")
	}
}

// A profile of somebody who knows nothing of words about runs leaves the user's alone; one
// that was saved here says that there are none.
func TestWordsStay(t *testing.T) {
	s := &session.State{}
	session.RunNotes.Put(s, "train", "a note")
	session.RunsHidden.Put(s, "z", true)
	for p, want := range map[*profile.Profile]int{decodeFile(t, "python.json"): 1, Derive(schema, profile.New("n"), &session.State{}): 0} {
		got := Apply(schema, p, s, nil)
		if len(session.RunNotes.Of(&got)) != want || len(session.RunsHidden.Of(&got)) != want {
			t.Errorf("%s: %v, %v", p.Name, session.RunNotes.Of(&got), session.RunsHidden.Of(&got))
		}
	}
}

// What a change costs does not depend on how large the rest of the profile is: of ten thousand
// colours none is written down to see that the smoothing was changed.
func BenchmarkChanges(b *testing.B) {
	p := profile.New("large")
	for i := range profile.MaxEntries {
		p.RunColors = append(p.RunColors, profile.RunColor{Run: fmt.Sprintf("exp/run%d", i), Color: "#123456"})
	}
	l := session.Schema(session.Page)
	s := Apply(l, p, &session.State{}, nil)
	session.TagFilter.Set(&s, "loss")
	b.ReportAllocs()
	for b.Loop() {
		if got := Changes(l, p, &s); len(got) != 1 {
			b.Fatal(got)
		}
	}
}

// A profile that a script makes colours runs by a column, as the page does.
func TestColorBy(t *testing.T) {
	p := profile.New("n")
	for _, c := range []struct {
		do                       func(name, scale string) error
		name, scale              string
		column, wantScale, wrong string
	}{
		{p.ColorByParam, "lr rate/0", profile.ScaleLog, "param?name=lr+rate%2F0", "log", ""},
		{p.ColorByMetric, "val/acc", profile.ScaleNone, "param?name=lr+rate%2F0", "log", "hardly two runs"},
		{p.ColorByParam, "opt", "rainbow", "param?name=lr+rate%2F0", "log", "no scale of colours"},
		{p.ColorByParam, "opt", profile.ScaleNone, "param?name=opt", "", ""},
		{p.ColorByMetric, "val/acc", profile.ScaleLinear, "last?name=val%2Facc", "linear", ""},
		{p.ColorByMetric, "", profile.ScaleNone, "", "", ""},
	} {
		err := c.do(c.name, c.scale)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v", c, err)
		}
		s := Apply(schema, sent(t, p), &session.State{}, nil)
		if got := session.GroupColumn.Of(&s); got != c.column || session.GroupScale.Of(&s) != c.wantScale {
			t.Errorf("%+v: %q, scale %q", c, got, session.GroupScale.Of(&s))
		}
		if c.column != "" && runtable.ParseKey(c.column).String() != c.column {
			t.Errorf("%q is no column of the table", c.column)
		}
	}
}
