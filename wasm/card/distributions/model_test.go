package distributions

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/distributions"
)

func TestStepsOf(t *testing.T) {
	for pixels, want := range map[int]int{0: 500, 700: 1400, 1 << 20: distributions.MaxSteps} {
		if got := stepsOf(pixels); got != want {
			t.Errorf("%d pixels: %d steps, want %d", pixels, got, want)
		}
	}
}
