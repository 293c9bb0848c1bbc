package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// The walk lists a logdir: every directory, hidden ones too, in no particular
// order and several at a time, since on network file systems each answer is
// waited for. Only names that api.KindOf knows are asked for size and time.
//
// Links. A linked file is listed under the link's name. A linked directory is
// walked as if it stood there; it is cut when it is a directory on its own way up
// to the logdir (same device and inode), which is what a loop is. Links among
// siblings would still multiply the ways to one file without a loop: eight
// directories that link to each other gave 109,600 files. So a link that is found
// behind another link is followed only to a directory that was not listed before,
// or, once on its way, to one that stands beside it: that is an alias such as
// "latest". The rounds of follow see to it that what "before" means does not depend
// on which goroutine was first.
//
// File systems of the kernel (/proc, /sys) are not walked: they have a hundred
// thousand entries, links to everything, and no logs.
//
// The page asks again every few seconds, so a walk builds on the one before: see
// memory.
//
// What can not be read is a problem, not an error: the rest is still listed.
const (
	// maxDirs bounds the directories of one walk; see above.
	maxDirs = 1 << 20
	// maxDepth bounds the nesting of directories. File systems allow paths of
	// 4096 bytes; a sane tree has tens.
	maxDepth = 256
	// maxProblems bounds the problems of one listing; a mistyped logdir such as
	// "/" can have any number.
	maxProblems = 200
	// atOnce is how many directories or parts of directories are read at a time.
	atOnce = 16
	// statChunk is how many files of one directory are asked for size and time
	// in one go of one goroutine. A chunk is about half a millisecond locally.
	statChunk = 256
)

// entry is a file that the walk found.
type entry struct {
	api.File
	root *root  // that it was found in
	tag  string // of an object of an Origin, whose key is real
	real string // its path in the root's tree, which is File.Path without the root's name but where that is not UTF-8
}

type walker struct {
	tree  tree
	root  *root   // whose files they are
	old   *memory // of the walk before
	full  bool    // the names of every directory are read
	turn  uint64  // counts walks
	rest  int64   // what has not changed since then rests: nanoseconds since 1970
	turns chan struct{}
	count atomic.Int64 // of directories

	changed atomic.Bool // what is listed is not what old found
	early   *early      // of the first walk: what it has found so far; nil: nobody asks

	wait     sync.WaitGroup
	mu       sync.Mutex
	links    []branch       // to directories, not followed yet
	seen     map[dirID]bool // directories that were listed
	dirs     map[string]*directory
	problems []api.Problem
	unsaid   int // problems beyond maxProblems
}

// place is a directory on the way from the logdir down.
type place struct {
	id    dirID
	info  fs.FileInfo // where systems give directories no id; else it may be nil
	up    *place
	links int  // followed on the way, this directory's own included
	alias bool // one of them led to a directory beside it, behind another link
	fresh bool // what was listed before is left out from here on down
}

// branch is a linked directory that waits to be followed.
type branch struct {
	sub   string
	info  fs.FileInfo
	here  *place // where the link stands
	depth int
}

// dirID names a directory, whatever the path to it. See identify.
type dirID struct{ device, inode uint64 }

// is reports whether the place is the directory that info tells of.
func (p *place) is(info fs.FileInfo) bool {
	if id, ok := identify(info); ok {
		return p.id == id
	}
	return os.SameFile(p.info, info)
}

// walk lists t, the tree of r, building on what was found there before. It fails only
// when the logdir itself can not be read.
func walk(ctx context.Context, t tree, r *root, old *memory) (*memory, error) {
	w := newWalker(t, r, old)
	err := w.dir(ctx, "", &place{}, 0)
	w.wait.Wait()
	if err != nil {
		return nil, err
	}
	for len(w.links) > 0 && ctx.Err() == nil {
		w.follow(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.done(), nil
}

func newWalker(t tree, r *root, old *memory) *walker {
	w := &walker{
		early: r.early,
		tree:  t, root: r, old: old, turns: make(chan struct{}, atOnce),
	}
	if old == nil {
		w.old = &memory{}
	}
	w.seen, w.dirs = make(map[dirID]bool, len(w.old.dirs)), make(map[string]*directory, len(w.old.dirs))
	w.full = clock.Since(w.old.full) > fullEvery || r.doubt
	w.turn, w.rest = w.old.turn+1, clock.Now().Add(-restsAfter).UnixNano()
	return w
}

// done puts together what was found.
func (w *walker) done() *memory {
	m := &memory{tree: w.tree, dirs: w.dirs, full: w.old.full, turn: w.turn, found: w.old.found, twins: w.old.twins}
	if w.full {
		m.full = clock.Now()
	}
	if m.changed = w.changed.Load() || len(w.dirs) != len(w.old.dirs); m.changed {
		m.found, m.twins = gather(w.dirs)
	}
	m.problems = append(w.problems, m.twins...)
	slices.SortFunc(m.problems, func(a, b api.Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Error, b.Error))
	})
	if w.unsaid > 0 {
		m.problems = append(m.problems, api.Problem{Path: w.root.below("."), Error: fmt.Sprintf("%d more problems are not shown", w.unsaid)})
	}
	return m
}

