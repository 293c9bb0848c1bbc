package objects

import "time"

// Quick makes pauses short, for tests.
func Quick() {
	firstPause, longPause, renewEvery = time.Millisecond, 2*time.Millisecond, 0
}
