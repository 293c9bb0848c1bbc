// Package profiles keeps profiles and shows them: it turns a profile into the settings of
// a session and back (mapping.go), keeps profiles in a browser's storage (shelf.go), takes
// over what TensorBoard and TensorBored have kept there (legacy.go), and says which
// profile a page begins with (start.go). It is plain Go; where texts are stored is handed
// to it.
package profiles

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// field ties a setting of the view to the field of a profile that says the same. All
// other settings of the view stand in the profile's own field, by their names: a setting
// that is declared anywhere is part of profiles.
type field struct {
	setting string
	// put returns the setting's JSON; nil: the profile says nothing, which is the default.
	put func(p *profile.Profile) any
	// take writes the setting's JSON, nil for the default, into the profile.
	take func(p *profile.Profile, raw json.RawMessage)
}

// fields in the order of the document.
var fields = []field{
	{"pins", putPins, takePins},
	{"runColors", func(p *profile.Profile) any {
		m := map[string]string{}
		for _, c := range p.RunColors {
			m[profile.RunName(c.Run)] = c.Color
		}
		return m
	}, takeRunColors},
	{"groupColors", putGroupColors, takeGroupColors},
	{"superimposedCards", putSuperimposed, takeSuperimposed},
	{"tagFilter", func(p *profile.Profile) any { return p.TagFilter }, func(p *profile.Profile, raw json.RawMessage) { p.TagFilter = read[string](raw) }},
	{"runFilter", func(p *profile.Profile) any { return p.RunFilter }, func(p *profile.Profile, raw json.RawMessage) { p.RunFilter = read[string](raw) }},
	{"smoothing", func(p *profile.Profile) any { return p.Smoothing }, func(p *profile.Profile, raw json.RawMessage) {
		if p.Smoothing = profile.DefaultSmoothing; raw != nil {
			p.Smoothing = read[float64](raw)
		}
	}},
	{"groupBy", putGroupBy, takeGroupBy},
	{"metricDescriptions", func(p *profile.Profile) any { return p.Descriptions }, func(p *profile.Profile, raw json.RawMessage) { p.Descriptions = read[map[string]string](raw) }},
	{"yAxisScale", putScale(func(p *profile.Profile) *profile.Scale { return &p.YScale }), takeScale(func(p *profile.Profile) *profile.Scale { return &p.YScale })},
	{"xAxisScale", putScale(func(p *profile.Profile) *profile.Scale { return &p.XScale }), takeScale(func(p *profile.Profile) *profile.Scale { return &p.XScale })},
	{"tagAxisScales", putTagScales, takeTagScales},
	{"symlogZone", func(p *profile.Profile) any { return p.Symlog }, func(p *profile.Profile, raw json.RawMessage) { p.Symlog = read[float64](raw) }},
	{"groups", func(p *profile.Profile) any { return p.Groups }, func(p *profile.Profile, raw json.RawMessage) { p.Groups = read[map[string]bool](raw) }},
}

// read reads the JSON of a setting; the zero value for the default.
func read[T any](raw json.RawMessage) (v T) {
	if raw != nil {
		_ = json.Unmarshal(raw, &v) // a setting's own JSON; what is odd is left out
	}
	return v
}

// Names in a profile's own field.
const (
	ownOthers      = "others"      // what runs are that runSelection does not name: "on" by the usual rule, or "off"
	ownGroupColors = "groupColors" // group → #rrggbb; TensorBored has numbers only
)

// carried says whether profiles have a setting by its name: those of the view, and what is
// said of single runs.
func carried(d *session.Decl) bool {
	return (d.Scope() == session.View || slices.Contains(session.RunWords, d)) && d != session.Profile.Decl
}

