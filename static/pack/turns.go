//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The collector's turns.
//
// In a browser Go has one thread, and that is the page's. Go's collector marks beside the
// program, which here means: when no goroutine is awake, and then it marks all that there is
// before it gives the thread back. With 100,000 tags that is 170 ms, in which the page neither
// draws nor hears a key; whatever the program does in small pieces, the pieces end in one task
// with the marking of everything.
//
// So the browser's programs are built with a runtime that marks for markTurn at a time. Then the
// program comes to rest as if there were nothing to mark, the browser has its turn, and a timer
// wakes the collector markRest later. Nothing else is changed: what is marked, when it has all
// been marked, and what whoever allocates meanwhile has to mark himself, so that the heap does
// not outgrow its goal, are the runtime's own. A callback that waits for the collector
// (runtime.GC in an event handler) still has all marked at once: the thread cannot be given back
// before it returns.
//
// The places are few, and each must be there exactly once. A release that differs is no error:
// the page is then built with the runtime as it is, works, and says at the build what it lacks;
// TestTurns fails, and says which place.

// place is one of the runtime: what stands there, and what stands there instead.
type place struct{ file, old, new string }

var turns = []place{
	// A mark worker looks from time to time whether it should end.
	{"mgcmark.go", "\t\t\tcheck = pollWork\n", "\t\t\tcheck = pollTurn\n"},
	{"mgcmark.go", "\t\t\tcheck = pollFractionalWorkerExit\n", "\t\t\tcheck = pollFractionalTurn\n"},
	// The scheduler starts none while the collector rests …
	{"proc.go", `	if gcBlackenEnabled != 0 {
		gp, tnow := gcController.findRunnableGCWorker(pp, now)
`, `	if gcBlackenEnabled != 0 && !markRests() {
		gp, tnow := gcController.findRunnableGCWorker(pp, now)
`},
	{"proc.go", `	if gcBlackenEnabled != 0 && gcShouldScheduleWorker(pp) && gcController.addIdleMarkWorker() {
		node := `, `	if gcBlackenEnabled != 0 && gcShouldScheduleWorker(pp) && !markRests() && gcController.addIdleMarkWorker() {
		node := `},
	// … and has itself woken when it has rested.
	{"proc.go", "\tgp, otherReady := beforeIdle(now, pollUntil)\n", "\tnow, pollUntil = beforeTurn(pp, now, pollUntil)\n\tgp, otherReady := beforeIdle(now, pollUntil)\n"},
}

// turnsFile is the file beside them. Times are ns.
const turnsFile = `package runtime

const (
	markTurn = 8e6
	markRest = 4e6
)

// markRested is when the collector has rested.
var markRested int64

// pollTurn reports whether an idle mark worker should end: there is other work, or its turn
// is over.
func pollTurn() bool { return pollWork() || markTurnOver() }

// pollFractionalTurn is that of a fractional one.
func pollFractionalTurn() bool { return pollFractionalWorkerExit() || markTurnOver() }

func markTurnOver() bool {
	now := nanotime()
	if now-getg().m.p.ptr().gcMarkWorkerStartTime < markTurn || !mayPause() {
		return false
	}
	markRested = now + markRest
	return true
}

// mayPause reports whether the thread can be given back to the browser: no event's handler
// waits for something.
func mayPause() bool { return len(events) == 0 || events[len(events)-1].returned }

// markRests reports whether the collector should not mark now.
func markRests() bool { return markRested != 0 && nanotime() < markRested && mayPause() }

// beforeTurn returns when the scheduler should look again: not later than the collector's
// next turn, if there is something to mark.
func beforeTurn(pp *p, now, pollUntil int64) (int64, int64) {
	if gcBlackenEnabled == 0 || markRested == 0 || !gcShouldScheduleWorker(pp) {
		return now, pollUntil
	}
	if now == 0 {
		now = nanotime()
	}
	next := max(markRested, now+1)
	if pollUntil == 0 || next < pollUntil {
		pollUntil = next
	}
	return now, pollUntil
}
`

// markingTurns are the files of a Go tree's runtime that mark in turns, by their paths. The
// error says which place this release does not have as it is expected to be.
func markingTurns(root string) (map[string]string, error) {
	texts, err := replaced(root, turns)
	if err == nil {
		texts[filepath.Join(root, "src", "runtime", "turns_js.go")] = turnsFile
	}
	return texts, err
}

// replaced are the files of a Go tree's runtime with all places replaced, by their paths. Each
// place must be there exactly once: the error says which is not.
func replaced(root string, places []place) (map[string]string, error) {
	texts := map[string]string{}
	for _, p := range places {
		path := filepath.Join(root, "src", "runtime", p.file)
		text, ok := texts[path]
		if !ok {
			b, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		if n := strings.Count(text, p.old); n != 1 {
			return nil, fmt.Errorf("runtime/%s has %d times %q, which is expected once", p.file, n, strings.TrimSpace(p.old))
		}
		texts[path] = strings.Replace(text, p.old, p.new, 1)
	}
	return texts, nil
}
