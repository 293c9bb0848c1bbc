//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Runs of a folder, or of a group by a regular expression, as their mean with a band,
// which opens into its runs.
func TestPageMeans(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before(drawing)
	s.fresh("#timeseries&smoothing=0&tagFilter=flat")
	lines := s.Control("radiogroup", "Lines")
	lines.Control("radio", "Runs").Checked(true)
	lines.Control("radio", "Folders").Click()
	s.hash("#timeseries&tagFilter=flat&smoothing=0&together=folder")
	// sweep/s1 … s3 are 6, 8, 10: their mean is 8, their standard deviation 2.
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"beta", 50, 4, false}, want{"solo/x", 50, 12, false}, want{"s1", 50, 8, false})
	filled := func(y float64) bool {
		p := s.still("flat/level")
		pic := s.PictureOf(p.around())
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
	// Its folder has the colour of the line.
	s.Control("list", "Runs").Control("listitem", "sweep*").Is(`getComputedStyle(e.querySelector(".swatch")).getPropertyValue("--swatch") === "linear-gradient(90deg," + "` + string(s.color("s1")) + `" + " 0% 100%)"`)
	p := s.still("flat/level")
	s.Hover(p.at(50, 8))
	s.tips(false, []string{"Run", "Mean", "Band"}, []string{"sweep (3 runs)", "8", "6 to 10"}, []string{"solo/x", "12", ""}, []string{"beta", "4", ""}, []string{"alpha", "2", ""})
	s.drawn(article("flat/level"), "means")
	s.said(tooltip, "means-tip")
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
	s.hash("#timeseries&tagFilter=flat&smoothing=0&together=folder&band=minmax&expanded=sweep")
	s.again()
	s.draws("flat/level", linear, want{"s1", 50, 6, false}, want{"s2", 50, 8, false}, want{"s3", 50, 10, false})
	p = s.still("flat/level")
	s.Click(p.at(50, 8))
	s.Control("dialog", "Values").Control("button", "Show as a group: sweep").Click()
	s.draws("flat/level", linear, want{"s1", 50, 8, false})

	// The table of a marked step has the mean, and of a range what it did between.
	card := s.Control("article", "flat/level")
	card.Control("heading", "flat/level").Click()
	s.Press("m")
	table := card.Control("region", "Values at the marked steps")
	cells := func(want string) {
		t.Helper()
		table.Is(`[...e.querySelectorAll("tr")].map(r => [...r.cells].slice(0, 4).map(c => c.innerText.trim()).join()).join(";") === ` + quote(want))
	}
	cells("Run,Value,Band,Step;alpha,2,,100;beta,4,,100;solo/x,12,,100;sweep (3 runs),8,6 to 10,100")
	card.Control("textbox", "Marked step").Fill("50")
	s.Press("Enter")
	cells("Run,Value,Band,Step;alpha,2,,50;beta,4,,50;solo/x,12,,50;sweep (3 runs),8,6 to 10,50")
	p = s.still("flat/level")
	s.Click(browsertest.Point{X: p.x(80), Y: p.Box.Y + p.Box.Height + 12})
	s.said(article("flat/level"), "means-range")
	cells("Run,Min,Max,Start;alpha,2,2,2;beta,4,4,4;solo/x,12,12,12;sweep (3 runs),8,8,8")
	lines.Control("radio", "Runs").Click()
	table.Is(`e.querySelectorAll("tbody tr").length === 6 && !e.innerText.includes("3 runs")`)

	// Groups of the colours.
	s.fresh("#timeseries&tagFilter=flat&smoothing=0&together=color&runColorGroup=regex%3A(alpha|beta|s)")
	p = s.still("flat/level")
	s.Hover(p.at(50, 9))
	s.tips(false, []string{"Run", "Mean"}, []string{"s (4 runs)", "9"}, []string{"beta", "4"}, []string{"alpha", "2"})
	lines.Control("radio", "Runs").Click()
	s.draws("flat/level", linear, want{"s1", 50, 6, false}, want{"s3", 50, 10, false})
}

// Smoothing of other kinds: a centred mean does not lag behind a step as TensorBoard's does.
func TestPageSmoothers(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
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
	kind.Choose("None")
	s.draws("stairs/up", linear, want{"alpha", 46, 0, false}, want{"alpha", 54, 10, false})
	// A card may have its own.
	own := func(kind string) {
		s.Control("article", "stairs/up").Control("button", "More").Click()
		s.Control("menuitem", "Axes and limits…").Click()
		s.Control("dialog", "Axes and limits").Control("combobox", "Kind of smoothing of this card").Choose(kind)
		s.Press("Escape")
	}
	own("Running mean, centred")
	s.draws("stairs/up", linear, want{"alpha", 45, 10 * 5 / 19.0, false}, want{"alpha", 54, 10 * 14 / 19.0, false})
	s.hash("#timeseries&tagFilter=stairs&smoothing=0.9&smoother=none&smoothers=stairs/up:mean")
	own("Exponential (TensorBoard's)")
	s.draws("stairs/up", linear, want{"alpha", 55, smoothed(0.9, 55), false})
	s.again()
	s.draws("stairs/up", linear, want{"alpha", 55, smoothed(0.9, 55), false})
}