// Apply returns the state in which a session shows p: every setting of the view is as the
// profile says, or its default, and the runs that are shown, their notes, tags and names,
// and which are hidden, are as it says, if it does.
// What else there is in s stays. runs gives runs the names that they have here; nil: it is
// not known yet which there are.
func Apply(l session.Schema, p *profile.Profile, s *session.State, runs func(id string) string) session.State {
	next := s.Clone()
	mapped := map[string]field{}
	for _, f := range fields {
		mapped[f.setting] = f
	}
	if runs != nil {
		p = renamed(p, runs)
	}
	others, ours := p.View[ownOthers]
	for _, d := range l {
		// Who writes profiles without these fields says nothing of the user's words.
		if raw := p.View[d.Name()]; !carried(d) || d.Scope() != session.View && raw == nil && !ours {
			continue
		}
		d.Reset(&next)
		if f, ok := mapped[d.Name()]; ok {
			v := f.put(p)
			if session.SetAs(d, &next, v) {
				continue
			}
			if raw, err := json.Marshal(v); err == nil {
				session.SetValue(d, &next, raw)
			}
		} else if raw, ok := p.View[d.Name()]; ok {
			session.SetValue(d, &next, raw)
		}
	}
	if on, hide := profile.Selection(p.RunSelection); ours || len(on) > 0 {
		if ours {
			hide = string(others) == `"off"`
		}
		session.Runs.Set(&next, on)
		session.OthersOff.Set(&next, hide)
	}
	return next
}

// Runs returns what names the runs of a profile as a logdir does that has those of known.
// root is the directory of the logdir that the profile is for, "" for all of it.
func Runs(known func(run string) bool, root string) func(id string) string {
	return func(id string) string {
		name := profile.KnownRun(id, known)
		if root != "" && !known(name) {
			if below := root + "/" + profile.KnownRun(id, func(r string) bool { return known(root + "/" + r) }); known(below) {
				return below
			}
			if known(root) && name == "." {
				return root
			}
		}
		return name
	}
}

// renamed is p with other names of runs.
func renamed(p *profile.Profile, runs func(string) string) *profile.Profile {
	c := p.Clone()
	for i := range c.Pins {
		if c.Pins[i].Run != "" {
			c.Pins[i].Run = runs(c.Pins[i].Run)
		}
	}
	for i := range c.RunColors {
		c.RunColors[i].Run = runs(c.RunColors[i].Run)
	}
	for i := range c.RunSelection {
		c.RunSelection[i].Run = runs(c.RunSelection[i].Run)
	}
	for i, s := range c.Superimposed {
		if s.Run != "" {
			c.Superimposed[i].Run = runs(s.Run)
		}
	}
	c.View = maps.Clone(c.View)
	for _, d := range session.RunWords {
		if said := read[map[string]json.RawMessage](c.View[d.Name()]); said != nil {
			now := map[string]json.RawMessage{}
			for id, raw := range said {
				now[runs(id)] = raw
			}
			c.View[d.Name()] = mustJSON(now)
		}
	}
	if run := read[string](c.View[session.Baseline.Name()]); run != "" {
		c.View[session.Baseline.Name()] = mustJSON(runs(run))
	}
	return c
}

// Derive returns base with the view that is on screen in place of its own. What base holds
// beyond it, such as its name and fields that nobody here knows, stays.
func Derive(l session.Schema, base *profile.Profile, s *session.State) *profile.Profile {
	p := base.Clone()
	mapped := map[string]bool{}
	for _, f := range fields {
		mapped[f.setting] = true
		if d := l.Find(f.setting); d != nil {
			raw, _ := session.Value(d, s)
			f.take(p, raw)
		}
	}
	for i, c := range p.Pins {
		for _, card := range p.Superimposed {
			if len(c.Tags) > 0 && c.Title == "" && slices.Equal(c.Tags, card.Tags) {
				p.Pins[i].Title = card.Title // TensorBored shows it
			}
		}
	}
	// Groups' colours have a part in the profile's own field; take has put it there.
	colors := p.View[ownGroupColors]
	view := profile.Fields{}
	for name, raw := range base.View {
		if l.Find(name) == nil && name != ownOthers {
			view[name] = raw // of another version
		}
	}
	if colors != nil {
		view[ownGroupColors] = colors
	}
	for _, d := range l {
		if !carried(d) || mapped[d.Name()] {
			continue
		}
		if raw, ok := session.Value(d, s); ok {
			view[d.Name()] = raw
		}
	}
	old := map[string]profile.SelectedRun{}
	for _, r := range base.RunSelection {
		old[profile.RunName(r.Run)] = r
	}
	p.RunSelection = nil
	runs := session.Runs.Of(s)
	for _, name := range sortedKeys(runs) {
		p.RunSelection = append(p.RunSelection, profile.SelectedRun{Run: name, Selected: runs[name], Extra: old[name].Extra})
	}
	view[ownOthers] = json.RawMessage(`"on"`)
	if session.OthersOff.Of(s) {
		view[ownOthers] = json.RawMessage(`"off"`)
	}
	p.View = view
	return p
}

