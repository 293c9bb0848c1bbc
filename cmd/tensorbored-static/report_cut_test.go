package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static/reporttest"
)

// A report of chosen runs and tags tells of no other: neither by the profile, given or
// the logdir's own, nor by layouts of charts.
func TestReportTellsOfNoOther(t *testing.T) {
	dir := t.TempDir()
	for run, tags := range map[string][]string{"base": {"train/loss", "eval/secret1"}, "secret2": {"train/loss", "secret3/only"}, "group4/secret4": {"train/loss"}} {
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range tags {
			w.Scalar(tag, 1, 1)
		}
		w.CustomScalars(summary.Layout{Categories: []summary.Category{
			{Title: "kept category", Charts: []summary.Chart{{Title: "kept chart", Lines: []string{"train/(loss|secret3/only)", "eval/secret1", "train.*"}}, {Title: "of eval/secret1", Lines: []string{"train/loss"}}}},
			{Title: "c", Charts: []summary.Chart{{Title: "m", Margins: []summary.Margin{{Value: "eval/secret1", Lower: "secret3/only", Upper: "train/loss"}}}}},
		}})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	p := profile.New("base against secret2")
	p.PinScalar("train/loss")
	p.PinScalar("eval/secret1")
	p.PinHistogram("train/loss", "secret2")
	p.PinScalar("={train/loss}-{secret3/only}")
	p.PinScalar("={train/loss}*2")
	for _, part := range []string{"run:base", "run:secret2", "folder:group4", "folder:", "group:0.5", "group:secret4"} {
		p.AddPin(profile.Pin{Plugin: "scalars", Tag: "train/loss", Part: part})
	}
	p.AddSuperimposed("loss and secret3/only", "", "train/loss", "secret3/only")
	p.SetRunColor("base", "#112233")
	p.SetRunColor("secret2", "#445566")
	p.SetRunColor("nowhere5", "#445566")
	p.Describe("train/loss", "The kept description.")
	p.Describe("eval/secret1", "Words6 of another tag.")
	p.SetTagScale("secret3/only", profile.Log10, "")
	p.SetTagScale("train/loss", profile.Log10, "")
	p.RunSelection = []profile.SelectedRun{{Run: "base", Selected: true}, {Run: "secret2"}, {Run: "group4/secret4"}}
	p.TagFilter, p.RunFilter = "train/loss|secret3/only", "base"
	p.GroupBy = &profile.GroupBy{Key: profile.GroupRegex, Regex: "(base|secret2)"}
	p.GroupColors = []profile.GroupColor{{Group: `["secret2"]`, Color: 1}, {Group: `["base"]`, Color: 2}}
	p.Groups = map[string]bool{"train": true, "secret3": true}
	p.Data = &profile.Data{Folder: "folder7", Runs: []string{"base", "secret2"}}
	raw := func(v any) json.RawMessage {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	card := func(tags ...string) string { return session.CardOf("scalars", tags...).String() }
	p.View = profile.Fields{
		"others":        raw("off"),
		"runNotes":      raw(map[string]string{"base": "the kept note", "secret2": "words8 of another run", "group4/secret4": "x"}),
		"runNames":      raw(map[string]string{"base": "as secret2"}),
		"runsHidden":    raw(map[string]bool{"secret2": true}),
		"baseline":      raw("secret2"),
		"xTag":          raw("secret3/only"),
		"rightTags":     raw(map[string][]string{card("train/loss"): {"secret3/only", "train/loss"}, card("eval/secret1"): {"train/loss"}}),
		"ownSmoothing":  raw(map[string]float64{card("train/loss"): 0.5, card("secret3/only"): 0.25}),
		"expandedRuns":  raw(map[string]bool{"secret2": true, "base": true}),
		"stepNotes":     raw(map[string]string{"1": "kept words", "2": "better than secret2!"}),
		"runColumns":    raw([]string{"last?name=train%2Floss", "last?name=secret3%2Fonly", "param?name=lr"}),
		"introductions": raw(map[string]string{"timeseries": "# The kept introduction\n\n* base, and of train/loss", "images": "words9: worse than group4/secret4"}),
		"ofTomorrow":    raw(map[string]any{"list": []any{"secret2", "fine", 7}, "secret2": 1}),
		"customLayout":  raw(map[string]any{"categories": []any{map[string]any{"title": "mine", "charts": []any{map[string]any{"title": "x", "lines": []string{"secret3/only", "train/loss"}}}}}}),
	}
	p.Extra = profile.Fields{"unknown": raw([]string{"eval/secret1", "stays"})}
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := profiles.Write(dir, p); err != nil {
		t.Fatal(err)
	}
	given := filepath.Join(t.TempDir(), "given.json")
	if err := os.WriteFile(given, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", given} {
		out := filepath.Join(t.TempDir(), "r.html")
		var said bytes.Buffer
		if code := report(context.Background(), reportFlags{logdirs: []string{dir}, out: out, profile: file, tags: []string{"train/*", "custom*"}, points: 10, values: 10}, smallSite(), &said, &said); code != 0 {
			t.Fatalf("%d %s", code, &said)
		}
		if !strings.Contains(said.String(), "an introduction of the profile names a run or tag that the report does not hold") {
			t.Errorf("what was left out is not said: %s", &said)
		}
		page, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		all := reporttest.Unpacked(t, page)
		for _, name := range []string{"eval/secret1", "secret2", "secret3", "secret4", "group4", "nowhere5", "ords6", "folder7", "words8", "words9", "eval%2Fsecret1", "secret3%2Fonly"} {
			if i := strings.Index(all, name); i >= 0 {
				t.Errorf("with %q it tells of %s: …%s…", file, name, all[max(0, i-60):min(len(all), i+60)])
			}
		}
		for _, name := range []string{"train/loss", "The kept description.", "the kept note", "The kept introduction", "kept words", "kept chart", "kept category", "112233", "train/loss$", "stays", "fine", "{train/loss}*2", "0.5", "run:base", "folder:\"", "group:0.5"} {
			if !strings.Contains(all, name) {
				t.Errorf("with %q it does not tell of %s", file, name)
			}
		}
	}
}

// The words that a report is given stand above the cards, whatever they name, with a profile and
// without one; what is no text is refused before anything is written.
func TestReportIntroduction(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []string{"base", "other"} {
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Scalar("loss", 1, 1)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "words.md")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	p := profile.New("View")
	p.View = profile.Fields{"board": json.RawMessage(`"images"`)}
	if err := p.Introduce("images", "of the profile"); err != nil {
		t.Fatal(err)
	}
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	write := func(code int, f reportFlags) (said string, got *profile.Profile) {
		t.Helper()
		f.logdirs, f.out, f.runs = []string{dir}, filepath.Join(t.TempDir(), "r.html"), []string{"base"}
		var out bytes.Buffer
		if got := report(context.Background(), f, smallSite(), &out, &out); got != code {
			t.Fatalf("code %d: %s", got, &out)
		}
		page, err := os.ReadFile(f.out)
		if (err == nil) != (code == 0) {
			t.Errorf("code %d, and the file: %v", code, err)
		}
		all := reporttest.Unpacked(t, page)
		if at := strings.Index(all, "{\n  \"version\""); at >= 0 {
			if got, _, err = profile.Decode([]byte(all[at : strings.LastIndexByte(all, '}')+1])); err != nil {
				t.Error(err)
			}
		}
		return out.String(), got
	}
	if _, got := write(0, reportFlags{intro: file("Better than other")}); got == nil || got.Introductions()["timeseries"] != "Better than other" {
		t.Errorf("%+v", got)
	}
	if _, got := write(0, reportFlags{intro: file("Of what is in it"), profile: file(string(text))}); got == nil || got.Introductions()["images"] != "Of what is in it" {
		t.Errorf("%+v", got)
	}
	if _, got := write(0, reportFlags{profile: file(string(text))}); got == nil || got.Introductions()["images"] != "of the profile" {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "none.md"): "no such file", dir: "--introduction takes a file", file(" \n"): "no words", file("\xff\xfe"): "UTF-8", file(strings.Repeat("é", 50000)): "20000 characters"} {
		if said, _ := write(2, reportFlags{intro: name}); !strings.Contains(said, want) {
			t.Errorf("%s: %s", name, said)
		}
	}
}