// A mean counts each run once, and each where it is: a job that was started again does not
// stand for two, and runs that went one after the other do not hide those between them.
func TestPageMeansOfWhatDiffers(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	put := func(run string, start float64, value func(step int64) float64, ranges ...[2]int64) {
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for i, r := range ranges {
				for step := r[0]; step <= r[1]; step++ {
					if err := w.Scalar("level", value(step)+float64(i), step, summary.WallSeconds(start+float64(step)+200*float64(i))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}))
	}
	level := func(v float64) func(int64) float64 { return func(int64) float64 { return v } }
	// Again from step 40 on, with one more than before.
	put("jobs/a", epoch, level(1), [2]int64{0, 70}, [2]int64{40, 100})
	put("jobs/b", epoch, level(4), [2]int64{0, 100})
	put("jobs/late", epoch, level(7), [2]int64{60, 100})
	// One after the other.
	put("turns/a", epoch, level(8), [2]int64{0, 100})
	put("turns/b", epoch+1000, level(11), [2]int64{0, 100})
	put("turns/c", epoch+2000, level(8), [2]int64{0, 100})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&together=folder&runFilter=jobs")
	s.draws("level", linear, want{"a", 20, 2.5, false}, want{"a", 50, 3, false}, want{"a", 80, 13.0 / 3, false})
	p := s.still("level")
	s.Hover(p.at(50, 3))
	s.tips(false, []string{"Run", "Mean", "Band"}, []string{"jobs (3 runs)", "3", "1.586 to 4.414 (2 runs)"})
	s.fresh("#timeseries&smoothing=0&together=folder&runFilter=turns&x=wall")
	p = s.still("level")
	s.Hover(browsertest.Point{X: p.Box.X + p.Box.Width/2, Y: p.Box.Y + p.Box.Height/2})
	s.tips(false, []string{"Run", "Mean"}, []string{"turns (3 runs)", "11"})
}

// Of runs with more points than pixels the mean is that of what they logged at one step, and
// the card says that it is not of every step; zoomed in it is.
func TestPageMeansOfLongRuns(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	values := []func(step int64) float64{
		func(step int64) float64 { return float64(step * 7919 % 1000) },
		func(step int64) float64 { return float64(step * 5323 % 1013) },
	}
	for i, value := range values {
		l.put(l.path(fmt.Sprintf("long/%d", i), "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
			for step := range int64(20_000) {
				if err := w.Scalar("noise", value(step), step, summary.WallSeconds(epoch+float64(step))); err != nil {
					t.Fatal(err)
				}
			}
		}))
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&together=folder")
	card := s.Control("article", "noise")
	card.Is(`e.innerText.includes("means of a part of the points")`)
	p := s.still("noise")
	for _, part := range []float64{0.2, 0.45, 0.7} {
		at := browsertest.Point{X: p.Box.X + p.Box.Width*part, Y: p.Box.Y + p.Box.Height/2}
		s.Hover(at)
		s.Until(func() string {
			rows := s.tip(false).Rows
			if len(rows) != 1 {
				return "there is no mean"
			}
			step, mean := value(rows[0]["Step"]), value(rows[0]["Mean"])
			if math.Abs(p.x(step)-at.X) > 3 {
				return "it is of another place"
			}
			if want := (values[0](int64(step)) + values[1](int64(step))) / 2; mean != want {
				return fmt.Sprintf("the mean at step %v is %v, not %v", step, mean, want)
			}
			return ""
		})
	}
	s.fresh("#timeseries&smoothing=0&together=folder&zoom=noise:100:200")
	card.Is(`!e.innerText.includes("means of a part")`)
}

// The means of a card's groups go out as a file, with their bands and how many runs they are
// of, exactly.
func TestPageMeansAsFile(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	dir := s.Downloads()
	s.fresh("#timeseries&smoothing=0.6&tagFilter=flat")
	more := s.Control("article", "flat/level").Control("button", "More")
	more.Click()
	s.Control("menuitem", "Picture…").Wait()
	s.Control("menuitem", "Means and bands (CSV)").Gone()
	s.Press("Escape")
	s.Control("radiogroup", "Lines").Control("radio", "Folders").Click()
	s.draws("flat/level", linear, want{"s1", 50, 8, false})
	more.Click()
	s.Control("menuitem", "Means and bands (CSV)").Click()
	lines := strings.Split(s.savedLike(dir, "flat_level*means*.csv"), "\n")
	if len(lines) != 103 || lines[0] != "group,tag,step,runs,mean,std_lower,std_upper" || lines[1] != "sweep,flat/level,0,3,8,6,10" || lines[101] != "sweep,flat/level,100,3,8,6,10" {
		t.Errorf("%d lines: %q, %q … %q", len(lines), lines[0], lines[1], lines[max(0, len(lines)-2)])
	}
}