// Changes names what the view on screen says otherwise than the profile that it is of:
// what saving it would change. Nothing does right after Apply. Which dashboard is open is
// saved too, but to look at another one is no change.
func Changes(l session.Schema, p *profile.Profile, s *session.State) []string {
	saved, now := plain(Apply(l, p, s, nil)), plain(*s)
	session.Board.Copy(&now, &saved)
	// A profile may have ten thousand lines: only settings that differ are written into
	// documents that are compared.
	var differ session.Schema
	for _, d := range l {
		if (carried(d) || d == session.Runs.Decl || d == session.OthersOff.Decl) && !d.Same(&saved, &now) {
			differ = append(differ, d)
		}
	}
	if len(differ) == 0 {
		return nil
	}
	for _, name := range []string{"pins", "superimposedCards"} { // the one has titles of the other
		if d := l.Find(name); d != nil && differ.Find(name) == nil && (differ.Find("pins") != nil || differ.Find("superimposedCards") != nil) {
			differ = append(differ, d)
		}
	}
	return profile.Diff(Derive(differ, p, &saved), Derive(differ, p, &now))
}

// plain is s without what says of a run only what is said of all others.
func plain(s session.State) session.State {
	s = s.Clone()
	if session.OthersOff.Of(&s) {
		on := map[string]bool{}
		for run, v := range session.Runs.Of(&s) {
			if v {
				on[run] = true
			}
		}
		session.Runs.Set(&s, on)
	}
	return s
}

func putPins(p *profile.Profile) any {
	list := []string{}
	for _, c := range p.Pins {
		list = append(list, c.Card().String())
	}
	return list
}

func takePins(p *profile.Profile, raw json.RawMessage) {
	old := map[session.CardID]profile.Pin{}
	for _, c := range p.Pins {
		old[c.Card()] = c
	}
	p.Pins = nil
	for _, text := range read[[]string](raw) {
		id, err := session.ParseCardID(text)
		if err != nil {
			continue
		}
		pin := profile.PinOf(id)
		if was, ok := old[id]; ok {
			pin.Title, pin.Extra = was.Title, was.Extra
			if len(pin.Tags) > 0 {
				pin.Tag = was.Tag
			}
		}
		p.Pins = append(p.Pins, pin)
	}
}

func takeRunColors(p *profile.Profile, raw json.RawMessage) {
	old := map[string]profile.RunColor{}
	for _, c := range p.RunColors {
		old[profile.RunName(c.Run)] = c
	}
	p.RunColors = nil
	colors := read[map[string]string](raw)
	for _, run := range sortedKeys(colors) {
		p.RunColors = append(p.RunColors, profile.RunColor{Run: profile.RunID(run), Color: colors[run], Extra: old[run].Extra})
	}
}

// palette are TensorBored's numbered colours on a light ground.
var palette = []string{"#425066", "#12b5cb", "#e52592", "#f9ab00", "#9334e6", "#7cb342", "#7678ed"}

// inactive is the colour of the number -1.
const inactive = "#e0e0e0"

// Colours of groups are numbers in TensorBored and any colour here. Numbers of its palette
// are read as their colours; a colour that is none of them stands in our own field.
func putGroupColors(p *profile.Profile) any {
	m := map[string]string{}
	for _, c := range p.GroupColors {
		switch {
		case c.Color == -1:
			m[c.Group] = inactive
		case c.Color < len(palette):
			m[c.Group] = palette[c.Color]
		}
	}
	for group, color := range read[map[string]string](p.View[ownGroupColors]) {
		m[group] = color
	}
	return m
}

func takeGroupColors(p *profile.Profile, raw json.RawMessage) {
	old := map[string]profile.GroupColor{}
	var kept []profile.GroupColor
	for _, c := range p.GroupColors {
		if old[c.Group] = c; c.Color >= len(palette) {
			kept = append(kept, c) // by hash: that is no choice of the user's
		}
	}
	p.GroupColors = kept
	own := map[string]string{}
	colors := read[map[string]string](raw)
	for _, group := range sortedKeys(colors) {
		n := slices.Index(palette, strings.ToLower(colors[group]))
		if strings.EqualFold(colors[group], inactive) {
			n = -1
		} else if n < 0 {
			own[group] = colors[group]
			continue
		}
		p.GroupColors = append(p.GroupColors, profile.GroupColor{Group: group, Color: n, Extra: old[group].Extra})
	}
	if p.View = maps.Clone(p.View); p.View == nil {
		p.View = profile.Fields{}
	}
	delete(p.View, ownGroupColors)
	if len(own) > 0 {
		if raw, err := json.Marshal(own); err == nil {
			p.View[ownGroupColors] = raw
		}
	}
}

