//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// colorsProfile is a profile with the colours of n runs that are not there.
func colorsProfile(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"version":1,"name":"colours","lastModifiedTimestamp":0,"pinnedCards":[],"runColors":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"runId":"exp/run%d","color":"#%06x"}`, i, i)
	}
	b.WriteString(`],"groupColors":[],"superimposedCards":[],"tagFilter":"","runFilter":"","smoothing":0.25}`)
	return []byte(b.String())
}

// notesScript keeps what the page says for a while, in tbNotes.
const notesScript = `globalThis.tbNotes = [];
new MutationObserver((list) => { for (const m of list) for (const n of m.addedNodes) if (n.classList?.contains("task")) tbNotes.push(n.firstChild.textContent); })
	.observe(document, {childList: true, subtree: true});`

// What a logdir's default profile may ask of the page is bounded; a limit is said in words,
// and what fits is shown.
func TestPageHugeProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		colors int
		weight float64 // of smoothing, then
		said   string
	}{
		{12_000, 0.25, `/^A part of the profile is left out: runColors: it has 12000 entries; the first 10000 are used/`},
		{100_000, 0.6, `/^The default profile of this logdir is not shown\. .* is too large for a profile/`},
	} {
		t.Run(fmt.Sprint(c.colors), func(t *testing.T) {
			l := newLogs(t)
			l.run("a", map[string][]point{"loss": curve(0, 0, 20)})
			l.put(l.dir+"/.tensorboard/default_profile.json", colorsProfile(c.colors))
			s := &screen{view: start(t, browsertest.Chromium), host: serve(t, l.dir)}
			s.url = s.host.URL
			s.Resize(1600, 1000)
			s.Before(hearing)
			s.Before(notesScript)
			s.Open(s.url)
			s.Wait(`tbNotes.some((text) => ` + c.said + `.test(text))`)
			s.Control("spinbutton", "Smoothing weight").Value(fmt.Sprint(c.weight))
			s.still("loss")
		})
	}
}

// A link shows what it names, and nothing says that the default profile is shown.
func TestPageLinkOverDefault(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a", map[string][]point{"loss": curve(0, 0, 20), "acc": curve(1, 0, 20)})
	l.put(l.dir+"/.tensorboard/default_profile.json", colorsProfile(1))
	s := look(t, browsertest.Chromium, l.dir)
	s.Before(notesScript)
	s.Open(s.url + "blank")
	s.Eval(`localStorage.clear()`, nil)
	s.Open(s.url + "#timeseries&tagFilter=loss")
	s.rests()
	s.cards("loss")
	s.Control("spinbutton", "Smoothing weight").Value("0.6")
	s.Control("button", "Profile*").Wait()
	var said []string
	s.Eval(`tbNotes`, &said)
	for _, text := range said {
		if strings.Contains(text, "is shown") {
			t.Errorf("the page says %q", text)
		}
	}
}
