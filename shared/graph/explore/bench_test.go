package explore_test

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

// From the bytes to the first picture.
func BenchmarkOpenScene(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		data := graphtest.Large(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				e, err := explore.Open(data, explore.Options{})
				if err != nil {
					b.Fatal(err)
				}
				e.Ask([]byte(`{"ask":"scene"}`))
			}
		})
	}
}

// Each question about a graph that is open.
func BenchmarkAsk(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		e, err := explore.Open(graphtest.Large(n), explore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, q := range []string{
			`{"ask":"scene","expanded":["encoder"]}`,
			`{"ask":"scene","expanded":["encoder","encoder/block_0","encoder/block_0/layer_3","encoder/block_0/layer_3/attention"]}`,
			`{"ask":"info"}`,
			`{"ask":"search","text":"softmax"}`,
			`{"ask":"search","text":"layer_1.*grad","regex":true}`,
			`{"ask":"node","id":"encoder/block_0/layer_3"}`,
			`{"ask":"trace","id":"encoder/block_0/layer_3/output/Relu","direction":"both","expanded":["encoder"]}`,
			`{"ask":"path","from":"input","to":"encoder/block_0/layer_9/output/Relu"}`,
			`{"ask":"colors","by":"device","expanded":["encoder"]}`,
			`{"ask":"colors","by":"shape","expanded":["encoder"]}`,
			`{"ask":"colors","by":"structure","expanded":["encoder"]}`,
			`{"ask":"stats"}`,
			`{"ask":"stats","by":"scope","deep":true}`,
			`{"ask":"export","form":"pb"}`,
		} {
			b.Run(fmt.Sprintf("%d/%s", n, q), func(b *testing.B) {
				for b.Loop() {
					e.Ask([]byte(q))
				}
			})
		}
	}
}
