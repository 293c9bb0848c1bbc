package httprange

import (
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
)

// A Line is what one worker knows of the line to its server: whether compressed answers
// are worth asking for, and how much to ask for at a time. Samples go in, decisions
// come out; it knows neither browser nor clock.
//
// What counts is how long the worker waits, with nothing else to do, for so many bytes.
// A line looks no slower because its worker was busy, and one that is faster than the
// worker reads looks as fast as it needs to be. Workers share the line, and each sees
// its part: that is what it can gain from.
//
// A Line begins with one small request at a time until it knows whether it is slow. One
// that comes fast, whatever the worker did, says that it is not; that it is, two must
// say. On a slow one answers
// are compressed. After a while it begins anew, in case the machine had been busy, and
// later when answers come so fast that the line may have become another.
//
// The zero Line is ready for use.
type Line struct {
	state   state
	plain   flow // of bodies that came as they are
	packed  flow // of bodies that were compressed, counted as what they hold
	latency time.Duration

	tiny    bool  // what came last while unknown was too little to say anything
	low     int   // requests in a row that came slowly while unknown
	high    int   // requests that came fast
	unclear int   // requests that came neither fast nor slowly
	since   int64 // bytes since answers are compressed
	checks  int   // how often it has begun anew
	hold    int64 // bytes for which nothing is compressed, since such an answer was bad
	penalty int64 // the next hold; 0 = not set yet
}

type state uint8

const (
	unknown state = iota
	fast
	slow
)

// Sample is what came over the line in a while.
type Sample struct {
	Bytes  int64         // of bodies, behind decompression
	Time   time.Duration // in which a body was under way
	Wait   time.Duration // of that, in which the worker had nothing to do
	Packed bool          // whether some of the bodies were compressed
}

// Measured on two cores with two workers, bytes by Wait: over loopback 65 to 600 MB/s, on
// a machine with three times as much to do as it has cores 46 and more; over a line of
// 100 Mbit/s 6.
const (
	// slowBelow is the rate, in bytes a second of one worker's waiting, below which the
	// line is slow. The server packs some 400 MB/s on one core.
	slowBelow = 25e6
	// doubtAbove is the rate of compressed answers' contents from which on the line may
	// be fast. They hold four times their bytes, so a line at slowBelow gives some 100e6.
	doubtAbove = 3 * slowBelow
	// evidence is how long must have been waited before a line is called slow, and
	// lowSamples in how many samples in a row; lateEvidence is it for one that was called
	// fast before. A process that gets no time for a moment is no slow line.
	evidence     = 40 * time.Millisecond
	lateEvidence = 200 * time.Millisecond
	lowSamples   = 2
	// mostUnclear is how many samples may say neither before the line is taken for fast.
	mostUnclear = 3
	// messages is what a body takes to get from process to process.
	messages = 5 * time.Millisecond
	// leastSample is the fewest bytes that say something about a rate, beside messages.
	leastSample = 128 << 10
	// firstBytes is the size of the first requests: of 100 Mbit/s some 20 ms.
	firstBytes = 256 << 10
	// firstCheck is how many bytes come compressed before the line is looked at anew;
	// it may be once more after nextCheck, and after twice as many each time.
	firstCheck = 16 << 20
	nextCheck  = 64 << 20
	// holdFrom is for how many bytes nothing is compressed when a compressed answer was
	// bad: whatever sits between may spoil them all. It grows eightfold each time.
	holdFrom = 4 << 20

	// fastJobs and fastBytes keep a worker busy whose answers come at once; larger
	// requests gain nothing, and memory and the time to the first picture grow.
	fastJobs  = 3
	fastFrom  = 2 << 20
	fastBytes = 8 << 20
	fastFiles = 256
	// farFiles is for a line whose answers take farFrom: there, round trips cost more
	// than what is not drawn meanwhile.
	farFiles = 1024
	farFrom  = 20 * time.Millisecond
	// slowAhead is how much is under way on a slow line, in time, beside the latency:
	// enough to keep it full while a window is used, and little enough for curves to
	// move three times as often.
	slowAhead = 300 * time.Millisecond
	// leastJob keeps requests few on the slowest line.
	leastJob = 512 << 10
)

