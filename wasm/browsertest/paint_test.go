//go:build !js

package browsertest

import (
	"fmt"
	"reflect"
	"testing"
)

// These tests are of the painter's pure functions, static/paint*.js, in a real
// browser: their numbers are TensorBoard's and d3's.

func TestPainterFunctions(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(ours(t))
	p.Wait(`globalThis.tbPaint?.create`)
	for _, c := range []struct {
		expression string
		want       any
	}{
		// Values: four significant digits, scientific outside 0.001…10,000.
		{`[0, 1, -0.5, 0.123456, 123.456, 9999.4, 9999.9, 10000, 123456, 0.001, 0.00012345, -1e300].map(v => tbPaint.num(v))`,
			[]any{"0", "1", "-0.5", "0.1235", "123.5", "9,999", "10,000", "1e+4", "1.23e+5", "0.001", "1.23e-4", "-1e+300"}},
		{`[NaN, Infinity, -Infinity].map(v => tbPaint.num(v))`, []any{"NaN", "∞", "-∞"}},
		{`[0, 500, 9999, 12000, 1234567, 2.5e9, 0.5, -20000].map(tbPaint.stepTick).map(s => s.replace(/[^-\d.kMGT]/g, ""))`,
			[]any{"0", "500", "9999", "12k", "1.234567M", "2.5G", "0.5", "-20k"}},
		{`[0, 0.4, 59, 60, 61, 3600, 4320, 86400 * 2.5, -90, NaN].map(tbPaint.duration)`,
			[]any{"0 s", "400 ms", "59 s", "1 min", "1 min 1 s", "1 h", "1 h 12 min", "2 d 12 h", "-1 min 30 s", "NaN"}},
		// Ticks of the horizontal axis differ, however far it is zoomed in.
		{xTicks("relative", 11520, 11560), []any{"3 h 12 min", "3 h 12 min 10 s", "3 h 12 min 20 s", "3 h 12 min 30 s", "3 h 12 min 40 s"}},
		{xTicks("relative", 183600, 183900), []any{"2 d 3 h", "2 d 3 h 1 min", "2 d 3 h 2 min", "2 d 3 h 3 min", "2 d 3 h 4 min", "2 d 3 h 5 min"}},
		{xTicks("relative", 7200, 7200.4), []any{"2 h", "2 h 0.1 s", "2 h 0.2 s", "2 h 0.3 s", "2 h 0.4 s"}},
		{xTicks("relative", -7230, -7200), []any{"-2 h 30 s", "-2 h 25 s", "-2 h 20 s", "-2 h 15 s", "-2 h 10 s", "-2 h 5 s", "-2 h"}},
		{xTicks("relative", 0, 7000), []any{"0 s", "30 min", "1 h", "1 h 30 min"}},
		{xTicks("step", 12345678, 12345682), []any{"12,345,678", "12,345,679", "12,345,680", "12,345,681", "12,345,682"}},
		{xTicks("step", 5, 5.0004), []any{"5", "5.0001", "5.0002", "5.0003", "5.0004"}},
		{xTicks("step", 0, 2000), []any{"0", "500", "1,000", "1,500", "2,000"}},
		// Where long ones have no room there are fewer.
		{`tbPaint.xTicks({x: "relative", xKind: "linear"}, 11520, 11560, 350).text`, []any{"3 h 12 min", "3 h 12 min 20 s", "3 h 12 min 40 s"}},
		// More digits, and all of them.
		{`[tbPaint.num(123757312, 9), tbPaint.num(12345.678, 8), tbPaint.num(0.99994, 5), tbPaint.num(1e20, 9)]`, []any{"123,757,312", "12,345.678", "0.99994", "1e+20"}},
		{`[Math.fround(0.1), 0.1 + 0.2, Math.fround(0.99993), 123757312, NaN].map(tbPaint.exact)`, []any{"0.1", "0.30000000000000004", "0.99993", "123757312", "NaN"}},
		{`tbPaint.values([0.99993, 0.99994, 0.5])`, []any{"0.99993", "0.99994", "0.5"}},
		{`tbPaint.values([0.99993], () => [0.99994])`, []any{"0.99993"}},
		{`tbPaint.values([123757312, 0.25, NaN])`, []any{"123,757,312", "0.25", "NaN"}},
		{`tbPaint.values([0.123456789, 5])`, []any{"0.1235", "5"}},
		{`new Set(tbPaint.yTicks("linear", 123757300, 123757340, 5).text).size`, 5.0},
		// All numbers of an axis are written in one form.
		{`tbPaint.yTicks("linear", 0, 16000, 5).text`, []any{"0", "5,000", "10,000", "15,000"}},
		{`tbPaint.yTicks("linear", 0, 0.0018, 5).text`, []any{"0", "0.0005", "0.001", "0.0015"}},
		{`tbPaint.yTicks("linear", 0, 2e6, 5).text`, []any{"0", "5e+5", "1e+6", "1.5e+6", "2e+6"}},
		{`tbPaint.yTicks("linear", 0, 3e-5, 4).text`, []any{"0", "1e-5", "2e-5", "3e-5"}},
		{`tbPaint.yTicks("log", -5, 4, 6).text`, []any{"0.0001", "0.01", "1", "100", "10,000"}},
		{`tbPaint.xTicks({x: "step", xKind: "linear"}, 0, 12000, 400).text`, []any{"0", "2k", "4k", "6k", "8k", "10k", "12k"}},
		{`tbPaint.xTicks({x: "step", xKind: "linear"}, 0, 9000, 400).text`, []any{"0", "2,000", "4,000", "6,000", "8,000"}},
		{`tbPaint.xTicks({x: "step", xKind: "linear"}, 11990, 12010, 400).text`, []any{"11,990", "11,995", "12,000", "12,005", "12,010"}},
		// Symlog: round values, linear in a zone that follows the data.
		{`tbPaint.yTicks("symlog:1", -2, 4, 8).text`, []any{"-10", "0", "10", "100", "1,000"}},
		{`tbPaint.yTicks("symlog:1", -0.3, 0.3, 5).text`, []any{"-0.5", "0", "0.5"}},
		{`[tbPaint.zone(new Float64Array([0.02, -0.05, 0, NaN, 0.09]), 5), tbPaint.zone(new Float64Array([0]), 1), tbPaint.zone(new Float64Array([1, 1e9]), 2)]`, []any{0.01, 1.0, 1000.0}},
		// Mean and band are those of the textbook, where runs have the same steps, where some
		// end early, and where each has its own.
		{meansOf(`i => i`, `r => 50`), true},
		{meansOf(`i => i`, `r => 50 - r`), true},
		{meansOf(`(i, r) => i * (1 + r % 3)`, `r => 50 - r`), true},
		{meansOf(`i => i >> 1`, `r => 50`), true}, // steps that come twice
		// One after the other, and begun in the middle.
		{meansOf(`(i, r) => i + 20 * r`, `r => 50`), true},
		{meansOf(`(i, r) => i + r % 2 * 10`, `r => 50 + r`), true},
		{`(({numbers, runs}) => [[...new Float64Array(numbers.buffer)], runs])(tbPaint.parts('[{"run":"a","offset":8,"n":2,"kept":3,"points":4,"start":1.5,"preview":true,"full":false},{"run":"b","tag":1,"piece":2,"offset":40,"n":0,"kept":0,"points":0,"start":0,"preview":false,"narrow":15,"wallBase":-2.5,"edges":4,"unmatched":6,"thinned":true,"full":true,"every":8}]'))`,
			[]any{[]any{0., 0., 8., 2., 3., 4., 1.5, 1., 0., 0., 0., 0., 0., 0., 0., 1., 2., 40., 0., 0., 0., 0., 0., 15., -2.5, 4., 6., 1., 8., 1.}, "a\x00b"}},
		// Ticks: d3's.
		{`tbPaint.ticks(0, 1, 5)`, []any{0.0, 0.2, 0.4, 0.6, 0.8, 1.0}},
		{`tbPaint.ticks(-7, 13, 4)`, []any{-5.0, 0.0, 5.0, 10.0}},
		{`Object.is(tbPaint.ticks(-1, 1, 2)[1], 0)`, true},
		{`tbPaint.ticks(5, 5, 3)`, []any{5.0}},
		{`tbPaint.nice(0.13, 9.7)`, []any{0.0, 10.0}},
		{`tbPaint.nice(-0.031, 0.97)`, []any{-0.1, 1.0}},
		{`tbPaint.logTicks(-2, 2, 5)`, []any{0.01, 0.1, 1.0, 10.0, 100.0}},
		{`tbPaint.durationTicks(0, 7000, 4)`, []any{0.0, 1800.0, 3600.0, 5400.0}},
		{`new Set(tbPaint.yTicks("linear", 0.70001, 0.70002, 5).text).size >= 4`, true},
		// Ranges.
		{`[[0, 0], [-2, -2], [3, 3], null].map(s => tbPaint.yRange("linear", s))`,
			[]any{[]any{-1.0, 1.0}, []any{-4.0, 0.0}, []any{0.0, 6.0}, []any{-1.0, 1.0}}},
		{`tbPaint.yRange("log", [1, 100])`, []any{0.5, 200.0}},
		{`tbPaint.yRange("log", null)[1]`, 10.0},
		{`tbPaint.yRange("symlog", [4, 4])`, []any{2.0, 8.0}},
		{`tbPaint.span(Float64Array.from({length: 101}, (_, i) => (i * 37) % 101), 101, true)`, []any{5.0, 95.0}},
		{`tbPaint.span(new Float64Array([3, 1]), 2, true)`, []any{1.0, 3.0}},
		{`tbPaint.span(new Float64Array(0), 0, true)`, nil},
	} {
		var got any
		p.Eval(c.expression, &got)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s\n got %v\nwant %v", c.expression, got, c.want)
		}
	}
}

