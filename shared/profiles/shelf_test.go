package profiles

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// browser is a Store that is as full, or as closed, as a test wants.
type browser struct {
	*Memory
	room    int // bytes that it takes; 0: any
	refuses error
}

var errFull = errors.New("QuotaExceededError: full")

func (b *browser) Set(key, text string) error {
	if b.refuses != nil {
		return b.refuses
	}
	n := len(key) + len(text)
	for k, v := range b.texts {
		if k != key {
			n += len(k) + len(v)
		}
	}
	if b.room > 0 && n > b.room {
		return errFull
	}
	return b.Memory.Set(key, text)
}

func (b *browser) Get(key string) (string, error) {
	if b.refuses != nil {
		return "", b.refuses
	}
	return b.Memory.Get(key)
}

func (b *browser) Keys() ([]string, error) {
	if b.refuses != nil {
		return nil, b.refuses
	}
	return b.Memory.Keys()
}

func newBrowser() *browser { return &browser{Memory: NewMemory()} }

func named(name string, at int64, tags ...string) *profile.Profile {
	p := profile.New(name)
	p.Modified = at
	for _, t := range tags {
		if err := p.PinScalar(t); err != nil {
			panic(err)
		}
	}
	return p
}

func names(s *Shelf) (out []string) {
	for _, e := range s.List() {
		out = append(out, e.Name)
	}
	return out
}

func pinned(t *testing.T, s *Shelf, name string) (tags []string) {
	t.Helper()
	p, problems, err := s.Load(name)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%s: %v %v", name, err, problems)
	}
	for _, c := range p.Pins {
		tags = append(tags, c.Tag)
	}
	return tags
}

// Saved profiles are there for the next page under the documented keys, whatever their
// names are.
func TestShelf(t *testing.T) {
	local := newBrowser()
	s := &Shelf{Local: local, Large: newBrowser()}
	all := []string{"a", "index", "<b>", "ünïcode / 100%", "__proto__"}
	for i, name := range all {
		if err := s.Save(named(name, int64(i), "of "+name), false); err != nil {
			t.Fatal(err)
		}
	}
	s.SetActive("a")
	again := &Shelf{Local: local}
	want := slices.Clone(all)
	slices.Reverse(want) // newest first
	if got := names(again); !slices.Equal(got, want) {
		t.Errorf("listed %q", got)
	}
	for _, name := range all {
		if got := pinned(t, again, name); !slices.Equal(got, []string{"of " + name}) {
			t.Errorf("%s has %q", name, got)
		}
	}
	if again.Active() != "a" || local.texts["tb-active-profile"] != "a" || local.texts["tb-profile-a"] == "" {
		t.Errorf("active %q; keys %q", again.Active(), sortedKeys(local.texts))
	}
	if got := local.texts["tb-profile-index"]; got != `["\u003cb\u003e","__proto__","a","index","ünïcode / 100%"]` {
		t.Errorf("index %s", got)
	}
	text, err := again.Delete("a")
	if err != nil || again.Has("a") || slices.Contains(names(again), "a") {
		t.Errorf("deleted, and still there: %v", err)
	}
	if err := again.Restore("a", text); err != nil || !slices.Equal(pinned(t, again, "a"), []string{"of a"}) {
		t.Errorf("taken back: %v", err)
	}
	if _, err := again.Rename("a", "index"); err == nil {
		t.Error("renamed over another one")
	}
	if p, err := again.Rename("a", "new"); err != nil || p.Name != "new" || again.Has("a") || !slices.Equal(pinned(t, again, "new"), []string{"of a"}) {
		t.Errorf("renamed: %v", err)
	}
	again.SetActive("")
	if again.Active() != "" {
		t.Error("still active")
	}
}

