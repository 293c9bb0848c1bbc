package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Which runs are on is written in the shortest form that says it, and read as it was meant.
func TestRunsInLinks(t *testing.T) {
	for _, c := range []struct {
		runs   map[string]bool
		others bool
		link   string
		back   map[string]bool
	}{
		{nil, false, "", nil},
		{nil, true, "!", nil},
		{map[string]bool{"adam": true}, true, "adam", map[string]bool{"adam": true}},
		{map[string]bool{"adam": true, "broken": false, "sgd": true}, true, "adam,sgd", map[string]bool{"adam": true, "sgd": true}},
		{map[string]bool{"broken": false}, true, "!", nil},
		{map[string]bool{"broken": false}, false, "!broken", map[string]bool{"broken": false}},
		{map[string]bool{"adam": true}, false, "+adam", map[string]bool{"adam": true}},
		{map[string]bool{"adam": true, "broken": false}, false, "+adam,!broken", map[string]bool{"adam": true, "broken": false}},
	} {
		var s, got State
		Runs.Set(&s, c.runs)
		OthersOff.Set(&s, c.others)
		if link := Runs.text(&s); link != c.link {
			t.Errorf("%v, others off: %v: %q, want %q", c.runs, c.others, link, c.link)
		}
		Page.ReadHash(&got, Page.Hash(&s), "")
		if !maps.Equal(Runs.Of(&got), c.back) || OthersOff.Of(&got) != c.others {
			t.Errorf("%q gives %v, others off: %v", c.link, Runs.Of(&got), OthersOff.Of(&got))
		}
	}
}

// What has no name in a list of a link is nothing, and what is no value is left out.
func TestListsOfLinksThatAreOdd(t *testing.T) {
	lo, hi := -2.5, 40.0
	read := func(link string) *State {
		s := &State{}
		Page.ReadHash(s, "#timeseries&"+link, "")
		return s
	}
	for _, c := range []struct {
		link      string
		got, want any
	}{
		{"runs=adam,,", Runs.Of(read("runs=adam,,")), map[string]bool{"adam": true}},
		{"runs=%2B", Runs.Of(read("runs=%2B")), map[string]bool(nil)},
		{"colors", RunColors.Of(read("colors=adam:4f6bd8,sgd,b:xyz")), map[string]string{"adam": "#4f6bd8"}},
		{"hues", RunHues.Of(read("hues=adam:3,sgd:x,b,c%253A:999,d:1000,e:-1,f:0")), map[string]int{"adam": 3, "c:": 999, "f": 0}},
		{"groups", Groups.Of(read("groups=,train,!eval,%2B")), map[string]bool{"train": true, "eval": false, "": true}},
		{"columns", RunColumns.Of(read("columns=lr,,loss,lr,100%25")), []string{"lr", "loss", "100%"}},
		{"wide", Wide.Of(read("wide=loss,,images?tag=a")), map[string]bool{"scalars?tag=loss": true, "images?tag=a": true}},
		{"filters", RunColumnFilters.Of(read("filters=lr,a:-2.5..,b:..40,c:!,d:?,e:%3Dx:%3Dy,f:/z,g:NaN..Inf,h:-2.5..40:?")), map[string]ColumnFilter{
			"a": {Lo: &lo}, "b": {Hi: &hi}, "c": {Only: true}, "d": {Missing: true}, "e": {Only: true, Values: []string{"x", "y"}}, "f": {Regex: "z"}, "g": {}, "h": {Lo: &lo, Hi: &hi, Missing: true}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.link, c.got, c.want)
		}
	}
	adam, cards := "adam", SuperimposedCards.Of(read("cards=!Losses:train/loss:eval/loss,:lr:momentum:%2Badam,!only a title"))
	want := []Superimposed{{ID: "superimposed-link-0", Title: "Losses", Tags: []string{"train/loss", "eval/loss"}}, {ID: "superimposed-link-1", Tags: []string{"lr", "momentum"}, Run: &adam}}
	if !reflect.DeepEqual(cards, want) {
		t.Errorf("cards: %+v", cards)
	}
}

