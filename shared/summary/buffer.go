package summary

import (
	"bytes"
	"sync"
	"time"
)

// Buffer is a Writer into memory: an event file's bytes without a file.
//
//	b := summary.NewBuffer(summary.Options{Clock: summary.Ticks(start, time.Second)})
//	b.Scalar("loss", 0.5, 1)
//	data := b.Bytes()
type Buffer struct {
	*Writer
	bytes bytes.Buffer
}

// NewBuffer returns an empty event file: it holds FileVersion unless
// opts.NoVersion is set. FlushInterval is not used.
func NewBuffer(opts Options) *Buffer {
	opts.FlushInterval = -1 // the timer would write while Bytes reads
	b := &Buffer{}
	b.Writer = NewWriterTo(&b.bytes, opts)
	return b
}

// Bytes returns a copy of all records written so far.
func (b *Buffer) Bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drain()
	return bytes.Clone(b.bytes.Bytes())
}

// Ticks is a clock for files that must come out the same each time: its n-th
// call returns start + n·every, from n = 0. Safe for several goroutines. A
// Writer asks its clock once when it is made (unless NoVersion is set), and once
// for each event that has no WallTime.
func Ticks(start time.Time, every time.Duration) func() time.Time {
	var mu sync.Mutex
	next := start
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		t := next
		next = next.Add(every)
		return t
	}
}
