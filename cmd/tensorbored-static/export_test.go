package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// row is a row of a Parquet file.
type row struct {
	Run      string  `parquet:"run"`
	Tag      string  `parquet:"tag"`
	Step     int64   `parquet:"step"`
	WallTime float64 `parquet:"wall_time"`
	Value    float64 `parquet:"value"`
}

// exported runs export in a form, and gives its points as the lines of the CSV would
// be, so that the forms can be compared.
func exported(t *testing.T, form, dir string, limit int64, f exportFlags) []string {
	t.Helper()
	f.logdirs = []string{dir}
	f.csv, f.jsonl, f.parquet = form == "csv", form == "jsonl", form == "parquet"
	var out, stderr bytes.Buffer
	if code := export(context.Background(), f, limit, &out, &stderr); code != 0 {
		t.Fatalf("%s: %d, %s", form, code, stderr.String())
	}
	var lines []string
	add := func(run, tag string, step int64, wall, value string) {
		lines = append(lines, fmt.Sprintf("%q %q %d %s %s", run, tag, step, wall, value))
	}
	switch form {
	case "csv":
		records, err := csv.NewReader(&out).ReadAll()
		if err != nil || strings.Join(records[0], ",") != "run,tag,step,wall_time,value" {
			t.Fatal(err, records[0])
		}
		for _, r := range records[1:] {
			step, err := strconv.ParseInt(r[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			add(r[0], r[1], step, r[3], r[4])
		}
	case "jsonl":
		for line := range strings.Lines(out.String()) {
			var p struct {
				Run, Tag  string
				Step      int64
				Wall_time any
				Value     any
			}
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatal(err, line)
			}
			text := func(v any) string {
				if f, ok := v.(float64); ok {
					return decimal(f)
				}
				return v.(string)
			}
			add(p.Run, p.Tag, p.Step, text(p.Wall_time), text(p.Value))
		}
	case "parquet":
		rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			add(r.Run, r.Tag, r.Step, decimal(r.WallTime), decimal(r.Value))
		}
	}
	return lines
}

// The three forms hold the same points, and they are those that dump gives, of files
// from several writers with restarts and numbers that are none.
func TestExportForms(t *testing.T) {
	for _, name := range []string{"tensorflow", "pytorch", "demo"} {
		dir := filepath.Join("../../shared/dump/testdata", name)
		var want []string
		code, stdout, _ := call("dump", dir)
		var doc document
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 0 {
			t.Fatal(code, err)
		}
		text := func(v any) string {
			if f, ok := v.(float64); ok {
				return decimal(f)
			}
			return v.(string)
		}
		for run, tags := range doc.Scalars {
			for tag, points := range tags {
				for _, p := range points {
					want = append(want, fmt.Sprintf("%q %q %d %s %s", run, tag, int64(p[1].(float64)), text(p[0]), text(p[2])))
				}
			}
		}
		slices.Sort(want)
		for _, form := range []string{"csv", "jsonl", "parquet"} {
			got := exported(t, form, dir, exportPoints, exportFlags{})
			slices.Sort(got)
			if !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%s as %s: %d points, want %d", name, form, len(got), len(want))
			}
		}
	}
}

