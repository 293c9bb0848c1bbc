package catalog

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A long name is told of in part. The parts of two names differ where they do, also in the
// middle, are the same in each run and from the cache, and are what tags are asked for by.
func TestLongNamesAreBrief(t *testing.T) {
	long := strings.Repeat("train/", 4000)
	names := []string{long + "a" + long, long + "b" + long, long + "ä" + long, strings.Repeat("ü", longName), strings.Repeat("x", longName), "short"}
	w := summary.NewBuffer(summary.Options{})
	for i, name := range names {
		w.Scalar(name, float64(i), int64(i), summary.DisplayName(name), summary.Description("words"), summary.AsTensor())
		w.Scalar(Brief(name), -1, 100) // a tag that is called so
	}
	c := New()
	c.Brief = true
	read := c.Run("r").AddFile("r/tfevents")
	read.Feed(w.Bytes(), true)
	if err := c.Run("s").AddFile("s/tfevents").Restore(read.AppendStored(nil)); err != nil {
		t.Fatal(err)
	}
	for _, run := range []*Run{c.Run("r"), c.Run("s")} {
		seen := map[string]bool{}
		run.Tags(func(tag *Tag, info wire.Tag) {
			if len(tag.Shown) > longName+100 || !utf8.ValidString(tag.Shown) || seen[tag.Shown] {
				t.Errorf("%s: shown as %q", run.Name, tag.Shown)
			}
			if seen[tag.Shown] = true; run.Lookup(tag.Shown) != tag {
				t.Errorf("%q is not found", tag.Shown)
			}
			if len(tag.Name) > longName && !strings.Contains(tag.Shown, " bytes) …") {
				t.Errorf("%q does not say that it is a part", tag.Shown)
			}
		})
		if len(seen) != 2*len(names)-2 { // two are not long
			t.Errorf("%s: %d tags", run.Name, len(seen))
		}
		for i, name := range names[:2] {
			if tag := run.Lookup(Brief(name) + "\uFFFD"); tag == nil || tag.Name != name {
				t.Errorf("name %d is not asked for by its part", i)
			}
		}
	}
}

// A long description is told of in part, and says so; inspect, which is not brief, has all.
func TestLongDescriptionsAreBrief(t *testing.T) {
	for _, n := range []int{longText, 10 * longText} {
		w := summary.NewBuffer(summary.Options{})
		w.Scalar("a", 1, 1, summary.Description(strings.Repeat("ü", n/2)))
		for _, brief := range []bool{true, false} {
			c := New()
			c.Brief = brief
			r := c.Run("r")
			r.AddFile("r/tfevents").Feed(w.Bytes(), true)
			r.Tags(func(_ *Tag, info wire.Tag) {
				cut := strings.HasSuffix(info.Description, fmt.Sprintf("… (%d bytes)", n))
				if cut != (brief && n > longText) || cut && len(info.Description) > longText+100 || !cut && len(info.Description) != n {
					t.Errorf("%d bytes, brief %v: %d bytes are told, %v", n, brief, len(info.Description), cut)
				}
			})
		}
	}
}
