package worker

import "time"

// turns says what comes first, while all that the cache holds is shown by sketches: questions,
// which can be answered with those, or what they stand for. Where there are no sketches that
// is the cache, as an answer without it would be given twice.
type turns struct {
	sketched bool
	begun    bool          // since then a question, or the cache, has had a turn
	until    time.Duration // questions come first
}

const (
	// answerShare is how many times as long questions come first as it took to use what was
	// found in the cache.
	answerShare = 4
	// firstQuestion is how long the cache waits for the page to ask for its first curves, and
	// how long for others that have come with the first: on two cores, side by side, both took
	// half as long again.
	firstQuestion = 250 * time.Millisecond
)

// look notes how it stands now.
func (t *turns) look(sketched bool, now time.Duration) {
	if sketched && !t.sketched {
		t.begun, t.until = false, now+firstQuestion
	}
	t.sketched = sketched
}

// cache reports whether the cache comes before questions.
func (t *turns) cache(now time.Duration) bool { return !t.sketched || now >= t.until }

// waits reports whether the cache waits for a first question.
func (t *turns) waits(now time.Duration) bool { return !t.cache(now) && !t.begun }

// used notes that the cache had its turn.
func (t *turns) used(from, to time.Duration) {
	t.begun, t.until = true, to+answerShare*(to-from)
}

// answered notes that a question had its turn.
func (t *turns) answered(now time.Duration) {
	if t.waits(now) {
		t.begun, t.until = true, now+firstQuestion
	}
}
