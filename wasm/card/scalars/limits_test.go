package scalars

import (
	"strings"
	"testing"
)

// What is typed for the ends of the axes is taken, or refused in words.
func TestLimits(t *testing.T) {
	fitted := Zoom{X0: 1, X1: 100, Y0: -5, Y1: 9}
	for _, c := range []struct {
		x0, x1, y0, y1 string
		x, y           Scale
		want           Zoom
		why            string
	}{
		{"", "", "", "", Linear, Linear, Zoom{}, ""},
		{"10", "20", "", "", Linear, Linear, Zoom{X0: 10, X1: 20}, ""},
		// An empty end is that of the data.
		{"", "", "0", "", Linear, Linear, Zoom{Y0: 0, Y1: 9}, ""},
		{"", "50", "", "", Linear, Linear, Zoom{X0: 1, X1: 50}, ""},
		{"200", "", "", "", Linear, Linear, Zoom{}, "smaller"},
		{"5", "5", "", "", Linear, Linear, Zoom{}, "smaller"},
		// Thousands stand apart on axes and in tables.
		{"1,000", " 12,345,678.5 ", "", "", Linear, Linear, Zoom{X0: 1000, X1: 12345678.5}, ""},
		{"", "", "-1,000", "1e3", Linear, Linear, Zoom{Y0: -1000, Y1: 1000}, ""},
		{"", "", "0,500", "1", Linear, Linear, Zoom{}, "not a number"},
		{"", "", "0,5", "1", Linear, Linear, Zoom{}, "not a number"},
		{"1,00", "", "", "", Linear, Linear, Zoom{}, "not a number"},
		{"", "", "NaN", "1", Linear, Linear, Zoom{}, "not a number"},
		{"", "", "0", "Inf", Linear, Linear, Zoom{}, "not a number"},
		{"ten", "", "", "", Linear, Linear, Zoom{}, "“ten” is not a number"},
		// A log axis ends above 0.
		{"", "", "0", "9", Linear, Log, Zoom{}, "log axis"},
		{"-1", "9", "", "", Log, Linear, Zoom{}, "log axis"},
		{"", "", "0.1", "9", Log, Log, Zoom{Y0: 0.1, Y1: 9}, ""},
		{"", "", "-1", "9", Log, Symlog, Zoom{Y0: -1, Y1: 9}, ""},
	} {
		z, why := limitsOf([4]string{c.x0, c.x1, c.y0, c.y1}, fitted, c.x, c.y)
		if z != c.want || (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%+v: %+v, %q", c, z, why)
		}
	}
}
