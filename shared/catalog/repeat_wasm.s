//go:build wasm && !purego

// The loop in which a browser spends most of its time of reading.
//
// Go's compiler makes each function of WebAssembly one that may be left and entered again at each
// of its calls, so that goroutines can change: its arguments and results go through memory, its
// body is a loop around a table of places, and the browser's compiler optimises little across
// that. This one calls nothing, so it has none of it, and what it works on stays in registers.
// BenchmarkFeed under node: 37 ns an event, 74 with the code in Go, 34 natively.
//
// It does what event.Mould.Match and series.Scalars.Append do, and nothing but their common case:
// it stops before the first record that does not fit, or for which its series has to allocate or
// to take note of more than a point. So (*File).repeat goes on there, with the code in Go.
// TestRepeats holds the two against each other.
//
// No pointer is stored, so there are no write barriers; nothing is read or written that Match and
// Append would not: b has at least the bytes that the mould needs, a chunk's columns have room.

#include "go_asm.h"
#include "textflag.h"

// Registers: R0 the record, R1 the end of b, R2 the last series, R3 the next one, R4 its mould,
// R5 its last chunk, R6 the number of points in it, R9 the checksum, R11 the wall time's bits,
// R13 the value's bits, R14 the step; R7, R8, R10, R12 and R15 are of the moment.

// CHANGE xors into the checksum on the stack what it does to it that byte n of R12 has changed.
// R10 is the row of tfrecord.Changes for a byte that stands (row>>10) bytes later.
#define CHANGE(shift, row) \
	Get R12; \
	I64Const $shift; \
	I64ShrU; \
	I64Const $0x3fc; \
	I64And; \
	Get R10; \
	I64Add; \
	I32WrapI64; \
	I64Load32U $row; \
	I64Xor

// CHANGE0 is CHANGE of byte 0.
#define CHANGE0(row) \
	Get R12; \
	I64Const $2; \
	I64Shl; \
	I64Const $0x3fc; \
	I64And; \
	Get R10; \
	I64Add; \
	I32WrapI64; \
	I64Load32U $row; \
	I64Xor

// ROW sets R10 to the row for a byte with R10 bytes after it.
#define ROW \
	I64Load changes+32(FP); \
	Get R10; \
	I64Const $10; \
	I64Shl; \
	I64Add; \
	Set R10

