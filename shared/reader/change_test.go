package reader_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/dump"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// events returns an event file of n points that no other job and no other time writes.
func events(job, n int) []byte {
	b := summary.NewBuffer(summary.Options{NoVersion: true})
	b.Raw(summary.Event{WallTime: float64(1e9 + job), FileVersion: summary.FileVersion})
	for step := range n {
		if err := b.Scalar("loss", float64(job), int64(step), summary.WallSeconds(float64(1e9+job)+float64(step)/16)); err != nil {
			panic(err) // a mistake in the test
		}
	}
	return b.Bytes()
}

// identity is what an origin tells of which file one is.
type identity int

const (
	versions identity = iota // of the listing and of each read
	times                    // the listing alone: milliseconds
	tags                     // each read alone
	nothing
)

// world is a logdir whose files change while they are read, on a clock of its own.
type world struct {
	r     *rand.Rand
	by    identity
	clock time.Duration // since the test began
	files map[string][]byte
	at    map[string]int64 // times of their last changes
	was   map[string][][]byte
	calm  bool
	job   int
	back  time.Duration // until then nothing can be read
	wide  bool          // windows are as long as files
	least int64         // points that may be kept, and bytes of a record that are read; 0: any
	ahead int           // jobs under way besides the first; the order of reads is then nobody's
	mu    sync.Mutex    // of reads
}

const dawn = int64(1_700_000_000_000_000_000) // of the clock, in nanoseconds since 1970

func (w *world) wall() int64 { return dawn + int64(w.clock) }

func (w *world) put(path string, b []byte) {
	w.files[path] = b
	w.at[path] = w.wall() / 1e6 * 1e6
	w.was[path] = append(w.was[path], b)
}

// newWorld has some files, which have been there for long.
func newWorld(seed uint64, by identity) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 7)), by: by, files: map[string][]byte{}, at: map[string]int64{}, was: map[string][][]byte{}}
	for i := range 1 + w.r.IntN(4) {
		w.job++
		path := fmt.Sprintf("run%d/tfevents", i)
		w.put(path, events(w.job, 1+w.r.IntN(600)))
		w.at[path] -= int64(w.r.IntN(2)) * int64(time.Hour)
	}
	return w
}

// mostPoints bounds the files: one that is replaced more often than it can be read whole grows
// each time, and is never read.
const mostPoints = 2000

// change does what a user or a job may do.
func (w *world) change() {
	paths := slices.Sorted(maps.Keys(w.files))
	if len(paths) == 0 {
		return
	}
	path := paths[w.r.IntN(len(paths))]
	b := w.files[path]
	w.job++
	switch w.r.IntN(8) {
	case 0, 1, 2: // the job goes on, a record at a time or torn
		more := events(w.job, 1+w.r.IntN(40))
		recs := damage.Records(more)
		more = more[recs[1].Offset:]
		if w.r.IntN(3) == 0 && len(more) > 9 {
			more = more[:len(more)-7]
		}
		w.put(path, slices.Concat(b, more))
	case 3: // another file in its place, longer
		w.put(path, events(w.job, min(len(b)/20+300, mostPoints)))
	case 4: // shorter
		w.put(path, events(w.job, 1+w.r.IntN(5)))
	case 5: // of the same length
		c := events(w.job, min(len(b)/20+300, mostPoints))
		w.put(path, c[:min(len(b), len(c))])
	case 6:
		if len(paths) > 1 {
			delete(w.files, path)
		}
	case 7: // nothing can be read for four seconds
		w.back = w.clock + 4*time.Second
	}
}

func (w *world) version(b []byte) string {
	return strconv.FormatInt(int64(len(b)), 36) + "-" + strconv.FormatUint(uint64(crc32.ChecksumIEEE(b)), 36)
}

// List implements source.Logdir.
func (w *world) List(context.Context) (*api.Listing, error) {
	l := &api.Listing{}
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		f := api.File{Path: path, Size: int64(len(w.files[path])), Kind: api.Event}
		switch w.by {
		case versions:
			f.MTime, f.Version = w.at[path], w.version(w.files[path])
		case times:
			f.MTime = w.at[path]
		}
		l.Files = append(l.Files, f)
	}
	return l, nil
}

