//go:build !js

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
)

// native reads a logdir on one core, as the dump command does, and prints
// nanoseconds and bytes of memory.
func native(dir string) error {
	store, err := files.Open(dir, dir, true)
	if err != nil {
		return err
	}
	defer store.Close()
	began := time.Now()
	if _, err := catalog.New().Load(context.Background(), store.Source()); err != nil {
		return err
	}
	fmt.Println(time.Since(began).Nanoseconds(), peakMemory(os.Getpid()))
	return nil
}

// peakMemory is the most memory that a process has had, in bytes.
func peakMemory(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}

// tabMemory is the most memory that the largest renderer below this process has
// had: that of the tab, since there is one tab at a time. Other renderers are
// spares.
func tabMemory() (most int64) {
	for _, pid := range renderers() {
		most = max(most, peakMemory(pid))
	}
	return most
}

// pageTime is how long the page's thread has had a processor, in ticks of 10 ms: unlike
// the time of a frame, what else the machine does hardly changes it.
func pageTime() (took time.Duration) {
	for _, pid := range renderers() {
		fields := strings.Fields(afterName(fmt.Sprintf("/proc/%d/task/%d/stat", pid, pid)))
		if len(fields) > 12 {
			var user, system time.Duration
			fmt.Sscan(fields[11], &user)
			fmt.Sscan(fields[12], &system)
			took = max(took, (user+system)*10*time.Millisecond)
		}
	}
	return took
}

// afterName is what a stat file of a process says behind its name, which may hold
// anything: state, parent, …
func afterName(path string) string {
	stat, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(stat[strings.LastIndexByte(string(stat), ')')+1:])
}

// renderers are the browser's processes below this one that show pages.
func renderers() (mine []int) {
	parents := map[int]int{}
	var all []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		var pid, parent int
		var state string
		fmt.Sscan(filepath.Base(d), &pid)
		fmt.Sscan(afterName(filepath.Join(d, "stat")), &state, &parent)
		parents[pid] = parent
		if line, _ := os.ReadFile(filepath.Join(d, "cmdline")); strings.Contains(string(line), "--type=renderer") {
			all = append(all, pid)
		}
	}
	for _, r := range all {
		for p := r; p > 1; p = parents[p] {
			if p == os.Getpid() {
				mine = append(mine, r)
				break
			}
		}
	}
	return mine
}