// flow adds up samples. Older ones count less.
type flow struct {
	bytes float64
	wait  float64 // seconds
}

func (f *flow) add(s Sample) {
	if f.bytes > 64<<20 || f.wait > 1 {
		f.bytes /= 2
		f.wait /= 2
	}
	f.bytes += float64(s.Bytes)
	f.wait += s.Wait.Seconds()
}

// below reports whether less than rate came, in bytes a second.
func (f *flow) below(rate float64) bool { return f.bytes < rate*f.wait }

// Answered takes in how long an answer took to begin.
func (l *Line) Answered(d time.Duration) {
	// The least counts: a busy worker or server, and other answers on the line, make it
	// longer.
	if l.latency == 0 || d < l.latency {
		l.latency = d
	}
}

// Took takes in what came over the line since the last Took.
func (l *Line) Took(s Sample) {
	l.hold = max(0, l.hold-s.Bytes)
	if s.Packed {
		l.since += s.Bytes
	}
	if s.Bytes < leastSample {
		l.tiny = l.tiny || !s.Packed
		return
	}
	l.tiny = false
	s.Wait = max(0, s.Wait-messages)
	if s.Packed {
		l.packed.add(s)
		l.check()
		return
	}
	low := float64(s.Bytes) < slowBelow*s.Wait.Seconds()
	if !low && float64(s.Bytes) < slowBelow*s.Time.Seconds() {
		// A busy worker: bytes may have come slowly all the while.
		if l.unclear++; l.state == unknown && l.unclear >= mostUnclear {
			l.state = fast
		}
		return
	}
	l.plain.add(s)
	switch {
	case l.state == unknown && low:
		if l.low++; l.low >= lowSamples && l.plain.wait >= evidence.Seconds() {
			l.state = slow
		}
	case l.state == unknown || !l.plain.below(slowBelow):
		if l.state == unknown {
			l.plain = flow{}
			l.plain.add(s)
		}
		l.state, l.since, l.high = fast, 0, l.high+1
	case l.plain.wait >= lateEvidence.Seconds():
		l.state = slow
	}
}

// check begins anew when it is time.
func (l *Line) check() {
	if l.state != slow {
		return
	}
	if l.checks == 0 && l.since >= firstCheck || l.since >= nextCheck<<l.checks && !l.packed.below(doubtAbove) {
		*l = Line{latency: l.latency, checks: l.checks + 1, hold: l.hold, penalty: l.penalty}
	}
}

// Bad takes in that a compressed answer could not be used.
func (l *Line) Bad() {
	if l.hold > 0 {
		return // of those that were under way with the last
	}
	l.penalty = max(holdFrom, 8*l.penalty)
	l.hold = l.penalty
}

// Pack reports whether the next answer should be compressed.
func (l *Line) Pack() bool { return l.state == slow && l.hold == 0 }

// Slow reports whether the line is known to be slow.
func (l *Line) Slow() bool { return l.state == slow }

// Pace says how much to ask for at a time.
func (l *Line) Pace() source.Pace {
	p := source.Pace{Jobs: fastJobs, Bytes: fastBytes, Files: fastFiles}
	if l.latency >= farFrom {
		p.Files = farFiles
	}
	switch l.state {
	case fast:
		// Not everything at once, for the case that this is wrong.
		p.Bytes = min(fastBytes, int64(fastFrom)<<min(l.high, 8))
	case unknown:
		p.Bytes = min(int64(firstBytes)<<(max(0, l.low-1)+l.unclear), fastBytes)
		if !l.tiny && l.unclear == 0 {
			p.Jobs = 1
		}
	case slow:
		f := &l.plain
		if l.Pack() && l.packed.bytes > 0 {
			f = &l.packed
		}
		ahead := f.bytes / max(f.wait, 1e-3) * (slowAhead + l.latency).Seconds()
		p.Bytes = max(leastJob, min(fastBytes, int64(ahead)/fastJobs))
	}
	return p
}
