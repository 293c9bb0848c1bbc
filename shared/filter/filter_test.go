package filter

import (
	"strings"
	"testing"
)

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

// An expression that cannot be understood leaves nothing out.
func TestMistake(t *testing.T) {
	var f Filter
	f.Set("loss")
	for range 2 {
		if f.Set("loss|(") == nil {
			t.Error("no error")
		}
	}
	if !f.Match("loss") || !f.Match("acc") || !f.All() {
		t.Error("what nobody understands must not hide anything")
	}
	if f.Set("") != nil || !f.All() || !f.Match("acc") {
		t.Error("not cleared")
	}
	for text, want := range map[string]string{
		"(": "brackets", "a)": "brackets", "[a": "[ is not closed", "*": "repeats nothing", `a\`: "must follow", "a(?!b)": "at the beginning only", "(?<!a)b": "at the beginning only", "^(?!a": "bracket",
	} {
		if err := f.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is left out: with "!", and by look-ahead, which agrees with a browser's.
func TestLeaveOut(t *testing.T) {
	names := []string{"train/loss", "train/acc", "eval/loss", "eval/acc", "lr"}
	for text, want := range map[string]string{
		"!train":                "eval/loss eval/acc lr",
		"loss !train":           "eval/loss",
		"!^train !acc":          "eval/loss lr",
		"loss|acc !eval/(a|l)":  "train/loss train/acc",
		"!":                     "train/loss train/acc eval/loss eval/acc lr",
		"loss !":                "train/loss eval/loss",
		"^(?!train)":            "eval/loss eval/acc lr",
		"^(?!.*loss)":           "train/acc eval/acc lr",
		"^(?!.*loss).*$":        "train/acc eval/acc lr",
		"^(?!.*(loss|lr)).*":    "train/acc eval/acc",
		"^(?!train).*loss":      "eval/loss",
		"^(?!train)loss":        "",
		"^(?=.*loss)(?!train)":  "eval/loss",
		"^((?!loss).)*$":        "train/acc eval/acc lr",
		"^(?:(?!LOSS).)*$":      "train/acc eval/acc lr",
		"^(?!train).*loss|^lr$": "eval/loss lr",
		"lr|^(?!.*[(|]|.*l)":    "train/acc lr",
		`^(?!.*\)|.*a)`:         "lr",
	} {
		var f Filter
		if err := f.Set(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var got []string
		for _, n := range names {
			if f.Match(n) {
				got = append(got, n)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q shows %q, not %q", text, got, want)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, s := range []string{"^(?!a)b|c", "((?!", "^(?=[)])x", "!a !b", "[]", `\`} {
		f.Add(s, "abc")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		var a Filter
		if err := a.Set(text); err != nil && !a.Match(name) {
			t.Error("a mistake hides a name")
		}
	})
}

// What has several names is found by each of them, and left out by each.
func TestAny(t *testing.T) {
	for text, want := range map[string]bool{"": true, "s1": true, "best": true, "^s1$": true, "^best$": true, "s1best": false, "!s1": false, "!best": false, "s1 !best": false, "best !x": true} {
		var f Filter
		f.Set(text)
		if f.Any("s1", "best") != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
