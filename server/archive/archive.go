// Package archive makes a logdir of a file that holds others: .zip, .tar, .tar.gz, .tgz, and an
// event file that was packed by itself (.gz). What is in it is handed on as a files.Origin.
//
// What stands in the archive unpacked is read where it stands. What is packed is unpacked once,
// when it is first listed: of the files those that a logdir lists, one after the other into one
// temporary file, which is gone with the program. A file that is damaged in its archive has the
// bytes up to there, and a Problem: event files prove each record themselves. An archive that
// is replaced is read anew, and what was listed of the one before is answered as changed.
//
// The page does the same with an archive that is dropped (static/lazy/unpack), by the same rules:
// paths without the one folder that holds all the others, unless that folder is a run and nothing
// else; macOS's own files left out.
package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
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

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// ends are the ends of archives' names, in lower case, with what reads each.
var ends = []struct {
	end  string
	read func(*reading) error
}{
	{".zip", (*reading).zip},
	{".tar.gz", (*reading).tarGz},
	{".tgz", (*reading).tarGz},
	{".tar", (*reading).tar},
	{".gz", (*reading).gz},
}

// Is reports whether there is a file at name that is an archive by its name.
func Is(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Mode().IsRegular() && reader(name) != nil
}

func reader(name string) func(*reading) error {
	for _, e := range ends {
		if base := filepath.Base(name); len(base) > len(e.end) && strings.EqualFold(base[len(base)-len(e.end):], e.end) {
			return e.read
		}
	}
	return nil
}

// Archive is an archive that is open.
type Archive struct {
	path string

	mu  sync.Mutex
	now *content // nil: it has not been read so far
}

// content is what an archive holds.
type content struct {
	tag      string // another one when the archive is another
	file     *os.File
	unpacked *os.File // nil: nothing had to be
	members  map[string]member
	problems []api.Problem
}

// member is a file of an archive.
type member struct {
	files.Object
	in io.ReaderAt // the archive or the temporary file
	at int64       // where it begins there
}

// Open opens the archive at a path. Nothing of it is read before it is listed.
func Open(name string) *Archive { return &Archive{path: name} }

// List implements files.Origin.
func (a *Archive) List(ctx context.Context, each func(files.Object) error) error {
	a.mu.Lock()
	err := a.look(ctx)
	var members map[string]member // of one content they stay as they are
	if err == nil {
		members = a.now.members
	}
	a.mu.Unlock()
	if err != nil {
		return err
	}
	for _, m := range members {
		if err := each(m.Object); err != nil {
			return err
		}
	}
	return nil
}

// Problems are what is wrong with the archive that was listed, with the files as listed.
func (a *Archive) Problems() []api.Problem {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now == nil {
		return nil
	}
	return a.now.problems
}

// look reads the archive unless it is the one that was read before.
func (a *Archive) look(ctx context.Context) error {
	fi, err := os.Stat(a.path)
	if err != nil {
		trouble := source.Broken
		if errors.Is(err, fs.ErrNotExist) {
			trouble = source.Gone
		}
		return &source.Error{Trouble: trouble, Reason: "the archive cannot be read: " + err.Error(), Remedy: "put it back, or check its permissions"}
	}
	tag := fmt.Sprintf("%x-%x", fi.ModTime().UnixNano(), fi.Size())
	if a.now != nil && a.now.tag == tag {
		return nil
	}
	c, err := read(ctx, a.path, tag)
	if err != nil {
		return err
	}
	if a.now != nil {
		a.now.close()
	}
	a.now = c
	return nil
}

// Read implements files.Origin.
func (a *Archive) Read(_ context.Context, o files.Object, offset, length int64) (io.ReadCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m, ok := member{}, false
	if a.now != nil {
		m, ok = a.now.members[o.Key]
	}
	if !ok || m.Object != o {
		return nil, replaced()
	}
	offset = min(max(offset, 0), m.Size)
	return part{io.NewSectionReader(m.in, m.at+offset, min(length, m.Size-offset))}, nil
}

func replaced() error {
	return &source.Error{Trouble: source.Changed, Reason: "the archive was replaced", Remedy: "the page reads the new one by itself"}
}

// part is a part of a member.
type part struct{ *io.SectionReader }

// Read implements io.Reader. What is read when the archive is replaced ends.
func (p part) Read(b []byte) (int, error) {
	n, err := p.SectionReader.Read(b)
	if errors.Is(err, fs.ErrClosed) {
		err = replaced()
	}
	return n, err
}

// Close implements io.Closer.
func (p part) Close() error { return nil }

// Link implements files.Origin: no browser can read in an archive.
func (a *Archive) Link(context.Context, files.Object) (string, error) { return "", nil }

// LinkOrigin implements files.Origin.
func (a *Archive) LinkOrigin(context.Context) (string, error) {
	return "", errors.New("the logdir is an archive, which has no address of its own: leave --read out")
}

// Close implements files.Origin.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now == nil {
		return nil
	}
	c := a.now
	a.now = nil
	return c.close()
}

func (c *content) close() error {
	err := c.file.Close()
	if c.unpacked != nil {
		c.unpacked.Close()
		os.Remove(c.unpacked.Name()) // where that was not possible while it was open
	}
	return err
}

