package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// short is a training that takes well under a second.
func short(t *testing.T) Options {
	return Options{Dir: t.TempDir(), Steps: 20, Seed: 1, Clock: summary.Ticks(time.Unix(1_700_000_000, 0), time.Millisecond)}
}

// contents reads every file below dir; event files by their run alone, since
// their names hold the process.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if strings.Contains(name, "tfevents") {
			name = filepath.Join(filepath.Dir(name), "events")
		}
		all[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSeedDecides(t *testing.T) {
	o := short(t)
	var log bytes.Buffer
	o.Log = &log
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "step 20 of 20") {
		t.Errorf("log: %s", log.String())
	}
	again, other := short(t), short(t)
	other.Seed = 2
	for _, o := range []Options{again, other} {
		if err := Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	a, b, c := contents(t, o.Dir), contents(t, again.Dir), contents(t, other.Dir)
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs between trainings with the same seed", name)
		}
	}
	if bytes.Equal(a["relu_lr0.3/events"], c["relu_lr0.3/events"]) {
		t.Error("the seed makes no difference")
	}
	for _, trial := range trials {
		// All dashboards but the profile live in these.
		events := a[trial.run+"/events"]
		if n := len(damage.Records(events)); n < 100 {
			t.Errorf("%s has %d records", trial.run, n)
		}
		for _, word := range []string{"loss/train", "accuracy/test_upper", "gradient_norm/output", "weights/hidden1", "activations/hidden4", "digits", "confusion_matrix", "first_layer/weights", "first_layer/film",
			"digit_9", "about", "result", "gradient_table", "last_hidden_layer_VERTEX", "loss_surface_FACE", "RIFF", "custom_scalars__config__", "_hparams_/session_end_info", "SparseSoftmax"} {
			if !bytes.Contains(events, []byte(word)) {
				t.Errorf("%s has no %s", trial.run, word)
			}
		}
		oneKindPerTag(t, events)
		if a[trial.run+"/projector_config.pbtxt"] == nil || a[trial.run+"/00020/hidden4/sprite.png"] == nil {
			t.Errorf("%s has no embedding", trial.run)
		}
	}
	if p, problems, err := profile.Decode(a[profile.DefaultPath]); err != nil || len(problems) > 0 || len(p.RunColors) != 4 || len(p.Pins) != 5 || !strings.Contains(p.Introductions()["timeseries"], "[the network](#graphs)") {
		t.Errorf("profile %+v: %v %v", p, problems, err)
	}
}

// oneKindPerTag checks that no tag is of two kinds: readers go by the first one
// and lose the others.
func oneKindPerTag(t *testing.T, events []byte) {
	t.Helper()
	kinds := map[string]string{}
	for _, r := range damage.Records(events) {
		from, to := r.Payload()
		var e event.Event
		if err := e.Decode(events[from:to]); err != nil || e.What != event.Summary {
			continue
		}
		for rest, ok := e.Body, true; ok; {
			var v event.Value
			rest, ok, _ = v.NextValue(rest)
			meta, err := event.DecodeMeta(v.Meta)
			if err != nil {
				t.Fatal(err)
			}
			kind := fmt.Sprint(v.Form, meta.Plugin)
			if was, known := kinds[string(v.Tag)]; ok && known && was != kind {
				t.Errorf("tag %s is of kind %s and %s", v.Tag, was, kind)
			}
			kinds[string(v.Tag)] = kind
		}
	}
}

