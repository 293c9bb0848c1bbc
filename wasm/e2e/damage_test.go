//go:build !js

package e2e

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// One logdir with a run for each kind of damage, and good ones between them. What
// is lost is named; everything else is there.
func TestDamage(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const n = 40
	name := "events.out.tfevents.1700000000.host.1.0"
	// broken makes a run of n points whose file is changed by f, and of whose
	// points those at the indices in lost are gone.
	broken := func(run string, lost []int, f func(b []byte) []byte) {
		path := l.run(run, map[string][]point{"x": curve(1, 0, n)})
		b := f(l.read(path))
		l.put(path, b)
		var rest []point
		for i, p := range curve(1, 0, n) {
			if !slices.Contains(lost, i) {
				rest = append(rest, p)
			}
		}
		l.want[run]["x"] = rest
	}
	plain := bytesOf(epoch, func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 0, n)}) })
	recs := damage.Records(plain) // record i+1 is point i
	at, size := int64(recs[11].Offset), int64(recs[11].Size)

	broken("flipped payload", []int{10}, func(b []byte) []byte { return damage.BadPayload(b, 11) })
	broken("two flipped", []int{10, 20}, func(b []byte) []byte { return damage.Flip(damage.BadPayload(b, 11), recs[21].Offset+20, 0) })
	broken("destroyed length", []int{10}, func(b []byte) []byte { return damage.BadLength(b, 11) })
	broken("length checksum", nil, func(b []byte) []byte { return damage.BadLengthCRC(b, 11) })
	broken("ten gigabytes", []int{10}, func(b []byte) []byte { return damage.HugeLength(b, 11, 10<<30) })
	broken("a terabyte", []int{10}, func(b []byte) []byte { return damage.HugeLength(b, 11, 1<<40) })
	broken("too long for the file", []int{10}, func(b []byte) []byte { return damage.HugeLength(b, 11, 100_000) })
	broken("zeros inside", []int{10, 11}, func(b []byte) []byte { return damage.Zero(b, recs[11].Offset, recs[11].Size+recs[12].Size) })
	broken("inserted garbage", nil, func(b []byte) []byte {
		return damage.Insert(b, recs[11].Offset, bytes.Repeat([]byte{0xa5}, 77))
	})
	broken("torn", []int{n - 1}, func(b []byte) []byte { return damage.Drop(b, 3) })
	l.run("good", map[string][]point{"x": curve(5, 0, n), "y": curve(6, 0, 3)})

	l.put(l.path("empty", "1700000000.host.1.0"), nil)
	l.put(l.path("zeros", "1700000000.host.1.0"), make([]byte, 5000))
	l.put(l.path("garbage", "1700000000.host.1.0"), bytes.Repeat([]byte("no event file \xff\xfe"), 400))
	l.put(l.path("not an event", "1700000000.host.1.0"), func() []byte {
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		w.RawRecord([]byte("\xff\xff\xff this is no message"))
		return w.Bytes()
	}())

	s := serve(t, l.dir)
	v := open(t, browsertest.Chromium, s.URL)
	equal(t, v.all(), l.want)
	st := v.status()
	if st.Phase != "exact" || st.BytesRead != st.BytesTotal || st.Runs != 15 || st.Error != "" {
		t.Errorf("status %+v", st)
	}
	sameNames(t, "runs", sorted(v.names()), sorted([]string{"flipped payload", "two flipped", "destroyed length", "length checksum", "ten gigabytes",
		"a terabyte", "too long for the file", "zeros inside", "inserted garbage", "torn", "good", "empty", "zeros", "garbage", "not an event"}))

	garbage := int64(len(l.read(l.path("garbage", "1700000000.host.1.0"))))
	unframed := int64(len(l.read(l.path("not an event", "1700000000.host.1.0"))))
	type place struct{ offset, bytes, count int64 }
	want := map[string]place{
		"flipped payload":       {at, size, 1},
		"two flipped":           {at, 2 * size, 2},
		"destroyed length":      {at, size, 1},
		"length checksum":       {at, 0, 1},
		"ten gigabytes":         {at, size, 1},
		"a terabyte":            {at, size, 1},
		"too long for the file": {at, size, 1},
		"zeros inside":          {at, 2 * size, 0},
		"inserted garbage":      {at, 77, 1},
		"zeros":                 {0, 0, 0},
		"garbage":               {0, garbage, 1},
		"not an event":          {0, unframed, 1},
	}
	for _, got := range st.Lost {
		w, ok := want[got.Run]
		if !ok {
			t.Errorf("run %q lost something: %+v", got.Run, got)
			continue
		}
		delete(want, got.Run)
		if got.File != got.Run+"/"+name || got.Offset != w.offset || got.Bytes != w.bytes || w.count > 0 && got.Count != w.count ||
			got.Kind == "" || got.Remedy == "" {
			t.Errorf("loss %+v, want %+v", got, w)
		}
	}
	for run := range want {
		t.Errorf("run %q lost nothing", run)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// A damaged file that grows goes on at its new records, and its losses stay what
// they were.
func TestDamageGrows(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 20)})
	l.put(path, damage.BadLength(l.read(path), 20)) // the last point's record
	l.want["r"]["x"] = curve(1, 0, 19)
	zeros := l.path("zeros", "1700000000.host.1.0")
	l.put(zeros, make([]byte, 3000))
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	equal(t, v.all(), l.want)
	if lost := v.status().Lost; len(lost) != 2 {
		t.Errorf("lost %+v", lost)
	}
	l.add(path, more("x", 1, 20, 5))
	l.expect("r", "x", curve(1, 20, 5)...)
	l.add(zeros, more("x", 2, 0, 2))
	l.expect("zeros", "x", curve(2, 0, 2)...)
	v.points(26)
	equal(t, v.all(), l.want)
	lost := v.status().Lost
	if len(lost) != 2 || lost[0].Count != 1 || lost[1].Bytes != 3000 || lost[1].Count != 1 {
		t.Errorf("lost %+v", lost)
	}
}
