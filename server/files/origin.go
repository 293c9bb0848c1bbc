package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// An Origin is a place of files that is none of this machine's file systems: a part of a
// bucket in an object store. A Root that has one is listed and read through it, and all
// else is as with a directory: one listing for everybody, paths that are looked up in it.
//
// Its errors are *source.Error, in words for the user.
type Origin interface {
	// List tells of every object of the place, in any order, or fails. What was told
	// before it failed does not count, and each may end it by an error of its own.
	List(ctx context.Context, each func(Object) error) error
	// Read begins to read an object where offset is, at most length bytes. It is the
	// object that was listed, with all bytes, or an error: source.Changed where another
	// one has taken its place.
	Read(ctx context.Context, o Object, offset, length int64) (io.ReadCloser, error)
	// Link returns an address at which a browser can read the object for a while; ""
	// where there is none.
	Link(ctx context.Context, o Object) (string, error)
	// LinkOrigin is the origin ("https://host") of these addresses. The error says why it
	// has none.
	LinkOrigin(ctx context.Context) (string, error)
	// Close ends its use.
	Close() error
}

// An Origin may also have Problems() []api.Problem: what was wrong with single files when it was
// listed last, by their keys.

// Object is one object of an Origin.
type Object struct {
	// Key is its name below the place, as the store has it: not necessarily a path.
	Key string
	// Size is its length in bytes, MTime when it was written, in nanoseconds since 1970.
	Size, MTime int64
	// Tag is another one whenever its bytes are others: an ETag without quotes, or what
	// the store has in place of one.
	Tag string
}

// What a listing of objects holds at most: a page of a million files is of no use to
// anybody, and all of it is in memory. Tests set them.
var (
	// mostObjects is how many objects are looked at.
	mostObjects = 5_000_000
	// mostListed is how many of them are listed.
	mostListed = 500_000
)

// errMost ends a listing that has become too long.
var errMost = errors.New("too many")

// version is an object's version as the listing, batches and ETags have it.
func (o Object) version() uint64 {
	h := fnv.New64a()
	io.WriteString(h, o.Tag)
	h.Write(strconv.AppendInt([]byte{0}, o.Size, 10))
	if o.Tag == "" {
		h.Write(strconv.AppendInt([]byte{0}, o.MTime, 10))
	}
	return max(1, h.Sum64())
}

// objectPath returns a key as a path of the listing, "" where it is none: keys that end
// in a slash are what consoles make for folders. Parts that are no names of files are
// written so that they are: empty ones join the next as "\x2f", "." and ".." get their
// dots escaped, as bytes that are not UTF-8 are.
func objectPath(key string) string {
	if key == "" || strings.HasSuffix(key, "/") {
		return ""
	}
	if api.ValidPath(key) {
		return display(key)
	}
	var parts []string
	slashes := ""
	for part := range strings.SplitSeq(key, "/") {
		if part == "" {
			slashes += `\x2f`
			continue
		}
		if part == "." || part == ".." {
			part = strings.ReplaceAll(part, ".", `\x2e`)
		}
		parts = append(parts, slashes+strings.ReplaceAll(part, "\x00", `\x00`))
		slashes = ""
	}
	return display(strings.Join(parts, "/"))
}

// walkOrigin lists the objects of r. Of a root whose listing has failed nothing is
// changed: what was listed before stays, and the problem is told beside it, unless
// nothing was.
func (r *root) walkOrigin(ctx context.Context, alone bool) error {
	l := objectLister{root: r, beside: map[string][]entry{}, configs: map[string]bool{}}
	err := r.Origin.List(ctx, l.add)
	if errors.Is(err, errMost) {
		err = nil
		where := "give a folder further down: " + r.Dir + "/…"
		l.say(r.Name, fmt.Sprintf("the listing ends after %d objects, %d of them files to show, and what comes after is not shown: %s",
			l.looked, len(l.found), where))
	}
	if l.looked == 0 && err == nil {
		l.say(r.Name, "nothing stands at "+r.Dir+" so far: check its spelling, which is that of the keys "+
			"(wildcards are not known here); what appears is shown")
	}
	old := r.memory
	if err != nil {
		if old == nil || alone {
			return err
		}
		kept := *old
		kept.problems = []api.Problem{{Path: cmp.Or(r.Name, "."), Error: "not listed anew, what was there before is shown: " + err.Error()}}
		kept.changed = !slices.Equal(kept.problems, old.problems)
		r.memory = &kept
		return nil
	}
	if o, ok := r.Origin.(interface{ Problems() []api.Problem }); ok {
		for _, p := range o.Problems() {
			p.Path = r.below(p.Path)
			l.problems = append(l.problems, p)
		}
	}
	m := l.done()
	m.changed = old == nil || !slices.Equal(m.found, old.found) || !slices.Equal(m.problems, old.problems)
	r.memory = m
	return nil
}

