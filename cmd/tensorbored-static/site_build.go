package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/archive"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

const (
	// dataDir and demoDir are where a site keeps its logdir and its demo.
	dataDir = "data"
	demoDir = "demo"
	// demoSteps is how long the demo of a site is trained: until each run has come
	// to where it differs from the others, in a few seconds and 8.5 MB.
	demoSteps = 2000
)

// builder puts a page and a logdir into a site.
type builder struct {
	*site
	flags pagesFlags
	view  *profile.Profile // nil: the logdir's own
	from  fs.FS            // the page
	// plugins go into the site; nil: there are none, and those of an earlier run go.
	plugins *plugins.Store

	count int  // of files in the listing
	demo  bool // a demo is in it
}

// build writes everything that is new, and then gives it its names.
func (b *builder) build() error {
	index, err := fs.ReadFile(b.from, "index.html")
	if err != nil {
		return errors.New("the page is not built into this program: run make in its source directory")
	}
	was, _ := b.root.ReadFile("index.html")
	if err := b.add(siteMark, nil); err != nil {
		return err
	}
	if err := b.page(); err != nil {
		return err
	}
	var listings []listed
	switch {
	case b.flags.logdir != "":
		l, err := b.logdir()
		if err != nil {
			return err
		}
		listings = append(listings, listed{dataDir, l})
		b.count = len(l.Files)
	default:
		b.keep(dataDir)
		if b.flags.noDemo {
			break
		}
		l, err := b.train()
		if err != nil {
			return err
		}
		listings = append(listings, listed{demoDir, l})
		b.demo = true
	}
	// The page comes first with what the old listing and the new one need.
	if err := b.putPlugins(); err != nil {
		return err
	}
	if b.plugins != nil {
		const at = " data-program="
		index = bytes.Replace(index, []byte(at), []byte(plugins.Attribute+at), 1)
	}
	final, err := edited(string(index), append([]string{b.flags.host()}, b.flags.connect...), b.demo)
	if err != nil {
		return err
	}
	both := append(append(hosts(string(was)), b.flags.host()), b.flags.connect...)
	between, err := edited(string(index), both, strings.Contains(string(was), demoMark))
	if err != nil {
		return err
	}
	if len(was) > 0 {
		if err := b.swap("index.html", []byte(between)); err != nil {
			return err
		}
	}
	for _, l := range listings {
		l.ETag = "" // it named the logdir as listed
		if err := b.swap(l.dir+"/listing.json", l.Append(nil)); err != nil {
			return err
		}
	}
	if final == between && len(was) > 0 {
		return nil
	}
	return b.swap("index.html", []byte(final))
}

// listed is a listing and the site's directory that it is of.
type listed struct {
	dir string
	*api.Listing
}

// page writes all of the built page but its document.
func (b *builder) page() error {
	return fs.WalkDir(b.from, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || p == ".keep" || p == "index.html" {
			return err
		}
		data, err := fs.ReadFile(b.from, p)
		if err != nil {
			return err
		}
		return b.add(p, data)
	})
}

const (
	ownPolicy = "connect-src &#39;self&#39;"
	demoMark  = ` data-demo="` + demoDir + `/listing.json"`
)

// edited is the page's document, which may read from hosts, and offers the demo or not.
func edited(index string, hosts []string, demo bool) (string, error) {
	var err error
	replace := func(old, text string) {
		if strings.Count(index, old) != 1 {
			err = fmt.Errorf("the page in this program is not as it should be (%q): run make in its source directory", old)
		}
		index = strings.Replace(index, old, text, 1)
	}
	slices.Sort(hosts)
	allowed := ""
	for _, h := range slices.Compact(hosts) {
		if h != "" {
			allowed += " " + html.EscapeString(h)
		}
	}
	if allowed != "" {
		replace(ownPolicy, ownPolicy+allowed)
	}
	if demo {
		const at = " data-program="
		replace(at, demoMark+at)
	}
	return index, err
}

var policyHosts = regexp.MustCompile(ownPolicy + `((?: https?://[^ ;"]+)*)`)

// hosts are those that the document of a site may read from.
func hosts(index string) []string {
	m := policyHosts.FindStringSubmatch(index)
	if m == nil {
		return nil
	}
	return strings.Fields(m[1])
}

// logdir writes the files of the logdir and returns their listing.
func (b *builder) logdir() (*api.Listing, error) {
	if b.flags.link && archive.Is(b.flags.logdir) {
		return nil, &SpecError{b.flags.logdir, "is an archive, whose files nothing can link to", "leave --link out"}
	}
	store, err := openRoots([]files.Root{{Dir: b.flags.logdir}}, files.Options{Name: filepath.Base(displayName(b.flags.logdir)), Follow: !b.flags.noFollow})
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if b.flags.files != "" {
		return store.List(b.ctx, b.flags.files)
	}
	put := b.copyOut
	if b.flags.link {
		put = b.linkOut
	}
	return b.files(dataDir, store, put, b.view)
}

