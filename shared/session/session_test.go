package session

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type scale string

// Settings as a card kind declares them.
var (
	smoothing = Number("smoothing", View, 0.6, 0, 0.999).Linked("smoothing").Pane()
	yAxis     = Choice[scale]("yScale", View, "linear", "log", "symlog").Linked("y").Pane()
	tagY      = Table("tagScale", View, func(_ string, v scale) bool { return v == "linear" || v == "log" || v == "symlog" })
	schema    = append(append(Schema{}, Page...), smoothing.Decl, yAxis.Decl, tagY.Decl)
)

func full() *State {
	s := &State{}
	TagFilter.Set(s, `^(a|b)+/x&y=1 #\d`)
	RunFilter.Set(s, "ä ö%")
	smoothing.Set(s, 0.987)
	yAxis.Set(s, "symlog")
	tagY.Put(s, "train/loss", "log")
	Wide.Put(s, CardOf("scalars", "train/loss").String(), true)
	Runs.Put(s, "a/b", false)
	RunColors.Put(s, "a/b", "#12ab34")
	ThemeChoice.Set(s, ThemeDark)
	RunsOpen.Set(s, false)
	CardWidth.Set(s, 500)
	Memory.Set(s, 128)
	return s
}

func same(t *testing.T, what string, got, want *State) {
	t.Helper()
	for _, d := range schema.Changed(got, want) {
		t.Errorf("%s: %s differs: got %+v", what, d.Name(), got.values[d.Name()])
	}
}

// Names and keys are told apart by what is kept and sent: two alike would be one.
func TestSchema(t *testing.T) {
	names, keys := map[string]bool{"version": true}, map[string]bool{}
	for _, d := range schema {
		if names[d.Name()] || d.link != "" && keys[d.link] {
			t.Errorf("%s is declared twice", d.Name())
		}
		names[d.Name()], keys[d.link] = true, true
		if d.link != "" && d.Scope() == Preference {
			t.Errorf("%s is in links and everybody's own", d.Name())
		}
	}
}

func TestStoreRoundTrip(t *testing.T) {
	for _, s := range []*State{{}, full()} {
		got := &State{}
		for _, scope := range []Scope{View, Preference} {
			schema.Decode(scope, got, schema.Encode(scope, s))
		}
		schema.DecodeHere("logs", got, schema.PatchHere("logs", "", schema, s))
		same(t, "round trip", got, s)
	}
}

func TestStoreIsNotTrusted(t *testing.T) {
	for _, text := range []string{"", "null", "[", `{"version":99,"smoothing":0.1}`, `{"smoothing":"x","tagFilter":7}`, `{"version":"x"}`} {
		got := full()
		want := full()
		for _, d := range schema {
			if d.Scope() == View {
				d.Reset(want)
			}
		}
		schema.Decode(View, got, text)
		same(t, text, got, want)
	}
	got := &State{}
	text := `{"version":2,"smoothing":7,"yScale":"cube","cardWidth":-4,"runColors":{"a":"red;x","b":"#ffffff"},"tagScale":{"t":"no"},"theme":"<b>"}`
	schema.Decode(View, got, text)
	schema.Decode(Preference, got, text)
	if smoothing.Of(got) != 0.999 || yAxis.Of(got) != "linear" || CardWidth.Of(got) != MinCard || ThemeChoice.Of(got) != ThemeSystem {
		t.Errorf("not within limits: %+v", got)
	}
	if len(RunColors.Of(got)) != 1 || len(tagY.Of(got)) != 0 {
		t.Errorf("bad colours or scales kept: %+v", got)
	}
	smoothing.Set(got, math.NaN())
	if smoothing.Of(got) != 0.6 {
		t.Errorf("NaN is %v", smoothing.Of(got))
	}
}

