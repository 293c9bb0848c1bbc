package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
)

func newList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list LOGDIR [--base URL]",
		Short: "write the listing that a static host of the logdir needs",
		Args:  oneArg("list", "logdir"),
	}
	base := c.Flags().String("base", "files/", "`URL`: of the logdir's files, as seen from the listing")
	noFollow := c.Flags().Bool("no-follow-symlinks", false, "leave symbolic links out")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
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
	store, err := files.Open(expandHome(dir), displayName(dir), !noFollow)
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
