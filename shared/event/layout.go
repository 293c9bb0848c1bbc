//go:build wasm && !purego

package event

import "unsafe"

// Where the fields of a Mould stand, in bytes, for the loop in WebAssembly that compares records
// with it: shared/catalog/repeat_wasm.s.
const (
	MouldPayload   = unsafe.Offsetof(Mould{}.payload)
	MouldNeed      = unsafe.Offsetof(Mould{}.need)
	MouldLengthCRC = unsafe.Offsetof(Mould{}.lengthCRC)
	MouldCRC       = unsafe.Offsetof(Mould{}.crc)
	MouldWall      = unsafe.Offsetof(Mould{}.wall)
	MouldStep      = unsafe.Offsetof(Mould{}.step)
	MouldValue     = unsafe.Offsetof(Mould{}.value)
	MouldStep0     = unsafe.Offsetof(Mould{}.step0)
	MouldSteps     = unsafe.Offsetof(Mould{}.steps)
	MouldValue0    = unsafe.Offsetof(Mould{}.value0)
	MouldWords     = unsafe.Offsetof(Mould{}.words)
)
