package reader_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/reader"
)

func entry() *reader.Entry {
	return &reader.Entry{Size: 1 << 40, MTime: 1700000000123456789, Version: "2s8x", Seen: "W é", Fresh: true, Budget: 7, Offset: 1<<40 - 3,
		Samples: []reader.Sample{{Offset: 0, Length: 64, CRC: 1<<32 - 1}, {Offset: 1 << 39, Length: 9}}, Data: []byte("points")}
}

func TestEntryRoundTrip(t *testing.T) {
	want := entry()
	got, err := reader.ParseEntry(append(want.Append(nil), want.Data...))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = reader.ParseEntry((&reader.Entry{}).Append(nil)); err != nil || got.Size != 0 || len(got.Data) != 0 {
		t.Errorf("an empty entry: %+v, %v", got, err)
	}
}

// Spoiled in any bit, cut anywhere: it is not used.
func TestEntrySpoiled(t *testing.T) {
	head := entry().Append(nil)
	for i := range head {
		for bit := range 8 {
			b := bytes.Clone(head)
			b[i] ^= 1 << bit
			if e, err := reader.ParseEntry(b); !errors.Is(err, reader.ErrEntry) {
				t.Errorf("bit %d of byte %d: %+v, %v", bit, i, e, err)
			}
		}
		if e, err := reader.ParseEntry(head[:i]); !errors.Is(err, reader.ErrEntry) {
			t.Errorf("cut at %d: %+v, %v", i, e, err)
		}
	}
	for name, spoil := range map[string]func(e *reader.Entry){
		"size": func(e *reader.Entry) { e.Size = -1 }, "offset": func(e *reader.Entry) { e.Offset = e.Size + 1 }, "less offset": func(e *reader.Entry) { e.Offset = -1 },
		"budget": func(e *reader.Entry) { e.Budget = -1 }, "many": func(e *reader.Entry) { e.Samples = make([]reader.Sample, 255) },
		"sample": func(e *reader.Entry) { e.Samples[0].Length = 1 << 50 }, "no sample": func(e *reader.Entry) { e.Samples[0].Length = 0 },
		"sample behind": func(e *reader.Entry) { e.Samples[0].Offset = e.Size }, "sample before": func(e *reader.Entry) { e.Samples[0].Offset = -1 },
		"sample far": func(e *reader.Entry) { e.Samples[0].Offset = 1<<63 - 1 },
	} {
		e := entry()
		spoil(e)
		if got, err := reader.ParseEntry(e.Append(nil)); !errors.Is(err, reader.ErrEntry) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzEntry(f *testing.F) {
	f.Add(append(entry().Append(nil), "x"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := reader.ParseEntry(b)
		if err != nil {
			return
		}
		if again, err := reader.ParseEntry(append(e.Append(nil), e.Data...)); err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("%+v became %+v, %v", e, again, err)
		}
	})
}