// What localStorage refuses, or what is large, goes to the database; where both refuse,
// it is there until the page is closed, and that is said.
func TestNoRoom(t *testing.T) {
	big := named("big", 2)
	for i := range 1000 {
		big.Describe(fmt.Sprint("tag", i), strings.Repeat("words ", 60))
	}
	local, large := newBrowser(), newBrowser()
	s := &Shelf{Local: local, Large: large}
	if err := s.Save(named("small", 1), false); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(big, false); err != nil || large.texts["tb-profile-big"] == "" || local.texts["tb-profile-big"] != "" {
		t.Errorf("a large one: %v", err)
	}
	s.SetActive("big")
	local.room = 1
	if err := s.Save(named("small", 3, "x"), false); err != nil {
		t.Errorf("localStorage is full: %v", err)
	}
	if got := pinned(t, &Shelf{Local: local, Large: large}, "small"); !slices.Equal(got, []string{"x"}) {
		t.Errorf("the next page has %q", got)
	}
	s.KeepActive("small", s.SetActive("small"))
	if again := (&Shelf{Local: local, Large: large}); again.KeptActive() != "small" {
		t.Error("localStorage is full, and it is forgotten which profile is shown")
	}
	local.room = 0
	s.KeepActive("", s.SetActive(""))
	if again := (&Shelf{Local: local, Large: large}); again.KeptActive() != "" {
		t.Error("a profile that was left is back")
	}
	// Nothing is kept at all.
	for _, s := range []*Shelf{{}, {Local: &browser{Memory: NewMemory(), refuses: errors.New("SecurityError")}}, {Local: &browser{Memory: NewMemory(), room: 1}}} {
		err := s.Save(named("p", 1, "y"), false)
		if !errors.As(err, new(*SessionError)) {
			t.Errorf("nothing is kept, and the answer is %v", err)
		}
		if got := pinned(t, s, "p"); !slices.Equal(got, []string{"y"}) || !s.List()[0].Session {
			t.Errorf("this page has %q, %+v", got, s.List())
		}
		s.SetActive("p")
		if s.Active() != "p" {
			t.Error("it is not active")
		}
		s.SetActive("")
		if s.Active() != "" {
			t.Error("it is still active")
		}
	}
}

// A save that cannot be kept leaves what was there.
func TestFailedSaveLosesNothing(t *testing.T) {
	local := newBrowser()
	s := &Shelf{Local: local}
	if err := s.Save(named("p", 1, "kept"), false); err != nil {
		t.Fatal(err)
	}
	bad := named("p", 2)
	bad.Smoothing = 9
	if err := s.Save(bad, false); err == nil {
		t.Error("a wrong profile was saved")
	}
	if got := pinned(t, &Shelf{Local: local}, "p"); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("there is %q", got)
	}
}

// A save cut short between two stores leaves two; the newer one counts.
func TestNewestCounts(t *testing.T) {
	for _, newer := range []int{0, 1} {
		stores := []*browser{newBrowser(), newBrowser()}
		for i, st := range stores {
			p := named("p", 1, "old")
			if i == newer {
				p = named("p", 2, "new")
			}
			raw, err := profile.EncodeBare(p)
			if err != nil {
				t.Fatal(err)
			}
			st.texts["tb-profile-p"] = string(raw)
		}
		s := &Shelf{Local: stores[0], Large: stores[1]}
		if got := pinned(t, s, "p"); !slices.Equal(got, []string{"new"}) {
			t.Errorf("store %d is newer; got %q", newer, got)
		}
		if err := s.Save(named("p", 3, "last"), false); err != nil {
			t.Fatal(err)
		}
		if n := len(stores[0].texts["tb-profile-p"]) * len(stores[1].texts["tb-profile-p"]); n != 0 {
			t.Error("it stands in both")
		}
	}
}

// What is broken is listed with the reason, stays where it is, and stops nothing; a save
// under its name puts it aside.
func TestBroken(t *testing.T) {
	local := newBrowser()
	local.texts["tb-profile-bad"] = `{"version":1,"name":`
	local.texts["tb-profile-newer"] = `{"version":7,"name":"newer"}`
	local.texts["tb-profile-index"] = `nonsense`
	s := &Shelf{Local: local}
	if err := s.Save(named("good", 1), false); err != nil {
		t.Fatal(err)
	}
	list := s.List()
	if len(list) != 3 || list[0].Name != "good" || list[1].Broken == "" || list[2].Broken == "" {
		t.Errorf("listed %+v", list)
	}
	var broken *BrokenError
	if _, _, err := s.Load("bad"); !errors.As(err, &broken) || local.texts["tb-profile-bad"] == "" {
		t.Errorf("loaded: %v", err)
	}
	if err := s.Save(named("bad", 2, "x"), false); err != nil || local.texts["tensorbored-static.aside.bad"] != `{"version":1,"name":` {
		t.Errorf("saved over: %v; aside is %q", err, local.texts["tensorbored-static.aside.bad"])
	}
	var missing *MissingError
	if _, _, err := s.Load("nobody"); !errors.As(err, &missing) {
		t.Errorf("of nobody: %v", err)
	}
}