// reading is an archive that is being read.
type reading struct {
	ctx context.Context
	*content
	size  int64  // of the archive
	name  string // its file's
	mtime int64
	next  int64            // where the temporary file ends
	found map[string]found // by name in the archive; of two of a name the last counts, as when they are unpacked
}

// found is a member, and what is wrong with it.
type found struct {
	member
	problem string
}

// read reads an archive, and unpacks what must be.
func read(ctx context.Context, name, tag string) (_ *content, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &source.Error{Trouble: source.Refused, Reason: "the archive cannot be read: " + err.Error(), Remedy: "check its permissions"}
	}
	c := &content{tag: tag, file: f}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := &reading{ctx: ctx, content: c, size: fi.Size(), name: fi.Name(), mtime: fi.ModTime().UnixNano(), found: make(map[string]found)}
	if err := reader(name)(r); err != nil {
		var e *source.Error
		if errors.As(err, &e) || ctx.Err() != nil {
			return nil, err
		}
		if len(r.found) == 0 {
			return nil, &source.Error{Trouble: source.Refused, Reason: "the archive is cut short, or is none (" + err.Error() + ")", Remedy: "get it anew"}
		}
		problem := "it is damaged (" + err.Error() + "): files may be missing, get it anew"
		if errors.Is(err, errBomb) {
			problem = "it is read no further than to a file that is left out: files may be missing" + yourself
		}
		r.problems = append(r.problems, api.Problem{Path: fi.Name(), Error: problem})
	}
	r.place()
	return c, nil
}

// place gives the members their paths.
func (r *reading) place() {
	names := make([]string, 0, len(r.found))
	for name := range r.found {
		names = append(names, name)
	}
	slices.Sort(names)
	before := ""
	if len(names) > 0 {
		before, _, _ = strings.Cut(names[0], "/")
		before += "/"
	}
	isRun := true
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, before)
		if !ok {
			before = ""
			break
		}
		isRun = isRun && (!strings.Contains(path.Base(name), "tfevents") || !strings.Contains(rest, "/"))
	}
	if isRun {
		before = ""
	}
	r.members = make(map[string]member, len(names))
	for _, name := range names {
		f := r.found[name]
		f.Key = strings.TrimPrefix(name, before)
		f.Tag = r.tag
		if f.problem != "" {
			r.problems = append(r.problems, api.Problem{Path: f.Key, Error: f.problem})
		}
		if f.in != nil {
			r.members[f.Key] = f.member
		}
	}
}

// wanted returns a name in the archive as a path, "" if it is no file that a logdir lists.
func wanted(name string) string {
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	name = strings.Join(parts, "/")
	dir, base := path.Split(name)
	if strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") || !api.ValidPath(name) ||
		api.KindOf(path.Base(dir), base, true) == "" {
		return ""
	}
	return name
}

// add takes a member that stands somewhere.
func (r *reading) add(name string, in io.ReaderAt, at, size, mtime int64, problem string) {
	r.found[name] = found{member{files.Object{Size: size, MTime: mtime}, in, at}, problem}
}

// leave says why a member is left out.
func (r *reading) leave(name, why string) { r.found[name] = found{problem: why} }

// What browsers and this program do not unpack.
const (
	yourself = ": unpack it yourself, and give the folder"
	odd      = "it is not unpacked, since its bytes are packed as no event file's are" + yourself
)

// So many bytes from one are no event file's, whose own are not packed better than ten to one.
const (
	bombRatio = 200
	smallBomb = 1 << 28
)

// errBomb ends the unpacking of what would fill the disk. A stream of which that is a part is read
// no further.
var errBomb = errors.New(odd)

// unpack copies a member into the temporary file. packed says how many bytes of the archive have
// gone into it.
func (r *reading) unpack(name string, from io.Reader, mtime int64, packed func() int64) error {
	if r.unpacked == nil {
		f, err := os.CreateTemp("", "tensorbored-archive-")
		if err != nil {
			return fullDisk(err)
		}
		r.unpacked = f
		os.Remove(f.Name()) // nothing is left of it, however the program ends; see close
	}
	begin := r.next
	end := func(problem string) { r.add(name, r.unpacked, begin, r.next-begin, mtime, problem) }
	for buf := make([]byte, 256<<10); ; {
		n, err := from.Read(buf)
		if _, err := r.unpacked.WriteAt(buf[:n], r.next); err != nil {
			return fullDisk(err)
		}
		r.next += int64(n)
		full := r.next - begin
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case full > smallBomb && full > bombRatio*packed():
			r.next = begin
			r.leave(name, odd)
			return errBomb
		case err == io.EOF:
			end("")
			return nil
		case errors.Is(err, zip.ErrChecksum):
			end("its bytes are not those that were packed (the checksum differs): get it anew")
			return err
		case err != nil:
			end(damaged(full))
			return err
		}
	}
}

// damaged says how much there is of a file.
func damaged(after int64) string {
	return fmt.Sprintf("it is damaged in its archive after %d bytes: what stands before is shown, get it anew", after)
}

