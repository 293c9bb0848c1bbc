package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// all asks for every file in one piece.
func all() (asked []source.Range) {
	for _, path := range slices.Sorted(maps.Keys(sizes)) {
		asked = append(asked, source.Range{Path: path, Length: int64(sizes[path]) + 10})
	}
	return asked
}

func list(ctx context.Context, o *Origin) error {
	for range 2 { // the second may come from a cache
		l, err := o.Logdir.List(ctx)
		if err != nil {
			return err
		}
		if len(l.Problems) > 0 {
			return fmt.Errorf("problems %+v", l.Problems)
		}
		got := map[string]int{}
		for _, f := range l.Files {
			if f.Kind != api.Event {
				return fmt.Errorf("%q is of kind %q", f.Path, f.Kind)
			}
			got[f.Path] = int(f.Size)
		}
		if !maps.Equal(got, sizes) || len(got) != len(l.Files) {
			return fmt.Errorf("listed %d files: %v, want %v", len(l.Files), got, sizes)
		}
	}
	return nil
}

func whole(ctx context.Context, o *Origin) error {
	for _, r := range all() { // each alone
		if err := readAll(ctx, o, r); err != nil {
			return err
		}
	}
	return readAll(ctx, o, all()...)
}

func ranges(ctx context.Context, o *Origin) error {
	// As a reader goes: window by window, then back.
	for at := int64(0); at < largeLen; at += 1 << 20 {
		if err := readAll(ctx, o, source.Range{Path: large, Offset: at, Length: 1 << 20}); err != nil {
			return err
		}
	}
	for _, n := range []int{1, 2} { // alone and in company
		for _, at := range []int64{largeLen - 5, 0, 4096, 1, largeLen / 2} {
			if err := readAll(ctx, o, slices.Repeat([]source.Range{{Path: large, Offset: at, Length: 4097}}, n)...); err != nil {
				return err
			}
		}
	}
	return nil
}

func many(ctx context.Context, o *Origin) error {
	var asked []source.Range
	for i := range int64(200) {
		asked = append(asked, source.Range{Path: atRoot, Offset: 299_000 - 7*i, Length: 100 + i}, source.Range{Path: small, Offset: 5 * i, Length: 33})
		if i%50 == 0 {
			asked = append(asked, source.Range{Path: large, Offset: i * 1000, Length: 1 << 20})
		}
	}
	return readAll(ctx, o, asked...)
}

// stop leaves a sequence before its end, and reads on.
func stop(ctx context.Context, o *Origin) error {
	asked := all()
	seq, err := o.Logdir.Read(ctx, asked)
	if err != nil {
		return err
	}
	for i, got := range seq {
		if err := check(asked[i], got); err != nil {
			return err
		}
		if i == 2 {
			break
		}
	}
	return readAll(ctx, o, asked...)
}

func end(ctx context.Context, o *Origin) error {
	var asked []source.Range
	for path, size := range map[string]int64{small: 1000, empty: 0, "one byte/tfevents": 1, large: largeLen} {
		for _, back := range []int64{1, 0, -1, -1 << 20, -1 << 40} { // before the end, at it, behind it
			if size-back >= 0 {
				asked = append(asked, source.Range{Path: path, Offset: size - back, Length: 100})
			}
		}
	}
	for _, r := range asked {
		if err := readAll(ctx, o, r); err != nil {
			return err
		}
	}
	return readAll(ctx, o, asked...)
}

// nothing asks for no bytes, and for no ranges.
func nothing(ctx context.Context, o *Origin) error {
	if err := readAll(ctx, o); err != nil {
		return err
	}
	for _, r := range []source.Range{{Path: small}, {Path: small, Offset: 500}, {Path: empty}} {
		if err := readAll(ctx, o, r); err != nil {
			return err
		}
		if err := readAll(ctx, o, r, source.Range{Path: small, Length: 10}, r); err != nil {
			return err
		}
	}
	return nil
}

// underWay asks again before the first answer is used.
func underWay(ctx context.Context, o *Origin) error {
	asked := [][]source.Range{
		{{Path: large, Length: 2 << 20}, {Path: small, Length: 1000}},
		{{Path: large, Offset: 2 << 20, Length: 2 << 20}},
		{{Path: atRoot, Length: 300_000}},
		{{Path: large, Offset: 4 << 20, Length: 2 << 20}, {Path: atRoot, Offset: 1, Length: 9}},
	}
	var seqs []iter.Seq2[int, source.Result]
	for _, a := range asked {
		seq, err := o.Logdir.Read(ctx, a)
		if err != nil {
			return err
		}
		seqs = append(seqs, seq)
	}
	for i, seq := range seqs {
		if err := checkAll(asked[i], seq); err != nil {
			return fmt.Errorf("read %d: %w", i, err)
		}
	}
	return nil
}

