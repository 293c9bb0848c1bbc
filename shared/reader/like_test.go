package reader_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// What the cache holds of a file is used as it is where nothing speaks against that, is held
// against samples of the file where something does, and is not used where it must be another.
func TestEntryIsLike(t *testing.T) {
	const path = "r/tfevents"
	before := dawn - int64(time.Hour) // of the file's change
	for _, c := range []struct {
		what string
		e    reader.Entry // but what the file's bytes say
		f    wire.File    // as it is listed now
		more int          // bytes that the entry has more than the file
		read string       // nothing, samples or all
	}{
		{"the same time", reader.Entry{MTime: before}, wire.File{MTime: before}, 0, "nothing"},
		{"the same time, which says nothing", reader.Entry{MTime: before, Fresh: true}, wire.File{MTime: before}, 0, "all"},
		{"another time", reader.Entry{MTime: before}, wire.File{MTime: before + 5}, 0, "all"},
		{"no time now", reader.Entry{MTime: before}, wire.File{}, 0, "all"},
		{"no times", reader.Entry{}, wire.File{}, 0, "all"},
		{"no times, the read's version", reader.Entry{Seen: "read"}, wire.File{}, 0, "samples"},
		{"the same version", reader.Entry{Version: "v", MTime: before}, wire.File{Version: "v", MTime: before + 5}, 0, "nothing"},
		{"the read's version", reader.Entry{Version: "v", Seen: "s", MTime: before}, wire.File{Version: "s", MTime: before + 5}, 0, "nothing"},
		{"another version of the same time", reader.Entry{Version: "v", MTime: before}, wire.File{Version: "u", MTime: before}, 0, "samples"},
		{"another version and time", reader.Entry{Version: "v", MTime: before}, wire.File{Version: "u", MTime: before - 7}, 0, "all"},
		{"another version, no times", reader.Entry{Version: "v"}, wire.File{Version: "u"}, 0, "all"},
		{"no version any more", reader.Entry{Version: "v", MTime: before}, wire.File{MTime: before - 7}, 0, "all"},
		{"grown", reader.Entry{MTime: before}, wire.File{MTime: before + 9}, -1, "samples"},
		{"shorter", reader.Entry{MTime: before}, wire.File{MTime: before}, 1, "all"},
		{"a digest of the same time", reader.Entry{MTime: before, Digest: true}, wire.File{MTime: before}, 0, "samples"},
		{"a digest, no time now", reader.Entry{MTime: before, Digest: true}, wire.File{}, 0, "samples"},
		{"a digest of another time", reader.Entry{MTime: before, Digest: true}, wire.File{MTime: before + 5}, 0, "all"},
		{"a digest of another version and the same time", reader.Entry{MTime: before, Version: "v", Digest: true}, wire.File{MTime: before, Version: "u"}, 0, "samples"},
		{"a digest of another time and the same version", reader.Entry{MTime: before, Version: "v", Digest: true}, wire.File{MTime: before + 5, Version: "v"}, 0, "all"},
	} {
		dir := &asking{world: still(times, map[string]int{path: 700})}
		dir.wide = true
		first := planned(t, dir.world, func(*reader.Options) {})
		first.read()
		e, err := reader.ParseEntry(first.entries()[path])
		if err != nil {
			t.Fatal(err)
		}
		e.MTime, e.Version, e.Seen, e.Fresh, e.Digest = c.e.MTime, c.e.Version, c.e.Seen, c.e.Fresh, c.e.Digest
		if e.Size += int64(max(0, c.more)); c.more < 0 {
			more := events(5, 4)
			dir.put(path, slices.Concat(dir.files[path], more))
		}
		if dir.by = nothing; c.e.Seen == "read" {
			dir.by = tags
			e.Seen = dir.version(dir.files[path])
		}
		v := &visit{t: t, w: dir.world, last: map[string]wire.File{}, size: int64(len(dir.files[path]))}
		v.plan = reader.New(reader.Options{
			Dir: dir, Catalog: catalog.New(), Context: t.Context(),
			Now: func() time.Duration { return dir.clock + time.Second }, Wall: dir.wall, Chance: dir.r.Float64,
			Changed: func(string) {}, Lost: func() {}, PreviewFrom: 1 << 40, Lookup: func(*reader.File) bool { return true },
		})
		f := c.f
		f.Path, f.Size = path, v.size
		v.plan.Update(f)
		// A sketch stands only for the file that it is of, and only until that is there.
		x, sketch := v.plan.Files()[path], *e
		sketch.Data = first.plan.Files()[path].Catalog().AppendSketch(nil)
		if got := v.plan.Sketch(x, &sketch); got != (c.read == "nothing") || x.Catalog().HasPreview() != got {
			t.Errorf("%s: a sketch is shown: %v, want %v", c.what, got, !got)
		}
		if v.plan.Done() && x.Catalog().Offset > 0 {
			t.Errorf("%s: a sketch counts as read", c.what)
		}
		if c.read == "nothing" { // the cache may have lost what it was a sketch of
			other := reader.New(v.plan.Options)
			other.Catalog = catalog.New()
			other.Update(f)
			y := other.Files()[path]
			shown := other.Sketch(y, &sketch)
			if other.Adopt(y, nil); !shown || y.Catalog().HasPreview() {
				t.Errorf("%s: a sketch was shown: %v, and still is: %v", c.what, shown, y.Catalog().HasPreview())
			}
		}
		v.plan.Adopt(x, e)
		if x.Catalog().HasPreview() || v.plan.Sketch(x, &sketch) {
			t.Errorf("%s: a sketch is shown after the file", c.what)
		}
		for !v.plan.Done() {
			j := v.plan.Next()
			<-j.Ready
			v.plan.Use(j)
		}
		sum := int64(0)
		for _, r := range dir.ranges {
			sum += r.Length
		}
		read := "samples"
		switch {
		case sum == 0:
			read = "nothing"
		case sum >= v.size:
			read = "all"
		}
		if read != c.read || v.points() != text(of(dir.files)) || v.plan.Bytes != v.size {
			t.Errorf("%s: %d bytes are read of %d: %s, want %s", c.what, sum, v.size, read, c.read)
		}
	}
}

