package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/static"
)

// pagesFlags are what goes into a site, and how.
type pagesFlags struct {
	logdir, profile  string
	files            string // URL
	link             bool
	noDemo, noFollow bool
	plugins          pluginFlags
	connect          []string // URLs of buckets
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
	flags.StringVar(&f.logdir, "logdir", "", "`DIR`: its event files go into the site")
	flags.BoolVar(&f.link, "link", false, "symbolic links to them, in place of copies")
	flags.StringVar(&f.files, "files", "", "`URL`: the event files are there already: copy none")
	flags.StringArrayVar(&f.connect, "connect", nil, "`URL`: the page reads this bucket by itself")
	flags.StringVar(&f.profile, "profile", "", "`FILE`: the view that visitors get at first")
	flags.BoolVar(&f.noDemo, "no-demo", false, "without a logdir: no demo either")
	f.plugins.declare(flags)
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	_ = c.MarkFlagDirname("logdir") // only helps the shell
	c.RunE = action(func(rest []string, stdout, stderr io.Writer) int {
		f.plugins.given = givenFlags(flags)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return pages(ctx, rest[0], f, static.Dist(), stdout, stderr)
	})
	return c
}

// checked says what is wrong with the flags themselves.
func (f *pagesFlags) checked() error {
	switch {
	case f.link && f.files != "":
		return errors.New("--link and --files exclude each other: with --files nothing is put into the site")
	case isAddress(f.logdir):
		return errors.New("--logdir " + bare(f.logdir) + ": a site takes copies of a folder's files; copy them here first, " +
			"or let the page read the bucket itself with --connect URL")
	case f.logdir == "" && (f.link || f.files != "" || f.profile != ""):
		return errors.New("--link, --files and --profile are about a logdir: give --logdir too")
	case f.files != "" && f.profile != "":
		return errors.New("--files and --profile exclude each other: put the profile where the files are, with tensorbored-static profile set-default")
	}
	for i, c := range f.connect {
		var err error
		if f.connect[i], err = originOf(c); err != nil {
			return err
		}
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

// pages writes a site of the page from. It returns 0, 1 if it could not be written, 2 for
// what was asked for wrongly.
func pages(ctx context.Context, out string, f pagesFlags, from fs.FS, stdout, stderr io.Writer) int {
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
	others, code := f.plugins.open(stderr)
	if code != 0 {
		return code
	}
	if others != nil {
		defer others.Close()
	}
	s, err := openSite(ctx, out, f.logdir)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	b := builder{site: s, flags: f, view: view, from: from, plugins: others}
	if err := s.end(s.failed(b.build())); err != nil {
		var wrong *files.DirError
		if errors.As(err, &wrong) {
			return fail(stderr, exitUsage, err)
		}
		return fail(stderr, exitFailed, err)
	}
	if b.demo {
		fmt.Fprintln(stdout, "A visitor can try a demo there.")
	}
	if f.logdir != "" {
		fmt.Fprintf(stdout, "%s of %s\n", counted(b.count, "file"), f.logdir)
	}
	fmt.Fprintf(stdout, "The site is in %s. It works at any address of any static host%s.\n", out, f.needs())
	return 0
}

// needs says what the host must do for the site.
func (f *pagesFlags) needs() string {
	switch {
	case f.link:
		return " that follows symbolic links"
	case f.host() != "":
		return ", if " + f.files + " gives files to other sites' pages (CORS, with Content-Range and ETag exposed)"
	}
	return ""
}

// host is where the files stand, as a policy names it; "" if that is the site's own.
func (f *pagesFlags) host() string {
	u, err := url.Parse(f.files)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.Scheme == "" {
		u.Scheme = "https" // of //host/path
	}
	return u.Scheme + "://" + u.Host
}

// originOf is the origin of an address, as a policy names it.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		strings.ContainsAny(u.Host, " ;,'\"*") {
		return "", fmt.Errorf("--connect %q is no address of a bucket: write https://bucket.s3.eu-west-1.amazonaws.com", address)
	}
	return u.Scheme + "://" + u.Host, nil
}
