//go:build !js

package files

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// ask asks about a logdir that is listed with sizes, and returns what was said of each file,
// its bytes, and the largest piece.
func ask(t *testing.T, m source.Mem, sizes map[string]int64, q wire.Query) (parts []Part, bodies []string, largest int) {
	t.Helper()
	w := answer.World{Catalog: catalog.New(), Beside: func(path string) (wire.File, bool) {
		n, ok := sizes[path]
		return wire.File{Path: path, Size: n}, ok
	}}
	j, err := Kind{}.Answerer(w).Begin(&q)
	if err != nil {
		t.Fatal(err)
	}
	err = answer.Serve(t.Context(), m.Logdir(), j, func(o *answer.Out) error {
		largest = max(largest, len(o.Bytes))
		for _, p := range o.Parts.([]Part) {
			parts = append(parts, p)
			bodies = append(bodies, string(o.Bytes[p.Offset:p.Offset+p.Length]))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts, bodies, largest
}

func TestFiles(t *testing.T) {
	long := make([]byte, 9<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range long {
		long[i] = byte(r.Uint32())
	}
	m := source.Mem{"a/hparams.yaml": []byte("lr: 1"), "b/hparams.yaml": nil, "model.index": long, "short": []byte("abc")}
	sizes := map[string]int64{"a/hparams.yaml": 5, "b/hparams.yaml": 0, "model.index": int64(len(long)), "short": 5, "gone": 3}
	var got []string
	parts, bodies, _ := ask(t, m, sizes, Query{}.For("a/hparams.yaml", "b/hparams.yaml", "no such", "short", "gone"))
	for i, p := range parts {
		got = append(got, fmt.Sprintf("%s %d %d %q %v %v", p.Path, p.Size, p.From, bodies[i], p.Again, p.Error))
	}
	want := []string{
		`a/hparams.yaml 5 0 "lr: 1" false `, `b/hparams.yaml 0 0 "" false `, `no such 0 0 "" false no such is not listed`,
		`short 5 0 "" true the file has changed`, `gone 3 0 "" false the file is gone`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
	// Ranges, also beyond the end.
	for _, c := range []struct {
		q    Query
		want []byte
	}{{Query{From: 1, Max: 3}, long[1:4]}, {Query{From: 5 << 20}, long[5<<20:]}, {Query{From: int64(len(long)) + 7}, nil}, {Query{Max: 1 << 60}, long}} {
		parts, bodies, _ := ask(t, m, sizes, c.q.For("model.index"))
		if parts[0].Error != "" || bodies[0] != string(c.want) || parts[0].From != min(c.q.From, int64(len(long))) {
			t.Errorf("%+v: %+v with %d bytes, want %d", c.q, parts[0], len(bodies[0]), len(c.want))
		}
	}
	// All of it, in pieces that do not grow with the file.
	q := Query{}.For("a/hparams.yaml", "model.index", "no such", "short")
	q.Every = true
	parts, bodies, largest := ask(t, m, sizes, q)
	var all bytes.Buffer
	for i, p := range parts {
		if p.Path == "model.index" && p.From == int64(all.Len()) {
			all.WriteString(bodies[i])
		}
	}
	if !bytes.Equal(all.Bytes(), long) || largest > PieceBytes+windowBytes || parts[len(parts)-1].Error != "the file has changed" || parts[len(parts)-2].Error != "no such is not listed" {
		t.Errorf("%d bytes of %d, the largest piece %d: %+v", all.Len(), len(long), largest, parts)
	}
	// What is too much for one answer is said, and the others come.
	sizes["huge"] = 1 << 40
	parts, bodies, _ = ask(t, m, sizes, Query{}.For("huge", "a/hparams.yaml"))
	if !strings.Contains(parts[0].Error, "larger than what is answered at once") || bodies[1] != "lr: 1" {
		t.Errorf("%+v", parts)
	}
	if _, err := (Kind{}).Answerer(answer.World{}).Begin(&wire.Query{Body: []byte(`{"from":-1}`)}); err == nil {
		t.Error("a file is asked for before its beginning")
	}
}
