package ui

import (
	"slices"
	"testing"
)

func TestPads(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{[]string{"0.8303", "0.852", "1", ""}, []string{"", "0", ".0000", ""}},
		{[]string{"0.5\nstep 3", "-1.25"}, []string{"0", ""}},
		{[]string{"1,149.5", "0.00125"}, []string{"", ""}},
		{[]string{"1e-5", "0.5", "2.25"}, []string{"", "", ""}},
		{[]string{"12", "7"}, []string{"", ""}},
		{[]string{"NaN", "0.5", "2.25"}, []string{"", "", ""}},
	} {
		if got := pads(c.texts); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
}
