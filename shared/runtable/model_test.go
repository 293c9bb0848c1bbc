package runtable

import "testing"

func TestModelName(t *testing.T) {
	for text, want := range map[string]string{
		`{"class_name": "Sequential", "config": {"name": "net", "layers": [{"config": {"name": "other"}}]}, "keras_version": "2.4"}`: "net (Sequential)",
		`{"class_name": "Sequential", "config": [{"class_name": "Dense"}]}`:                                                          "Sequential",
		`{"config": {"name": "net"}}`:                    "net",
		`{"class_name": "Model", "config": {"name": 3}}`: "Model",
		`{"class_name": "Seq`:                            "",
		`[1]`:                                            "",
		``:                                               "",
	} {
		if got := ModelName(text); got != want {
			t.Errorf("ModelName(%s) = %q, want %q", text, got, want)
		}
	}
}
