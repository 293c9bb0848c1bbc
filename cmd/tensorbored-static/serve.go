package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/static"
)

// lastWords is how long requests may go on after the signal to stop.
const lastWords = 2 * time.Second

// list is a flag that may be given several times, or once with commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }
func (l *list) Set(v string) error {
	*l = append(*l, strings.Split(v, ",")...)
	return nil
}

type serveFlags struct {
	logdir, host, prefix string
	port                 int
	portGiven            bool
	bindAll, open        bool
	noFollow, demo       bool
	hosts, origins       list
}

func serveCommand(args []string, stdout, stderr io.Writer) int {
	var f serveFlags
	fs := newFlags("serve", "[serve] [--logdir DIR] [flags]", stderr)
	fs.StringVar(&f.logdir, "logdir", "", "`directory` that holds the runs; without it a folder can be dropped onto the page")
	fs.StringVar(&f.host, "host", "127.0.0.1", "`address` or name to listen on")
	fs.BoolVar(&f.bindAll, "bind-all", false, "listen on all addresses: everybody who reaches this machine can then read the logs")
	fs.IntVar(&f.port, "port", defaultPort, "`port` to listen on; 0 takes any free one. Without this flag the next free one is taken")
	fs.StringVar(&f.prefix, "path-prefix", "", "`path` before every address, e.g. /tb, for a proxy that passes it on")
	fs.Var(&f.hosts, "allowed-host", "further `name` that the server is called by, e.g. that of a proxy; .example.org allows all names below it")
	fs.Var(&f.origins, "allow-origin", "further `origin`, e.g. https://example.org, whose pages may read the data")
	fs.BoolVar(&f.noFollow, "no-follow-symlinks", false, "refuse symbolic links in the logdir instead of following them")
	fs.BoolVar(&f.demo, "demo", false, "train small networks and show them, in the place of a logdir")
	fs.BoolVar(&f.open, "open", false, "open the page in a browser")
	rest, code, ok := parse(fs, args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return fail(stderr, exitUsage, fmt.Errorf("unexpected argument %q: to open a logdir write --logdir %s", rest[0], rest[0]))
	}
	if f.demo && f.logdir != "" {
		return fail(stderr, exitUsage, errors.New("--demo and --logdir exclude each other: to keep the demo's logs use tensorbored-static demo --out DIR"))
	}
	f.portGiven = flagGiven(fs, "port")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve(ctx, f, stdout, stderr)
}

// serve runs the server until ctx ends. It prints its address as the only line of
// stdout.
func serve(ctx context.Context, f serveFlags, stdout, stderr io.Writer) int {
	name := displayName(f.logdir)
	if f.demo {
		dir, end, err := startDemo(ctx, stderr)
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		defer end()
		f.logdir, name = dir, "demo"
	}
	var store *files.Store
	if f.logdir != "" {
		var err error
		if store, err = files.Open(expandHome(f.logdir), name, !f.noFollow); err != nil {
			return fail(stderr, exitUsage, err)
		}
		defer store.Close()
	}
	if f.bindAll {
		f.host = ""
	}
	l, err := listen(ctx, f.host, f.port, f.portGiven)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	hosts := allowedHosts(f.host, l.Addr(), f.hosts)
	h, err := server.New(server.Config{
		Site:   static.Dist(),
		Logdir: store,
		Prefix: f.prefix,
		Guard:  guard.Config{Hosts: hosts, Origins: f.origins},
	})
	if err != nil {
		l.Close()
		return fail(stderr, exitUsage, err)
	}
	if !isLoopback(l.Addr()) {
		fmt.Fprintln(stderr, "Warning: everybody who reaches this address can read the logs. Without --host and --bind-all only this machine can.")
	}
	address := "http://" + shownAddress(f.host, l.Addr()) + server.CleanPrefix(f.prefix) + "/"
	fmt.Fprintln(stdout, address)
	if f.open {
		openBrowser(address, stderr)
	}
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10, // a path of 4096 bytes, escaped, is at most 12 KiB
		ErrorLog:          log.New(stderr, "", log.LstdFlags),
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err = <-done:
		return fail(stderr, exitFailed, err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if err := s.Shutdown(last); errors.Is(err, context.DeadlineExceeded) {
		s.Close()
	}
	return 0
}

// expandHome resolves a leading "~", which the shell leaves alone in
// --logdir=~/runs.
func expandHome(dir string) string {
	if home, err := os.UserHomeDir(); err == nil && (dir == "~" || strings.HasPrefix(dir, "~/")) {
		return filepath.Join(home, dir[1:])
	}
	return dir
}

// displayName is how the logdir is shown: absolute, with the home directory as
// "~".
func displayName(dir string) string {
	abs, err := filepath.Abs(expandHome(dir))
	if err != nil {
		return dir
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		if rest, ok := strings.CutPrefix(abs, home+string(filepath.Separator)); ok {
			return "~" + string(filepath.Separator) + rest
		}
	}
	return abs
}

// openBrowser asks the desktop to show address. Without one it does nothing but
// say so: the address is printed anyway.
func openBrowser(address string, stderr io.Writer) {
	cmd := exec.Command("xdg-open", address)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(stderr, "No browser could be opened; open the address yourself.")
		return
	}
	go cmd.Wait()
}
