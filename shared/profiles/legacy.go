package profiles

import (
	"encoding/json"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// Keys that TensorBoard and TensorBored write. All are served at port 6006 by habit, so
// what they kept is often there. It is read and left as it is: they go on using it.
const (
	theirIndex        = "_tb_profiles_index"
	theirProfile      = "_tb_profile." // + name
	theirActive       = "_tb_active_profile"
	theirRunSelection = "_tb_run_selection.v1"
	theirRunColors    = "_tb_run_colors.v1"
	theirTagFilter    = "_tb_tag_filter.v1"
	theirSuperimposed = "_tb_superimposed_cards.v1"
	theirScales       = "_tb_axis_scales.v1"
	theirGroups       = "_tb_tag_group_expansion.v1"
	theirScalarPins   = "tb-saved-scalar-pins" // earlier: a list of tags
	theirSettings     = "_tb_global_settings"

	// takenKey holds the names of the profiles that were taken over, so that one that
	// was deleted here does not come back.
	takenKey = "tensorbored-static.taken"
)

// TakeOver copies the profiles that TensorBored keeps at this origin, each once. A name
// that is taken here gets a number. It returns the names that are new.
func (s *Shelf) TakeOver() (added []string) {
	if s.Local == nil {
		return nil
	}
	names := stored[[]string](s.Local, theirIndex)
	taken := stored[[]string](s.Local, takenKey)
	before := len(taken)
	for _, name := range names {
		if slices.Contains(taken, name) {
			continue
		}
		text, err := s.Local.Get(theirProfile + name)
		if err != nil || text == "" {
			continue
		}
		p, _, err := profile.Decode([]byte(text))
		if err != nil {
			continue // theirs to keep
		}
		p.Rename(profile.UniqueName(name, s.Has))
		if s.Save(p, true) != nil {
			continue // there is no room: the next time perhaps
		}
		taken, added = append(taken, name), append(added, p.Name)
	}
	if len(taken) > before {
		if raw, err := json.Marshal(taken); err == nil {
			_ = s.Local.Set(takenKey, string(raw))
		}
	}
	return added
}

// stored reads the JSON of a key; the zero value if it is none.
func stored[T any](st Store, key string) (v T) {
	text, err := st.Get(key)
	if err != nil || text == "" || json.Unmarshal([]byte(text), &v) != nil {
		var zero T
		return zero
	}
	return v
}

// Theirs returns the view that TensorBoard or TensorBored was left with at this origin, as
// a profile; nil if there is none. It is what a page begins with that has nothing of its
// own.
func Theirs(st Store) *profile.Profile {
	if st == nil {
		return nil
	}
	p, found := profile.New("TensorBoard"), false
	// Lists of entries are read by the profile's own rules, one by one.
	doc := map[string]any{"version": 1, "name": p.Name}
	if pins := stored[[]any](st, PinsKey); len(pins) > 0 {
		doc["pinnedCards"], found = pins, true
	} else if tags := stored[[]string](st, theirScalarPins); len(tags) > 0 {
		var list []any
		for _, t := range tags {
			list = append(list, map[string]any{"plugin": session.Curves, "tag": t})
		}
		doc["pinnedCards"], found = list, true
	}
	type pairs struct {
		Version   int
		Selection [][2]any `json:"runSelection"`
		Colors    [][2]any `json:"runColorOverrides"`
		Groups    [][2]any `json:"groups"`
		Cards     []any    `json:"cards"`
	}
	if v := stored[pairs](st, theirRunSelection); v.Version == 1 && len(v.Selection) > 0 {
		var list []any
		for _, x := range v.Selection {
			// Its page lists every run it has seen, and shows those that it has not.
			if x[1] == false {
				list = append(list, map[string]any{"type": "RUN_ID", "value": x[0], "selected": false})
			}
		}
		doc["runSelection"], found = list, true
	}
	if v := stored[pairs](st, theirRunColors); v.Version == 1 && len(v.Colors) > 0 {
		var list []any
		for _, x := range v.Colors {
			list = append(list, map[string]any{"runId": x[0], "color": x[1]})
		}
		doc["runColors"], found = list, true
	}
	if v := stored[pairs](st, theirGroups); v.Version == 1 && len(v.Groups) > 0 {
		open := map[string]any{}
		for _, x := range v.Groups {
			if name, ok := x[0].(string); ok {
				open[name] = x[1]
			}
		}
		doc["expandedTagGroups"], found = open, true
	}
	if v := stored[pairs](st, theirSuperimposed); v.Version == 1 && len(v.Cards) > 0 {
		doc["superimposedCards"], found = v.Cards, true
	}
	if v := stored[struct{ Value string }](st, theirTagFilter); v.Value != "" {
		doc["tagFilter"], found = v.Value, true
	}
	if v := stored[map[string]json.RawMessage](st, theirScales); string(v["version"]) == "1" {
		for _, k := range []string{"yAxisScale", "xAxisScale", "tagAxisScales"} {
			if v[k] != nil {
				doc[k], found = v[k], true
			}
		}
	}
	if v := stored[map[string]json.RawMessage](st, theirSettings); v["scalarSmoothing"] != nil {
		doc["smoothing"], found = v["scalarSmoothing"], true
	}
	if !found {
		return nil
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil
	}
	if p, _, err = profile.Decode(raw); err != nil {
		return nil
	}
	return p
}

// MirrorPins writes the pins on screen under PinsKey, for TensorBoard and TensorBored.
func MirrorPins(st Store, s *session.State) {
	list := []json.RawMessage{}
	for _, p := range theirs(session.PinnedCards(s)) {
		raw, err := json.Marshal(struct {
			Plugin string   `json:"plugin"`
			Tag    string   `json:"tag"`
			Run    string   `json:"runId,omitempty"`
			Sample *int     `json:"sample,omitempty"`
			Tags   []string `json:"tags,omitempty"`
		}{p.Plugin, p.Tag, p.Run, sampleOf(p), p.Tags})
		if err == nil {
			list = append(list, raw)
		}
	}
	if raw, err := json.Marshal(list); err == nil {
		_ = st.Set(PinsKey, string(raw)) // ours stand elsewhere too
	}
}

func sampleOf(p profile.Pin) *int {
	if p.Plugin != "images" {
		return nil
	}
	return &p.Sample
}

func theirs(cards []session.CardID) (out []profile.Pin) {
	for _, id := range cards {
		if _, ok := session.TheirPins[id.Plugin]; ok {
			out = append(out, profile.PinOf(id))
		}
	}
	return out
}

// HeedPins takes over pins that TensorBoard or TensorBored has changed under PinsKey since
// they were written there; cards that those do not know stay pinned.
func HeedPins(st Store, s *session.State) {
	text, err := st.Get(PinsKey)
	if err != nil || text == "" {
		return
	}
	var raw []any
	if json.Unmarshal([]byte(text), &raw) != nil {
		return
	}
	doc, err := json.Marshal(map[string]any{"version": 1, "name": "pins", "pinnedCards": raw})
	if err != nil {
		return
	}
	p, _, err := profile.Decode(doc)
	if err != nil {
		return
	}
	var now, mine, rest []string
	for _, c := range p.Pins {
		now = append(now, c.Card().String())
	}
	for _, id := range session.PinnedCards(s) {
		if _, ok := session.TheirPins[id.Plugin]; ok {
			mine = append(mine, id.String())
		} else {
			rest = append(rest, id.String())
		}
	}
	if !slices.Equal(now, mine) {
		session.Pins.Set(s, append(now, rest...))
	}
}
