//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A scene does what the contract at the head of static/lazy/scene/1-camera.js says: where points
// stand, which of them is hit, what the hand does, and which pixels there are.
func TestScene(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Eval(`tbBoot.load("scene").then(() => {
		globalThis.stage = (options, layers) => {
			globalThis.scene?.end();
			document.querySelector("#scene")?.remove();
			const el = document.createElement("div");
			el.id = "scene";
			el.style = "position: fixed; left: 100px; top: 100px; width: 400px; height: 300px; z-index: 9999; background: #fff";
			document.body.append(el);
			globalThis.scene = tbScene.make(el, options);
			scene.ground = [255, 255, 255];
			for (const [name, l] of Object.entries(layers)) scene.set(name, l);
			globalThis.heard = {click: [], area: []};
			scene.on("click", (i) => heard.click.push(i));
			scene.on("area", (hits) => heard.area.push([...hits]));
		};
		globalThis.red = (...at) => ({kind: "points", positions: new Float32Array(at), color: [255, 0, 0], size: 20, fixed: true});
		globalThis.near = (a, b) => [...a].every((v, i) => Math.abs(v - b[i]) < 0.01);
		// pixel is one of a picture, inked says how many are not the ground.
		globalThis.pixel = (c, x, y) => [...c.getContext("2d").getImageData(x, y, 1, 1).data].slice(0, 3).join();
		globalThis.inked = (c) => { const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] + d[i + 1] + d[i + 2] < 700) n++; return n; };
	})`, nil)
	is := func(what string) {
		t.Helper()
		s.Wait(what)
	}
	at := func(x, y float64) browsertest.Point { return browsertest.Point{X: 100 + x, Y: 100 + y} }
	camera := func() (c struct {
		Target         [3]float64
		Azimuth, Polar float64
		Size           float64
	}) {
		t.Helper()
		var text string
		s.Eval(`JSON.stringify(scene.camera.get())`, &text)
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, options := range []string{`{}`, `{plain: true}`} {
		// Flat: x to the right, y upwards, 100 pixels a unit.
		s.Eval(`void stage(`+options+`, {points: red(0, 1, 0, 1, 0, 0, 0, -1, 0)})`, nil)
		s.Eval(`void scene.camera.set({dims: 2, target: [0, 0, 0], size: 3})`, nil)
		is(`((p) => near([p[0], p[1], p[3], p[4], p[6], p[7]], [200, 50, 300, 150, 200, 250]))(scene.place())`)
		is(`[scene.find(200, 50), scene.find(302, 150), scene.find(200, 250), scene.find(250, 100)].join() === "0,1,2,-1"`)
		is(`[...scene.inside([150, 0, 250, 0, 250, 100, 150, 100])].join() === "0"`)
		is(`((c) => pixel(c, 200, 50) === "255,0,0" && pixel(c, 300, 150) === "255,0,0" && pixel(c, 200, 150) === "255,255,255")(scene.picture(1))`)
		is(`((n) => n > 800 && n < 1100)(inked(scene.picture(1)))`) // three discs of 20 pixels
		// What is drawn above is in the picture, in its own pixels.
		s.Eval(`void scene.on("draw", (g) => { g.fillStyle = "#00ff00"; g.fillRect(10, 10, 20, 20); })`, nil)
		is(`((c) => c.width === 800 && c.height === 600 && pixel(c, 22, 22) === "0,255,0" && pixel(c, 58, 58) === "0,255,0" && pixel(c, 62, 62) === "255,255,255")(scene.picture(2))`)

		// In depth: what is nearer to the eye is hit, in whichever order they come.
		s.Eval(`void (stage(`+options+`, {points: red(0, 0, -1, 0, 0, 1, 0, 0, 0)}), scene.camera.set({dims: 3, azimuth: 0, polar: Math.PI / 2, target: [0, 0, 0], size: 4}))`, nil)
		is(`scene.find(200, 150) === 1`)
		s.Eval(`void scene.camera.set({azimuth: Math.PI})`, nil)
		is(`scene.find(200, 150) === 0`)
		s.Eval(`void (stage(`+options+`, {points: {...red(0, 0, -1, 0, 0, 1, 0, 0, 0), colors: new Uint8Array([255, 0, 0, 255, 255, 0, 0, 0, 255, 0, 0, 255])}}), scene.camera.set({dims: 3, azimuth: 0, polar: Math.PI / 2, target: [0, 0, 0], size: 4}))`, nil)
		is(`scene.find(200, 150) === 2`) // the nearest is not shown

		// The hand.
		was := camera()
		s.Drag(at(200, 150), at(260, 150))
		if c := camera(); math.Abs(was.Azimuth-c.Azimuth-60*0.008) > 0.01 || c.Target != was.Target {
			t.Errorf("%s: a drag made %+v of %+v", options, c, was)
		}
		was = camera()
		s.DragMiddle(at(200, 150), at(260, 150))
		if c := camera(); c.Azimuth != was.Azimuth || c.Target == was.Target {
			t.Errorf("%s: a drag with the middle button made %+v of %+v", options, c, was)
		}
		was = camera()
		s.Wheel(at(200, 150), -120)
		s.Rest()
		if c := camera(); c.Size >= was.Size {
			t.Errorf("%s: the wheel made %g of %g", options, c.Size, was.Size)
		}
		s.Eval(`void (stage(`+options+`, {points: red(0, 1, 0, 1, 0, 0, 0, -1, 0)}), scene.camera.set({dims: 2, target: [0, 0, 0], size: 3}))`, nil)
		s.Click(at(300, 150))
		is(`heard.click.join() === "1"`)
		s.Drag(at(200, 50), at(202, 50)) // hardly
		is(`heard.click.join() === "1,0"`)
		s.Drag(at(150, 20), at(250, 100), "Shift")
		is(`JSON.stringify(heard.area) === "[[0]]"`)
		s.Eval(`void (scene.mode = "lasso")`, nil)
		s.DragTo(at(150, 200), func() browsertest.Point { return at(250, 200) }, func() browsertest.Point { return at(250, 290) }, func() browsertest.Point { return at(150, 290) })
		is(`JSON.stringify(heard.area) === "[[0],[2]]"`)
		// Two fingers move and zoom, about where they are.
		s.Eval(`void (scene.mode = "turn", scene.camera.set({dims: 2, target: [0, 0, 0], size: 3}))`, nil)
		s.Touch(at(150, 150))
		s.Touch(at(150, 150), at(250, 150))
		s.Touch(at(200, 150), at(300, 150))
		s.Touch(at(150, 150), at(350, 150))
		s.Touch()
		is(`((p) => near([p[0], p[1]], [250, -50]) && near([p[3], p[4]], [450, 150]))(scene.place())`)
	}

	// A scene in a page that scrolls leaves the wheel to the page until it was clicked.
	s.Eval(`void (stage({calm: true}, {points: red(0, 0, 0)}), scene.camera.set({dims: 2, target: [0, 0, 0], size: 3}))`, nil)
	s.Eval(`void document.activeElement.blur()`, nil)
	s.Wheel(at(200, 150), -120)
	s.Rest()
	if c := camera(); c.Size != 3 {
		t.Errorf("the wheel made %g of 3", c.Size)
	}
	s.Click(at(200, 150))
	s.Wheel(at(200, 150), -120)
	s.Until(func() string {
		if c := camera(); c.Size >= 3 {
			return fmt.Sprint("the size is ", c.Size)
		}
		return ""
	})

	// Faces are lit from both sides, edges are there once, faces that point nowhere are left out, and
	// each point has its own image.
	s.Eval(`void (stage({}, {face: {kind: "triangles", positions: new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]), color: [200, 100, 50], light: 0.3}}), scene.camera.set({dims: 3, azimuth: 0, polar: Math.PI / 2, target: [0, 0, 0], size: 3}))`, nil)
	is(`(globalThis.front = pixel(scene.picture(1), 200, 150)) === "200,100,50"`)
	s.Eval(`void scene.camera.set({azimuth: Math.PI})`, nil)
	is(`pixel(scene.picture(1), 200, 150) === front`)
	s.Eval(`void scene.set("face", {kind: "triangles", positions: new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]), normals: new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1]), color: [200, 100, 50], light: 0.3})`, nil)
	is(`pixel(scene.picture(1), 200, 150) === front`)
	is(`tbScene.edges({indices: new Uint32Array([0, 1, 2, 2, 1, 3])}).length === 10`)
	is(`((s) => [...s.indices].join() === "0,1,2" && s.left === 4)(tbScene.sound([0, 1, 2, 0, 1, 3, 3, 1, 0, 0, -1, 2, 1], 3))`)
	s.Eval(`void (() => {
		const image = document.createElement("canvas"), g = image.getContext("2d");
		image.width = 32; image.height = 16;
		g.fillStyle = "#ff0000"; g.fillRect(0, 0, 16, 16);
		g.fillStyle = "#0000ff"; g.fillRect(16, 0, 16, 16);
		stage({}, {points: {...red(0, 1, 0, 1, 0, 0, 0, -1, 0), sprite: {image, columns: 2, width: 16, height: 16, cells: new Float32Array([0, 1, 0])}}});
		scene.camera.set({dims: 2, target: [0, 0, 0], size: 3});
	})()`, nil)
	is(`((c) => [pixel(c, 200, 50), pixel(c, 300, 150), pixel(c, 200, 250)].join(" ") === "255,0,0 0,0,255 255,0,0")(scene.picture(1))`)
	s.Eval(`void (scene.end(), document.querySelector("#scene").remove())`, nil)
}
