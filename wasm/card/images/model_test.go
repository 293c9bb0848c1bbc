package images

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/shared/picture"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

func TestCards(t *testing.T) {
	got := Kind{}.Cards("t", []string{"b", "a"})
	if want := []session.CardID{{Plugin: "images", Tag: "t", Run: "b"}, {Plugin: "images", Tag: "t", Run: "a"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Names of an archive's files: each once, and inside the folder that it is unpacked into.
func TestNames(t *testing.T) {
	n := names{}
	png := &images.Sample{Format: picture.PNG}
	seen := map[string]bool{}
	for _, tag := range []string{"a", "../../etc", "/abs", "", "a/b", `c:\x`, ".."} {
		for _, run := range []string{".", "r", "../r"} {
			for range 3 {
				name := n.of(tag, run, -3, 0, 2, png)
				if seen[name] || strings.HasPrefix(name, "/") || strings.Contains("/"+name+"/", "/../") || strings.Contains(name, `\`) || !strings.HasSuffix(name, ".png") {
					t.Errorf("tag %q, run %q: %q", tag, run, name)
				}
				seen[name] = true
			}
		}
	}
	if got := n.of("digits", "train", 7, 1, 2, &images.Sample{}); got != "digits/train/step7_1.bin" {
		t.Error(got)
	}
	if got := fileName("x/digits", "train", 7, 0, 1, png); got != "x_digits_train_step7.png" {
		t.Error(got)
	}
}

func TestThinned(t *testing.T) {
	for _, c := range []struct {
		total, n int
		want     []int
	}{{0, 5, []int{}}, {3, 5, []int{0, 1, 2}}, {11, 3, []int{0, 5, 10}}, {9, 1, []int{8}}} {
		if got := thinned(c.total, c.n); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d of %d: %v", c.n, c.total, got)
		}
	}
}