// xTicks are the texts of a wide horizontal axis.
func xTicks(x string, lo, hi float64) string {
	return fmt.Sprintf(`tbPaint.xTicks({x: %q, xKind: "linear"}, %v, %v, %d).text`, x, lo, hi, 420)
}

// buffer makes an answer of one curve from JavaScript lists, and series of it.
const buffer = `globalThis.headOf = part => Float64Array.from([7, ...tbPaint.fields.map(name => part[name] ?? 0)]),
globalThis.curve = (step, wall, value, smooth, x = "step") => {
	const n = step.length, b = new Float64Array([...step, ...wall, ...value, ...smooth]).buffer;
	return tbPaint.series(headOf({n, kept: n, points: n, start: wall[0] ?? 0, full: 1}), b, x)[0];
},
// narrow is a curve whose columns are float32s, each padded to 8 bytes.
globalThis.narrow = (wallBase, ...columns) => {
	const n = columns[0].length, padded = n + n % 2, all = new Float32Array(4 * padded);
	columns.forEach((c, k) => all.set(c, k * padded));
	return tbPaint.series(headOf({n, kept: n, points: n, start: wallBase, narrow: 15, wallBase, full: 1}), all.buffer, "step")[0];
},
// exported is the text of a file of a curve; of JSON it is added twice.
globalThis.exported = async (kind, columns, x0 = 0, x1 = 0) => {
	let blob = null;
	URL.createObjectURL = b => { blob = b; return "data:,"; };
	HTMLAnchorElement.prototype.click = () => {};
	const n = columns[0].length, out = await tbPaint.export("f", kind, "t", "step", x0, x1, false);
	for (let i = 0; i < (kind === "json" ? 2 : 1); i++) {
		await out.add(headOf({n, kept: n, points: n, full: 1}), new Float64Array(columns.flat()).buffer);
	}
	await out.end();
	return blob.text();
}`

