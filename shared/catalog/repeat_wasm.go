//go:build wasm && !purego

package catalog

import (
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// For the assembler, which sees the constants of its own package.
const (
	atChunks     = series.AtChunks
	atLogged     = series.AtLogged
	atKept       = series.AtKept
	chunkPoints  = series.ChunkPoints
	chunkSize    = series.ChunkSize
	chunkN       = series.ChunkN
	chunkSpan    = series.ChunkSpan
	chunkStride  = series.ChunkStride
	chunkNext    = series.ChunkNext
	chunkSteps   = series.ChunkSteps
	chunkWall    = series.ChunkWall
	chunkF32     = series.ChunkF32
	chunkIndex   = series.ChunkIndex
	chunkMinStep = series.ChunkMinStep
	chunkMaxStep = series.ChunkMaxStep

	mouldPayload   = event.MouldPayload
	mouldNeed      = event.MouldNeed
	mouldLengthCRC = event.MouldLengthCRC
	mouldCRC       = event.MouldCRC
	mouldWall      = event.MouldWall
	mouldStep      = event.MouldStep
	mouldValue     = event.MouldValue
	mouldStep0     = event.MouldStep0
	mouldSteps     = event.MouldSteps
	mouldValue0    = event.MouldValue0
	mouldWords     = event.MouldWords
)

// Of tests: the code in Go reads alone, and how many bytes the loop has taken.
var (
	inGo     bool
	repeated int
)

// repeats uses the records at the start of b as long as each is like the mould of the series that
// followed the last one, and is a point that this series has room for; it returns how many bytes
// they fill, and the series of the last of them. What it leaves, repeat looks at: it only ever
// saves time.
func repeats(b []byte, last *Series, changes *[tfrecord.Reach << 8]uint32) (used int, at *Series) {
	if inGo {
		return 0, last
	}
	used, at = repeatLoop(b, last, changes)
	repeated += used
	return used, at
}

// repeatLoop is event.Mould.Match and series.Scalars.Append in one loop: see repeat_wasm.s.
//
//go:noescape
func repeatLoop(b []byte, last *Series, changes *[tfrecord.Reach << 8]uint32) (used int, at *Series)
