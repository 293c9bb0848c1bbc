package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/inspect"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
)

// inspectFlags are what to look into, and how to say it.
type inspectFlags struct {
	logdirs   []string // directories, patterns, event files
	spec, tag string
	json      bool
	noFollow  bool
}

func newInspect() *cobra.Command {
	var f inspectFlags
	c := &cobra.Command{
		Use:   "inspect LOGDIR… [flags]",
		Short: "say what event files hold, and where they are damaged",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give a logdir or an event file: tensorbored-static inspect LOGDIR")
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.tag, "tag", "", "`TAG`: only this one")
	c.Flags().BoolVar(&f.json, "json", false, "write JSON, one line for each run")
	c.Flags().BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		f.logdirs = args
		return inspectCommand(f, stdout, stderr)
	})
	return c
}

// inspectCommand writes the facts of each run. It returns 0 if there are event files
// that could be read, damaged or not, 1 if there are none or one could not be read, 2
// for what is no logdir.
func inspectCommand(f inspectFlags, stdout, stderr io.Writer) int {
	roots, err := logdirRoots(f.logdirs, f.spec)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	if len(roots) == 0 {
		return fail(stderr, exitUsage, errors.New("nothing to inspect: give --logdir DIR or --event_file FILE"))
	}
	store, err := openRoots(roots, files.Options{Name: shownRoots(roots), Follow: !f.noFollow})
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer store.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listing, err := store.List(ctx, "")
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	for _, p := range listing.Problems {
		fmt.Fprintf(stderr, "tensorbored-static: not listed: %s: %q\n", p.Error, p.Path)
	}
	units, total := inspectUnits(listing)
	if beside := unshown.Files(listing.Files); len(beside) > 0 && f.tag == "" && !f.json {
		for _, of := range []struct{ plugin, how string }{{unshown.Projector, "for the projector"}, {unshown.Graphs, "for the dashboard of graphs"}, {unshown.Other, "not shown yet"}} {
			var some []unshown.Item
			for _, i := range beside {
				if i.Plugin == of.plugin {
					some = append(some, i)
				}
			}
			if len(some) == 0 {
				continue
			}
			fmt.Fprintf(stdout, "%s: %s\n", unshown.Text(some), of.how)
			for _, i := range some {
				fmt.Fprintf(stdout, "  %q\n", i.File)
			}
			if of.plugin != unshown.Projector {
				continue
			}
			fmt.Fprintln(stdout, "tensors:")
			if err := writeTensors(ctx, stdout, store.Source(), listing); err != nil {
				fail(stderr, exitFailed, err)
			}
		}
		fmt.Fprintln(stdout)
	}
	if len(units) == 0 && len(unshown.Files(listing.Files)) > 0 && f.tag == "" {
		return 0
	}
	if len(units) == 0 {
		return fail(stderr, exitFailed, noEvents(listing))
	}
	shown := map[string]bool{"": true}
	for _, p := range kinds.Plugins() {
		shown[p] = true
	}
	events, damaged := int64(0), false
	bar := newProgress(stderr, total)
	defer bar.end()
	code := 0
	err = inspectAll(ctx, store, units, f.tag, bar, func(r *inspect.Run, failed []error) error {
		bar.clear()
		for _, err := range failed {
			code = exitFailed
			fail(stderr, code, err)
		}
		if f.tag != "" && len(r.Tags)+len(r.Named) == 0 {
			events += r.Events
			return nil
		}
		events, damaged = events+r.Events, damaged || len(r.Losses) > 0
		r.NotShown = r.Unshown(func(plugin string) bool { return shown[plugin] })
		if !f.json {
			return r.Write(stdout)
		}
		line, err := json.Marshal(r)
		if err == nil {
			_, err = stdout.Write(append(line, '\n'))
		}
		return err
	})
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	if events == 0 && damaged {
		return fail(stderr, exitFailed, fmt.Errorf("logdir %s: no event could be read: its event files are damaged, or something else, as said above", listing.Logdir))
	}
	return code
}