func TestPainterSeries(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(ours(t))
	p.Wait(`globalThis.tbPaint?.create`)
	p.Eval(`void (`+buffer+`)`, nil)
	for _, c := range []struct {
		expression string
		want       any
	}{
		{`[...curve([0, 1], [100, 102], [5, 6], [5, 5.5], "relative").x]`, []any{0.0, 2.0}},
		{`(s => [s.lo, s.hi, s.sorted, s.odd])(curve([0, 5, 9], [1, 2, 3], [1, 2, 3], [1, 2, 3]))`, []any{0.0, 9.0, true, false}},
		{`(s => [...s.x, s.wall[1] + s.wallBase, ...s.value, ...s.smooth, s.lo, s.hi])(narrow(1e9, [1, 2, 4], [0, 1, 2], [5, 6, 7], [0.5, 0.25, 8]))`,
			[]any{1.0, 2.0, 4.0, 1e9 + 1, 5.0, 6.0, 7.0, 0.5, 0.25, 8.0, 1.0, 4.0}},
		{`curve([0, 5, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]).sorted`, false},
		{`curve([0, 5], [1, 2], [1, NaN], [1, NaN]).odd`, true},
		{`curve([4], [1], [1], [1]).odd`, true},
		{`[-1, 2, 2.6, 7, 99].map(v => tbPaint.nearest(curve([0, 5, 9], [1, 2, 3], [1, 2, 3], [1, 2, 3]), v))`, []any{0.0, 0.0, 1.0, 1.0, 2.0}},
		{`tbPaint.nearest(curve([0, 9, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]), 4)`, 2.0},
		{`tbPaint.nearest(curve([], [], [], []), 4)`, -1.0},
		// The range is of what is seen, by smoothed values, without what cannot be.
		{`tbPaint.ySpan([curve([0, 1, 2, 3], [0, 1, 2, 3], [9, 9, 9, 9], [1, NaN, 4, Infinity])], true, null, 0, Number.isFinite, false)`, []any{1.0, 4.0}},
		{`tbPaint.ySpan([curve([0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3, 4], [0, 0, 0, 0])], false, 1, 2, Number.isFinite, false)`, []any{2.0, 3.0}},
		// Between points a curve is straight; of one that goes back the nearest point counts.
		{`(s => [0, 2, 5, 9].map(x => tbPaint.valueAt(s, s.value, x)))(curve([0, 4, 9], [1, 2, 3], [1, 3, 8], [1, 3, 8]))`, []any{1.0, 2.0, 4.0, 8.0}},
		{`(s => tbPaint.valueAt(s, s.value, 4))(curve([0, 9, 3], [1, 2, 3], [1, 3, 8], [1, 3, 8]))`, 8.0},
		// The baseline is compared with where it is not shown, of several stretches the last; a
		// group too.
		{`(() => {
			const of = (run, piece, steps, values) => Object.assign(curve(steps, steps, values, values), {run, piece, tag: 0});
			tbPaint.baseline = 9;
			const chart = {all: [], unseen: [of(9, 1, [0, 8], [0, 8]), of(9, 2, [4, 8], [10, 10])]}, s = of(1, 0, [0], [0]);
			const out = [[s, 2], [s, 5], [of(9, 0, [0], [0]), 2], [Object.assign({}, s, {run: 9, group: "g", list: [s]}), 5], [s, 99]].map(([s, x]) => tbPaint.apart(chart, s, x, 20));
			tbPaint.baseline = -1;
			return out.map(String);
		})()`, []any{"18", "10", "NaN", "10", "NaN"}},
		// Groups: the mean of those that have a value there, straight lines between points, and
		// what is around it; a curve that ends leaves the others.
		{`(() => {
			const of = (run, steps, values) => Object.assign(curve(steps, steps, values, values), {run, tag: 0});
			tbPaint.setGroups(JSON.stringify([[[1, "g"], [2, "g"], [4, "h"]], "minmax"]));
			const [g, alone, h] = tbPaint.summarise([of(1, [0, 1, 2, 3], [0, 1, 2, 3]), of(2, [0, 2, 6], [10, 12, 16]), of(3, [0], [7]), of(4, [0], [8])]);
			const b = g.bands.value, out = [[...g.x], [...g.value], [...b.lo], [...b.hi], [...b.count], g.group, alone.run, h.run];
			tbPaint.setGroups('[[], "std"]');
			return out;
		})()`, []any{[]any{0.0, 1.0, 2.0, 3.0, 6.0}, []any{5.0, 6.0, 7.0, 8.0, 16.0}, []any{0.0, 1.0, 2.0, 3.0, 16.0}, []any{10.0, 11.0, 12.0, 13.0, 16.0},
			[]any{2.0, 2.0, 2.0, 2.0, 1.0}, "g", 3.0, 4.0}},
		// A run that was started again counts once: what came later, from its beginning on.
		{`(() => {
			const of = (run, piece, steps, values) => Object.assign(curve(steps, steps.map(s => s + 100 * piece), values, values), {run, piece, tag: 0});
			tbPaint.setGroups(JSON.stringify([[[1, "g"], [2, "g"]], "minmax"]));
			const [g] = tbPaint.summarise([of(1, 1, [0, 1, 2, 3], [0, 1, 2, 3]), of(1, 2, [2, 3, 4], [8, 8, 8]), of(2, 0, [0, 1, 2, 3, 4], [0, 0, 0, 0, 0])]);
			tbPaint.setGroups('[[], "std"]');
			return [[...g.x], [...g.value], [...g.bands.value.count], g.list.length, [...g.list[0].x], [...g.list[0].wall]];
		})()`, []any{[]any{0.0, 1.0, 2.0, 3.0, 4.0}, []any{0.0, 0.5, 4.0, 4.0, 4.0}, []any{2.0, 2.0, 2.0, 2.0, 2.0}, 2.0, []any{0.0, 1.0, 2.0, 3.0, 4.0}, []any{100.0, 101.0, 202.0, 203.0, 204.0}}},
		// Where no two runs share a place, steps and times are those of the run that has it,
		// as if all had begun together; over wall time they are as they were.
		{`(() => {
			const of = (run, x, wall) => ({...curve([0, 1], wall, [1, 1], [1, 1]), run, tag: 0, start: wall[0], x: Float64Array.from(x)});
			tbPaint.setGroups(JSON.stringify([[[1, "g"], [2, "g"]], "std"]));
			const out = ["relative", "wall"].map(x => tbPaint.summarise([of(1, [0, 4], [10, 14]), of(2, [0, 2], [50, 52])], {x, plotPixels: () => 9})[0]).map(g => [[...g.x], [...g.step], [...g.wall], g.start]);
			tbPaint.setGroups('[[], "std"]');
			return out;
		})()`, []any{[]any{[]any{0.0, 2.0, 4.0}, []any{0.0, 1.0, 1.0}, []any{10.0, 12.0, 14.0}, 10.0}, []any{[]any{0.0, 2.0, 4.0}, []any{0.0, 1.0, 1.0}, []any{10.0, 52.0, 14.0}, 10.0}}},
		// Of long runs, which come thinned to their extremes, the mean is of points that were
		// chosen by their place; the runs' stretches may differ in width.
		{`(() => {
			const of = (run, every, steps, values) => Object.assign(curve(steps, steps, values, values), {run, tag: 0, every});
			tbPaint.setGroups(JSON.stringify([[[1, "g"], [2, "g"]], "std"]));
			const [g] = tbPaint.summarise([of(1, 4, [0, 1, 3, 4, 6, 8, 9], [1, 90, -90, 2, 70, 3, 4]), of(2, 2, [0, 2, 3, 4, 6, 7, 8, 9], [1, 50, 60, 2, 80, 90, 3, 4])]);
			tbPaint.setGroups('[[], "std"]');
			return [[...g.x], [...g.value], [...g.bands.value.hi]];
		})()`, []any{[]any{0.0, 4.0, 8.0, 9.0}, []any{1.0, 2.0, 3.0, 4.0}, []any{1.0, 2.0, 3.0, 4.0}}},
		// Of too many places there is one in each pixel, and the mean is exact there.
		{`(() => {
			const n = 3000, runs = Array.from({length: 40}, (_, r) => r);
			tbPaint.setGroups(JSON.stringify([runs.map(r => [r, "g"]), "std"]));
			const list = runs.map(run => { const x = Array.from({length: n}, (_, i) => i + run / 40); return Object.assign(curve(x, x, x, x), {run, tag: 0}); });
			const [g] = tbPaint.summarise(list, {x: "step", plotPixels: () => 1500});
			tbPaint.setGroups('[[], "std"]');
			return [g.n > 1400 && g.n < 1520, g.lo, g.hi, [...g.x].every((x, i) => Math.abs(g.value[i] - x) < 1e-9)];
		})()`, []any{true, 0.0, 2999.975, true}},
		{`(() => {
			const of = (run, v) => Object.assign(curve([0], [0], [v], [v]), {run, tag: 0}), out = [];
			for (const band of ["std", "se", "ci95"]) {
				tbPaint.setGroups(JSON.stringify([[1, 2, 3, 4].map(r => [r, "g"]), band]));
				const b = tbPaint.summarise([of(1, 1e9 + 1), of(2, 1e9 + 3), of(3, 1e9 + 1), of(4, 1e9 + 3)])[0].bands.value;
				out.push(+(b.hi[0] - b.mean[0]).toFixed(4));
			}
			tbPaint.setGroups('[[], "std"]');
			return out;
		})()`, []any{1.1547, 0.5774, 1.8371}},
		// Of few runs 95 % reach farther than of many: Student's t.
		{`(() => {
			const of = (run, v) => Object.assign(curve([0], [0], [v], [v]), {run, tag: 0}), reach = n => {
				tbPaint.setGroups(JSON.stringify([Array.from({length: n}, (_, r) => [r, "g"]), "ci95"]));
				const s = tbPaint.summarise(Array.from({length: n}, (_, r) => of(r, r)))[0], b = s.bands.value;
				return +((b.hi[0] - b.mean[0]) / Math.sqrt((n + 1) / 12)).toFixed(3);
			}, out = [2, 3, 10, 31].map(reach);
			tbPaint.setGroups('[[], "std"]');
			return out;
		})()`, []any{12.706, 4.303, 2.262, 2.042}},
		// Names are guarded, numbers are not touched, nothing finite is lost.
		{`(tbPaint.runs.set(7, {name: '=cmd("x")', color: "#102030"}), exported("csv", [[1, 2], [10, 11], [-0.5, NaN], [0, 0]]))`,
			"run,wall_time,step,value\n\"'=cmd(\"\"x\"\")\",10,1,-0.5\n\"'=cmd(\"\"x\"\")\",11,2,NaN\n"},
		{`(async () => {
			let text = "";
			globalThis.showSaveFilePicker = async () => ({createWritable: async () => ({write: async t => { text += t; }, close: async () => {}})});
			const head = n => headOf({n, points: 9, full: 1}), out = await tbPaint.export("f", "json", "t", "step", 0, 0, true);
			await out.add(head(0), new ArrayBuffer(0), true);
			await out.add(head(1), Float64Array.of(1, 10, 2, 2).buffer, true);
			await out.add(head(2), Float64Array.of(2, 3, 11, 12, 3, 4, 3, 4).buffer, true);
			await out.add(new Float64Array(0), undefined, false);
			await out.add(head(0), new ArrayBuffer(0), false);
			await out.add(head(1), Float64Array.of(1, 10, 2, 2).buffer, true); // and its worker ended
			await out.end();
			return JSON.parse(text).runs.map(r => r.points);
		})()`, []any{[]any{[]any{10.0, 1.0, 2.0}, []any{11.0, 2.0, 3.0}, []any{12.0, 3.0, 4.0}}, []any{}, []any{[]any{10.0, 1.0, 2.0}}}},
		{`exported("json", [[1], [10], [Infinity], [0]]).then(t => JSON.parse(t).runs.map(r => r.points))`,
			[]any{[]any{[]any{10.0, 1.0, "Infinity"}}, []any{[]any{10.0, 1.0, "Infinity"}}}},
		// Into a file that the user chose, in pieces; or not, when they change their mind.
		{`(async () => {
			const got = [];
			globalThis.showSaveFilePicker = async () => ({createWritable: async () => ({write: async t => got.push(t), close: async () => got.push("closed"), abort: async () => got.push("aborted")})});
			const n = 45000, all = Float64Array.from({length: 4 * n}, (_, i) => i % n), head = headOf({n, kept: n, points: n, full: 1});
			const out = await tbPaint.export("f", "csv", "t", "step", 0, 0, true);
			const points = await out.add(head, all.buffer);
			await out.end();
			const pieces = got.length, end = got.pop(), lines = got.join("").split("\n").length;
			await (await tbPaint.export("f", "csv", "t", "step", 0, 0, true)).abort();
			const last = got.pop();
			globalThis.showSaveFilePicker = async () => { throw new DOMException("", "AbortError"); };
			return [points, pieces, end, lines, last, await tbPaint.export("f", "csv", "t", "step", 0, 0, true)];
		})()`, []any{45000.0, 8.0, "closed", 45002.0, "aborted", nil}},
		{`exported("csv", [[1, 2, 3], [10, 11, 12], [4, 5, 6], [0, 0, 0]], 2, 2.5).then(t => t.split("\n").length)`, 3.0},
	} {
		var got any
		p.Eval(c.expression, &got)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s\n got %v\nwant %v", c.expression, got, c.want)
		}
	}
}

