package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/access"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/static"
)

// lastWords is how long requests may go on after the signal to stop.
const lastWords = 2 * time.Second

type serveFlags struct {
	logdirs        []string
	spec           string
	host, prefix   string
	port           portFlag
	bindAll, open  bool
	noFollow, demo bool
	log            bool // requests
	write          bool // the default profile, when the page asks for it
	title, samples string
	reload         float64 // seconds
	reloadGiven    bool
	token          string // "": the default for where it listens
	hosts, origins []string
	embed          []string // sites that may show the page in a frame
	withStdin      bool     // stdin's end is that of the server
	near           nearFlags
	digest         string // a directory that index --out has written to
	plugins        pluginFlags
}

// portFlag is the value of --port.
type portFlag struct {
	port  int
	given bool // not "default": then the next free one is taken
}

func (p *portFlag) String() string {
	if p.given {
		return strconv.Itoa(p.port)
	}
	return "default"
}

// Set is for pflag.Value.
func (p *portFlag) Set(v string) error {
	if v == "default" {
		*p = portFlag{port: defaultPort}
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 65535 {
		return errors.New("give a number from 0 (any free port) to 65535")
	}
	*p = portFlag{n, true}
	return nil
}

// Type is for pflag.Value.
func (p *portFlag) Type() string { return "port" }

func newServe() *cobra.Command {
	f := serveFlags{port: portFlag{port: defaultPort}}
	c := &cobra.Command{
		Use:   "serve [--logdir DIR] [flags]",
		Short: "serve the page and a logdir; so does the program without a command",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unexpected argument %q: to open a logdir write --logdir %s", args[0], args[0])
			}
			return nil
		},
	}
	var look bool
	var eventFile, tag string
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.logdirs, "logdir", nil, "`DIR`: the runs; pattern, archive, event file; repeatable")
	flags.StringVar(&f.spec, "logdir-spec", "", "`SPEC`: several with names: name:dir,name:dir")
	flags.StringVar(&f.host, "host", "", "`ADDR`: address to listen on, 127.0.0.1 unless given")
	flags.BoolVar(&f.bindAll, "bind-all", false, "listen on all addresses, for other machines")
	flags.Var(&f.port, "port", "`N`: without it 6006, or the next free; 0 takes any")
	flags.StringVar(&f.prefix, "path-prefix", "", "`PATH`: before every address, as /tb, for a proxy")
	flags.StringVar(&f.title, "window-title", "", "`TEXT`: title of the browser's window")
	flags.Float64Var(&f.reload, "reload-interval", 5, "`SECS`: between checks for new data; 0 checks once")
	flags.StringVar(&f.samples, "samples-per-plugin", "", "`LIST`: most points kept: scalars=500,images=0 (all)")
	flags.StringVar(&f.token, "token", "", "`TEXT`: readers must give it; or random, none, env")
	flags.BoolVar(&f.open, "open", false, "open the page in a browser")
	flags.BoolVar(&f.demo, "demo", false, "train small networks and show them")
	flags.BoolVar(&f.log, "access-log", false, "write a line for each request to stderr")
	flags.BoolVar(&f.write, "allow-write", false, "let the page set the logdir's default profile")
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "refuse symbolic links in the logdir")
	flags.StringSliceVar(&f.hosts, "allowed-host", nil, "`NAME`: the server's other name; .example.org: all in it")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "`URL`: a site whose pages may read the data")
	flags.StringSliceVar(&f.embed, "allow-frame", nil, "`URL`: a site whose pages may frame this one, as a notebook")
	flags.BoolVar(&f.withStdin, "end-with-stdin", false, "end when standard input does")
	f.near.add(flags)
	flags.StringVar(&f.digest, "digest", "", "`DIR`: use the digests that index --out DIR wrote")
	f.plugins.declare(flags)
	f.plugins.declareOrigins(flags)
	flags.BoolVar(&look, "inspect", false, "as inspect does")
	flags.StringVar(&eventFile, "event-file", "", "`FILE`: for --inspect: this file, without a logdir")
	flags.StringVar(&tag, "tag", "", "`TAG`: for --inspect: this tag only")
	// TensorBoard's, of which the overview has the command, and what programs say that show the page.
	for _, name := range []string{"inspect", "event-file", "tag", "allow-frame", "end-with-stdin"} {
		_ = flags.MarkHidden(name)
	}
	addPeerFlags(c)
	_ = c.MarkFlagDirname("logdir") // only helps the shell
	c.RunE = action(func(_ []string, stdout, stderr io.Writer) int {
		f.reloadGiven = flags.Changed("reload-interval")
		sayPeerFlags(flags, stderr)
		switch {
		case look && eventFile != "":
			if len(f.logdirs) > 0 || f.spec != "" {
				return fail(stderr, exitUsage, errors.New("--event-file and --logdir exclude each other: inspect one of them"))
			}
			return inspectCommand(inspectFlags{logdirs: []string{eventFile}, tag: tag, noFollow: f.noFollow}, stdout, stderr)
		case look:
			return inspectCommand(inspectFlags{logdirs: f.logdirs, spec: f.spec, tag: tag, noFollow: f.noFollow}, stdout, stderr)
		case eventFile != "" || tag != "":
			return fail(stderr, exitUsage, errors.New("--event-file and --tag are for --inspect: to show one file give it as --logdir"))
		}
		f.plugins.given = givenFlags(flags)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if f.withStdin {
			go func() {
				_, _ = io.Copy(io.Discard, os.Stdin) // an error is an end too
				stop()
			}()
		}
		return serve(ctx, f, stdout, stderr)
	})
	return c
}

