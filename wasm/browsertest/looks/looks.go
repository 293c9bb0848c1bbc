//go:build !js

// Package looks makes logdirs to be looked at: a sweep with long names, some runs of which have
// values of every dashboard.
package looks

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// kinds is how many runs of a logdir to look at have pictures, sound and all else.
const kinds = 3

// Steps is how many steps a run has in a logdir of so many runs.
func Steps(runs int) int { return max(40, min(400, 40_000/max(runs, 1))) }

// Fill writes a sweep of so many runs with hyperparameters into dir. Three of them have values of
// every dashboard: of many runs such as differ in all, and of very many the last ones, too.
func Fill(dir string, runs int) error { return Take(dir, runs, 0) }

// Take is Fill for another training into the same files: values and hyperparameters differ by the
// take. From take 2 on there are half as many steps, and one run alone has values of every dashboard.
func Take(dir string, runs, take int) error {
	steps, kinds := Steps(runs), kinds
	if take > 1 {
		steps, kinds = steps/2, 1
	}
	for i := range runs {
		lr, opt, seed := 1e-4*math.Pow(3, float64(i/3%5)), []string{"adam", "sgd", "lion"}[i/15%3], i%3
		name := fmt.Sprintf("sweep/resnet50_imagenet,lr=%.3g,opt=%s,warmup=500,seed=%d,nr=%03d", lr, opt, seed, i)
		err := writeAt(filepath.Join(dir, name), i, func(w *summary.Writer) error {
			apart := 1
			if runs > 20 {
				apart = 7
			}
			rich := i%apart == 0 && i/apart < kinds || i >= runs-kinds && runs > 500 // of very many runs the newest are shown
			return looked{w, rand.New(rand.NewPCG(uint64(i), 7+uint64(take))), i + take, take, steps, lr, rich}.run(opt, seed)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeAt writes a run that began after so many others.
func writeAt(dir string, after int, f func(w *summary.Writer) error) error {
	begin := time.Unix(1_700_000_000+int64(after)*600, 0)
	w, err := summary.NewWriter(dir, summary.Options{FileName: fmt.Sprintf("events.out.tfevents.%d.host.1.0", begin.Unix()), Clock: summary.Ticks(begin, 2*time.Second)})
	if err == nil {
		err = f(w)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// looked writes one run.
type looked struct {
	w     *summary.Writer
	r     *rand.Rand
	at    int // its number
	take  int // another training of that name
	steps int
	lr    float64
	rich  bool // it has values of all kinds
}

func (l looked) run(opt string, seed int) error {
	err := l.w.HParams(map[string]any{"lr": l.lr, "optimizer": opt, "seed": seed, "batch_size": 32 << (l.at % 4), "dropout": 0.1 * float64(l.at%5), "ema": l.at%2 == 0},
		[]string{"loss/val", "accuracy/val"})
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	good := 0.3 + 0.1*math.Abs(math.Log10(l.lr/1e-3)) + 0.05*l.r.Float64()
	for s := range l.steps {
		step, done := int64(s*10), float64(s)/float64(l.steps)
		fall := good + 2*math.Exp(-6*done)
		noise := func(by float64) float64 { return by * l.r.NormFloat64() }
		keep(l.w.Scalar("loss/train", fall+noise(0.08), step))
		keep(l.w.Scalar("gradient_norm/hidden1", 3*fall+math.Abs(noise(0.5)), step))
		keep(l.w.Scalar("gradient_norm/output", 2*fall+math.Abs(noise(0.3)), step))
		keep(l.w.Scalar("learning_rate", l.lr*min(1, 10*done)*(1-0.9*done), step))
		if s%5 == 0 || s == l.steps-1 {
			keep(l.w.Scalar("loss/val", fall*1.08+noise(0.02), step))
			keep(l.w.Scalar("accuracy/val", 1-fall/2.6+noise(0.01), step))
		}
		if l.rich && (s%max(1, l.steps/8) == 0 || s == l.steps-1) {
			keep(l.values(step, done))
		}
	}
	return err
}

// values writes what is no scalar.
func (l looked) values(step int64, done float64) (err error) {
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	weights := make([]float64, 500)
	for i := range weights {
		weights[i] = l.r.NormFloat64()*(0.2+done) + 0.3*float64(l.at%5)*done
	}
	keep(l.w.Histogram("weights/hidden1", weights, step))
	for i := range weights {
		weights[i] *= 0.3
	}
	keep(l.w.Histogram("weights/output", weights, step))
	for _, tag := range []string{"samples/generated", "samples/attention"} {
		img := image.NewNRGBA(image.Rect(0, 0, 96, 64))
		for y := range 64 {
			for x := range 96 {
				v := 0.5 + 0.5*math.Sin(float64(x)/(6+8*done)+float64(l.at))*math.Cos(float64(y)/9) + (1-done)*0.3*l.r.NormFloat64()
				c := uint8(255 * max(0, min(1, v)))
				img.SetNRGBA(x, y, color.NRGBA{c, uint8(120 * done), 255 - c, 255})
			}
		}
		keep(l.w.Image(tag, img, step))
	}
	labels, guesses := make([]bool, 400), make([]float64, 400)
	for i := range labels {
		labels[i] = i%3 == 0
		guesses[i] = max(0, min(1, 0.4+0.25*l.r.NormFloat64()+map[bool]float64{true: 0.5 * done}[labels[i]]))
	}
	keep(l.w.PRCurve("validation/positive", labels, guesses, step, summary.Thresholds(51)))
	keep(l.w.Text("notes", fmt.Sprintf("## Step %d\n\nThe model writes *%s*.\n\n| part | share |\n|---|---|\n| right | %.0f %% |\n| wrong | %.0f %% |", step,
		[]string{"nothing yet", "a few words", "whole sentences"}[min(2, int(3*done))], 40+50*done, 60-50*done), step))
	tone := make([]float64, 8000)
	for i := range tone {
		tone[i] = 0.5 * math.Sin(2*math.Pi*(220+400*done+50*float64(l.take))*float64(i)/8000) * math.Exp(-float64(i)/4000)
	}
	keep(l.w.Audio("speech/sample", summary.Clip{SampleRate: 8000, Samples: tone, Label: "A **tone**"}, step))
	var mesh summary.Mesh
	const side = 12
	for i := range side {
		for j := range side {
			x, z := float64(i)/side*2-1, float64(j)/side*2-1
			mesh.Vertices = append(mesh.Vertices, [3]float32{float32(x), float32(0.4 * math.Sin(4*x+float64(l.at)) * math.Cos(4*z) * (1 - 0.5*done)), float32(z)})
			mesh.Colors = append(mesh.Colors, [3]uint8{uint8(20 * i), 90, uint8(20 * j)})
			if i > 0 && j > 0 {
				a := int32(i*side + j)
				mesh.Faces = append(mesh.Faces, [3]int32{a, a - 1, a - side}, [3]int32{a - 1, a - side - 1, a - side})
			}
		}
	}
	keep(l.w.Mesh("surface/loss", mesh, "", step))
	if step > 0 {
		return err
	}
	var g summary.GraphBuilder
	x := g.Node("input/pixels", "Placeholder").Shape(-1, 64).Name()
	for i := range 3 + l.take {
		x = g.Dense(fmt.Sprintf("encoder/hidden%d", i+1), x, 64, 64, "Relu")
	}
	g.Node("loss/mean", "Mean", g.Dense("head", x, 64, 10, "Softmax"))
	keep(l.w.Graph(g.Bytes(), step))
	keep(l.w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "Learning", Charts: []summary.Chart{
		{Title: "Loss", Lines: []string{"loss/train", "loss/val"}}, {Title: []string{"Gradients", "Norms"}[min(l.take, 1)], Lines: []string{"gradient_norm/.*"}}}}}}))
	e := summary.Embedding{Header: []string{"digit", "split"}}
	for i := range 200 + 10*l.take {
		v := make([]float64, 8)
		for k := range v {
			v[k] = l.r.NormFloat64() + 3*float64(i%5)*float64(k%2)
		}
		e.Vectors = append(e.Vectors, v)
		e.Metadata = append(e.Metadata, []string{fmt.Sprint(i % 5), []string{"train", "val"}[i%2]})
	}
	keep(l.w.Embedding("hidden3", e, step))
	return err
}
