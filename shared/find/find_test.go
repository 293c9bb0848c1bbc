package find

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
)

func TestRank(t *testing.T) {
	for _, c := range []struct {
		typed string
		names string // between commas, in the order in which they are wanted; behind | what does not fit
	}{
		{"loss", "loss,loss/train,train/loss,late or so soon,glossary|accuracy,so late"},
		{"tl", "tlc,train/loss,the long list,settled,total|lt,attila z"},
		{"train lo", "train/loss,loss of train,train/long_one|train/accuracy,loss"},
		{"", "b,a"},
		{"  ", "b,a"},
		{"é", "é,café|cafe"},
		{"x-axis", "x-axis: wall|x axis"},
	} {
		fit, not, _ := strings.Cut(c.names, "|")
		want := strings.Split(fit, ",")
		var names []string
		if not != "" {
			names = strings.Split(not, ",")
		}
		for i := range want { // from the back, so that nothing is in order by itself
			if c.typed = Low(c.typed); strings.TrimSpace(c.typed) == "" {
				names = append(names, want[i])
			} else {
				names = append(names, want[len(want)-1-i])
			}
		}
		var got []string
		for _, i := range Rank(names, c.typed, nil) {
			got = append(got, names[i])
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q finds %q, want %q", c.typed, got, want)
		}
	}
}

// Whatever is typed: a name is found by each of its beginnings, and nothing is found twice.
func TestRankFindsBeginnings(t *testing.T) {
	if err := quick.Check(func(names []string, cut uint8) bool {
		for i := range names {
			names[i] = strings.ReplaceAll(Low(names[i]), " ", "")
		}
		for i, n := range names {
			r := []rune(strings.Join(strings.Fields(n), ""))
			names[i] = string(r)
			found := map[int]bool{}
			for _, k := range Rank(names, string(r[:min(len(r), int(cut))]), nil) {
				if found[k] {
					return false
				}
				found[k] = true
			}
			if !found[i] {
				return false
			}
		}
		return true
	}, nil); err != nil {
		t.Error(err)
	}
}

func BenchmarkRank(b *testing.B) {
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprintf("layer_%d/block_%d/attention/weights_norm", i%100, i/100)
	}
	for b.Loop() {
		Rank(names, "att norm 7", nil)
	}
}
