package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The profile that the viewer opens with when the user has none: TensorBored's
// version 1, in the form with the version around it.

type profileFile struct {
	Version int     `json:"version"`
	Data    profile `json:"data"`
}

type profile struct {
	Version               int                  `json:"version"`
	Name                  string               `json:"name"`
	LastModifiedTimestamp int64                `json:"lastModifiedTimestamp"` // ms since 1970
	PinnedCards           []pin                `json:"pinnedCards"`
	RunColors             []runColor           `json:"runColors"`
	GroupColors           []struct{}           `json:"groupColors"`
	SuperimposedCards     []superimposed       `json:"superimposedCards"`
	RunSelection          []selection          `json:"runSelection"`
	TagFilter             string               `json:"tagFilter"`
	RunFilter             string               `json:"runFilter"`
	MetricDescriptions    map[string]string    `json:"metricDescriptions"`
	Smoothing             float64              `json:"smoothing"`
	TagAxisScales         map[string]axisScale `json:"tagAxisScales"`
}

type pin struct {
	Plugin string `json:"plugin"`
	Tag    string `json:"tag"`
	RunID  string `json:"runId,omitempty"`
	Sample *int   `json:"sample,omitempty"`
}

type runColor struct {
	RunID string `json:"runId"`
	Color string `json:"color"`
}

type superimposed struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
	RunID *string  `json:"runId"`
}

type selection struct {
	Type     string `json:"type"`
	Value    string `json:"value"`
	Selected bool   `json:"selected"`
}

type axisScale struct {
	Y string `json:"y"`
}

// profilePath is where viewers look for it, below the logdir.
var profilePath = filepath.Join(".tensorboard", "default_profile.json")

// writeProfile writes the default profile, unless the logdir has one that is not
// of a demo.
func writeProfile(o Options) error {
	path := filepath.Join(o.Dir, profilePath)
	if old, err := os.ReadFile(path); err == nil && !strings.Contains(string(old), profileName) {
		return nil
	}
	text, err := json.MarshalIndent(profileFile{1, defaultProfile(o)}, "", "  ")
	if err != nil {
		return fmt.Errorf("demo: the default profile: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("demo: cannot write the default profile: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("demo: cannot write the default profile: %w", err)
	}
	return nil
}

const profileName = "Vanishing gradients (demo)"

func defaultProfile(o Options) profile {
	first := 0
	p := profile{
		Version: 1, Name: profileName, LastModifiedTimestamp: o.Clock().UnixMilli(),
		PinnedCards: []pin{
			{Plugin: "scalars", Tag: "accuracy/test"},
			{Plugin: "scalars", Tag: "gradient_norm/hidden1"},
			{Plugin: "scalars", Tag: "gradient_norm/output"},
			{Plugin: "histograms", Tag: "activations/hidden4", RunID: "sigmoid_lr0.3"},
			{Plugin: "images", Tag: "first_layer/weights", RunID: "relu_lr0.3", Sample: &first},
		},
		GroupColors: []struct{}{},
		SuperimposedCards: []superimposed{{
			ID: "superimposed-demo-1", Title: "Gradient norm, first and last layer",
			Tags: []string{"gradient_norm/hidden1", "gradient_norm/output"}}},
		MetricDescriptions: map[string]string{
			"accuracy/test":  "Share of the 360 test digits that are recognised. Guessing gives 0.1.",
			"accuracy/train": "Share of right answers in the batch of 32.",
			"loss/train":     "Cross-entropy of the batch. Guessing gives ln 10 = 2.303.",
			"loss/test":      "Cross-entropy on the test set.",
		},
		Smoothing:     0.6,
		TagAxisScales: map[string]axisScale{"gradient_ratio": {"log10"}},
	}
	for _, l := range newNetwork(relu, 0).layers {
		tag := "gradient_norm/" + l.name
		p.TagAxisScales[tag] = axisScale{"log10"}
		p.MetricDescriptions[tag] = "Euclidean norm of the gradient of the loss by the weights of `" + l.name + "`, one batch."
	}
	for _, t := range trials {
		p.RunColors = append(p.RunColors, runColor{t.run, t.color})
		p.RunSelection = append(p.RunSelection, selection{"RUN_NAME", t.run, true})
	}
	return p
}