// func repeatLoop(b []byte, last *Series, changes *[tfrecord.Reach << 8]uint32) (used int, at *Series)
TEXT ·repeatLoop(SB), NOSPLIT, $0-56
	I64Load b_base+0(FP)
	Tee R0
	I64Load b_len+8(FP)
	I64Add
	Set R1
	I64Load last+24(FP)
	Set R2

	Block
		Loop
			// The series that should follow, and its mould.
			I64Load Series_next(R2)
			Tee R3
			I64Eqz
			BrIf $1
			I64Load Series_mould(R3)
			Tee R4
			I64Eqz
			BrIf $1
			Get R1
			Get R0
			I64Sub
			I64Load const_mouldNeed(R4)
			I64LtS
			BrIf $1

			// Its last chunk has room.
			I64Load (Series_Scalars+const_atChunks+8)(R3)
			Tee R6
			I64Eqz
			BrIf $1
			I64Load (Series_Scalars+const_atChunks)(R3)
			Get R6
			I64Const $1
			I64Sub
			I64Const $const_chunkSize
			I64Mul
			I64Add
			Set R5
			I64Load const_chunkSpan(R5)
			I64Const $const_chunkPoints
			I64GeS
			BrIf $1
			I64Load const_chunkN(R5)
			Tee R6
			I64Const $2
			I64LtS
			BrIf $1
			Get R6
			I64Load (const_chunkWall+8)(R5)
			I64GeS
			BrIf $1
			Get R6
			I64Load (const_chunkF32+8)(R5)
			I64GeS
			BrIf $1

			// The length and its checksum are the mould's,
			I64Load 0(R0)
			I64Load const_mouldPayload(R4)
			I64Ne
			BrIf $1
			I64Load32U 8(R0)
			I64Load32U const_mouldLengthCRC(R4)
			I64Ne
			BrIf $1

			// and so are the bytes of the payload but for the three numbers.
			I64Load const_mouldWords(R4)
			Tee R7
			I64Load (const_mouldWords+8)(R4)
			I64Const $4
			I64Shl
			I64Add
			Set R8
			Get R0
			Set R15
			I64Const $0
			Set R12
			Loop
				I64Load 12(R15)
				I64Load 0(R7)
				I64Xor
				I64Load 8(R7)
				I64And
				Get R12
				I64Or
				Set R12
				Get R15
				I64Const $8
				I64Add
				Set R15
				Get R7
				I64Const $16
				I64Add
				Tee R7
				Get R8
				I64LtU
				BrIf $0
			End
			Get R12
			I64Const $0
			I64Ne
			BrIf $1

			// The wall time, at 1 of the payload.
			I64Load 13(R0)
			Tee R11
			I64Load const_mouldWall(R4)
			I64Xor
			Set R12
			I64Load const_mouldPayload(R4)
			I64Const $9
			I64Sub
			Set R10
			ROW
			I64Load32U const_mouldCRC(R4)
			CHANGE0(7168)
			CHANGE(6, 6144)
			CHANGE(14, 5120)
			CHANGE(22, 4096)
			CHANGE(30, 3072)
			CHANGE(38, 2048)
			Set R9
			Get R12
			I64Const $48
			I64ShrU
			I64Const $0
			I64Ne
			If
				Get R9
				CHANGE(46, 1024)
				CHANGE(54, 0)
				Set R9
			End

			// The value. NaNs are left: Append makes quiet ones of them.
			Get R0
			I64Load const_mouldValue0(R4)
			Tee R10
			I64Add
			Set R7
			I64Load32U 12(R7)
			Tee R13
			I64Const $0x7fffffff
			I64And
			I64Const $0x7f800000
			I64GtU
			BrIf $1
			Get R13
			I64Load32U const_mouldValue(R4)
			I64Xor
			Set R12
			I64Load const_mouldPayload(R4)
			I64Const $4
			I64Sub
			Get R10
			I64Sub
			Set R10
			ROW
			Get R9
			CHANGE0(3072)
			CHANGE(6, 2048)
			CHANGE(14, 1024)
			CHANGE(22, 0)
			Set R9

			// The step, seven bits a byte.
			I64Const $0
			Set R14
			I64Load const_mouldSteps(R4)
			Tee R8
			I64Const $0
			I64Ne
			If
				I64Load const_mouldStep0(R4)
				Tee R10
				Get R0
				I64Add
				Set R7
				I64Load 12(R7)
				Tee R15
				I64Load const_mouldStep(R4)
				I64Xor
				Set R12
				I64Load const_mouldPayload(R4)
				I64Const $1
				I64Sub
				Get R10
				I64Sub
				Set R10
				ROW
				I64Const $0
				Set R7
				Loop
					Get R15
					I64Const $0x7f
					I64And
					Get R7
					I64Shl
					Get R14
					I64Or
					Set R14
					Get R9
					CHANGE0(0)
					Set R9
					Get R15
					I64Const $8
					I64ShrU
					Set R15
					Get R12
					I64Const $8
					I64ShrU
					Set R12
					Get R10
					I64Const $1024
					I64Sub
					Set R10
					Get R7
					I64Const $7
					I64Add
					Set R7
					Get R8
					I64Const $1
					I64Sub
					Tee R8
					I64Const $0
					I64Ne
					BrIf $0
				End
			End

			// The payload's checksum, masked, stands after it.
			Get R9
			I32WrapI64
			I32Const $17
			I32Rotl
			I32Const $-1568478504 // 0xa282ead8
			I32Add
			Get R0
			I64Load const_mouldPayload(R4)
			I64Add
			Tee R8
			I32WrapI64
			I32Load $12
			I32Ne
			BrIf $1

			// The step is the next one of an even spacing, or is written out.
			I64Load const_chunkSteps(R5)
			Tee R7
			I64Eqz
			If
				Get R14
				I64Load const_chunkNext(R5)
				I64Ne
				BrIf $2
			Else
				I64Load const_chunkIndex(R5)
				I64Const $0
				I64Ne
				BrIf $2
				Get R6
				I64Load (const_chunkSteps+8)(R5)
				I64GeS
				BrIf $2
				Get R7
				Get R6
				I64Const $3
				I64Shl
				I64Add
				I32WrapI64
				Get R14
				I64Store $0
			End

			// The point.
			I64Load const_chunkWall(R5)
			Get R6
			I64Const $3
			I64Shl
			I64Add
			I32WrapI64
			Get R11
			I64Store $0
			I64Load const_chunkF32(R5)
			Get R6
			I64Const $2
			I64Shl
			I64Add
			I32WrapI64
			Get R13
			I64Store32 $0
			Get R5
			I32WrapI64
			Get R6
			I64Const $1
			I64Add
			I64Store $const_chunkN
			Get R5
			I32WrapI64
			I64Load const_chunkSpan(R5)
			I64Const $1
			I64Add
			I64Store $const_chunkSpan
			Get R5
			I32WrapI64
			I64Load const_chunkStride(R5)
			Get R14
			I64Add
			I64Store $const_chunkNext
			Get R14
			I64Load const_chunkMinStep(R5)
			I64LtS
			If
				Get R5
				I32WrapI64
				Get R14
				I64Store $const_chunkMinStep
			End
			Get R14
			I64Load const_chunkMaxStep(R5)
			I64GtS
			If
				Get R5
				I32WrapI64
				Get R14
				I64Store $const_chunkMaxStep
			End
			Get R3
			I32WrapI64
			I64Load (Series_Scalars+const_atLogged)(R3)
			I64Const $1
			I64Add
			I64Store $(Series_Scalars+const_atLogged)
			Get R3
			I32WrapI64
			I64Load (Series_Scalars+const_atKept)(R3)
			I64Const $1
			I64Add
			I64Store $(Series_Scalars+const_atKept)

			// On to the next record.
			Get R8
			I64Const $16
			I64Add
			Set R0
			Get R3
			Set R2
			Br $0
		End
	End

	Get SP
	Get R0
	I64Load b_base+0(FP)
	I64Sub
	I64Store used+40(FP)
	Get SP
	Get R2
	I64Store at+48(FP)
	RET
