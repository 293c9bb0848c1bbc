//go:build !js

package kinds

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/dump"
)

// Every kind can be dumped, and has a name of its own.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range All() {
		if _, ok := k.(dump.Kind); !ok || names[k.Name()] {
			t.Errorf("%s", k.Name())
		}
		names[k.Name()] = true
	}
}