// Read implements source.Logdir. Files change between the ranges of a read, too.
func (w *world) Read(_ context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []source.Result
	for _, r := range ranges {
		if w.clock += time.Duration(w.r.IntN(3)) * time.Millisecond; !w.calm && w.r.IntN(12) == 0 {
			w.change()
		}
		b, ok := w.files[r.Path]
		switch {
		case w.clock < w.back:
			out = append(out, source.Result{Size: -1, Err: &source.Error{Trouble: source.Refused, Reason: "cannot be opened"}})
		case !ok:
			out = append(out, source.Result{Size: -1, Err: source.ErrGone})
		default:
			from := min(r.Offset, int64(len(b)))
			res := source.Result{Size: int64(len(b)), Data: b[from:min(from+r.Length, int64(len(b)))]}
			if w.by == versions || w.by == tags {
				res.Version = w.version(b)
			}
			out = append(out, res)
		}
	}
	return func(yield func(int, source.Result) bool) {
		for i, res := range out {
			res.Data = bytes.Clone(res.Data)
			if !yield(i, res) {
				return
			}
			clear(res.Data) // they are ours until then only
		}
	}, nil
}

// Pace implements source.Paced: small windows, so that files have several. One read is
// under way at a time, or the same seed would not be the same world.
func (w *world) Pace() source.Pace {
	p := source.Pace{Jobs: 1 + w.ahead, Bytes: 3000, Files: 3}
	if w.wide {
		p.Bytes = 1 << 20
	}
	return p
}
func (w *world) Slow() bool { return false }

type visit struct {
	t    *testing.T
	w    *world
	plan *reader.Plan
	last map[string]wire.File // as they were told; what has not changed is not told again
	size int64
}

func newVisit(t *testing.T, w *world, entries map[string][]byte) *visit {
	v := &visit{t: t, w: w, last: map[string]wire.File{}}
	var asked []*reader.File
	c := catalog.New()
	c.Longest = w.least
	o := reader.Options{
		Dir: w, Catalog: c, Context: t.Context(),
		Now: func() time.Duration { return w.clock + time.Second }, Wall: w.wall, Chance: w.r.Float64,
		Changed: func(string) {}, Lost: func() {}, PreviewFrom: 1 << 40, Budget: w.least,
	}
	if entries != nil {
		o.Lookup = func(x *reader.File) bool { asked = append(asked, x); return true }
	}
	v.plan = reader.New(o)
	v.look()
	for _, x := range asked {
		var e *reader.Entry
		if b := entries[x.Path]; b != nil {
			var err error
			if e, err = reader.ParseEntry(b); err != nil {
				t.Fatal(err)
			}
		}
		v.plan.Adopt(x, e)
	}
	return v
}

func (v *visit) look() {
	l, _ := v.w.List(v.t.Context())
	now := map[string]wire.File{}
	v.size = 0
	for _, f := range l.Files {
		x := wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version}
		now[f.Path] = x
		if v.size += f.Size; v.last[f.Path] != x {
			v.plan.Update(x)
		}
	}
	for path, x := range v.last {
		if _, ok := now[path]; !ok {
			x.Gone = true
			v.plan.Update(x)
		}
	}
	v.last = now
	v.plan.Looked()
}

func (v *visit) read() {
	v.t.Helper()
	for n := 0; !v.plan.Done(); n++ {
		if n > 100_000 {
			v.t.Fatal("reading does not end")
		}
		if v.plan.Bytes > v.size || v.plan.Bytes < 0 {
			v.t.Fatalf("%d bytes count as read of %d", v.plan.Bytes, v.size)
		}
		if j := v.plan.Next(); j != nil {
			if v.w.r.IntN(24) == 0 {
				v.look() // while the job is under way
			}
			<-j.Ready
			v.plan.Use(j)
			continue
		}
		at, ok := v.plan.Due()
		if !ok && !v.plan.Done() {
			v.t.Fatal("there is something left, and nothing to wait for")
		}
		v.w.clock = max(v.w.clock, at-time.Second)
	}
}

