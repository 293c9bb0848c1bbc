//go:build !js

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
)

// logdir is what is read, and what of it is measured.
type logdir struct {
	name  string
	size  generate.Size
	dir   string
	bytes int64
	// cards: also smoothing and zoom, which need a screen full of curves.
	cards bool
	far   bool                   // also read on the server, over a slow line
	fill  func(dir string) error // makes what is no scalars
	// measure takes the place of what is measured of most: how they are read.
	measure func(t *table, l *logdir) error
}

// small is the logdir of a first look.
const small = "4 runs × 10 tags × 1000"

// logdirs are those that the options ask for.
func (o options) logdirs() []logdir {
	all := []logdir{
		{name: "100 runs × 20 tags × 1000", size: generate.Size{Runs: 100, Tags: 20, Steps: 1000}, cards: true},
		{name: "100 runs × 20 tags × 10000", size: generate.Size{Runs: 100, Tags: 20, Steps: 10_000}, far: true},
		{name: "1000 runs × 10 tags × 200", size: generate.Size{Runs: 1000, Tags: 10, Steps: 200}},
		{name: small, size: generate.Size{Runs: 4, Tags: 10, Steps: 1000}},
		{name: "1000 runs × 1 tag × 1000", size: generate.Size{Runs: 1000, Tags: 1, Steps: 1000}, measure: felt(many)},
		{name: "100 runs × 1 tag × 10000", size: generate.Size{Runs: 100, Tags: 1, Steps: 10_000}, measure: felt(cursor)},
		{name: "1 run × 10000 tags × 2", size: generate.Size{Runs: 1, Tags: 10_000, Steps: 2}, measure: felt(tags)},
		{name: "100 runs × 40 tags × 100", size: generate.Size{Runs: 100, Tags: 40, Steps: 100}, measure: felt(scroll)},
		{name: "10000 files × 2 tags × 10", size: generate.Size{Runs: 10_000, Tags: 2, Steps: 10}},
		pictures("10000 pictures of 50 KB", 128),
		histogramSlices(),
		texts(),
		graphOf("graph of 10,000 ops", 10_000, showGraph),
		graphOf("graph of 100,000 ops", 100_000, showLargeGraph),
		embeddings(),
		pluginLogs(),
		sweep("1000 runs × 50 hyperparameters × 20 metrics", 1000, showTable(lineTable)),
		sweep("10000 runs × 50 hyperparameters × 20 metrics", 10_000, showTable(lineTableMany)),
	}
	if o.huge {
		all = append(all, logdir{name: lineMadeUp, fill: func(string) error { return nil }, measure: besideMadeUp(10_000, 10)})
		all = append(all, pictures("10000 pictures of 0.5 MB", 408), logdir{name: "1 file of 5 GB", size: generate.Size{Runs: 1, Tags: 20, Steps: 4_700_000}})
	}
	switch {
	case o.size.Runs > 0:
		all = []logdir{{name: fmt.Sprintf("%d runs × %d tags × %d", o.size.Runs, o.size.Tags, o.size.Steps), size: o.size, cards: true}}
	case o.quick:
		all = all[:1]
	}
	some := all[:0]
	for _, l := range all {
		if strings.Contains(l.name, o.only) {
			some = append(some, l)
		}
	}
	return some
}

// make writes the logdir, unless it is there, and reads it once, so that every
// line finds the files in the system's cache.
func (l *logdir) make(root string) error {
	l.dir = filepath.Join(root, fmt.Sprintf("logs-%d-%d-%d", l.size.Runs, l.size.Tags, l.size.Steps))
	if l.fill != nil {
		l.dir = filepath.Join(root, strings.ReplaceAll(l.name, " ", "-"))
	}
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return err
	}
	if err := l.write(); err != nil {
		return err
	}
	l.bytes = 0
	return filepath.WalkDir(l.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), "tfevents") {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := f.WriteTo(discard{})
		l.bytes += n
		return err
	})
}

func (l *logdir) write() error {
	if l.fill == nil {
		return generate.Logdir(l.dir, l.size)
	}
	done := filepath.Join(l.dir, ".done")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if err := l.fill(l.dir); err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
