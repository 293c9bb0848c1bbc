package projector

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// golden is what the library that wrote a tensor reads of it.
type golden struct {
	Shape  []int64
	DType  string
	Values []float64
}

func goldens(t *testing.T) map[string]golden {
	b, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	// Infinities and NaN are not among them.
	var all map[string]golden
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every tensor that TensorFlow, NumPy and safetensors wrote has the shape, type and values that they
// read back; from the first rows alone too.
func TestGolden(t *testing.T) {
	p := newPage(t, "testdata")
	p.list()
	// By key: friendly names are another test's.
	byKey := map[string]*entry{}
	for id, e := range p.s.tensors {
		byKey[id] = e
	}
	checked := 0
	for name, want := range goldens(t) {
		id := strings.TrimSuffix(name, "#")
		e := byKey[id]
		if e == nil {
			t.Errorf("%s is not listed", name)
			continue
		}
		if dt := strings.TrimPrefix(strings.TrimPrefix(want.DType, ">"), "<"); string(e.stored.Info().DType) != dt && dt[0] != 'f' && dt[0] != 'i' || len(e.stored.Info().Shape) != len(want.Shape) {
			t.Errorf("%s: %+v, not %s %v", name, e.stored.Info(), want.DType, want.Shape)
		}
		if len(want.Values) == 0 {
			if e.Error == nil || e.Error.Code != "nothing-there" {
				t.Errorf("%s: %v", name, e.Error)
			}
			continue
		}
		all, dims := e.stored.Info().Points()
		for _, rows := range []int64{-1, 2, all, all + 5} {
			p.s.turn.Lock()
			got, problems, err := e.stored.Load(rows, func(read, of int64) error {
				if read > of {
					t.Errorf("%s: %d of %d", name, read, of)
				}
				return nil
			})
			p.s.turn.Unlock()
			n := len(want.Values)
			if rows >= 0 && rows < all {
				n = int(rows * dims)
			}
			if err != nil || len(problems) > 0 || len(got) != n {
				t.Errorf("%s, %d rows: %d values, not %d: %v %v", name, rows, len(got), n, problems, err)
				continue
			}
			for i, x := range got {
				if x != float32(want.Values[i]) {
					t.Errorf("%s, %d rows: value %d is %v, not %v", name, rows, i, x, want.Values[i])
					break
				}
			}
		}
		checked++
	}
	if checked < 60 {
		t.Errorf("only %d tensors", checked)
	}
}

// Objects' variables go by the names that they had; slots of optimisers are not to be looked at first.
func TestObjects(t *testing.T) {
	p := newPage(t, "testdata/keras")
	list, problems := p.list()
	if len(problems) > 0 {
		t.Error(problems)
	}
	main, names := 0, map[string]bool{}
	for _, e := range list {
		names[e.Name] = true
		if e.Main {
			main++
		}
		if e.Step != 1 || e.From != "checkpoint" {
			t.Errorf("%+v", e)
		}
	}
	if !names["lookup"] || main == 0 || main == len(list) {
		t.Errorf("%v, %d of %d", names, main, len(list))
	}
}

// A checkpoint without a shard lists all, and those of the shard say what is missing; others are read.
func TestMissingShard(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sharded-7.index", "sharded-7.data-00000-of-00003", "sharded-7.data-00001-of-00003"} {
		copyFile(t, filepath.Join("testdata/v2", name), filepath.Join(dir, name))
	}
	p := newPage(t, dir)
	list, _ := p.list()
	missing, there := 0, 0
	for id, e := range list {
		if e.Error == nil {
			if _, err := p.try("load", map[string]any{"tensor": id, "key": "a"}); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			there++
		} else if e.Error.Code == "missing" && e.Error.Path == "sharded-7.data-00002-of-00003" {
			missing++
		}
	}
	if missing == 0 || there == 0 {
		t.Errorf("%d missing, %d there", missing, there)
	}
	// It comes: the index is looked at again.
	copyFile(t, "testdata/v2/sharded-7.data-00002-of-00003", filepath.Join(dir, "sharded-7.data-00002-of-00003"))
	list, _ = p.list()
	for id, e := range list {
		if e.Error != nil && e.DType != "string" {
			t.Errorf("%s: %v", id, e.Error)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Any byte of a checkpoint's index that is another one is noticed, or changes nothing: every block has a
// checksum. A tensor whose bytes differ is shown, and said to be damaged.
func TestDamagedCheckpoint(t *testing.T) {
	index, err := os.ReadFile("testdata/v2/types-7.index")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyFile(t, "testdata/v2/types-7.data-00000-of-00001", filepath.Join(dir, "types-7.data-00000-of-00001"))
	whole := ""
	for i := -1; i < len(index)-48; i += 7 {
		b := append([]byte(nil), index...)
		if i >= 0 {
			b[i] ^= 0x10
		}
		os.WriteFile(filepath.Join(dir, "types-7.index"), b, 0o666)
		p := newPage(t, dir)
		list, problems := p.list()
		text, _ := json.Marshal(names(list))
		if i < 0 {
			whole = string(text)
		} else if string(text) != whole && len(problems) == 0 {
			t.Errorf("byte %d: %s", i, text)
		}
	}
	os.WriteFile(filepath.Join(dir, "types-7.index"), index, 0o666)
	data, _ := os.ReadFile("testdata/v2/types-7.data-00000-of-00001")
	for i := range data {
		data[i] ^= 1
	}
	os.WriteFile(filepath.Join(dir, "types-7.data-00000-of-00001"), data, 0o666)
	p := newPage(t, dir)
	p.list()
	a := p.ask("load", map[string]any{"tensor": "types-7.index#a/int32", "key": "a"})
	if list := a["problems"].([]*tensor.Trouble); len(list) == 0 || list[0].Code != "damaged" {
		t.Errorf("%v", list)
	}
	// And cut short it is torn.
	os.WriteFile(filepath.Join(dir, "types-7.data-00000-of-00001"), data[:3], 0o666)
	p.list()
	if _, err := p.try("load", map[string]any{"tensor": "types-7.index#a/int32", "key": "a"}); err == nil || err.Code != "torn" {
		t.Errorf("%v", err)
	}
}

func names(list map[string]Tensor) map[string]string {
	of := map[string]string{}
	for id, e := range list {
		of[id] = e.Name
	}
	return of
}

// trustworthiness is that of Venna and Kaski ("Neighborhood preservation in nonlinear projection
// methods", 2001), as scikit-learn counts it.
func trustworthiness(x, y []float32, n, dx, dy, k int) float64 {
	sq := func(v []float32, d, i, j int) (s float64) {
		for c := range d {
			e := float64(v[i*d+c] - v[j*d+c])
			s += e * e
		}
		return s
	}
	sum := 0.0
	for i := range n {
		dist := make([]float64, n)
		for j := range n {
			dist[j] = sq(x, dx, i, j)
		}
		dist[i] = math.Inf(1)
		near := nearestOf(n, k, func(j int) float64 {
			if j == i {
				return math.Inf(1)
			}
			return sq(y, dy, i, j)
		})
		for _, j := range near {
			rank := 1
			for l := range n {
				if dist[l] < dist[j] || dist[l] == dist[j] && l < j {
					rank++
				}
			}
			sum += float64(max(0, rank-k))
		}
	}
	return 1 - sum*2/(float64(n)*float64(k)*float64(2*n-3*k-1))
}

func nearestOf(n, k int, dist func(int) float64) []int {
	var list []int
	var of []float64
	for j := range n {
		d := dist(j)
		at := len(list)
		for at > 0 && of[at-1] > d {
			at--
		}
		if at >= k {
			continue
		}
		list = append(list[:at], append([]int{j}, list[at:]...)...)
		of = append(of[:at], append([]float64{d}, of[at:]...)...)
		if len(list) > k {
			list, of = list[:k], of[:k]
		}
	}
	return list
}

// digits is what scikit-learn and umap-learn make of scikit-learn's digits.
func digits(t *testing.T) (golden map[string]json.RawMessage, p *page) {
	b, err := os.ReadFile("testdata/digits.json")
	if err == nil {
		err = json.Unmarshal(b, &golden)
	}
	if err != nil {
		t.Fatal(err)
	}
	p = newPage(t, "testdata")
	p.list()
	p.ask("load", map[string]any{"tensor": "digits.npz#x", "key": "d"})
	return golden, p
}

func number(t *testing.T, raw json.RawMessage) (x float64) {
	t.Helper()
	if err := json.Unmarshal(raw, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// The maps are as trustworthy as those of the libraries, within a hundredth; and the measure is theirs.
func TestTrustworthy(t *testing.T) {
	golden, p := digits(t)
	x := p.s.open["d"].points
	y := make([]float32, 600)
	for i := range 300 {
		y[2*i], y[2*i+1] = x[i*64+10], x[i*64+11]
	}
	if got, want := trustworthiness(x, y, 300, 64, 2, 12), number(t, golden["trustworthiness of rows 0, 1 as a map"]); math.Abs(got-want) > 0.02 {
		t.Errorf("the measure gives %v, not %v", got, want) // ties of small integers are broken in another way
	}
	for _, c := range []struct {
		name string
		of   map[string]any
	}{
		{"tsne2", map[string]any{"method": "tsne", "dims": 2, "perplexity": 30}},
		{"tsne3", map[string]any{"method": "tsne", "dims": 3, "perplexity": 30}},
		{"umap2", map[string]any{"method": "umap", "dims": 2}},
		{"umap3", map[string]any{"method": "umap", "dims": 3}},
	} {
		c.of["key"], c.of["seed"], c.of["sample"] = "d", 1, 5000
		a := p.ask("project", c.of)
		got := trustworthiness(x, a["positions"].([]float32), 1797, 64, a["dims"].(int), 12)
		want := number(t, golden[c.name])
		t.Logf("%s: %.4f, theirs %.4f, %.1f s", c.name, got, want, a["seconds"])
		if got < want-0.01 {
			t.Errorf("%s: %.4f, theirs %.4f", c.name, got, want)
		}
	}
}

// PCA is scikit-learn's: the same shares of variance, and the same positions but for signs.
func TestPCA(t *testing.T) {
	golden, p := digits(t)
	var want struct {
		Variance []float64
		First    [][]float64
	}
	if err := json.Unmarshal(golden["pca"], &want); err != nil {
		t.Fatal(err)
	}
	a := p.ask("project", map[string]any{"key": "d", "method": "pca"})
	y := a["positions"].([]float32)
	if a["exact"] != true || a["components"] != 10 {
		t.Errorf("%v %v", a["exact"], a["components"])
	}
	for i, v := range a["variance"].([]float64) {
		if math.Abs(v-want.Variance[i]) > 1e-6 {
			t.Errorf("component %d: %v, not %v", i, v, want.Variance[i])
		}
		for r := range want.First {
			if d := math.Abs(math.Abs(float64(y[r*10+i])) - want.First[r][i]); d > 1e-3 {
				t.Errorf("row %d, component %d: %v", r, i, d)
			}
		}
	}
}

// A new checkpoint of a run that goes on is listed at the next look, as a later step of the same tensors, and
// only it is read.
func TestNewCheckpoint(t *testing.T) {
	dir := t.TempDir()
	take := func(step string) {
		copyFile(t, "testdata/v2/types-7.index", filepath.Join(dir, "types-"+step+".index"))
		copyFile(t, "testdata/v2/types-7.data-00000-of-00001", filepath.Join(dir, "types-"+step+".data-00000-of-00001"))
	}
	take("7")
	p := newPage(t, dir)
	before, _ := p.list()
	p.logs.read = nil
	take("12")
	after, _ := p.list()
	a, b := after["types-7.index#a/float32"], after["types-12.index#a/float32"]
	if len(after) != 2*len(before) || a.Step != 7 || b.Step != 12 || a.Of != b.Of || a.Of == "" {
		t.Errorf("%d after %d: %+v %+v", len(after), len(before), a, b)
	}
	for path := range p.logs.read {
		if !strings.HasPrefix(path, "types-12") {
			t.Errorf("%s was read again", path)
		}
	}
}
