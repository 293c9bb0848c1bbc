package runcolor

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Colours of a scale are apart and in order: each is lighter than the one before, on both
// grounds, and is seen on it.
func TestRamp(t *testing.T) {
	for i, dark := range []bool{false, true} {
		ground := labOfHex(t, map[bool]string{false: "#ffffff", true: "#14181f"}[dark])
		last := Lab{}
		for k := range 41 {
			at := float64(k) / 40
			lab := labOfHex(t, Ramp(at, dark))
			if k > 0 && (lab.L <= last.L || Distance(lab, last) > 0.05) {
				t.Errorf("dark %v: at %g the colour is %v after %v", dark, at, lab, last)
			}
			if math.Abs(lab.L-ground.L) < 0.28 {
				t.Errorf("dark %v: at %g %v is hard to see", dark, at, lab)
			}
			last = lab
		}
		for k, stop := range Stops[i] {
			if got := Ramp(float64(k)/4, dark); got != stop {
				t.Errorf("stop %d is %s, not %s", k, got, stop)
			}
		}
	}
	if Ramp(-1, false) != Ramp(0, false) || Ramp(2, true) != Ramp(1, true) {
		t.Error("what lies beyond the ends is not at them")
	}
}

// labOfHex is LabOf for what is a colour.
func labOfHex(t *testing.T, hex string) Lab {
	t.Helper()
	lab, ok := LabOf(hex)
	if !ok {
		t.Fatalf("%q is no colour", hex)
	}
	return lab
}

// The plots' script has the same colours.
func TestRampOfPlots(t *testing.T) {
	b, err := os.ReadFile("../../static/lazy/hparams/2-axis.js")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"LIGHT", "DARK"} {
		var want []string
		for _, hex := range Stops[i] {
			c, _ := rgbOf(hex)
			want = append(want, fmt.Sprintf("[%d, %d, %d]", c[0], c[1], c[2]))
		}
		m := regexp.MustCompile(`const ` + name + ` = \[(.*)\];`).FindStringSubmatch(string(b))
		if m == nil || m[1] != strings.Join(want, ", ") {
			t.Errorf("%s is %q, not %s", name, m, want)
		}
	}
}

func TestScale(t *testing.T) {
	values := map[string]float64{"a": 1, "b": 100, "c": 10, "d": -5, "e": math.NaN(), "f": math.Inf(1), "g": 1000}
	for _, c := range []struct {
		shown       string
		log         bool
		least, most string
		at          map[string]float64
	}{
		{"abcx", false, "a", "b", map[string]float64{"a": 0, "b": 1, "c": 1.0 / 11}},
		{"abcx", true, "a", "b", map[string]float64{"a": 0, "b": 1, "c": 0.5}},
		{"abcd", true, "a", "b", map[string]float64{"a": 0, "b": 1, "c": 0.5}},
		{"abd", false, "d", "b", map[string]float64{"a": 6.0 / 105, "b": 1, "c": 15.0 / 105, "d": 0}},
		{"c", false, "c", "c", map[string]float64{"a": 0.5, "c": 0.5}},
	} {
		s := NewScale(values, strings.Split(c.shown, ""), c.log)
		if s == nil || s.Least != c.least || s.Most != c.most {
			t.Errorf("of %s: %+v", c.shown, s)
			continue
		}
		for run, at := range c.at {
			if math.Abs(s.at[run]-at) > 1e-12 {
				t.Errorf("of %s, log %v: %s is at %g, not %g", c.shown, c.log, run, s.at[run], at)
			}
		}
		if s.Has("e") || s.Has("f") || s.Has("x") || s.Has("d") == c.log {
			t.Errorf("of %s, log %v: what has no place has one: %v", c.shown, c.log, s.at)
		}
		// What is beyond the ends of what is shown is at them.
		colors := Assign(strings.Split(c.shown, ""), Choices{Scale: s, Runs: map[string]string{"b": "#123456"}})
		if got, want := colors.Hex("g", true), Ramp(1, true); c.shown != "c" && got != want {
			t.Errorf("of %s: g is %s, not %s", c.shown, got, want)
		}
		if colors.Hex("b", true) != "#123456" || colors.Hex("x", false) != Inactive(false) || colors.Hex("e", true) != Inactive(true) {
			t.Errorf("of %s: b is %s, x %s", c.shown, colors.Hex("b", true), colors.Hex("x", false))
		}
		if colors.Dash("a") != 0 || len(colors.Given()) > 0 || colors.Close() != nil {
			t.Errorf("of %s: colours of the palette were given: %v", c.shown, colors.Given())
		}
	}
	if s := NewScale(values, []string{"d", "e"}, true); s != nil {
		t.Errorf("nothing that is shown has a logarithm: %+v", s)
	}
	far := NewScale(map[string]float64{"a": -math.MaxFloat64, "b": math.MaxFloat64, "c": 0}, []string{"a", "b"}, false)
	if far.at["a"] != 0 || far.at["b"] != 1 || far.at["c"] != 0.5 {
		t.Errorf("of the greatest numbers that there are: %v", far.at)
	}
}
