package reading

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// eager is a Logdir of files that can be opened, which reads what is asked for at once, on
// goroutines of its own, so that the disk or a network's file system works while what came
// before is being used. FromFiles reads a range when its turn has come.
type eager struct {
	list func(context.Context) (*api.Listing, error)
	open source.Opener
	pool sync.Pool // *[]byte, of one Read each
}

// readers is how many ranges of a Read are read at a time. It is for file systems on which to
// open a file takes a millisecond.
const readers = 8

// List implements source.Logdir.
func (s *eager) List(ctx context.Context) (*api.Listing, error) { return s.list(ctx) }

// Pace implements source.Paced.
func (s *eager) Pace() source.Pace { return source.Pace{Jobs: 3, Bytes: 4 << 20, Files: 256} }

// Slow implements source.Paced.
func (s *eager) Slow() bool { return false }

// Read implements source.Logdir.
func (s *eager) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	results := make([]source.Result, len(ranges))
	// Each file is opened once, and then it is known how much there is of it: what a listing
	// says sizes nothing. Of small ranges one goroutine has many.
	files := make([]source.File, len(ranges))
	sizes := make([]int64, len(ranges))
	each := func(f func(i int)) {
		if len(ranges) == 1 {
			f(0)
			return
		}
		var wait sync.WaitGroup
		next := make(chan int)
		for range min(readers, len(ranges)) {
			wait.Go(func() {
				for i := range next {
					f(i)
				}
			})
		}
		for i := range ranges {
			next <- i
		}
		close(next)
		wait.Wait()
	}
	each(func(i int) {
		results[i], files[i], sizes[i] = s.begin(ranges[i])
	})
	total := int64(0)
	at := make([]int64, len(ranges))
	for i, n := range sizes {
		at[i] = total
		total += n
	}
	buf, _ := s.pool.Get().(*[]byte)
	if buf == nil || int64(cap(*buf)) < total {
		b := make([]byte, total)
		buf = &b
	}
	each(func(i int) {
		f := files[i]
		if f == nil {
			return
		}
		defer f.Close()
		b := (*buf)[:cap(*buf)][at[i] : at[i]+sizes[i]]
		k, err := f.ReadAt(b, ranges[i].Offset)
		switch {
		case k == len(b):
			results[i].Data = b
		case err == nil || err == io.EOF:
			results[i] = source.Result{Size: -1, Err: &source.Error{Trouble: source.Changed, Reason: "the file became shorter while it was read"}}
		default:
			results[i] = source.Result{Size: -1, Err: err}
		}
	})
	return func(yield func(int, source.Result) bool) {
		defer func() {
			if int64(cap(*buf)) <= 16<<20 {
				s.pool.Put(buf)
			}
		}()
		for i, r := range results {
			if !yield(i, r) {
				return
			}
		}
	}, nil
}

// begin opens the file of a range and says how many bytes of it there are.
func (s *eager) begin(r source.Range) (source.Result, source.File, int64) {
	f, err := s.open(r.Path)
	if err != nil {
		return source.Result{Size: -1, Err: err}, nil, 0
	}
	size, version, err := f.Size()
	if err != nil {
		f.Close()
		return source.Result{Size: -1, Err: err}, nil, 0
	}
	return source.Result{Size: size, Version: version}, f, min(r.Length, max(size-r.Offset, 0))
}
