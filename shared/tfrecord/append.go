package tfrecord

import "encoding/binary"

// Append appends one record that holds payload to dst and returns the longer
// slice. It is the inverse of Cut.
func Append(dst, payload []byte) []byte {
	var head [HeaderSize]byte
	binary.LittleEndian.PutUint64(head[:8], uint64(len(payload)))
	binary.LittleEndian.PutUint32(head[8:], MaskedCRC(head[:8]))
	dst = append(dst, head[:]...)
	dst = append(dst, payload...)
	return binary.LittleEndian.AppendUint32(dst, MaskedCRC(payload))
}
