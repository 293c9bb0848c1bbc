// Package api is what the page and whoever serves the files say to each other:
// the listing of a logdir, the batch request, and the body of an error.
//
// The same listing comes from our server, where it is made for every request,
// and from any static host, where it is a plain file that `tensorbored-static
// list` wrote. It is the only thing that says which files exist; everything else
// is read by Range requests on `base` plus EscapePath(path).
//
//	{"version":1, "logdir":"~/runs", "base":"files/", "batch":"batch",
//	 "etag":"9f…", "files":[{"path":"a/events.out.tfevents.1","size":123,
//	 "mtime":1700000000123.456789,"kind":"event","version":"2s8x…"}],
//	 "problems":[{"path":"b","error":"…"}]}
//
// Times are written in milliseconds, with what the file system tells beyond them as a
// fraction.
//
// It may also say what the page is asked to do: see Page.
//
// The codec is written by hand: a logdir of 100,000 files has a listing of some
// 12 MB, which is parsed in WebAssembly at every reload, where encoding/json
// needs several times longer.
package api

// Version is the listing's version. A reader refuses a greater one.
const Version = 1

// SoonParameter in the query asks for what has been found so far when the first listing of
// a logdir takes longer. A host that does not know it answers as ever.
const SoonParameter = "soon"

// Kind says what a listed file is for.
type Kind string

const (
	// Event files hold records; their directory is a run.
	Event Kind = "event"
	// Companion files are what boards read besides: projector data,
	// checkpoints, the default profile.
	Companion Kind = "companion"
)

// Listing names every file of a logdir that may be read.
type Listing struct {
	Logdir string // name to show; not a path that anything is opened by
	Base   string // URL prefix of the files, relative to the listing's own URL
	Batch  string // URL of the batch request, relative likewise; "" when the host has none
	ETag   string // changes whenever Page, Files or Problems change; "" when unknown
	Page   Page   // what the page is asked to do
	// Partial says that the logdir is still being listed: there are more files. Only who
	// asks for it (SoonParameter) gets such a listing.
	Partial bool
	// Files are sorted by Path, bytewise, each path once.
	Files []File
	// Problems are what could not be listed, for the user to read.
	Problems []Problem
}

// File is one file of a listing.
type File struct {
	Path  string // relative to the logdir, parts joined by "/", valid UTF-8, no "." or ".." part
	Size  int64  // bytes at the time of the listing
	MTime int64  // time of the last change, nanoseconds since 1970; 0 when unknown
	Kind  Kind
	// Version is another one whenever the file's bytes may be others; "" when whoever
	// made the listing knows nothing better than Size and MTime. Our server hands the
	// same out as the file's ETag and in the headers of a batch.
	Version string
}

// Problem is a place in the logdir that cannot be read, and why.
type Problem struct {
	Path  string
	Error string // one sentence with what the user can do about it
}

// Failure is the body of every answer of the data routes whose status is not a
// success. It is also an error.
type Failure struct {
	Message string // what is wrong
	Remedy  string // what the user can do; may be ""
}

// Error joins message and remedy.
func (f *Failure) Error() string {
	if f.Remedy == "" {
		return f.Message
	}
	return f.Message + ": " + f.Remedy
}

// EscapePath returns a listed path as it stands in a URL behind Base: every byte
// that is not an RFC 3986 "unreserved" one is percent-encoded, except "/".
func EscapePath(path string) string {
	const hex = "0123456789ABCDEF"
	n := 0
	for i := 0; i < len(path); i++ {
		if !plainInURL(path[i]) {
			n++
		}
	}
	if n == 0 {
		return path
	}
	b := make([]byte, 0, len(path)+2*n)
	for i := 0; i < len(path); i++ {
		if c := path[i]; plainInURL(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

func plainInURL(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '_' || c == '.' || c == '~' || c == '/'
}

// ValidPath reports whether path may stand in a listing: relative, not empty,
// and without empty, "." or ".." parts or NUL, so that joining it to a URL or a
// directory can not lead out of it.
func ValidPath(path string) bool {
	for start, i := 0, 0; ; i++ {
		if i < len(path) && path[i] != '/' {
			if path[i] == 0 {
				return false
			}
			continue
		}
		switch path[start:i] {
		case "", ".", "..":
			return false
		}
		if i == len(path) {
			return true
		}
		start = i + 1
	}
}
