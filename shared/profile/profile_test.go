package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/session"
)

func decodeFile(t *testing.T, name string) (*Profile, []Problem) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	p, problems, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return p, problems
}

// What TensorBored's Python module writes is understood to the last field.
func TestPythonFile(t *testing.T) {
	p, problems := decodeFile(t, "python.json")
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	want := &Profile{
		Name: "Loss study", Modified: 1795184570950,
		Pins: []Pin{
			{Plugin: "scalars", Tag: "train/loss"},
			{Plugin: "histograms", Tag: "weights/fc1", Run: "baseline/train"},
			{Plugin: "images", Tag: "samples", Run: "baseline/train", sampled: true},
		},
		RunColors:    []RunColor{{Run: "baseline/train", Color: "#2196F3"}},
		GroupColors:  []GroupColor{{Group: `["baseline"]`, Color: 3}},
		Superimposed: []Superimposed{{ID: "superimposed-1795184570950-1", Title: "Train vs eval", Tags: []string{"train/loss", "eval/loss"}}},
		RunSelection: []SelectedRun{{Run: "baseline/train", Selected: true}},
		TagFilter:    "loss", RunFilter: "baseline", Smoothing: 0.8,
		Descriptions: map[string]string{"train/loss": "Cross-entropy on the *training* split."},
		GroupBy:      &GroupBy{Key: GroupRegex, Regex: "(baseline|exp)"},
		YScale:       Log10, TagScales: map[string]TagScale{"train/loss": {Y: Symlog}},
		Symlog: 0.01, TagSymlog: map[string]float64{"train/loss": 0.5},
		Groups: map[string]bool{"train": true, "eval": false},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
}

// What TensorBored's page keeps means the same runs and cards as what scripts write.
func TestPageFile(t *testing.T) {
	p, problems := decodeFile(t, "page.json")
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	var cards []string
	for _, c := range p.Pins {
		cards = append(cards, c.Card().String())
	}
	want := []string{"scalars?tag=train%2Floss", "images?tag=samples&run=baseline%2Ftrain&sample=2", "scalars?tag=train%2Floss&tag=eval%2Floss"}
	if !reflect.DeepEqual(cards, want) {
		t.Errorf("cards %q", cards)
	}
	runs, hide := Selection(p.RunSelection)
	if !reflect.DeepEqual(runs, map[string]bool{"baseline/train": true, "other": false}) || !hide {
		t.Errorf("selection %v, others hidden: %v", runs, hide)
	}
	if p.GroupBy == nil || p.GroupBy.Key != GroupRegex {
		t.Errorf("groupBy %+v", p.GroupBy)
	}
}

// A profile that was given to TensorBored's set_default_profile as a name is found there,
// and the mistake is named.
func TestProfileInAName(t *testing.T) {
	p, problems := decodeFile(t, "nested.json")
	if p.Name != "x" || p.Smoothing != 0.9 || len(p.Pins) != 1 {
		t.Errorf("got %+v", p)
	}
	if len(problems) != 1 || problems[0].Field != "name" || !problems[0].Minor {
		t.Errorf("problems %v", problems)
	}
}

// minimal is a document to which a test adds what it is about.
func minimal(fields string) []byte {
	return []byte(`{"version":1,"name":"n","lastModifiedTimestamp":1,"pinnedCards":[],"runColors":[],"groupColors":[],` +
		`"superimposedCards":[],"tagFilter":"","runFilter":"","smoothing":0.6` + fields + `}`)
}

// Everything that is wrong is named by its field, and costs no more than itself.
func TestProblemsAreNamed(t *testing.T) {
	for _, c := range []struct{ doc, field, what string }{
		{`{"version":1,"name":7,"smoothing":0.5}`, "name", "it is a number; it should be a text"},
		{`{"version":1,"name":"n","smoothing":"much"}`, "smoothing", "it is a text"},
		{`{"version":1,"name":"n","smoothing":2}`, "smoothing", "from 0 to 0.999"},
		{`{"version":1,"name":"n","smoothing":-1}`, "smoothing", "from 0 to 0.999"},
		{`{"version":1,"name":"n","pinnedCards":{}}`, "pinnedCards", "an object; it should be a list"},
		{`{"version":1,"name":"n","pinnedCards":[{"plugin":"scalars","tag":"a"},{"plugin":"scalars"}]}`, "pinnedCards[1].tag", "missing"},
		{`{"version":1,"name":"n","pinnedCards":[{"plugin":"images","tag":"a","sample":-1}]}`, "pinnedCards[0].sample", "whole number"},
		{`{"version":1,"name":"n","pinnedCards":[{"plugin":"images","tag":"a","sample":1.5}]}`, "pinnedCards[0].sample", "whole number"},
		{`{"version":1,"name":"n","pinnedCards":[null]}`, "pinnedCards[0]", "null"},
		{`{"version":1,"name":"n","runColors":[{"runId":"r","color":"red"}]}`, "runColors[0].color", "#rrggbb"},
		{`{"version":1,"name":"n","runColors":[{"runId":"r","color":"#fff;background:url(x)"}]}`, "runColors[0].color", "#rrggbb"},
		{`{"version":1,"name":"n","groupColors":[{"groupKey":"r","colorId":"1"}]}`, "groupColors[0].colorId", "a text"},
		{`{"version":1,"name":"n","superimposedCards":[{"id":"i","title":"t","tags":[]}]}`, "superimposedCards[0].tags", "no tag"},
		{`{"version":1,"name":"n","superimposedCards":[{"id":"i","title":"t","tags":[1]}]}`, "superimposedCards[0].tags", "a list of texts"},
		{`{"version":1,"name":"n","runSelection":[{"type":"ALL","value":"r","selected":true}]}`, "runSelection[0].type", "RUN_ID or RUN_NAME"},
		{`{"version":1,"name":"n","runSelection":[{"type":"RUN_ID","value":"r","selected":"yes"}]}`, "runSelection[0].selected", "true or false"},
		{`{"version":1,"name":"n","groupBy":{"key":4}}`, "groupBy.key", "REGEX_BY_EXP"},
		{`{"version":1,"name":"n","groupBy":{"key":"none"}}`, "groupBy.key", "REGEX_BY_EXP"},
		{`{"version":1,"name":"n","yAxisScale":"log"}`, "yAxisScale", "log10"},
		{`{"version":1,"name":"n","tagAxisScales":{"a":{"y":"cubic"}}}`, `tagAxisScales["a"].y`, "log10"},
		{`{"version":1,"name":"n","metricDescriptions":{"a":1}}`, `metricDescriptions["a"]`, "a number"},
		{`{"version":1,"name":"n","symlogLinearThreshold":0}`, "symlogLinearThreshold", "above 0"},
		{`{"version":1,"name":"n","expandedTagGroups":{"a":"open"}}`, `expandedTagGroups["a"]`, "true or false"},
		{`{"version":1,"name":"n","metricDescriptions":{"__proto__":"x"}}`, "metricDescriptions", "JavaScript"},
		{`{"version":1,"name":"n","__proto__":{"polluted":true}}`, "__proto__", "JavaScript"},
		{`{"version":1,"name":"n","tensorboredStatic":{"data":{"url":"javascript:alert(1)"}}}`, "tensorboredStatic.data.url", "http"},
		{`{"version":1,"name":"n","tensorboredStatic":{"data":{"url":"https://user:pw@x.org/"}}}`, "tensorboredStatic.data.url", "http"},
		{`{"version":1,"name":"n","tensorboredStatic":{"data":{"url":"https:///a"}}}`, "tensorboredStatic.data.url", "http"},
		{`{"version":1,"name":"n","tensorboredStatic":{"data":{"url":"https://a b"}}}`, "tensorboredStatic.data.url", "http"},
		{`{"version":1,"name":"n","tensorboredStatic":{"view":[]}}`, "view", "a list"},
	} {
		p, problems, err := Decode([]byte(c.doc))
		if err != nil {
			t.Errorf("%s: %v", c.doc, err)
			continue
		}
		found := false
		for _, x := range problems {
			found = found || x.Field == c.field && strings.Contains(x.What, c.what) && !x.Minor
		}
		if !found {
			t.Errorf("%s: problems %v; want %s: …%s…", c.doc, problems, c.field, c.what)
		}
		if _, err := Encode(p); err != nil {
			t.Errorf("%s: what was understood of it cannot be written: %v", c.doc, err)
		}
	}
}

// What is no profile is refused, with a word on what it is.
func TestRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1)
	for _, c := range []struct {
		doc  string
		want error
		text string
	}{
		{"", ErrNotJSON, "line 1"},
		{"{\n \"name\": oops}", ErrNotJSON, "line 2"},
		{`{"version":1,"name":"n"} trailing`, ErrNotJSON, "line 1"},
		{`{"smoothing": NaN}`, ErrNotJSON, "column"},
		{`[1,2]`, ErrNone, "object"},
		{`null`, ErrNone, "object"},
		{`{}`, ErrNone, "none of a profile's fields"},
		{`{"version":1,"data":[]}`, ErrNone, "data"},
		{`{"version":"1","name":"n"}`, ErrNone, "version"},
		{`{"version":2,"name":"n"}`, ErrNewer, "newer"},
		{`{"version":1,"data":{"version":9,"name":"n"}}`, ErrNewer, "newer"},
		{deep, ErrTooDeep, "deep"},
		{strings.Repeat("[", 1_000_000), ErrTooDeep, "deep"},
		{`{"name":"` + strings.Repeat("x", MaxBytes) + `"}`, ErrTooLarge, "MB"},
	} {
		short := c.doc[:min(len(c.doc), 60)]
		p, _, err := Decode([]byte(c.doc))
		if p != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, %v; want %v with %q", short, p, err, c.want, c.text)
		}
	}
}

