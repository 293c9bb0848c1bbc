//go:build !js

package e2e

import (
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The address is the view: whoever opens it sees the same runs, ranges and scales, whatever
// their browser remembers; and back and forward go through what was done.
func TestPageLinkIsTheView(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { linkIsTheView(t, look(t, kind, l.dir)) })
	}
}

func linkIsTheView(t *testing.T, s *screen) {
	s.fresh("#timeseries&smoothing=0")
	s.whole()
	s.Control("article", "flat/level").Control("button", "Lin, Y axis: linear (click to change)").Click()
	const scales = "#timeseries&smoothing=0&scales=flat/level:log10"
	s.hash(scales)
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.Press("+")
	const zoomed = "#timeseries&smoothing=0&scales=flat/level:log10&zoom=line/up:13.95:86.05:15:85"
	s.hash(zoomed)
	s.Control("list", "Runs").Control("listitem", "beta*").DoubleClick()
	const only = "#timeseries&runs=beta&smoothing=0&scales=flat/level:log10&zoom=line/up:13.95:86.05:15:85"
	s.hash(only)
	s.Control("list", "Runs").Control("checkbox", "alpha").Click()
	const two = "#timeseries&runs=alpha,beta&smoothing=0&scales=flat/level:log10&zoom=line/up:13.95:86.05:15:85"
	s.hash(two)
	onlyBeta := func() { s.list("-alpha", "+beta", "-solo/x", "-[sweep 3]", "-s1", "-s2", "-s3") }
	all := func() { s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3") }

	// Back and forward, step by step.
	back := func(want string) {
		t.Helper()
		s.Eval(`void history.back()`, nil)
		s.hash(want)
	}
	back(only)
	onlyBeta()
	back(zoomed)
	all()
	s.shows("line/up", 13.95, 86.05, 15, 85)
	back(scales)
	s.shows("line/up", -1.5, 101.5, nan, nan)
	s.Control("article", "line/up").Control("button", "Fit to the data (double click)").Gone()
	back("#timeseries&smoothing=0")
	s.Control("article", "flat/level").Control("button", "Lin, Y axis: linear (click to change)").Wait()
	for _, want := range []string{scales, zoomed, only} {
		s.Eval(`void history.forward()`, nil)
		s.hash(want)
	}
	onlyBeta()
	s.shows("line/up", 13.95, 86.05, 15, 85)
	s.Control("article", "flat/level").Control("button", "Log, Y axis: logarithmic (click to change)").Wait()

	// Somebody else opens it, whose browser remembers other runs of this logdir.
	s.fresh("#timeseries&runs=!beta&smoothing=0.3")
	s.list("+alpha", "-beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Control("checkbox", "alpha").Click()
	s.hash("#timeseries&runs=!alpha,!beta&smoothing=0.3")
	s.stored(false, "runs", "beta")
	s.leave()
	s.Open(s.url + only)
	s.rests()
	onlyBeta()
	s.shows("line/up", 13.95, 86.05, 15, 85)
	s.Control("article", "flat/level").Control("button", "Log, Y axis: logarithmic (click to change)").Wait()
	s.hash(only)
	// A link to the page as it is at first shows them that.
	s.leave()
	s.Open(s.url + "#timeseries")
	s.rests()
	all()
	s.Control("spinbutton", "Smoothing weight").Value("0.6")
	s.shows("line/up", -1.5, 101.5, nan, nan)
	// Without one it is as they left it.
	s.Control("spinbutton", "Smoothing weight").Fill("0.7")
	s.hash("#timeseries&smoothing=0.7")
	s.leave()
	s.Open(s.url)
	s.rests()
	s.Control("spinbutton", "Smoothing weight").Value("0.7")

	// A zoom of all cards is there once.
	s.fresh("#timeseries&smoothing=0&linkZoom=true&zoom=*:20:60")
	s.shows("line/up", 20, 60, nan, nan)
	s.shows("flat/level", 20, 60, nan, nan)
	s.Control("article", "line/up").Control("button", "Fit to the data (double click)").Click()
	s.shows("flat/level", -1.5, 101.5, nan, nan)
	s.hash("#timeseries&smoothing=0&linkZoom=true")
}

// Each dashboard that was opened is a step of the history, however quickly one comes after the
// other, and so is what one does after one has gone back: nothing leads out of the page.
func TestPageBackSteps(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	back := func(want string) {
		t.Helper()
		s.Eval(`void setTimeout(() => history.back())`, nil)
		s.hash(want)
	}
	s.hash("#timeseries")
	for range 2 {
		for _, board := range [][2]string{{"Hyperparameters", "#hparams"}, {"Time series", "#timeseries"}, {"Hyperparameters", "#hparams"}} {
			s.Control("button", board[0]).Click()
			s.hash(board[1])
		}
		back("#timeseries")
		back("#hparams")
		back("#timeseries")
	}
	s.Press("]")
	s.hash("#timeseries&smoothing=0.65")
	back("#timeseries")
	s.Press("]")
	s.hash("#timeseries&smoothing=0.65")
	back("#timeseries")
	s.Control("spinbutton", "Smoothing weight").Value("0.6")
}

// A field that has the focus says what is in force after Back, and after a command, too.
func TestPageBackInField(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	tags, weight := s.Control("searchbox", "Filter tags (regex)"), s.Control("spinbutton", "Smoothing weight")
	travel := func(way, want string) {
		t.Helper()
		s.Eval(`void setTimeout(() => history.`+way+`())`, nil)
		s.hash(want)
	}
	s.cards(first...)
	tags.Click()
	s.Type("up")
	s.hash("#timeseries&tagFilter=up")
	travel("back", "#timeseries")
	s.cards(first...)
	tags.Value("")
	tags.Focused()
	travel("forward", "#timeseries&tagFilter=up")
	tags.Value("up")
	s.Type("x") // goes on from there
	s.hash("#timeseries&tagFilter=upx")
	tags.Value("upx")
	s.Press("k", "Control")
	s.Control("dialog", "Find and do").Control("combobox", "Find commands, tags, runs, settings").Wait()
	s.Type("show all tags")
	s.Press("Enter")
	s.hash("#timeseries")
	tags.Value("")
	s.cards(first...)

	weight.Click()
	s.Press("a", "Control")
	s.Type("0.75")
	weight.Value("0.75")
	s.hash("#timeseries&smoothing=0.75")
	s.Press("a", "Control")
	s.Press("Delete")
	weight.Is(`e.getAttribute("aria-invalid") === "true"`)
	travel("back", "#timeseries")
	weight.Value("0.6")
	weight.Is(`!e.hasAttribute("aria-invalid")`)

	s.Control("button", "Hyperparameters").Click()
	s.hash("#hparams")
	s.Control("button", "Run list").Click() // which has the same filter
	rows := s.Control("searchbox", "Filter runs of the table (regex)")
	rows.Click()
	s.Type("s1")
	s.hash("#hparams&runFilter=s1")
	travel("back", "#hparams")
	rows.Value("")
	travel("forward", "#hparams&runFilter=s1")
	rows.Value("s1")
	rows.Focused()
}

// Colours of runs, cards of several tags, what is on their right axis, and notes are in the
// address: another person, who has seen nothing of it before, sees the same.
func TestPageLinkToOthers(t *testing.T) {
	t.Parallel()
	l := pins(t)
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "Superimpose other tags…").Click()
	box := s.Control("dialog", "Superimpose tags")
	box.Control("textbox", "Title").Fill("Up: and ten")
	box.Control("searchbox", "Find tags (regex)").Fill("pow")
	box.Control("checkbox", "pow/ten").Click()
	box.Control("checkbox", "Right axis: pow/ten").Click()
	box.Control("button", "Make the card").Click()
	const behind = "#timeseries&cards=!Up%253A%20and%20ten:line/up:pow/ten&smoothing=0&right=line/up:!pow/ten"
	s.hash(behind)
	// What is folded, as wide as the page, and in another order.
	s.Control("region", "flat").Control("button", "flat 1 card").Click()
	s.Control("article", "line/up").Control("button", "Full width (f)").Click()
	s.Control("button", "Order and columns").Click()
	s.Control("combobox", "Order of the runs").Choose("Newest first")
	s.Press("Escape")
	const seen = "#timeseries&wide=line/up&groups=!flat&cards=!Up%253A%20and%20ten:line/up:pow/ten&runOrder=newest&smoothing=0&right=line/up:!pow/ten"
	s.hash(seen)
	var address string
	s.Eval(`location.hash + "&colors=alpha:123456,beta:fedcba&hidden=solo/x&names=beta:the%20best&filters=last%3Fname%3Dflat%25252Flevel:3.."`, &address)

	o := look(t, browsertest.Firefox, l.dir)
	o.leave()
	o.Open(o.url + address)
	o.rests()
	const tag = "line/up, pow/ten"
	// Of the runs one is hidden, and alpha is below what a column has to be.
	o.list("+the best", "+[sweep 3]", "+s3", "+s2", "+s1")
	o.Control("region", "Superimposed").Control("heading", "Up: and ten").Wait()
	o.Control("article", "flat/level").Gone()
	o.Control("article", "line/up").Control("button", "Full width (f)").Pressed(true)
	o.leave()
	o.Open(o.url + behind + "&colors=alpha:123456,beta:fedcba")
	o.rests()
	o.Control("article", "flat/level").Wait()
	if a, b := o.color("alpha"), o.color("beta"); a != "#123456" || b != "#fedcba" {
		t.Errorf("alpha is %s and beta %s", a, b)
	}
	o.draws(tag, linear, want{"alpha", 20, 20, false}, want{"beta", 20, 80, false})
	o.Until(func() string {
		p, ok := o.plotOf(tag)
		for _, l := range p.Said {
			if ok && l.X > p.Box.X+p.Box.Width {
				return ""
			}
		}
		return "there is no right axis"
	})
}

// What the address has no room for is said, once, with a link that has all of it.
func TestPageLinkFull(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries")
	s.Eval(`void (location.hash = "#timeseries&hidden=" + Array.from({length: 900}, (_, i) => "run" + i).join())`, nil)
	s.hash("#timeseries&hidden=~")
	copied := s.Control("button", "Copy link…")
	said := s.Control("status", "This view is too large for a link: anyone opening it will see only part. Copy a profile link instead.*")
	said.Wait()
	s.Control("spinbutton", "Smoothing weight").Fill("0.7")
	s.hash("#timeseries&hidden=~&smoothing=0.7")
	copied.Click()
	s.Control("dialog", "Link to*").Control("textbox", "Link").Is(`e.value.includes("#timeseries&profile=")`)
	said.Gone()
}

// An address that is gone to while another is still to be written is not written over.
func TestPageGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	log := s.Control("radiogroup", "Vertical scale").Control("radio", "Log")
	log.Click()
	s.hash("#timeseries&smoothing=0&y=log10")
	// The page writes 250 ms after a change; it is gone from just before that, at the last
	// moment, when the browser tells of the other address only afterwards.
	s.Eval(`new Promise(done => {
		const write = Storage.prototype.setItem;
		Storage.prototype.setItem = function (...args) {
			Storage.prototype.setItem = write;
			location.hash = "#timeseries&smoothing=0&x=relative";
			done();
			return write.apply(this, args);
		};
		document.querySelector("[aria-label='Vertical scale'] [value=symlog10]").click();
	})`, nil)
	s.hash("#timeseries&smoothing=0&x=relative")
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Relative").Is("e.checked")
}

// What was changed just before the page was loaded anew holds, though the browser loads the
// address that there was when it was asked to.
func TestPageReloadedAtOnce(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.fresh("#timeseries&smoothing=0")
			release := s.host.hold()
			defer release()
			// Of a page that is going away nothing can be asked: it says itself what it writes.
			s.Eval(`void (() => {
				for (const how of ["pushState", "replaceState"]) {
					const write = history[how];
					history[how] = function (...args) { navigator.sendBeacon("blank/written"); return write.apply(this, args); };
				}
				globalThis.old = true;
				document.querySelector("[aria-label='Vertical scale'] [value=log10]").click();
				location.reload();
			})()`, nil)
			s.Until(func() string {
				if !slices.Contains(s.host.paths(), "/blank/written") {
					return "the address is not written"
				}
				return ""
			})
			release()
			s.Wait(`!globalThis.old && document.readyState === "complete"`)
			s.Control("radiogroup", "Vertical scale").Control("radio", "Log").Is("e.checked")
			s.hash("#timeseries&smoothing=0&y=log10")
		})
	}
}