// train trains the demo's networks and writes what they logged.
func (b *builder) train() (*api.Listing, error) {
	dir, err := os.MkdirTemp("", "tensorbored-demo-")
	if err != nil {
		return nil, fmt.Errorf("no directory for the demo: %w: set TMPDIR to one that can be written to, or give --no-demo", err)
	}
	defer os.RemoveAll(dir)
	if err := demo.Run(b.ctx, demo.Options{Dir: dir, Steps: demoSteps, Seed: 1}); err != nil {
		return nil, err
	}
	store, err := files.Open(dir, "demo", false)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return b.files(demoDir, store, b.copyOut, nil)
}

// files puts the files of a logdir into a new directory below dir, and if it is not nil
// view as the default profile, and returns their listing. Sizes in it are those that were
// written, since a run may be going on.
func (b *builder) files(dir string, store *files.Store, put putter, view *profile.Profile) (*api.Listing, error) {
	var before *api.Listing
	if text, err := b.root.ReadFile(dir + "/listing.json"); err == nil {
		before, _ = api.Parse(text)
	}
	base := b.free(dir)
	l, err := store.List(b.ctx, base+"/")
	if err != nil {
		return nil, err
	}
	kept := l.Files[:0]
	for _, f := range l.Files {
		if view != nil && f.Path == profile.DefaultPath {
			continue
		}
		last := ""
		if before != nil && filepath.IsLocal(filepath.FromSlash(before.Base)) {
			last = path.Join(dir, before.Base, f.Path)
		}
		size, err := put(store, f, path.Join(dir, base, f.Path), last)
		var fe *files.FileError
		if errors.As(err, &fe) { // the file's own trouble: the others still go out
			l.Problems = append(l.Problems, api.Problem{Path: f.Path, Error: fe.Err.Error() + ": " + fe.Remedy})
			continue
		}
		if err != nil {
			return nil, err
		}
		f.Size = size
		kept = append(kept, f)
	}
	l.Files = kept
	if view != nil {
		text, err := profile.Encode(view)
		if err != nil {
			return nil, err
		}
		if err := b.add(path.Join(dir, base, profile.DefaultPath), text); err != nil {
			return nil, err
		}
		l.Files = append(l.Files, api.File{Path: profile.DefaultPath, Size: int64(len(text)), MTime: time.Now().UnixNano(), Kind: api.Companion})
		slices.SortFunc(l.Files, func(a, b api.File) int { return strings.Compare(a.Path, b.Path) })
	}
	return l, nil
}

// putter puts a file of a logdir into a site under a new name, and returns its length in
// bytes. last is what the site before called it, "" if that is not known.
type putter func(store *files.Store, f api.File, to, last string) (int64, error)

// linkOut makes a symbolic link to the file. What is appended later is in the site once
// its listing is written anew.
func (b *builder) linkOut(store *files.Store, f api.File, to, _ string) (int64, error) {
	in, err := store.Open(b.ctx, f.Path) // is it one that may be read?
	if err != nil {
		return 0, err
	}
	target, err := filepath.Abs(in.Name())
	in.Close()
	if err != nil {
		return 0, err
	}
	if err := b.claim(to); err != nil {
		return 0, err
	}
	b.now[to] = linkSize
	return min(f.Size, in.Size()), b.root.Symlink(target, to)
}

// copyOut copies one file and returns its length in bytes. What has not changed since the
// site before is not copied again: it gets a second name. Where the system can, io.Copy
// shares the blocks instead of copying them. Hard links to the logdir's own files would be
// quicker but keep growing with the run, which the listing then does not describe.
func (b *builder) copyOut(store *files.Store, f api.File, to, last string) (int64, error) {
	in, err := store.Open(b.ctx, f.Path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := b.claim(to); err != nil {
		return 0, err
	}
	if size, ours := b.old[last]; ours && size == f.Size {
		fi, err := b.root.Lstat(last)
		if err == nil && fi.Mode().IsRegular() && fi.Size() == f.Size && fi.ModTime().UnixNano() == f.MTime && b.root.Link(last, to) == nil {
			b.now[to] = f.Size
			return f.Size, nil
		}
	}
	out, err := b.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	n, err := copyAll(b.ctx, out, in.Reader())
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = b.root.Chtimes(to, time.Time{}, time.Unix(0, f.MTime))
		b.now[to] = n
	}
	return n, err
}

// copyAll copies until the end, or until ctx ends.
func copyAll(ctx context.Context, to io.Writer, from io.Reader) (n int64, err error) {
	const piece = 64 << 20
	for {
		m, err := io.CopyN(to, from, piece)
		n += m
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, err
		}
	}
}
