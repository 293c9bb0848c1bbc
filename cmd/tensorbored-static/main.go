// Command tensorbored-static shows TensorBoard event files in the browser.
//
//	tensorbored-static --logdir DIR      serve the page and the files of DIR
//	tensorbored-static help              all commands
//
// Everything is read and drawn in the page; this program only hands out bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// Exit codes: the work could not be done; it was asked for wrongly.
const (
	exitFailed = 1
	exitUsage  = 2
)

// command is one word after the program's name.
type command struct {
	name, args, does string
	run              func(args []string, stdout, stderr io.Writer) int
}

// commands are all of them, in the order of the help text.
func commands() []command {
	return []command{
		{"serve", "[--logdir DIR] [flags]", "serve the page and the logdir (this is what happens without a command)", serveCommand},
		{"list", "LOGDIR [--base URL]", "write the listing that a static host needs", listCommand},
		{"pages", "OUT [--logdir DIR]", "write the whole page, with a logdir or else a demo, for a static host", pagesCommand},
		{"dump", "LOGDIR", "write runs and scalars as JSON", dumpCommand},
		{"demo", "[--out DIR]", "train small networks and log everything that the page can show", demoCommand},
		{"version", "", "print the version", versionCommand},
	}
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") && !isHelp(args[0]) {
		return serveCommand(args, stdout, stderr)
	}
	if isHelp(args[0]) || args[0] == "help" {
		help(stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "tensorbored-static: unknown command %q. To open a logdir: tensorbored-static --logdir %s\nAll commands: tensorbored-static help\n", args[0], args[0])
	return exitUsage
}

func isHelp(arg string) bool {
	return arg == "-h" || arg == "-help" || arg == "--help"
}

func help(w io.Writer) {
	fmt.Fprint(w, "Shows TensorBoard event files in the browser.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  tensorbored-static %s\n        %s\n", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
	fmt.Fprint(w, "\nFlags of a command: tensorbored-static COMMAND --help\n")
}

func versionCommand(_ []string, stdout, _ io.Writer) int {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	fmt.Fprintln(stdout, "tensorbored-static", version)
	return 0
}

// newFlags returns an empty set whose usage text begins with usage.
func newFlags(name, usage string, stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(stderr, "usage: tensorbored-static %s\n\n", usage)
		fs.PrintDefaults()
	}
	return fs
}

// parse reads args with flags before or behind the other arguments, which it
// returns. Underscores in names of flags count as hyphens, since TensorBoard
// writes --path_prefix. ok is false when the command ends here, with code.
func parse(fs *flag.FlagSet, args []string) (rest []string, code int, ok bool) {
	args = append([]string(nil), args...)
	for i, a := range args {
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "-") {
			name, value, has := strings.Cut(a, "=")
			args[i] = strings.ReplaceAll(name, "_", "-")
			if has {
				args[i] += "=" + value
			}
		}
	}
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, 0, false
		} else if err != nil {
			return nil, exitUsage, false
		}
		args = fs.Args()
		if len(args) == 0 {
			return rest, 0, true
		}
		rest = append(rest, args[0])
		args = args[1:]
	}
}

// fail prints err for the user and returns code.
func fail(stderr io.Writer, code int, err error) int {
	fmt.Fprintln(stderr, "tensorbored-static:", err)
	return code
}
