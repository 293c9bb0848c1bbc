package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
	real string // its path in the root's tree, which is File.Path without the root's name but where that is not UTF-8
}

type walker struct {
	tree  tree
	known func(path string) bool // files that were readable at the last walk
	turns chan struct{}
	dirs  atomic.Int64

	wait     sync.WaitGroup
	mu       sync.Mutex
	links    []branch       // to directories, not followed yet
	seen     map[dirID]bool // directories that were listed
	found    []entry
	problems []api.Problem
	unsaid   int // problems beyond maxProblems
}

// place is a directory on the way from the logdir down.
type place struct {
	info  fs.FileInfo
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

// walk lists t. It fails only when the logdir itself can not be read.
func walk(ctx context.Context, t tree, known func(path string) bool) ([]entry, []api.Problem, error) {
	w := &walker{tree: t, known: known, turns: make(chan struct{}, atOnce), seen: make(map[dirID]bool)}
	err := w.dir(ctx, "", &place{}, 0)
	w.wait.Wait()
	if err != nil {
		return nil, nil, err
	}
	for len(w.links) > 0 && ctx.Err() == nil {
		w.follow(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(w.found, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.real, b.real))
	})
	w.dropTwins()
	slices.SortFunc(w.problems, func(a, b api.Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Error, b.Error))
	})
	if w.unsaid > 0 {
		w.problems = append(w.problems, api.Problem{Path: ".", Error: fmt.Sprintf("%d more problems are not shown", w.unsaid)})
	}
	return w.found, w.problems, nil
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
	w.problems = append(w.problems, api.Problem{Path: display(p), Error: fmt.Sprintf(format, args...)})
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
	return err == nil && os.SameFile(above, b.here.info)
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
	if w.dirs.Add(1) > maxDirs {
		return errors.New("too many directories: open one further down as the logdir")
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
	for q := at.up; q != nil; q = q.up {
		if os.SameFile(q.info, info) {
			f.Close()
			return nil // a loop; everything in it is already being listed
		}
	}
	if at.up != nil && !sameDevice(at.up.info, info) {
		if kernel := w.tree.kernel(p); kernel != "" {
			f.Close()
			return errors.New("a file system of the kernel (" + kernel + ") holds no logs")
		}
	}
	if w.visited(info) && at.fresh {
		f.Close()
		return nil
	}
	at.info = info
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil && len(entries) == 0 {
		return err
	}
	if err != nil {
		w.problem(p, "could be read only in part: %s", reason(err))
	}
	w.entries(ctx, p, entries, at, depth)
	return nil
}

// visited notes that a directory is listed now and reports whether it was before.
func (w *walker) visited(info fs.FileInfo) bool {
	id, ok := identify(info)
	if !ok {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.seen[id]
	w.seen[id] = true
	return before
}

func (w *walker) entries(ctx context.Context, p string, entries []fs.DirEntry, here *place, depth int) {
	beside := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == api.ProjectorConfig })
	var plain []fs.DirEntry
	for _, e := range entries {
		sub := path.Join(p, e.Name())
		switch e.Type() {
		case fs.ModeDir:
			w.down(ctx, sub, &place{up: here, links: here.links, alias: here.alias, fresh: here.fresh}, depth+1)
		case 0:
			if api.KindOf(path.Base(p), e.Name(), beside) != "" {
				plain = append(plain, e)
			}
		case fs.ModeSymlink:
			w.link(ctx, p, e.Name(), beside, here, depth)
		default:
			if api.KindOf(path.Base(p), e.Name(), beside) != "" {
				w.problem(sub, "not a regular file (%s): it is not opened", typeName(e.Type()))
			}
		}
	}
	for chunk := range slices.Chunk(plain, statChunk) {
		w.do(func() { w.files(p, chunk, beside) })
	}
}

func (w *walker) down(ctx context.Context, sub string, at *place, depth int) {
	w.do(func() {
		if err := w.dir(ctx, sub, at, depth); err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			w.problem(sub, "directory not listed: %s", reason(err))
		}
	})
}

func (w *walker) link(ctx context.Context, p, name string, beside bool, here *place, depth int) {
	sub := path.Join(p, name)
	if !w.tree.follows() {
		w.problem(sub, "not followed: %s", errLink)
		return
	}
	info, err := w.tree.stat(sub)
	if err != nil {
		w.problem(sub, "symbolic link that leads nowhere: %s", reason(err))
		return
	}
	kind := api.KindOf(path.Base(p), name, beside)
	switch {
	case info.IsDir():
		w.mu.Lock()
		w.links = append(w.links, branch{sub, info, here, depth + 1})
		w.mu.Unlock()
	case kind == "":
	case info.Mode().IsRegular():
		w.add(sub, info, kind)
	default:
		w.problem(sub, "not a regular file (%s): it is not opened", typeName(info.Mode().Type()))
	}
}

func (w *walker) files(p string, entries []fs.DirEntry, beside bool) {
	for _, e := range entries {
		// Info looks the name up without confinement, which tells at most a size
		// and a time; opening is confined.
		info, err := e.Info()
		sub := path.Join(p, e.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted since the directory was read
		case err != nil:
			w.problem(sub, "not listed: %s", reason(err))
		case info.Mode().IsRegular():
			w.add(sub, info, api.KindOf(path.Base(p), e.Name(), beside))
		}
	}
}

func (w *walker) add(p string, info fs.FileInfo, kind api.Kind) {
	e := entry{listed(display(p), info, kind), nil, p}
	// The system is asked once per file and not at every walk: a right that is
	// taken away later shows when the file is opened.
	if !w.known(e.Path) && !w.tree.readable(p) {
		w.problem(p, "no permission to read: change its mode, or run as its owner")
		return
	}
	w.mu.Lock()
	w.found = append(w.found, e)
	w.mu.Unlock()
}

// dropTwins drops all but one of the files whose names become equal by display.
func (w *walker) dropTwins() {
	w.found = slices.CompactFunc(w.found, func(a, b entry) bool {
		if a.Path == b.Path {
			w.problem(b.real, "its name is shown like another file's: rename it to valid UTF-8")
			return true
		}
		return false
	})
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
