package session

import (
	"slices"
	"testing"
)

func TestCardID(t *testing.T) {
	for text, id := range map[string]CardID{
		"scalars?tag=train%2Floss":                CardOf("scalars", "train/loss"),
		"images?tag=a+b&run=x%2Fy&sample=2":       CardOf("images", "a b").OfRun("x/y", 2),
		"scalars?tag=a&tag=b":                     CardOf("scalars", "a", "b"),
		"my%3Fplugin?tag=%3Cb%3E&run=%26run%3D":   CardOf("my?plugin", "<b>").OfRun("&run=", 0),
		"text?tag=":                               CardOf("text", ""),
		"scalars?tag=a&part=folder%3Ax%2Fy":       {Plugin: "scalars", Tag: "a", Part: PartOf(PartFolder, "x/y")},
		"scalars?tag=a&tag=b&run=r&part=group%3A": {Plugin: "scalars", Tag: "a\nb", Run: "r", Part: PartOf(PartGroup, "")},
	} {
		if id.String() != text {
			t.Errorf("%+v is %s, want %s", id, id, text)
		}
		if got, err := ParseCardID(text); err != nil || got != id {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "scalars", "?tag=a", "scalars?run=a", "scalars?tag=a&sample=x", "scalars?tag=a&sample=-1", "scalars?tag=a&run=b&run=c", "scalars?tag=a&part=b&part=c", "scalars?tag=%zz"} {
		if got, err := ParseCardID(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
	if way, name := CutPart(PartOf(PartRun, "a:b")); way != PartRun || name != "a:b" {
		t.Errorf("a part is cut into %q and %q", way, name)
	}
	if CardOf("scalars", "a", "b") == CardOf("scalars", "a\nb") || CardOf("scalars", "a").OfRun("", 0) != CardOf("scalars", "a") {
		t.Error("which cards are the same")
	}
}

func FuzzCardID(f *testing.F) {
	f.Add("scalars", "a\nb", `c\n\\d`, "run", 3)
	f.Fuzz(func(t *testing.T, plugin, tag, other, run string, sample int) {
		if plugin == "" {
			return
		}
		for _, tags := range [][]string{{tag}, {tag, other}} {
			id := CardOf(plugin, tags...).OfRun(run, max(sample, 0))
			id.Part = other
			if got, err := ParseCardID(id.String()); err != nil || got != id || !slices.Equal(got.Tags(), tags) {
				t.Errorf("%q comes back as %+v with tags %q, %v", id, got, got.Tags(), err)
			}
		}
	})
}
