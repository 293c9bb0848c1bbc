// Package generate makes big logdirs for measurements: scalars as a training loop
// logs them with PyTorch, one event a point.
package generate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// Size is how much is made: Runs × Tags × Steps points, some 53 bytes each.
type Size struct{ Runs, Tags, Steps int }

// Points returns the number of points.
func (s Size) Points() int64 { return int64(s.Runs) * int64(s.Tags) * int64(s.Steps) }

// Logdir writes runs run_000, run_001, … below dir, a file each. The same size
// gives the same bytes. A directory that a Logdir call of the same size has filled
// is left as it is.
func Logdir(dir string, size Size) error {
	stamp := filepath.Join(dir, ".size")
	want := fmt.Sprintf("%d runs, %d tags, %d steps\n", size.Runs, size.Tags, size.Steps)
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return nil
	}
	for r := range size.Runs {
		if err := run(filepath.Join(dir, fmt.Sprintf("run_%03d", r)), r, size); err != nil {
			return err
		}
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
}

// begin is the wall time of the first event.
var begin = time.Unix(1700000000, 0)

func run(dir string, number int, size Size) error {
	w, err := summary.NewWriter(dir, summary.Options{
		FileName: fmt.Sprintf("events.out.tfevents.%d.host.%d.0", begin.Unix()+int64(number), number),
		Clock:    summary.Ticks(begin.Add(time.Duration(number)*time.Second), 50*time.Millisecond),
	})
	if err != nil {
		return err
	}
	tags := make([]string, size.Tags)
	for t := range tags {
		tags[t] = fmt.Sprintf("%s/metric_%02d", [...]string{"train", "eval", "optimizer", "system"}[t%4], t)
	}
	seed := uint64(number)*0x9e3779b97f4a7c15 + 1
	for step := range size.Steps {
		for t, tag := range tags {
			seed = seed*6364136223846793005 + 1442695040888963407
			noise := float64(seed>>40)/(1<<24) - 0.5
			value := math.Exp(-float64(step)/(0.3*float64(size.Steps)+float64(10*t)))*(1+0.1*float64(number%10)) + 0.1*noise
			if err := w.Scalar(tag, value, int64(step)); err != nil {
				return err
			}
		}
	}
	return w.Close()
}