// Two tabs that change different settings both find their own afterwards.
func TestTwoTabs(t *testing.T) {
	stored := map[Scope]string{}
	write := func(changed []*Decl, s *State) {
		stored[View] = schema.Patch(View, stored[View], changed, s)
		stored[Preference] = schema.Patch(Preference, stored[Preference], changed, s)
		stored[Here] = schema.PatchHere("logs", stored[Here], changed, s)
	}
	a, b := &State{}, &State{}
	before := a.Clone()
	Runs.Put(a, "r", false)
	ThemeChoice.Set(a, ThemeDark)
	write(schema.Changed(&before, a), a)
	write(nil, b) // an idle one that closes
	before = b.Clone()
	smoothing.Set(b, 0.2)
	write(schema.Changed(&before, b), b)
	got := &State{}
	schema.Decode(View, got, stored[View])
	schema.Decode(Preference, got, stored[Preference])
	schema.DecodeHere("logs", got, stored[Here])
	if smoothing.Of(got) != 0.2 || ThemeChoice.Of(got) != ThemeDark {
		t.Errorf("got %+v", got)
	}
	if on, ok := Runs.Get(got, "r"); on || !ok {
		t.Errorf("the run's choice is lost: %+v", got)
	}
	// Back to the default is a change like another.
	before = b.Clone()
	smoothing.Reset(b)
	write(schema.Changed(&before, b), b)
	if strings.Contains(stored[View], "smoothing") {
		t.Errorf("kept %s", stored[View])
	}
	// A setting of a newer version stays.
	stored[View] = `{"version":2,"later":1}`
	smoothing.Set(b, 0.3)
	write([]*Decl{smoothing.Decl}, b)
	if !strings.Contains(stored[View], `"later":1`) {
		t.Errorf("dropped: %s", stored[View])
	}
}

// Each logdir has its own choices; the oldest go.
func TestHere(t *testing.T) {
	s, text := &State{}, ""
	Runs.Put(s, "r", false)
	for i := range MaxLogdirs + 3 {
		text = schema.PatchHere(string(rune('A'+i)), text, schema, s)
	}
	for name, want := range map[string]bool{"A": false, "C": false, "D": true, string(rune('A' + MaxLogdirs + 2)): true} {
		got := &State{}
		schema.DecodeHere(name, got, text)
		if _, ok := Runs.Get(got, "r"); ok != want {
			t.Errorf("logdir %q: %v", name, ok)
		}
	}
	text = schema.PatchHere("D", text, schema, &State{})
	got := full()
	schema.DecodeHere("D", got, text)
	if len(Runs.Of(got)) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestMigrate(t *testing.T) {
	p, v, h, ok := schema.Migrate(`{"version":1,"board":"timeseries","smoothing":0.2,"theme":"dark","runsOpen":false,"wide":{"a":true},"logdir":"~/x","runs":{"r":false},"cache":true}`)
	if !ok {
		t.Fatal("not taken")
	}
	got := &State{}
	schema.Decode(Preference, got, p)
	schema.Decode(View, got, v)
	schema.DecodeHere("~/x", got, h)
	want := &State{}
	smoothing.Set(want, 0.2)
	ThemeChoice.Set(want, ThemeDark)
	RunsOpen.Set(want, false)
	Wide.Put(want, "scalars?tag=a", true)
	Runs.Put(want, "r", false)
	same(t, "migrated", got, want)
	for _, text := range []string{"", "{}", p, `{"version":3}`} {
		if _, _, _, ok := schema.Migrate(text); ok {
			t.Errorf("%s was taken for version 1", text)
		}
	}
	var theme struct{ Theme string }
	if json.Unmarshal([]byte(p), &theme); theme.Theme != "dark" {
		t.Errorf("static/theme.js finds no theme in %s", p)
	}
}

func TestHashRoundTrip(t *testing.T) {
	for _, s := range []*State{{}, full()} {
		h := schema.Hash(s)
		got := &State{}
		schema.ReadHash(got, h, "")
		if schema.Hash(got) != h || TagFilter.Of(got) != TagFilter.Of(s) || RunFilter.Of(got) != RunFilter.Of(s) || smoothing.Of(got) != smoothing.Of(s) {
			t.Errorf("%s: got %+v", h, got)
		}
	}
	if h := schema.Hash(&State{}); h != "#timeseries" {
		t.Errorf("default link: %s", h)
	}
}

// A list in a link that is longer than any that is written is read as far as it may be, to
// the end of an item, and named.
func TestLongLink(t *testing.T) {
	var long strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&long, ",!run%d", i)
	}
	list := long.String()[1:]
	hash := "#timeseries&tagFilter=" + strings.Repeat("x|", 50_000) + "x&runs=" + list
	if cut := schema.Cut(hash); !slices.Equal(cut, []string{"runs"}) {
		t.Errorf("cut: %q", cut)
	}
	var s State
	schema.ReadHash(&s, hash, "")
	runs := Runs.Of(&s)
	if len(runs) < 5000 || len(runs) > 10_000 || len(TagFilter.Of(&s)) != 100_001 {
		t.Errorf("%d runs, %d characters of a filter", len(runs), len(TagFilter.Of(&s)))
	}
	for i := range len(runs) {
		if on, ok := runs[fmt.Sprint("run", i)]; !ok || on {
			t.Fatalf("run%d of the first %d is missing", i, len(runs))
		}
	}
	if cut := schema.Cut("#timeseries&runs=" + list[:mostRead]); cut != nil {
		t.Errorf("what is just short enough is cut: %q", cut)
	}
	// One item that is too long is none.
	schema.ReadHash(&s, "#timeseries&runs="+strings.Repeat("x", mostRead+1), "")
	if n := len(Runs.Of(&s)); n != 0 {
		t.Errorf("%d runs", n)
	}
}