func (v *visit) points() string { return text(v.plan.Catalog) }

func text(c *catalog.Catalog) string {
	var b bytes.Buffer
	if err := dump.Write(context.Background(), &b, c, source.Mem{}.Logdir(), []answer.Kind{scalars.Kind{}}); err != nil {
		panic(err)
	}
	return b.String()
}

func (v *visit) losses() (out []wire.Loss) {
	for _, r := range v.plan.Catalog.Runs {
		for _, f := range r.Files {
			out = append(out, f.Losses()...)
		}
	}
	return out
}

// of returns what a reader finds that reads each file's bytes and nothing else.
func of(files map[string][]byte) *catalog.Catalog {
	c := catalog.New()
	if _, err := c.Load(context.Background(), source.Mem(files).Logdir()); err != nil {
		panic(err)
	}
	return c
}

// oneOf fails if a file's points are not those of a first part of one of the files that
// have stood in its place.
func (v *visit) oneOf() {
	v.t.Helper()
	section := func(s string) string { // the points of the one series, without the end
		i := strings.Index(s, "[[")
		if i < 0 {
			return ""
		}
		return strings.TrimSuffix(s[i:strings.LastIndex(s, "]]")], "]")
	}
	for path, was := range v.w.was {
		x := v.plan.Files()[path]
		if x == nil {
			continue
		}
		one := catalog.New()
		f := one.Run(x.Run()).AddFile(path)
		if err := f.Restore(x.Catalog().AppendStored(nil)); err != nil {
			v.t.Fatal(err)
		}
		got := section(text(one))
		if got == "" {
			continue
		}
		if !slices.ContainsFunc(was, func(b []byte) bool { return strings.HasPrefix(section(text(of(source.Mem{path: b}))), got) }) {
			v.t.Fatalf("%s has points of several files: %.2000s", path, got)
		}
	}
}

func (v *visit) entries() map[string][]byte {
	out := map[string][]byte{}
	for path, x := range v.plan.Files() {
		if now, _ := v.plan.Storable(x); now {
			out[path] = x.Catalog().AppendStored(v.plan.Entry(x).Append(nil))
			v.plan.Stored(x)
		}
	}
	return out
}

var plans = flag.Int("plans", 200, "plans of changes for each sort of origin")

// Files that change while they are read, in every way: the points of a file are those
// of one file at any time; when the changes have ended and the next looks have been
// made, what is shown is what is there; and so it is at a later visit.
func TestFilesThatChange(t *testing.T) {
	for by, name := range []string{"versions", "times", "tags", "nothing"} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(*plans) {
				w := newWorld(seed, identity(by))
				v := newVisit(t, w, nil)
				v.read()
				kept := v.entries()
				for range 3 {
					w.clock += time.Duration(w.r.IntN(4)) * 3 * time.Second
					v.look()
					if v.read(); identity(by) == versions || identity(by) == tags {
						v.oneOf()
					}
					if w.r.IntN(2) == 0 {
						maps.Copy(kept, v.entries())
					}
				}
				w.calm = true
				w.clock = max(w.clock, w.back)
				for range 2 { // the second look shows what the first could not know
					w.clock += 10 * time.Second
					v.look()
					v.read()
				}
				check := func(what string, v *visit) {
					t.Helper()
					// What is gone stays as it was read; a visitor who comes later
					// does not see it.
					for path, x := range v.plan.Files() {
						if x.Gone {
							v.plan.Catalog.Run(x.Run()).Remove(x.Catalog())
							delete(v.plan.Catalog.Runs, x.Run())
							delete(v.plan.Files(), path)
						}
					}
					if got, want := v.points(), text(of(w.files)); got != want {
						t.Fatalf("seed %d: %s: got %.3000s\nwant %.3000s\nlosses %+v", seed, what, got, want, v.losses())
					}
					if v.plan.Unread() > 0 || v.plan.Bytes != v.size || v.plan.Problem() != "" {
						t.Fatalf("seed %d: %s: %d files unread, %d of %d bytes, %+v", seed, what, v.plan.Unread(), v.plan.Bytes, v.size, v.losses())
					}
				}
				check("the same visit", v)
				again := newVisit(t, w, kept)
				again.read()
				check("a later visit", again)
			}
		})
	}
}