// do runs f in a goroutine of its own if there is room for one, here if not.
func (w *walker) do(f func()) {
	select {
	case w.turns <- struct{}{}:
		w.wait.Go(func() {
			defer func() { <-w.turns }()
			f()
		})
	default:
		f()
	}
}

func (w *walker) problem(p, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.problems) == maxProblems {
		w.unsaid++
		return
	}
	if p == "" {
		p = "."
	}
	w.problems = append(w.problems, api.Problem{Path: w.root.below(display(p)), Error: fmt.Sprintf(format, args...)})
}

// follow walks the linked directories that have been found so far. Those whose link
// stands in the logdir proper go together: each is walked whatever the others hold.
// Of those that stand behind a link each is looked at when all before it, by path,
// have been walked.
func (w *walker) follow(ctx context.Context) {
	round := w.links
	w.links = nil
	slices.SortFunc(round, func(a, b branch) int {
		return cmp.Or(cmp.Compare(a.here.links, b.here.links), strings.Compare(a.sub, b.sub))
	})
	for _, b := range round {
		at := &place{up: b.here, links: b.here.links + 1, alias: b.here.alias}
		if b.here.links > 0 {
			id, ok := identify(b.info)
			w.wait.Wait()
			w.mu.Lock()
			before := !ok || w.seen[id]
			w.mu.Unlock()
			switch {
			case !before:
				at.fresh = true
			case b.here.links == 1 && !b.here.alias && w.beside(b):
				at.alias = true
			default:
				continue // it is listed elsewhere
			}
		}
		w.down(ctx, b.sub, at, b.depth)
	}
	w.wait.Wait()
}

// beside reports whether a link leads to a directory that stands where the link does.
func (w *walker) beside(b branch) bool {
	above, err := w.tree.above(b.sub)
	return err == nil && b.here.is(above)
}

// dir walks one directory, of which at says how it was reached. The error is why it
// can not be read.
func (w *walker) dir(ctx context.Context, p string, at *place, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		return errors.New("nested too deeply: open a directory further down as the logdir")
	}
	if w.count.Add(1) > maxDirs {
		return errors.New("too many directories: open one further down as the logdir")
	}
	if d, h := w.unchanged(p); d != nil {
		if at.enter(d.times.id) && !(w.visited(d.times.id) && at.fresh) {
			w.remember(p, d)
			w.entries(ctx, p, d, h, at, depth)
		} else {
			h.close()
		}
		return nil
	}
	f, err := w.tree.open(p)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	id, known := identify(info)
	if at.info = info; !at.enter(id) {
		f.Close()
		return nil
	}
	if at.up != nil && id.device != at.up.id.device {
		if kernel := w.tree.kernel(p); kernel != "" {
			f.Close()
			return errors.New("a file system of the kernel (" + kernel + ") holds no logs")
		}
	}
	if known && w.visited(id) && at.fresh {
		f.Close()
		return nil
	}
	d, err := w.names(p, f, info)
	if err != nil && len(d.names) == 0 {
		f.Close()
		return err
	}
	if err != nil {
		w.problem(p, "could be read only in part: %s", reason(err))
	}
	w.entries(ctx, p, d, dirFile{f}, at, depth)
	return nil
}

// enter notes which directory the place is, and reports whether it is none on its own
// way up: that is a loop, and everything in it is already being listed.
func (p *place) enter(id dirID) bool {
	p.id = id
	for q := p.up; q != nil; q = q.up {
		if p.info == nil && q.id == id || p.info != nil && q.is(p.info) {
			return false
		}
	}
	return true
}

