//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// All points of the shown runs and of the tags that the filter lets through, as one file,
// in each form; by the palette and by the button.
func TestPageAllPoints(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&tagFilter=up&runs=alpha,beta")
	s.list("+alpha", "+beta", "-solo/x", "-[sweep 3]", "-s1", "-s2", "-s3")
	dialog, dir := s.Control("dialog", "Download all points"), s.Downloads()
	save := func(form, name string) string {
		t.Helper()
		s.choose("download all points", "Download all points…")
		dialog.Is(`e.innerText.includes("303 points: the shown runs (2), the tags that the filter lets through (2).")`)
		dialog.Control("combobox", "Form of the file").Choose(form)
		dialog.Control("button", "Download").Click()
		dialog.Gone()
		return s.saved(dir, name)
	}
	table := func(text string) [][]string {
		t.Helper()
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}

	rows := table(save("CSV, a line for each point", "scalars.csv"))
	if len(rows) != 1+303 || !slices.Equal(rows[0], []string{"run", "tag", "wall_time", "step", "value"}) || !slices.Equal(rows[31], []string{"alpha", "line/up", "1700000300", "30", "30"}) {
		t.Errorf("%d lines: %q, …, %q", len(rows), rows[0], rows[31])
	}
	rows = table(save("CSV, a column for each tag", "scalars.csv"))
	if len(rows) != 1+202 || !slices.Equal(rows[0], []string{"run", "step", "wall_time", "line/up", "stairs/up"}) ||
		!slices.Equal(rows[61], []string{"alpha", "60", "1700000600", "60", "10"}) || !slices.Equal(rows[102], []string{"beta", "0", "1700000100", "100", ""}) {
		t.Errorf("%d lines: %q, %q, %q", len(rows), rows[0], rows[61], rows[102])
	}
	lines := strings.Split(strings.TrimSpace(save("JSON lines", "scalars.jsonl")), "\n")
	var point struct {
		Run, Tag    string
		Step, Value float64
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &point); err != nil || len(lines) != 303 || point.Run != "beta" || point.Tag != "line/up" || point.Step != 100 || point.Value != 0 {
		t.Errorf("%d lines, the last %+v (%v)", len(lines), point, err)
	}
	packed := save("Zip with a CSV for each tag", "scalars.zip")
	z, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "line_up.csv" || z.File[1].Name != "stairs_up.csv" {
		t.Fatalf("the archive: %v, %v", z, err)
	}
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil || bytes.Count(text, []byte("\n")) != 1+202 || !bytes.Contains(text, []byte("\nbeta,1700002100,100,0\n")) {
		t.Errorf("its first file: %.200s (%v)", text, err)
	}
}
