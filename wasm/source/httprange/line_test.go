package httprange

import (
	"testing"
	"time"
)

// network is a line and a worker that reads over it, without a clock: what a request
// brings takes as long as bytes need.
type network struct {
	line      Line
	rate      float64       // bytes a second that go through, for this worker
	delay     time.Duration // until an answer begins
	ratio     float64       // of a compressed body to what it holds
	unpack    float64       // most bytes a second that compressed bodies can give
	busy      time.Duration // of the worker, while a body is under way
	deaf      bool          // the server does not know how to compress
	came      int64         // bytes, unpacked
	wire      int64
	packed    int64 // bytes that came compressed, unpacked
	turns     int   // requests
	turnsSlow int   // until the first that was compressed; 0 = none was
}

// request lets one job come.
func (n *network) request() {
	size := n.line.Pace().Bytes
	packed := n.line.Pack() && !n.deaf
	n.turns++
	if packed && n.turnsSlow == 0 {
		n.turnsSlow = n.turns
	}
	wire := float64(size)
	wait := wire / n.rate
	if packed {
		wire *= n.ratio
		wait = max(wire/n.rate, float64(size)/n.unpack)
		n.packed += size
	}
	n.wire += int64(wire)
	n.came += size
	n.line.Answered(n.delay)
	d := time.Duration(wait * float64(time.Second))
	n.line.Took(Sample{size, d + n.busy, d, packed})
}

// read reads so many bytes.
func (n *network) read(bytes int64) {
	for end := n.came + bytes; n.came < end; {
		n.request()
	}
}

func newNetwork(rate float64, delay time.Duration) *network {
	return &network{rate: rate, delay: delay, ratio: 0.25, unpack: 300e6}
}

func TestLine(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		rate  float64
		delay time.Duration
		slow  bool
	}{
		{"loopback", 300e6, ms, false},
		{"loopback on a busy machine", 46e6, 40 * ms, false},
		{"gigabit alone", 110e6, ms, false},
		{"gigabit for eight workers", 110e6 / 8, ms, true},
		{"100 Mbit/s", 12.5e6, 30 * ms, true},
		{"100 Mbit/s for two workers", 6.2e6, 30 * ms, true},
		{"4 MB/s far away", 2e6, 80 * ms, true},
		{"a modem", 5e3, 200 * ms, true},
		{"far away and fast", 60e6, 150 * ms, false},
	} {
		n := newNetwork(c.rate, c.delay)
		if p := n.line.Pace(); p.Jobs != 1 || p.Bytes > 1<<20 || n.line.Pack() {
			t.Errorf("%s: it begins with %+v", c.name, p)
		}
		n.read(50 << 20)
		if got := n.turnsSlow > 0; got != c.slow || n.turnsSlow > 4 {
			t.Errorf("%s: compressed from request %d on", c.name, n.turnsSlow)
		}
		if c.slow && n.wire > 16<<20 {
			t.Errorf("%s: 50 MiB took %d bytes", c.name, n.wire)
		}
		p := n.line.Pace()
		if !c.slow && (p.Jobs != fastJobs || p.Bytes != fastBytes) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if far := c.delay >= farFrom; far != (p.Files > fastFiles) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if c.slow {
			// The line is kept full, and its windows come often enough.
			content := min(c.rate/n.ratio, n.unpack)
			ahead := float64(p.Jobs) * float64(p.Bytes) / content
			if least := c.delay.Seconds(); ahead < least || ahead > max(1, 3*leastJob/content) || p.Bytes < leastJob || p.Bytes > fastBytes {
				t.Errorf("%s: %+v are %.2f s", c.name, p, ahead)
			}
		}
	}
}

// A worker that is busy makes no line slow, nor does a process that gets no time once.
func TestLineHiccup(t *testing.T) {
	n := newNetwork(300e6, time.Millisecond)
	n.line.Took(Sample{Bytes: 200 << 10, Time: 30 * time.Millisecond, Wait: 30 * time.Millisecond})
	if n.line.Pack() {
		t.Error("one late answer makes a slow line")
	}
	n.read(32 << 20)
	n.line.Took(Sample{Bytes: 1 << 20, Time: 700 * time.Millisecond, Wait: 700 * time.Millisecond})
	n.read(1 << 20)
	if n.line.Pack() {
		t.Error("a moment makes a slow line")
	}
	// What follows a live file brings little at a time, and takes what messages take.
	for range 10_000 {
		n.line.Took(Sample{Bytes: 500, Time: time.Millisecond, Wait: time.Millisecond})
	}
	if n.line.Pack() {
		t.Error("small answers make a slow line")
	}
	// A worker that draws all the time is not waiting; the line may be what it likes.
	b := newNetwork(300e6, time.Millisecond)
	b.busy = 100 * time.Millisecond
	if b.read(50 << 20); b.line.Pack() || b.line.Pace().Jobs != fastJobs {
		t.Errorf("a busy worker makes a slow line, %+v", b.line.Pace())
	}
	// Many small files do not wait for each other, while nothing is known either.
	m := newNetwork(300e6, time.Millisecond)
	m.line.Took(Sample{Bytes: 50_000, Time: time.Millisecond, Wait: time.Millisecond})
	if p := m.line.Pace(); p.Jobs != fastJobs || m.line.Pack() {
		t.Errorf("after small answers: %+v", p)
	}
}

