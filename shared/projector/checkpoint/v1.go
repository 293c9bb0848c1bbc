package checkpoint

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// openV1 lists the tensors of a checkpoint of version 1 by its first entry: SavedTensorSlices { meta 1
// { tensor 1 { name 1, shape 2, type 3, slice 4 } } } at the key "".
func openV1(t *table, key string, value []byte, step int64) (list []tensor.Stored, err error) {
	damaged := tensor.Damaged(t.f.Path(), "This is a table, and no checkpoint of TensorFlow's.")
	if key != "" {
		return nil, damaged
	}
	ok := fields(value, func(n protowire.Number, _ uint64, meta []byte) bool {
		return n != 1 || fields(meta, func(n protowire.Number, _ uint64, b []byte) bool {
			if n != 1 {
				return true
			}
			v := &saved{t: t, info: tensor.Info{Step: step}}
			ok := fields(b, func(n protowire.Number, x uint64, b []byte) (ok bool) {
				switch n {
				case 1:
					v.info.Name = string(b)
				case 2:
					v.info.Shape, ok = shape(b)
					return ok
				case 3:
					v.info.DType = dtype(x)
				case 4:
					s, ok := slice(b)
					v.slices = append(v.slices, s)
					return ok
				}
				return true
			})
			count, _ := tensor.Elements(v.info.Shape)
			v.info.Bytes = count * v.info.DType.Size()
			list = append(list, v)
			return ok
		})
	})
	if !ok {
		return nil, damaged
	}
	return list, nil
}

// saved is a tensor of version 1: its slices are entries of the table.
type saved struct {
	t      *table
	info   tensor.Info
	slices [][]extent
}

// Info implements tensor.Stored.
func (v *saved) Info() tensor.Info { return v.info }

// Load implements tensor.Stored. A slice is SavedTensorSlices { data 2 { name 1, slice 2, data 3 } }, data a
// TensorProto.
func (v *saved) Load(rows int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	if v.info.DType.Size() == 0 {
		return nil, nil, tensor.Wrong("unsupported", v.t.f.Path(), "", "Tensors of the type %s are no points.", v.info.DType)
	}
	all, _ := v.info.Points()
	if rows < 0 || rows > all {
		rows = all
	}
	parts := v.slices
	if len(parts) == 0 {
		parts = [][]extent{make([]extent, len(v.info.Shape))}
		for i := range parts[0] {
			parts[0][i].length = -1
		}
	}
	return assemble(v.t.f.Path(), v.info, rows, parts, func(s []extent, before, of int64) ([]float32, []*tensor.Trouble, error) {
		n := int64(1)
		for i, e := range s {
			if e.length < 0 {
				e.length = v.info.Shape[i]
			}
			n *= e.length
		}
		var out []float32
		found := false
		want := sliceKey(v.info.Name, s)
		err := v.t.each(want, func(key string, value []byte) (bool, error) {
			if key != want || !strings.HasPrefix(key, namePrefix(v.info.Name)) {
				return false, nil
			}
			ok := fields(value, func(num protowire.Number, _ uint64, b []byte) bool {
				return num != 2 || fields(b, func(num protowire.Number, _ uint64, b []byte) (ok bool) {
					if num == 3 {
						found = true
						out, ok = numbers(out[:0], b, n)
						return ok
					}
					return true
				})
			})
			if !ok {
				return false, tensor.Damaged(v.t.f.Path(), "The numbers of %q are damaged.", short(v.info.Name))
			}
			return false, nil
		})
		if err == nil && !found {
			err = tensor.Wrong("missing", v.t.f.Path(), "", "A part of %q is not in the checkpoint.", short(v.info.Name))
		}
		if err == nil {
			err = turn(min(before+n*v.info.DType.Size(), of), of)
		}
		return out, nil, err
	})
}
