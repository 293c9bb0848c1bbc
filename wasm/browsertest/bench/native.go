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
func tabMemory() int64 {
	parents := map[int]int{}
	var renderers []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		var pid, parent int
		fmt.Sscan(filepath.Base(d), &pid)
		stat, err := os.ReadFile(filepath.Join(d, "stat"))
		if err != nil {
			continue
		}
		// pid (name) state parent …; the name may hold anything.
		rest := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
		var state string
		fmt.Sscan(rest, &state, &parent)
		parents[pid] = parent
		if line, _ := os.ReadFile(filepath.Join(d, "cmdline")); strings.Contains(string(line), "--type=renderer") {
			renderers = append(renderers, pid)
		}
	}
	most := int64(0)
	for _, r := range renderers {
		for p := r; p > 1; p = parents[p] {
			if p == os.Getpid() {
				most = max(most, peakMemory(r))
				break
			}
		}
	}
	return most
}