// A line changes, and the mind with it.
func TestLineChanges(t *testing.T) {
	n := newNetwork(5e6, 30*time.Millisecond)
	n.read(100 << 20)
	n.rate = 300e6
	before := n.packed
	n.read(400 << 20)
	if n.line.Pack() || n.packed-before > 200<<20 {
		t.Errorf("a line that has become fast: %d bytes came compressed", n.packed-before)
	}
	n.rate = 2e6
	n.read(100 << 20)
	if !n.line.Pack() {
		t.Error("a line that has become slow is not noticed")
	}
	// Where compressed answers come fast over a slow line, looking anew costs little.
	m := newNetwork(20e6, time.Millisecond)
	m.ratio = 0.05
	m.read(2 << 30)
	if plain := m.came - m.packed; plain > 64<<20 {
		t.Errorf("%d bytes of 2 GiB came as they are", plain)
	}
}

// A server that does not compress is asked in vain, which costs nothing.
func TestLineDeaf(t *testing.T) {
	n := newNetwork(5e6, 30*time.Millisecond)
	n.deaf = true
	n.read(50 << 20)
	if p := n.line.Pace(); !n.line.Pack() || p.Jobs != fastJobs || p.Bytes > 2<<20 {
		t.Errorf("%+v", p)
	}
	n.rate = 100e6
	n.read(100 << 20)
	if n.line.Pack() {
		t.Error("the line has become fast")
	}
}

// Bad answers are asked for otherwise, for longer and longer.
func TestLineBad(t *testing.T) {
	n := newNetwork(5e6, 30*time.Millisecond)
	n.read(5 << 20)
	last := int64(0)
	for range 4 {
		if !n.line.Pack() {
			t.Fatal("not compressed")
		}
		n.line.Bad()
		n.line.Bad() // under way with the first
		if n.line.Pack() {
			t.Fatal("compressed in spite of a bad answer")
		}
		from := n.came
		for !n.line.Pack() {
			n.request()
		}
		if took := n.came - from; took < holdFrom || took < 3*last {
			t.Errorf("plain for %d bytes, before for %d", took, last)
		} else {
			last = took
		}
	}
}

// The first requests are small, also when the first has come slowly, and the next larger ones come
// when others have as well.
func TestFirstRequests(t *testing.T) {
	var l Line
	for k, want := range []int64{firstBytes, firstBytes, 2 * firstBytes} {
		if p := l.Pace(); p.Bytes != want || p.Jobs != 1 || l.Slow() {
			t.Errorf("after %d slow answers: %+v", k, p)
		}
		// So little was waited that it is not known yet.
		l.Took(Sample{Bytes: leastSample, Time: 12 * time.Millisecond, Wait: 12 * time.Millisecond})
	}
}

// A line that has just been found to be slow, though not very slow, is asked for as much as it
// has shown to bring, before anything has come compressed.
func TestPaceOfASlowLine(t *testing.T) {
	var l Line
	for !l.Pack() {
		l.Took(Sample{Bytes: 1 << 20, Time: 60 * time.Millisecond, Wait: 60 * time.Millisecond})
	}
	if p := l.Pace(); p.Jobs != fastJobs || p.Bytes < 3*leastJob || p.Bytes > fastBytes/2 {
		t.Errorf("%+v", p)
	}
}

// Answers that came slowly while the worker was busy say little: the requests grow with each, the
// line is taken for fast after some, and one that is known to be slow stays that.
func TestUnclear(t *testing.T) {
	unclear := Sample{Bytes: 1 << 20, Time: time.Second, Wait: 10 * time.Millisecond}
	var l Line
	for k, want := range []int64{firstBytes, 2 * firstBytes, 4 * firstBytes, fastFrom} {
		if p := l.Pace(); p.Bytes != want || l.Slow() {
			t.Errorf("after %d: %+v", k, p)
		}
		l.Took(unclear)
	}
	l = Line{}
	for range lowSamples {
		l.Took(Sample{Bytes: 1 << 20, Time: time.Second, Wait: time.Second})
	}
	for k := range 2 * mostUnclear {
		if !l.Slow() {
			t.Errorf("it is fast after %d", k)
		}
		l.Took(unclear)
	}
}