func TestReadHash(t *testing.T) {
	link := func(tag, run string, smooth float64, y scale) func(*State) {
		return func(s *State) {
			TagFilter.Set(s, tag)
			RunFilter.Set(s, run)
			smoothing.Set(s, smooth)
			yAxis.Set(s, y)
			Runs.Reset(s)
			RunColors.Reset(s)
			Wide.Reset(s)
		}
	}
	for _, c := range []struct {
		hash, query string
		want        func(*State)
	}{
		{"", "", func(*State) {}},
		{"#p.other=1", "?listing=x", func(*State) {}},
		// A link to the view with nothing set shows everybody that.
		{"#timeseries", "?listing=x", link("", "", 0.6, "linear")},
		{"#timeseries&p.other=1", "", link("", "", 0.6, "linear")},
		{"#timeseries&runs=a/b,c%252Cd", "", func(s *State) {
			link("", "", 0.6, "linear")(s)
			Runs.Set(s, map[string]bool{"a/b": true, "c,d": true})
			OthersOff.Set(s, true)
		}},
		{"#timeseries&runs=%2Bold,!a/b", "", func(s *State) {
			link("", "", 0.6, "linear")(s)
			Runs.Set(s, map[string]bool{"old": true, "a/b": false})
		}},
		{"#timeseries&runs=!", "", func(s *State) {
			link("", "", 0.6, "linear")(s)
			OthersOff.Set(s, true)
		}},
		{"#timeseries&runs=~", "", func(s *State) {
			runs := Runs.Of(s)
			link("", "", 0.6, "linear")(s)
			Runs.Set(s, runs)
		}},
		{"#timeseries&tagFilter=loss%2Fa", "", link("loss/a", "", 0.6, "linear")},
		{"", "?tagFilter=a+b&smoothing=0.2", link("a b", "", 0.2, "linear")},
		{"#scalars&_smoothingWeight=0.5&y=log&x=moon", "", func(s *State) {
			link("", "", 0.5, "log")(s)
		}},
		{"#scalars&_smoothingWeight=NaN&y=log", "", func(s *State) {
			link("", "", 0.6, "log")(s)
		}},
		{"#tagFilter=%zz&runFilter=r", "", link("", "r", 0.6, "linear")},
	} {
		want, got := full(), full()
		c.want(want)
		schema.ReadHash(got, c.hash, c.query)
		same(t, c.hash+" "+c.query, got, want)
	}
}