// The three spellings of a group's key are one, and the number is written.
func TestGroupKeys(t *testing.T) {
	for i, want := range groupKeys {
		for _, spelling := range []string{fmt.Sprint(i), fmt.Sprintf("%q", want), fmt.Sprintf("%q", strings.ToLower(string(want)))} {
			p, problems, err := Decode(minimal(`,"groupBy":{"key":` + spelling + `}`))
			if err != nil || len(problems) > 0 || p.GroupBy == nil || p.GroupBy.Key != want {
				t.Errorf("%s: %+v %v %v", spelling, p.GroupBy, problems, err)
				continue
			}
			if text, err := Encode(p); err != nil || !strings.Contains(string(text), fmt.Sprintf(`"key": %d`, i)) {
				t.Errorf("%s is written as %s (%v)", spelling, text, err)
			}
		}
	}
}

// More pins than there may be: the first stay, the others are counted.
func TestManyPins(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, `,{"plugin":"scalars","tag":"t%d"}`, i)
	}
	p, problems, err := Decode([]byte(`{"version":1,"name":"n","pinnedCards":[` + b.String()[1:] + `]}`))
	if err != nil || len(p.Pins) != MaxPins || p.Pins[MaxPins-1].Tag != "t999" {
		t.Fatalf("%d pins, %v", len(p.Pins), err)
	}
	if !strings.Contains(fmt.Sprint(problems), "10000 entries") {
		t.Errorf("problems %v", problems)
	}
	if err := p.PinScalar("one more"); !errors.Is(err, ErrTooManyPins) {
		t.Errorf("one more: %v", err)
	}
	if err := p.PinScalar("t5"); err != nil {
		t.Errorf("pinned already: %v", err)
	}
}

