package demo

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

const (
	sampleRate = 8000 // frames per second
	clipLength = 3    // seconds
	lowest     = 110  // Hz, at loss 0
	perLoss    = 240  // Hz per unit of loss: guessing (ln 10) is at 663 Hz
)

// lossSound turns a loss curve into a tone whose pitch follows it, from the first
// step to the last: learning is a falling tone, a plateau a steady one.
func lossSound(losses []float64, label string) summary.Clip {
	clip := summary.Clip{SampleRate: sampleRate, Label: label}
	const n = sampleRate * clipLength
	phase, smooth := 0.0, losses[0]
	for i := range n {
		loss := losses[i*len(losses)/n]
		smooth += (min(loss, 10) - smooth) / 400 // single batches would only crackle
		phase += 2 * math.Pi * (lowest + perLoss*smooth) / sampleRate
		fade := min(1, float64(i)/400, float64(n-i)/400) // no click at either end
		clip.Samples = append(clip.Samples, 0.4*fade*math.Sin(phase))
	}
	return clip
}
