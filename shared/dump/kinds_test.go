package dump

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
)

// sections are a dump's: section, run, tag.
type sections map[string]map[string]map[string]any

// TestGoldenKinds: of the other kinds, too, we read what TensorBoard reads: every step,
// every bucket, every percentile, and every blob byte by byte. See testdata/README.md.
func TestGoldenKinds(t *testing.T) {
	least := map[string]map[string]int{ // how many numbers and texts are compared
		"tensorflow":   {"histograms": 5000, "distributions": 1000, "images": 100, "audio": 5, "text": 3},
		"pytorch":      {"histograms": 5000, "distributions": 200, "images": 20, "audio": 5, "text": 3, "pr_curves": 2000},
		"tensorboardX": {"histograms": 5000, "distributions": 200, "images": 20, "audio": 5, "text": 3, "pr_curves": 2000},
	}
	for name, kindsOf := range least {
		m := logdir(t, path.Join("testdata", name))
		c := catalog.New()
		if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(t.Context(), &b, c, m.Logdir(), kinds.All()); err != nil {
			t.Fatal(err)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(b.Bytes(), &all); err != nil {
			t.Fatal(err)
		}
		want := golden(t, name)
		for section, n := range kindsOf {
			var got map[string]map[string]any
			if err := json.Unmarshal(all[section], &got); err != nil {
				t.Fatalf("%s, %s: %v", name, section, err)
			}
			if section == "text" {
				stepsOnly(got)
			}
			compared := 0
			if where := differ(toAny(got), toAny(want[section]), name+" "+section, &compared); where != "" {
				t.Error(where)
			}
			if compared < n {
				t.Errorf("%s, %s: only %d values compared", name, section, compared)
			}
		}
	}
}

// golden reads what TensorBoard has of a logdir.
func golden(t *testing.T, name string) (s sections) {
	t.Helper()
	unpack(t, name+".kinds.json.gz", &s)
	return s
}

// unpack reads packed JSON of testdata.
func unpack(t *testing.T, name string, into any) {
	t.Helper()
	f, err := os.Open(path.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stepsOnly leaves the steps of texts: TensorBoard gives them as HTML.
func stepsOnly(runs map[string]map[string]any) {
	for _, tags := range runs {
		for tag, values := range tags {
			var steps []any
			for _, v := range values.([]any) {
				steps = append(steps, v.(map[string]any)["step"])
			}
			tags[tag] = steps
		}
	}
}

func toAny(m map[string]map[string]any) any {
	out := map[string]any{}
	for k, v := range m {
		tags := map[string]any{}
		for tag, x := range v {
			tags[tag] = x
		}
		out[k] = tags
	}
	return out
}

// differ says where got is not want, "" if nowhere, and counts what it compared. Numbers
// may differ by rounding: TensorBoard keeps some in float32s.
func differ(got, want any, where string, n *int) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: %v, TensorBoard has %v", where, brief(got), brief(want))
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				return where + ": no " + k
			}
			if s := differ(g[k], w[k], where+" "+k, n); s != "" {
				return s
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: %v, TensorBoard has %v", where, brief(got), brief(want))
		}
		for i := range w {
			if s := differ(g[i], w[i], fmt.Sprintf("%s[%d]", where, i), n); s != "" {
				return s
			}
		}
	case float64:
		*n++
		g, ok := got.(float64)
		if !ok || math.Abs(g-w) > 1e-6*max(math.Abs(g), math.Abs(w), 1e-3) {
			return fmt.Sprintf("%s: %v, TensorBoard has %v", where, got, want)
		}
	default:
		*n++
		if got != want {
			return fmt.Sprintf("%s: %v, TensorBoard has %v", where, got, want)
		}
	}
	return ""
}

func brief(v any) string {
	s := fmt.Sprint(v)
	return s[:min(len(s), 200)]
}