// checked finds flags that contradict each other or are wrong by themselves.
func (f *serveFlags) checked() error {
	switch {
	case f.demo && (len(f.logdirs) > 0 || f.spec != ""):
		return errors.New("--demo and --logdir exclude each other: to keep the demo's logs use tensorbored-static demo --out DIR")
	case f.write && len(f.logdirs) == 0 && f.spec == "" && !f.demo:
		return errors.New("--allow-write is about the default profile in a logdir: give --logdir too")
	case f.token == "env" && os.Getenv(tokenVariable) == "":
		return errors.New("--token env takes the token from " + tokenVariable + ": set it")
	case f.bindAll && f.host != "":
		return errors.New("--bind-all and --host exclude each other: --host is one address to listen on, --bind-all is all of them")
	case f.digest != "" && len(f.logdirs) == 0 && f.spec == "":
		return errors.New("--digest is about a logdir: give --logdir too")
	case slices.Contains(f.hosts, "*") && server.CleanPrefix(f.prefix) == "" && (f.token == "" || f.token == "none"):
		return errors.New("--allowed-host * lets pages of other sites read the logs: give --token too, or a --path-prefix that nobody guesses")
	case slices.Contains(f.embed, "*") && server.CleanPrefix(f.prefix) == "":
		return errors.New("--allow-frame * lets every site show the page within its own, where clicks can be stolen: name the sites, or give a --path-prefix that nobody guesses")
	case f.plugins.wrong() != nil:
		return f.plugins.wrong()
	case f.near.wrong() != nil:
		return f.near.wrong()
	case f.reloadGiven && !(f.reload >= 0 && f.reload < 1e9):
		return errors.New("--reload-interval is in seconds: give a number from 0, which looks once")
	}
	return nil
}

// page is what the page is asked to do.
func (f *serveFlags) page() (api.Page, error) {
	samples, err := parseSamples(f.samples)
	p := api.Page{Title: f.title, Samples: samples}
	if f.write {
		p.SaveProfile = "profile"
	}
	remote := func(dir string) bool {
		return isAddress(dir) || strings.Contains(dir, ":") && isAddress(dir[strings.IndexByte(dir, ':')+1:])
	}
	f.near.remote = slices.ContainsFunc(append(slices.Clone(f.logdirs), strings.Split(f.spec, ",")...), remote)
	f.near.ask(&p)
	if f.reloadGiven {
		p.Reload = max(1, int64(f.reload*1000))
		if f.reload == 0 {
			p.Reload = api.Never
		}
	}
	return p, err
}

// openLogdir opens what is to be served; nil without a logdir.
func (f *serveFlags) openLogdir(stderr io.Writer) (*files.Store, error) {
	roots, err := logdirRoots(f.logdirs, f.spec)
	if err != nil {
		return nil, err
	}
	page, err := f.page()
	if err != nil || len(roots) == 0 {
		return nil, err
	}
	if server.CleanPrefix(f.prefix) != "" { // which may be another one each time
		page.Kept = files.KeptName(placesOf(roots))
	}
	name := shownRoots(roots)
	if f.digest != "" {
		if len(roots) > 1 {
			return nil, errors.New("--digest is about one logdir: write digests of several beside their logs, without --out")
		}
		// It has nothing else that is listed; the logdir's own come after it, and count.
		roots = append([]files.Root{{Dir: expandHome(f.digest)}}, roots...)
	}
	if f.demo {
		name = "demo"
	}
	for _, line := range warnMissing(roots) {
		fmt.Fprintln(stderr, "tensorbored-static:", line)
	}
	return openRoots(roots, files.Options{Name: name, Follow: !f.noFollow, Later: true, Page: page, Links: f.near.read == readSigned,
		Every: time.Duration(max(0, page.Reload)) * time.Millisecond})
}