// Where there is nothing to make a mean of, the choice says what to do.
func TestPageNoGroups(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for _, run := range []string{"a", "b"} {
		l.run(run, map[string][]point{"loss": curve(0, 0, 3)})
	}
	s := look(t, browsertest.Chromium, l.dir)
	lines := s.Control("radiogroup", "Lines")
	pane := s.Control("complementary", "Settings")
	for choice, said := range map[string]string{"Folders": "No run is in a folder", "Groups": "There are no groups: make some by Groups and colours"} {
		lines.Control("radio", choice).Click()
		pane.Control("status", said+"*").Wait()
		lines.Control("radio", "Runs").Click()
		pane.Control("status", said+"*").Gone()
	}
}

// level is a curve of one value over the steps 0 to 10.
func level(v float64) (out []point) {
	for step := range int64(11) {
		out = append(out, at(step, epoch+float64(step), f32(v)))
	}
	return out
}

// Runs that repeat each other are found, and one click shows their means; another takes it
// back, and who does not want it is not asked again.
func TestPageSeeds(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, base := range []float64{1, 5} {
		for seed := range 3 {
			l.run(fmt.Sprintf("lr%d/seed=%d", i, seed), map[string][]point{"level": level(base + float64(seed))})
		}
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	offer := s.Control("button", "2 runs of up to 3 seeds: show means?")
	s.Control("searchbox", "Filter runs (regex)").Fill("lr0")
	s.Control("button", "3 seeds: show their mean?").Wait()
	s.Control("searchbox", "Filter runs (regex)").Fill("")
	offer.Click()
	offer.Gone()
	s.Control("radiogroup", "Lines").Control("radio", "Groups").Checked(true)
	p := s.still("level")
	s.Hover(p.at(5, 6))
	s.Wait(`["lr0 (3 runs)", "lr1 (3 runs)", "Mean", "1 to 3", "5 to 7"].every((t) => tbUser.text(document.querySelector(".tip")).includes(t))`)
	s.Control("button", "Undo").Click()
	s.Control("radiogroup", "Lines").Control("radio", "Runs").Checked(true)
	s.hash("#timeseries&smoothing=0")
	offer.Wait()
	s.Control("button", "Do not offer it here again").Click()
	offer.Gone()
	s.stored(true, "seedsLeft")
	s.again()
	s.shown("6 of 6 runs shown")
	offer.Gone()
}

// All runs as one line: their median, where half of them are, and nine tenths. Where runs
// stand by a value the best ones are drawn over it.
func TestPageAllRuns(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 21 {
		// By names they stand in another order than by values.
		l.run(fmt.Sprintf("r%02d", i*8%21), map[string][]point{"level": level(float64(i))})
	}
	s := come(t, browsertest.Chromium, l.dir)
	dir := s.Downloads()
	s.Before(drawing)
	s.fresh("#timeseries&smoothing=0")
	s.shown("21 of 21 runs shown")
	s.Control("radiogroup", "Lines").Control("radio", "All").Click()
	s.Control("combobox", "Band around the mean").Value("quantiles")
	saved := func(want string) {
		t.Helper()
		s.Control("article", "level").Control("button", "More").Click()
		s.Control("menuitem", "Means and bands (CSV)").Click()
		lines := strings.Split(s.savedLike(dir, "level*means*.csv"), "\n")
		if lines[0] != "group,tag,step,runs,median,quantile_0.05,quantile_0.95" || lines[1] != want {
			t.Errorf("saved %q, want %q", lines[:2], want)
		}
	}
	s.still("level")
	saved("All,level,0,21,10,1,19")
	s.hash("#timeseries&smoothing=0&together=all&band=quantiles")
	s.fresh("#timeseries&smoothing=0&together=all&band=quantiles&runOrder=high")
	p := s.still("level")
	s.Hover(p.at(5, 20))
	// r18, r05 and r13 are the highest, at 18, 19 and 20.
	s.Wait(`["All (18 runs)", "Median", "r05", "r13", "r18"].every((t) => tbUser.text(document.querySelector(".tip")).includes(t)) && document.querySelectorAll(".tip tbody tr").length === 4`)
	s.drawn(article("level"), "all-runs")
	s.said(tooltip, "all-runs-tip")
	s.Control("radiogroup", "Lines").Control("radio", "Runs").Click()
	s.hash("#timeseries&runOrder=high&smoothing=0")
}