// The envelope is the least and the greatest of the points around each, however they lie.
func TestPainterEnvelope(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(ours(t))
	p.Wait(`globalThis.tbPaint?.create`)
	var wrong []any
	p.Eval(`(() => {
		const wrong = [], odd = [NaN, Infinity, -Infinity];
		let seed = 1;
		const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
		for (let n = 0; n < 60; n++) for (const reach of [1, 2, 7, 100]) {
			const value = Float64Array.from({length: n}, () => random() < 0.2 ? odd[Math.floor(random() * 3)] : Math.round(random() * 20) - 10);
			const { lo, hi } = tbPaint.envelope({ n, value }, reach);
			for (let i = 0; i < n; i++) {
				const around = [...value].slice(Math.max(0, i - reach), i + reach + 1).filter(Number.isFinite);
				const want = around.length ? [Math.min(...around), Math.max(...around)] : [NaN, NaN];
				if (!(Object.is(lo[i] + 0, want[0] + 0) && Object.is(hi[i] + 0, want[1] + 0))) wrong.push([...value], reach, i, lo[i], hi[i]);
			}
		}
		return wrong.slice(0, 5);
	})()`, &wrong)
	if len(wrong) > 0 {
		t.Errorf("%v", wrong)
	}
}

// A layer of many segments is filled by hand, one of few is stroked: both must
// draw the same curve.
func TestPainterFillsWhatItStrokes(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(ours(t))
	p.Wait(`globalThis.tbPaint?.create`)
	p.Eval(`void (`+buffer+`)`, nil)
	p.Eval(`void (globalThis.picture = segments => {
		const n = segments + 1, at = Array.from({length: n}, (_, i) => i / segments);
		const s = curve(at, at, at.map(v => 0.5 + 0.4 * Math.sin(v * 9)), at);
		tbPaint.runs.set(7, {name: "a", color: "#204080"});
		const layer = new tbPaint.Layer(false), view = {x0: 0, x1: 1, y0: 0, y1: 1, w: 200, h: 100, kind: "linear"};
		layer.want("k", view, [s], {ratio: 1, width: 2, smoothed: false, color: s => tbPaint.colorOf(s.run)});
		while (!layer.work(Infinity));
		return layer.shown.getContext("2d").getImageData(0, 0, 200, 100).data;
	})`, nil)
	// Per column, the middle of the ink; the two may differ by a fraction of a pixel.
	var worst float64
	p.Eval(`(() => {
		const middle = d => Array.from({length: 200}, (_, x) => {
			let sum = 0, weight = 0;
			for (let y = 0; y < 100; y++) { const a = d[4 * (y * 200 + x) + 3]; sum += a * (y + 0.5); weight += a; }
			return sum / weight;
		});
		const a = middle(picture(3000)), b = middle(picture(5000));
		return Math.max(...a.slice(1, -1).map((v, i) => Math.abs(v - b[i + 1])));
	})()`, &worst)
	if worst > 0.75 || worst == 0 {
		t.Errorf("the curves are up to %.2f pixels apart", worst)
	}
	var pixel []float64
	p.Eval(`(d => { for (let i = 3; i < d.length; i += 4) if (d[i] === 255) return [d[i - 3], d[i - 2], d[i - 1]]; })(picture(5000))`, &pixel)
	if fmt.Sprint(pixel) != "[32 64 128]" {
		t.Errorf("the ink is %v", pixel)
	}
}

