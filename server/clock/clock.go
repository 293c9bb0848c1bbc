// Package clock is the time for what works on several machines: the hub, its viewers, and
// the listing of files that other machines write. Their clocks differ, by hours where one
// is set wrongly, so each is only compared with itself; tests set them apart.
package clock

import "time"

// Skew is by how much this machine's clock is wrong. Tests set it, before anything else
// happens.
var Skew time.Duration

// Now is the time by this machine's clock. What is measured between two of its answers
// does not change when the clock is set.
func Now() time.Time { return time.Now().Add(Skew) }

// Since is how long ago t was, by this machine's clock.
func Since(t time.Time) time.Duration { return Now().Sub(t) }