// A file that was given up is tried again by the next look, once: a look that comes while
// that is under way does not have the same bytes asked for a second time, and be used twice.
func TestLooksWhileReading(t *testing.T) {
	for by, name := range []string{"versions", "times", "tags", "nothing"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(1, identity(by))
			clear(w.files)
			w.calm, w.ahead = true, 2
			w.put("r/tfevents", events(1, 60)) // one window
			w.back = 1 << 62
			v := newVisit(t, w, nil)
			v.read()
			if len(v.losses()) == 0 {
				t.Fatal("the file was not given up")
			}
			w.back = 0
			v.look()
			j := v.plan.Next()
			v.look()
			v.plan.PutBack(j) // as a worker does that has heard of something else
			v.read()
			if v.points() != text(of(w.files)) || v.plan.Bytes != v.size || len(v.losses()) > 0 {
				t.Errorf("%d of %d bytes are said to be read, losses %v; the points are\n%.300s", v.plan.Bytes, v.size, v.losses(), v.points())
			}
		})
	}
}

// A file that cannot be read is given up again and again however often the logdir is looked
// at, and told as a loss all the time; when it can be read it is.
func TestLooksWhileFailing(t *testing.T) {
	w := newWorld(1, versions)
	clear(w.files)
	w.calm = true
	w.put("r/tfevents", events(1, 60))
	w.back = 1 << 62
	v := newVisit(t, w, nil)
	v.read()
	done, next, end := 0, w.clock, w.clock+2*time.Minute
	for w.clock < end {
		if w.clock >= next {
			v.look()
			next += 2 * time.Second // a try takes 8 s
		}
		if v.plan.Done() {
			done++
			w.clock = next
			continue
		}
		if len(v.losses()) != 1 || !v.plan.Retrying() {
			t.Fatalf("losses %v, retrying %t", v.losses(), v.plan.Retrying())
		}
		if j := v.plan.Next(); j != nil {
			<-j.Ready
			v.plan.Use(j)
		} else if at, _ := v.plan.Due(); at > w.clock {
			w.clock = min(at, next)
		}
	}
	if done < 5 {
		t.Errorf("it was given up %d times", done)
	}
	w.back = 0
	v.look()
	v.read()
	if v.points() != text(of(w.files)) || len(v.losses()) > 0 || v.plan.Retrying() {
		t.Errorf("losses %v; the points are\n%.300s", v.losses(), v.points())
	}
}

// A file that another one replaces is known as another one, and one that grows as the same.
func TestOthersAreCounted(t *testing.T) {
	const path = "r/tfevents"
	first := events(1, 2000)
	for name, next := range map[string]struct {
		bytes  []byte
		others int
	}{
		"grown":         {append(bytes.Clone(first), events(1, 10)...), 0},
		"shorter":       {events(2, 1500), 1},
		"as long":       {events(2, 2000), 1},
		"longer, other": {events(2, 2500), 1},
	} {
		w := newWorld(1, times)
		clear(w.files)
		w.calm = true
		w.put(path, first)
		w.at[path] -= int64(time.Hour)
		v := newVisit(t, w, nil)
		v.read()
		w.put(path, next.bytes)
		w.clock += time.Second
		for range 2 {
			v.look()
			v.read()
		}
		if got := v.plan.Catalog.Run("r").Files[0].Others; got != next.others || v.points() != text(of(w.files)) {
			t.Errorf("%s: another one stood there %d times, not %d", name, got, next.others)
		}
	}
}

