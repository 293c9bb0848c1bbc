//go:build !js

package e2e

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// menu opens the menu of profiles and returns it. label is what its button says.
func (s *screen) menu(label string) browsertest.Control {
	s.t.Helper()
	s.Control("button", label).Click()
	return s.Control("dialog", "Profiles").Wait()
}

// saveAs saves the view under a name. label is what the button says.
func (s *screen) saveAs(label, name string) {
	s.t.Helper()
	s.menu(label).Control("button", "Save as…").Click()
	s.Control("textbox", "Name").Fill(name)
	s.Press("Enter")
	s.Control("button", "Profile: "+name).Wait()
}

// pin pins a card of the groups, or unpins it.
func (s *screen) pin(tag string) {
	s.t.Helper()
	group, _, _ := strings.Cut(tag, "/")
	s.Control("region", group).Control("article", tag).Control("button", "Pin (p)").Click()
}

// kept returns what the browser keeps under a key; nil if nothing.
func (s *screen) kept(key string) (text *string) {
	s.t.Helper()
	s.Eval(`localStorage.getItem(`+quote(key)+`)`, &text)
	return text
}

// pinnedAre waits until these cards are pinned, in this order.
func (s *screen) pinnedAre(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...document.querySelectorAll("article[data-pinned]")].filter(e => e.checkVisibility()).map(e => e.ariaLabel)`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("pinned are %q, not %q (%v)", got, want, err)
		}
		return ""
	})
}

// A profile's life: saved, changed with a mark that is true, loaded anew with the page,
// reverted, renamed, copied, deleted and taken back, left.
func TestPageProfiles(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { profileLife(look(t, kind, pins(t).dir)) })
	}
}

// popup is the menu or the small dialog that is open.
const popup = `document.querySelector(".popup")`

func profileLife(s *screen) {
	const a, changed = "Profile: Loss study", "Profile: Loss study, unsaved changes"
	s.pin("line/up")
	s.Control("searchbox", "Filter tags (regex)").Fill("up|level")
	s.saveAs("Profile", "Loss study")
	s.Control("status", "Saved as “Loss study”").Wait()
	if name := s.kept("tb-active-profile"); name == nil || *name != "Loss study" {
		s.t.Errorf("the active profile is kept as %v", name)
	}
	if index, doc := s.kept("tb-profile-index"), s.kept("tb-profile-Loss study"); index == nil || *index != `["Loss study"]` || doc == nil || !strings.Contains(*doc, `"pinnedCards":[{"plugin":"scalars","tag":"line/up"}]`) {
		s.t.Errorf("kept are %v and %v", index, doc)
	}

	// The mark comes with a change and goes with it.
	s.pin("flat/level")
	s.Control("button", changed).Wait()
	s.Control("region", "flat").Control("article", "flat/level").Control("button", "Unpin (p)").Click()
	s.Control("button", a).Wait()
	s.pin("flat/level")
	s.Control("checkbox", "beta").Click()
	s.Control("button", changed).Wait()
	s.menu(changed).Is(`e.innerText.includes("Changed: pinned cards, shown runs")`)
	s.said(popup, "profiles-changed")
	s.Press("Escape")
	s.Control("button", changed).Is(`e.querySelector(".unsaved").checkVisibility()`)
	// The page that is loaded anew is as it was, and knows what was changed.
	s.hash("#timeseries&tagFilter=up%7Clevel&pins=line/up,flat/level&runs=!beta")
	s.stored(false, "runs", "beta")
	s.again()
	s.Control("button", changed).Wait()
	s.pinnedAre("line/up", "flat/level")
	s.Control("checkbox", "beta").Checked(false)
	s.menu(changed).Control("button", "Revert").Click()
	s.pinnedAre("line/up")
	s.Control("checkbox", "beta").Checked(true)
	s.Control("button", a).Wait()
	s.Control("button", "Undo").Click()
	s.pinnedAre("line/up", "flat/level")
	s.menu(changed).Control("button", "Save").Click()
	s.Control("button", a).Wait()
	s.Control("status", "Saved as “Loss study”").Wait()

	// Another one; loading replaces.
	s.Control("region", "Pinned").Control("button", "Unpin all").Click()
	s.Control("searchbox", "Filter tags (regex)").Fill("")
	s.Control("checkbox", "beta").Click()
	s.saveAs(changed, "Empty")
	s.menu("Profile: Empty").Control("button", "Loss study today").Click()
	s.pinnedAre("line/up", "flat/level")
	s.Control("searchbox", "Filter tags (regex)").Value("up|level")
	s.Control("button", a).Wait()
	s.menu(a).Control("button", "Empty today").Click()
	s.pinnedAre()
	s.Control("searchbox", "Filter tags (regex)").Value("")
	s.Control("button", "Profile: Empty").Wait()
	s.hash("#timeseries")
	s.again()
	s.Control("button", "Profile: Empty").Wait()
	s.pinnedAre()
	more := func(label, name, item string) {
		s.t.Helper()
		s.menu(label).Control("button", "More for "+name).Click()
		s.Control("menuitem", item).Click()
	}
	more("Profile: Empty", "Loss study", "Add to the view")
	s.pinnedAre("line/up", "flat/level")
	s.Control("button", "Profile: Empty, unsaved changes").Wait()
	s.menu("Profile: Empty, unsaved changes").Control("button", "Revert").Click()
	s.pinnedAre()

	// Renamed, copied, deleted and taken back.
	more("Profile: Empty", "Empty", "Rename…")
	s.Control("textbox", "Name").Fill("Nothing")
	s.Control("button", "Rename").Click()
	s.Control("button", "Profile: Nothing").Wait()
	more("Profile: Nothing", "Loss study", "Duplicate")
	s.Control("status", "“Loss study (1)” is a copy of “Loss study”").Wait()
	s.menu("Profile: Nothing").Control("button", "Loss study (1) today").Wait()
	s.Press("Escape")
	more("Profile: Nothing", "Nothing", "Delete")
	s.Control("button", "Profile").Wait()
	s.menu("Profile").Control("button", "Nothing today").Gone()
	s.Press("Escape")
	s.Control("status", "“Nothing” was deleted*").Control("button", "Undo").Click()
	s.Control("button", "Profile: Nothing").Wait()
	s.menu("Profile: Nothing").Control("button", "Nothing today").Wait()
	s.Press("Escape")

	// When each was saved.
	s.Eval(`[["Nothing", 1], ["Loss study (1)", 3]].forEach(([name, days]) => {
		const key = "tb-profile-" + name, p = JSON.parse(localStorage.getItem(key));
		(p.data ?? p).lastModifiedTimestamp = Date.now() - days * 86400000;
		localStorage.setItem(key, JSON.stringify(p));
	})`, nil)
	s.Control("button", "Profile: Nothing").Is(`!e.querySelector(".unsaved").checkVisibility()`)
	s.menu("Profile: Nothing").Control("button", "Nothing yesterday").Wait()
	s.said(popup, "profiles")
	s.Press("Escape")
	more("Profile: Nothing", "Loss study (1)", "Duplicate")
	s.menu("Profile: Nothing").Control("button", "Loss study (1) (1) today").Wait()
	s.Press("Escape")
	more("Profile: Nothing", "Loss study (1) (1)", "Delete")
	s.again() // with the profile as it is kept now
	s.Control("button", "Profile: Nothing").Wait()
	s.Control("searchbox", "Filter tags (regex)").Fill("flat")
	s.menu("Profile: Nothing, unsaved changes").Control("button", "Save").Click()
	s.menu("Profile: Nothing").Control("button", "Nothing today").Wait()
	s.Press("Escape")

	// Left: the view stays, and it does not come back.
	s.menu("Profile: Nothing").Control("button", "Deactivate").Click()
	s.Control("button", "Profile").Wait()
	s.Until(func() string {
		if name := s.kept("tb-active-profile"); name != nil {
			return "still active: " + *name
		}
		return ""
	})
	s.stored(nil, "profile")
	s.again()
	s.Control("button", "Profile").Wait()
}

// sameCards compares the cards of two pictures of pages of the same size.
func sameCards(t *testing.T, a, b *screen) {
	t.Helper()
	boxes := func(s *screen) (out []struct {
		Name string
		Box  browsertest.Box
	}) {
		t.Helper()
		s.Eval(`[...document.querySelectorAll("article")].filter(e => e.checkVisibility()).map(e => ({name: e.ariaLabel, box: e.getBoundingClientRect()}))`, &out)
		return out
	}
	b.Until(func() string {
		x, y := boxes(a), boxes(b)
		if len(x) != len(y) || len(x) == 0 {
			return fmt.Sprintf("%d cards, and %d", len(x), len(y))
		}
		p, q := a.Picture(), b.Picture()
		for i := range x {
			if x[i] != y[i] {
				return fmt.Sprintf("card %d is %v, and %v", i, x[i], y[i])
			}
			r := image.Rect(int(x[i].Box.X), int(x[i].Box.Y), int(x[i].Box.X+x[i].Box.Width), int(x[i].Box.Y+x[i].Box.Height))
			for py := max(0, r.Min.Y); py < min(r.Max.Y, 990); py += 2 {
				for px := r.Min.X; px < r.Max.X; px += 2 {
					at := browsertest.Point{X: float64(px), Y: float64(py)}
					if v, w := p.At(at), q.At(at); max(math.Abs(v[0]-w[0]), math.Abs(v[1]-w[1]), math.Abs(v[2]-w[2])) > 3 { // edges are rounded
						return fmt.Sprintf("the card %s differs at %v: %v and %v", x[i].Name, at, p.At(at), q.At(at))
					}
				}
			}
		}
		return ""
	})
}

// A view goes by mail: exported here, dropped there on a page without data, which says
// which folder it wants; with the folder it is the same picture, card by card.
func TestPageProfileTravels(t *testing.T) {
	t.Parallel()
	l := pins(t)
	s := look(t, browsertest.Chromium, l.dir)
	dir := s.Downloads()
	s.pin("pow/ten")
	s.pin("line/up")
	s.Control("article", "line/up").Count()
	s.Control("region", "line").Control("button", "line 1 card").Click()
	s.Control("radio", "Wall").Click()
	s.Control("radiogroup", "Vertical scale").Control("radio", "Log").Click()
	s.Control("slider", "Smoothing").Slide(0.2)
	s.Control("checkbox", "sweep/s1").Click()
	s.Control("searchbox", "Filter runs (regex)").Fill("a|s|x")
	// One without a name has that of its folder.
	s.menu("Profile").Control("button", "Export").Click()
	if p, _, err := profile.Decode([]byte(s.saved(dir, "logs.json"))); err != nil || p.Name != "logs" {
		t.Errorf("a view without a name is exported as %q (%v)", p.Name, err)
	}
	s.saveAs("Profile", "For a colleague")
	s.menu("Profile: For a colleague").Control("button", "Export").Click()
	text := s.saved(dir, "For a colleague.json")
	p, problems, err := profile.Decode([]byte(text))
	if err != nil || len(problems) > 0 || p.Data == nil || p.Data.Folder != "logs" || len(p.Data.Runs) != 6 || p.Data.URL != "" {
		t.Fatalf("exported was %v %v %+v", err, problems, p.Data)
	}
	if len(p.RunColors) != 0 {
		t.Errorf("colours that nobody chose are in it: %v", p.RunColors)
	}
	// The browser comes back to it after it was closed and opened.
	s.again()
	s.Control("button", "Profile: For a colleague").Wait()

	file := filepath.Join(t.TempDir(), "mail.json")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	there := look(t, browsertest.Chromium, "")
	there.Control("heading", "Drop a log folder here").Wait()
	there.Drop("main", file)
	there.Control("main", "*").Is(`e.innerText.includes("“For a colleague” was made for the folder “logs” with the runs alpha, beta,") && e.innerText.includes("Drop that folder here")`)
	there.Drop("main", l.dir)
	there.rests()
	there.Control("button", "Profile: For a colleague").Wait()
	there.pinnedAre("pow/ten", "line/up")
	there.Control("checkbox", "sweep/s1").Checked(false)
	for _, x := range []*screen{s, there} {
		x.Eval(`document.querySelector("main").scrollTo(0, 0)`, nil)
		x.Hover(browsertest.Point{X: 5, Y: 990})
	}
	sameCards(t, s, there)
}

// A file is taken by the dialog, a text by pasting, whatever runs they were made for; what
// is no profile is left alone.
func TestPageProfileImport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(file, []byte(`{"version":1,"data":{"version":1,"name":"From a file","lastModifiedTimestamp":1,"pinnedCards":[{"plugin":"scalars","tag":"line/up"}],
		"runColors":[],"groupColors":[],"superimposedCards":[],"runSelection":[{"type":"RUN_NAME","value":"of another logdir","selected":true}],"tagFilter":"","runFilter":"","smoothing":0.6}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, pins(t).dir)
			s.menu("Profile").Control("button", "Import…").Click()
			s.Wait(`document.querySelector("#profile-file")`)
			s.SetFiles("#profile-file", file)
			s.pinnedAre("line/up")
			s.shown("6 of 6 runs shown") // not an empty page
			if kind != browsertest.Chromium {
				return // Firefox lets no script say what is pasted
			}
			paste := func(text string) {
				t.Helper()
				s.Eval(`void (() => {
					const d = new DataTransfer();
					d.setData("text/plain", `+quote(text)+`);
					document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true}));
				})()`, nil)
			}
			paste("just words")
			// What is pasted into a field is text.
			s.Eval(`void (() => {
				const d = new DataTransfer();
				d.setData("text/plain", '{"version":1,"name":"Typed","pinnedCards":[],"smoothing":0.5}');
				document.querySelector("input[type=search]").dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true}));
			})()`, nil)
			paste(`{"version":1,"name":"Pasted","pinnedCards":[{"plugin":"scalars","tag":"lone"}],"smoothing":0.5}`)
			s.Control("button", "Profile: Pasted").Wait()
			s.pinnedAre("lone")
			s.Control("status", "“Pasted” was imported and is shown*").Control("button", "Undo").Click()
			s.pinnedAre("line/up")
			// A file is pasted.
			s.Eval(`void (() => {
				const d = new DataTransfer();
				d.items.add(new File(['{"version":1,"name":"Pasted","pinnedCards":[{"plugin":"scalars","tag":"flat/level"}],"smoothing":"much"}'], "P.JSON"));
				document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true}));
			})()`, nil)
			s.Control("button", "Profile: Pasted (1)").Wait() // the first one is kept
			s.pinnedAre("flat/level")
			s.Control("status", "A part of the profile is left out: smoothing*").Wait() // what is wrong with it is told
			s.menu("Profile: Pasted (1)").Is(`/Pasted/.test(tbUser.text(e)) && /From a file/.test(tbUser.text(e)) && !/Typed/.test(tbUser.text(e))`)
			s.Press("Escape")

			// A folder is none, whatever it is called, and neither are several files.
			l := named(t, "logs.json")
			l.run("r", map[string][]point{"flat/level": curve(1, 0, 5)})
			both := t.TempDir()
			for _, name := range []string{"a.json", "b.json"} {
				if err := os.WriteFile(filepath.Join(both, name), []byte(`{"version":1,"name":"Of two","pinnedCards":[],"smoothing":0.5}`), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s.Drop("body", filepath.Join(both, "a.json"), filepath.Join(both, "b.json"))
			s.Control("status", "“dropped files” was not opened, and what was open stays*").Wait()
			s.Drop("body", l.dir)
			s.Wait(`tensorbored.status().logdir === "logs.json" && tensorbored.status().phase === "exact"`)
		})
	}
}

