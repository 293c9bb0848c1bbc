//go:build !js

package e2e

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// pluginData asks the page for all that a plug-in may ask of a logdir, in the form of what
// TensorBoard's routes answered: see shared/dump/testdata.
const pluginData = `(async () => {
	await tbBoot.load("plugin");
	const client = tbPlug.client(), data = tbPlug.methods(client), out = {lists: {}};
	const map = (all, f) => Object.fromEntries(Object.entries(all).map(([run, tags]) => [run, Object.fromEntries(Object.entries(tags).map(([tag, v]) => [tag, f(v)]))]));
	const text = (v) => Number.isFinite(v) ? v : String(v);
	const hex = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");
	out.scalars = map(await data.read_scalars({plugin_name: "scalars"}), (s) => [...s.step].map((step, i) => [s.wall_time[i], step, text(s.value[i])]));
	out.histograms = map(await data.read_tensors({plugin_name: "histograms"}), (list) => list.map((v) => {
		const buckets = [];
		for (let i = 0; i < v.shape[0]; i++) buckets.push([...v.data.slice(3 * i, 3 * i + 3)]);
		return [v.wall_time, v.step, buckets];
	}));
	out.text = map(await data.read_tensors({plugin_name: "text"}), (list) => list.map((v) => v.step));
	for (const [kind, skip] of [["images", 2], ["audio", 0]]) {
		const all = await data.read_blob_sequences({plugin_name: kind}), found = {};
		for (const [run, tags] of Object.entries(all)) {
			found[run] = {};
			for (const [tag, list] of Object.entries(tags)) {
				const samples = found[run][tag] = [];
				for (const v of list) {
					for (const [i, {blob_key}] of v.values.slice(skip).entries()) {
						const blob = await data.read_blob({blob_key});
						(samples[i] ??= []).push({step: v.step, wall_time: v.wall_time, blob: {bytes: blob.length, sha256: await hex(blob)}});
					}
				}
			}
		}
		out[kind] = found;
		out.lists[kind] = map(await data.list_blob_sequences({plugin_name: kind}), (f) => f.max_length - skip);
	}
	out.lists.scalars = map(await data.list_scalars({plugin_name: "scalars"}), (f) => [f.max_step, f.max_wall_time]);
	out.plugins = await data.list_plugins();
	out.runs = (await data.list_runs()).map((r) => r.run_name).sort();
	out.hparams = (await data.list_hyperparameters()).map((h) => h.hyperparameter_name).sort();
	out.sessions = Object.fromEntries((await data.read_hyperparameters()).map((s) => [s.run, s.hparams]));
	client.end();
	return out;
})()`

// shownAsked is what pluginData gives.
type shownAsked struct {
	Scalars, Histograms, Text, Images, Audio map[string]map[string]any
	Lists                                    map[string]map[string]map[string]any
	Plugins, Runs, Hparams                   []string
	Sessions                                 map[string]map[string]any
}

