package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/files"
)

func listCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("list", "list LOGDIR [--base URL]", stderr)
	base := fs.String("base", "files/", "`URL` of the logdir's files, relative to the listing's own")
	noFollow := fs.Bool("no-follow-symlinks", false, "leave symbolic links out")
	rest, code, ok := parse(fs, args)
	if !ok {
		return code
	}
	if len(rest) != 1 {
		return fail(stderr, exitUsage, errors.New("give one logdir: tensorbored-static list LOGDIR"))
	}
	store, err := files.Open(expandHome(rest[0]), displayName(rest[0]), !*noFollow)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer store.Close()
	if *base != "" && !strings.HasSuffix(*base, "/") {
		*base += "/"
	}
	l, err := store.List(context.Background(), *base)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	if _, err := stdout.Write(l.Append(nil)); err != nil {
		return fail(stderr, exitFailed, err)
	}
	return 0
}
