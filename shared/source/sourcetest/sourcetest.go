// Package sourcetest is the suite that every origin of bytes passes: in memory, on
// the disk, over HTTP from every sort of host, and in a folder that the user chose.
//
// It knows no testing package, so that it also runs inside a worker of a browser. An
// origin is made to hold Files and then goes through Cases, in order; later cases
// change files.
package sourcetest

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Origin is what is tested.
type Origin struct {
	Logdir source.Logdir
	// Append and Remove change a file behind the Logdir's back, as a job or a user
	// does.
	Append func(path string, data []byte) error
	Remove func(path string) error
	// Lists says that List tells what was changed. A static host's does not.
	Lists bool
	// Grows says that what was appended can be read. Files that were chosen in a
	// browser are what they were then, or cannot be read any more.
	Grows bool
	// Coy says that what is gone may be said to have changed: a store that looks at the
	// condition of a request before it looks for the object does. The next listing tells.
	Coy bool
}

// Case is one demand on an origin. Run returns what is wrong.
type Case struct {
	Name string
	Run  func(ctx context.Context, o *Origin) error
}

// Cases are all demands, in order.
var Cases = []Case{
	{"list", list},
	{"whole files", whole},
	{"ranges of one file", ranges},
	{"many ranges", many},
	{"a stop midway", stop},
	{"the end of a file", end},
	{"no bytes", nothing},
	{"reads under way", underWay},
	{"reads at a time", atATime},
	{"unknown file", unknown},
	{"context that ended", cancelled},
	{"file that grows", grows},
	{"file that vanishes", vanishes},
}

// Names of files that a case needs. All of them are event files by name.
const (
	large    = "run/events.out.tfevents.1"
	small    = "a/b/c/d/e/tfevents"
	atRoot   = "tfevents"
	empty    = "empty/tfevents"
	growing  = "grows here/tfevents 100%"
	doomed   = "vanishes #1?/tfevents"
	nowhere  = "run/events.out.tfevents.none"
	largeLen = 5<<20 + 17 // bytes: longer than a window of the reader
)

// sizes are the files' names and their lengths in bytes. Names hold what URLs, HTML
// and shells take for something else.
var sizes = map[string]int{
	large: largeLen, small: 1000, atRoot: 300_000, empty: 0, growing: 5000, doomed: 70,
	"with space/ tfevents ":           11,
	"percent%20%41%/tfevents%2F":      12,
	"hash#tag/tfevents#2":             13,
	"question?x=1&y=2/tfevents?":      14,
	"plus+and&;=@:,$!*()[]/tfevents":  15,
	"<b>'quotes'\"&amp;</b>/tfevents": 16,
	"ünï/数据\U0001F600/tfevents.é":     17,
	".hidden/tfevents":                18,
	"one byte/tfevents":               1,
	"lr=0.1,bs=64/tfevents.v2":        65536,
}

// Files returns what the origin must hold at the start, by path.
func Files() map[string][]byte {
	out := make(map[string][]byte)
	for path, n := range sizes {
		out[path] = content(path, 0, n)
	}
	return out
}

// content is the n bytes at offset of a file. No stretch of one looks like another,
// nor like the same of another file.
func content(path string, offset, n int) []byte {
	seed := uint64(14695981039346656037)
	for i := range len(path) {
		seed = (seed ^ uint64(path[i])) * 1099511628211
	}
	b := make([]byte, n)
	for i := range b {
		k := uint64(offset + i)
		x := (k/8 + 1) * (seed | 1)
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		b[i] = byte(x >> (k % 8 * 8))
	}
	return b
}

// want is the part of a file's content that a range covers.
func want(r source.Range) []byte {
	n := max(0, min(r.Length, int64(sizes[r.Path])-r.Offset))
	return content(r.Path, int(r.Offset), int(n))
}

// check holds one result against the file as it was at the start.
func check(r source.Range, got source.Result) error {
	w := want(r)
	switch size := int64(sizes[r.Path]); {
	case got.Err != nil:
		return fmt.Errorf("%+v: %w", r, got.Err)
	case !bytes.Equal(got.Data, w):
		return fmt.Errorf("%+v: %d bytes %.16x…, want %d bytes %.16x…", r, len(got.Data), got.Data, len(w), w)
	case got.Size != -1 && got.Size != size:
		return fmt.Errorf("%+v: the file has %d bytes, is said to have %d", r, size, got.Size)
	}
	return nil
}

// checkAll holds a sequence against the ranges that were asked for.
func checkAll(asked []source.Range, seq iter.Seq2[int, source.Result]) error {
	n := 0
	for i, got := range seq {
		if i != n {
			return fmt.Errorf("result %d has the number %d", n, i)
		}
		if i >= len(asked) {
			return fmt.Errorf("more than %d results", len(asked))
		}
		if err := check(asked[i], got); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		// The bytes are ours until the next result.
		clear(got.Data)
		n++
	}
	if n != len(asked) {
		return fmt.Errorf("%d results, want %d", n, len(asked))
	}
	return nil
}

// readAll asks for ranges and checks their results.
func readAll(ctx context.Context, o *Origin, asked ...source.Range) error {
	seq, err := o.Logdir.Read(ctx, asked)
	if err != nil {
		return err
	}
	return checkAll(asked, seq)
}

// readOne reads one range, whose file may have changed. The bytes are a copy.
func readOne(ctx context.Context, o *Origin, r source.Range) (got source.Result, err error) {
	seq, err := o.Logdir.Read(ctx, []source.Range{r})
	if err != nil {
		return got, err
	}
	n := 0
	for _, got = range seq {
		got.Data = bytes.Clone(got.Data)
		n++
	}
	if n != 1 {
		return got, fmt.Errorf("%d results for one range", n)
	}
	return got, nil
}