// What a link writes of filters of columns and of cards that are wide, a letter at a time.
func TestListsThatLinksWrite(t *testing.T) {
	lo, hi, adam := -2.5, 40.0, "adam"
	var s State
	RunColumnFilters.Set(&s, map[string]ColumnFilter{
		"a": {Lo: &lo}, "b": {Hi: &hi}, "c": {Only: true}, "d": {Missing: true}, "e": {Only: true, Values: []string{"x", "y"}}, "f": {Regex: "z"}, "g": {Values: []string{"not", "meant"}}})
	Wide.Set(&s, map[string]bool{"scalars?tag=loss": true, "scalars?tag=no": false, "images?tag=a": true})
	Groups.Set(&s, map[string]bool{"": true, "train": true, "eval": false})
	RunHues.Set(&s, map[string]int{"adam": 3, "sgd": 12})
	SuperimposedCards.Set(&s, []Superimposed{{ID: "x", Title: "T", Tags: []string{"a", "b", "c"}}, {ID: "y", Tags: []string{"d"}, Run: &adam}})
	for d, want := range map[*Decl]string{
		RunColumnFilters.Decl: "a:-2.5..,b:..40,c:!,d:?,e:=x:=y,f:/z,g", Wide.Decl: "images?tag=a,loss", Groups.Decl: "+,!eval,train",
		RunHues.Decl: "adam:3,sgd:12", SuperimposedCards.Decl: "!T:a:b:c,d:+adam",
	} {
		if got := d.text(&s); got != want {
			t.Errorf("%s: %q, want %q", d.Name(), got, want)
		}
	}
}

// A list is written into a link up to the last byte that there is room for.
func TestRoomInLinks(t *testing.T) {
	for n, want := range map[int]bool{maxLinked: true, maxLinked + 1: false} {
		long := strings.Repeat("x", n-2)
		for what, got := range map[string]string{"list": LinkList([]string{"a", long}), "pins": writePins([]string{"scalars?tag=a", "scalars?tag=" + long})} {
			if (got == "a,"+long) != want || !want && got != unlinked {
				t.Errorf("%s of %d bytes: %.10s…", what, n, got)
			}
		}
	}
}

// Each sort of setting stands in a link by its value, and comes from there within its limits.
func TestValuesInLinks(t *testing.T) {
	var s, got State
	RunTop.Set(&s, 7)
	RunTableAll.Set(&s, true)
	RunPlot.Set(&s, "scatter")
	RunRank.Set(&s, "loss")
	hash := Page.Hash(&s)
	for _, want := range []string{"&top=7", "&allRuns=true", "&plot=scatter", "&rank=loss"} {
		if !strings.Contains(hash, want) {
			t.Errorf("%s lacks %s", hash, want)
		}
	}
	for link, want := range map[string]int{"7": 7, "0": 0, "-3": 1, "10000": 10000, "10001": 10000, "x": 0, "": 0} {
		if Page.ReadHash(&got, "#timeseries&top="+link, ""); RunTop.Of(&got) != want {
			t.Errorf("top=%s is %d, want %d", link, RunTop.Of(&got), want)
		}
	}
	for link, want := range map[string]string{"matrix": "matrix", "pie": ""} {
		if Page.ReadHash(&got, "#timeseries&plot="+link, ""); RunPlot.Of(&got) != want {
			t.Errorf("plot=%s is %q", link, RunPlot.Of(&got))
		}
	}
	for link, want := range map[string]bool{"true": true, "false": false, "maybe": false} {
		if Page.ReadHash(&got, "#timeseries&allRuns="+link, ""); RunTableAll.Of(&got) != want {
			t.Errorf("allRuns=%s is %v", link, RunTableAll.Of(&got))
		}
	}
	for link, want := range map[string]Grouping{"regex:(a)": {GroupByRegex, "(a)"}, "regex:": {GroupByRegex, ""}, "run": {Key: GroupByRun}, "experiment": {Key: GroupByRun}} {
		if Page.ReadHash(&got, "#timeseries&runColorGroup="+link, ""); GroupBy.Of(&got) != want {
			t.Errorf("runColorGroup=%s is %+v", link, GroupBy.Of(&got))
		}
	}
}

// A key of TensorBoard's links gives way to ours, wherever each of them stands, and the
// hash wins over the query.
func TestOlderKeys(t *testing.T) {
	for _, c := range []struct {
		hash, query string
		want        float64
	}{
		{"#timeseries&smoothing=0.3&_smoothingWeight=0.5", "", 0.3},
		{"#timeseries&_smoothingWeight=0.5&smoothing=0.3", "", 0.3},
		{"#timeseries&smoothing=0.3", "?_smoothingWeight=0.5", 0.3},
		{"#timeseries&smoothing=0.3", "?smoothing=0.4", 0.3},
		{"#timeseries", "?_smoothingWeight=0.5", 0.5},
	} {
		var s State
		if schema.ReadHash(&s, c.hash, c.query); smoothing.Of(&s) != c.want {
			t.Errorf("%s %s: %v, want %v", c.hash, c.query, smoothing.Of(&s), c.want)
		}
	}
}

