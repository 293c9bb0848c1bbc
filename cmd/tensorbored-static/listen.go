package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/tensorbored/tensorbored-static/server/guard"
)

const (
	// defaultPort is TensorBoard's.
	defaultPort = 6006
	// portTries is how many ports from the default one on are tried, as
	// TensorBoard does.
	portTries = 100
)

// ListenError says why no port could be listened on.
type ListenError struct {
	Host   string
	Port   int
	Err    error
	Remedy string
}

// Error names address, cause and remedy.
func (e *ListenError) Error() string {
	return fmt.Sprintf("cannot listen on %s: %v: %s", net.JoinHostPort(e.Host, strconv.Itoa(e.Port)), e.Err, e.Remedy)
}

// Unwrap gives the cause to errors.Is.
func (e *ListenError) Unwrap() error { return e.Err }

// listen opens host and port. A port that the user did not choose (exact is
// false) may be taken: then the next free one is used. The error is a
// *ListenError.
func listen(ctx context.Context, host string, port int, exact bool) (net.Listener, error) {
	if port < 0 || port > 65535 {
		return nil, &ListenError{host, port, errors.New("no such port"), "give one from 0 (any free one) to 65535"}
	}
	var lc net.ListenConfig
	tries := 1
	if !exact {
		tries = portTries
	}
	for i := range tries {
		l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port+i)))
		switch {
		case err == nil:
			return l, nil
		case errors.Is(err, syscall.EADDRINUSE) && exact:
			return nil, &ListenError{host, port, cause(err), "end the program that uses it, or leave --port out to take the next free one"}
		case errors.Is(err, syscall.EADDRINUSE):
		case errors.Is(err, syscall.EACCES):
			return nil, &ListenError{host, port, cause(err), "ports below 1024 need rights; give a higher --port"}
		default:
			return nil, &ListenError{host, port, cause(err), "give an address of this machine with --host, or leave it out"}
		}
	}
	return nil, &ListenError{host, port, fmt.Errorf("this port and the next %d are in use", portTries-1), "give a free one with --port, or 0 for any"}
}

// cause cuts the repeated address off a network error.
func cause(err error) error {
	var oe *net.OpError
	if errors.As(err, &oe) {
		var se *os.SyscallError
		if errors.As(oe.Err, &se) {
			return se.Err
		}
		return oe.Err
	}
	return err
}

// allowedHosts are the names that a server with this --host, listening on addr,
// is called by.
func allowedHosts(host string, addr net.Addr, more []string) guard.Hosts {
	h := guard.Hosts{}
	for _, n := range append([]string{host}, more...) {
		if n = strings.ToLower(strings.Trim(n, "[]")); n != "" {
			h.Names = append(h.Names, n)
		}
	}
	if tcp, ok := addr.(*net.TCPAddr); ok {
		h.AnyAddress = tcp.IP.IsUnspecified()
		h.Names = append(h.Names, tcp.IP.String())
	}
	if !isLoopback(addr) {
		// What colleagues type. Another site can not choose this name.
		if name, err := os.Hostname(); err == nil {
			h.Names = append(h.Names, strings.ToLower(name))
		}
	}
	return h
}

// shownAddress is host and port for the user to open.
func shownAddress(host string, addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return addr.String()
	}
	if tcp.IP.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		} else {
			host = "localhost"
		}
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(tcp.Port))
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
