package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// exportFlags are what to export, of what, and how.
type exportFlags struct {
	logdirs             []string
	runs, tags          []string // patterns
	csv, jsonl, parquet bool
	out                 string
	force, noFollow     bool
	safe                bool // names that spreadsheets would compute
}

func newExport() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export LOGDIR… --csv|--jsonl|--parquet [flags]",
		Short: "write every point of scalars as CSV, JSON lines or Parquet",
		Long:  "PATTERN: * is any text, ? one character; or /a regular expression/.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give a logdir: tensorbored-static export LOGDIR --csv")
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.csv, "csv", false, "write CSV: run,tag,step,wall_time,value")
	flags.BoolVar(&f.jsonl, "jsonl", false, "write JSON, one line for each point")
	flags.BoolVar(&f.parquet, "parquet", false, "write Parquet")
	flags.StringVar(&f.out, "out", "", "`FILE`: to write to, stdout unless given")
	flags.BoolVar(&f.safe, "csv-safe", false, "with --csv: ' before names that begin with = + - @")
	flags.BoolVar(&f.force, "force", false, forceFlag)
	flags.StringArrayVar(&f.runs, "run", nil, "`PATTERN`: of runs, all unless given; repeatable")
	flags.StringArrayVar(&f.tags, "tag", nil, "`PATTERN`: of tags, all unless given; repeatable")
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		f.logdirs = args
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return export(ctx, f, exportPoints, stdout, stderr)
	})
	return c
}

// pattern makes a regular expression of a pattern on the command line.
func pattern(text string) (*regexp.Regexp, error) {
	if inner, ok := strings.CutPrefix(text, "/"); ok && strings.HasSuffix(inner, "/") && len(text) > 1 {
		re, err := regexp.Compile(strings.TrimSuffix(inner, "/"))
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w: between slashes stands a regular expression", text, err)
		}
		return re, nil
	}
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(text))
	return regexp.Compile("(?s)^" + expr + "$")
}

// chosen is a list of patterns of which one must match; none matches everything.
type chosen []*regexp.Regexp

func choose(texts []string) (chosen, error) {
	var c chosen
	for _, text := range texts {
		re, err := pattern(text)
		if err != nil {
			return nil, err
		}
		c = append(c, re)
	}
	return c, nil
}

func (c chosen) match(name string) bool {
	return len(c) == 0 || slices.ContainsFunc(c, func(re *regexp.Regexp) bool { return re.MatchString(name) })
}

// pointWriter writes points, which come by run and tag, in file order.
type pointWriter interface {
	points(run, tag string, p *series.Columns) error
	end() error
}

// writer returns the writer of the form that was asked for.
func (f *exportFlags) writer(w io.Writer) (pointWriter, error) {
	switch [3]bool{f.csv, f.jsonl, f.parquet} {
	case [3]bool{true, false, false}:
		return newCSV(w, f.safe)
	case [3]bool{false, true, false}:
		return newJSONLines(w), nil
	case [3]bool{false, false, true}:
		return newParquet(w), nil
	}
	return nil, errors.New("give one of --csv, --jsonl and --parquet")
}

// exportPoints is how many points of a run are kept in memory, some 10 bytes each.
// Where there are more, those of each tag are read from the files once more.
const exportPoints = 32 << 20

// export writes the points of the chosen scalars. It returns 0 if there were any and
// all could be read, 1 otherwise, 2 for what was asked for wrongly. Damage is said and
// is no failure: what is written is what the page shows.
func export(ctx context.Context, f exportFlags, limit int64, stdout, stderr io.Writer) int {
	e := exporter{ctx: ctx, limit: limit, stderr: stderr}
	var err error
	if e.runs, err = choose(f.runs); err == nil {
		e.tags, err = choose(f.tags)
	}
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	if f.safe && !f.csv {
		return fail(stderr, exitUsage, errors.New("--csv-safe is about --csv"))
	}
	if _, err := f.writer(io.Discard); err != nil {
		return fail(stderr, exitUsage, err)
	}
	roots, err := logdirRoots(f.logdirs, "")
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	out, err := newOutput(f.out, stdout, roots, isExport, f.force)
	if err != nil {
		return fail(stderr, wrongOutput(err), err)
	}
	if e.store, err = openRoots(roots, files.Options{Name: shownRoots(roots), Follow: !f.noFollow}); err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer e.store.Close()
	if err := out.open(ctx); err != nil {
		return fail(stderr, wrongOutput(err), err)
	}
	if e.to, err = f.writer(out); err == nil {
		err = e.all()
	}
	if err == nil {
		err = out.why(e.to.end())
	}
	if err = out.done(err); err != nil {
		return fail(stderr, wrongOutput(err), err)
	}
	if e.missing {
		return exitFailed
	}
	return 0
}