// Which pixels a filled curve has: as wide as it is said to be, flat and steep, with soft ends, gaps
// where nothing is finite, dashes from where they begin, and none of the curve before.
func TestPainterRaster(t *testing.T) {
	p := Start(t, Chromium)
	p.Open(ours(t))
	p.Wait(`globalThis.tbPaint?.create`)
	var wrong []string
	p.Eval(`(() => {
		const wrong = [], W = 60, H = 40, place = {kx: 1, ox: 0, ky: 1, oy: H, linear: true, y: (v) => H - v};
		const is = (what, got, want) => { if (JSON.stringify(got) !== JSON.stringify(want)) wrong.push(what + ": " + JSON.stringify(got) + ", not " + JSON.stringify(want)); };
		// covers is how much of each pixel of a column is covered, from above, 0 to 255.
		const made = (xs, ys, thick, dash, from = 0) => {
			const r = new tbPaint.Raster(W, H);
			r.line(Float64Array.from(xs), Float64Array.from(ys), 0, xs.length, place, thick, 0x0080ff, dash, from);
			const d = r.image.data.slice();
			r.done();
			return (x) => Array.from({length: H}, (_, y) => d[4 * (y * W + x) + 3]);
		};
		const sum = (list) => list.reduce((a, b) => a + b, 0) / 255;
		let at = made([10, 50], [20, 20], 2);
		is("a flat line", at(30).map((v, y) => [y, v]).filter(([, v]) => v), [[19, 255], [20, 255]]);
		is("before and after it", [sum(at(9)), sum(at(51))], [0, 0]);
		at = made([10, 50], [20.25, 20.25], 2);
		is("soft ends", at(30).map((v, y) => [y, v]).filter(([, v]) => v), [[18, 64], [19, 255], [20, 191]]);
		at = made([0, 40], [0, 40], 2);
		is("a slope of one is as thick across", Math.abs(sum(at(20)) - (1 + 2 * Math.SQRT2)) < 0.1, true);
		at = made([10, 30, 40, 50], [10, NaN, 10, 10], 2);
		is("a gap", [sum(at(20)), sum(at(35)), sum(at(45))], [0, 0, 2]);
		at = made([10, 20, 30, 40, 50], [10, 10, Infinity, 10, 10], 2);
		is("a gap between lines", [sum(at(15)), sum(at(25)), sum(at(35)), sum(at(45))], [2, 0, 0, 2]);
		at = made([0, 59], [20, 20], 2, [4, 2]);
		is("dashes", Array.from({length: 12}, (_, x) => sum(at(x))), [2, 2, 2, 2, 0, 0, 2, 2, 2, 2, 0, 0]);
		at = made([0, 59], [20, 20], 2, [4, 2], 3);
		is("dashes from three on", Array.from({length: 12}, (_, x) => sum(at(x))), [2, 0, 0, 2, 2, 2, 2, 0, 0, 2, 2, 2]);
		at = made([30, 30.5], [5, 35], 2);
		is("a steep one within a column", [Math.round(sum(at(30))), sum(at(29)), sum(at(31))], [32, 0, 0]);
		is("after one that was done with there is nothing", sum(made([], [], 2)(30)), 0);
		at = made([-100, 200], [20, 20], 2);
		is("beyond the edges", [sum(at(0)), sum(at(W - 1))], [2, 2]);
		at = made([0, 59], [-20, 60], 2);
		is("above and below", [sum(at(0)), sum(at(59))], [0, 0]);
		return wrong;
	})()`, &wrong)
	for _, w := range wrong {
		t.Error(w)
	}
}

