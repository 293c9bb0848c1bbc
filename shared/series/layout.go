//go:build wasm && !purego

package series

import "unsafe"

// Where the fields of Scalars and of its chunks stand, in bytes, for the loop in WebAssembly that
// appends to them: shared/catalog/repeat_wasm.s. A slice is its address, and its length 8 after it.
const (
	AtChunks = unsafe.Offsetof(Scalars{}.chunks)
	AtLogged = unsafe.Offsetof(Scalars{}.n)
	AtKept   = unsafe.Offsetof(Scalars{}.kept)

	ChunkSize    = unsafe.Sizeof(chunk{})
	ChunkN       = unsafe.Offsetof(chunk{}.n)
	ChunkSpan    = unsafe.Offsetof(chunk{}.span)
	ChunkStride  = unsafe.Offsetof(chunk{}.stride)
	ChunkNext    = unsafe.Offsetof(chunk{}.next)
	ChunkSteps   = unsafe.Offsetof(chunk{}.steps)
	ChunkWall    = unsafe.Offsetof(chunk{}.wall)
	ChunkF32     = unsafe.Offsetof(chunk{}.f32)
	ChunkIndex   = unsafe.Offsetof(chunk{}.index)
	ChunkMinStep = unsafe.Offsetof(chunk{}.minStep)
	ChunkMaxStep = unsafe.Offsetof(chunk{}.maxStep)
)