// exporter goes through a logdir, one run at a time.
type exporter struct {
	ctx        context.Context
	store      *files.Store
	runs, tags chosen
	limit      int64 // points of a run that are kept
	to         pointWriter
	stderr     io.Writer

	buf     []byte
	columns series.Columns
	found   bool // some points were written
	missing bool // some could not be
}

func (e *exporter) all() error {
	listing, err := e.store.List(e.ctx, "")
	if err != nil {
		return err
	}
	for _, p := range listing.Problems {
		fmt.Fprintf(e.stderr, "tensorbored-static: not listed: %s: %q\n", p.Error, p.Path)
	}
	units, _ := inspectUnits(listing)
	units = slices.DeleteFunc(units, func(u unit) bool { return !e.runs.match(catalog.Text(u.run)) })
	total := int64(0)
	for _, u := range units {
		for _, f := range u.files {
			total += f.Size
		}
	}
	bar := newProgress(e.stderr, total)
	defer bar.end()
	for _, u := range units {
		if err := e.run(u, bar); err != nil {
			if e.ctx.Err() != nil {
				return errors.New("interrupted: the export is not complete")
			}
			return err
		}
	}
	if !e.found {
		return errors.New("no scalars match: see tensorbored-static inspect for runs and tags; patterns must match the whole name")
	}
	return nil
}

// run writes the points of one run.
func (e *exporter) run(u unit, bar *progress) error {
	c := catalog.New()
	run := c.Run(u.run)
	limit, read := int64(0), int64(0)
	for _, file := range u.files {
		f := run.AddFile(file.Path)
		_, err := scan(e.ctx, e.store, f, &e.buf, bar, func() {
			if read++; read%64 == 0 && c.Weight() > e.limit {
				limit = c.Fit(e.limit, limit)
			}
		})
		if e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		if err != nil {
			bar.clear()
			e.missing = true
			fail(e.stderr, exitFailed, err)
		}
		for _, l := range f.Losses() {
			bar.clear()
			fmt.Fprintln(e.stderr, "tensorbored-static:", lossLine(l))
		}
	}
	if c.Weight() > e.limit {
		c.Fit(e.limit, limit)
	}
	var tags []*catalog.Tag
	run.Tags(func(t *catalog.Tag, info wire.Tag) {
		if t.Kind == catalog.Scalar && info.Points > 0 && e.tags.match(t.Shown) {
			tags = append(tags, t)
		}
	})
	slices.SortFunc(tags, func(a, b *catalog.Tag) int { return strings.Compare(a.Shown, b.Shown) })
	for _, t := range tags {
		if err := e.tag(run, run.Lookup(t.Shown)); err != nil {
			return err
		}
	}
	return nil
}

// tag writes the points of one tag, piece by piece.
func (e *exporter) tag(run *catalog.Run, t *catalog.Tag) error {
	s := run.Stream(t, wire.ByStep, 0, 0)
	e.columns.Reset()
	for {
		need, done := s.Next(&e.columns, 64*series.ChunkPoints)
		if need.Length > 0 {
			if err := e.ctx.Err(); err != nil {
				return err
			}
			if data, err := e.read(need.Path, need.Offset, need.Length); err != nil {
				s.Fail()
			} else {
				s.Take(data)
			}
			continue
		}
		if n := e.columns.Len(); n > 0 {
			e.found = true
			if err := e.to.points(catalog.Text(run.Name), t.Shown, &e.columns); err != nil {
				return err
			}
			e.columns.Reset()
		}
		if !done {
			continue
		}
		if !s.Full() {
			e.missing = true
			fail(e.stderr, exitFailed, fmt.Errorf("run %q, tag %q: not every point was written, because a file was changed or could not be read again: export it anew", catalog.Text(run.Name), t.Shown))
		}
		return nil
	}
}

// read reads a part of a listed file that was there a moment ago.
func (e *exporter) read(path string, offset, length int64) ([]byte, error) {
	in, err := e.store.Open(e.ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if int64(cap(e.buf)) < length { // bytes that have been read once
		e.buf = make([]byte, length)
	}
	n, err := in.ReadAt(e.buf[:length], offset)
	if err == io.EOF {
		err = nil
	}
	return e.buf[:n], err
}
