package histogram

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// Percentiles are TensorBoard's, also where one falls on a bucket's edge.
func TestPercentilesAreTensorBoards(t *testing.T) {
	f, err := os.Open("testdata/compressor.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Buckets [][3]float64
		Want    [9]float64
	}
	if err := json.NewDecoder(z).Decode(&cases); err != nil || len(cases) != 400 {
		t.Fatal(len(cases), err)
	}
	for i, c := range cases {
		var b Buckets
		for _, k := range c.Buckets {
			b = append(b, Bucket{k[0], k[1], k[2]})
		}
		if got := b.Percentiles(); got != c.Want {
			t.Errorf("case %d, %d buckets: %v, want %v", i, len(b), got, c.Want)
		}
	}
}