// Whatever names hold, a link gives colours, kinds and cards back, and is short.
func TestLinkHoldsTheView(t *testing.T) {
	run := `a,b:c!+~%2C "ü"`
	s := &State{}
	RunColors.Set(s, map[string]string{run: "#12ab34", "adam": "#4f6bd8"})
	GroupColors.Set(s, map[string]string{"1:" + run: "#12ab34"})
	Kinds.Set(s, map[string]bool{"images": true, "a,b": true})
	SuperimposedCards.Set(s, []Superimposed{{ID: "x", Tags: []string{"train/loss", "eval/loss"}}, {ID: "y", Title: run, Tags: []string{"={" + run + "} - ref({loss}, \"!a\")", "!b", "+c"}, Run: &run}})
	lo, hi := 1e-3, -0.5
	RunColumnFilters.Set(s, map[string]ColumnFilter{
		"param?name=lr": {Lo: &lo, Missing: true}, "a": {Hi: &hi}, "b": {Only: true}, run: {Lo: &hi, Hi: &lo, Only: true, Values: []string{"", run, "=x"}, Regex: "/" + run},
	})
	RunsHidden.Set(s, map[string]bool{run: true, "z": true})
	RunNames.Set(s, map[string]string{run: run, "adam": "the best"})
	Groups.Set(s, map[string]bool{"": true, "train": false, run: true})
	Wide.Set(s, map[string]bool{CardOf("scalars", run).String(): true, CardOf("images", "a").OfRun(run, 2).String(): true})
	RunColumns.Set(s, []string{"param?name=lr", run})
	RunColumnSort.Set(s, []string{"-min?name=loss", "status"})
	RunPlotAxes.Set(s, []string{run})
	RunPlotMatrix.Set(s, []string{run, "b"})
	RunPlotScales.Set(s, map[string]string{run: "log"})
	RunPlotFlips.Set(s, map[string]bool{run: true, "b": false})
	RunRowsBy.Set(s, run)
	RunTableAll.Set(s, true)
	RunPlot.Set(s, "matrix")
	RunPlotX.Set(s, run)
	RunCompare.Set(s, true)
	RunSort.Set(s, SortNewest)
	PinsClosed.Set(s, true)
	got := &State{}
	SuperimposedCards.Set(got, SuperimposedCards.Of(s)[1:])
	hash := schema.Hash(s)
	schema.ReadHash(got, hash, "")
	for _, d := range schema.Changed(got, s) {
		if d == SuperimposedCards.Decl {
			continue // their names are made here
		}
		t.Errorf("%s: %s is %v", hash, d.Name(), got.values[d.Name()])
	}
	cards := SuperimposedCards.Of(got)
	if len(cards) != 2 || cards[0].Card("") != SuperimposedCards.Of(s)[0].Card("") || cards[0].ID == "" || cards[1].Card("") != SuperimposedCards.Of(s)[1].Card("") || cards[1].Title != run {
		t.Errorf("%s: %+v", hash, cards)
	}
	if cards[1].ID != "y" {
		t.Errorf("a card that was there has become %q: its profile would be changed", cards[1].ID)
	}
	*s = State{}
	RunColors.Set(s, map[string]string{"adam": "#4f6bd8"})
	Groups.Set(s, map[string]bool{"train": true, "eval": false})
	RunColumnFilters.Set(s, map[string]ColumnFilter{"status": {Only: true, Values: []string{"done"}}, "duration": {Lo: &lo}})
	SuperimposedCards.Set(s, []Superimposed{{ID: "x", Title: "Losses", Tags: []string{"train/loss", "eval/loss"}}})
	if got, want := schema.Hash(s), "#timeseries&groups=!eval,train&colors=adam:4f6bd8&cards=!Losses:train/loss:eval/loss&filters=duration:0.001..,status:%3Ddone"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	none := &State{}
	schema.ReadHash(s, schema.Hash(none), "")
	same(t, "nothing set", s, none)
}

