package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/static"
)

// siteMark is a file that pages leaves in a site, so that the next run knows it
// may write there. Its name also tells GitHub's host to publish directories
// whose names start with a dot or an underscore.
const siteMark = ".nojekyll"

// pagesFlags are what goes into a site, and how.
type pagesFlags struct {
	logdir, profile  string
	files            string // URL
	link             bool
	noDemo, noFollow bool
}

func newPages() *cobra.Command {
	var f pagesFlags
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
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.logdir, "logdir", "", "`DIR`: whose event files go into the site")
	flags.BoolVar(&f.link, "link", false, "symbolic links to them, in place of copies")
	flags.StringVar(&f.files, "files", "", "`URL`: they stand there already; no copies")
	flags.StringVar(&f.profile, "profile", "", "`FILE`: the view that visitors get at first")
	flags.BoolVar(&f.noDemo, "no-demo", false, "without a logdir: no demo to try either")
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	_ = c.MarkFlagDirname("logdir") // only helps the shell
	c.RunE = action(func(rest []string, stdout, stderr io.Writer) int {
		return pages(rest[0], f, stdout, stderr)
	})
	return c
}

// checked says what is wrong with the flags themselves.
func (f *pagesFlags) checked() error {
	switch {
	case f.link && f.files != "":
		return errors.New("--link and --files exclude each other: with --files nothing is put into the site")
	case f.logdir == "" && (f.link || f.files != "" || f.profile != ""):
		return errors.New("--link, --files and --profile are about a logdir: give --logdir too")
	case f.files != "" && f.profile != "":
		return errors.New("--files and --profile exclude each other: put the profile where the files are, with tensorbored-static profile set-default")
	}
	if f.files == "" {
		return nil
	}
	if !strings.HasSuffix(f.files, "/") {
		f.files += "/"
	}
	u, err := url.Parse(f.files)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--files %q is no address: give the one below which the files stand, https://host/logs/, or one relative to the site's data directory", f.files)
	}
	return nil
}

func pages(out string, f pagesFlags, stdout, stderr io.Writer) int {
	out, f.logdir = expandHome(out), expandHome(f.logdir)
	if err := f.checked(); err != nil {
		return fail(stderr, exitUsage, err)
	}
	var view *profile.Profile
	if f.profile != "" {
		p, problems, err := readProfile(f.profile)
		if err != nil {
			return fail(stderr, exitUsage, err)
		}
		if sayProblems(stderr, f.profile, problems) {
			return fail(stderr, exitUsage, errors.New("nothing was written: correct the profile first"))
		}
		view = p
	}
	if err := siteDir(out, f.logdir); err != nil {
		return fail(stderr, exitUsage, err)
	}
	if err := writePage(out, static.Dist()); err != nil {
		return fail(stderr, exitFailed, err)
	}
	if err := os.RemoveAll(filepath.Join(out, demoDir)); err != nil {
		return fail(stderr, exitFailed, err)
	}
	if f.logdir == "" && !f.noDemo {
		if err := writeDemo(out); err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintln(stdout, "A visitor can try a demo there.")
	}
	if f.logdir != "" {
		store, err := files.Open(f.logdir, filepath.Base(displayName(f.logdir)), !f.noFollow)
		if err != nil {
			return fail(stderr, exitUsage, err)
		}
		defer store.Close()
		n, err := f.write(out, store, view)
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintf(stdout, "%d files of %s\n", n, f.logdir)
	}
	fmt.Fprintf(stdout, "The site is in %s. It works at any address of any static host%s.\n", out, f.needs())
	return 0
}

// needs says what the host must do for the site.
func (f *pagesFlags) needs() string {
	switch {
	case f.link:
		return " that follows symbolic links"
	case strings.Contains(f.files, "://"):
		return ", if " + f.files + " gives files to other sites' pages (CORS, with Content-Range and ETag exposed)"
	}
	return ""
}

