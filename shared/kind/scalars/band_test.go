package scalars

import (
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// margins makes a run of n points, some of whose steps lack an edge, and one without edges.
func margins(t *testing.T, n int) *catalog.Catalog {
	t.Helper()
	m := source.Mem{}
	for _, run := range []string{"r", "bare"} {
		w := summary.NewBuffer(summary.Options{})
		for i := range n {
			v := float32(math.Sin(float64(i) / 9))
			for tag, x := range map[string]float32{"v": v, "l": v - 1 - float32(i%7), "u": v + 2 + float32(i%11)} {
				if tag == "v" || run == "r" && (tag == "l" || i%10 != 3) {
					if err := w.Scalar(tag, float64(x), int64(5*i), summary.WallSeconds(1000+float64(i))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		m[run+"/tfevents"] = w.Bytes()
	}
	c := catalog.New()
	if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c
}

func bandsOf(t *testing.T, c *catalog.Catalog, q Curves) ([]Part, []uint64) {
	t.Helper()
	w := q.Query()
	j, err := Kind{}.Answerer(answer.World{Catalog: c}).Begin(&w)
	if err != nil {
		t.Fatal(err)
	}
	var out answer.Out
	if s := j.Next(&out); s.More || len(s.Need) > 0 {
		t.Fatal("bands are answered at once")
	}
	return out.Parts.(Parts), out.Words
}

// The edges of a band are those of the curve's own steps, whatever is thinned; where there
// is none the band has a gap, and it is counted.
func TestBands(t *testing.T) {
	const n = 5000
	c := margins(t, n)
	for _, q := range []Curves{{X: wire.ByStep}, {X: wire.ByIndex}, {X: wire.ByStep, Pixels: 50}, {X: wire.ByWall, Pixels: 50, Weight: 0.6}, {X: wire.ByRelative, Weight: 0.6, Partition: true}} {
		q.Tag, q.Runs, q.Bands = "v", []string{"r", "bare"}, [][2]string{{"l", "u"}}
		parts, words := bandsOf(t, c, q)
		if len(parts) != 2 || parts[0].Unmatched != n/10 || parts[1].Unmatched != n {
			t.Fatalf("%+v", parts)
		}
		for _, p := range parts {
			edges := 2
			if q.Weight > 0 {
				edges = 4
			}
			if p.Edges != edges {
				t.Fatalf("%+v: %d columns of edges", q, p.Edges)
			}
			rest, _ := cut(t, words, p)
			if !q.X.Timed() {
				rest = rest[p.N:]
			}
			_, cols := cut(t, words, p)
			least, greatest := math.Inf(1), math.Inf(-1)
			for k, step := range cols[0] {
				i := int(step) / 5
				lower, upper := math.Float64frombits(rest[k]), math.Float64frombits(rest[p.N+k])
				v := float32(math.Sin(float64(i) / 9))
				if p.Run == "bare" {
					if lower == lower || upper == upper {
						t.Fatalf("%v, step %v: %v to %v where there is none", q, step, lower, upper)
					}
					continue
				}
				if lower != float64(v-1-float32(i%7)) || (upper != upper) != (i%10 == 3) || upper == upper && upper != float64(v+2+float32(i%11)) {
					t.Fatalf("%v, step %v: %v to %v", q, step, lower, upper)
				}
				least, greatest = min(least, lower), math.Max(greatest, map[bool]float64{true: greatest, false: upper}[upper != upper])
				if q.Weight > 0 {
					if a, b := math.Float64frombits(rest[2*p.N+k]), math.Float64frombits(rest[3*p.N+k]); a > cols[3][k] || b < cols[3][k] {
						t.Fatalf("the smoothed curve leaves its band at %v: %v %v %v", step, a, cols[3][k], b)
					}
				}
			}
			if p.Run == "r" && (least > -7.9 || greatest < 12.9) {
				t.Errorf("%+v: the band's ends were thinned away: %v to %v", q, least, greatest)
			}
			if q.Pixels > 0 && p.N > 12*q.Pixels {
				t.Errorf("%d points for %d pixels", p.N, q.Pixels)
			}
		}
	}
	w := Curves{Tag: "v", Runs: []string{"r"}, Bands: [][2]string{{"l", "u"}, {"l", "u"}}}.Query()
	if _, err := (Kind{}).Answerer(answer.World{Catalog: c}).Begin(&w); err == nil {
		t.Error("bands of tags that are not asked for")
	}
}
