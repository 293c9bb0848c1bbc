package demo

import (
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// run is one training and what it logs. Steps count batches; what is logged at
// step n is measured before the n-th change of the weights, so that step 0 shows
// the untrained network.
type run struct {
	trial
	o        Options
	w        *summary.Writer
	data     digits
	net      *network
	testX    []float64
	testY    []int
	losses   []float64     // training loss of each step, for the sound
	film     []image.Image // first-layer weights over time
	accuracy float64       // on the test set, last measured
	loss     float64       // on the test set, last measured
	failed   error         // first error of the writer; it sticks
}

func newRun(t trial, w *summary.Writer, data digits, o Options) *run {
	r := &run{trial: t, o: o, w: w, data: data, net: newNetwork(t.activation, o.Seed)}
	r.testX, r.testY = stack(data.test, nil)
	return r
}

// keep remembers the first error. Non-finite values in a histogram are none:
// they are what a diverging training looks like.
func (r *run) keep(err error) {
	if _, diverged := err.(*summary.NonFiniteError); err != nil && !diverged && r.failed == nil {
		r.failed = fmt.Errorf("demo: %s: %w", r.run, err)
	}
}

// begin logs what does not change.
func (r *run) begin() error {
	r.keep(r.w.SessionStart(0))
	r.keep(r.w.HParamsExperiment(experiment()))
	r.keep(r.w.HParamsStart(summary.Session{HParams: map[string]any{
		"activation": string(r.activation), "learning_rate": r.learningRate,
		"hidden_layers": hiddenCount, "batch_size": batchSize}}))
	r.keep(r.w.CustomScalars(layout()))
	r.keep(r.w.Text("about", r.about(), 0))
	r.keep(r.w.Graph(r.graph(), 0))
	var samples []image.Image
	for class := range classes {
		for i := range r.data.train {
			if d := &r.data.train[i]; d.class == class {
				samples = append(samples, d.picture(8))
				break
			}
		}
	}
	r.keep(r.w.Images("digits", samples, 0, summary.Description("One digit of each kind from the training set, 8 × 8 pixels.")))
	return r.failed
}

// step logs the state before the step, then makes it.
func (r *run) step(step int, batch []int) error {
	s := int64(step)
	x, truth := stack(r.data.train, batch)
	loss, accuracy := score(r.net.forward(x), truth)
	r.losses = append(r.losses, loss)
	r.net.backward(x, truth)
	if every(5, step) {
		r.keep(r.w.Scalar("loss/train", loss, s))
		r.keep(r.w.Scalar("accuracy/train", accuracy, s))
		r.gradients(s)
	}
	if every(50, step) {
		// Gradients and activations of this batch, before a test changes them.
		for i, l := range r.net.layers {
			r.keep(r.w.Histogram("weights/"+l.name, l.w, s))
			r.keep(r.w.Histogram("gradients/"+l.name, l.gw, s))
			if i < hiddenCount {
				r.keep(r.w.Histogram("activations/"+l.name, l.a, s))
			}
		}
	}
	if every(25, step) {
		r.test(s)
	}
	if every(r.o.Steps/10, step) {
		r.pictures(s)
	}
	if every(r.o.Steps/4, step) {
		r.shapes(s)
	}
	r.net.descend(r.learningRate)
	return r.failed
}

// gradients logs the size of each layer's gradient, and how much of it is left
// on the way from the last layer to the first.
func (r *run) gradients(s int64) {
	first, last := 0.0, 0.0
	for i, l := range r.net.layers {
		last = norm(l.gw)
		if i == 0 {
			first = last
		}
		r.keep(r.w.Scalar("gradient_norm/"+l.name, last, s))
	}
	if last > 0 {
		r.keep(r.w.Scalar("gradient_ratio", first/last, s,
			summary.DisplayName("gradient norm, hidden1 / output"),
			summary.Description("How much of the gradient is left when it arrives at the first layer.")))
	}
}

// test measures the network on the digits that it never learns from.
func (r *run) test(s int64) {
	r.loss, r.accuracy = score(r.net.forward(r.testX), r.testY)
	lower, upper := wilson(r.accuracy, len(r.testY))
	r.keep(r.w.Scalar("loss/test", r.loss, s))
	r.keep(r.w.Scalar("accuracy/test", r.accuracy, s))
	r.keep(r.w.Scalar("accuracy/test_lower", lower, s))
	r.keep(r.w.Scalar("accuracy/test_upper", upper, s))
}

// wilson is the 95 % score interval of a share p of n (Wilson, 1927).
func wilson(p float64, n int) (lower, upper float64) {
	const z = 1.959964
	m := float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return middle - half, middle + half
}

// pictures logs first-layer weights, the confusion matrix and PR curves.
func (r *run) pictures(s int64) {
	weights := weightsPicture(r.net.layers[0])
	r.film = append(r.film, weights)
	r.keep(r.w.Image("first_layer/weights", weights, s, summary.Description("What each of the 32 units of the first layer looks for: red pixels speak for it, blue ones against.")))
	probabilities := r.net.forward(r.testX)
	var confusion [classes][classes]int
	for i, class := range r.testY {
		confusion[class][best(probabilities[i*classes:(i+1)*classes])]++
	}
	r.keep(r.w.Image("confusion_matrix", confusionPicture(confusion), s, summary.Description("Rows: what was shown. Columns: what the network took it for. Test set.")))
	for class := range classes {
		var labels []bool
		var predictions []float64
		for i, truth := range r.testY {
			labels = append(labels, truth == class)
			predictions = append(predictions, min(probabilities[i*classes+class], 1))
		}
		r.keep(r.w.PRCurve(fmt.Sprintf("digit_%d", class), labels, predictions, s, summary.Thresholds(101)))
	}
}

// shapes logs what is larger: embedding, meshes, sound, a note.
func (r *run) shapes(s int64) {
	r.net.forward(r.testX)
	last := r.net.layers[hiddenCount-1]
	var vectors [][]float64
	e := summary.Embedding{Header: []string{"digit", "taken for", "right"}}
	answers := r.net.layers[hiddenCount].a
	for i := range r.testY {
		vectors = append(vectors, append([]float64{}, last.a[i*last.out:(i+1)*last.out]...))
		answer := best(answers[i*classes : (i+1)*classes])
		e.Metadata = append(e.Metadata, []string{fmt.Sprint(r.testY[i]), fmt.Sprint(answer), fmt.Sprint(answer == r.testY[i])})
		e.Sprites = append(e.Sprites, r.data.test[i].picture(2))
	}
	e.Vectors = vectors
	r.keep(r.w.Embedding(last.name, e, s))
	r.keep(r.w.Mesh("last_hidden_layer", cloud(vectors, r.data.test), cloudConfig, s,
		summary.Description("Test digits by the principal components of the last hidden layer, coloured by digit.")))
	r.keep(r.w.Mesh("loss_surface", r.net.lossSurface(r.data.test, r.o.Seed), surfaceConfig, s,
		summary.Description("Loss around the network along two random directions. Height 1 is the loss of guessing.")))
	r.keep(r.w.Audio("loss", lossSound(r.losses, fmt.Sprintf("Training loss of `%s`, steps 0 to %d: high is bad.", r.run, s)), s,
		summary.Description("The loss curve as a tone. Learning is a falling tone, a plateau a steady one.")))
	r.keep(r.w.TextTable("gradient_table", r.table(), s, summary.Description("Norms of this step's gradients.")))
}

func (r *run) table() [][]string {
	rows := [][]string{{"**layer**", "**gradient norm**", "**weight norm**"}}
	for _, l := range r.net.layers {
		rows = append(rows, []string{l.name, fmt.Sprintf("%.2e", norm(l.gw)), fmt.Sprintf("%.2f", norm(l.w))})
	}
	return rows
}

// end logs the outcome.
func (r *run) end() error {
	s := int64(r.o.Steps)
	r.keep(r.w.Video("first_layer/film", r.film, 2, s, summary.Description("The first layer's weights from step 0 to the end.")))
	r.keep(r.w.Text("result", fmt.Sprintf("After %d steps: **%.1f %%** of the test digits are right, loss %.3f.", r.o.Steps, 100*r.accuracy, r.loss), s))
	return r.failed
}

// graph describes the network and what trains it.
func (r *run) graph() []byte {
	var g summary.GraphBuilder
	x := g.Node("input/pixels", "Placeholder").DType("dtype", summary.Float32).Shape(-1, pixels).Name()
	label := g.Node("input/digit", "Placeholder").DType("dtype", summary.Int64).Shape(-1).Name()
	unit := map[activation]string{sigmoid: "Sigmoid", relu: "Relu"}[r.activation]
	for i, l := range r.net.layers {
		if i == hiddenCount {
			unit = ""
		}
		x = g.Dense(l.name, x, int64(l.in), int64(l.out), unit)
	}
	loss := g.Node("loss/cross_entropy", "SparseSoftmaxCrossEntropyWithLogits", x, label).Shape(-1).Name()
	loss = g.Node("loss/mean", "Mean", loss).Shape().Name()
	rate := g.Node("train/learning_rate", "Const").Float("value", float32(r.learningRate)).Shape().Name()
	for _, l := range r.net.layers {
		for _, part := range []string{"weights", "biases"} {
			gradient := g.Node("train/"+l.name+"/"+part+"_gradient", "Gradient", loss, l.name+"/"+part).Name()
			g.Node("train/"+l.name+"/"+part+"_update", "ApplyGradientDescent", l.name+"/"+part, rate, gradient)
		}
	}
	return g.Bytes()
}

// about is the note that opens the text dashboard.
func (r *run) about() string {
	return strings.Join([]string{
		"# " + r.run,
		"",
		fmt.Sprintf("A perceptron with %d hidden layers of %d **%s** units reads handwritten digits (8 × 8 pixels, 10 classes). "+
			"It is trained by plain gradient descent with a learning rate of **%v** on batches of %d.", hiddenCount, hiddenSize, r.activation, r.learningRate, batchSize),
		"",
		"| set | digits |", "|---|---|",
		fmt.Sprintf("| training | %d |", len(r.data.train)), fmt.Sprintf("| test | %d |", len(r.data.test)),
		"",
		"Look at `gradient_norm` first. A sigmoid passes on at most a quarter of the gradient that reaches it, so four layers of them leave next to nothing for `hidden1`.",
		"",
		"Data: *Optical Recognition of Handwritten Digits*, E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, CC BY 4.0.",
	}, "\n")
}
