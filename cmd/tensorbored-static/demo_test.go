package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestDemoCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--steps", "1", "--speed", "0", "--out", dir}, 0, "demo: done"},
		{[]string{"--steps", "1", "--speed", "0", "--out", dir}, 1, "an earlier demo"},
		{[]string{"--steps", "1", "--speed", "0", "--out", dir, "--overwrite"}, 0, "demo: done"},
		{[]string{"--steps", "0"}, 2, "must be positive"},
		{[]string{"--speed", "NaN"}, 2, "not negative"},
		{[]string{"logs"}, 2, "takes flags only"},
		{[]string{"--nonsense"}, 2, "unknown flag"},
		{[]string{"-h"}, 0, "--speed"},
	} {
		var out bytes.Buffer
		if status := run(append([]string{"demo"}, c.args...), &out, &out); status != c.status || !strings.Contains(out.String(), c.says) {
			t.Errorf("demo %s: status %d, output %s", strings.Join(c.args, " "), status, out.String())
		}
	}
}