func TestEarlierDemo(t *testing.T) {
	o := short(t)
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	var full *NotEmptyError
	if err := Run(context.Background(), o); !errors.As(err, &full) || full.Path == "" {
		t.Errorf("second demo: %v", err)
	}
	mine := filepath.Join(o.Dir, "mine")
	theirs := filepath.Join(o.Dir, profilePath)
	os.WriteFile(mine, nil, 0o666)
	os.WriteFile(theirs, []byte("{}"), 0o666)
	o.Overwrite = true
	checkpoint := filepath.Join(o.Dir, trials[1].run, "model.ckpt")
	os.WriteFile(checkpoint, nil, 0o666)
	var others *OthersError
	if err := Run(context.Background(), o); !errors.As(err, &others) || others.Path != checkpoint {
		t.Errorf("over a file of somebody else: %v", err)
	}
	for _, tr := range trials {
		if all, _ := filepath.Glob(filepath.Join(o.Dir, tr.run, "*tfevents*")); len(all) == 0 {
			t.Errorf("%s is gone", tr.run)
		}
	}
	os.Remove(checkpoint)
	if err := Run(context.Background(), o); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error("a file of somebody else is gone")
	}
	if b, _ := os.ReadFile(theirs); string(b) != "{}" {
		t.Error("a profile of somebody else is gone")
	}
	if files, _ := filepath.Glob(filepath.Join(o.Dir, trials[0].run, "*tfevents*")); len(files) != 1 {
		t.Errorf("%d event files", len(files))
	}
}

// TestStopped checks that a training that is stopped leaves whole files that say
// so.
func TestStopped(t *testing.T) {
	o := short(t)
	o.Steps, o.Speed = 1_000_000, 50
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if err := Run(ctx, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stopped: %v", err)
	}
	for name, b := range contents(t, o.Dir) {
		if strings.HasSuffix(name, "/events") {
			records := damage.Records(b)
			last := records[len(records)-1]
			if !bytes.Contains(b[last.Offset:], []byte("session_end_info")) {
				t.Errorf("%s does not end with the end of the session", name)
			}
		}
	}
}

func TestNoDirectory(t *testing.T) {
	o := short(t)
	o.Dir = filepath.Join(o.Dir, "file")
	os.WriteFile(o.Dir, nil, 0o666)
	if err := Run(context.Background(), o); err == nil {
		t.Error("no error")
	}
}

// TestGradients compares backward with differences of the loss.
func TestGradients(t *testing.T) {
	data, err := loadDigits(1)
	if err != nil {
		t.Fatal(err)
	}
	x, truth := stack(data.train[:8], nil)
	for _, f := range []activation{sigmoid, relu} {
		n := newNetwork(f, 1)
		n.forward(x)
		n.backward(x, truth)
		for _, l := range n.layers {
			for _, p := range []struct{ w, g []float64 }{{l.w, l.gw}, {l.b, l.gb}} {
				for k := 0; k < len(p.w); k += 1 + len(p.w)/7 {
					const h = 1e-6
					was, want := p.w[k], p.g[k]
					p.w[k] = was + h
					up, _ := score(n.forward(x), truth)
					p.w[k] = was - h
					down, _ := score(n.forward(x), truth)
					p.w[k] = was
					if got := (up - down) / (2 * h); math.Abs(got-want) > 1e-6+1e-4*math.Abs(want) {
						t.Errorf("%s %s[%d]: gradient %g, difference %g", f, l.name, k, want, got)
					}
				}
			}
		}
	}
}

func TestDigits(t *testing.T) {
	data, err := loadDigits(1)
	if err != nil {
		t.Fatal(err)
	}
	if len(data.train) != 1437 || len(data.test) != 360 {
		t.Errorf("%d and %d digits", len(data.train), len(data.test))
	}
	seen := map[int]int{}
	for b := (newBatches(100, 1)); len(seen) < 96; {
		for _, i := range b.next() {
			seen[i]++
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("digit %d came %d times in the first round", i, n)
		}
	}
}

func TestWilson(t *testing.T) {
	// Newcombe (1998), table I: 81 of 263.
	if lower, upper := wilson(81.0/263, 263); math.Abs(lower-0.2553) > 5e-5 || math.Abs(upper-0.3662) > 5e-5 {
		t.Errorf("interval %.4f to %.4f", lower, upper)
	}
}

// TestPrincipal finds the axes of a flat cloud, whose third has no extent.
func TestPrincipal(t *testing.T) {
	p := principal([][]float64{{3, 0, 1}, {-3, 0, 1}, {0, 1, 1}, {0, -1, 1}}, 3)
	if math.Abs(math.Abs(p[0][0])-3) > 1e-6 || math.Abs(math.Abs(p[2][1])-1) > 1e-6 || math.Abs(p[1][2]) > 1e-6 {
		t.Errorf("components %v", p)
	}
}
