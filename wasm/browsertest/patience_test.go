//go:build !js

package browsertest

import (
	"testing"
	"time"
)

// A machine that stands still takes nothing of a step's time but a moment.
func TestPatience(t *testing.T) {
	p := &patience{left: time.Minute, last: time.Hour}
	now := time.Hour
	for range 59 {
		if now += time.Second; p.pass(now) {
			t.Fatalf("over after %v of a minute", now-time.Hour)
		}
	}
	p = &patience{left: time.Minute, last: now}
	if now += 10 * time.Hour; p.pass(now) {
		t.Error("a night's sleep has taken a minute")
	}
	for range 41 {
		now += time.Second
		p.pass(now)
	}
	if !p.pass(now) {
		t.Error("what was left after the sleep is endless")
	}
}
