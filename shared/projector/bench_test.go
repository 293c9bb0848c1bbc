package projector

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/projector/checkpoint"
	"github.com/tensorbored/tensorbored-static/shared/projector/metadata"
	"github.com/tensorbored/tensorbored-static/shared/projector/projectortest"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// sized is a file that ends later than its bytes do, and counts what is read.
type sized struct {
	tensor.Bytes
	size int64
	read *int64
}

func (s sized) Size() int64 { return s.size }

func (s sized) Read(from, n int64) ([]byte, error) {
	n = min(n, s.size-from)
	*s.read += n
	if from >= int64(len(s.Data)) {
		return make([]byte, n), nil
	}
	b := make([]byte, n)
	copy(b, s.Data[from:])
	return b, nil
}

// A checkpoint of 1 GB lists its tensors by its index, and gives one of them by reading that.
func TestLargeCheckpoint(t *testing.T) {
	index, data, name, size := projectortest.LargeCheckpoint()
	var read int64
	list, _, err := checkpoint.Open(sized{tensor.Bytes{Name: "f.index", Data: index}, int64(len(index)), &read},
		func(string) (tensor.File, bool) { return sized{tensor.Bytes{Name: "d"}, data, &read}, true })
	if err != nil || read > 64<<10 || data < 1<<30 {
		t.Fatalf("%v: %d bytes were read of %d", err, read, data)
	}
	for _, s := range list {
		if s.Info().Name != name {
			continue
		}
		read = 0
		points, _, err := s.Load(-1, func(int64, int64) error { return nil })
		if err != nil || int64(len(points)) != size/4 || read > size*11/10 {
			t.Errorf("%v: %d numbers, %d bytes read", err, len(points), read)
		}
		return
	}
	t.Errorf("%s is not listed", name)
}

func BenchmarkListCheckpoint1GB(b *testing.B) {
	index, data, _, _ := projectortest.LargeCheckpoint()
	var read int64
	for b.Loop() {
		checkpoint.Open(sized{tensor.Bytes{Name: "f.index", Data: index}, int64(len(index)), &read},
			func(string) (tensor.File, bool) { return sized{tensor.Bytes{Name: "d"}, data, &read}, true })
	}
}

func BenchmarkMetadata1M(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("word\tcount\n")
	for i := range 1000000 {
		fmt.Fprintf(&text, "word%d\t%d\n", i, i%1000)
	}
	for b.Loop() {
		if _, err := metadata.Read("f", text.Bytes(), 1000000, false, func() error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// 1,000,000 rows of metadata are read whole.
func TestMillionRows(t *testing.T) {
	var text bytes.Buffer
	for i := range 1000000 {
		fmt.Fprintf(&text, "%d\n", i)
	}
	got, err := metadata.Read("f", text.Bytes(), 1000000, false, func() error { return nil })
	if err != nil || len(got.Problems) > 0 || got.Columns[0].Distinct() != 1000000 || string(got.Columns[0].Word(got.Columns[0].Codes[999999])) != "999999" {
		t.Errorf("%v", err)
	}
}

func BenchmarkVectors100000x128(b *testing.B) {
	dir := b.TempDir()
	var text bytes.Buffer
	for i := range 100000 * 128 {
		fmt.Fprintf(&text, "%.5f", float64(i%997)/31)
		if i%128 == 127 {
			text.WriteByte('\n')
		} else {
			text.WriteByte('\t')
		}
	}
	os.WriteFile(filepath.Join(dir, "t.tsv"), text.Bytes(), 0o666)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		p := newPage(b, dir)
		p.list()
		p.ask("load", map[string]any{"tensor": "t.tsv", "key": "a"})
	}
}
