package ui

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A bug report tells files apart without naming them, and holds what a worker said.
func TestBugReport(t *testing.T) {
	s := wire.Status{Phase: wire.Incomplete, Logdir: "secret project", Error: "secret/logs is gone", Runs: 3, Files: 4, Unread: 1, Points: 10, Kept: 9, Lost: []wire.Loss{
		{Run: "secret run", File: "secret/b", Kind: "bad payload checksum", Offset: 5, Bytes: 6, Count: 2, Remedy: "the record was left out"},
		{Run: "secret run", File: "secret/a", Kind: "reader stopped", Details: "panic: index out of range"},
		{Run: "secret run", File: "secret/b", Kind: "zeros"},
	}}
	a := about{Version: "v1.2-3-gabc", Browser: "Browser/7", Width: 800, Height: 600, Ratio: 1.5, Workers: 8}
	got := bugReport(a, "timeseries", s)
	for _, want := range []string{"v1.2-3-gabc", "Browser/7", "800 × 600 at 1.5", "board timeseries, phase incomplete: 3 runs, 4 files (1 not",
		"file 1: bad payload checksum at byte 5, 6 bytes, 2 times", "file 2: reader stopped", "panic: index", "file 1: zeros", "as a whole"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "GiB") {
		t.Errorf("says too much:\n%s", got)
	}
	if got := lossReport(a, s.Lost); !strings.Contains(got, "secret/b: bad payload") {
		t.Errorf("the report for who keeps the files names none:\n%s", got)
	}
}