// A million problems are not a million messages.
func TestManyProblems(t *testing.T) {
	_, problems, err := Decode([]byte(`{"version":1,"name":"n","runColors":[` + strings.Repeat("1,", 90_000) + `1]}`))
	if err != nil || len(problems) > MaxProblems+1 {
		t.Errorf("%d problems, %v", len(problems), err)
	}
}

// Unknown fields survive in all places.
func TestUnknownFieldsAreKept(t *testing.T) {
	doc := minimal(`,"pinnedCards":[{"plugin":"scalars","tag":"a","color":{"a":[1, 2]}}],"runColors":[{"runId":"r","color":"#123456","why":"<b>"}],` +
		`"superimposedCards":[{"id":"i","title":"t","tags":["a"],"runId":null,"w":3}],"runSelection":[{"type":"RUN_ID","value":"r","selected":true,"n":1e3}],` +
		`"groupBy":{"key":1,"x":null},"tagAxisScales":{"a":{"y":"log10","z":"new"}},"future":{"deep":[{"er":true}]},"tensorboredStatic":{"view":{"x":"wall"},"soon":1}`)
	p, problems, err := Decode(doc)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	text, err := EncodeBare(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"color":{"a":[1,2]}`, `"why":"<b>"`, `"w":3`, `"n":1e3`, `"x":null`, `"z":"new"`, `"future":{"deep":[{"er":true}]}`, `"view":{"x":"wall"}`, `"soon":1`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is gone from %s", want, text)
		}
	}
}

// A name is one line without tricks.
func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		" a \n b\t": "a b", "": Untitled, "\u202eevil": "evil", strings.Repeat("é", 150): strings.Repeat("é", 100),
		"<img src=x onerror=alert(1)>": "<img src=x onerror=alert(1)>", "👩‍🔬": "👩‍🔬",
	} {
		if p := New(in); p.Name != want {
			t.Errorf("%q: %q", in, p.Name)
		}
	}
	for in, want := range map[string]string{"a": "a.json", `a/b\c:d*e?"<f>|g` + "\n": "a_b_c_d_e___f__g_.json", "..": "profile.json", "": "profile.json", " é. ": "é.json"} {
		if got := FileName(in); got != want {
			t.Errorf("the file of %q is %q", in, got)
		}
	}
	taken := map[string]bool{"a": true, "a (1)": true}
	if n := UniqueName("a", func(n string) bool { return taken[n] }); n != "a (2)" {
		t.Errorf("unique: %s", n)
	}
}

