//go:build !js

package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Runs of a folder, or of a group by a regular expression, as their mean with a band,
// which opens into its runs.
func TestPageMeans(t *testing.T) {
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&tagFilter=flat")
	lines := s.Control("radiogroup", "Lines")
	lines.Control("radio", "Each run").Checked(true)
	lines.Control("radio", "Folders").Click()
	s.hash("#timeseries&tagFilter=flat&smoothing=0&together=folder")
	// sweep/s1 … s3 are 6, 8, 10: their mean is 8, their standard deviation 2.
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false}, want{"solo/x", 50, 12, false}, want{"s1", 50, 8, false})
	filled := func(y float64) bool {
		p, pic := s.still("flat/level"), s.Picture()
		at := browsertest.Point{X: p.x(53), Y: p.y(y, linear)}
		c := browsertest.Cover(pic.At(at), s.ground(), s.color("s1").RGB())
		return c > 0.1 && c < 0.35
	}
	band := func(from, to float64) {
		t.Helper()
		s.Control("heading", "Settings").Hover()
		s.Until(func() string {
			for y, want := range map[float64]bool{8 - from*0.8: true, 8 + to*0.8: true, 8 - from*1.3: false, 8 + to*1.3: false} {
				if filled(y) != want {
					return fmt.Sprintf("the band at %.2f is %v", y, !want)
				}
			}
			return ""
		})
	}
	band(2, 2)
	p := s.still("flat/level")
	s.Hover(p.at(50, 8))
	s.tips(false, []string{"Run", "Mean", "Band"}, []string{"sweep (3 runs)", "8", "6 to 10"}, []string{"solo/x", "12", ""}, []string{"beta", "4", ""}, []string{"alpha", "2", ""})
	s.reads([2]string{"alpha", "2"}, [2]string{"beta", "4"}, [2]string{"solo/x", "12"}, [2]string{"s1", "6"}, [2]string{"s2", "8"}, [2]string{"s3", "10"})
	kind := s.Control("combobox", "Band around the mean")
	kind.Choose("± standard error")
	band(2/math.Sqrt(3), 2/math.Sqrt(3))
	kind.Choose("Least to greatest")
	s.hash("#timeseries&tagFilter=flat&smoothing=0&together=folder&band=minmax")
	band(2, 2)

	// A group opens into its runs, and closes.
	p = s.still("flat/level")
	s.Click(p.at(50, 8))
	s.Control("dialog", "Values").Control("button", "Show the runs of sweep").Click()
	s.draws("flat/level", linear, want{"s1", 50, 6, false}, want{"s2", 50, 8, false}, want{"s3", 50, 10, false})
	s.Click(p.at(50, 8))
	s.Control("dialog", "Values").Control("button", "Show as a group: sweep").Click()
	s.draws("flat/level", linear, want{"s1", 50, 8, false})

	// Groups of the colours.
	s.fresh("#timeseries&tagFilter=flat&smoothing=0&together=color&runColorGroup=regex%3A(alpha|beta|s)")
	p = s.still("flat/level")
	s.Hover(p.at(50, 9))
	s.tips(false, []string{"Run", "Mean"}, []string{"s (4 runs)", "9"}, []string{"beta", "4"}, []string{"alpha", "2"})
	lines.Control("radio", "Each run").Click()
	s.draws("flat/level", linear, want{"s1", 50, 6, false}, want{"s3", 50, 10, false})
}

// Smoothing of other kinds: a centred mean does not lag behind a step as TensorBoard's does.
func TestPageSmoothers(t *testing.T) {
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0.9&tagFilter=stairs")
	s.draws("stairs/up", linear, want{"alpha", 55, smoothed(0.9, 55), false})
	kind := s.Control("combobox", "Kind of smoothing")
	kind.Choose("Running mean, centred")
	s.hash("#timeseries&tagFilter=stairs&smoothing=0.9&smoother=mean")
	// Nine points on either side: at 49.5 half of them are up.
	s.draws("stairs/up", linear, want{"alpha", 45, 10 * 5 / 19.0, false}, want{"alpha", 54, 10 * 14 / 19.0, false}, want{"alpha", 70, 10, false})
	kind.Choose("Gaussian, centred")
	s.draws("stairs/up", linear, want{"alpha", 49.5, 5, false}, want{"alpha", 75, 10, false})
	kind.Choose("Exponential by distance") // of even steps the same
	s.draws("stairs/up", linear, want{"alpha", 55, smoothed(0.9, 55), false})
}