// What plug-ins show is written once, beside the other settings, or not at all where it has
// no room; what is shown stays then.
func TestPluginLinksBesideOthers(t *testing.T) {
	var s, got State
	TagFilter.Set(&s, "loss")
	RunTop.Set(&s, 7)
	PluginData.Set(&s, map[string]string{"demo.b": "2", "demo.a": "one"})
	if hash := Page.Hash(&s); hash != "#timeseries&tagFilter=loss&p.demo.a=one&p.demo.b=2&top=7" {
		t.Error(hash)
	}
	PluginData.Put(&s, "demo.long", strings.Repeat("x", maxLinked))
	hash := Page.Hash(&s)
	if hash != "#timeseries&tagFilter=loss&p=~&top=7" || !Page.Full(&s) {
		t.Errorf("%.200s", hash)
	}
	PluginData.Put(&got, "demo.c", "three")
	if Page.ReadHash(&got, hash, ""); !maps.Equal(PluginData.Of(&got), map[string]string{"demo.c": "three"}) {
		t.Errorf("%v", PluginData.Of(&got))
	}
}

// Whether a link says anything of a view, and of which dashboard.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		hash, query, board string
		names              bool
	}{
		{"", "", "", false},
		{"#", "?logdir=x", "", false},
		{"#my%20board", "", "my board", false},
		{"#images&other=1", "", "images", false},
		{"#images&tagFilter=a", "", "images", true},
		{"#tagFilter=a", "", "", true},
		{"#images&tagFilter", "", "images", false},
		{"#images", "?y=log", "images", true},
		{"#%zz&y=log", "", "", true},
		{"#images&p.demo.x=1", "", "images", true},
		{"#images&p.demo=1", "", "images", false},
	} {
		if got := schema.Names(c.hash, c.query); got != c.names || schema.BoardOf(c.hash) != c.board {
			t.Errorf("%s %s: %v, dashboard %q", c.hash, c.query, got, schema.BoardOf(c.hash))
		}
	}
}

// What takes the place of another has what the other had, and what it had itself is gone.
func TestMove(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"a", "b", "map[b:log c:symlog]"},
		{"a", "d", "map[b:linear c:symlog d:log]"},
		{"a", "a", "map[a:log b:linear c:symlog]"},
		{"d", "a", "map[a:log b:linear c:symlog]"},
	} {
		var s State
		tagY.Set(&s, map[string]scale{"a": "log", "b": "linear", "c": "symlog"})
		before := s.Clone()
		if tagY.Move(&s, c.from, c.to); fmt.Sprint(tagY.Of(&s)) != c.want || len(tagY.Of(&before)) != 3 {
			t.Errorf("%s to %s: %v, want %s", c.from, c.to, tagY.Of(&s), c.want)
		}
	}
}

// A card that takes another's place has what stands in tables of cards, and of tags.
func TestMoveCardsOfTags(t *testing.T) {
	had := ofTags
	OfTags(tagY.Decl)
	defer func() { ofTags = had }()
	var s State
	from, to := CardOf("scalars", "a").OfRun("adam", 2), CardOf("scalars", "b")
	tagY.Set(&s, map[string]scale{"a": "log", "c": "symlog"})
	Wide.Put(&s, from.String(), true)
	MoveCards(&s, [2]CardID{from, to})
	if fmt.Sprint(tagY.Of(&s)) != "map[b:log c:symlog]" || !maps.Equal(Wide.Of(&s), map[string]bool{"scalars?tag=b": true}) {
		t.Errorf("%v, %v", tagY.Of(&s), Wide.Of(&s))
	}
}