// A list that links have no room for is known.
func TestFull(t *testing.T) {
	s := &State{}
	TagFilter.Set(s, "~")
	for i := range 100 {
		if schema.Full(s) {
			t.Fatalf("full with %d runs: %s", i, schema.Hash(s))
		}
		Runs.Put(s, strings.Repeat("x", 12)+string(rune('A'+i)), true)
	}
	Runs.Put(s, strings.Repeat("x", 4000), true)
	if !schema.Full(s) || !strings.Contains(schema.Hash(s), "runs=~") {
		t.Error("not full")
	}
	Runs.Reset(s)
	OthersOff.Set(s, true)
	if schema.Full(s) {
		t.Error("full with nothing")
	}
}

// Whatever of the view is not in links changes none of what is seen.
func TestLinkLeavesOut(t *testing.T) {
	out := map[string]bool{"board": true, // is at its head
		"metricDescriptions": true, "profile": true, "runColumnWidths": true}
	for _, d := range Page {
		if (d.Scope() == View) && (d.link == "") != out[d.Name()] {
			t.Errorf("%s is in links: %v", d.Name(), d.link != "")
		}
	}
}

func FuzzReadHash(f *testing.F) {
	f.Add("#timeseries&tagFilter=a", "?smoothing=1e400")
	f.Add("#&&==&x", "%")
	f.Fuzz(func(t *testing.T, hash, query string) {
		s := &State{}
		schema.ReadHash(s, hash, query)
		if v := smoothing.Of(s); math.IsNaN(v) || v < 0 || v > 0.999 {
			t.Errorf("smoothing %v", v)
		}
		again := &State{}
		schema.ReadHash(again, schema.Hash(s), "")
		if schema.Hash(again) != schema.Hash(s) {
			t.Errorf("%q does not survive its own link: %q", schema.Hash(s), schema.Hash(again))
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"version":2,"runs":{"a":true},"logdirs":{"x":{"runs":{"a":false}}},"order":["x","x","y"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s := &State{}
		for _, scope := range Scopes {
			schema.Decode(scope, s, text)
		}
		schema.DecodeHere("x", s, text)
		schema.Migrate(text)
		got := &State{}
		schema.DecodeHere("x", got, schema.PatchHere("x", text, schema, s))
		for _, d := range schema {
			if d.Scope() == Here && !d.Same(got, s) {
				t.Errorf("%s is lost: %v, %v", d.Name(), got, s)
			}
		}
	})
}

func TestStatesShareNothingThatChanges(t *testing.T) {
	a := full()
	b := a.Clone()
	Runs.Put(&b, "a/b", true)
	RunColors.Put(&b, "x", "#000000")
	tagY.Drop(&b, "train/loss")
	smoothing.Set(&b, 0.1)
	same(t, "the source of a changed clone", a, full())
	if !reflect.DeepEqual(Runs.Of(&b), map[string]bool{"a/b": true}) {
		t.Errorf("got %v", Runs.Of(&b))
	}
	schema.ResetPane(&b)
	if smoothing.Of(&b) != 0.6 || ThemeChoice.Of(&b) != ThemeSystem || TagFilter.Of(&b) == "" || RunColors.Of(&b) == nil {
		t.Errorf("reset: %+v", b)
	}
}

// What profiles and links say of groups is understood in all of its forms.
func TestGroupBy(t *testing.T) {
	for text, want := range map[string]Grouping{
		`{"key":"REGEX","regexString":"(a|b)"}`: {GroupByRegex, "(a|b)"},
		`{"key":"regex","regexString":"x"}`:     {GroupByRegex, "x"},
		`{"key":2,"regexString":"x"}`:           {GroupByRegex, "x"},
		`{"key":0}`:                             {GroupByRun, ""},
		`{"key":"EXPERIMENT"}`:                  {GroupByRun, ""},
		`{"key":[]}`:                            {GroupByRun, ""},
		`"run"`:                                 {GroupByRun, ""},
	} {
		var s State
		Page.Decode(View, &s, `{"version":2,"groupBy":`+text+`}`)
		if got := GroupBy.Of(&s); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	var s, back State
	GroupBy.Set(&s, Grouping{GroupByRegex, "(adam|sgd)&"})
	Page.ReadHash(&back, Page.Hash(&s), "")
	if GroupBy.Of(&back) != GroupBy.Of(&s) {
		t.Errorf("the link %s gives %+v", Page.Hash(&s), GroupBy.Of(&back))
	}
	Page.Decode(View, &back, Page.Encode(View, &s))
	if GroupBy.Of(&back) != GroupBy.Of(&s) {
		t.Errorf("kept as %s", Page.Encode(View, &s))
	}
}

// Colours that were kept under the name that they had are found.
func TestRenamed(t *testing.T) {
	var s State
	Page.Decode(View, &s, `{"version":2,"colors":{"a":"#123456"}}`)
	if c, _ := RunColors.Get(&s, "a"); c != "#123456" {
		t.Errorf("the colour is %q", c)
	}
	if text := Page.Patch(View, `{"version":2,"colors":{"a":"#123456"}}`, nil, &s); strings.Contains(text, `"colors"`) || !strings.Contains(text, `"runColors"`) {
		t.Errorf("kept on as %s", text)
	}
}

// What the hash holds does not stay in the query.
func TestQuery(t *testing.T) {
	for query, want := range map[string]string{
		"": "", "?": "", "?tagFilter=a": "", "?logdir=x&tagFilter=a&_smoothingWeight=0.2": "?logdir=x", "?a&b=%26": "?a&b=%26",
	} {
		if got := schema.Query(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

// What was said of runs of all logdirs once is there in each, until it is changed in one.
func TestTakeOver(t *testing.T) {
	view := `{"version":2,"smoothing":0.2,"runNotes":{"train":"a note"},"runsHidden":{"train":true}}`
	other := &State{}
	Runs.Put(other, "r", false)
	view, here, ok := schema.TakeOver(view, schema.PatchHere("had", "", schema, other))
	if !ok || strings.Contains(view, "run") || !strings.Contains(view, "smoothing") {
		t.Fatalf("%v: %s", ok, view)
	}
	if _, _, again := schema.TakeOver(view, here); again {
		t.Error("taken over twice")
	}
	check := func(logdir, note string, hidden bool) {
		t.Helper()
		s := &State{}
		schema.DecodeHere(logdir, s, here)
		n, _ := RunNotes.Get(s, "train")
		h, _ := RunsHidden.Get(s, "train")
		if _, on := Runs.Get(s, "r"); n != note || h != hidden || on != (logdir == "had") {
			t.Errorf("%s: the note is %q, hidden %v", logdir, n, h)
		}
	}
	check("had", "a note", true)
	check("new", "a note", true)
	s := &State{}
	schema.DecodeHere("new", s, here)
	RunsHidden.Reset(s)
	RunNotes.Put(s, "train", "another")
	here = schema.PatchHere("new", here, []*Decl{RunsHidden.Decl, RunNotes.Decl}, s)
	for i := range MaxLogdirs + 3 { // it outlasts the logdirs
		here = schema.PatchHere(string(rune('A'+i)), here, []*Decl{Runs.Decl}, other)
		if i == 5 {
			check("new", "another", false)
		}
	}
	check("later", "a note", true)
}

// What plug-ins show is in links as TensorBoard writes it, whatever its letters are.
func TestPluginLinks(t *testing.T) {
	var s, got State
	PluginData.Set(&s, map[string]string{"demo.run": "a/b,c:d", "demo.x=y&z": "é %", "other.empty": ""})
	hash := Page.Hash(&s)
	if !strings.Contains(hash, "&p.demo.run=a/b,c:d") {
		t.Error(hash)
	}
	Page.ReadHash(&got, hash, "")
	if !PluginData.Same(&s, &got) {
		t.Errorf("%v, from %s", PluginData.Of(&got), hash)
	}
	Page.ReadHash(&got, "#scalars&p.wit.a=1", "?p.wit.b=2")
	if m := PluginData.Of(&got); len(m) != 2 || m["wit.a"] != "1" || m["wit.b"] != "2" {
		t.Error(m)
	}
	if q := Page.Query("?p.wit.b=2&other=1"); q != "?other=1" {
		t.Error(q)
	}
}
