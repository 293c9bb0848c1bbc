//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// A hub on another machine is named as long as it lives there, by the file system's clock
// alone, and its place is taken when it does not.
func TestHubElsewhere(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := state.WriteJSON(h.dir, hub.AtFile, hub.At{Host: "login-2", PID: 1, Socket: "/x", Address: "http://127.0.0.1:1/"}); err != nil {
		t.Fatal(err)
	}
	// What its clock says, three days from now, does not matter.
	beat := filepath.Join(h.dir, state.BeatFile)
	if err := os.WriteFile(beat, fmt.Appendf(nil, "%020d %020d\n", time.Now().Add(72*time.Hour).UnixNano(), 5), 0o600); err != nil {
		t.Fatal(err)
	}
	h.check(1, "", "your hub runs on login-2", "start", "7")
	if len(h.hubs()) != 0 {
		t.Error("a second hub")
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(beat, past, past); err != nil {
		t.Fatal(err)
	}
	h.check(0, ".*is ready.*", "", "start", "7")
}

// The next hub may be on another machine, whose clock is days behind or before: what runs
// runs on, by that one's idle time, and what has ended stays in the list.
func TestHubsOfOtherClocks(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	env := h.env
	by := func(skew string) []hub.Instance {
		t.Helper()
		h.check(0, ".*", "", "hub", "--stop")
		h.env = append(slices.Clone(env), skewVariable+"="+skew)
		var all []hub.Instance
		if s := h.run("list", "--json"); json.Unmarshal([]byte(s.stdout), &all) != nil {
			t.Fatalf("%+v", s)
		}
		return all
	}
	h.env = append(slices.Clone(env), skewVariable+"=50h")
	one, two := h.started("7"), h.started("8")
	h.until("both", func() bool { return strings.Count(h.run("list").stdout, "RUNNING") == 2 })
	h.check(0, "Killed.*", "", "kill", two)
	h.until("its end", func() bool { return strings.Contains(h.run("list").stdout, "TERMINATED") })
	for _, skew := range []string{"-50h", "0s", "20h", "-1h"} {
		all := by(skew)
		if len(all) != 2 || all[0].ID != one || all[0].State != hub.Running || all[1].ID != two || all[1].State != hub.Terminated {
			t.Errorf("by a clock that is wrong by %s: %+v", skew, all)
			continue
		}
		if i := all[0]; i.Age < 0 || i.Seen < 0 || i.Seen > 600 {
			t.Errorf("by a clock that is wrong by %s it is %v s old, and was seen %v s ago", skew, i.Age, i.Seen)
		}
		if n := len(h.viewers()); n != 1 {
			t.Errorf("%d viewers run", n)
		}
	}
	// What has ended is listed for a day, by the clock of the files.
	dir := filepath.Join(h.dir, "instances", two)
	for _, left := range []int{2, 1} {
		hours := time.Duration(27 - 2*left) // 23, then 25
		at := time.Now().Add(-hours * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, state.RecordFile), at, at); err != nil {
			t.Fatal(err)
		}
		by("30h")
		h.until(fmt.Sprint(left, " in the list"), func() bool { return len(strings.Fields(h.run("list", "-q").stdout)) == left })
		if _, err := os.Stat(dir); (err == nil) != (left == 2) {
			t.Errorf("after %d hours its folder: %v", hours, err)
		}
	}
}