// What is on screen is read first, in its order there, and then the other runs by name.
func TestOnScreenFirst(t *testing.T) {
	for _, c := range []struct {
		look []string
		want string
	}{
		{nil, "[a b c d e]"},
		{[]string{"d"}, "[d a b c e]"},
		{[]string{"e", "b", "none", "c"}, "[e b c a d]"},
	} {
		dir := &asking{world: still(versions, map[string]int{"e/tfevents": 60, "c/tfevents": 70, "a/tfevents": 80, "d/tfevents": 90, "b/tfevents": 65})}
		v := planned(t, dir.world, func(o *reader.Options) { o.Dir = dir })
		v.plan.Look(wire.Look{Runs: c.look})
		v.read()
		var order []string
		for _, r := range dir.ranges {
			if run := source.RunOf(r.Path); !slices.Contains(order, run) {
				order = append(order, run)
			}
		}
		if got := fmt.Sprint(order); got != c.want {
			t.Errorf("on screen %v: read %s, want %s", c.look, got, c.want)
		}
	}
}

// Of a file that can be read no further what is missing is told, and what was read is shown.
func TestGivenUpInTheMiddle(t *testing.T) {
	const path = "r/tfevents"
	dir := &asking{world: still(versions, map[string]int{path: 200})}
	v := planned(t, dir.world, func(o *reader.Options) { o.Dir = dir })
	for range 2 {
		j := v.plan.Next()
		<-j.Ready
		v.plan.Use(j)
	}
	had := v.plan.Bytes
	dir.err = &source.Error{Trouble: source.Refused, Reason: "the right to read has ended", Remedy: "ask for it"}
	v.read()
	lost := v.losses()
	if had <= 0 || had >= v.size || len(lost) != 1 || lost[0].Bytes != v.size-had || lost[0].Kind != "the right to read has ended" || lost[0].Remedy != "ask for it" {
		t.Errorf("%d bytes of %d are read; losses %+v", had, v.size, lost)
	}
	if logged, _ := v.plan.Catalog.Runs["r"].Points(); logged < 50 || logged > 150 {
		t.Errorf("%d points are shown", logged)
	}
}

// Bytes that are read again for a detail are of the file that was read if they have its
// version, or if nothing tells versions; samples of it prove it otherwise.
func TestFits(t *testing.T) {
	const path = "r/tfevents"
	for by, fits := range map[identity]bool{versions: false, tags: false, times: true, nothing: true} {
		w := still(by, map[string]int{path: 90})
		v := planned(t, w, func(*reader.Options) {})
		v.read()
		b := w.files[path]
		r := source.Range{Path: path, Length: 9}
		for version, want := range map[string]bool{"": true, w.version(b): true, "another": fits} {
			if v.plan.Fits(r, source.Result{Version: version}) != want {
				t.Errorf("origin %d, version %q: fits %v", by, version, !want)
			}
		}
		if v.plan.Fits(r, source.Result{Err: source.ErrGone}) || !v.plan.Fits(source.Range{Path: "other"}, source.Result{Version: "any"}) {
			t.Errorf("origin %d: an error fits, or a file that is not known does not", by)
		}
		proof := v.plan.Proof(path)
		for i, s := range proof {
			data := slices.Clone(b[s.Offset : s.Offset+s.Length])
			if !s.Is(data) || s.Is(data[1:]) {
				t.Errorf("origin %d: sample %d is not what was read", by, i)
			}
			if data[3] ^= 4; s.Is(data) {
				t.Errorf("origin %d: sample %d is anything", by, i)
			}
		}
		if len(proof) < 3 || v.plan.Proof("other") != nil || v.plan.Listed(path) != int64(len(b)) || v.plan.Listed("other") != 0 {
			t.Errorf("origin %d: %d samples, %d bytes listed", by, len(proof), v.plan.Listed(path))
		}
	}
}
