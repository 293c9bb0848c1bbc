package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static/reporttest"
)

// smallSite is a page as package pack writes it, with little in it.
func smallSite() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"index.html": file(`<html><head>
<meta http-equiv="Content-Security-Policy" content="connect-src &#39;self&#39;">
<title>TensorBored</title>
<link rel="icon" href="assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/app.css">
<script src="assets/boot.js" data-program="assets/app.wasm" data-worker="assets/worker.js" data-version="v1" data-lazy="assets/markdown.12ab.js" defer></script>
<script src="assets/run.js" defer></script>
<script src="assets/theme.js"></script>
</head><body><div id="app"></div></body></html>`),
		"assets/theme.js": file("theme()"), "assets/app.css": file("a{}"), "assets/run.js": file("run()"), "assets/boot.js": file("boot()"),
		"assets/app.wasm": file("program"), "assets/worker.js": file("worker()"), "assets/markdown.12ab.js": file("'</script>'"),
	}
}

// Nothing in the document is an address, every script and style in it is allowed by its
// hash, and a name is text.
func TestReportPage(t *testing.T) {
	page, err := reportPage(smallSite(), `</title><script>alert(1)</script>`, []reportFile{{Path: "</script><b>/tfevents", Size: 3, data: []byte("abc")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if m := regexp.MustCompile(`(?i)(src|href)=|</script><b>|alert\(1\)</script>`).FindString(text); m != "" {
		t.Errorf("there is %s in\n%s", m, text)
	}
	if n := strings.Count(text, "<script"); n != 9 || strings.Count(text, "</script>") != n {
		t.Errorf("%d scripts in\n%s", n, text)
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1]
	if strings.Count(policy, "sha256-") != 5 || strings.Contains(policy, "self") || strings.Contains(policy, "connect-src") || !strings.HasPrefix(policy, "default-src &#39;none&#39;") {
		t.Errorf("policy %s", policy)
	}
	order := []string{"theme()", "a{}", `id="tb-opening"`, `id="app"`, "tb-program", "tb-worker", "markdown", "tb-files", "tb-index", "tbReport", "boot()", "run()"}
	at := 0
	for _, s := range order {
		i := strings.Index(text[at:], s)
		if i < 0 {
			t.Fatalf("no %s behind the others in\n%s", s, text)
		}
		at += i
	}
	bad := smallSite()
	bad["assets/run.js"].Data = []byte("'</SCRIPT>'")
	if _, err := reportPage(bad, "x", nil, nil); err == nil {
		t.Error("a script that ends itself")
	}
	delete(bad, "assets/app.wasm")
	if _, err := reportPage(bad, "x", nil, nil); err == nil {
		t.Error("a page without its program")
	}
}

// What goes in is what the profile and the flags choose, and the profile itself.
func TestReportChoice(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []string{"base", "wide", "deep"} {
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range []string{"train/loss", "eval/loss", "lr"} {
			if err := w.Scalar(tag, 1, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "c"}}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	p := profile.New("View")
	p.TagFilter = "TRAIN/"
	p.PinScalar("lr")
	p.SelectRuns("base", "deep")
	if err := profiles.Write(dir, p); err != nil {
		t.Fatal(err)
	}
	site := smallSite()
	write := func(code int, f reportFlags) string {
		t.Helper()
		f.out, f.points, f.values = filepath.Join(t.TempDir(), "r.html"), 10, 10
		if f.logdirs == nil {
			f.logdirs = []string{dir}
		}
		var stdout, stderr bytes.Buffer
		if got := report(context.Background(), f, site, &stdout, &stderr); got != code {
			t.Fatalf("code %d: %s%s", got, &stdout, &stderr)
		}
		if _, err := os.Stat(f.out); (err == nil) != (code == 0) {
			t.Errorf("code %d, and the file: %v", code, err)
		}
		return stdout.String() + stderr.String()
	}
	if err := os.WriteFile(filepath.Join(dir, "deep", "hparams.yaml"), []byte("depth: 23\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wide", "hparams.yaml"), []byte("width: 29\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(t.TempDir(), "r.html")
	if code := report(context.Background(), reportFlags{logdirs: []string{dir}, out: beside, points: 10, values: 10}, site, io.Discard, io.Discard); code != 0 {
		t.Fatal(code)
	}
	if page, err := os.ReadFile(beside); err != nil {
		t.Error(err)
	} else if all := reporttest.Unpacked(t, page); !strings.Contains(all, "depth: 23") || strings.Contains(all, "width: 29") || !strings.Contains(all, "deep/hparams.yaml") {
		t.Error("the hyperparameters beside event files are not those of the runs in it")
	}
	if got := write(0, reportFlags{}); !strings.Contains(got, "4 of 4 points in 2 runs, 2 of 2 images") { // the layouts too
		t.Error(got)
	}
	if got := write(0, reportFlags{runs: []string{"d*"}, tags: []string{"*loss"}}); !strings.Contains(got, "1 of 1 point in 1 run") {
		t.Error(got)
	}
	if got := write(1, reportFlags{runs: []string{"wide"}}); !strings.Contains(got, "nothing matches") {
		t.Error(got)
	}
	if got := write(2, reportFlags{runs: []string{"/(/"}}); !strings.Contains(got, "regular expression") {
		t.Error(got)
	}
	if got := write(2, reportFlags{logdirs: []string{filepath.Join(dir, "none")}}); !strings.Contains(got, "none") {
		t.Error(got)
	}
}
