package demo

import "github.com/tensorbored/tensorbored-static/shared/summary"

// experiment describes the hyperparameters of all runs. Each run logs the same
// one, so that it makes no difference which of them a reader takes, or whether
// it joins them.
func experiment() summary.Experiment {
	e := summary.Experiment{
		Name:        "vanishing gradients",
		Description: "Sigmoid against ReLU in a deep perceptron on handwritten digits.",
		HParams: []summary.HParamInfo{
			{Name: "activation", Description: "of hidden units", Type: summary.HParamString, Values: []any{string(relu), string(sigmoid)}, Differs: true},
			{Name: "learning_rate", Type: summary.HParamNumber, Differs: true},
			{Name: "hidden_layers", Type: summary.HParamNumber, Values: []any{hiddenCount}},
			{Name: "batch_size", Type: summary.HParamNumber, Values: []any{batchSize}},
		},
		Metrics: []summary.MetricInfo{
			{Tag: "accuracy/test", DisplayName: "accuracy", Dataset: summary.Validation},
			{Tag: "loss/test", DisplayName: "loss", Dataset: summary.Validation},
			{Tag: "gradient_ratio", DisplayName: "gradient left at hidden1", Dataset: summary.Training},
		},
	}
	seen := map[float64]bool{}
	for _, t := range trials {
		if !seen[t.learningRate] {
			seen[t.learningRate] = true
			e.HParams[1].Values = append(e.HParams[1].Values, t.learningRate)
		}
	}
	return e
}

// layout is the custom scalars dashboard.
func layout() summary.Layout {
	return summary.Layout{Categories: []summary.Category{
		{Title: "Vanishing gradients", Charts: []summary.Chart{
			{Title: "Gradient norm, first and last layer", Lines: []string{"gradient_norm/(hidden1|output)$"}},
			{Title: "Gradient norm, all layers", Lines: []string{"gradient_norm/"}},
		}},
		{Title: "Learning", Charts: []summary.Chart{
			{Title: "Test accuracy with its 95 % interval", Margins: []summary.Margin{
				{Value: "accuracy/test", Lower: "accuracy/test_lower", Upper: "accuracy/test_upper"}}},
			{Title: "Loss", Lines: []string{"loss/train", "loss/test"}},
		}},
	}}
}

// How the meshes are lit and looked at: classes of THREE.js with parameters.
const (
	cloudConfig   summary.MeshConfig = `{"camera":{"cls":"PerspectiveCamera","fov":60},"material":{"cls":"PointsMaterial","size":0.03}}`
	surfaceConfig summary.MeshConfig = `{"camera":{"cls":"PerspectiveCamera","fov":60},"material":{"cls":"MeshStandardMaterial","side":2,"roughness":1}}`
)
