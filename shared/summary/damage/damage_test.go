package damage_test

import (
	"bytes"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// TestWhatACutSees checks each damage by what it makes of record 1.
func TestWhatACutSees(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for step := range int64(3) {
		w.Scalar("loss", 1, step)
	}
	b := w.Bytes()
	r := damage.Records(b)
	if len(r) != 4 {
		t.Fatalf("%d records", len(r))
	}
	from, to := r[1].Payload()
	for name, c := range map[string]struct {
		got  []byte
		want tfrecord.Status
	}{
		"nothing":         {b, tfrecord.OK},
		"torn in payload": {damage.Tear(b, to-1), tfrecord.Short},
		"torn in header":  {damage.Tear(b, r[1].Offset+1), tfrecord.Short},
		"dropped":         {damage.Drop(b, len(b)-to), tfrecord.Short},
		"bit flipped":     {damage.Flip(b, from, 7), tfrecord.BadPayload},
		"zeros":           {damage.Zero(b, from, to-from), tfrecord.BadPayload},
		"zero header":     {damage.Zero(b, r[1].Offset, 12), tfrecord.BadLength},
		"bytes gone":      {damage.Cut(b, from, 1), tfrecord.BadPayload},
		"bytes inserted":  {damage.Insert(b, r[1].Offset, []byte("\xff\xff\xff\xff\xff\xff\xff\xff")), tfrecord.BadLength},
		"bad payload":     {damage.BadPayload(b, 1), tfrecord.BadPayload},
		"bad length":      {damage.BadLength(b, 1), tfrecord.BadLength},
		"bad length CRC":  {damage.BadLengthCRC(b, 1), tfrecord.BadLengthCRC},
		"huge length":     {damage.HugeLength(b, 1, 1<<40), tfrecord.BadLength},
		"long length":     {damage.HugeLength(b, 1, 1<<20), tfrecord.Short},
	} {
		if _, _, status := tfrecord.Cut(c.got[r[1].Offset:]); status != c.want {
			t.Errorf("%s: %v, want %v", name, status, c.want)
		}
	}
	if again := damage.Records(b); len(again) != 4 || !bytes.Equal(b, w.Bytes()) {
		t.Error("the original was changed")
	}
}
