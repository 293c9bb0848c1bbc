package card

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// byTag is how the cards of most kinds are arranged: one for each tag, or for each run of it, in
// groups by the beginnings of tags, which the grid makes of all such kinds together (Index).
type byTag struct {
	g *grid
	k *liveKind
}

func (byTag) Groups(func(string) bool) []*Group       { return nil }
func (byTag) TagsOf(id session.CardID) []string       { return id.Tags() }
func (byTag) Missing() string                         { return "Missing: this logdir has no data for it." }
func (byTag) NewTags()                                {}
func (byTag) Noun() string                            { return "tag" }
func (byTag) Bar() []dom.Node                         { return nil }
func (byTag) Commands() []board.Command               { return nil }
func (byTag) Under(id session.CardID) string          { return session.TagNames(id.Tags()) }
func (byTag) Nothing(bool) (_, _, _ string, _ func()) { return }

func (a byTag) Called(id session.CardID) (by, name string) {
	name = session.TagNames(id.Tags())
	if id.Run != "" {
		name += ", " + id.Run
	}
	name = Titled(name, id)
	if pluginOf(a.k.Kind) != a.k.Name() && len(a.g.kinds) > 1 {
		name += ", " + a.k.Empty().Nouns // another kind's card shows the same tag
	}
	return id.Tags()[0], name
}

func (a byTag) Meta(id session.CardID, runs []string) Meta {
	tags := id.Tags()
	m := MetaOf(a.k.tags, runs, tags[0])
	if len(tags) > 1 || derive.IsName(tags[0]) {
		m.Name, m.Description = SuperTitle(a.g.host.State(), id), ""
	} else if m.Description == "" { // what was logged wins
		m.Description, _ = session.Descriptions.Get(a.g.host.State(), tags[0])
	}
	return m
}

func (a byTag) Has(id session.CardID, runs []string) (shown, some bool) {
	for _, tag := range id.Tags() {
		if id.Run != "" {
			if Has(a.k.tags[id.Run], tag) {
				some = true
				for _, r := range runs {
					if r == id.Run {
						return true, true
					}
				}
			}
			continue
		}
		if len(TagRuns(a.k.tags, a.k.of(id.Part, runs), tag)) > 0 {
			return true, true
		}
		for run, tags := range a.k.tags {
			if Has(tags, tag) && a.k.in(id.Part, run) {
				some = true
				break
			}
		}
	}
	return false, some
}
