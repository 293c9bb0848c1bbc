//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// dark waits until the page's ground is dark or light, on the page and in pictures.
func (s *screen) dark(on bool) {
	s.t.Helper()
	s.Until(func() string {
		var theme string
		s.TryEval(`document.documentElement.dataset.theme`, &theme)
		pic := s.Picture()
		c := pic.At(browsertest.Point{X: 1590, Y: 900}) // the settings' ground
		if (c[0]+c[1]+c[2] < 300) != on || (theme == "dark") != on {
			return fmt.Sprintf("dark should be %v: the ground is %v, the theme %q", on, c, theme)
		}
		return ""
	})
}

// The theme: the system's, or what the user says; charts and run colours follow.
func TestPageTheme(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	curves := []want{{"alpha", 50, 2, false}, {"beta", 50, 4, false}, {"solo/x", 50, 12, false}}
	s.SystemDark(false)
	s.dark(false)
	s.draws("flat/level", linear, curves...)
	light := s.color("alpha")
	s.SystemDark(true)
	s.dark(true)
	s.Until(func() string {
		if s.color("alpha") == light {
			return "alpha has the colour for a light ground"
		}
		return ""
	})
	s.draws("flat/level", linear, curves...)
	s.Control("button", "Theme: as the system").Click()
	s.Control("button", "Theme: light").Wait()
	s.dark(false)
	s.draws("flat/level", linear, curves...)
	s.stored("light", "theme")
	s.again()
	s.dark(false)
	s.SystemDark(false)
	s.Control("button", "Theme: light").Click()
	s.Control("button", "Theme: dark").Wait()
	s.dark(true)
	s.draws("flat/level", linear, curves...)
	s.stored("dark", "theme")
	// It is there before the program.
	s.Before(`document.addEventListener("DOMContentLoaded", () => { globalThis.first = document.documentElement.dataset.theme; })`)
	s.again()
	s.Wait(`globalThis.first === "dark"`)
	s.dark(true)
	s.draws("flat/level", linear, curves...)
	s.Control("button", "Theme: dark").Click()
	s.Control("button", "Theme: as the system").Wait()
	s.dark(false)
}

// The address holds what two people must share to see the same.
func TestPageAddress(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	tags, runs := s.Control("searchbox", "Filter tags (regex)"), s.Control("searchbox", "Filter runs (regex)")
	weight := s.Control("spinbutton", "Smoothing weight")
	axis := func(which, label string) {
		t.Helper()
		s.Control("radiogroup", which).Control("radio", label).Checked(true)
	}
	s.fresh("#timeseries&tagFilter=up%7Clevel&runFilter=alpha%7Cbeta&smoothing=0.3&x=relative&y=log")
	tags.Value("up|level")
	runs.Value("alpha|beta")
	weight.Value("0.3")
	axis("Horizontal axis", "Relative")
	axis("Vertical scale", "Log")
	s.cards("flat/level", "line/up", "stairs/up")
	s.list("+alpha", "+beta")
	s.axes("line/up", "0 s 5 min 10 min 15 min 20 min 25 min 30 min", "")

	// Another one in the open page; what it leaves out is the default.
	s.Eval(`void (location.hash = "#timeseries&tagFilter=flat&x=wall")`, nil)
	tags.Value("flat")
	runs.Value("")
	weight.Value("0.6")
	axis("Horizontal axis", "Wall")
	axis("Vertical scale", "Linear")
	s.cards("flat/level")
	s.list(on()...)
	s.hash("#timeseries&tagFilter=flat&x=wall")

	// In the query, as TensorBoard writes it; an older name; nonsense is left alone.
	s.fresh("?tagFilter=line&_smoothingWeight=0.2")
	tags.Value("line")
	weight.Value("0.2")
	s.cards("line/up")
	tags.Fill("")
	s.hash("#timeseries&smoothing=0.2")
	s.Wait(`location.search === ""`)
	s.again()
	tags.Value("")
	s.cards(first...)
	s.fresh("#timeseries&x=sideways&y=cubic&smoothing=lots&other=1")
	weight.Value("0.6")
	axis("Horizontal axis", "Step")
	axis("Vertical scale", "Linear")
	s.cards(first...)

	// A link without settings keeps what was stored; one with settings wins over it.
	weight.Fill("0.1")
	s.stored(0.1, "smoothing")
	s.leave()
	s.Open(s.url)
	weight.Value("0.1")
	s.leave()
	s.Open(s.url + "#timeseries&smoothing=0.7")
	weight.Value("0.7")
}