// A damaged copy that an intact one replaces is read anew, and the other way round, even
// where they have the same length: in the open page, and from the cache.
func TestDamagedCopyReplaced(t *testing.T) {
	for by, name := range []string{"versions", "times", "tags", "nothing"} {
		for _, age := range []time.Duration{time.Hour, 0} { // of the first file; the second comes in the same millisecond or later
			for _, first := range []string{"damaged", "intact"} {
				t.Run(fmt.Sprint(name, " ", age, " ", first), func(t *testing.T) {
					good := events(1, 2000)
					bad := damage.BadPayload(bytes.Clone(good), 1000)
					if len(good) != len(bad) {
						t.Fatal("the copies are not of the same length")
					}
					old, young := bad, good
					if first == "intact" {
						old, young = good, bad
						if identity(by) == nothing || age == 0 && identity(by) != tags {
							return // of the same size and time: nobody can know, without reading all of it
						}
					}
					w := newWorld(1, identity(by))
					clear(w.files)
					w.calm = true
					const path = "r/tfevents"
					w.put(path, old)
					w.at[path] -= int64(age)
					v := newVisit(t, w, nil)
					v.read()
					if got := len(v.losses()); (got > 0) != (first == "damaged") {
						t.Fatalf("losses %+v", v.losses())
					}
					kept := v.entries()
					if w.files[path] = young; age > 0 {
						w.put(path, young)
					}
					w.clock += time.Second
					want := text(of(w.files))
					if again := newVisit(t, w, kept); true {
						if again.read(); again.points() != want {
							t.Error("from the cache comes the old one")
						}
					}
					for range 2 {
						v.look()
						v.read()
					}
					if v.points() != want {
						t.Error("the open page shows the old one")
					}
					if got := len(v.losses()); (got > 0) != (first == "intact") {
						t.Errorf("losses %+v", v.losses())
					}
				})
			}
		}
	}
}

// A file that is read in one window, and is then of another version with the same size and
// time, is read anew where its middle has changed: its head and its tail tell nothing.
func TestMiddleIsChecked(t *testing.T) {
	whole := func(b []byte) []byte { return b[damage.Records(b)[1].Offset:] }
	first, other := whole(events(1, 300)), whole(events(2, 300))
	if len(first) != len(other) {
		t.Fatal("the records are not of the same lengths")
	}
	records := damage.Records(first)
	from, to := records[100].Offset, records[200].Offset
	changed := slices.Concat(first[:from], other[from:to], first[to:])
	w := newWorld(1, versions)
	clear(w.files)
	w.calm = true
	w.put("r/tfevents", first)
	w.at["r/tfevents"] = dawn - int64(time.Hour)
	w.wide = true
	v := newVisit(t, w, nil)
	v.read()
	kept := v.entries()
	w.files["r/tfevents"] = changed
	again := newVisit(t, w, kept)
	again.read()
	if len(kept) != 1 || again.points() != text(of(w.files)) {
		t.Errorf("from the cache of %d files: the middle is that of another file: %.300s", len(kept), again.points())
	}
	for name, b := range map[string][]byte{"changed": changed, "first": first} {
		w.files["r/tfevents"] = b
		for range 2 {
			w.clock += 10 * time.Second
			v.look()
			v.read()
		}
		if got, want := v.points(), text(of(w.files)); got != want {
			t.Errorf("%s: the middle is that of another file: %.300s", name, got)
		}
	}
}

// A record that a reader had no room for is read by a later one that has more: what the
// first one kept of the file is not used then.
func TestRefusedRecordIsReadLater(t *testing.T) {
	b := summary.NewBuffer(summary.Options{})
	if err := b.Text("words", strings.Repeat("long ", 3000), 1); err != nil {
		t.Fatal(err)
	}
	if err := b.Scalar("loss", 1, 1); err != nil {
		t.Fatal(err)
	}
	w := newWorld(1, versions)
	clear(w.files)
	w.calm = true
	w.put("r/tfevents", b.Bytes())
	w.at["r/tfevents"] = dawn - int64(time.Hour)
	w.least = 10_000
	first := newVisit(t, w, nil)
	first.read()
	kept := first.entries()
	for _, least := range []int64{10_000, 20_000} {
		w.least = least
		v := newVisit(t, w, kept)
		v.read()
		run := v.plan.Catalog.Run("r")
		if has := run.Lookup("words") != nil; has != (least == 20_000) || run.Lookup("loss") == nil || len(v.losses()) != map[bool]int{true: 0, false: 1}[has] {
			t.Errorf("with %d: words %v, losses %+v", least, has, v.losses())
		}
	}
}
