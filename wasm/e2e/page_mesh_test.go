//go:build !js

package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// cube is one with six colours at its corners, so large, beside the origin.
func cube(size float32) (m summary.Mesh) {
	for i := range 8 {
		at := func(bit int) float32 { return size * (float32(i>>bit&1)*2 - 1) }
		m.Vertices = append(m.Vertices, [3]float32{at(0) + size/2, at(1) - size/4, at(2) + size/8})
		m.Colors = append(m.Colors, [3]uint8{uint8(i & 1 * 255), uint8(i >> 1 & 1 * 255), uint8(i >> 2 & 1 * 255)})
	}
	for _, q := range [][4]int32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		m.Faces = append(m.Faces, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// sphere is a cloud of points.
func sphere(n int) (m summary.Mesh) {
	for i := range n {
		z, a := 1-2*(float64(i)+0.5)/float64(n), 2.4*float64(i)
		r := math.Sqrt(1 - z*z)
		m.Vertices = append(m.Vertices, [3]float32{float32(r * math.Cos(a)), float32(z), float32(r * math.Sin(a))})
	}
	return m
}

// meshLogs are a cube that grows, in two runs, a cloud of two samples, and one with all mistakes.
func meshLogs(t *testing.T) *logs {
	t.Helper()
	l := named(t, "shapes")
	ok := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	for i, run := range []string{"a", "b"} {
		l.file(run, fmt.Sprintf("170000000%d.host.1.0", i), func(w *summary.Buffer) {
			for step := range int64(3) {
				ok(w.Mesh("shape/cube", cube(float32(step+1)), `{"camera":{"cls":"PerspectiveCamera","fov":40}}`, step, summary.WallSeconds(epoch+100*float64(step))))
			}
		})
	}
	l.file("c", "1700000005.host.1.0", func(w *summary.Buffer) {
		ok(w.Meshes("cloud", []summary.Mesh{sphere(500), sphere(500)}, "", 0))
		inf, nan := float32(math.Inf(1)), float32(math.NaN())
		part := func(tag string, x summary.Tensor) {
			w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{summary.TensorValue(tag, x, summary.Metadata{Plugin: "mesh"})}})
		}
		part("bad_VERTEX", summary.FloatTensor([]int64{1, 6, 3}, 0, 0, 0, 1, 0, 0, 0, 1, 0, nan, 0, 0, 0, inf, 0, 1, 1, 0))
		part("bad_FACE", summary.FloatTensor([]int64{1, 5, 3}, 0, 1, 2, 1, 5, 2, 0, 1, 6, -1, 0, 1, 0, 1, 3))
		part("bad_COLOR", summary.FloatTensor([]int64{1, 2, 3}, 255, 0, 0, 0, 255, 0))
		part("torn_VERTEX", summary.FloatTensor([]int64{1, 2, 3}, 0, 0, 0))
		part("torn_FACE", summary.FloatTensor([]int64{1, 1, 3}, 0, 1, 2))
	})
	return l
}