// superimposed is a superimposed card as the setting has it: as in the document.
type superimposed struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
	Run   *string  `json:"runId"`
}

func putSuperimposed(p *profile.Profile) any {
	list := []superimposed{}
	for _, c := range p.Superimposed {
		s := superimposed{ID: c.ID, Title: c.Title, Tags: c.Tags}
		if run := profile.RunName(c.Run); run != "" {
			s.Run = &run
		}
		list = append(list, s)
	}
	return list
}

func takeSuperimposed(p *profile.Profile, raw json.RawMessage) {
	old := map[string]profile.Superimposed{}
	for _, c := range p.Superimposed {
		old[c.ID] = c
	}
	p.Superimposed = nil
	for i, s := range read[[]superimposed](raw) {
		if len(s.Tags) == 0 {
			continue
		}
		if s.ID == "" {
			s.ID = "superimposed-" + strconv.Itoa(i+1)
		}
		c := profile.Superimposed{ID: s.ID, Title: s.Title, Tags: s.Tags, Extra: old[s.ID].Extra}
		if s.Run != nil {
			c.Run = profile.RunID(*s.Run)
		}
		p.Superimposed = append(p.Superimposed, c)
	}
}

// groupBy is the setting's JSON.
type groupBy struct {
	Key   profile.GroupKey `json:"key"`
	Regex string           `json:"regexString,omitempty"`
}

func putGroupBy(p *profile.Profile) any {
	g := groupBy{Key: profile.GroupRun}
	if p.GroupBy != nil {
		g = groupBy{p.GroupBy.Key, p.GroupBy.Regex}
		if g.Key == profile.GroupRegexByExp { // a logdir is one experiment
			g.Key = profile.GroupRegex
		}
	}
	return g
}

func takeGroupBy(p *profile.Profile, raw json.RawMessage) {
	now := read[groupBy](raw)
	if now.Key == "" {
		now.Key = profile.GroupRun
	}
	if was := read[groupBy](mustJSON(putGroupBy(p))); was == now || p.GroupBy != nil && p.GroupBy.Key == profile.GroupExperiment && now.Key == profile.GroupRun {
		return // also what this program takes for the same
	}
	g := &profile.GroupBy{Key: now.Key, Regex: now.Regex}
	if p.GroupBy != nil {
		g.Extra = p.GroupBy.Extra
	}
	p.GroupBy = g
	if now == (groupBy{Key: profile.GroupRun}) && g.Extra == nil {
		p.GroupBy = nil
	}
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers always can be written
	}
	return raw
}

func putScale(of func(*profile.Profile) *profile.Scale) func(*profile.Profile) any {
	return func(p *profile.Profile) any {
		if s := *of(p); s != "" {
			return s
		}
		return profile.Linear
	}
}

func takeScale(of func(*profile.Profile) *profile.Scale) func(*profile.Profile, json.RawMessage) {
	return func(p *profile.Profile, raw json.RawMessage) {
		if *of(p) = read[profile.Scale](raw); raw == nil {
			*of(p) = profile.Linear
		}
	}
}

// tagScale is a line of the setting's JSON.
type tagScale struct {
	Y profile.Scale `json:"y,omitempty"`
	X profile.Scale `json:"x,omitempty"`
}

func putTagScales(p *profile.Profile) any {
	m := map[string]tagScale{}
	for tag, s := range p.TagScales {
		m[tag] = tagScale{s.Y, s.X}
	}
	return m
}

func takeTagScales(p *profile.Profile, raw json.RawMessage) {
	old := p.TagScales
	p.TagScales = nil
	for tag, s := range read[map[string]tagScale](raw) {
		if p.TagScales == nil {
			p.TagScales = map[string]profile.TagScale{}
		}
		p.TagScales[tag] = profile.TagScale{Y: s.Y, X: s.X, Extra: old[tag].Extra}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
