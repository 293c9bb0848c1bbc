// Package ports finds TCP ports for servers of tests that must know their port before they
// have it: another program's, or one that goes away and comes back to the same address.
//
// A port that the system chose (":0") and that was let go of will not do. The system hands
// it out again, to any connection or server of the machine, and then the server that it was
// meant for cannot start. So these come from below the range from which the system chooses.
package ports

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

const (
	lowest = 12_000 // below are ports with a meaning, and 10080, to which browsers do not go
	system = 32_768 // the first that Linux chooses by itself, unless it is told otherwise
	tries  = 1000
)

var (
	mu    sync.Mutex
	given = map[int]bool{}
)

// Free finds n ports on which no server listens. It gives none twice; another process that
// draws the same one in the same moment is a chance of one in twenty thousand.
func Free(n int) ([]int, error) {
	var all []int
	for range n {
		l, err := Listen()
		if err != nil {
			return nil, err
		}
		all = append(all, l.Addr().(*net.TCPAddr).Port)
		l.Close()
	}
	return all, nil
}

// Listen listens on a free port of 127.0.0.1, which stays free for the caller after the
// listener is closed.
func Listen() (net.Listener, error) {
	mu.Lock()
	defer mu.Unlock()
	below := first()
	var err error
	for range tries {
		port := lowest + rand.IntN(below-lowest)
		if given[port] {
			continue
		}
		var all, l net.Listener
		// Who listens on every address has it as well.
		if all, err = net.Listen("tcp", fmt.Sprintf(":%d", port)); err != nil {
			continue
		}
		all.Close()
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err != nil {
			continue
		}
		given[port] = true
		return l, nil
	}
	return nil, fmt.Errorf("no free port between %d and %d after %d tries: %w", lowest, below, tries, err)
}

// first is the first port that the system chooses by itself.
func first() int {
	text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return system
	}
	low, _, _ := strings.Cut(string(text), "\t")
	// Where the system chooses from nearly all of them there is nothing below it.
	if n, err := strconv.Atoi(strings.TrimSpace(low)); err == nil && n > lowest+1000 {
		return n
	}
	return system
}