// What an earlier version of the page has kept, all in one entry, is taken over.
func TestPageOlderSettings(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.leave()
	s.Eval(`localStorage.clear()`, nil)
	s.Eval(`localStorage.setItem("tensorbored-static.session", JSON.stringify({
		version: 1, board: "timeseries", theme: "dark", smoothing: 0.2, x: "relative", wide: {"flat/level": true}, tagY: {"pow/ten": "log"},
		colors: {beta: "#a01060"}, runsOpen: true, reload: 60, logdir: "logs", runs: {alpha: false},
	}))`, nil)
	s.Open(s.url)
	for range 2 {
		s.rests()
		s.dark(true)
		s.Control("spinbutton", "Smoothing weight").Value("0.2")
		s.Control("radiogroup", "Horizontal axis").Control("radio", "Relative").Checked(true)
		s.pageSettings().Control("spinbutton", "Seconds between two looks").Value("60")
		s.Control("article", "flat/level").Is("e.offsetWidth > 900")
		s.Control("checkbox", "alpha").Checked(false)
		s.shown("5 of 6 runs shown")
		s.Until(func() string { return differs(string(s.color("beta")), "#a01060") })
		s.again()
	}
}

// New data: followed by themselves, every so many seconds, or not.
func TestPageReload(t *testing.T) {
	t.Parallel()
	l := pins(t)
	s := come(t, browsertest.Chromium, l.dir)
	s.HoldClock()
	s.fresh("#timeseries&smoothing=0")
	live, box := s.Control("button", "live"), s.Control("checkbox", "Follow new data")
	s.pageSettings()
	period := s.Control("spinbutton", "Seconds between two looks")
	live.Pressed(true)
	live.Is(`e.title.includes("every 5 s")`)
	period.Value("5")
	period.Fill("0")
	period.Is(`e.getAttribute("aria-invalid") === "true" && e.title === "a number from 1 to 3600"`)
	s.Press("Tab")
	period.Value("5")
	period.Fill("2000")
	live.Is(`e.title.includes("every 2000 s")`)
	s.stored(2000, "reload")
	looks := func() (n int) {
		for _, path := range s.host.paths() {
			if path == "/data/listing.json" {
				n++
			}
		}
		return n
	}
	// The next look comes after so many seconds, and not before.
	next := func(seconds int) {
		t.Helper()
		n := looks()
		s.Pass(time.Duration(seconds-500) * time.Second)
		if early := looks() - n; early > 0 {
			t.Errorf("%d looks within %d s, with %d s between two", early, seconds-500, seconds)
		}
		s.Pass(501 * time.Second)
		s.Until(func() string {
			if looks() == n {
				return fmt.Sprintf("no look after %d s", seconds)
			}
			return ""
		})
	}
	next(2000)
	period.Fill("3000")
	s.stored(3000, "reload")
	next(3000)
	s.again()
	s.pageSettings()
	period.Value("3000")
	live.Is(`e.title.includes("every 3000 s")`)
	next(3000)

	// Off: at once, and after a reload.
	live.Click()
	paused := s.Control("button", "paused")
	paused.Pressed(false)
	s.pageSettings()
	box.Checked(false)
	s.stored(false, "autoReload")
	s.again()
	paused.Wait()
	path := l.path("alpha", "1700000000.host.1.0")
	l.add(path, more("late/x", 1, 0, 7))
	s.Control("button", "Reload*").Click()
	s.Control("contentinfo", "*").Is(`tbUser.text(e).includes("1,381 points")`)
	s.Control("region", "late").Wait()
	s.Control("button", "Reload (all was read at*").Wait()

	// On: what comes is seen, without more ado.
	s.pageSettings()
	box.Click()
	live.Pressed(true)
	period.Fill("1")
	l.add(path, more("late/x", 1, 7, 3))
	s.Control("contentinfo", "*").Is(`tbUser.text(e).includes("1,384 points")`)
	l.run("newcomer", map[string][]point{"flat/level": curve(3, 0, 4)})
	s.shown("7 of 7 runs shown")
	s.list("+alpha", "+newcomer", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
}

// A logdir whose listing takes long is not listed all the time, and the page says so; one that
// took long once, or failed, is.
func TestPageSlowListing(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Allow("403")
	looks := make(chan struct{}, 99)
	var mutex sync.Mutex
	var hold chan bool // gives whether the look may succeed
	then := s.host.handler
	s.host.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/data/listing.json" {
			mutex.Lock()
			held := hold
			mutex.Unlock()
			looks <- struct{}{}
			if held != nil && !<-held {
				http.Error(w, "not now", http.StatusForbidden)
				return
			}
		}
		then.ServeHTTP(w, r)
	})
	s.HoldClock()
	s.fresh("#timeseries")
	s.every("30")
	live, paused := s.Control("button", "live"), s.Control("button", "paused")
	const usual = `e.title.includes("every 30 s while this tab is visible. ")`
	live.Is(usual)
	// slow looks once, which takes 40 s.
	slow := func(fine bool) {
		t.Helper()
		for len(looks) > 0 {
			<-looks
		}
		held := make(chan bool)
		set := func(c chan bool) {
			mutex.Lock()
			defer mutex.Unlock()
			hold = c
		}
		set(held)
		s.Eval(`void tensorbored.reload()`, nil)
		<-looks
		s.Eval(`tbPass(40000)`, nil) // not Pass, which waits for the answer
		set(nil)
		held <- fine
		s.Rest()
	}
	live.Click()
	paused.Wait()
	slow(true)
	slow(false)
	slow(true)
	paused.Click()
	live.Is(usual)
	live.Click()
	paused.Wait()
	slow(true)
	paused.Click()
	live.Is(`/every 1[67]\d(\.\d)? s while this tab is visible, since a look takes 4\d(\.\d)? s\. /.test(e.title)`)
	s.Pass(100 * time.Second)
	if n := len(looks); n > 0 {
		t.Errorf("%d looks within 100 s of the second that took 40 s", n)
	}
	s.Pass(100 * time.Second)
	<-looks
	live.Is(usual) // it was quick
}

