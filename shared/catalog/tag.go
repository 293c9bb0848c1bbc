package catalog

import (
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/event"
)

// Kind says how a tag's points are kept. The first value of a tag in a run
// decides it.
type Kind uint8

const (
	// Unknown: a tag that only metadata named so far.
	Unknown Kind = iota
	// Scalar: points are in columns.
	Scalar
	// Blob: points stay in the file.
	Blob
)

// Tag is what is known of one tag of one run. The first metadata that a run holds
// for a tag counts, as in TensorBoard.
type Tag struct {
	Name        string // as logged; need not be UTF-8
	Shown       string // as it is shown and asked for: UTF-8, and no other tag's
	Plugin      string // "" belongs to no plug-in
	DisplayName string
	Description string
	Content     []byte // of the plug-in's own data
	Kind        Kind

	described bool // metadata has been seen
}

// describe takes what a value says of its tag.
func (t *Tag) describe(v *event.Value) {
	if v.Meta != nil && !t.described {
		if m, err := event.DecodeMeta(v.Meta); err == nil {
			t.described = true
			t.DisplayName, t.Description = m.DisplayName, m.Description
			t.Content = append([]byte(nil), m.Content...)
			if t.Plugin == "" {
				t.Plugin = m.Plugin
			}
		}
	}
	if t.Kind != Unknown {
		return
	}
	// Values of the old forms belong to the plug-in of their form, whatever
	// their metadata say (tensorboard/data_compat.py).
	switch v.Form {
	case event.Simple:
		t.Plugin, t.Kind = "scalars", Scalar
	case event.Image:
		t.Plugin, t.Kind = "images", Blob
	case event.Histo:
		t.Plugin, t.Kind = "histograms", Blob
	case event.Audio:
		t.Plugin, t.Kind = "audio", Blob
	case event.TensorForm:
		t.Kind = Blob
		if t.Plugin == "scalars" {
			t.Kind = Scalar
		}
	}
}

// Text returns s with every byte that is not UTF-8 replaced, for what is shown
// and for JSON.
func Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
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
