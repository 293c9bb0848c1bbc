//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Names of ASCII stand in the order in which the browser's own collator puts all names.
func TestPageCollated(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			var odd []string
			s.Eval(`(() => {
				let seed = 1;
				const draw = (n) => (seed = seed * 48271 % 2147483647) % n;
				const all = Array.from({length: 95}, (_, i) => String.fromCharCode(32 + i)).join("") + "0123456789aAbB";
				const name = () => Array.from({length: 1 + draw(5)}, () => all[draw(all.length)]).join("");
				const own = (a, b) => a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[0] > b[0] ? -1 : a[0] < b[0] ? 1 : 0;
				const {compare} = new Intl.Collator("en", {numeric: true});
				const odd = [];
				for (let i = 0; i < 20000; i++) {
					const a = name(), b = draw(3) ? name() : a.toUpperCase(), is = Math.sign(compare(a, b));
					if (is && is !== own([a, tbPaint.nameKey(a)], [b, tbPaint.nameKey(b)])) odd.push(a + " " + b);
				}
				return odd.slice(0, 5);
			})()`, &odd)
			if len(odd) > 0 {
				t.Errorf("these stand in another order: %q", odd)
			}
			var ranks []int
			s.Eval(`(() => {
				const ranked = (names) => {
					tbPaint.runs.clear();
					tbPaint.setRuns(JSON.stringify(names.map((name, i) => [i, name, "#000000", "", "#000000", 0])));
					return names.map((_, i) => tbPaint.rankOf(i));
				};
				return [...ranked(["run_10", "run_2", "Run_2"]), ...ranked(["ö", "z", "o"])];
			})()`, &ranks)
			for i, want := range []int{2, 0, 1, 1, 2, 0} {
				if ranks[i] != want {
					t.Fatalf("the ranks are %v", ranks)
				}
			}
		})
	}
}
