package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// A site is brought up to date beside what stands there. Everything new is written under
// new names first: scripts have their content's hash in theirs, files of a logdir stand in
// a directory of their own (files, files-1, …) that only the new listing names. Then the
// listing and the page get their names, each at once (package part), the page first with
// what both listings need. So whenever the program is killed and wherever the disk is
// full, the site is the old one or the new one. In the end what earlier runs have written
// and this one has not is removed, and nothing else: siteFiles names it, a line for each
// file, which is added before the file is made.

const (
	// siteFiles is where a site keeps the names of what was written to it, and sizes.
	siteFiles = ".tensorbored-static.files"
	siteHead  = "# What tensorbored-static pages has written here. It removes nothing else.\n"
	// siteMark tells GitHub's host to publish directories whose names start with a dot
	// or an underscore.
	siteMark = ".nojekyll"
)

// Sizes of entries that are no files of a known size.
const (
	unknownSize = -1
	linkSize    = -2
)

// SiteError says why a directory can not become a site.
type SiteError struct {
	Dir    string
	Reason string
	Remedy string
}

// Error names the directory, the reason and the remedy.
func (e *SiteError) Error() string { return e.Dir + " " + e.Reason + ": " + e.Remedy }

// site is a site that is being written.
type site struct {
	ctx      context.Context
	dir      string
	root     *os.Root
	lock     *os.File
	list     *os.File         // siteFiles, to be added to
	old      map[string]int64 // sizes of what earlier runs wrote
	now      map[string]int64 // of what this one wrote, or left there
	made     bool             // the directory is new
	switched bool             // something new has got the name of something old
}

// openSite makes dir ready. It must be new, empty, or an earlier site, and not inside
// the logdir, where the site's copies would be found as runs. The error is a *SiteError.
func openSite(ctx context.Context, dir, logdir string) (*site, error) {
	if logdir != "" && within(dir, logdir) {
		return nil, &SiteError{dir, "is inside the logdir", "give a directory elsewhere, or the copies would be listed as runs"}
	}
	if _, err := os.ReadDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &SiteError{dir, "cannot be used (" + err.Error() + ")", "give a new or an empty directory"}
	}
	_, there := os.Lstat(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &SiteError{dir, "cannot be made (" + err.Error() + ")", "give a directory that you may write to"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &SiteError{dir, "cannot be used (" + err.Error() + ")", "give a new or an empty directory"}
	}
	s := &site{ctx: ctx, dir: dir, root: root, made: there != nil, now: map[string]int64{}}
	if s.lock, err = root.Open("."); err == nil {
		if part.Lock(s.lock) != nil {
			s.close()
			return nil, &SiteError{dir, "is being written by another pages", "wait until it is done"}
		}
	}
	if s.old = s.earlier(); s.old == nil {
		s.close()
		return nil, &SiteError{dir, "holds something else", "give a new or an empty directory"}
	}
	return s, nil
}

// within reports whether dir is other or below it, by whatever links.
func within(dir, other string) bool {
	fi, err := os.Stat(other)
	if err != nil {
		return false
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false
	}
	for exists := false; ; dir = filepath.Dir(dir) {
		if !exists { // where links lead is known of what is there
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir, exists = real, true
			}
		}
		if at, err := os.Stat(dir); err == nil && os.SameFile(at, fi) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func (s *site) close() {
	if s.list != nil {
		s.list.Close()
	}
	if s.lock != nil {
		s.lock.Close()
	}
	s.root.Close()
}

// earlier is what earlier runs have written; nil if something stands there and no run
// has written it.
func (s *site) earlier() map[string]int64 {
	old := map[string]int64{}
	if text, err := s.root.ReadFile(siteFiles); err == nil {
		in := bufio.NewReader(bytes.NewReader(text))
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return old // half a line is of a file that was not begun
			}
			quoted, size, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			name, err := strconv.Unquote(quoted)
			n, e := strconv.ParseInt(size, 10, 64)
			if err == nil && e == nil && filepath.IsLocal(filepath.FromSlash(name)) {
				old[name] = n
			}
		}
	}
	entries, err := os.ReadDir(s.dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return part.Is(e.Name()) })
	if err == nil && len(entries) == 0 {
		return old
	}
	return s.before()
}

// asset is the name of a script or the like with its content's hash.
var asset = regexp.MustCompile(`^[\w-]+\.[0-9a-f]{12}\.\w+(\.br|\.gz)?$`)

// before is what a program wrote that did not yet keep siteFiles; nil if none did.
func (s *site) before() map[string]int64 {
	page, err := s.root.ReadFile("index.html")
	if _, e := s.root.Stat(siteMark); err != nil || e != nil || !bytes.Contains(page, []byte(" data-program=")) {
		return nil
	}
	old := map[string]int64{"index.html": unknownSize, siteMark: unknownSize}
	if d, err := s.root.Open("assets"); err == nil {
		names, _ := d.Readdirnames(-1)
		d.Close()
		for _, name := range names {
			if asset.MatchString(name) {
				old["assets/"+name] = unknownSize
			}
		}
	}
	for _, dir := range []string{dataDir, demoDir} {
		text, err := s.root.ReadFile(dir + "/listing.json")
		if err != nil {
			continue
		}
		old[dir+"/listing.json"] = unknownSize
		if l, err := api.Parse(text); err == nil && l.Base == "files/" {
			for _, f := range l.Files {
				old[path.Join(dir, "files", f.Path)] = unknownSize
			}
		}
	}
	return old
}