// objectLister makes a listing of the objects that it is told of.
type objectLister struct {
	root   *root
	looked int
	found  []entry
	fresh  []name // since the last time that early was told
	// Files that matter only beside a projector's configuration, which may be told of
	// later, by directory; and the directories that have one.
	beside   map[string][]entry
	waiting  int
	configs  map[string]bool
	problems []api.Problem
}

// say adds a problem of the whole place.
func (l *objectLister) say(name, text string) {
	l.problems = append(l.problems, api.Problem{Path: cmp.Or(name, "."), Error: text})
}

func (l *objectLister) add(o Object) error {
	if l.looked++; l.looked > mostObjects {
		return errMost
	}
	p := objectPath(o.Key)
	if p == "" {
		return nil
	}
	dir, base := path.Split(p)
	last := path.Base(dir)
	kind := api.KindOf(last, base, false)
	sure := kind != ""
	if !sure {
		kind = api.KindOf(last, base, true)
	}
	if kind == "" || !sure && l.waiting == mostListed {
		return nil
	}
	if len(l.found) == mostListed {
		return errMost
	}
	e := entry{root: l.root, real: o.Key, tag: o.Tag,
		File: api.File{Path: l.root.below(p), Size: o.Size, MTime: o.MTime, Kind: kind, Version: api.VersionText(o.version())}}
	if l.root.links && o.Tag != "" {
		e.Version = o.Tag // as the store itself will say
	}
	if !sure {
		l.beside[dir] = append(l.beside[dir], e)
		l.waiting++
		return nil
	}
	if base == api.ProjectorConfig {
		l.configs[dir] = true
	}
	l.found = append(l.found, e)
	if l.root.early != nil {
		if l.fresh = append(l.fresh, name{listed: true, entry: e}); len(l.fresh) == 1000 {
			l.tell()
		}
	}
	return nil
}

// tell has who waits for the first listing told of what there is so far.
func (l *objectLister) tell() {
	l.root.early.add(l.fresh)
	l.fresh = l.fresh[:0]
}

func (l *objectLister) done() *memory {
	if l.root.early != nil {
		l.tell()
	}
	for dir := range l.configs {
		l.found = append(l.found, l.beside[dir]...)
	}
	slices.SortFunc(l.found, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.real, b.real))
	})
	l.found = slices.CompactFunc(l.found, func(a, b entry) bool {
		if a.Path == b.Path && len(l.problems) < maxProblems {
			l.problems = append(l.problems, api.Problem{Path: a.Path, Error: "its name is shown like another object's: rename one of them"})
		}
		return a.Path == b.Path
	})
	return &memory{found: l.found, problems: l.problems}
}

// object is the entry's object in its root's origin.
func (e entry) object() Object {
	return Object{Key: e.real, Size: e.Size, MTime: e.MTime, Tag: e.tag}
}

// openObject opens an object that is listed. Nothing is asked of the store for it: which
// object it is the listing says, and each read holds it to that.
func (s *Store) openObject(ctx context.Context, e entry) *File {
	o := &object{ctx: ctx, store: s, of: e.object(), origin: e.root.Origin}
	return &File{content: o, size: e.Size, version: e.object().version(), object: o, Version: e.Version}
}

