package reader

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// ErrUnread says that a file could not be read whole, or is being written.
var ErrUnread = errors.New("reader: the file could not be read whole, or is being written")

// Digest reads one file and returns its entry, with about most points of each series. The error is
// ErrUnread, or that of the context.
func Digest(ctx context.Context, dir source.Logdir, f wire.File, most int64) ([]byte, error) {
	began := time.Now()
	c := catalog.New()
	c.Brief = true
	p := New(Options{Dir: dir, Catalog: c, Context: ctx, Most: most, PreviewFrom: 1 << 62,
		Now: func() time.Duration { return time.Since(began) }, Wall: func() int64 { return time.Now().UnixNano() }, Chance: rand.Float64,
		Changed: func(string) {}, Lost: func() {}})
	p.Update(f)
	for ctx.Err() == nil && !p.Done() {
		if j := p.Next(); j != nil {
			<-j.Ready
			p.Use(j)
			c.Most(most)
			continue
		}
		at, ok := p.Due()
		if !ok {
			break
		}
		select {
		case <-time.After(max(time.Millisecond, at-p.Now())):
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	x := p.Files()[f.Path]
	if now, _ := p.Storable(x); !now {
		return nil, ErrUnread
	}
	return x.Catalog().AppendStored(p.Entry(x).Append(nil)), nil
}
