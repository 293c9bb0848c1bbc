package dump

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// document is what Write writes.
type document struct {
	Runs    []string
	Scalars map[string]map[string][][3]any
}

// written loads a logdir and returns what is written of it.
func written(t *testing.T, m source.Mem) document {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	for _, r := range c.Runs {
		for _, f := range r.Files {
			for _, l := range f.Losses() {
				// TensorFlow's example logs two tags without a plug-in on purpose.
				if r.Name != "custom" || l.Kind != "tensor values without a plug-in" || l.Count != 4 {
					t.Errorf("lost %v", l)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := Write(t.Context(), &b, c, m.Logdir(), kinds.All()); err != nil {
		t.Fatal(err)
	}
	return parse(t, b.Bytes())
}

func parse(t *testing.T, b []byte) (d document) {
	t.Helper()
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatalf("%v in %.2000s", err, b)
	}
	return d
}

// logdir is a directory of the disk, in memory.
func logdir(t *testing.T, dir string) source.Mem {
	t.Helper()
	m := source.Mem{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			m[p], err = fs.ReadFile(root, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGolden: of the files of every writer we read what TensorBoard reads. See
// testdata/README.md.
func TestGolden(t *testing.T) {
	for name, least := range map[string]int{ // and how many points there are
		"tensorflow": 700, "pytorch": 150, "tensorboardX": 150, "tensorbored": 50, "demo": 300,
	} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(path.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			want, got := parse(t, b), written(t, logdir(t, path.Join("testdata", name)))
			if !slices.Equal(got.Runs, want.Runs) {
				t.Errorf("runs %q, TensorBoard has %q", got.Runs, want.Runs)
			}
			if n := compare(t, got, want); n < least {
				t.Errorf("only %d points compared", n)
			}
		})
	}
}

// compare reports where got differs from want, and returns how many points agree.
func compare(t *testing.T, got, want document) (n int) {
	t.Helper()
	for run, tags := range got.Scalars {
		for tag := range tags {
			if want.Scalars[run][tag] == nil {
				t.Errorf("%s: TensorBoard has no tag %s", run, tag)
			}
		}
	}
	for run, tags := range want.Scalars {
		for tag, points := range tags {
			mine := got.Scalars[run][tag]
			if len(mine) != len(points) {
				t.Errorf("%s, %s: %d points, TensorBoard has %d", run, tag, len(mine), len(points))
				continue
			}
			for i, p := range points {
				if !equal(mine[i][0], p[0]) || mine[i][1] != p[1] || !equal(mine[i][2], p[2]) {
					t.Errorf("%s, %s: point %d is %v, TensorBoard has %v", run, tag, i, mine[i], p)
					break
				}
				n++
			}
		}
	}
	return n
}

// equal compares numbers as float32s, since TensorBoard keeps values as such, and
// wall times, which are larger than a float32 can tell apart, exactly. NaN and
// infinities are strings.
func equal(a, b any) bool {
	x, ok := a.(float64)
	y, ok2 := b.(float64)
	if !ok || !ok2 || y > 1e9 {
		return a == b
	}
	return float32(x) == float32(y)
}
