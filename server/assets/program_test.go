package assets

import (
	"testing"
	"testing/fstest"
)

func TestProgram(t *testing.T) {
	for page, want := range map[string]string{
		`<script src="assets/boot.1.js" data-program="assets/app.0f.wasm" data-size="7">`: "app.0f.wasm",
		`<script data-program="/x/y.wasm">`:                                               "y.wasm", `<p>`: "", `<script data-program="">`: "",
	} {
		got := Program(fstest.MapFS{"index.html": {Data: []byte(page)}})
		if got != want {
			t.Errorf("%s: %q", page, got)
		}
	}
	if got := Program(fstest.MapFS{}); got != "" {
		t.Errorf("no page: %q", got)
	}
}
