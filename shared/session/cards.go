package session

import (
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/derive"
)

// MaxTags is how many tags a superimposed card may have.
const MaxTags = 50

// Superimposed is a card of several tags, or of derived series, in the form of profiles.
type Superimposed struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
	Run   *string  `json:"runId"` // of a card of one run, by RunName or RunID; null: of all
}

// Card returns the card of a plug-in that it is.
func (c Superimposed) Card(plugin string) CardID {
	id := CardOf(plugin, c.Tags...)
	if c.Run != nil {
		id = id.OfRun(RunName(*c.Run), 0)
	}
	return id
}

// Name is what the card is called: its title, or else its tags.
func (c Superimposed) Name() string {
	if c.Title != "" {
		return c.Title
	}
	return TagNames(c.Tags)
}

// TagNames are tags as people read them.
func TagNames(tags []string) string {
	names := make([]string, len(tags))
	for i, t := range tags {
		names[i] = derive.Text(t)
	}
	return strings.Join(names, ", ")
}

// superimposed declares a list of such cards.
func superimposed(name string, scope Scope) *Setting[[]Superimposed] {
	return Form(name, scope, func(list []Superimposed) ([]Superimposed, bool) {
		var out []Superimposed
		for _, c := range list {
			if len(c.Tags) == 0 || len(c.Tags) > MaxTags || slices.Contains(c.Tags, "") || len(out) == MaxPins {
				continue
			}
			same := func(o Superimposed) bool { return o.Card("") == c.Card("") }
			if !slices.ContainsFunc(out, same) {
				out = append(out, c)
			}
		}
		return out, len(out) > 0
	})
}