// What a logdir's default profile shows ends with that logdir: one that is opened after it shows
// its runs, no places of cards that it does not have, and what the user changed. A profile of the
// user's own goes along, but hides no run that it does not know.
func TestPageFolderAfterProfile(t *testing.T) {
	t.Parallel()
	logdir := func(name string, runs ...string) *logs {
		l := named(t, name)
		for _, run := range runs {
			l.run(run, map[string][]point{name + "/loss": curve(0, 0, 20), name + "/acc": curve(1, 0, 20)})
		}
		return l
	}
	theirs := logdir("theirs", "a", "b")
	theirs.put(theirs.dir+"/.tensorboard/default_profile.json", []byte(`{"version":1,"name":"The team's","pinnedCards":[{"plugin":"scalars","tag":"theirs/acc"}],"runSelection":[{"type":"RUN_NAME","value":"a","selected":true}],"smoothing":0.9}`))
	h := serve(t, theirs.dir)
	var late atomic.Bool
	inner, answer := h.handler, make(chan struct{})
	h.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if late.Load() && strings.Contains(r.URL.Path, "profile") {
			<-answer
		}
		inner.ServeHTTP(w, r)
	})
	s := look(t, browsertest.Chromium, "")
	s.at(h.URL)
	smoothing := s.Control("spinbutton", "Smoothing weight")
	tags := s.Control("searchbox", "Filter tags (regex)")
	open := func(l *logs, name string) {
		t.Helper()
		s.Drop("body", l.dir)
		s.Wait(`tensorbored.status().logdir === ` + quote(name) + ` && tensorbored.status().phase === "exact"`)
	}
	s.Control("button", "Profile: The team's").Wait()
	s.shown("1 of 2 runs shown")
	s.pinnedAre("theirs/acc")
	smoothing.Value("0.9")
	tags.Fill("acc|loss")
	s.Control("button", "Profile: The team's, unsaved changes").Wait()
	late.Store(true)
	s.again() // the page finds the view, not what was before it, and not yet the profile
	s.Control("button", "Profile: The team's, unsaved changes").Wait()

	open(logdir("mine", "x", "y", "z"), "mine")
	close(answer)
	s.Control("button", "Profile").Wait()
	s.shown("3 of 3 runs shown")
	s.pinnedAre()
	s.Control("region", "Pinned").Gone()
	smoothing.Value("0.6")
	tags.Value("acc|loss")
	s.cards("mine/acc", "mine/loss")

	// The view before the default profile comes back where it is known.
	tags.Fill("loss|acc")
	s.pin("mine/loss")
	s.leave()
	s.Open(s.url)
	s.rests()
	s.Control("button", "Profile: The team's").Wait()
	s.pinnedAre("theirs/acc")
	tags.Value("")
	open(logdir("again", "u"), "again")
	s.Control("button", "Profile").Wait()
	smoothing.Value("0.6")
	tags.Value("loss|acc")
	s.Control("button", "Pinned 1 card, 1 without data here").Click()
	s.pinnedAre("mine/loss")

	file := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(file, []byte(`{"version":1,"name":"My own","pinnedCards":[{"plugin":"scalars","tag":"theirs/acc"}],"runSelection":[{"type":"RUN_NAME","value":"u","selected":true}],"smoothing":0.8}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Drop("body", file)
	s.Control("button", "Profile: My own").Wait()
	for _, name := range []string{"more", "most"} {
		open(logdir(name, "k", "l", "m", "n"), name)
		s.shown("4 of 4 runs shown")
		s.Control("heading", "No run is shown").Gone()
		s.Control("button", "Pinned 1 card, 1 without data here").Wait()
		smoothing.Value("0.8")
	}
}

// A link holds the whole view, also what addresses have no room for.
func TestPageProfileLink(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.pin("line/up")
	s.Control("region", "flat").Control("button", "flat 1 card").Click()
	s.saveAs("Profile", "Sent <b>&#")
	s.menu("Profile: Sent <b>&#").Control("button", "Copy link…").Click()
	var address string
	s.Control("textbox", "Link").Get("e.value", &address)
	base, fragment, _ := strings.Cut(address, "#")
	if base != s.url || len(address) > 1500 || !strings.HasPrefix(fragment, "timeseries&profile=") {
		t.Errorf("the link is %s", address)
	}
	s.Control("textbox", "Link").Is(`e.selectionStart === 0 && e.selectionEnd === e.value.length`) // for Ctrl c
	s.Press("Escape")
	// It is copied where a page has no clipboard, too: on plain HTTP of another machine.
	s.Eval(`void (Object.defineProperty(navigator, "clipboard", {value: undefined}), document.addEventListener("copy", () => {
		const e = document.activeElement;
		globalThis.copied = e.value.slice(e.selectionStart, e.selectionEnd);
	}))`, nil)
	s.menu("Profile: Sent <b>&#").Control("button", "Copy link…").Click()
	s.Control("textbox", "Link").Get("e.value", &address)
	s.Control("dialog", "Link to*").Control("button", "Copy").Click()
	s.Control("dialog", "Link to*").Control("button", "Copied").Wait()
	s.Until(func() string {
		var copied string
		s.Eval(`globalThis.copied ?? ""`, &copied)
		return differs(copied, address)
	})
	s.Press("Escape")
	s.fresh("")
	s.pinnedAre()
	s.fresh("#" + fragment)
	s.Control("button", "Profile: Sent <b>&#").Wait()
	s.pinnedAre("line/up")
	s.Control("region", "flat").Control("button", "flat 1 card").Expanded(false)
	s.hash("#timeseries&groups=!flat&pins=line/up")
	s.menu("Profile: Sent <b>&#").Is(`e.innerText.includes("From a link, not saved here")`)
	s.Press("Escape")
	// It is there after a reload, and nothing was put on the shelf.
	s.Wait(`JSON.parse(localStorage.getItem("tensorbored-static.view")).profile === "link:Sent <b>&#"`)
	s.again()
	s.Control("button", "Profile: Sent <b>&#").Wait()
	if s.kept("tb-profile-index") != nil || s.kept("tb-active-profile") != nil {
		t.Error("opening a link has saved a profile")
	}
	// One that was cut on its way says so.
	s.fresh("#" + fragment[:len(fragment)-20])
	s.Control("status", "The profile in this link cannot be shown*").Wait()

	// What was there before comes back: on the page, and where the link opens another one.
	s.fresh("")
	s.pin("pow/ten")
	s.pinnedAre("pow/ten")
	s.Eval(`void (location.hash = `+quote("#"+fragment)+`)`, nil)
	s.pinnedAre("line/up")
	s.Control("status", "“Sent <b>&#” of the link is shown*").Control("button", "Undo").Click()
	s.pinnedAre("pow/ten")
	s.again()
	s.pinnedAre("pow/ten")
	s.leave()
	s.Open(s.url + "#" + fragment)
	s.rests()
	s.pinnedAre("line/up")
	s.Control("status", "“Sent <b>&#” of the link is shown*").Control("button", "Undo").Click()
	s.pinnedAre("pow/ten")

	// One that is too large for a link is to be sent as a file.
	var pinned strings.Builder
	for i := range 900 {
		fmt.Fprintf(&pinned, `,{"plugin":"scalars","tag":"%x"}`, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	file := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(file, []byte(`{"version":1,"name":"Large","pinnedCards":[{"plugin":"scalars","tag":"line/up"}`+pinned.String()+`],"smoothing":0.6}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s.fresh("")
	s.Drop("body", file)
	s.Control("button", "Profile: Large").Wait()
	s.menu("Profile: Large").Control("button", "Copy link…").Click()
	s.Control("status", "“Large” is too large for a link (*").Wait()
	s.Control("dialog", "Link to*").Gone()
}

// writing serves a logdir by a server that may write its default profile.
func writing(t *testing.T, roots ...files.Root) *host {
	t.Helper()
	store, err := files.OpenRoots(roots, files.Options{Name: "logs", Follow: true, Page: api.Page{SaveProfile: "profile"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h, err := server.New(server.Config{Site: browsertest.Dist(t), Logdir: store, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &host{t: t, handler: h}
	s.start()
	t.Cleanup(s.stop)
	return s
}

// standard writes a default profile into a logdir.
func standard(t *testing.T, dir, name string, tags ...string) {
	t.Helper()
	p := profile.New(name)
	for _, tag := range tags {
		if err := p.PinScalar(tag); err != nil {
			t.Fatal(err)
		}
	}
	p.SelectRuns("alpha", "beta")
	p.Describe("line/up", "Goes *up*")
	if err := profiles.Write(dir, p); err != nil {
		t.Fatal(err)
	}
}

// at opens the page at a host.
func (s *screen) at(url string) {
	s.t.Helper()
	s.url = url
	s.Open(url)
	s.rests()
}

// The default profile of a logdir is what everybody sees who has chosen no other: over
// our server, from a static host, and of a dropped folder. Who has a view of his own gets
// it back; who does not want it is left alone.
func TestPageDefaultProfile(t *testing.T) {
	t.Parallel()
	l := pins(t)
	standard(t, l.dir, "For all", "pow/ten")
	check := func(s *screen) {
		t.Helper()
		s.Control("button", "Profile: For all").Wait()
		s.pinnedAre("pow/ten")
		s.shown("2 of 6 runs shown") // selected runs hide the others
		s.Control("checkbox", "sweep/s1").Checked(false)
	}
	s := look(t, browsertest.Chromium, l.dir)
	check(s)
	// Another dashboard is no change of it.
	s.Control("button", "Text").Click()
	s.hash("#text&pins=pow/ten&runs=alpha,beta")
	s.Control("button", "Profile: For all").Wait()
	s.Control("button", "Time series").Click()
	// A link's dashboard comes first.
	v := visit(t, browsertest.Chromium, serve(t, l.dir).URL+"#text")
	v.Control("button", "Profile: For all").Wait()
	v.Wait(`location.hash === "#text&pins=pow/ten&runs=alpha,beta"`)
	// Its descriptions stand where logged ones do.
	s.Control("article", "line/up").Control("button", "About this tag").Click()
	s.Control("dialog", "About this tag").Is(`e.innerText.includes("Goes up")`)
	s.Press("Escape")
	s.menu("Profile: For all").Is(`e.innerText.includes("The default of this logdir") && !e.innerText.includes("for everyone")`)
	s.Press("Escape")
	// Changes are marked, kept, and not overwritten by a newer default without a word.
	s.pin("line/up")
	s.Control("button", "Profile: For all, unsaved changes").Wait()
	s.hash("#timeseries&pins=pow/ten,line/up&runs=alpha,beta")
	s.stored("default:For all", "profile")
	s.again()
	s.Control("button", "Profile: For all, unsaved changes").Wait()
	s.pinnedAre("pow/ten", "line/up")
	standard(t, l.dir, "For all", "flat/level")
	s.Press("R", "Shift")
	s.Control("status", "The default profile “For all” of this logdir has changed*").Control("button", "Show it").Click()
	s.pinnedAre("flat/level")
	// Unchanged, it follows by itself.
	standard(t, l.dir, "For all", "pow/ten")
	s.Press("R", "Shift")
	check(s)
	// Left, it is not shown again, but can be loaded.
	s.menu("Profile: For all").Control("button", "Deactivate").Click()
	s.Control("button", "Profile").Wait()
	s.stored(true, "noDefault")
	s.again()
	s.Control("button", "Profile").Wait()
	s.menu("Profile").Control("button", "Load default: For all").Click()
	check(s)

	// Who has arranged something gets it back.
	s.leave()
	s.Eval(`void (localStorage.clear(), localStorage.setItem("tensorbored-static.view", JSON.stringify({version: 2, tagFilter: "up"})))`, nil)
	s.Open(s.url)
	s.rests()
	// It is said in the status line, where it covers nothing.
	s.Control("contentinfo", "*").Control("status", "This logdir's default profile “For all” is shown*").Control("button", "Use my own view").Click()
	s.Control("searchbox", "Filter tags (regex)").Value("up")
	s.pinnedAre()
	// A saved profile comes before it.
	s.saveAs("Profile", "Mine")
	s.again()
	s.Control("button", "Profile: Mine").Wait()
	s.Control("searchbox", "Filter tags (regex)").Value("up")

	static := look(t, browsertest.Chromium, "")
	static.at(browsertest.StaticHost(t, browsertest.Pages(t, l.dir)))
	check(static)
	dropped := look(t, browsertest.Chromium, "")
	dropped.Control("heading", "Drop a log folder here").Wait()
	dropped.Drop("main", l.dir)
	dropped.rests()
	check(dropped)
	// A default that is no profile is named, and stops nothing.
	if err := os.WriteFile(filepath.Join(l.dir, filepath.FromSlash(profile.DefaultPath)), []byte(`{"version":1,"data":7}`), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := look(t, browsertest.Chromium, l.dir)
	bad.Control("status", "The default profile of this logdir is not shown. data: it should be the object that holds the profile.").Wait()
	bad.cards(first...)
}

// Where the server allows it, the page makes its view the default, whichever of several
// logdirs it is for; what somebody else set meanwhile is not replaced without a question,
// and what was set can be taken back.
func TestPageMakesDefault(t *testing.T) {
	t.Parallel()
	l := pins(t)
	other := newLogs(t)
	other.run("r", map[string][]point{"x": curve(1, 0, 5)})
	roots := []files.Root{{Dir: l.dir, Name: "one"}, {Dir: other.dir, Name: "two"}}
	is := func(want string, pins int) {
		t.Helper()
		p, problems, err := profiles.Read(l.dir)
		switch {
		case want == "" && errors.Is(err, fs.ErrNotExist):
		case err != nil || len(problems) > 0 || p.Name != want || len(p.Pins) != pins:
			t.Fatalf("%v %v %+v", err, problems, p)
		}
	}
	s := look(t, browsertest.Chromium, "")
	s.at(writing(t, roots...).URL)
	// A colleague has the logdir open in another browser, from another server.
	there := &screen{view: start(t, browsertest.Firefox)}
	there.Resize(1600, 1000)
	there.Before(hearing)
	there.Allow("412") // a browser names the status on its console
	there.at(writing(t, roots...).URL)
	there.saveAs("Profile", "Mine")
	s.pin("line/up")
	s.Control("checkbox", "two/r").Click()
	s.saveAs("Profile", "For the team")
	const set = "Make this the default for everyone"
	s.menu("Profile: For the team").Control("button", set).Click()
	s.Control("status", "Everyone who opens this logdir now gets “For the team”*").Wait()
	is("For the team", 1)
	s.Control("status", "Everyone who opens this logdir now gets “For the team”*").Control("button", "Undo").Click()
	s.Control("status", "This logdir has no default profile again*").Wait()
	is("", 0)
	s.menu("Profile: For the team").Control("button", set).Click()
	s.Control("status", "Everyone who opens this logdir now gets “For the team”*").Wait()
	is("For the team", 1)
	// The colleague is asked, whether the page has read the other one by now or not.
	there.menu("Profile: Mine").Control("button", set).Click()
	asked := there.Control("status", "Somebody has saved another default profile, “For the team”, since this page read it.*")
	asked.Wait()
	is("For the team", 1)
	file := filepath.Join(l.dir, filepath.FromSlash(profile.DefaultPath))
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	asked.Control("button", "Save over it").Click()
	taken := there.Control("status", "Everyone who opens this logdir now gets “Mine”*")
	taken.Wait()
	is("Mine", 0)
	taken.Control("button", "Undo").Click()
	there.Control("status", "The default profile is “For the team” again*").Wait()
	is("For the team", 1)
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) {
		t.Errorf("what was taken back is %s, was %s (%v)", now, was, err)
	}
	s.fresh("")
	s.Control("button", "Profile: For the team").Wait()
	s.pinnedAre("line/up")
	s.Control("checkbox", "two/r").Checked(false)
}

// Profiles from strangers: what is wrong is said, nothing is executed, nothing of the
// user's own is lost.
func TestPageHostileProfiles(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Eval(`void (globalThis.hit = 0)`, nil)
	s.pin("line/up")
	s.saveAs("Profile", "Mine")
	mine := *s.kept("tb-profile-Mine")
	dir := t.TempDir()
	drop := func(text string) {
		t.Helper()
		file := filepath.Join(dir, "stranger.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Drop("main", file)
	}
	for text, says := range map[string]string{
		`{"version":2,"name":"n"}`: "No profile was imported. version: the profile is of version 2*",
		`{"a":1}`:                  "No profile was imported. The file is JSON but not a profile*",
		"{ oops":                   "No profile was imported. The file is not JSON: line 1*",
		strings.Repeat(`{"a":`, 50) + strings.Repeat("}", 50): "No profile was imported. At byte *",
		strings.Repeat(" ", profile.MaxBytes+1):               "stranger.json: The file has 2 MB*",
	} {
		drop(text)
		s.Control("status", says).Wait().Control("button", "Close").Click()
		s.pinnedAre("line/up")
		s.Control("button", "Profile: Mine").Wait()
	}
	// HTML in every text; keys that change objects; too many pins; a name that is taken.
	html := `<img src=x onerror=hit=1><script>hit=1</script>`
	var pinned strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&pinned, `,{"plugin":"scalars","tag":"%s%d"}`, html, i)
	}
	drop(`{"version":1,"name":"Mine","lastModifiedTimestamp":1,"pinnedCards":[{"plugin":"scalars","tag":"line/up"}` + pinned.String() + `],
		"runColors":[{"runId":"alpha","color":"red;background:url(//x)"},{"runId":"__proto__","color":"#123456"}],"groupColors":[],
		"superimposedCards":[{"id":"` + html + `","title":"` + html + `","tags":["line/up"],"runId":null}],
		"metricDescriptions":{"line/up":"` + html + `","__proto__":"x"},"tagFilter":"","runFilter":"","smoothing":0.6,"__proto__":{"hit":1},"constructor":{"prototype":{"hit":1}}}`)
	s.Control("button", "Profile: Mine (1)").Wait()
	s.Control("status", "A part of the profile is left out: pinnedCards*").Wait()
	s.Control("region", "Pinned").Control("button", "Pinned 1,000 cards*").Wait()
	drop(`{"version":1,"name":"` + html + `","pinnedCards":[],"smoothing":0.5}`)
	s.Control("button", "Profile: "+html).Wait()
	s.menu("Profile: "+html).Control("button", "View JSON…").Click()
	s.Control("dialog", html).Control("button", "Close").Click()
	var hit int
	s.Eval(`globalThis.hit + (Object.prototype.hit ?? 0) + document.querySelectorAll("img[src=x]").length`, &hit)
	if hit != 0 {
		t.Error("something of a profile was executed")
	}
	if now := s.kept("tb-profile-Mine"); now == nil || *now != mine {
		t.Errorf("the user's own profile is now %v", now)
	}
}

// A page that only looks for what was kept makes no database for it; what is kept there then is
// found by the next one.
func TestPageMakesNoDatabaseToRead(t *testing.T) {
	t.Parallel()
	for _, kind := range []browsertest.Kind{browsertest.Chromium, browsertest.Firefox} {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, pins(t).dir)
			made := `indexedDB.databases().then((all) => all.some((d) => d.name === "tensorbored-static.profiles"))`
			s.Control("button", "Profile").Click()
			s.Control("dialog", "Profiles").Wait()
			s.Press("Escape")
			var is bool
			if s.Eval(made, &is); is {
				t.Error("a database was made for what nobody has kept")
			}
			s.Eval(`void (() => { let n = 1 << 20; for (let i = 0; n > 8; ) try { localStorage.setItem("filler" + i++, "x".repeat(n)); } catch { n >>= 1; } })()`, nil)
			s.pin("line/up")
			s.menu("Profile").Control("button", "Save as…").Click()
			s.Control("textbox", "Name").Fill("Kept")
			s.Press("Enter")
			s.Control("button", "Profile: Kept").Wait()
			s.Wait(made)
			s.Open(s.url)
			s.rests()
			s.Control("button", "Profile: Kept").Wait()
			s.pinnedAre("line/up")
		})
	}
}

// What is kept and cannot be read is listed as such, and stops nothing; another tab's
// change is told; TensorBored's own profiles and pins are there.
func TestPageProfileStorage(t *testing.T) {
	t.Parallel()
	// Nothing is open yet: Chromium never answers a document that asks for a database which
	// another was about to make when it was left.
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.leave()
	s.Eval(`void (() => {
		localStorage.clear();
		localStorage.setItem("tb-profile-bad", "{");
		localStorage.setItem("tb-active-profile", "bad");
		localStorage.setItem("_tb_profiles_index", '["Theirs"]');
		localStorage.setItem("_tb_profile.Theirs", JSON.stringify({version: 1, name: "Theirs", lastModifiedTimestamp: 1, pinnedCards: [{plugin: "scalars", tag: "pow/ten"}],
			runColors: [], groupColors: [], superimposedCards: [], tagFilter: "", runFilter: "", smoothing: 0.6}));
		localStorage.setItem("tb-saved-pins", '[{"plugin":"scalars","tag":"line/up"}]');
	})()`, nil)
	s.Open(s.url)
	s.rests()
	s.Control("status", "The profile “bad” is not shown: what is kept as the profile “bad” cannot be read*").Wait()
	s.pinnedAre("line/up")
	s.menu("Profile").Control("button", "bad cannot be read").Is("e.disabled")
	s.Control("dialog", "Profiles").Control("button", "Theirs*").Click()
	s.pinnedAre("pow/ten")
	s.Control("button", "Profile: Theirs").Wait()
	if bad := s.kept("tb-profile-bad"); bad == nil || *bad != "{" {
		t.Errorf("what is broken is now %v", bad)
	}
	// Another tab.
	s.Eval(`void (() => {
		const key = "tb-profile-Theirs", old = localStorage.getItem(key), p = JSON.parse(old);
		p.pinnedCards = [{plugin: "scalars", tag: "flat/level"}];
		localStorage.setItem(key, JSON.stringify(p));
		dispatchEvent(new StorageEvent("storage", {key, oldValue: old, newValue: localStorage.getItem(key), storageArea: localStorage}));
	})()`, nil)
	s.Control("status", "“Theirs” was changed in another tab*").Wait()
	s.pin("line/up")
	s.menu("Profile: Theirs, unsaved changes").Control("button", "Save").Click()
	s.Control("status", "“Theirs” was changed in another tab since it was loaded here*").Control("button", "Close").Click()
	s.Control("status", "“Theirs” was changed in another tab*").Control("button", "Show that").Click()
	s.pinnedAre("flat/level")

	// Without storage it works for the session, and says so.
	private := &screen{view: start(t, browsertest.Chromium)}
	private.Resize(1600, 1000)
	private.url = refusing(t, pins(t).dir, throwing+`for (const name of ["localStorage", "sessionStorage", "indexedDB"]) refuse(globalThis, name);`)
	private.Open(private.url)
	private.rests()
	private.pin("line/up")
	private.menu("Profile").Control("button", "Save as…").Click()
	private.Control("textbox", "Name").Fill("Brief")
	private.Press("Enter")
	private.Control("status", "Saved as “Brief”, but the browser refuses to keep it*").Wait()
	private.Control("region", "Pinned").Control("button", "Unpin all").Click()
	private.menu("Profile: Brief, unsaved changes").Control("button", "Brief until this page is closed").Click()
	private.pinnedAre("line/up")
	// And where localStorage is full, the database takes it.
	s.Eval(`void (() => { let n = 1 << 20; for (let i = 0; n > 8; ) try { localStorage.setItem("filler" + i++, "x".repeat(n)); } catch { n >>= 1; } })()`, nil)
	// A page that is loaded anew at the moment it says so knows it, with a slow database too.
	s.Eval(`void (IDBTransaction.prototype.addEventListener = function (name, f, how) {
		return EventTarget.prototype.addEventListener.call(this, name, typeof f === "function" ? (e) => setTimeout(() => f(e), 200) : f, how);
	}, globalThis.old = true, new MutationObserver((_, o) => {
		if (!document.querySelector("header").innerText.includes("In the database")) return;
		o.disconnect();
		location.reload();
	}).observe(document.querySelector("header"), {subtree: true, childList: true, characterData: true, attributes: true}))`, nil)
	s.menu("Profile: Theirs").Control("button", "Save as…").Click()
	s.Control("textbox", "Name").Fill("In the database")
	s.Press("Enter")
	s.Wait(`!globalThis.old && document.readyState === "complete"`)
	s.rests()
	s.Control("button", "Profile: In the database").Wait()
	s.pinnedAre("flat/level")
}
