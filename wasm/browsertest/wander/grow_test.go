//go:build wander

package wander

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// grower changes a logdir while it is looked at, as trainings and their owners do.
type grower struct {
	dir  string
	rand *rand.Rand
	n    int // how many changes it has made
}

// runs are the directories that hold event files.
func (g *grower) runs() (out []string) {
	files, _ := filepath.Glob(filepath.Join(g.dir, "*", "*", "events.out.tfevents.*"))
	for _, f := range files {
		if dir := filepath.Dir(f); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// file is one of a run's event files, by chance.
func (g *grower) file(run string) string {
	files, _ := filepath.Glob(filepath.Join(run, "events.out.tfevents.*"))
	return files[g.rand.IntN(len(files))]
}

// records are events of a training from a step on.
func (g *grower) records(from int64, whole bool) []byte {
	begin := time.Unix(1_700_100_000+int64(g.n)*600, 0)
	b := summary.NewBuffer(summary.Options{NoVersion: !whole, Clock: summary.Ticks(begin, 2*time.Second)})
	for i := range int64(5 + g.rand.IntN(60)) {
		step := from + 10*i
		b.Scalar("loss/train", 2+g.rand.NormFloat64(), step)
		b.Scalar("learning_rate", 0.001*float64(i), step)
		if g.n%3 == 0 {
			b.Scalar(fmt.Sprintf("extra/part%d", g.n), g.rand.Float64(), step)
		}
	}
	if g.rand.IntN(2) == 0 {
		last := from + 1000
		b.Text("notes", fmt.Sprintf("Change **%d**", g.n), last)
		b.Histogram("weights/hidden1", []float64{1, 2, 3, float64(g.n)}, last)
		img := image.NewNRGBA(image.Rect(0, 0, 8+g.n%50, 8))
		b.Image("samples/generated", img, last)
		b.PRCurve("validation/positive", []bool{true, false, true}, []float64{0.9, 0.2, 0.4}, last, summary.Thresholds(11))
		b.Audio("speech/sample", summary.Clip{SampleRate: 8000, Samples: make([]float64, 800+g.n)}, last)
	}
	if g.rand.IntN(4) == 0 {
		b.HParams(map[string]any{"lr": 0.1 * float64(g.n), "optimizer": fmt.Sprintf("new%d", g.n)}, []string{"loss/val"})
	}
	return b.Bytes()
}

// change makes one change, and says which.
func (g *grower) change() (string, error) {
	g.n++
	runs := g.runs()
	run := runs[g.rand.IntN(len(runs))]
	file := g.file(run)
	name := strings.TrimPrefix(file, g.dir)
	add := func(file string, b []byte) error {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(b)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	}
	other := filepath.Join(run, fmt.Sprintf("events.out.tfevents.%d.host.1.0", 1_700_100_000+g.n))
	switch n := g.rand.IntN(20); {
	case n < 8:
		return "append to " + name, add(file, g.records(int64(g.rand.IntN(8000)), false))
	case n < 10:
		b := g.records(5000, false)
		return "append a part of a record to " + name, add(file, b[:len(b)-7])
	case n < 12:
		return "another file in " + run, add(other, g.records(int64(g.rand.IntN(4000)), true))
	case n < 15:
		dir := filepath.Join(g.dir, "sweep", fmt.Sprintf("new,lr=%d,seed=%d", g.n, g.n%3))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		return "new run " + dir, add(filepath.Join(dir, filepath.Base(other)), g.records(0, true))
	case n < 16:
		return "damage at the end of " + name, add(file, []byte(strings.Repeat("\xff\x03garbage", 5)))
	case n < 17:
		return "replaced " + name, os.WriteFile(file, g.records(0, true), 0o644)
	case n < 18:
		info, err := os.Stat(file)
		if err != nil {
			return "", err
		}
		return "cut " + name, os.Truncate(file, info.Size()*int64(50+g.rand.IntN(50))/100)
	case n < 19:
		return "empty " + other, add(other, nil)
	default:
		return "nothing", nil
	}
}
