package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/static"
)

// siteMark is a file that pages leaves in a site, so that the next run knows it
// may write there. Its name also tells GitHub's host to publish directories
// whose names start with a dot or an underscore.
const siteMark = ".nojekyll"

func newPages() *cobra.Command {
	c := &cobra.Command{
		Use:   "pages OUT [--logdir DIR]",
		Short: "write the whole page, with a logdir or a demo, for a static host",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("give one directory to write to: tensorbored-static pages OUT")
			}
			return nil
		},
	}
	logdir := c.Flags().String("logdir", "", "`DIR`: whose event files go into the site")
	noDemo := c.Flags().Bool("no-demo", false, "without a logdir: no demo to try either")
	noFollow := c.Flags().Bool("no-follow-symlinks", false, "leave symbolic links out")
	_ = c.MarkFlagDirname("logdir") // only helps the shell
	c.RunE = action(func(rest []string, stdout, stderr io.Writer) int {
		return pages(rest, logdir, noDemo, noFollow, stdout, stderr)
	})
	return c
}

func pages(rest []string, logdir *string, noDemo, noFollow *bool, stdout, stderr io.Writer) int {
	out := expandHome(rest[0])
	if err := siteDir(out, expandHome(*logdir)); err != nil {
		return fail(stderr, exitUsage, err)
	}
	if err := writePage(out, static.Dist()); err != nil {
		return fail(stderr, exitFailed, err)
	}
	if err := os.RemoveAll(filepath.Join(out, demoDir)); err != nil {
		return fail(stderr, exitFailed, err)
	}
	if *logdir == "" && !*noDemo {
		if err := writeDemo(out); err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintln(stdout, "A visitor can try a demo there.")
	}
	if *logdir != "" {
		store, err := files.Open(expandHome(*logdir), filepath.Base(displayName(*logdir)), !*noFollow)
		if err != nil {
			return fail(stderr, exitUsage, err)
		}
		defer store.Close()
		n, err := writeData(filepath.Join(out, "data"), store)
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintf(stdout, "%d files of %s\n", n, *logdir)
	}
	fmt.Fprintf(stdout, "The site is in %s. It works at any address of any static host.\n", out)
	return 0
}

// SiteError says why a directory can not become a site.
type SiteError struct {
	Dir    string
	Reason string
	Remedy string
}

// Error names the directory, the reason and the remedy.
func (e *SiteError) Error() string { return e.Dir + " " + e.Reason + ": " + e.Remedy }

// siteDir makes out ready. It must be new, empty, or an earlier site, and not
// inside the logdir, where the site's copies would be found as runs.
func siteDir(out, logdir string) error {
	if logdir != "" {
		a, errA := filepath.Abs(logdir)
		b, errB := filepath.Abs(out)
		if errA == nil && errB == nil && (a == b || strings.HasPrefix(b, a+string(filepath.Separator))) {
			return &SiteError{out, "is inside the logdir", "give a directory elsewhere, or the copies would be listed as runs"}
		}
	}
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &SiteError{out, "cannot be used (" + err.Error() + ")", "give a new or an empty directory"}
	}
	if _, err := os.Stat(filepath.Join(out, siteMark)); len(entries) > 0 && err != nil {
		return &SiteError{out, "holds something else", "give a new or an empty directory"}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return &SiteError{out, "cannot be made (" + err.Error() + ")", "give a directory that you may write to"}
	}
	return os.WriteFile(filepath.Join(out, siteMark), nil, 0o666)
}

// writePage writes the built page to out, in place of an older one.
func writePage(out string, site fs.FS) error {
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return errors.New("the page is not built into this program: run make in its source directory")
	}
	if err := os.RemoveAll(filepath.Join(out, "assets")); err != nil {
		return err
	}
	return fs.WalkDir(site, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == ".keep" {
			return err
		}
		to := filepath.Join(out, filepath.FromSlash(p))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		data, err := fs.ReadFile(site, p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
}

const (
	// demoDir is where a site keeps its demo.
	demoDir = "demo"
	// demoSteps is how long the demo of a site is trained: until each run has come
	// to where it differs from the others, in a few seconds and 8.5 MB.
	demoSteps = 2000
)

// writeDemo trains the demo's networks, puts what they logged into the site, and has
// the page offer it.
func writeDemo(out string) error {
	dir, err := os.MkdirTemp("", "tensorbored-demo-")
	if err != nil {
		return fmt.Errorf("no directory for the demo: %w: set TMPDIR to one that can be written to, or give --no-demo", err)
	}
	defer os.RemoveAll(dir)
	if err := demo.Run(context.Background(), demo.Options{Dir: dir, Steps: demoSteps, Seed: 1}); err != nil {
		return err
	}
	store, err := files.Open(dir, "demo", false)
	if err != nil {
		return err
	}
	defer store.Close()
	if _, err := writeData(filepath.Join(out, demoDir), store); err != nil {
		return err
	}
	index := filepath.Join(out, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	const at = " data-program="
	if bytes.Count(page, []byte(at)) != 1 {
		return errors.New("the page has no place to offer a demo: give --no-demo")
	}
	page = bytes.Replace(page, []byte(at), []byte(` data-demo="`+demoDir+`/listing.json"`+at), 1)
	return os.WriteFile(index, page, 0o666)
}

// writeData writes the files of a logdir and their listing, in place of older
// ones, and returns how many files. Sizes in the listing are those that were
// written, since a run may be going on.
func writeData(dir string, store *files.Store) (int, error) {
	if err := os.RemoveAll(dir); err != nil {
		return 0, err
	}
	ctx := context.Background()
	l, err := store.List(ctx, "files/")
	if err != nil {
		return 0, err
	}
	kept := l.Files[:0]
	for _, f := range l.Files {
		size, err := copyOut(ctx, store, f, filepath.Join(dir, "files", filepath.FromSlash(f.Path)))
		var fe *files.FileError
		if errors.As(err, &fe) { // the file's own trouble: the others still go out
			l.Problems = append(l.Problems, api.Problem{Path: f.Path, Error: fe.Err.Error() + ": " + fe.Remedy})
			continue
		}
		if err != nil {
			return 0, err
		}
		f.Size = size
		kept = append(kept, f)
	}
	l.Files = kept
	l.ETag = "" // it named the logdir as listed
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	return len(kept), os.WriteFile(filepath.Join(dir, "listing.json"), l.Append(nil), 0o666)
}

// copyOut copies one file and returns its length in bytes. Where the system can,
// io.Copy shares the blocks instead of copying them. Hard links would be quicker
// but keep growing with the run, which the listing then does not describe.
func copyOut(ctx context.Context, store *files.Store, f api.File, to string) (int64, error) {
	in, _, err := store.Open(ctx, f.Path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return 0, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(to, time.Time{}, time.Unix(0, f.MTime))
	}
	return n, err
}