// object is an object that is open.
type object struct {
	ctx    context.Context
	store  *Store
	of     Object
	origin Origin

	at    int64         // of Read and Seek
	body  io.ReadCloser // what Read or ReadAt has begun to read; nil: nothing
	from  int64         // where body stands
	ends  int64         // where it ends
	until int64         // where what is begun next ends; 0: at the end
	next  int64         // where the last ReadAt ended
}

// begin begins to read at off, up to end.
func (o *object) begin(off, end int64) error {
	o.end()
	body, err := o.origin.Read(o.ctx, o.of, off, end-off)
	if err != nil {
		return o.told(err)
	}
	o.body, o.from, o.ends = body, off, end
	return nil
}

// told makes the next listing a new one where the object is not what was listed.
func (o *object) told(err error) error {
	var e *source.Error
	if errors.As(err, &e) && (e.Trouble == source.Changed || e.Trouble == source.Gone) {
		o.store.stale.Store(true)
	}
	return err
}

func (o *object) end() {
	if o.body != nil {
		o.body.Close()
		o.body = nil
	}
}

// Read implements io.Reader.
func (o *object) Read(b []byte) (int, error) {
	if o.at >= o.of.Size {
		return 0, io.EOF
	}
	if o.body == nil || o.from != o.at {
		end := o.of.Size
		if o.until > o.at {
			end = min(end, o.until)
		}
		if err := o.begin(o.at, end); err != nil {
			return 0, err
		}
	}
	n, err := o.body.Read(b)
	o.at, o.from = o.at+int64(n), o.from+int64(n)
	if err == io.EOF && o.at < o.of.Size {
		o.end()
		err = nil
	} else if err != nil && err != io.EOF {
		err = o.told(err)
	}
	return n, err
}

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.of.Size
	}
	if offset < 0 {
		return 0, errors.New("a place before the beginning")
	}
	o.at = offset
	return offset, nil
}

// ReadAt implements io.ReaderAt, for one caller at a time. One that reads on where it
// ended before is likely to go on to the end, so no request is made for each piece.
func (o *object) ReadAt(b []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(b)), o.of.Size-off)))
	if n == 0 {
		if len(b) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	if o.body == nil || o.from != off || o.ends < off+int64(n) {
		end := off + int64(n)
		if off > 0 && off == o.next {
			end = o.of.Size
		}
		if err := o.begin(off, end); err != nil {
			return 0, err
		}
	}
	k, err := io.ReadFull(o.body, b[:n])
	o.from += int64(k)
	o.next = o.from
	if err != nil {
		o.end()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return k, o.told(err)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Close implements io.Closer.
func (o *object) Close() error {
	o.end()
	return nil
}

// AtOnce is how many files are read at a time by who reads them all: of a store that is
// waited for more than there are processors.
func (s *Store) AtOnce(processors int) int {
	if s.Remote() {
		return max(processors, 8)
	}
	return processors
}

// Remote reports whether some of the files are not on this machine.
func (s *Store) Remote() bool {
	return slices.ContainsFunc(s.roots, func(r *root) bool { return r.Origin != nil })
}

// LinkOrigins are the origins that browsers are sent to for the files of Origins.
func (s *Store) LinkOrigins(ctx context.Context) ([]string, error) {
	var origins []string
	for _, r := range s.roots {
		if r.Origin == nil {
			continue
		}
		o, err := r.Origin.LinkOrigin(ctx)
		if err != nil {
			return nil, err
		}
		origins = append(origins, o)
	}
	return origins, nil
}

// slowly is how much longer than a listing takes the next one is waited for: a bucket of a
// million objects is asked a thousand times for one.
const slowly = 4

// age is how old the last listing may become before there is another one.
func (s *Store) age(last *snapshot) time.Duration {
	if !s.Remote() {
		return s.rest
	}
	if s.forced.Load() {
		return 0
	}
	if s.stale.Load() {
		return min(s.rest, staleFor)
	}
	return max(s.rest, slowly*last.took)
}

// staleFor is how long a listing is kept of which something is known to have changed.
const staleFor = time.Second