// noEvents says that a logdir is none.
func noEvents(l *api.Listing) error {
	return fmt.Errorf("logdir %s holds no event files: give a directory in which, or below which, files with \"tfevents\" in their name stand", l.Logdir)
}

// unit is a run to look into.
type unit struct {
	run   string
	files []api.File
}

// inspectUnits gathers the listed event files by run, in the order of the names, and
// adds up their sizes in bytes.
func inspectUnits(l *api.Listing) (units []unit, total int64) {
	at := map[string]int{}
	for _, e := range l.Files {
		if e.Kind != api.Event {
			continue
		}
		run := source.RunOf(e.Path)
		i, ok := at[run]
		if !ok {
			i = len(units)
			at[run] = i
			units = append(units, unit{run: run})
		}
		units[i].files = append(units[i].files, e)
		total += e.Size
	}
	slices.SortFunc(units, func(a, b unit) int { return strings.Compare(a.run, b.run) })
	return units, total
}

// inspectAll reads the runs, some at a time, and gives each to say, in order.
func inspectAll(ctx context.Context, store *files.Store, units []unit, tag string, bar *progress, say func(*inspect.Run, []error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		run    *inspect.Run
		failed []error
	}
	// Not more than a few are ready and not said yet.
	turns := make(chan struct{}, store.AtOnce(runtime.GOMAXPROCS(0)))
	ready := make([]chan outcome, len(units))
	room := inspect.NewRoom(inspect.AllNames)
	for i := range ready {
		ready[i] = make(chan outcome, 1)
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	wait.Go(func() {
		for i, u := range units {
			select {
			case turns <- struct{}{}:
			case <-ctx.Done():
				return
			}
			wait.Go(func() {
				r, failed := inspectRun(ctx, store, u, tag, room, bar)
				ready[i] <- outcome{r, failed}
			})
		}
	})
	for i := range units {
		select {
		case o := <-ready[i]:
			if ctx.Err() != nil {
				return errInterrupted
			}
			if err := say(o.run, o.failed); err != nil {
				return fmt.Errorf("the facts could not be written: %w", err)
			}
			o.run.Done()
			<-turns
		case <-ctx.Done():
			return errInterrupted
		}
	}
	return nil
}

var errInterrupted = errors.New("interrupted: what was said is complete, the rest is missing")

// inspectWindow is how many bytes are read at a time, unless a record is longer.
const inspectWindow = 1 << 20

// inspectRun reads the files of a run one after the other.
func inspectRun(ctx context.Context, store *files.Store, u unit, tag string, room *inspect.Room, bar *progress) (*inspect.Run, []error) {
	r := inspect.New(u.run, tag, room)
	var failed []error
	var buf []byte
	for _, e := range u.files {
		r.Files = append(r.Files, path.Base(e.Path))
		f := catalog.Visit(u.run, e.Path, r.Visit)
		n, err := scan(ctx, store, f, &buf, bar, func() {})
		r.Bytes += n
		if err != nil {
			failed = append(failed, err)
		}
		r.Losses = append(append(r.Losses, f.Losses()...), r.Unnamed(e.Path)...)
	}
	return r, failed
}

// scan reads f from its beginning to its end and returns its size in bytes. It calls
// between after each window.
func scan(ctx context.Context, store *files.Store, f *catalog.File, buf *[]byte, bar *progress, between func()) (int64, error) {
	in, err := store.Open(ctx, f.Path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	r := catalog.Reader{File: f, Size: in.Size()}
	for end := false; !end; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		w, more := r.Next()
		if !more {
			break
		}
		if !r.Wants() {
			w.Length = min(w.Length, inspectWindow)
		}
		if int64(cap(*buf)) < w.Length { // the file has so many bytes
			*buf = nil // the collector may have the old one meanwhile
			*buf = make([]byte, w.Length)
		}
		n, err := in.ReadAt((*buf)[:w.Length], w.Offset)
		if err != nil && err != io.EOF {
			return in.Size(), &files.FileError{Path: f.Path, Err: err, Remedy: "what was read before is said; check its file system"}
		}
		end = r.Take((*buf)[:n], w)
		bar.add(int64(n))
		between()
	}
	return in.Size(), nil
}
