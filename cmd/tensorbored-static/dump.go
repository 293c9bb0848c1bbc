package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/dump"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func newDump() *cobra.Command {
	c := &cobra.Command{
		Use:   "dump LOGDIR",
		Short: "write what is read of a logdir as JSON",
		Args:  oneArg("dump", "logdir"),
	}
	noFollow := c.Flags().Bool("no-follow-symlinks", false, "leave symbolic links out")
	c.RunE = action(func(rest []string, stdout, stderr io.Writer) int { return dumpCommand(rest, noFollow, stdout, stderr) })
	return c
}

// dumpCommand writes everything that is read of a logdir as one JSON document. The
// document is written whatever is wrong with the files; what is wrong goes to
// stderr. It returns 0 if at least one event was read, 1 if none was or writing
// failed, 2 for what is no logdir.
func dumpCommand(rest []string, noFollow *bool, stdout, stderr io.Writer) int {
	store, err := openOne(rest[0], !*noFollow)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer store.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := catalog.New()
	listing, err := c.Load(ctx, store.Source())
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	for _, p := range listing.Problems {
		fmt.Fprintf(stderr, "tensorbored-static: not listed: %s: %q\n", p.Error, p.Path)
	}
	for _, run := range slices.Sorted(maps.Keys(c.Runs)) {
		for _, f := range c.Runs[run].Files {
			for _, l := range f.Losses() {
				fmt.Fprintln(stderr, "tensorbored-static:", lossLine(l))
			}
		}
	}
	var sections []dump.Section
	if slices.ContainsFunc(listing.Files, func(f api.File) bool { return api.Tensors(f.Path) }) {
		sections = append(sections, tensorsDump(ctx, store.Source(), listing))
	}
	if err := dump.Write(ctx, stdout, c, store.Source(), kinds.All(), sections...); err != nil {
		return fail(stderr, exitFailed, fmt.Errorf("the document could not be written: %w", err))
	}
	var beside []string
	list := slices.DeleteFunc(unshown.Files(listing.Files), func(i unshown.Item) bool { return i.Plugin == unshown.Projector })
	for _, i := range list {
		beside = append(beside, i.File)
	}
	if len(beside) > 0 {
		fmt.Fprintf(stderr, "tensorbored-static: not in the document: %s: %q\n", unshown.Text(list), beside)
	}
	if err := nothingRead(c, listing, len(beside)+len(sections) > 0); err != nil {
		return fail(stderr, exitFailed, err)
	}
	return 0
}

// lossLine says what was lost, and what of it the user can do, on one line. Names
// are quoted, since a file's name may hold anything.
func lossLine(l wire.Loss) string {
	places := ""
	if l.Count > 1 {
		places = fmt.Sprintf(" in %d places", l.Count)
	}
	return fmt.Sprintf("lost %d bytes%s, from byte %d on: %s: %s: run %q, file %q", l.Bytes, places, l.Offset, l.Kind, l.Remedy, l.Run, l.File)
}

// nothingRead is nil if the logdir gave at least one event, and otherwise says why
// it gave none. Projectors and their files alone are something, too.
func nothingRead(c *catalog.Catalog, listing *api.Listing, beside bool) error {
	n := 0
	for _, f := range listing.Files {
		if f.Kind == api.Event {
			n++
		}
	}
	if n == 0 && beside {
		return nil
	}
	if n == 0 {
		return noEvents(listing)
	}
	for _, r := range c.Runs {
		points, _ := r.Points()
		if start := r.Start(); points > 0 || start == start { // not NaN
			return nil
		}
	}
	return fmt.Errorf("logdir %s: no event could be read from its event files (%d): they are empty so far, or damaged as said above", listing.Logdir, n)
}