// agreesWith says where got is not what TensorBoard answered, "" if nowhere, and counts the numbers and
// texts. TensorBoard keeps some numbers as float32s; what its routes add to a blob is left out.
func agreesWith(got, want any, where string, n *int) string {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for k, v := range w {
			if slices.Contains([]string{"type", "contentType", "label"}, k) {
				continue
			}
			if s := agreesWith(g[k], v, where+" "+k, n); s != "" {
				return s
			}
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			return fmt.Sprintf("%s: %d of them, TensorBoard has %d", where, len(g), len(w))
		}
		for i := range w {
			if s := agreesWith(g[i], w[i], fmt.Sprintf("%s[%d]", where, i), n); s != "" {
				return s
			}
		}
	case float64:
		*n++
		if g, ok := got.(float64); !ok || math.Abs(g-w) > 1e-6*max(math.Abs(g), math.Abs(w), 1e-3) {
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

// What the page answers to plug-ins is what a live TensorBoard answered of the same files, old forms
// of summaries among them.
func TestPagePluginDataAgrees(t *testing.T) {
	t.Parallel()
	root := sources(t)
	dir := filepath.Join(root, "shared/dump/testdata")
	read := func(name string, into any) {
		t.Helper()
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		d := json.NewDecoder(f)
		if filepath.Ext(name) == ".gz" {
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			d = json.NewDecoder(z)
		}
		if err := d.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var groups map[string]struct {
		Experiment struct {
			Infos []struct{ Name string } `json:"hparamInfos"`
		} `json:"hparams_experiment"`
		Groups struct {
			Groups []struct {
				Hparams  map[string]any
				Sessions []struct{ Name string }
			} `json:"sessionGroups"`
		} `json:"hparams_session_groups"`
	}
	read("hparams.json", &groups)
	for name, least := range map[string]int{"tensorflow": 10000, "pytorch": 5000, "tensorboardX": 5000} {
		var points struct {
			Runs    []string
			Scalars map[string]any
		}
		read(name+".json", &points)
		var kinds map[string]map[string]any
		read(name+".kinds.json.gz", &kinds)
		slices.Sort(points.Runs)
		s := comes(t, browsertest.Chromium, plugged(t, filepath.Join(dir, name)))
		s.Allow("")
		s.fresh("")
		s.Wait(`["exact", "incomplete"].includes(tensorbored.status().phase)`)
		var got shownAsked
		s.Eval(pluginData, &got)
		n := 0
		toAny := func(m map[string]map[string]any) map[string]any {
			out := map[string]any{}
			for run, tags := range m {
				out[run] = map[string]any(tags)
			}
			return out
		}
		for of, both := range map[string][2]map[string]any{"scalars": {toAny(got.Scalars), points.Scalars}, "histograms": {toAny(got.Histograms), kinds["histograms"]},
			"images": {toAny(got.Images), kinds["images"]}, "audio": {toAny(got.Audio), kinds["audio"]}, "text": {toAny(got.Text), kinds["text"]}} {
			if where := agreesWith(both[0], both[1], name+" "+of, &n); where != "" {
				t.Error(where)
			}
			if len(both[0]) != len(both[1]) {
				t.Errorf("%s: %d runs with %s, TensorBoard has %d", name, len(both[0]), of, len(both[1]))
			}
		}
		if n < least {
			t.Errorf("%s: only %d values compared", name, n)
		}
		for run, tags := range points.Scalars {
			for tag, list := range tags.(map[string]any) {
				end := list.([]any)[len(list.([]any))-1].([]any)
				if where := agreesWith(got.Lists["scalars"][run][tag], []any{end[1], end[0]}, name+" list_scalars "+run+" "+tag, &n); where != "" {
					t.Error(where)
				}
			}
		}
		for _, kind := range []string{"images", "audio"} {
			for run, tags := range kinds[kind] {
				for tag, samples := range tags.(map[string]any) {
					if where := agreesWith(got.Lists[kind][run][tag], float64(len(samples.([]any))), name+" max_length of "+run+" "+tag, &n); where != "" {
						t.Error(where)
					}
				}
			}
		}
		for _, run := range points.Runs {
			if !slices.Contains(got.Runs, run) {
				t.Errorf("%s: no run %s among %q", name, run, got.Runs)
			}
		}
		var hparams []string
		for _, i := range groups[name].Experiment.Infos {
			hparams = append(hparams, i.Name)
		}
		slices.Sort(hparams)
		if !slices.Equal(got.Hparams, hparams) {
			t.Errorf("%s: hyperparameters %q, TensorBoard has %q", name, got.Hparams, hparams)
		}
		for _, g := range groups[name].Groups.Groups {
			for _, session := range g.Sessions {
				var is any
				if h := got.Sessions[session.Name]; h != nil {
					is = map[string]any(h)
				}
				if where := agreesWith(is, any(g.Hparams), name+" session "+session.Name, &n); where != "" {
					t.Error(where)
				}
			}
		}
		t.Logf("%s: %d numbers and texts as TensorBoard has them", name, n)
	}
}
