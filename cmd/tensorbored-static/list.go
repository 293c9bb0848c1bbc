package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// newList returns the command list: without an argument it lists the user's viewers, with
// a logdir it writes that one's listing.
func newList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list [LOGDIR [--base URL]]",
		Short: "list viewers; of a LOGDIR write the listing for a static host",
		Long:  "Without LOGDIR it lists your viewers, and for 24 hours those that have ended.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("give one logdir, or none to list your viewers: tensorbored-static list LOGDIR")
			}
			return nil
		},
	}
	var f viewersFlags
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print IDs alone")
	flags.BoolVarP(&f.all, "all", "a", false, "those of other users too, as far as they can be seen")
	flags.BoolVar(&f.json, "json", false, "as JSON")
	flags.BoolVar(&f.csv, "csv", false, "as CSV")
	flags.StringVar(&f.sortBy, "sort-by", "startTime", "`KEY`: id, username, description, state, exitStatus")
	flags.StringVar(&f.orderBy, "order-by", "asc", "`asc|desc`: the order")
	base := flags.String("base", "files/", "`URL`: of LOGDIR's files, as seen from the listing")
	noFollow := flags.Bool("no-follow-symlinks", false, "leave symbolic links of LOGDIR out")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		for _, name := range []string{"base", "no-follow-symlinks"} {
			if len(args) == 0 && flags.Changed(name) {
				return fail(stderr, exitUsage, errors.New("--"+name+" is for the listing of a logdir: give one logdir too"))
			}
		}
		for _, name := range []string{"quiet", "all", "json", "csv", "sort-by", "order-by"} {
			if len(args) == 1 && flags.Changed(name) {
				return fail(stderr, exitUsage, errors.New("--"+name+" is for the list of viewers: leave the logdir out"))
			}
		}
		if len(args) == 0 {
			return listViewers(ctx, f, stdout, stderr)
		}
		return list(args[0], *base, *noFollow, stdout, stderr)
	})
	return c
}

// oneArg asks for exactly one argument, a what.
func oneArg(command, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("give one %s: tensorbored-static %s %s", what, command, strings.ToUpper(what))
		}
		return nil
	}
}

// list writes the listing of dir to stdout.
func list(dir, base string, noFollow bool, stdout, stderr io.Writer) int {
	store, err := openOne(dir, !noFollow)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer store.Close()
	if base != "" && !strings.HasSuffix(base, "/") {
		base += "/"
	}
	l, err := store.List(context.Background(), base)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	if _, err := stdout.Write(l.Append(nil)); err != nil {
		return fail(stderr, exitFailed, err)
	}
	return 0
}