// What is kept has its limits, the last value within them included.
func TestLimits(t *testing.T) {
	var s State
	Page.Decode(View, &s, `{"version":2,"runColumnWidths":{"a":39,"b":40,"c":1000,"d":1001},"runHues":{"a":-1,"b":0,"c":999,"d":1000},"runColumnBest":{"a":"high","b":"low","c":"none","d":"best"},`+
		`"runColors":{"a":"#09afAF","b":"#09afA","c":"#09afAF0","d":"x09afAF","e":"#g00000","f":"#G00000","g":"#/00000","h":"#:00000","i":"#@00000","j":"#`+"`"+`00000","k":"#00000g"},`+
		`"forms":{"a":true,"b":false},"kinds":{"c":true,"d":false}}`)
	for d, want := range map[*Decl]string{
		RunColumnWidths.Decl: "map[b:40 c:1000]", RunHues.Decl: "map[b:0 c:999]", RunColumnBest.Decl: "map[a:high b:low c:none]", RunColors.Decl: "map[a:#09afAF]",
		Forms.Decl: "map[a:true]", Kinds.Decl: "map[c:true]",
	} {
		if got := fmt.Sprint(d.of(&s)); got != want {
			t.Errorf("%s: %s, want %s", d.Name(), got, want)
		}
	}
	var tags []string
	var cards []Superimposed
	for i := range MaxColumns + 1 {
		tags = append(tags, fmt.Sprint("t", i))
		cards = append(cards, Superimposed{ID: fmt.Sprint(i), Tags: tags[i:]}) // one tag each
	}
	RunColumns.Set(&s, tags)
	if got := RunColumns.Of(&s); !slices.Equal(got, tags[:MaxColumns]) {
		t.Errorf("%d columns", len(got))
	}
	SuperimposedCards.Set(&s, []Superimposed{{ID: "a", Tags: tags[:MaxTags]}, {ID: "b", Tags: tags[:MaxTags+1]}, {ID: "c"}, {ID: "d", Tags: []string{"x", ""}}, {ID: "e", Tags: tags[:MaxTags]}, {ID: "f", Tags: tags[:1]}})
	if got := SuperimposedCards.Of(&s); len(got) != 2 || got[0].ID != "a" || got[1].ID != "f" {
		t.Errorf("%+v", got)
	}
	if SuperimposedCards.Set(&s, cards); len(SuperimposedCards.Of(&s)) != MaxPins {
		t.Errorf("%d cards", len(SuperimposedCards.Of(&s)))
	}
	ids := make([]string, len(tags))
	for i, tag := range tags {
		ids[i] = CardOf("scalars", tag).String()
	}
	if Pins.Set(&s, ids); !slices.Equal(Pins.Of(&s), ids[:MaxPins]) {
		t.Errorf("%d pins", len(Pins.Of(&s)))
	}
	if !Pin(&s, CardOf("scalars", "t3")) || Pinned(&s, CardOf("scalars", "t1000")) {
		t.Error("a card that is pinned is refused, or one too many is pinned")
	}
}

// A card of several tags is called by its title, or else by its tags, and is of all runs or of one.
func TestSuperimposed(t *testing.T) {
	id := "defaultExperimentId/adam"
	for _, c := range []struct {
		card       Superimposed
		name, form string
	}{
		{Superimposed{Title: "Losses", Tags: []string{"train", "eval"}}, "Losses", "scalars?tag=train&tag=eval"},
		{Superimposed{Tags: []string{"train", "eval"}}, "train, eval", "scalars?tag=train&tag=eval"},
		{Superimposed{Tags: []string{"lr"}, Run: &id}, "lr", "scalars?tag=lr&run=adam"},
	} {
		if c.card.Name() != c.name || c.card.Card("scalars").String() != c.form {
			t.Errorf("%q, %s", c.card.Name(), c.card.Card("scalars"))
		}
	}
	for name, id := range map[string]string{"": "", "adam": "defaultExperimentId/adam", "defaultExperimentId/adam": "defaultExperimentId/adam"} {
		if RunID(name) != id {
			t.Errorf("%q is %q", name, RunID(name))
		}
	}
	if got := RunName("defaultExperimentId/a/defaultExperimentId/b"); got != "a/defaultExperimentId/b" {
		t.Error(got)
	}
}

// Samples of TensorBoard's pins are whole numbers, and of images.
func TestPinnedSamples(t *testing.T) {
	for text, want := range map[string]string{
		`[{"plugin":"images","tag":"i","runId":"r","sample":0}]`:          "images?tag=i&run=r",
		`[{"plugin":"images","tag":"i","runId":"r","sample":2147483647}]`: "images?tag=i&run=r&sample=2147483647",
		`[{"plugin":"images","tag":"i","runId":"r","sample":2147483648}]`: "",
		`[{"plugin":"histograms","tag":"h","runId":"r","sample":1}]`:      "",
		`[{"plugin":"histograms","tag":"h","runId":"r"}]`:                 "histograms?tag=h&run=r",
		`[{"plugin":"who","tag":"a"},7,{"plugin":"scalars","tag":"b"}]`:   "scalars?tag=b",
		`[`: "",
	} {
		if got, ok := readPins(text); strings.Join(got, " ") != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %s", text, got, ok, want)
		}
	}
}