// Runs are meant by name, whichever way they are spelt.
func TestRunNames(t *testing.T) {
	known := func(r string) bool { return r == "train" || r == "a/b" }
	for id, want := range map[string]string{"train": "train", "defaultExperimentId/train": "train", "17/train": "train", "a/b": "a/b", "defaultExperimentId/a/b": "a/b", "x/a/b": "a/b", "gone/run": "gone/run"} {
		if got := KnownRun(id, known); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	if RunName(RunID("a/b")) != "a/b" {
		t.Error("a run's id does not lead back to its name")
	}
}

// selected_runs hides the others, as it is documented; a list that only hides does not.
func TestSelection(t *testing.T) {
	p := New("n")
	p.SelectRuns("a", "b")
	runs, hide := Selection(p.RunSelection)
	if !hide || !runs["a"] || !runs["b"] || len(runs) != 2 {
		t.Errorf("%v %v", runs, hide)
	}
	if runs, hide := Selection([]SelectedRun{{Run: "a"}}); hide || runs["a"] {
		t.Errorf("%v %v", runs, hide)
	}
	if runs, hide := Selection(nil); hide || runs != nil {
		t.Errorf("%v %v", runs, hide)
	}
}

// A profile that is not right is not written, and the field is named.
func TestWrongIsNotWritten(t *testing.T) {
	p := New("n")
	p.RunColors = []RunColor{{Run: "r", Color: "red"}}
	var invalid *InvalidError
	if _, err := Encode(p); !errors.As(err, &invalid) || !strings.Contains(err.Error(), "runColors[0].color") {
		t.Errorf("%v", err)
	}
	if problems := Validate(p); len(problems) != 1 {
		t.Errorf("%v", problems)
	}
	if err := New("n").SetRunColor("r", "red"); err == nil {
		t.Error("red was taken for a colour")
	}
}

// full is a profile with something in every field.
func full() *Profile {
	p := New("Everything")
	p.Modified = 1795184570950
	p.PinScalar("train/loss")
	p.PinHistogram("w", "a/b")
	p.PinImage("img", "a/b", 2)
	p.AddPin(PinOf(session.CardOf("scalars", "x", "y")))
	p.SetRunColor("a/b", "#2196F3")
	p.SetRunColor("A/b", "#123456")
	p.SetRunColor("0", "#2196F3")
	p.GroupColors = []GroupColor{{Group: `["a"]`, Color: -1}, {Group: `["A"]`, Color: 3}}
	p.AddSuperimposed("Both", "", "x", "y")
	p.AddSuperimposed("Of one run", "a/b", "y", "x", "z")
	p.SelectRuns("gone with the next line", "a")
	p.SelectRuns("a/b", "0", "A/b")
	p.TagFilter, p.RunFilter = "loss", "a"
	p.Describe("train/loss", "*Cross*-entropy <script>alert(1)</script>")
	p.Smoothing = 0.8
	p.GroupBy = &GroupBy{Key: GroupRegexByExp, Regex: "(a)"}
	p.YScale, p.XScale = Log10, Linear
	p.SetTagScale("train/loss", Symlog, "")
	p.Symlog, p.TagSymlog = 0.5, map[string]float64{"x": 2}
	p.Groups = map[string]bool{"train": true}
	p.View = Fields{"x": []byte(`"wall"`)}
	p.Data = &Data{URL: "https://example.org/logs/", Folder: "logs", Runs: []string{"a/b"}, Total: 1}
	p.Extra, p.OwnExtra = Fields{"future": []byte(`1`)}, Fields{"later": []byte(`[]`)}
	return p
}

// What is written is read as it was, in both forms, and has every field that TensorBored
// checks.
func TestRoundTrip(t *testing.T) {
	p := full()
	for name, encode := range map[string]func(*Profile) ([]byte, error){"wrapped": Encode, "bare": EncodeBare} {
		text, err := encode(p)
		if err != nil {
			t.Fatal(name, err)
		}
		q, problems, err := Decode(text)
		if err != nil || len(problems) > 0 || !reflect.DeepEqual(p, q) {
			t.Errorf("%s: %v %v\ngot  %+v\nwant %+v", name, problems, err, q, p)
		}
	}
	q := full()
	if q.Superimposed[1].Run != "a/b" || len(q.RunSelection) != 3 {
		t.Errorf("%+v, %+v", q.Superimposed, q.RunSelection)
	}
	if text, err := EncodeBare(New("n")); err != nil || bytes.Contains(text, []byte(Own)) {
		t.Errorf("a profile without anything of ours says %s, %v", text, err)
	}
	if d := Diff(p, q); d != nil {
		t.Errorf("equal profiles differ in %v", d)
	}
	if !reflect.DeepEqual(p.Clone(), p) {
		t.Error("a copy differs")
	}
	v := reflect.ValueOf(*p)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("this test leaves %s empty", v.Type().Field(i).Name)
		}
	}
}