// meshCell is a script's expression of a card's sample.
func meshCell(tag, run string, sample int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("article")].find((a) => a.dataset.tag === %s && a.ariaLabel.endsWith(%s))?.querySelectorAll(".mesh-cell")[%d]`, quote(tag), quote(", "+run), sample)
}

// meshPixels are how much of a cell's picture is not ground, and a sum that tells pictures apart.
func (s *screen) meshPixels(cell string) (share, sum float64) {
	s.t.Helper()
	var out [2]float64
	s.Wait(cell + `?.dataset.surface`)
	s.Rest()
	s.Eval(`((all) => {
		const copy = document.createElement("canvas"), g = copy.getContext("2d");
		copy.width = 100; copy.height = 100;
		for (const c of all) g.drawImage(c, 0, 0, 100, 100);
		const d = g.getImageData(0, 0, 100, 100).data, ground = d.slice(0, 3);
		let n = 0, sum = 0;
		for (let i = 0; i < d.length; i += 4) {
			if (Math.abs(d[i] - ground[0]) + Math.abs(d[i + 1] - ground[1]) + Math.abs(d[i + 2] - ground[2]) > 24) { n++; sum = (sum * 31 + d[i] + 7 * d[i + 1] + 13 * d[i + 2] + i) % 1e9; }
		}
		return [n / 1e4, sum];
	})(`+cell+`.querySelectorAll("canvas"))`, &out)
	return out[0], out[1]
}

// readsMeshes holds the page's reader of tensors against shared/mesh: on whole ones of every
// type, and on ones with any byte changed or cut, both read the same, or neither reads it.
func (s *screen) readsMeshes() {
	s.t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	var all [][]byte
	varint := func(b []byte, num protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), v)
	}
	some := func(b []byte, num protowire.Number, v []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), v)
	}
	shape := func(dims ...uint64) (b []byte) {
		for _, n := range dims {
			b = some(b, 2, varint(nil, 1, n))
		}
		return b
	}
	minus := ^uint64(0)
	for dtype, size := range map[uint64]int{1: 4, 2: 8, 3: 4, 4: 1, 5: 2, 6: 1, 9: 8, 10: 1, 14: 2, 17: 2, 19: 2, 22: 4, 23: 8} {
		content := make([]byte, 6*size)
		for i := range content {
			content[i] = byte(r.IntN(256))
		}
		head := some(varint(nil, 1, dtype), 2, shape(1, 2, 3))
		all = append(all, some(head, 4, content))
		field, packed := map[uint64]protowire.Number{9: 10, 10: 11, 14: 13, 19: 13, 22: 16, 23: 17}[dtype], []byte(nil)
		if field == 0 {
			field = 7
		}
		for _, v := range []uint64{0, 1, 255, 70000, minus, minus - 9} {
			packed = protowire.AppendVarint(packed, v)
		}
		switch dtype {
		case 1:
			field, packed = 5, content
		case 2:
			field, packed = 6, content
		}
		all = append(all, some(head, field, packed), some(some(varint(nil, 1, dtype), 2, shape(6, 3)), field, packed[:1]))
	}
	for _, whole := range all[:len(all):len(all)] {
		for range 30 {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(2) {
				b[r.IntN(len(b))] = []byte{0, 1, 2, 0x7f, 0x80, 0xff, byte(r.IntN(256))}[r.IntN(7)]
			}
			if r.IntN(3) == 0 {
				b = b[:r.IntN(len(b))]
			}
			all = append(all, b)
		}
	}
	type read struct {
		Samples, N int
		Values     []string
		Error      string
	}
	var got []read
	list, err := json.Marshal(all)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Eval(`(`+string(list)+`).map((text) => {
		try {
			const {samples, n, values} = tbMesh.tensor(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
			return {Samples: samples, N: n, Values: [...values].map(String)};
		} catch (e) { return {Error: e.message}; }
	})`, &got)
	whole := 0
	for i, b := range all {
		a, err := mesh.Read(b)
		g := got[i]
		if (err == nil) != (g.Error == "") {
			s.t.Errorf("%x: %v, the page says %q", b, err, g.Error)
			continue
		}
		if err != nil {
			continue
		}
		whole++
		same := a.Samples == g.Samples && a.N == g.N && len(a.Values) == len(g.Values)
		for k := range a.Values {
			v, err := strconv.ParseFloat(g.Values[k], 64)
			same = same && err == nil && (v == a.Values[k] || v != v && a.Values[k] != a.Values[k])
		}
		if !same {
			s.t.Errorf("%x: %+v, the page reads %+v", b, a, g)
		}
	}
	if whole < 100 || whole > len(all)*3/4 {
		s.t.Errorf("%d of %d tensors can be read", whole, len(all))
	}
}

// A user sees meshes and clouds, turns them together or alone, goes through the steps, changes
// how faces are drawn, and saves them; what is wrong is named, and the rest is shown.
func TestPageMeshes(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, meshLogs(t).dir)
	s.Before(`{
		const get = HTMLCanvasElement.prototype.getContext;
		globalThis.contexts = [];
		HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
			const c = get.call(this, kind, ...more);
			if (kind === "webgl2" && c && !contexts.includes(c)) contexts.push(c);
			return c;
		};
	}`)
	s.fresh("#mesh")
	s.rests()
	s.cards("bad, c", "cloud, c", "torn, c", "shape/cube, a", "shape/cube, b")
	a, b := meshCell("shape/cube", "a", 0), meshCell("shape/cube", "b", 0)
	cubeA, cubeB := s.Control("article", "shape/cube, a"), s.Control("article", "shape/cube, b")
	cubeA.Control("status", "8 vertices, 12 faces").Wait()
	cubeB.Control("status", "8 vertices, 12 faces").Wait()
	full, first := s.meshPixels(a)
	if full < 0.1 || full > 0.9 {
		t.Errorf("the cube covers %g of its card", full)
	}
	if _, same := s.meshPixels(b); same != first {
		t.Error("the same cube in two runs has two pictures")
	}

	s.said(article("shape/cube, a"), "mesh")

	// An earlier step is smaller, in the same scale.
	cubeA.Control("slider", "Step").Slide(0)
	cubeA.Control("status", "step 0").Wait()
	s.Wait(a + `.dataset.vertices === "8"`)
	s.Until(func() string {
		if small, _ := s.meshPixels(a); small > full*0.3 || small < full*0.03 {
			return fmt.Sprintf("the first cube covers %g, the last %g", small, full)
		}
		return ""
	})
	cubeA.Control("slider", "Step").Slide(1)
	cubeA.Control("status", "step 2").Is(`e.title.includes("2023")`)
	s.Until(func() string {
		if _, sum := s.meshPixels(a); sum != first {
			return "the last step is not as it was"
		}
		return ""
	})

	// Turning one turns all, until they are no longer linked; a key resets.
	turn := func(cell string) {
		t.Helper()
		box := s.box(cell)
		s.Drag(box.Part(0.5, 0.5), box.Part(0.7, 0.6))
	}
	turn(a)
	_, turned := s.meshPixels(a)
	if _, with := s.meshPixels(b); turned == first || with != turned {
		t.Errorf("a was turned from %g to %g, b is %g", first, turned, with)
	}
	s.Control("checkbox", "Turn all meshes together").Click()
	s.hash("#mesh&linkMeshes=false")
	turn(b)
	if _, alone := s.meshPixels(a); alone != turned {
		t.Error("a mesh that is not linked was turned with another")
	}
	_, own := s.meshPixels(b)
	if own == turned {
		t.Error("b was not turned")
	}
	// How each stands stays while it is away.
	filter := s.Control("searchbox", "Filter tags (regex)")
	filter.Fill("cloud")
	cubeB.Gone()
	filter.Fill("")
	cubeB.Control("status", "8 vertices, 12 faces").Wait()
	s.Until(func() string {
		_, x := s.meshPixels(a)
		if _, y := s.meshPixels(b); x != turned || y != own {
			return fmt.Sprintf("they stand at %g and %g, they stood at %g and %g", x, y, turned, own)
		}
		return ""
	})
	s.Control("checkbox", "Turn all meshes together").Click()
	cubeA.Control("application", "*").Get(`e.focus()`, nil)
	s.Press("0")
	s.Until(func() string {
		_, x := s.meshPixels(a)
		if _, y := s.meshPixels(b); x != first || y != first {
			return "the views are not reset"
		}
		return ""
	})
	s.Press("ArrowLeft")
	if _, keyed := s.meshPixels(b); keyed == first {
		t.Error("a key did not turn it")
	}
	s.Press("0")

	// Faces: as they are, smooth, as wires.
	s.Wait(a + `.dataset.surface === "flat"`) // a cube has edges
	s.Control("radio", "Wireframe").Click()
	s.hash("#mesh&surface=wireframe")
	if wires, _ := s.meshPixels(a); wires > full*0.5 || wires < 0.005 {
		t.Errorf("the wires of the cube cover %g, its faces %g", wires, full)
	}
	s.Control("radio", "Smooth").Click()
	if _, smooth := s.meshPixels(a); smooth == first {
		t.Error("smooth is as flat")
	}
	s.Control("radio", "Auto").Click()
	s.hash("#mesh")

	// Files have what was logged.
	dir := s.Downloads()
	cubeA.Control("button", "More of this mesh").Click()
	s.Control("menuitem", "Save as PLY").Click()
	ply := s.saved(dir, "shape_cube_a_step2.ply")
	head, body, _ := strings.Cut(ply, "end_header\n")
	if !strings.Contains(head, "element vertex 8\n") || !strings.Contains(head, "element face 12\n") || len(body) != 8*15+12*13 {
		t.Fatalf("%d bytes behind %q", len(body), head)
	}
	for i, v := range cube(3).Vertices {
		for d := range v {
			if got := math.Float32frombits(binary.LittleEndian.Uint32([]byte(body[15*i+4*d:]))); got != v[d] {
				t.Errorf("vertex %d is at %g in the file, and not %g", i, got, v[d])
			}
		}
		if c := cube(3).Colors[i]; body[15*i+12:15*i+15] != string(c[:]) {
			t.Errorf("the colour of vertex %d is %v", i, []byte(body[15*i+12:15*i+15]))
		}
	}
	cubeA.Control("button", "More of this mesh").Click()
	s.Control("menuitem", "Save picture (PNG)").Click()
	if png := s.saved(dir, "shape_cube_a_step2.png"); !strings.HasPrefix(png, "\x89PNG") || len(png) < 1000 {
		t.Errorf("a picture of %d bytes", len(png))
	}

	// A step is kept beside the one that the slider goes to, in one scale and turned together.
	cubeA.Control("button", "More of this mesh").Click()
	s.Control("menuitem", "Keep this step beside").Click()
	cubeA.Control("slider", "Step").Slide(0)
	s.Wait(`((e) => e.querySelectorAll(".mesh-cell").length === 2 && e.innerText.includes("step 0") && e.innerText.includes("step 2"))(` + a + `.closest("article"))`)
	s.Until(func() string {
		small, _ := s.meshPixels(a)
		if kept, _ := s.meshPixels(meshCell("shape/cube", "a", 1)); small > kept*0.3 {
			return fmt.Sprintf("the first step covers %g, the kept one %g", small, kept)
		}
		return ""
	})
	cubeA.Control("slider", "Step").Slide(1)
	s.Eval(a+`.querySelector("[aria-label='More of this mesh']").click()`, nil)
	s.Control("menuitem", "Nothing beside").Click()
	s.Wait(a + `.closest("article").querySelectorAll(".mesh-cell").length === 1`)

	// A cloud of two samples.
	cloud := s.Control("article", "cloud, c")
	cloud.Get(`e.scrollIntoView()`, nil)
	cloud.Control("status", "500 vertices each").Wait()
	for i := range 2 {
		if share, _ := s.meshPixels(meshCell("cloud", "c", i)); share < 0.02 || share > 0.8 {
			t.Errorf("sample %d of the cloud covers %g", i, share)
		}
	}

	s.Eval(meshCell("cloud", "c", 1)+`.querySelector("[aria-label='More of this mesh']").click()`, nil)
	s.said(openMenu, "mesh-menu")
	s.Control("menuitem", "Save as PLY").Click()
	if ply := s.saved(dir, "cloud_c_step0_1.ply"); !strings.Contains(ply, "element vertex 500\n") {
		t.Errorf("the second sample's file begins %.80q", ply)
	}

	// What is wrong is named, and the rest shown.
	bad := s.Control("article", "bad, c")
	bad.Get(`e.scrollIntoView()`, nil)
	for _, want := range []string{"6 vertices, 2 faces", "2 vertices of 6 are not finite", "2 colours for 6 vertices", "2 faces of 5 name vertices that are not there", "1 face at such vertices is left out"} {
		bad.Is(`e.querySelector(".mesh-foot").innerText.includes(` + quote(want) + `)`)
	}
	if share, _ := s.meshPixels(meshCell("bad", "c", 0)); share < 0.05 {
		t.Errorf("of the faces that are whole %g is seen", share)
	}
	torn := s.Control("article", "torn, c")
	torn.Is(`e.querySelector(".meshes").innerText.includes("not as many as its shape says")`)

	// One context draws all of it; a browser that takes it back is said so, and draws on.
	cubeA.Get(`e.scrollIntoView()`, nil)
	s.meshPixels(a)
	var contexts int
	if s.Eval(`contexts.length`, &contexts); contexts != 1 {
		t.Errorf("%d contexts for one page of meshes", contexts)
	}
	s.Eval(`(globalThis.lose = contexts[0].getExtension("WEBGL_lose_context")).loseContext()`, nil)
	cubeA.Is(`e.querySelector(".mesh-foot").innerText.includes("graphics context was lost")`)
	if share, _ := s.meshPixels(a); share < full*0.8 {
		t.Errorf("without the context %g of the cube is seen", share)
	}
	s.Eval(`lose.restoreContext()`, nil)
	cubeA.Is(`!e.querySelector(".mesh-foot").innerText.includes("lost")`)
	s.Until(func() string {
		if _, sum := s.meshPixels(a); sum != first {
			return "the picture is not as it was before the context was lost"
		}
		return ""
	})

	s.readsMeshes()

	// What a scene's configuration says is heeded: what cannot be is not.
	s.Wait(`JSON.stringify(tbMesh.config('{"camera":{"cls":"PerspectiveCamera","fov":40,"near":2,"far":9,"zoom":2,"position":[1,2,3]},"material":{"cls":"MeshBasicMaterial","opacity":0.5,"color":255,"size":-1},"lights":[{"cls":"AmbientLight","color":"#ff0000","intensity":0.5}]}')) === ` +
		`JSON.stringify({fov: 40, eye: [1, 2, 3], near: 2, far: 9, zoom: 2, size: undefined, color: [0, 0, 255], opacity: 0.5, wireframe: false, flat: false, unlit: true, lights: {ambient: [0.5, 0, 0], sun: [0, 0, 0], from: [0, 1, 0]}})`)
	s.Wait(`((c) => { c.center = [0, 0, 0]; c.radius = 5; c.set({ size: 9.3, near: 8, far: 12 }); const a = c.matrix(100, 100); return Math.abs(clip(a.m, a.D, 8) + 1) < 1e-3 && Math.abs(clip(a.m, a.D, 12) - 1) < 1e-3; function clip(m, D, w) { const b = c.axes().back, p = b.map((v) => v * (D - w)); return (m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14]) / (m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15]); } })(tbScene.camera({}))`)

	s.Wait(`JSON.stringify(tbMesh.config('{"camera":{"cls":"OrthographicCamera"},"material":{"flatShading":true,"transparent":false,"opacity":0.3,"color":1122867},"lights":[{"cls":"DirectionalLight","intensity":0.5,"color":"#0000ff","position":[0,0,2]},{"cls":"PointLight","intensity":2,"color":"#ff0000","position":[3,0,0]},{"cls":"AmbientLight","color":"#ffffff","intensity":0.25}]}')) === ` +
		`JSON.stringify({fov: 1, color: [17, 34, 51], wireframe: false, flat: true, unlit: false, lights: {ambient: [0.25, 0.25, 0.25], sun: [2, 0, 0], from: [1, 0, 0]}})`)

	// In Time series, too, and in a link.
	s.Eval(`void (location.hash = "#timeseries&surface=wireframe")`, nil)
	cubeA.Control("status", "8 vertices, 12 faces").Wait()
	s.Wait(a + `?.dataset.surface === "wireframe"`)
}

// On a telephone one finger turns a mesh, two move and zoom it, in Firefox too.
func TestPageMeshesTouch(t *testing.T) {
	t.Parallel()
	l := meshLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Resize(390, 844)
			s.fresh("#mesh")
			s.rests()
			cube := s.Control("article", "shape/cube, a")
			cube.Get(`e.scrollIntoView()`, nil)
			cube.Control("status", "8 vertices, 12 faces").Wait()
			a := meshCell("shape/cube", "a", 0)
			_, first := s.meshPixels(a)
			box := s.box(a)
			s.Touch(box.Part(0.5, 0.5))
			s.Touch(box.Part(0.6, 0.52))
			s.Touch(box.Part(0.75, 0.54))
			s.Touch()
			s.Until(func() string {
				if _, sum := s.meshPixels(a); sum == first {
					return "a finger did not turn the cube"
				}
				return ""
			})
			_, turned := s.meshPixels(a)
			s.Touch(box.Part(0.45, 0.5))
			s.Touch(box.Part(0.45, 0.5), box.Part(0.55, 0.5))
			s.Touch(box.Part(0.35, 0.5), box.Part(0.65, 0.5))
			s.Touch(box.Part(0.25, 0.5), box.Part(0.75, 0.5))
			s.Touch()
			s.Until(func() string {
				if _, now := s.meshPixels(a); now == turned {
					return "two fingers did nothing"
				}
				return ""
			})
		})
	}
}