// claim writes a name down before something is made there. What stands there already
// must be of an earlier run.
func (s *site) claim(name string) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	_, ours := s.old[name]
	if _, err := s.root.Lstat(name); err == nil && !ours {
		return &SiteError{path.Join(filepath.ToSlash(s.dir), name), "is there already, and pages did not write it", "move it away, or give another directory"}
	}
	if s.list == nil {
		_, err := s.root.Lstat(siteFiles)
		if s.list, err = s.begin(err != nil); err != nil {
			return err
		}
	}
	if _, err := s.list.WriteString(line(name, unknownSize)); err != nil {
		return err
	}
	s.now[name] = unknownSize
	return s.root.MkdirAll(path.Dir(name), 0o777)
}

// begin opens siteFiles to be added to.
func (s *site) begin(fresh bool) (*os.File, error) {
	if fresh {
		if err := s.place(siteFiles, s.lines(s.old)); err != nil {
			return nil, err
		}
	}
	list, err := s.root.OpenFile(siteFiles, os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	// After half a line, of a run that was killed, a new one begins.
	if size, err := list.Seek(0, io.SeekEnd); err == nil && size > 0 {
		last := []byte{'\n'}
		if list.ReadAt(last, size-1); last[0] != '\n' {
			if _, err := list.WriteString("\n"); err != nil {
				list.Close()
				return nil, err
			}
		}
	}
	return list, nil
}

func line(name string, size int64) string {
	return strconv.Quote(name) + "\t" + strconv.FormatInt(size, 10) + "\n"
}

func (s *site) lines(of map[string]int64) []byte {
	b := []byte(siteHead)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		b = append(b, line(name, of[name])...)
	}
	return b
}

// place puts data in place of what has the name, at once.
func (s *site) place(name string, data []byte) error {
	f, err := part.Create(s.root, path.Dir(name), 0o666)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Rename(name)
}

// swap is place for a file that visitors see.
func (s *site) swap(name string, data []byte) error {
	if err := s.claim(name); err != nil {
		return err
	}
	if err := s.place(name, data); err != nil {
		return err
	}
	s.switched = true
	s.now[name] = int64(len(data))
	return nil
}

// add writes a file under a name that nobody sees yet. One that is there with the same
// content, as its name says, stays.
func (s *site) add(name string, data []byte) error {
	if there, err := s.root.ReadFile(name); err == nil && bytes.Equal(there, data) {
		s.old[name], s.now[name] = int64(len(data)), int64(len(data))
		return nil
	}
	if err := s.claim(name); err != nil {
		return err
	}
	if err := s.place(name, data); err != nil {
		return err
	}
	s.now[name] = int64(len(data))
	return nil
}

// free is a directory below dir that is not there yet: files, or files-1, ….
func (s *site) free(dir string) string {
	for n := 0; ; n++ {
		name := "files"
		if n > 0 {
			name += "-" + strconv.Itoa(n)
		}
		if _, err := s.root.Lstat(dir + "/" + name); err != nil {
			return name
		}
	}
}

// keep leaves what earlier runs wrote below dir.
func (s *site) keep(dir string) {
	for name, size := range s.old {
		if strings.HasPrefix(name, dir+"/") {
			s.now[name] = size
		}
	}
}

// end removes what is not of the site any more: after an error that is what is new, as
// long as nobody sees it.
func (s *site) end(err error) error {
	gone, stay := s.old, s.now
	if err != nil {
		gone, stay = s.now, s.old
		if s.switched {
			gone, stay = nil, maps.Clone(s.old)
			maps.Copy(stay, s.now)
		}
	}
	for name, size := range gone {
		if _, ok := stay[name]; !ok {
			s.remove(name, size)
		}
	}
	if len(stay) == 0 {
		s.remove(siteFiles, unknownSize)
	} else if e := s.place(siteFiles, s.lines(stay)); err == nil && e != nil {
		err = e
	}
	s.close()
	if s.made && len(stay) == 0 {
		_ = os.Remove(s.dir) // it may not be empty
	}
	return err
}

// remove removes a file that was written by a run and not changed since, and the
// directories that are empty without it.
func (s *site) remove(name string, size int64) {
	fi, err := s.root.Lstat(name)
	if err != nil {
		return
	}
	link := fi.Mode()&fs.ModeSymlink != 0
	if !link && !fi.Mode().IsRegular() || size >= 0 && (link || fi.Size() != size) || size == linkSize && !link {
		return // somebody's own by now
	}
	if s.root.Remove(name) != nil {
		return
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if s.root.Remove(dir) != nil {
			return
		}
	}
}

// failed is err as it is said of a site.
func (s *site) failed(err error) error {
	var se *SiteError
	if err == nil || errors.As(err, &se) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if s.switched {
		return fmt.Errorf("%w: the site in %s works, and is not all brought up to date: try again", err, s.dir)
	}
	return fmt.Errorf("%w: the site in %s is as it was", err, s.dir)
}
