package catalog

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// scalarFile makes an event file as a training loop logs it: tags scalars a step,
// one event each.
func scalarFile(tags, steps int) []byte {
	b := summary.NewBuffer(summary.Options{})
	for step := range steps {
		for t := range tags {
			if err := b.Scalar(fmt.Sprintf("train/metric_%02d", t), float64(step%97)/97, int64(step)); err != nil {
				panic(err)
			}
		}
	}
	return b.Bytes()
}

// BenchmarkFeed reads scalars from memory: framing with both checksums, decoding
// and columns.
func BenchmarkFeed(b *testing.B) {
	data := scalarFile(20, 10_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f := NewRun("r").AddFile("f")
		f.Feed(data, true)
	}
	b.ReportMetric(float64(b.N)*200_000/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