// An entry of a newer form is not read; one of this form, or of none, is.
func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{`"version":2,`: true, `"version":3,`: false, ``: true} {
		var s, here State
		schema.Decode(View, &s, `{`+version+`"tagFilter":"a"}`)
		schema.DecodeHere("logs", &here, `{`+version+`"logdirs":{"logs":{"runs":{"r":false}}},"order":["logs"]}`)
		if (TagFilter.Of(&s) == "a") != want || (len(Runs.Of(&here)) == 1) != want {
			t.Errorf("%q: %+v, %+v", version, s, here)
		}
	}
	for _, text := range []string{schema.Encode(View, full()), schema.PatchHere("logs", "", schema, full())} {
		if !strings.Contains(text, `"version":2`) {
			t.Errorf("written as %s", text)
		}
	}
	// A setting that has both its names keeps what stands under the new one.
	var s State
	schema.Decode(View, &s, `{"colors":{"a":"#111111"},"runColors":{"a":"#222222"}}`)
	if c, _ := RunColors.Get(&s, "a"); c != "#222222" {
		t.Errorf("the colour is %s", c)
	}
}

// Logdirs go in the order in which they were used last, and one of which nothing is kept has no entry.
func TestHereOrder(t *testing.T) {
	s, text := &State{}, ""
	Runs.Put(s, "r", false)
	for _, name := range []string{"a", "b", "c", "a"} {
		text = schema.PatchHere(name, text, schema, s)
	}
	text = schema.PatchHere("b", text, schema, &State{})
	var got logdirs
	if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got.Order, []string{"c", "a"}) || len(got.Logdirs) != 2 {
		t.Errorf("%v: %s", err, text)
	}
	if text := schema.PatchHere("x", "", nil, s); strings.Contains(text, `"x"`) {
		t.Errorf("an entry of nothing: %s", text)
	}
}

// What profiles and the pane do with settings by name.
func TestByName(t *testing.T) {
	var s State
	if schema.Find("yScale") != yAxis.Decl || schema.Find("none") != nil {
		t.Error("found another")
	}
	if raw, ok := Value(yAxis.Decl, &s); ok {
		t.Errorf("a default is %s", raw)
	}
	SetValue(yAxis.Decl, &s, json.RawMessage(`"log"`))
	if raw, ok := Value(yAxis.Decl, &s); !ok || string(raw) != `"log"` {
		t.Errorf("%s, %v", raw, ok)
	}
	if SetAs(yAxis.Decl, &s, "symlog") || yAxis.Of(&s) != "log" {
		t.Error("a value of another type was set")
	}
	if !SetAs(yAxis.Decl, &s, scale("symlog")) || yAxis.Of(&s) != "symlog" {
		t.Error("a value was not set")
	}
	if got := fmt.Sprintf("%s %s", Options(yAxis.Decl), Options(smoothing.Decl)); got != `["log" "symlog"] []` {
		t.Error(got)
	}
	if SetValue(yAxis.Decl, &s, json.RawMessage(`7`)); yAxis.Of(&s) != "linear" {
		t.Errorf("what is no scale is %q", yAxis.Of(&s))
	}
	words := Older(Choice("words", View, "none", "every", "some"), map[string]string{"all": "every"})
	for text, want := range map[string]string{"all": "every", "some": "some", "each": "none"} {
		if words.Set(&s, text); words.Of(&s) != want {
			t.Errorf("%s is %s", text, words.Of(&s))
		}
	}
}

// A view is the user's own when something of it, or of its runs, was arranged; where one looks is not.
func TestCustomised(t *testing.T) {
	for what, c := range map[string]struct {
		set  func(*State)
		want bool
	}{
		"nothing":     {func(*State) {}, false},
		"dashboard":   {func(s *State) { Board.Set(s, "images") }, false},
		"profile":     {func(s *State) { Profile.Set(s, "saved:a") }, false},
		"theme":       {func(s *State) { ThemeChoice.Set(s, ThemeDark) }, false},
		"runs":        {func(s *State) { Runs.Put(s, "adam", false) }, false},
		"tag filter":  {func(s *State) { TagFilter.Set(s, "a") }, true},
		"note":        {func(s *State) { RunNotes.Put(s, "adam", "good") }, true},
		"hidden runs": {func(s *State) { RunsHidden.Put(s, "adam", true) }, true},
	} {
		var s State
		if c.set(&s); Page.Customised(&s) != c.want {
			t.Errorf("%s: %v", what, !c.want)
		}
	}
}