// pageSettings opens the settings of the page.
func (s *screen) pageSettings() browsertest.Control {
	s.t.Helper()
	s.Control("button", "Page settings: new data, memory, plug-ins").Click()
	return s.Control("dialog", "Page settings: new data, memory, plug-ins")
}

// every has the page look for new data every so many seconds.
func (s *screen) every(seconds string) {
	s.t.Helper()
	s.pageSettings().Control("spinbutton", "Seconds between two looks").Fill(seconds)
	s.Press("Escape")
}

// A dashboard without settings has no pane for them.
func TestPageEmptyPane(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	main := func() (w float64) {
		s.Eval(`document.querySelector("#main").clientWidth`, &w)
		return w
	}
	s.Control("complementary", "Settings").Wait()
	s.Resize(1400, 900)
	with := main()
	s.Control("button", "Hyperparameters").Click()
	s.Control("complementary", "Settings").Gone()
	s.Control("button", "Settings").Gone()
	if without := main(); without < with+200 {
		t.Errorf("the table has a width of %v beside no settings, the cards have %v", without, with)
	}
	s.Control("button", "Time series").Click()
	s.Control("complementary", "Settings").Wait()
	s.Control("button", "Settings").Pressed(true)
	// What is wider than the pane is not cut.
	s.Control("radiogroup", "Lines").Control("radio", "All").Click()
	s.Control("complementary", "Settings").Is(`e.scrollWidth <= e.clientWidth`)
}

