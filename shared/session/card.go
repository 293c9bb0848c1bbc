package session

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// CardID says which card is meant, whatever place it has on a page: profiles, links
// and pins use its text form. It is comparable.
//
// A card shows one tag of a plug-in over all runs (curves), or of one run (text,
// images), of which a value may hold several samples; or several tags together; or of curves one
// part of the runs, where cards are split.
type CardID struct {
	Plugin string
	Tag    string // of several tags, those that Tags splits
	Run    string // "" for a card of all runs
	Sample int
	Part   string // of the runs, as PartOf writes it; "" for all of them
}

// Ways of splitting the runs into parts; another one is a column of the table of runs, as
// runtable.Key writes it.
const (
	PartRun    = "run"
	PartFolder = "folder"
	PartGroup  = "group"
)

// PartOf returns the text of a part: a run, those of a folder or a group, or those with a value in
// a column. Without a name it is the runs that are in none.
func PartOf(way, name string) string { return way + ":" + name }

// CutPart returns the way and the name of a part.
func CutPart(part string) (way, name string) {
	way, name, _ = strings.Cut(part, ":")
	return way, name
}

// tagSeparator stands between the tags of a card of several. No writer puts it into a
// tag; one that did would have it escaped.
const tagSeparator = "\n"

// CardOf returns the card of these tags of a plug-in over all runs.
func CardOf(plugin string, tags ...string) CardID {
	if len(tags) == 1 && !strings.ContainsAny(tags[0], `\`+tagSeparator) {
		return CardID{Plugin: plugin, Tag: tags[0]}
	}
	escaped := make([]string, len(tags))
	for i, t := range tags {
		escaped[i] = strings.NewReplacer(`\`, `\\`, tagSeparator, `\n`).Replace(t)
	}
	return CardID{Plugin: plugin, Tag: strings.Join(escaped, tagSeparator)}
}

// OfRun returns the card of one run instead of all.
func (c CardID) OfRun(run string, sample int) CardID {
	c.Run, c.Sample = run, sample
	return c
}

// Tags returns the card's tags.
func (c CardID) Tags() []string {
	tags := strings.Split(c.Tag, tagSeparator)
	for i, t := range tags {
		if strings.Contains(t, `\`) {
			tags[i] = strings.NewReplacer(`\\`, `\`, `\n`, tagSeparator).Replace(t)
		}
	}
	return tags
}

// String returns the text form: plug-in, then tag, run and sample as in a query.
//
//	scalars?tag=train%2Floss
//	images?tag=digits&run=adam&sample=2
//	scalars?tag=train%2Floss&part=folder%3Aadam
func (c CardID) String() string {
	q := make([]string, 0, 4)
	for _, t := range c.Tags() {
		q = append(q, "tag="+query.Escape(t))
	}
	if c.Run != "" {
		q = append(q, "run="+query.Escape(c.Run))
	}
	if c.Sample != 0 {
		q = append(q, "sample="+strconv.Itoa(c.Sample))
	}
	if c.Part != "" {
		q = append(q, "part="+query.Escape(c.Part))
	}
	return query.Escape(c.Plugin) + "?" + strings.Join(q, "&")
}

// ErrCardID says that a text is not the form of a CardID.
var ErrCardID = errors.New("not a card: write plugin?tag=TAG, and for a card of one run &run=RUN")

// ParseCardID reads the text form.
func ParseCardID(text string) (CardID, error) {
	plugin, rest, ok := strings.Cut(text, "?")
	if !ok {
		return CardID{}, ErrCardID
	}
	plugin, err := query.Unescape(plugin)
	if err != nil || plugin == "" {
		return CardID{}, ErrCardID
	}
	v, err := query.Parse(rest)
	if err != nil || len(v["tag"]) == 0 || len(v["run"]) > 1 || len(v["sample"]) > 1 || len(v["part"]) > 1 {
		return CardID{}, ErrCardID
	}
	sample := 0
	if t := strings.Join(v["sample"], ""); t != "" {
		if sample, err = strconv.Atoi(t); err != nil || sample < 0 {
			return CardID{}, ErrCardID
		}
	}
	id := CardOf(plugin, v["tag"]...).OfRun(strings.Join(v["run"], ""), sample)
	id.Part = strings.Join(v["part"], "")
	return id, nil
}
