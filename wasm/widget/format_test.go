package widget

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A name of any length takes little room: its ends and its length are left of a long one, and what is
// cut is cut between letters.
func TestShort(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"train/loss", "train/loss"},
		{strings.Repeat("a", 1000), strings.Repeat("a", 1000)},
		{strings.Repeat("a", 600) + strings.Repeat("z", 401), strings.Repeat("a", 250) + "… (1,001 bytes) …" + strings.Repeat("z", 250)},
		{"b" + strings.Repeat("ä", 50_000), "b" + strings.Repeat("ä", 124) + "… (100,001 bytes) …" + strings.Repeat("ä", 125)},
		{strings.Repeat("ü", 50_000) + "x", strings.Repeat("ü", 125) + "… (100,001 bytes) …" + strings.Repeat("ü", 124) + "x"},
	} {
		if got := Short(c.name); got != c.want {
			t.Errorf("%d bytes, %.9s…: %d bytes, %s", len(c.name), c.name, len(got), got)
		}
		if front, back := cut(c.name); front+back != c.want || utf8.RuneCountInString(back) > backLength {
			t.Errorf("%d bytes, %.9s…, in two: %s, %s", len(c.name), c.name, front, back)
		}
	}
	if front, back := cut("0123456789abcdef"); front != "0123456789abcdef" || back != "" {
		t.Errorf("a short name is parted: %q, %q", front, back)
	}
	if front, back := cut("0123456789äbcdefg"); front != "012345678" || back != "9äbcdefg" {
		t.Errorf("a name is parted as %q, %q", front, back)
	}
}

// Counts have their thousands apart, whatever their sign.
func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs", 999: "999 runs", 1000: "1,000 runs", 48_210: "48,210 runs", 1_234_567: "1,234,567 runs", -123: "-123 runs", -1234: "-1,234 runs"} {
		if got := Count(n, "run", "runs"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestSome(t *testing.T) {
	if got := Some([]string{"a", "b", "c"}, 2); got != "a, b and 1 more" {
		t.Error(got)
	}
	if got := Some([]string{"a", "b"}, 2); got != "a, b" {
		t.Error(got)
	}
}