// meansOf is an expression that compares the painter's mean and band, of 20 curves of
// values that are large and close, with what they are by definition. x gives the place of a
// point, n how many points a run has.
func meansOf(x, n string) string {
	return fmt.Sprintf(`(() => {
		const P = tbPaint, place = %s, count = %s, kept = P.groups, band = P.band, groups = new Map();
		const list = Array.from({length: 20}, (_, r) => {
			const n = count(r), col = f => Float64Array.from({length: n}, (_, i) => f(i));
			groups.set(r, "g");
			const s = {run: r, tag: 0, piece: 0, n, x: col(i => place(i, r)), wall: col(i => i), wallBase: 0, step: col(i => place(i, r)), start: 0,
				value: col(i => i %% 7 === 3 && r === 4 ? NaN : 1e9 + Math.sin(i * 31 + r * 17)), smooth: col(i => Math.cos(i + r))};
			P.measureSeries(s);
			return s;
		});
		P.groups = groups;
		try {
			return ["std", "minmax"].every(b => {
				P.band = b;
				const [s] = P.summarise(list), places = new Set(s.x);
				if (!list.every(r => r.x.every(x => places.has(x)))) return false;
				const near = (a, b) => Number.isNaN(a) ? Number.isNaN(b) : Math.abs(a - b) < 1e-6;
				return ["value", "smooth"].every(c => [...s.x].every((x, i) => {
					const ys = list.map(r => {
						const k = r.x.lastIndexOf(x), after = r.x.findIndex(v => v > x);
						if (k >= 0) return r[c][k];
						return after <= 0 ? NaN : r[c][after-1] + (r[c][after] - r[c][after-1]) * (x - r.x[after-1]) / (r.x[after] - r.x[after-1]);
					}).filter(Number.isFinite), n = ys.length, mean = ys.reduce((a, y) => a + (y - ys[0]), 0) / n + ys[0];
					const d = n > 1 ? Math.sqrt(ys.reduce((a, y) => a + (y - mean) ** 2, 0) / (n - 1)) : 0;
					const lo = b === "std" ? mean - d : Math.min(...ys), hi = b === "std" ? mean + d : Math.max(...ys);
					return near(mean, s[c][i]) && near(lo, s.bands[c].lo[i]) && near(hi, s.bands[c].hi[i]) && n === s.bands[c].count[i];
				}));
			});
		} finally { P.groups = kept; P.band = band; }
	})()`, x, n)
}