// Tabs that save at once lose no profile, and who would save over another tab's change is
// told before.
func TestTwoTabs(t *testing.T) {
	local := newBrowser()
	a, b := &Shelf{Local: local}, &Shelf{Local: local}
	for i := range 50 {
		if err := errors.Join(a.Save(named(fmt.Sprint("a", i), 1), false), b.Save(named(fmt.Sprint("b", i), 1), false)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len((&Shelf{Local: local}).List()); n != 100 {
		t.Errorf("%d of 100 profiles are there", n)
	}
	pinned(t, a, "b0")
	if err := b.Save(named("b0", 5, "of b"), false); err != nil {
		t.Fatal(err)
	}
	if got := a.Heard("tb-profile-b0"); got != "b0" {
		t.Errorf("heard of %q", got)
	}
	if got := a.Heard("tb-profile-index") + a.Heard("else") + b.Heard("tb-profile-b0"); got != "" {
		t.Errorf("heard of %q", got)
	}
	var conflict *ConflictError
	if err := a.Save(named("b0", 6, "of a"), false); !errors.As(err, &conflict) {
		t.Errorf("saved over another tab's: %v", err)
	}
	if got := pinned(t, b, "b0"); !slices.Equal(got, []string{"of b"}) {
		t.Errorf("b's has %q", got)
	}
	if err := a.Save(named("b0", 6, "of a"), true); err != nil || !slices.Equal(pinned(t, b, "b0"), []string{"of a"}) {
		t.Errorf("saved all the same: %v", err)
	}
}

// TensorBored's own profiles are taken over once, and its own stay as they are.
func TestTakeOver(t *testing.T) {
	local := newBrowser()
	local.texts["_tb_profiles_index"] = `["mine","theirs","broken","gone"]`
	for _, name := range []string{"mine", "theirs"} {
		raw, err := profile.EncodeBare(named(name, 1, "their "+name))
		if err != nil {
			t.Fatal(err)
		}
		local.texts["_tb_profile."+name] = string(raw)
	}
	local.texts["_tb_profile.broken"] = "{"
	s := &Shelf{Local: local}
	if err := s.Save(named("mine", 9, "own"), false); err != nil {
		t.Fatal(err)
	}
	if got := s.TakeOver(); !slices.Equal(got, []string{"mine (1)", "theirs"}) {
		t.Errorf("taken over %q", got)
	}
	if got := pinned(t, s, "mine"); !slices.Equal(got, []string{"own"}) {
		t.Errorf("mine has %q", got)
	}
	if _, err := s.Delete("theirs"); err != nil {
		t.Fatal(err)
	}
	if got := s.TakeOver(); got != nil || s.Has("theirs") {
		t.Errorf("taken over again: %q", got)
	}
	if local.texts["_tb_profile.theirs"] == "" || local.texts["_tb_profiles_index"] == "" {
		t.Error("TensorBored's own are gone")
	}
}

// The view that TensorBored was left with is found: pins of either age, colours, filter,
// scales, cards, the runs that were switched off.
func TestTheirs(t *testing.T) {
	if p := Theirs(newBrowser()); p != nil {
		t.Errorf("of nothing: %+v", p)
	}
	local := newBrowser()
	local.texts["tb-saved-scalar-pins"] = `["old","older"]`
	if p := Theirs(local); p == nil || len(p.Pins) != 2 || p.Pins[0].Tag != "old" {
		t.Errorf("old pins: %+v", p)
	}
	for k, v := range map[string]string{
		"tb-saved-pins":              `[{"plugin":"scalars","tag":"new"},7,{"plugin":"images","tag":"i","runId":"defaultExperimentId/r","sample":1}]`,
		"_tb_run_selection.v1":       `{"version":1,"runSelection":[["defaultExperimentId/r",false],["defaultExperimentId/s",true]]}`,
		"_tb_run_colors.v1":          `{"version":1,"runColorOverrides":[["defaultExperimentId/r","#123456"]],"groupKeyToColorId":[]}`,
		"_tb_tag_filter.v1":          `{"value":"loss","timestamp":1}`,
		"_tb_superimposed_cards.v1":  `{"version":1,"cards":[{"id":"i","title":"t","tags":["a","b"],"runId":null}]}`,
		"_tb_axis_scales.v1":         `{"version":1,"yAxisScale":"log10","tagAxisScales":{"a":{"y":"symlog10"}}}`,
		"_tb_tag_group_expansion.v1": `{"version":1,"groups":[["train",true]]}`,
		"_tb_global_settings":        `{"scalarSmoothing":0.25}`,
	} {
		local.texts[k] = v
	}
	s := Apply(schema, Theirs(local), &session.State{}, nil)
	if got := session.Pins.Of(&s); !slices.Equal(got, []string{"scalars?tag=new", "images?tag=i&run=r&sample=1"}) {
		t.Errorf("pins %q", got)
	}
	if got := session.Runs.Of(&s); !reflect.DeepEqual(got, map[string]bool{"r": false}) || session.OthersOff.Of(&s) {
		t.Errorf("runs %v", got)
	}
	if c, _ := session.RunColors.Get(&s, "r"); c != "#123456" {
		t.Errorf("colour %q", c)
	}
	if y, _ := tagScales.Get(&s, "a"); session.TagFilter.Of(&s) != "loss" || yScale.Of(&s) != "log10" || y["y"] != "symlog10" || smoothing.Of(&s) != 0.25 {
		t.Error("filter, scales or smoothing are others")
	}
	if open, _ := session.Groups.Get(&s, "train"); !open {
		t.Error("the group is closed")
	}
	for _, k := range sortedKeys(local.texts) {
		local.texts[k] = `{"version":1,"cards":7,"runSelection":"x","value":[]}`
	}
	Theirs(local) // whatever stands there, it does not stop the page
}

// Pins on screen are there for TensorBoard, and what it changes of them comes back.
func TestPinsAreShared(t *testing.T) {
	local := newBrowser()
	s := &session.State{}
	session.Pin(s, session.CardOf("text", "notes").OfRun("r", 0))
	session.Pin(s, session.CardOf("scalars", "a"))
	session.Pin(s, session.CardOf("images", "i").OfRun("r", 0))
	MirrorPins(local, s)
	if got := local.texts["tb-saved-pins"]; got != `[{"plugin":"scalars","tag":"a"},{"plugin":"images","tag":"i","runId":"defaultExperimentId/r","sample":0}]` {
		t.Errorf("kept as %s", got)
	}
	before := session.Pins.Of(s)
	HeedPins(local, s)
	if !slices.Equal(before, session.Pins.Of(s)) {
		t.Errorf("changed by nobody to %q", session.Pins.Of(s))
	}
	local.texts["tb-saved-pins"] = `[{"plugin":"scalars","tag":"b"},{"plugin":"scalars","tag":"a"}]`
	HeedPins(local, s)
	if got := session.Pins.Of(s); !slices.Equal(got, []string{"scalars?tag=b", "scalars?tag=a", "text?tag=notes&run=r"}) {
		t.Errorf("pins %q", got)
	}
	for _, bad := range []string{"", "{", `{"a":1}`} {
		local.texts["tb-saved-pins"] = bad
		HeedPins(local, s)
	}
	if len(session.Pins.Of(s)) != 3 {
		t.Errorf("pins %q", session.Pins.Of(s))
	}
}

// The order of precedence: the active profile before what the browser was left with,
// unless that is this profile with changes; the logdir's profile only where no other is
// shown, and changes are not overwritten unasked.
func TestPrecedence(t *testing.T) {
	kept := &session.State{}
	session.TagFilter.Set(kept, "left")
	p := named("P", 1, "of P")
	got := Begin(schema, kept, "", nil)
	if session.TagFilter.Of(&got) != "left" || session.Profile.Of(&got) != "" {
		t.Error("without a profile the browser's view is another one")
	}
	got = Begin(schema, kept, "P", p)
	if session.TagFilter.Of(&got) != "" || !session.Pinned(&got, session.CardOf("scalars", "of P")) || session.Profile.Of(&got) != "saved:P" {
		t.Error("the active profile does not come before the browser's view")
	}
	session.TagFilter.Set(&got, "changed")
	again := Begin(schema, &got, "P", p)
	if session.TagFilter.Of(&again) != "changed" || !slices.Equal(Changes(schema, p, &again), []string{"tagFilter"}) {
		t.Error("changes of the active profile's view are lost by loading the page anew")
	}
	left := Begin(schema, &got, "", nil)
	if session.Profile.Of(&left) != "" || session.TagFilter.Of(&left) != "changed" {
		t.Error("a profile that was left is back")
	}
	other := Begin(schema, &got, "Q", named("Q", 1, "of Q"))
	if session.Profile.Of(&other) != "saved:Q" || !session.Pinned(&other, session.CardOf("scalars", "of Q")) {
		t.Error("the profile that another tab chose is not shown")
	}

	d := named("D", 1, "of D")
	at := func(of string, change bool) *session.State {
		s := Apply(schema, d, &session.State{}, nil)
		session.Profile.Set(&s, of)
		if change {
			session.TagFilter.Set(&s, "changed")
		}
		return &s
	}
	newer := named("D", 2, "of D", "more")
	no := at("", false)
	session.NoDefault.Set(no, true)
	for name, c := range map[string]struct {
		s       *session.State
		p, base *profile.Profile
		want    Decision
	}{
		"nothing is shown":                {&session.State{}, d, nil, Show},
		"a saved profile is shown":        {at("saved:P", false), d, nil, Leave},
		"a link's is shown":               {at("link:P", false), d, d, Leave},
		"the user does not want it":       {no, d, nil, Leave},
		"it is shown":                     {at("default:D", false), d, d, Same},
		"it is shown, changed":            {at("default:D", true), d, d, Same},
		"it was written anew":             {at("default:D", false), newer, d, Show},
		"it was written anew and changed": {at("default:D", true), newer, d, Ask},
	} {
		if got := Default(schema, c.s, c.p, c.base); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
