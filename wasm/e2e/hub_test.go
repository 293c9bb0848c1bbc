//go:build !js

package e2e

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// hubOf starts a hub of its own, with a base of experiments, and returns its link. It ends
// with the test, and its viewers with it.
func hubOf(t *testing.T, base string) string {
	t.Helper()
	dir := t.TempDir()
	conf := filepath.Join(dir, "hub.yaml")
	if err := os.WriteFile(conf, []byte("base: "+base+"\nhub_timeout: 1m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		c := exec.Command(browsertest.Binary(t), args...)
		c.Env = append(os.Environ(), "TENSORBORED_HUB_DIR="+filepath.Join(dir, "hub"), "TENSORBORED_HUB_CONFIG="+conf)
		return c
	}
	h := command("hub")
	var stderr bytes.Buffer
	h.Stderr = &stderr
	out, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ids, _ := command("list", "-q").Output()
		if text, err := command(append([]string{"kill", "-f"}, strings.Fields(string(ids))...)...).CombinedOutput(); err != nil && len(ids) > 0 {
			t.Errorf("kill: %v %s", err, text)
		}
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if all, _ := command("list", "--csv").Output(); strings.Count(string(all), "TERMINATED") == strings.Count(string(all), "\n")-1 {
				break
			}
		}
		h.Process.Signal(os.Interrupt)
		h.Wait()
		if t.Failed() {
			t.Logf("the hub's log:\n%s", stderr.String())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "?token=") {
		t.Fatalf("the hub printed %q, %v: %s", line, err, stderr.String())
	}
	return strings.TrimSpace(line)
}

// The hub's page lists viewers, starts, opens and ends them, in both themes and on a
// phone; what names say is text; the viewer behind it is the whole viewer, a visible tab
// keeps it alive, and a page of one that has ended says so.
func TestHubPage(t *testing.T) {
	t.Parallel()
	base, err := filepath.Abs("../../server/hub/store/testdata/determined")
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), `<img src=x onerror="window.hurt=1">`)
	w, err := summary.NewWriter(filepath.Join(odd, "run"), summary.Options{})
	if err == nil {
		err = w.Scalar("loss", 1, 1)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	link := hubOf(t, base)
	s := &screen{view: start(t, browsertest.Chromium)}
	s.Before(axe)
	s.Allow("Failed to load resource") // what cannot be started, and what has ended
	s.Resize(1280, 900)
	s.Open(link)
	s.Wait(`!location.search && document.querySelector("#none") && !document.querySelector("#none").hidden`)

	begin := func(field, text string) {
		t.Helper()
		s.Control("button", "Start a viewer").Click()
		d := s.Control("dialog", "Start a viewer")
		d.Control("textbox", field).Fill(text)
		d.Control("textbox", "Ends when nobody looks for").Fill("3s")
		d.Control("button", "Start").Click()
	}
	// What cannot be started is said where it was asked for.
	begin("Experiments", "77")
	s.Control("dialog", "Start a viewer").Control("alert", "*").Is(`e.textContent.includes("unknown experiment 77")`)
	s.Control("dialog", "Start a viewer").Control("button", "Close").Click()

	begin("Experiments", "7")
	s.Wait(`document.querySelectorAll("#live .viewer[data-state=RUNNING]").length === 1`)
	var path string
	s.Eval(`document.querySelector("#live a").getAttribute("href")`, &path)
	hubURL, _, _ := strings.Cut(link, "?")

	// The viewer, with what Determined's package wrote. Nobody moves or clicks for longer
	// than its timeout, and it stays.
	s.Open(hubURL + path)
	s.rests()
	s.Control("region", "Determined*").Wait()
	s.Wait(`performance.getEntriesByType("resource").filter(r => r.name.endsWith("/heartbeat")).length > 4`)
	s.Wait(`!document.querySelector(".hub-bar")`)

	// A second one, of a directory whose name would be an element.
	s.Open(hubURL)
	begin("Log directories, one a line", odd)
	s.Wait(`[...document.querySelectorAll("#live .viewer-facts")].some(e => e.textContent.includes("<img src=x"))`)
	s.Wait(`!document.querySelector("main img") && !window.hurt`)
	for _, dark := range []bool{false, true} {
		s.SystemDark(dark)
		s.Open(hubURL)
		s.Wait(`document.querySelector(".viewer")`)
		for _, width := range []int{1280, 390} {
			s.Resize(width, 800)
			s.Wait(`document.documentElement.scrollWidth <= innerWidth`)
			s.accessible("the hub's page")
		}
		s.Resize(1280, 900)
	}
	s.Eval(`[...document.querySelectorAll("button")].find(b => b.textContent === "Log").click()`, nil)
	s.Control("dialog", "Log of*").Is(`e.textContent.includes("Listening on")`)
	s.Control("dialog", "Log of*").Control("button", "Close").Click()

	// The first one is not looked at any more, and ends; so does the other.
	s.Wait(`document.querySelectorAll("#ended .viewer").length === 2 && !document.querySelector("#live .viewer")`)
	s.Wait(`[...document.querySelectorAll("#ended .viewer-facts")].every(e => e.textContent.includes("idle for more than 3s"))`)
	s.Open(hubURL + path)
	s.Control("status", "*").Says("It has ended.")
	s.Open(hubURL)
	s.Wait(`document.querySelector("#ended .viewer")`)
	s.Eval(`[...document.querySelectorAll("#ended .viewer")].find(e => e.textContent.includes("experiment/7")).querySelector(".viewer-buttons button:last-child").click()`, nil)
	again := s.Control("dialog", "Start a viewer")
	again.Control("textbox", "Experiments").Value("7")
	again.Control("button", "Start").Click()
	s.Wait(`document.querySelector("#live .viewer[data-state=RUNNING]")`)

	// End, by its button, and what a page that is open says then.
	s.Control("button", "End *").Click()
	s.Wait(`!document.querySelector("#live .viewer")`)
	s.Wait(`[...document.querySelectorAll("#ended .viewer-facts")].some(e => e.textContent.includes("killed by"))`)

	// A page that is open hears that its viewer has been ended, and keeps what it shows.
	begin("Experiments", "8")
	s.Wait(`document.querySelector("#live .viewer[data-state=RUNNING]")`)
	s.Eval(`document.querySelector("#live a").getAttribute("href")`, &path)
	s.Open(hubURL + path)
	s.rests()
	s.Eval(`fetch("../../api/instances/" + location.pathname.split("/")[2] + "/kill", {method: "POST"}).then(a => a.status)`, nil)
	s.Wait(`document.querySelector(".hub-bar")?.textContent.includes("This viewer has ended: killed by")`)
	s.Control("region", "Determined*").Wait()
}