// Memory and cache, and the way back to how everything was.
func TestPageSettings(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.pageSettings()
	memory, cache := s.Control("combobox", "Memory for points"), s.Control("checkbox", "Keep what was read, to reopen fast")
	memory.Is(`e.selectedOptions[0].label.startsWith("Automatic (")`)
	memory.Choose("256 MB for points")
	s.stored(256, "memory")
	s.rests()
	cache.Checked(true)
	cache.Click()
	s.stored(false, "cache")
	s.again()
	s.pageSettings()
	memory.Is(`e.selectedOptions[0].label === "256 MB for points"`)
	cache.Checked(false)
	s.Control("button", "Clear cache").Click()
	s.Control("status", "* freed").Gone()
	s.Control("dialog", "Page settings: new data, memory, plug-ins").Is(`/\d B freed/.test(e.innerText)`)
	s.Press("Escape")
	// A size that is no choice, as an older page or a profile has set it, is shown as it is.
	s.leave()
	s.Eval(`(key => localStorage.setItem(key, localStorage.getItem(key).replace('"memory":256', '"memory":300')))("tensorbored-static.session")`, nil)
	s.Open(s.url)
	s.rests()
	s.pageSettings()
	memory.Is(`e.selectedOptions[0].label === "300 MB for points"`)
	memory.Choose("256 MB for points")
	s.Press("Escape")
	s.said(`document.querySelector("[aria-label=Settings]:not(button)")`, "settings-pane")

	// Everything else that has a default.
	box := func(name, value string) {
		s.Control("spinbutton", name).Fill(value)
	}
	box("Smoothing weight", "0.25")
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Wall").Click()
	s.Control("radiogroup", "Vertical scale").Control("radio", "Log").Click()
	s.Control("article", "flat/level").Control("button", "Log, Y axis: logarithmic (click to change)").Click()
	s.Control("article", "flat/level").Control("button", "Full width (f)").Click()
	s.Control("checkbox", "Ignore outliers in the range").Click()
	s.Control("combobox", "Tooltip order").Choose("Descending")
	box("Tooltip rows", "3")
	s.Control("slider", "Card width").Slide(0.5)
	s.pageSettings().Control("checkbox", "Follow new data").Click()
	box("Seconds between two looks", "60")
	s.Press("Escape")
	s.Control("button", "Theme: as the system").Click()
	s.Control("checkbox", "beta").Click()
	// The colours are those that the runs had beside beta.
	s.hash("#timeseries&wide=flat/level&runs=!beta&smoothing=0.25&x=wall&y=log10&scales=flat/level:symlog10&outliers=false")
	s.stored(60, "reload")
	s.again()
	s.Control("spinbutton", "Tooltip rows").Value("3")
	s.Control("article", "flat/level").Is("e.offsetWidth > 900")

	s.Control("button", "Default settings").Click()
	s.hash("#timeseries&runs=!beta")
	s.Control("spinbutton", "Smoothing weight").Value("0.6")
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Step").Checked(true)
	s.Control("radiogroup", "Vertical scale").Control("radio", "Linear").Checked(true)
	s.Control("article", "flat/level").Control("button", "Lin, Y axis: linear (click to change)").Wait()
	s.Control("article", "flat/level").Is("e.offsetWidth < 900")
	s.Control("checkbox", "Ignore outliers in the range").Checked(true)
	s.Control("combobox", "Tooltip order").Value("nearest")
	s.Control("spinbutton", "Tooltip rows").Value("10")
	s.Control("slider", "Card width").Value("340")
	s.Control("button", "Theme: as the system").Wait()
	s.pageSettings().Control("checkbox", "Follow new data").Checked(true)
	s.Control("spinbutton", "Seconds between two looks").Value("5")
	memory.Value("0")
	cache.Checked(true)
	s.shown("5 of 6 runs shown") // is no setting
	s.again()
	s.hash("#timeseries&runs=!beta")
	s.Control("checkbox", "Ignore outliers in the range").Checked(true)
}
