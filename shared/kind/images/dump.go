//go:build !js

package images

import (
	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
)

// Dump implements dump.Kind: for each sample a list of {"wall_time", "step", "blob":
// {"type", "bytes", "sha256"}}, as of the steps that have so many samples.
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	return stored.DumpSamples(w, Query{}.For(run, tag), ask, func(s *Sample) stored.Dumped {
		return stored.Dumped{Place: s.Place, Type: string(s.Format)}
	})
}
