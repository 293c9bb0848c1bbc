package projector

import (
	"encoding/binary"
	"hash/crc32"
)

// tableOf writes a sorted table of one block, as checkpoints have it.
func tableOf(keys []string, values [][]byte) (out []byte) {
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

func field2(n byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{n<<3 | 2}, uint64(len(body))), body...)
}