// Every field counts for a difference, and is named as in the document.
func TestDiff(t *testing.T) {
	base := full()
	for want, change := range map[string]func(*Profile){
		"pinnedCards":               func(p *Profile) { p.Pins[0], p.Pins[1] = p.Pins[1], p.Pins[0] },
		"runColors":                 func(p *Profile) { p.RunColors[0].Color = "#000000" },
		"groupColors":               func(p *Profile) { p.GroupColors = nil },
		"superimposedCards":         func(p *Profile) { p.Superimposed[0].Title = "t" },
		"runSelection":              func(p *Profile) { p.RunSelection[0].Selected = false },
		"tagFilter":                 func(p *Profile) { p.TagFilter = "x" },
		"runFilter":                 func(p *Profile) { p.RunFilter = "x" },
		"smoothing":                 func(p *Profile) { p.Smoothing = 0 },
		"groupBy":                   func(p *Profile) { p.GroupBy = nil },
		"metricDescriptions":        func(p *Profile) { p.Describe("x", "y") },
		"yAxisScale":                func(p *Profile) { p.YScale = Linear },
		"xAxisScale":                func(p *Profile) { p.XScale = Log10 },
		"tagAxisScales":             func(p *Profile) { p.SetTagScale("train/loss", Linear, "") },
		"symlogLinearThreshold":     func(p *Profile) { p.Symlog = 1 },
		"tagSymlogLinearThresholds": func(p *Profile) { p.TagSymlog = nil },
		"expandedTagGroups":         func(p *Profile) { p.Groups["train"] = false },
		"x":                         func(p *Profile) { p.View["x"] = []byte(`"step"`) },
		"future":                    func(p *Profile) { delete(p.Extra, "future") },
	} {
		p := base.Clone()
		change(p)
		if got := Diff(base, p); !reflect.DeepEqual(got, []string{want}) {
			t.Errorf("%s: differs in %v", want, got)
		}
	}
	same := base.Clone()
	same.Name, same.Modified, same.Data = "other", 0, nil
	same.RunColors[0] = RunColor{Run: "a/b", Color: "#2196f3"}
	same.RunSelection[0].ByID, same.RunSelection[0].Run = true, RunID("a/b")
	slices.Reverse(same.RunColors) // an order that says nothing
	slices.Reverse(same.GroupColors)
	slices.Reverse(same.RunSelection)
	if d := Diff(base, same); d != nil {
		t.Errorf("what means the same differs in %v", d)
	}
}

// Merging adds and does not lose; what is merged twice is there once.
func TestMerge(t *testing.T) {
	a, b := New("a"), full()
	a.PinScalar("mine")
	a.PinScalar("train/loss")
	a.SetRunColor("own", "#111111")
	a.SetRunColor("a/b", "#222222")
	a.TagFilter = "acc"
	m := Merge(a, b)
	if m.Name != "a" || m.Pins[0].Tag != "mine" || len(m.Pins) != 5 {
		t.Errorf("%s, pins %v", m.Name, m.Pins)
	}
	if len(m.RunColors) != 4 || m.RunColors[1].Color != "#2196F3" || m.RunColors[2].Color != "#123456" {
		t.Errorf("colours %v", m.RunColors)
	}
	if m.TagFilter != "(acc)|(loss)" {
		t.Errorf("filter %s", m.TagFilter)
	}
	if len(a.Pins) != 2 || a.RunColors[1].Color != "#222222" {
		t.Error("merging changed what it merged into")
	}
	again := Merge(m, b)
	again.TagFilter, again.RunFilter = m.TagFilter, m.RunFilter
	if d := Diff(m, again); d != nil {
		t.Errorf("merged twice, it differs in %v", d)
	}
	if d := Diff(Merge(New("empty"), b), b); d != nil {
		t.Errorf("merged into nothing, it differs in %v", d)
	}
}

