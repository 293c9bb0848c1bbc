// Package projectortest makes files of tensors for tests and benchmarks.
package projectortest

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Table writes a sorted table of one block, as checkpoints of version 2 have it (LevelDB's table format).
func Table(keys []string, values [][]byte) (out []byte) {
	block := func(keys []string, values [][]byte) []byte {
		var b []byte
		for i, k := range keys {
			b = binary.AppendUvarint(b, 0)
			b = binary.AppendUvarint(b, uint64(len(k)))
			b = binary.AppendUvarint(b, uint64(len(values[i])))
			b = append(append(b, k...), values[i]...)
		}
		return append(b, 0, 0, 0, 0, 1, 0, 0, 0)
	}
	put := func(b []byte) (handle []byte) {
		handle = binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(out))), uint64(len(b)))
		out = append(append(out, b...), 0)
		crc := crc32.Checksum(out[len(out)-len(b)-1:], crc32.MakeTable(crc32.Castagnoli))
		out = binary.LittleEndian.AppendUint32(out, (crc>>15|crc<<17)+0xa282ead8)
		return handle
	}
	data := put(block(keys, values))
	meta := put(block(nil, nil))
	index := put(block([]string{keys[len(keys)-1]}, [][]byte{data}))
	foot := append(meta, index...)
	foot = append(foot, make([]byte, 40-len(foot))...)
	return append(out, binary.LittleEndian.AppendUint64(foot, 0xdb4775248b80fb57)...)
}

func varint(b []byte, tag byte, v int64) []byte {
	return binary.AppendUvarint(append(b, tag), uint64(v))
}

func message(n byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{n<<3 | 2}, uint64(len(body))), body...)
}

// LargeCheckpoint is the index of a checkpoint of 100 tensors of 10 MB and one of 40 MB, made as testdata/make.py's
// types are: of its own bytes, since TensorFlow would need a gigabyte of disk. Its one shard has data bytes, and
// name is one of the tensors of 10 MB, with its size.
func LargeCheckpoint() (index []byte, data int64, name string, size int64) {
	entry := func(rows, dims, offset int64) []byte {
		dim := func(n int64) []byte { return message(2, varint(nil, 8, n)) }
		b := varint(nil, 1<<3, 1)
		b = append(b, message(2, append(dim(rows), dim(dims)...))...)
		b = varint(b, 4<<3, offset)
		return varint(b, 5<<3, rows*dims*4)
	}
	keys, values := []string{""}, [][]byte{varint(nil, 1<<3, 1)}
	for i := range 101 {
		keys = append(keys, fmt.Sprintf("layer%03d/emb", i))
		rows := int64(26214)
		if i == 100 {
			rows *= 4
		}
		values = append(values, entry(rows, 100, data))
		data += rows * 400
	}
	return Table(keys, values), data, "layer050/emb", 26214 * 400
}