// A state agrees with another, or takes one setting from it; its numbers have limits.
func TestValues(t *testing.T) {
	a, b := full(), &State{}
	if TagFilter.Copy(b, a); !TagFilter.Same(a, b) || TagFilter.Of(b) == "" || RunFilter.Same(a, b) {
		t.Errorf("%+v", b)
	}
	for _, c := range []struct{ set, want int }{{0, 0}, {-1, 1}, {1, 1}, {MaxMemory, MaxMemory}, {MaxMemory + 1, MaxMemory}} {
		if Memory.Set(b, c.set); Memory.Of(b) != c.want {
			t.Errorf("memory of %d is %d", c.set, Memory.Of(b))
		}
	}
	for set, want := range map[float64]float64{-1: 0, 0.25: 0.25, 2: 0.999, math.Inf(1): 0.999} {
		if smoothing.Set(b, set); smoothing.Of(b) != want || yAxis.Default() != "linear" {
			t.Errorf("smoothing of %v is %v", set, smoothing.Of(b))
		}
	}
	tagY.Drop(b, "none")
	if _, kept := b.values["tagScale"]; kept {
		t.Error("a key that was not there, taken away, is a change")
	}
	for d, want := range map[*Decl]bool{Wide.Decl: true, CardWidth.Decl: true, Runs.Decl: false, smoothing.Decl: true} {
		if d.InPane() != want {
			t.Errorf("%s in the pane: %v", d.Name(), !want)
		}
	}
}

// Introductions come whole out of links, whatever is in them; one that is empty or too long is none,
// and takes none of another dashboard with it.
func TestIntroductions(t *testing.T) {
	words := "# Loss, 100 %: what + why?\n\n* a ~ b!\n* [images](#images&tagFilter=x,y)\n\t<b>é</b>"
	var s, got State
	Introductions.Set(&s, map[string]string{"timeseries": words, "images": "two", "text": " \n", "audio": strings.Repeat("é", MaxIntroduction+1)})
	want := map[string]string{"timeseries": words, "images": "two"}
	if !maps.Equal(Introductions.Of(&s), want) {
		t.Errorf("%.300v", Introductions.Of(&s))
	}
	if Page.ReadHash(&got, Page.Hash(&s), ""); !maps.Equal(Introductions.Of(&got), want) {
		t.Errorf("%s gives %q", Page.Hash(&s), Introductions.Of(&got))
	}
	if Introductions.Put(&s, "text", strings.Repeat("é", MaxIntroduction)); len(Introductions.Of(&s)) != 3 {
		t.Error("one of as many characters as may be is left out")
	}
	if !Page.Full(&s) || !strings.Contains(Page.Hash(&s), "&introductions=~") {
		t.Errorf("%.200s", Page.Hash(&s))
	}
	if Introductions.Drop(&s, "text"); strings.Contains(Page.Hash(&s), "Closed") {
		t.Error("folded by itself")
	}
}

// A link in an introduction says what is to be another, and leaves the rest.
func TestFollow(t *testing.T) {
	for _, c := range []struct{ from, link, want string }{
		{"#timeseries&tagFilter=loss&introductions=timeseries:x", "#images", "#images&tagFilter=loss&introductions=timeseries:x"},
		{"#timeseries&tagFilter=loss&y=log10", "#tagFilter=acc&top=3", "#timeseries&y=log10&tagFilter=acc&top=3"},
		{"#timeseries&tagFilter=loss", "#images&tagFilter=", "#images&tagFilter="},
		{"", "#images", "#images"},
		{"", "#tagFilter=a", "#&tagFilter=a"},
		{"#timeseries&smoothing=0.3&x=wall", "#timeseries&_smoothingWeight=0.5", "#timeseries&x=wall&_smoothingWeight=0.5"},
		{"#images&a=1", "#", "#images&a=1"},
	} {
		if got := Follow(c.from, c.link); got != c.want {
			t.Errorf("from %s by %s to %s, want %s", c.from, c.link, got, c.want)
		}
	}
}