// atATime asks from several goroutines at once, as the workers do, and uses the
// answers one after the other.
func atATime(ctx context.Context, o *Origin) error {
	type read struct {
		asked []source.Range
		seq   iter.Seq2[int, source.Result]
		err   error
	}
	reads := make([]read, 6)
	done := make(chan struct{})
	for i := range reads {
		reads[i].asked = []source.Range{{Path: large, Offset: int64(i) << 19, Length: 1 << 19}, {Path: small, Offset: int64(i), Length: 50}}[:1+i%2]
		go func() {
			reads[i].seq, reads[i].err = o.Logdir.Read(ctx, reads[i].asked)
			done <- struct{}{}
		}()
	}
	for range reads {
		<-done
	}
	for i, r := range reads {
		if r.err != nil {
			return r.err
		}
		if err := checkAll(r.asked, r.seq); err != nil {
			return fmt.Errorf("read %d: %w", i, err)
		}
	}
	return nil
}

// unknown asks for a file that never was, alone and between others.
func unknown(ctx context.Context, o *Origin) error {
	return gone(ctx, o, nowhere)
}

// isGone reports whether an error says that a file that was listed is gone.
func isGone(o *Origin, path string, err error) bool {
	return errors.Is(err, source.ErrGone) || o.Coy && path != nowhere && errors.Is(err, source.ErrAgain)
}

// gone checks that a file is said to be gone, and that its neighbours are not.
func gone(ctx context.Context, o *Origin, path string) error {
	got, err := readOne(ctx, o, source.Range{Path: path, Length: 10})
	if err != nil {
		return err
	}
	if !isGone(o, path, got.Err) {
		return fmt.Errorf("%s is not said to be gone: %d bytes, %v", path, len(got.Data), got.Err)
	}
	asked := []source.Range{{Path: small, Length: 20}, {Path: path, Length: 10}, {Path: atRoot, Offset: 5, Length: 20}}
	seq, err := o.Logdir.Read(ctx, asked)
	if err != nil {
		return err
	}
	n := 0
	for i, got := range seq {
		n++
		if i == 1 {
			if !isGone(o, path, got.Err) {
				return fmt.Errorf("%s is not said to be gone among others: %v", path, got.Err)
			}
			continue
		}
		if err := check(asked[i], got); err != nil {
			return fmt.Errorf("beside a file that is gone: %w", err)
		}
	}
	if n != len(asked) {
		return fmt.Errorf("%d results of %d", n, len(asked))
	}
	return nil
}

func cancelled(ctx context.Context, o *Origin) error {
	over, cancel := context.WithCancel(ctx)
	cancel()
	for _, asked := range [][]source.Range{{{Path: small, Length: 10}}, {{Path: small, Length: 10}, {Path: atRoot, Length: 10}}} {
		if _, err := o.Logdir.Read(over, asked); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("reading goes on: %v", err)
		}
	}
	return readAll(ctx, o, source.Range{Path: small, Length: 10})
}

func grows(ctx context.Context, o *Origin) error {
	old := sizes[growing]
	more := content(growing, old, 3000)
	if err := readAll(ctx, o, source.Range{Path: growing, Length: int64(old) + 10_000}); err != nil {
		return err
	}
	if err := o.Append(growing, more); err != nil {
		return err
	}
	// On from where the file ended, then over the seam, then all of it.
	for _, at := range []int{old, old - 100, 0} {
		got, err := readOne(ctx, o, source.Range{Path: growing, Offset: int64(at), Length: 20_000})
		if err != nil {
			return err
		}
		is := content(growing, at, old+len(more)-at)
		switch {
		case o.Grows && (got.Err != nil || !bytes.Equal(got.Data, is)):
			return fmt.Errorf("from byte %d on: %d bytes, %v; want %d", at, len(got.Data), got.Err, len(is))
		case o.Grows && got.Size != -1 && got.Size != int64(old+len(more)):
			return fmt.Errorf("is said to have %d bytes", got.Size)
		case !o.Grows && got.Err != nil && !errors.Is(got.Err, source.ErrAgain):
			return fmt.Errorf("from byte %d on: %w", at, got.Err)
		case !o.Grows && !bytes.HasPrefix(is, got.Data):
			return fmt.Errorf("from byte %d on: other bytes", at)
		}
	}
	return listed(ctx, o, growing, old+len(more))
}

func vanishes(ctx context.Context, o *Origin) error {
	if err := readAll(ctx, o, source.Range{Path: doomed, Length: 70}); err != nil {
		return err
	}
	if err := o.Remove(doomed); err != nil {
		return err
	}
	if err := gone(ctx, o, doomed); err != nil {
		return err
	}
	return listed(ctx, o, doomed, -1)
}

// listed waits until a file is listed with a size; -1 is not at all. A server may
// give out a listing that is some time old.
func listed(ctx context.Context, o *Origin, path string, size int) error {
	if !o.Lists {
		return nil
	}
	for try := 0; ; try++ {
		l, err := o.Logdir.List(ctx)
		if err != nil {
			return err
		}
		got := -1
		for _, f := range l.Files {
			if f.Path == path {
				got = int(f.Size)
			}
		}
		if got == size {
			return nil
		}
		if try == tries {
			return fmt.Errorf("%s is listed with %d bytes, has %d", path, got, size)
		}
		pause()
	}
}

// tries and pause make some three seconds.
const tries = 30

func pause() { time.Sleep(100 * time.Millisecond) }