// zip reads a zip.
func (r *reading) zip() error {
	z, err := zip.NewReader(r.file, r.size)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		name := f.Name
		if !strings.Contains(name, "/") { // PowerShell 5 packed with the slashes of Windows
			name = strings.ReplaceAll(name, `\`, "/")
		}
		name = wanted(name)
		mtime := f.Modified.UnixNano()
		switch full, packed := int64(f.UncompressedSize64), int64(f.CompressedSize64); {
		case name == "" || f.Mode().IsDir():
		case f.Flags&1 != 0:
			r.leave(name, "it is encrypted in its archive"+yourself)
		case f.Mode()&fs.ModeSymlink != 0:
			r.leave(name, "it is a symbolic link in its archive: give the folder that it leads to")
		case f.Method == zip.Store:
			if at, err := f.DataOffset(); err != nil {
				r.leave(name, damaged(0))
			} else {
				r.stands(name, at, full, mtime)
			}
		case f.Method != zip.Deflate:
			r.leave(name, fmt.Sprintf("it is packed in a way (%d) that is not known here%s", f.Method, yourself))
		default:
			from, err := f.Open()
			if err != nil {
				r.leave(name, damaged(0))
				continue
			}
			err = r.unpack(name, from, mtime, func() int64 { return packed })
			from.Close()
			if err := r.fatal(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fatal returns an error of unpacking one file if others cannot be unpacked either.
func (r *reading) fatal(err error) error {
	if e := (*source.Error)(nil); errors.As(err, &e) || r.ctx.Err() != nil {
		return err
	}
	return nil
}

// stands adds a member that is not packed.
func (r *reading) stands(name string, at, size, mtime int64) {
	if there := max(0, r.size-at); size > there || size < 0 { // a zip can say 2⁶³ and more
		r.add(name, r.file, at, there, mtime, damaged(there))
		return
	}
	r.add(name, r.file, at, size, mtime, "")
}

// counted counts what is read, and notes the end.
type counted struct {
	from  io.Reader
	n     int64
	ended bool
}

// Read implements io.Reader.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.n += int64(n)
	c.ended = c.ended || err != nil
	return n, err
}

// Seek implements io.Seeker where that is possible: what is not wanted of a tar is not read.
func (c *counted) Seek(offset int64, whence int) (int64, error) {
	s, ok := c.from.(io.Seeker)
	if !ok {
		return -1, errors.ErrUnsupported
	}
	at, err := s.Seek(offset, whence)
	if err == nil {
		c.n = at
	}
	return at, err
}

// gz reads a file that was packed by itself.
func (r *reading) gz() error {
	name := wanted(r.name[:len(r.name)-len(".gz")])
	if name == "" {
		return nil
	}
	packed := &counted{from: r.file}
	from, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	return r.fatal(r.unpack(name, from, r.mtime, func() int64 { return packed.n }))
}

func (r *reading) tarGz() error {
	packed := &counted{from: r.file}
	from, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	return r.blocks(from, func(name string, h *tar.Header, t *tar.Reader, _ int64) error {
		err := r.unpack(name, t, h.ModTime.UnixNano(), func() int64 { return packed.n })
		if errors.Is(err, errBomb) {
			return err
		}
		return r.fatal(err)
	})
}

func (r *reading) tar() error {
	return r.blocks(io.NewSectionReader(r.file, 0, r.size), func(name string, h *tar.Header, t *tar.Reader, at int64) error {
		if sparse(h) { // it does not stand there as it is
			return r.fatal(r.unpack(name, t, h.ModTime.UnixNano(), func() int64 { return r.size }))
		}
		r.stands(name, at, h.Size, h.ModTime.UnixNano())
		return nil
	})
}

// sparse reports whether a tar leaves holes of a file out.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// blocks walks a tar, whose blocks have 512 bytes. each is told of a file, and where it begins;
// its error ends the walk.
// After a header that is damaged it goes on with the next block that is one.
func (r *reading) blocks(from io.Reader, each func(name string, h *tar.Header, t *tar.Reader, at int64) error) error {
	all := &counted{from: from}
	t := tar.NewReader(all)
	var torn error
	for {
		h, err := t.Next()
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err == io.EOF && (torn == nil || all.ended):
			// What a gzip's checksum says of all of it is known at its end.
			if _, err := io.Copy(io.Discard, all); err != nil {
				torn = err
			}
			return torn
		case err == io.EOF, errors.Is(err, tar.ErrHeader) && !all.ended:
			// Zeros in the middle of a file whose header is damaged are not the end.
			if torn == nil {
				torn = err
			}
			t = tar.NewReader(all)
			continue
		case err != nil:
			return err
		}
		name := wanted(h.Name)
		if name == "" || h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse {
			continue
		}
		if err := each(name, h, t, all.n); err != nil {
			return err
		}
	}
}

// fullDisk says that there is no room.
func fullDisk(err error) error {
	return &source.Error{Trouble: source.Refused, Reason: "the archive cannot be unpacked: " + err.Error(),
		Remedy: "set TMPDIR to a directory with room for it, or " + strings.TrimPrefix(yourself, ": ")}
}
