package summary_test

import (
	"os"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// BenchmarkScalar writes scalar events to a file:
//
//	go test ./shared/summary -run '^$' -bench Scalar -benchmem
func BenchmarkScalar(b *testing.B) {
	for _, form := range []struct {
		name string
		opts []summary.Option
	}{{"simple", nil}, {"tensor", []summary.Option{summary.AsTensor()}}} {
		b.Run(form.name, func(b *testing.B) {
			w, err := summary.NewWriter(b.TempDir(), summary.Options{})
			if err != nil {
				b.Fatal(err)
			}
			step := int64(0)
			for b.Loop() {
				w.Scalar("loss/train", float64(step), step, form.opts...)
				step++
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			info, err := os.Stat(w.Path())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(step)/b.Elapsed().Seconds(), "events/s")
			b.SetBytes(info.Size() / step)
		})
	}
}