// write writes the data of a site and returns how many files its listing names.
func (f *pagesFlags) write(out string, store *files.Store, view *profile.Profile) (int, error) {
	data := filepath.Join(out, "data")
	if f.files != "" {
		l, err := store.List(context.Background(), f.files)
		if err != nil {
			return 0, err
		}
		if err := allowFiles(out, f.files); err != nil {
			return 0, err
		}
		return len(l.Files), writeListing(data, l)
	}
	put := copyOut
	if f.link {
		put = linkOut
	}
	return writeData(data, store, put, view)
}

// allowFiles lets the site's page read from the host of an address.
func allowFiles(out, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return err
	}
	if u.Scheme == "" {
		u.Scheme = "https" // of //host/path
	}
	return editPage(out, "connect-src &#39;self&#39;", "connect-src &#39;self&#39; "+template.HTMLEscapeString(u.Scheme+"://"+u.Host))
}

// editPage replaces the one place of a text in the site's page.
func editPage(out, old, text string) error {
	index := filepath.Join(out, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	if bytes.Count(page, []byte(old)) != 1 {
		return fmt.Errorf("the page in this program is not as it should be (%q): run make in its source directory", old)
	}
	return os.WriteFile(index, bytes.Replace(page, []byte(old), []byte(text), 1), 0o666)
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
	if _, err := writeData(filepath.Join(out, demoDir), store, copyOut, nil); err != nil {
		return err
	}
	const at = " data-program="
	return editPage(out, at, ` data-demo="`+demoDir+`/listing.json"`+at)
}

// writeData puts the files of a logdir into dir, with a listing and, if it is not nil,
// view as the default profile, in place of older ones, and returns how many files. Sizes
// in the listing are those that were written, since a run may be going on.
func writeData(dir string, store *files.Store, put putter, view *profile.Profile) (int, error) {
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
		if view != nil && f.Path == profile.DefaultPath {
			continue
		}
		size, err := put(ctx, store, f, filepath.Join(dir, "files", filepath.FromSlash(f.Path)))
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
	if view != nil {
		f, err := writeView(filepath.Join(dir, "files"), view)
		if err != nil {
			return 0, err
		}
		l.Files = append(l.Files, f)
		slices.SortFunc(l.Files, func(a, b api.File) int { return strings.Compare(a.Path, b.Path) })
	}
	return len(l.Files), writeListing(dir, l)
}

func writeListing(dir string, l *api.Listing) error {
	if err := os.RemoveAll(filepath.Join(dir, "listing.json")); err != nil {
		return err
	}
	l.ETag = "" // it named the logdir as listed
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "listing.json"), l.Append(nil), 0o666)
}

// writeView writes the default profile below dir, and returns it as the listing names it.
func writeView(dir string, view *profile.Profile) (api.File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return api.File{}, err
	}
	if err := profiles.Write(dir, view); err != nil {
		return api.File{}, err
	}
	fi, err := os.Stat(filepath.Join(dir, filepath.FromSlash(profile.DefaultPath)))
	if err != nil {
		return api.File{}, err
	}
	return api.File{Path: profile.DefaultPath, Size: fi.Size(), MTime: fi.ModTime().UnixNano(), Kind: api.Companion}, nil
}

// putter puts a file of a logdir into a site, and returns its length in bytes.
type putter func(ctx context.Context, store *files.Store, f api.File, to string) (int64, error)

// linkOut makes a symbolic link to the file. What is appended later is in the site once
// its listing is written anew.
func linkOut(ctx context.Context, store *files.Store, f api.File, to string) (int64, error) {
	in, fi, err := store.Open(ctx, f.Path) // is it one that may be read?
	if err != nil {
		return 0, err
	}
	target, err := filepath.Abs(in.Name())
	in.Close()
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return 0, err
	}
	return min(f.Size, fi.Size()), os.Symlink(target, to)
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
