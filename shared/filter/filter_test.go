package filter

import "testing"

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		text, s string
		want    bool
	}{
		{"", "anything", true},
		{"loss", "train/LOSS", true},
		{"LOSS", "train/loss", true},
		{"^loss", "train/loss", false},
		{"a|b", "xbx", true},
		{"lr=1e-4", "lr=1e-4", true},
		{"é", "É", true},
		{`\d+$`, "layer_10", true},
		{"(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false},
	} {
		var f Filter
		if err := f.Set(c.text); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if got := f.Match(c.s); got != c.want {
			t.Errorf("%q in %q: %v", c.text, c.s, got)
		}
	}
}

func TestKeepsLastGood(t *testing.T) {
	var f Filter
	f.Set("loss")
	for range 2 {
		if f.Set("loss|(") == nil {
			t.Error("no error")
		}
	}
	if !f.Match("loss") || f.Match("acc") || f.All() {
		t.Error("a bad expression must leave the last good one")
	}
	if f.Set("") != nil || !f.All() || !f.Match("acc") {
		t.Error("not cleared")
	}
}
