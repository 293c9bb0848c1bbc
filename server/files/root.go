package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Root is a place whose event files are listed: a directory with everything below
// it, one event file, or a pattern.
type Root struct {
	// Dir is the directory, the event file, or a pattern of path/filepath.Match.
	// What exists is never a pattern. The directories and event files that a pattern
	// matches are looked for at each listing, and stand below their path relative to
	// the pattern's last directory without a wildcard: of "logs/*/tb" those are
	// "a/tb", "b/tb".
	Dir string
	// Name is the directory of the listing below which the files stand: parts
	// joined by "/", or "" for the top.
	Name string
	// Origin is where the files are if that is not on this machine; Dir is what it is
	// called then. nil: they are.
	Origin Origin
}

// Options say how roots are opened.
type Options struct {
	Name   string   // of all of them together, for the user
	Follow bool     // symbolic links; see Open
	Later  bool     // a root that does not exist yet is waited for
	Page   api.Page // goes into the listing
	// Every is how often pages look for new data, by which a listing of an Origin is
	// shared among them; 0 is five seconds.
	Every time.Duration
	// Links has browsers read an Origin's files at the store's own addresses.
	Links bool
}

// KeptName names a logdir in what a browser keeps of it, whatever address it is served at: by this
// machine and the places of its roots, which it does not tell. See api.Page.
func KeptName(places []string) string {
	host, _ := os.Hostname() // without a name all machines that have none are one, whose files differ
	sum := sha256.New()
	for _, part := range append([]string{host}, places...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// DirError says why a logdir can not be used as one.
type DirError struct {
	Dir    string
	Reason string
	Remedy string
}

// Error names the directory, the reason and the remedy.
func (e *DirError) Error() string { return "logdir " + e.Dir + " " + e.Reason + ": " + e.Remedy }

// Open opens dir as a logdir. Symbolic links are followed, also out of dir, if
// follow is set, and refused otherwise. name is shown to the user. The error is a
// *DirError.
func Open(dir, name string, follow bool) (*Store, error) {
	return OpenRoots([]Root{{Dir: dir}}, Options{Name: name, Follow: follow})
}

// OpenRoots opens all roots as one logdir. Of two files that would be listed under
// one path only that of the first root is. The error is a *DirError.
func OpenRoots(roots []Root, o Options) (*Store, error) {
	s := &Store{name: o.Name, page: o.Page, rest: MinAge, links: o.Links}
	for _, r := range roots {
		if r.Name != "" && !api.ValidPath(r.Name) {
			s.Close()
			return nil, &DirError{r.Dir, "cannot be named " + r.Name, "give it a name without . and .. parts, that does not begin or end with /"}
		}
		n := &root{Root: r, follow: o.Follow, later: o.Later, links: o.Links}
		s.roots = append(s.roots, n)
		var err error
		if r.Origin != nil {
			// Shared for nearly the time between two looks, so that each page's next look
			// sees what is new.
			s.rest = max(MinAge, cmp.Or(o.Every, defaultEvery)*9/10)
			continue
		}
		if n.isPattern() {
			if !o.Later && len(n.matches()) == 0 {
				err = notThere(r.Dir)
			}
		} else if err = n.look(); o.Later && errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err != nil {
			s.Close()
			var de *DirError
			if !errors.As(err, &de) {
				err = why(r.Dir, err)
			}
			return nil, err
		}
	}
	return s, nil
}

// defaultEvery is how often a page looks unless it is told otherwise.
const defaultEvery = 5 * time.Second

func notThere(dir string) *DirError {
	if strings.ContainsAny(dir, wildcards) {
		return &DirError{dir, "matches nothing", "check the spelling; put the pattern into quotes, or the shell takes it"}
	}
	return &DirError{dir, "does not exist", "check the spelling, or create it first; runs that appear in it later are shown by themselves"}
}

// why puts what keeps dir from being a logdir into words.
func why(dir string, err error) *DirError {
	if errors.Is(err, fs.ErrNotExist) {
		return notThere(dir)
	}
	return &DirError{dir, "cannot be read (" + reason(err) + ")", "check the permissions of it and of the directories above it"}
}

// root is a Root as it is used. A pattern is a root too, whose matches are roots of
// their own.
type root struct {
	Root
	follow, later bool
	links         bool // of objects the store's tags are listed as versions

	now    atomic.Pointer[opened] // nil before it was there for the first time
	memory *memory                // of the last walk; only a walk may touch it
	early  *early                 // of the walk under way, if it is the first; likewise
	doubt  bool                   // a file that rested has changed; likewise

	mu   sync.Mutex
	subs map[string]*root // of a pattern, by Dir
}

// opened is what stands at a root's place.
type opened struct {
	tree tree
	info fs.FileInfo
	file string // the root is this file of the tree; "" means all of it
}

// look opens what stands at the root's place, if it is not open already: it may
// have come, or been replaced, since. The error is a *DirError, or what the system
// said.
func (r *root) look() error {
	fi, err := os.Stat(r.Dir)
	if err != nil {
		return err
	}
	if now := r.now.Load(); now != nil && os.SameFile(now.info, fi) && now.info.IsDir() == fi.IsDir() {
		return nil
	}
	o := &opened{info: fi}
	dir := r.Dir
	switch {
	case fi.IsDir():
	case !fi.Mode().IsRegular() || api.KindOf("", filepath.Base(dir), false) != api.Event:
		return &DirError{dir, "is not a directory", "give the directory that holds the event files, an archive of it (.zip, .tar, .tar.gz), or one file with \"tfevents\" in its name"}
	default:
		dir, o.file = filepath.Dir(dir), filepath.Base(dir)
	}
	if o.tree, err = openTree(dir, r.follow); err != nil {
		return err
	}
	if o.file == "" {
		f, err := o.tree.open("")
		if err == nil {
			_, err = f.Readdirnames(1)
			f.Close()
		}
		if err != nil && err != io.EOF {
			o.tree.close()
			return err
		}
	}
	// An earlier tree is not closed here, since files may be being opened in it: a
	// collected os.Root closes itself.
	r.now.Store(o)
	return nil
}

// walk lists the root; see walker.
func (r *root) walk(ctx context.Context) error {
	old := r.memory
	r.memory = nil // until this walk has ended well
	if err := r.look(); err != nil {
		return err
	}
	now := r.now.Load()
	if old != nil && old.tree != now.tree {
		old = nil
	}
	var err error
	if now.file == "" {
		r.memory, err = walk(ctx, now.tree, r, old)
		return err
	}
	w := newWalker(now.tree, r, old)
	d := w.old.dirs[""]
	if d == nil {
		d = &directory{names: []name{{path: now.file, kind: api.Event}}}
	}
	w.dirs[""] = d
	info, err := now.tree.stat(now.file)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		w.add(&d.names[0], factsOf(info))
	default: // a link, in a tree without
		w.problem(now.file, "not followed: %s", errLink)
		w.drop(&d.names[0])
	}
	r.memory = w.done()
	return nil
}

// below is p, a path in the root, as it stands in the listing.
func (r *root) below(p string) string {
	if r.Name == "" {
		return p
	}
	return path.Join(r.Name, p)
}

// wildcards are what makes a path a pattern.
const wildcards = `*?[`

// isPattern reports whether the root is a pattern.
func (r *root) isPattern() bool {
	if r.Origin != nil || !strings.ContainsAny(r.Dir, wildcards) {
		return false
	}
	_, err := os.Lstat(r.Dir)
	return err != nil
}

// matches are the directories and event files that a pattern matches now, as roots.
func (r *root) matches() []*root {
	all, err := filepath.Glob(r.Dir)
	if err != nil {
		return nil // a bad pattern matches nothing
	}
	// The last directory without a wildcard.
	fixed := r.Dir[:strings.IndexAny(r.Dir, wildcards)]
	fixed = fixed[:strings.LastIndexByte(filepath.ToSlash(fixed), '/')+1]
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.subs == nil {
		r.subs = map[string]*root{}
	}
	var found []*root
	for _, dir := range all {
		rel, err := filepath.Rel(fixed, dir)
		if fixed == "" {
			rel, err = dir, nil
		}
		fi, e := os.Stat(dir)
		if err != nil || e != nil || !r.follow && linkOnWay(fixed, rel) {
			continue
		}
		name := filepath.ToSlash(rel)
		if !fi.IsDir() {
			if !fi.Mode().IsRegular() || api.KindOf("", path.Base(name), false) != api.Event {
				continue
			}
			name = path.Dir(name) // the file stands in the run that holds it
		}
		if name = path.Join(r.Name, display(name)); name == "." {
			name = ""
		}
		sub := r.subs[dir]
		if sub == nil {
			sub = &root{Root: Root{Dir: dir, Name: name}, follow: r.follow, later: true}
			r.subs[dir] = sub
		}
		found = append(found, sub)
	}
	return found
}

// linkOnWay reports whether a part of rel, a path below dir, is a symbolic link.
func linkOnWay(dir, rel string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		dir = filepath.Join(dir, part)
		if fi, err := os.Lstat(dir); err != nil || fi.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// everything lists all roots, or returns last if nothing has changed since. It fails
// only if there is nothing else to say: when the one root was there and can not be
// read any more.
func (s *Store) everything(ctx context.Context, last *snapshot) (*snapshot, error) {
	var all []*root
	var problems []api.Problem
	for _, r := range s.roots {
		if !r.isPattern() {
			all = append(all, r)
			continue
		}
		subs := r.matches()
		if len(subs) == 0 {
			problems = append(problems, r.problem(fs.ErrNotExist))
		}
		all = append(all, subs...)
	}
	var walked []*root
	changed := last == nil
	doubt := s.doubt.Swap(false)
	for _, r := range all {
		r.early, r.doubt = nil, doubt
		if last == nil {
			r.early = &s.early
		}
		var err error
		if r.Origin != nil {
			err = r.walkOrigin(ctx, len(s.roots) == 1)
		} else {
			err = r.walk(ctx)
		}
		if err != nil && len(s.roots) == 1 && s.roots[0] == r && !(r.later && errors.Is(err, fs.ErrNotExist) && r.now.Load() == nil) {
			return nil, err
		}
		if err != nil {
			problems = append(problems, r.problem(err))
			continue
		}
		walked = append(walked, r)
		problems = append(problems, r.memory.problems...)
		changed = changed || r.memory.changed
	}
	if !changed && slices.Equal(walked, last.walked) && slices.Equal(problems, last.said) {
		return last.again(), nil
	}
	said := slices.Clone(problems)
	var found []entry
	for _, r := range walked {
		found = append(found, r.memory.found...)
	}
	if len(walked) > 1 {
		slices.SortStableFunc(found, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
		found = slices.CompactFunc(found, func(a, b entry) bool {
			if a.Path == b.Path {
				problems = append(problems, api.Problem{Path: b.Path, Error: "a file of another logdir is listed under this path: give the logdirs names of their own with --logdir_spec"})
			}
			return a.Path == b.Path
		})
	}
	found = slices.DeleteFunc(found, func(e entry) bool {
		if !e.root.leadsOut(e.real) {
			return false
		}
		problems = append(problems, api.Problem{Path: e.Path, Error: "not listed: it " + errLeadsOut.Error()})
		return true
	})
	snap := s.newSnapshot(s.pageWith(found), found, problems)
	snap.walked, snap.said = walked, said
	return snap, nil
}

// problem is what a listing says of a root that can not be read.
func (r *root) problem(err error) api.Problem {
	where := r.Name
	if where == "" {
		where = "."
	}
	text := "logdir not listed: " + reason(err)
	var said *source.Error
	switch {
	case errors.As(err, &said):
		text = "logdir not listed: " + said.Error()
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(r.Dir, wildcards):
		text = "nothing matches the logdir's pattern so far: check its spelling; what appears is shown"
	case errors.Is(err, fs.ErrNotExist):
		text = "the logdir does not exist so far: check its spelling; it is shown when it appears"
	}
	return api.Problem{Path: where, Error: text}
}