// Whatever a file holds: what was understood is written and read again as it was.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"python.json", "page.json", "nested.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	text, err := Encode(full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(minimal(`,"x":[1e999],"pinnedCards":[{"plugin":"a","tag":"b","tags":["c"],"x":{"__proto__":1}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, problems, err := Decode(text)
		if err != nil {
			if p != nil || len(problems) > MaxProblems+1 {
				t.Fatalf("%v with %v", err, p)
			}
			return
		}
		once, err := Encode(p)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		q, problems, err := Decode(once)
		if err != nil || len(problems) > 0 {
			t.Fatalf("what was written has problems: %v %v\n%s", problems, err, once)
		}
		if !reflect.DeepEqual(p, q) {
			t.Fatalf("got  %+v\nwant %+v", q, p)
		}
		if d := Diff(p, q); d != nil {
			t.Fatalf("differs in %v", d)
		}
	})
}

// Texts of any characters come back as they were, on one line, and < and > stay readable.
func TestEncodeTexts(t *testing.T) {
	for _, text := range []string{"", "loss/train", "a<b>&c", `say "so"`, `back\slash`, "line\nbreak\t", "\x00\x7f", "Größe 損失 😀", "\u2028"} {
		p := &Profile{Name: "n", Smoothing: 0.5, GroupColors: []GroupColor{{Group: text, Color: 3}}, TagFilter: text,
			Groups: map[string]bool{text: true}, Extra: Fields{"x": json.RawMessage("{\n\"y\": 1}")}}
		raw, err := EncodeBare(p)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got struct {
			GroupColors       []struct{ GroupKey string }
			TagFilter         string
			ExpandedTagGroups map[string]bool
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q: %v in %s", text, err, raw)
		}
		if got.GroupColors[0].GroupKey != text || got.TagFilter != text || !got.ExpandedTagGroups[text] {
			t.Errorf("%q comes back as %+v", text, got)
		}
		if bytes.ContainsAny(raw, "\n") || !bytes.Contains(raw, []byte(`"x":{"y":1}`)) {
			t.Errorf("%q: not on one line: %s", text, raw)
		}
		if text == "a<b>&c" && !bytes.Contains(raw, []byte(`"tagFilter":"a<b>&c"`)) {
			t.Errorf("people cannot read %s", raw)
		}
	}
}

// Words above the cards of a dashboard, the one that the profile opens unless another is named.
func TestIntroduce(t *testing.T) {
	p := New("n")
	for _, step := range []struct {
		board, words string
		want         map[string]string
	}{
		{"", "first", map[string]string{"timeseries": "first"}},
		{"images", "# second", map[string]string{"timeseries": "first", "images": "# second"}},
		{"", " \n", map[string]string{"images": "# second"}},
		{"images", "", map[string]string{}},
	} {
		if err := p.Introduce(step.board, step.words); err != nil || !maps.Equal(p.Introductions(), step.want) {
			t.Errorf("%+v: %v %v", step, p.Introductions(), err)
		}
	}
	if len(p.View) != 0 {
		t.Errorf("left: %v", p.View)
	}
	p.View = Fields{"board": json.RawMessage(`"text"`)}
	if err := p.Introduce("", strings.Repeat("é", 20000)); err != nil || p.Introductions()["text"] == "" {
		t.Error(err, p.View)
	}
	text, err := Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if back, problems, err := Decode(text); err != nil || len(problems) > 0 || len(back.Introductions()["text"]) != 40000 {
		t.Errorf("%v %v", problems, err)
	}
	if err := p.Introduce("", strings.Repeat("é", 20001)); err == nil || !strings.Contains(err.Error(), "20000 characters") {
		t.Error(err)
	}
	p.View["introductions"] = json.RawMessage(`["odd"]`)
	if err := p.Introduce("", "x"); err != nil || !maps.Equal(p.Introductions(), map[string]string{"text": "x"}) {
		t.Error(p.Introductions(), err)
	}
}
