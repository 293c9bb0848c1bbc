//go:build !js

package browsertest

import (
	"testing"
	"time"
)

// A machine that stands still takes nothing of a step's time but a moment.
func TestPatience(t *testing.T) {
	now := time.Now()
	p := &patience{left: time.Minute, last: now}
	for second := range 59 {
		if now = now.Add(time.Second); p.pass(now) {
			t.Fatalf("over after %d s of a minute", second+1)
		}
	}
	p = &patience{left: time.Minute, last: now}
	if now = now.Add(10 * time.Hour); p.pass(now) {
		t.Error("a night's sleep has taken a minute")
	}
	for range 41 {
		now = now.Add(time.Second)
		p.pass(now)
	}
	if !p.pass(now) {
		t.Error("what was left after the sleep is endless")
	}
}
