package main

import (
	"os"
	"os/user"
	"strconv"
	"strings"
	"syscall"
)

// process is another user's viewer on this machine.
type process struct{ id, user string }

// otherProcesses are those that the system shows to everybody.
func otherProcesses() []process {
	var all []process
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil {
			continue
		}
		words := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
		if len(words) < 4 || words[len(words)-3] != "viewer" || words[len(words)-2] != "--dir" {
			continue
		}
		m := instanceID.FindStringSubmatch(words[len(words)-1])
		fi, err := os.Stat("/proc/" + e.Name())
		if m == nil || err != nil {
			continue
		}
		st, ok := fi.Sys().(*syscall.Stat_t)
		if !ok || int(st.Uid) == os.Getuid() {
			continue
		}
		name := strconv.Itoa(int(st.Uid))
		if u, err := user.LookupId(name); err == nil {
			name = u.Username
		}
		all = append(all, process{m[1], name})
	}
	return all
}