// long is a logdir whose run has more points than are kept.
func long(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	b := events(t, func(w *summary.Buffer) {
		for step := range int64(30_000) {
			for _, tag := range []string{"a", "b/c"} {
				if err := w.Scalar(tag, float64(step*step%1009), step); err != nil {
					t.Fatal(err)
				}
			}
			if step == 20_000 {
				if err := w.SessionStart(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.SessionStart(25_000); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "tfevents"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every point is written, in the same order, however few are kept in memory.
func TestExportBounded(t *testing.T) {
	dir := long(t)
	want := exported(t, "csv", dir, exportPoints, exportFlags{})
	if len(want) != 2*25_000 {
		t.Fatalf("%d points", len(want))
	}
	for _, form := range []string{"csv", "parquet"} {
		if got := exported(t, form, dir, 3000, exportFlags{}); !slices.Equal(got, want) {
			t.Errorf("%s, with few in memory: %d points, want %d", form, len(got), len(want))
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"loss", "loss", true}, {"loss", "train/loss", false}, {"*loss", "train/loss", true}, {"train/*", "train/a/b", true}, {"t?ain/*", "train/", true},
		{"a.b", "axb", false}, {"[x]", "[x]", true}, {"*", "", true}, {"/lo+ss/", "train/looss2", true}, {"/^loss/", "train/loss", false}, {"a*", "a\nb", true},
		{"/a/b", "/a/b", true}, {"/", "/", true},
	} {
		re, err := pattern(c.text)
		if err != nil || re.MatchString(c.name) != c.want {
			t.Errorf("%q on %q: %v, %v", c.text, c.name, !c.want, err)
		}
	}
	if _, err := pattern("/(/"); err == nil {
		t.Error("a bad expression is accepted")
	}
}

func TestExportChooses(t *testing.T) {
	dir := "../../shared/dump/testdata/pytorch"
	for want, f := range map[string]exportFlags{
		`"lr=0.1" "train/loss"`: {runs: []string{"lr=0.1"}, tags: []string{"train/*"}},
		`"lr=0.1" "bad/nan"`:    {runs: []string{"lr=0.1"}, tags: []string{"/nan$/", "no such tag"}},
	} {
		for _, line := range exported(t, "csv", dir, exportPoints, f) {
			if !strings.HasPrefix(line, want) {
				t.Errorf("%+v: %s", f, line)
			}
		}
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "give one of --csv", []string{dir}},
		{exitUsage, "give one of --csv", []string{dir, "--csv", "--parquet"}},
		{exitUsage, "give a logdir", []string{"--csv"}},
		{exitUsage, "regular expression", []string{dir, "--csv", "--tag", "/(/"}},
		{exitUsage, "does not exist", []string{dir + "/none", "--csv"}},
		{exitFailed, "no scalars match", []string{dir, "--csv", "--tag", "none"}},
		{exitFailed, "could not be written", []string{dir, "--csv", "--out", filepath.Join(t.TempDir(), "none", "x.csv")}},
	} {
		if code, _, stderr := call(append([]string{"export"}, c.args...)...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q", c.args, code, stderr)
		}
	}
}

// broken fails as a full disk does.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space") }

// A file appears when it is complete, and never otherwise; a failure is said.
func TestExportOut(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(out, []byte(csvHead+"\nold"), 0o600); err != nil {
		t.Fatal(err)
	}
	see := func(want string) {
		t.Helper()
		all, err := os.ReadDir(dir)
		b, e := os.ReadFile(out)
		if err != nil || e != nil || len(all) != 1 || !strings.HasPrefix(string(b), want) {
			t.Errorf("%v, %.20q, %v, %v", all, b, err, e)
		}
	}
	if code, _, _ := call("export", "../../shared/dump/testdata/demo", "--csv", "--tag", "none", "--out", out); code != exitFailed {
		t.Errorf("nothing to export: %d", code)
	}
	see(csvHead + "\nold")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stderr bytes.Buffer
	if code := export(ctx, exportFlags{logdirs: []string{"../../shared/dump/testdata/demo"}, csv: true, out: out}, exportPoints, &stderr, &stderr); code != exitFailed {
		t.Errorf("interrupted: %d %s", code, stderr.String())
	}
	see(csvHead + "\nold")
	if code, _, stderr := call("export", "../../shared/dump/testdata/demo", "--csv", "--out", out); code != 0 {
		t.Errorf("%d %s", code, stderr)
	}
	see(csvHead + "\n")
	if b, _ := os.ReadFile(out); strings.Contains(string(b), "old") {
		t.Error("the old file is there")
	}
	for _, f := range []exportFlags{{csv: true}, {jsonl: true}, {parquet: true}} {
		f.logdirs = []string{"../../shared/dump/testdata/demo"}
		stderr.Reset()
		if code := export(context.Background(), f, exportPoints, broken{}, &stderr); code != exitFailed || !strings.Contains(stderr.String(), "no space") {
			t.Errorf("%+v: %d %s", f, code, stderr.String())
		}
	}
}

// The greatest step stays the greatest.
func TestExportGreatestStep(t *testing.T) {
	dir := t.TempDir()
	w, err := summary.NewWriter(filepath.Join(dir, "run"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Scalar("loss", 1, math.MaxInt64)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"--csv", "--jsonl"} {
		if code, stdout, stderr := call("export", dir, form); code != 0 || !strings.Contains(stdout, "9223372036854775807") {
			t.Errorf("%s: %d %s %s", form, code, stdout, stderr)
		}
	}
}

// Names that spreadsheets would compute have an apostrophe, if that is asked for.
func TestExportSafe(t *testing.T) {
	dir := t.TempDir()
	w, err := summary.NewWriter(filepath.Join(dir, "@run"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"=1+1", "+x", "-x", "@x", "x=1"} {
		w.Scalar(tag, -1, -1)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, plain, _ := call("export", dir, "--csv")
	code, safe, stderr := call("export", dir, "--csv", "--csv-safe")
	for _, tag := range []string{"=1+1", "+x", "-x", "@x"} {
		if !strings.Contains(plain, "@run,"+tag+",-1,") || !strings.Contains(safe, "'@run,'"+tag+",-1,") {
			t.Errorf("%s: %d %s\n%s%s", tag, code, plain, safe, stderr)
		}
	}
	if !strings.Contains(safe, ",x=1,-1,") || !strings.Contains(safe, ",-1\n") {
		t.Errorf("%s", safe)
	}
	if code, _, _ := call("export", dir, "--jsonl", "--csv-safe"); code != exitUsage {
		t.Errorf("with JSON: %d", code)
	}
}
