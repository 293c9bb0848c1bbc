package api

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// VersionError says that a listing was written by a newer program.
type VersionError struct{ Got int64 }

// Error names both versions and the remedy.
func (e *VersionError) Error() string {
	return "the listing has version " + strconv.FormatInt(e.Got, 10) + ", this page reads up to " +
		strconv.Itoa(Version) + ": reload the page, or update tensorbored-static"
}

// Parse reads a listing. Unknown members are skipped, a missing "kind" follows
// from the name, files are sorted if they are not. A file whose path can not be
// one (see ValidPath), whose size is negative, or that stands there twice is left
// out and becomes a Problem: one bad line of a hand-made listing does not hide
// the others. The error is a *SyntaxError or a *VersionError.
func Parse(data []byte) (*Listing, error) {
	p := scan(data) // the one copy; the paths are cut out of it
	l := &Listing{}
	var version int64 = Version
	kinds := false // some file came without its kind
	p.object(func(key string) {
		switch key {
		case "version":
			version = p.integer()
		case "logdir":
			l.Logdir = p.str()
		case "base":
			l.Base = p.str()
		case "batch":
			l.Batch = p.str()
		case "etag":
			l.ETag = p.str()
		case "partial":
			l.Partial = p.integer() != 0
		case "files":
			// A first guess of some 60 bytes a file (see AppendFiles), so that
			// the slice seldom grows; it is bounded by text that exists.
			l.Files = make([]File, 0, (len(p.s)-p.i)/60)
			p.array(func() {
				f := p.file()
				if p.err != nil {
					return
				}
				if why := f.wrong(); why != "" {
					l.Problems = append(l.Problems, Problem{f.Path, why})
					return
				}
				kinds = kinds || f.Kind == ""
				l.Files = append(l.Files, f)
			})
		case "problems":
			p.array(func() {
				var q Problem
				p.object(func(key string) {
					switch key {
					case "path":
						q.Path = p.str()
					case "error":
						q.Error = p.str()
					default:
						p.skip(0)
					}
				})
				l.Problems = append(l.Problems, q)
			})
		default:
			if !l.Page.member(key, p) {
				p.skip(0)
			}
		}
	})
	p.end("listing", "write it anew with `tensorbored-static list`")
	if p.err != nil {
		return nil, p.err
	}
	if version > Version {
		return nil, &VersionError{version}
	}
	l.order()
	if kinds {
		l.guessKinds()
	}
	return l, nil
}

func (p *scanner) file() File {
	f := File{}
	p.object(func(key string) {
		switch key {
		case "path":
			f.Path = p.str()
		case "size":
			f.Size = p.integer()
		case "mtime":
			f.MTime = p.millis()
		case "version":
			f.Version = p.str()
		case "kind":
			switch k := p.str(); k { // constants, so that no string is kept per file
			case string(Event):
				f.Kind = Event
			case string(Companion):
				f.Kind = Companion
			default:
				f.Kind = Kind(k)
			}
		default:
			p.skip(0)
		}
	})
	return f
}

// wrong says why f can not be in a listing; "" if it can.
func (f *File) wrong() string {
	switch {
	case !ValidPath(f.Path):
		return "not a relative path without . and .. parts: correct it in the listing"
	case f.Size < 0:
		return "negative size: correct it in the listing"
	}
	return ""
}

// order sorts the files and drops those that are there twice.
func (l *Listing) order() {
	byPath := func(i, j int) bool { return l.Files[i].Path < l.Files[j].Path }
	if !sort.SliceIsSorted(l.Files, byPath) {
		sort.SliceStable(l.Files, byPath)
	}
	kept := l.Files[:0]
	for i, f := range l.Files {
		if i > 0 && f.Path == kept[len(kept)-1].Path {
			l.Problems = append(l.Problems, Problem{f.Path, "listed twice: the first one is used"})
			continue
		}
		kept = append(kept, f)
	}
	l.Files = kept
}

// guessKinds sets the kinds that are missing and drops files that have none.
func (l *Listing) guessKinds() {
	config := map[string]bool{} // directories with a projector configuration
	for _, f := range l.Files {
		if dir, name := split(f.Path); name == ProjectorConfig {
			config[dir] = true
		}
	}
	l.Files = slices.DeleteFunc(l.Files, func(f File) bool {
		dir, name := split(f.Path)
		return f.Kind == "" && KindOf(base(dir), name, config[dir]) == ""
	})
	for i := range l.Files {
		if f := &l.Files[i]; f.Kind == "" {
			dir, name := split(f.Path)
			f.Kind = KindOf(base(dir), name, config[dir])
		}
	}
}

// ParseFailure reads the body of an unsuccessful answer. ok is false when it is
// not one of ours, as from a proxy on the way.
func ParseFailure(data []byte) (f *Failure, ok bool) {
	p := scan(data)
	f = &Failure{}
	p.object(func(key string) {
		switch key {
		case "error":
			f.Message = p.str()
		case "remedy":
			f.Remedy = p.str()
		default:
			p.skip(0)
		}
	})
	p.end("answer", "")
	return f, p.err == nil && f.Message != ""
}

// split cuts a path into its directory ("" for the logdir) and base name.
func split(path string) (dir, name string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

func base(path string) string {
	_, name := split(path)
	return name
}
