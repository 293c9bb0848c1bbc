package catalog

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// Kind says which points of a tag are shown.
type Kind uint8

const (
	// Unknown: a tag that only metadata named so far.
	Unknown Kind = iota
	// Scalar: those in columns.
	Scalar
	// Blob: those that stay in the file.
	Blob
)

// Tag is what a run's files say together of one tag, as of the last Lookup or Tags. As
// in TensorBoard the first that says something counts, in the order of files and
// records, whichever was read first.
type Tag struct {
	Name        string // as logged; need not be UTF-8
	Shown       string // as it is shown and asked for: UTF-8, and no other tag's
	Plugin      string // "" belongs to no plug-in
	DisplayName string
	Description string
	Content     []byte // of the plug-in's own data
	Kind        Kind
	// Guessed says that no file names a plug-in. If all values are single numbers
	// they are shown as scalars.
	Guessed bool

	described bool // metadata has been seen
	stale     bool // files have said more since
	// doubtful says that values may not be shown, or shown by a guess: see
	// Run.doubt. said is the plug-in that the last file named.
	doubtful bool
	said     string
	claims   int // how many files name it
}

// claim is what one file says of a tag.
type claim struct {
	Tag *Tag
	run *Run

	described   bool // the names are those of the first metadata
	displayName string
	description string
	// plugin is what the first value names that names one, valued, or otherwise
	// the first metadata without a value.
	plugin  string
	content []byte
	valued  bool

	scalars bool // tensors are scalars, as far as this file says
	// A value of that form was used before, so that the next one adds nothing to all
	// this but perhaps metadata.
	simple, tensor bool
}

// Points is the plug-in whose values are kept as points: numbers by step and wall time.
const Points = "scalars"

// pluginOf maps the old forms to the plug-ins to which their values belong, whatever
// their metadata say (tensorboard/data_compat.py).
var pluginOf = [...]string{event.Simple: Points, event.Image: "images", event.Histo: "histograms", event.Audio: "audio", event.TensorForm: ""}

// take takes what a value says of its tag.
func (c *claim) take(v *event.Value) {
	if c.valued && (v.Meta == nil || c.described) {
		return
	}
	var m event.Meta
	if v.Meta != nil {
		var err error
		if m, err = event.DecodeMeta(v.Meta); err != nil {
			m = event.Meta{}
		} else if !c.described {
			c.described = true
			c.displayName, c.description = m.DisplayName, m.Description
			c.run.changed(c.Tag)
		}
	}
	if form := pluginOf[v.Form]; form != "" {
		m.Plugin = form
	}
	switch {
	case m.Plugin == "":
	case v.Form != event.NoForm && v.Form != event.OldHisto:
		c.value(m.Plugin, m.Content)
	case c.plugin == "":
		c.plugin, c.content = m.Plugin, append([]byte(nil), m.Content...)
		c.settle()
	}
}

// size is how many bytes it has beside the tag's name.
func (c *claim) size() int64 {
	return int64(len(c.displayName) + len(c.description) + len(c.plugin) + len(c.content))
}

// value takes the plug-in that a value names.
func (c *claim) value(plugin string, content []byte) {
	if c.valued {
		return
	}
	c.valued, c.plugin, c.content = true, plugin, append([]byte(nil), content...)
	c.settle()
}

// settle notes what follows from the plug-in.
func (c *claim) settle() {
	c.scalars = c.plugin == Points
	c.tensor = c.tensor && c.scalars
	if t := c.Tag; t.said == "" {
		t.said = c.plugin
	} else if t.said != c.plugin {
		c.run.doubt(t)
	}
	c.run.changed(c.Tag)
}

// Text returns s with every byte that is not UTF-8 replaced, for what is shown
// and for JSON.
func Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// longName is how many bytes of a name are told of at most. Nobody reads more, and page,
// workers and addresses hold each name several times: 40,000 names of 20 kB took the page
// 2.6 GB.
const longName = 1000

// Brief is Text of a name, or of a longer one than longName its beginning, what tells it from
// others (FNV-1a of all of it, and how long it is), and its end.
func Brief(s string) string {
	if len(s) <= longName {
		return Text(s)
	}
	sum := uint64(14695981039346656037)
	for i := range len(s) {
		sum = (sum ^ uint64(s[i])) * 1099511628211
	}
	return strings.ToValidUTF8(s[:longName/2], "") + "… (" + strconv.FormatUint(sum, 16) + ", " + strconv.Itoa(len(s)) + " bytes) …" + strings.ToValidUTF8(s[len(s)-longName/4:], "")
}

// longText is how many bytes of a description are told of at most.
const longText = 16 << 10

// briefly is s, or the beginning of a longer one than longText, with how long it is.
func briefly(s string) string {
	if len(s) <= longText {
		return s
	}
	return strings.ToValidUTF8(s[:longText], "") + "… (" + strconv.Itoa(len(s)) + " bytes)"
}

// escaped returns s with every byte that is not UTF-8 written as \xNN. It is what is
// shown where Text would show two tags alike.
func escaped(s string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			b.WriteString(`\x`)
			b.WriteByte(hex[s[0]>>4])
			b.WriteByte(hex[s[0]&15])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