// visited notes that a directory is listed now and reports whether it was before.
func (w *walker) visited(id dirID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.seen[id]
	w.seen[id] = true
	return before
}

// handle is a directory that is open, in which names are asked for.
type handle interface {
	ask(n *name) (facts, error)
	close()
}

// entries lists what d names and walks further down. It closes h, the directory.
func (w *walker) entries(ctx context.Context, p string, d *directory, h handle, here *place, depth int) {
	// Files first: the directory is open until all of them have been asked for.
	if d.files <= statChunk {
		w.files(d.names[:d.files], h)
		h.close()
	} else {
		var chunks sync.WaitGroup
		for chunk := range slices.Chunk(d.names[:d.files], statChunk) {
			chunks.Add(1)
			w.do(func() {
				defer chunks.Done()
				w.files(chunk, h)
			})
		}
		w.do(func() {
			chunks.Wait()
			h.close()
		})
	}
	for i := range d.names[d.files:] {
		n := &d.names[d.files+i]
		switch n.typ {
		case fs.ModeDir:
			w.down(ctx, n.path, &place{up: here, links: here.links, alias: here.alias, fresh: here.fresh}, depth+1)
		case fs.ModeSymlink:
			w.link(n, here, depth)
		default:
			w.problem(n.path, "not a regular file (%s): it is not opened", typeName(n.typ))
		}
	}
}

func (w *walker) down(ctx context.Context, sub string, at *place, depth int) {
	w.do(func() {
		if err := w.dir(ctx, sub, at, depth); err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			w.problem(sub, "directory not listed: %s", reason(err))
		}
	})
}

func (w *walker) link(n *name, here *place, depth int) {
	if !w.tree.follows() {
		w.problem(n.path, "not followed: %s", errLink)
		return
	}
	info, err := w.tree.stat(n.path)
	switch {
	case err != nil:
		w.problem(n.path, "symbolic link that leads nowhere: %s", reason(err))
		w.drop(n)
	case info.IsDir():
		w.drop(n)
		w.mu.Lock()
		w.links = append(w.links, branch{n.path, info, here, depth + 1})
		w.mu.Unlock()
	case n.kind == "":
		w.drop(n)
	case info.Mode().IsRegular():
		w.add(n, factsOf(info))
	default:
		w.problem(n.path, "not a regular file (%s): it is not opened", typeName(info.Mode().Type()))
		w.drop(n)
	}
}

// files asks for size and time of files of one directory.
func (w *walker) files(names []name, dir handle) {
	for i := range names {
		n := &names[i]
		if w.rests(n) {
			continue
		}
		// The name is looked up without confinement, which tells at most a size and
		// a time; opening is confined.
		f, err := dir.ask(n)
		switch {
		case err == nil && f.regular:
			w.add(n, f)
		case err == nil || errors.Is(err, fs.ErrNotExist): // replaced or deleted since the directory was read
			w.drop(n)
		default:
			w.problem(n.path, "not listed: %s", reason(err))
			w.drop(n)
		}
	}
	w.early.add(names)
}

// rests reports whether a file is not asked this time.
func (w *walker) rests(n *name) bool {
	part := n.facts.inode * 0x9e3779b97f4a7c15 >> 32 // file systems give out every other number, too
	return n.listed && !w.full && (part+w.turn)%restsFor != 0 && n.facts.mtime < w.rest && n.facts.changed < w.rest
}

// add lists the file that n names.
func (w *walker) add(n *name, f facts) {
	if n.listed && n.facts == f {
		return
	}
	// The system is asked once per file and not at every walk: a right that is
	// taken away later shows when the file is opened.
	if !n.listed && !w.tree.readable(n.path) {
		w.problem(n.path, "no permission to read: change its mode, or run as its owner")
		return
	}
	n.listed, n.facts = true, f
	n.entry = entry{File: listed(w.root.below(display(n.path)), f, n.kind), root: w.root, real: n.path}
	w.changed.Store(true)
}

// drop takes n out of the listing.
func (w *walker) drop(n *name) {
	if n.listed {
		n.listed = false
		w.changed.Store(true)
	}
}

// reason is err's cause without the path, which stands beside it.
func reason(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "no permission to read; change its mode, or run as its owner"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func typeName(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return m.String()
}
