//go:build peers

package peers

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// TestSpeed measures scalar events per second to a file, ours and theirs, one
// after the other on the same machine. PyTorch is measured where it is installed
// already (PEERS_PYTHON): it is too large to install for this.
func TestSpeed(t *testing.T) {
	bin := python(t)
	if os.Getenv("PEERS_PYTHON") == "" {
		if out, err := exec.Command(bin, "-m", "pip", "install", "--quiet", "tensorboardX").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const n = 5_000_000
	w, err := summary.NewWriter(t.TempDir(), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for step := range int64(n) {
		w.Scalar("loss/train", float64(step), step)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	seconds := time.Since(begin).Seconds()
	runtime.ReadMemStats(&after)
	info, err := os.Stat(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%-14s %10.0f events/s %8.2f MB/s %d bytes allocated for %d events", "shared/summary", n/seconds, float64(info.Size())/seconds/1e6, after.TotalAlloc-before.TotalAlloc, n)
	out, err := exec.Command(bin, "speed.py", "200000").CombinedOutput()
	t.Logf("\n%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