// serve runs the server until ctx ends. It prints its address as the only line of
// stdout.
func serve(ctx context.Context, f serveFlags, stdout, stderr io.Writer) int {
	if err := f.checked(); err != nil {
		return fail(stderr, exitUsage, err)
	}
	if f.demo {
		dir, end, err := startDemo(ctx, stderr)
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		defer end()
		f.logdirs = []string{dir}
	}
	store, err := f.openLogdir(stderr)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	if store != nil {
		defer store.Close()
	}
	connect, err := f.connects(store)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	page, _ := f.page() // openLogdir has made it
	near, err := f.near.open(store, f.logdirs, f.spec, &page, !f.noFollow)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer near.Close()
	others, code := f.plugins.open(stderr)
	if code != 0 {
		return code
	}
	if others != nil {
		defer others.Close()
	}
	if f.host == "" {
		f.host = "127.0.0.1"
	}
	if f.bindAll {
		f.host = ""
	}
	l, err := listen(ctx, f.host, f.port.port, f.port.given)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	own, err := f.plugins.listen(ctx, others, f.host, l.Addr().(*net.TCPAddr).Port, stderr)
	if err != nil {
		l.Close()
		return fail(stderr, exitUsage, err)
	}
	hosts := allowedHosts(f.host, l.Addr(), f.hosts)
	token := chosenToken(f.token, isLoopback(l.Addr()))
	h, err := server.New(server.Config{
		Site:    static.Dist(),
		Logdir:  store,
		Prefix:  f.prefix,
		Guard:   guard.Config{Hosts: hosts, Origins: f.origins, Connect: connect, Embed: f.embed},
		Token:   token,
		Write:   f.write,
		Near:    near.handler(),
		Plugins: others,
	})
	if err != nil {
		l.Close()
		if own != nil {
			own.Close()
		}
		return fail(stderr, exitUsage, err)
	}
	address := "http://" + shownAddress(f.host, l.Addr()) + server.CleanPrefix(f.prefix) + "/"
	if token != "" {
		address += "?" + url.Values{guard.TokenParameter: {string(token)}}.Encode()
	}
	if !isLoopback(l.Addr()) {
		fmt.Fprintln(stderr, reachable(token))
	}
	fmt.Fprintln(stdout, address)
	if f.open {
		openBrowser(address, stderr)
	}
	if f.log {
		h = access.New(stderr, h)
	}
	answers := func(h http.Handler) *http.Server {
		return &http.Server{
			Handler:           h,
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    64 << 10, // a path of 4096 bytes, escaped, is at most 12 KiB
			ErrorLog:          log.New(stderr, "", log.LstdFlags),
		}
	}
	if own != nil {
		h := http.Handler(others.Own)
		if f.log {
			h = access.New(stderr, h)
		}
		s := answers(h)
		go s.Serve(own)
		defer s.Close()
	}
	s := answers(h)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err = <-done:
		return fail(stderr, exitFailed, err)
	case <-ctx.Done():
	}
	near.Close() // what it has under way need not be awaited
	last, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if err := s.Shutdown(last); errors.Is(err, context.DeadlineExceeded) {
		s.Close()
	}
	return 0
}

// connects are the origins besides this server's that the page reads from.
func (f *serveFlags) connects(store *files.Store) ([]string, error) {
	if f.near.read != readSigned {
		return nil, nil
	}
	if store == nil {
		return nil, errors.New("--read signed is about a logdir in an object store: give --logdir too")
	}
	return signing(store)
}

// tokenVariable holds the token of --token env: others see arguments, and not it.
const tokenVariable = "TENSORBORED_TOKEN"

// chosenToken is the token that --token asks for: by default one is made where other
// machines can ask.
func chosenToken(flag string, loopback bool) guard.Token {
	switch {
	case flag == "none", flag == "" && loopback:
		return ""
	case flag == "env":
		return guard.Token(os.Getenv(tokenVariable))
	case flag == "random", flag == "":
		return guard.Token(rand.Text()) // 130 bits
	}
	return guard.Token(flag)
}

// reachable says who can read the logs of a server that other machines can ask.
func reachable(token guard.Token) string {
	if token == "" {
		return "Warning: everybody who reaches this address can read the logs. --token random asks for a link; without --host and --bind-all only this machine is let in."
	}
	return "Other machines can reach this address: anyone with the link below can read the logs, so keep it to yourself."
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
	if isAddress(dir) {
		return bare(dir)
	}
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
	// The address is one word for each of them, never read by a shell.
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		cmd = exec.Command("xdg-open", address)
	}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(stderr, "No browser could be opened; open the address yourself.")
		return
	}
	go cmd.Wait()
}
