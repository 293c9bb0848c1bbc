package worker

import (
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// beside are the files beside event files that the worker was told of. Nothing of them is
// read before somebody asks. All bytes of one that are read under one listing are of one
// version of it: another version, or another size than listed, is another file, which the
// page must list anew.
type beside struct {
	*reader.Plan // of the event files
	files        map[string]*companion
	stale        func()
}

type companion struct {
	wire.File
	seen string // the version that its bytes had; "" if none were read, or the origin knows none
}

// update takes in a file that is new or has changed.
func (b *beside) update(f wire.File) {
	if f.Gone {
		delete(b.files, f.Path)
		return
	}
	b.files[f.Path] = &companion{File: f}
}

// file returns a file as it is listed.
func (b *beside) file(path string) (wire.File, bool) {
	if c := b.files[path]; c != nil {
		return c.File, true
	}
	return wire.File{}, false
}

// Listed implements answer.Files.
func (b *beside) Listed(path string) int64 {
	if c := b.files[path]; c != nil {
		return c.Size
	}
	return b.Plan.Listed(path)
}

// Fits implements answer.Files.
func (b *beside) Fits(r source.Range, res source.Result) bool {
	c := b.files[r.Path]
	if c == nil {
		return b.Plan.Fits(r, res)
	}
	if res.Err != nil {
		return false
	}
	if c.seen == "" {
		c.seen = res.Version
	}
	fits := (res.Size < 0 || res.Size == c.Size) && (res.Version == "" || res.Version == c.seen)
	if !fits {
		b.stale()
	}
	return fits
}

// Proof implements answer.Files: nothing proves that a companion has only grown.
func (b *beside) Proof(path string) []reader.Sample {
	if b.files[path] != nil {
		return nil
	}
	return b.Plan.Proof(path)
}
