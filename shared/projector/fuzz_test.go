package projector

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/projector/array"
	"github.com/tensorbored/tensorbored-static/shared/projector/checkpoint"
	"github.com/tensorbored/tensorbored-static/shared/projector/metadata"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// seeds adds real files.
func seeds(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		list, _ := filepath.Glob(filepath.Join("testdata", pattern))
		if len(list) == 0 {
			f.Fatalf("no files are %s", pattern)
		}
		for _, name := range list {
			b, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
}

// bounded runs do, and fails when it takes more memory than a file of n bytes may.
func bounded(t *testing.T, n int, factor uint64, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20+factor*uint64(n) {
		t.Errorf("%d bytes took %d of memory", n, used)
	}
}

// fuzzStored opens and loads whatever bytes there are: it never panics, takes memory in proportion to
// the bytes, and what it gives has the shape that it says.
func fuzzStored(f *testing.F, open func(tensor.File) ([]tensor.Stored, error)) {
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, len(b), 4000, func() { // deflate makes up to a thousand bytes of one, and these numbers
			list, err := open(tensor.Bytes{Name: "f", Data: b})
			if err != nil && len(list) > 0 {
				t.Errorf("%d tensors, and %v", len(list), err)
			}
			for i, s := range list {
				if i == 20 {
					break
				}
				for _, rows := range []int64{-1, 3} {
					points, _, err := s.Load(rows, func(int64, int64) error { return nil })
					all, dims := s.Info().Points()
					if rows >= 0 {
						all = min(all, rows)
					}
					if err == nil && len(s.Info().Shape) > 0 && int64(len(points)) != all*dims {
						t.Errorf("%+v: %d numbers", s.Info(), len(points))
					}
				}
			}
		})
	})
}

func FuzzNPY(f *testing.F) {
	seeds(f, "numpy/*.npy")
	fuzzStored(f, array.NPY)
}

func FuzzNPZ(f *testing.F) {
	seeds(f, "numpy/*.npz")
	fuzzStored(f, array.NPZ)
}

func FuzzSafetensors(f *testing.F) {
	seeds(f, "safetensors/*.safetensors")
	fuzzStored(f, array.Safetensors)
}

func FuzzCheckpoint(f *testing.F) {
	seeds(f, "v2/*.index", "keras/*.index")
	data, err := os.ReadFile("testdata/v2/types-7.data-00000-of-00001")
	if err != nil {
		f.Fatal(err)
	}
	fuzzStored(f, func(is tensor.File) ([]tensor.Stored, error) {
		b := is.(tensor.Bytes)
		b.Name = "f.index"
		list, _, err := checkpoint.Open(b, func(string) (tensor.File, bool) { return tensor.Bytes{Name: "d", Data: data}, true })
		return list, err
	})
}

func FuzzCheckpointV1(f *testing.F) {
	seeds(f, "v1/parts.ckpt-3")
	fuzzStored(f, func(is tensor.File) ([]tensor.Stored, error) {
		b := is.(tensor.Bytes)
		b.Name = "f.ckpt-1"
		list, _, err := checkpoint.Open(b, nil)
		return list, err
	})
}

func FuzzVectors(f *testing.F) {
	for _, s := range []string{"1\t2\n3\t4\n", "x\ty\n1e3\t-.5\r\n\n7\n", "1,2\n3,nan\n", "1\t2\t\n1\t2\t3\n", "\ufeff1 2 3\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, len(b), 2000, func() {
			is := tensor.Bytes{Name: "f", Data: b}
			array.IsVectors(is)
			got, err := array.Vectors(is, nil).(array.Tabled).Table(-1, func(int64, int64) error { return nil })
			if err == nil && int64(len(got.Points)) != got.Rows*got.Dims {
				t.Errorf("%d × %d: %d numbers", got.Rows, got.Dims, len(got.Points))
			}
		})
	})
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{"a\nb\n", "n\tl\n1\tx\n2\t\"y\tz\"\r\n", "# c\n\n\"a\nb\"\t1\n", "\"\n#\n"} {
		f.Add([]byte(s), uint16(2))
	}
	f.Fuzz(func(t *testing.T, b []byte, rows uint16) {
		bounded(t, len(b)+int(rows), 2000, func() {
			got, err := metadata.Read("f", b, int64(rows), false, func() error { return nil })
			if err != nil {
				return
			}
			for _, c := range got.Columns {
				if len(c.Codes) != int(rows) {
					t.Errorf("%d rows of %d", len(c.Codes), rows)
				}
				for _, k := range c.Codes {
					c.Word(k)
				}
				c.Numbers()
			}
		})
	})
}
