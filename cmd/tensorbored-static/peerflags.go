package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// peerFlag is a flag of tensorboard that has nothing to do here. It is accepted, so
// that a command line that works there works here too, and answered by one line.
type peerFlag struct {
	name    string
	noValue bool // takes no value
	why     string
}

// peerFlags are those of tensorboard/plugins/core/core_plugin.py that no flag of
// ours stands for.
var peerFlags = []peerFlag{
	{"purge-orphaned-data", false, "a restarted job's points always replace those that it had written beyond the step where it began again"},
	{"reload-multifile", false, "all files of a run are always followed"},
	{"reload-multifile-inactive-secs", false, "all files of a run are always followed, however old they are"},
	{"max-reload-threads", false, "the browser reads the files, with as many workers as its machine is good for"},
	{"reload-task", false, "the browser reads the files"},
	{"detect-file-replacement", false, "a file that was replaced is always noticed and read anew"},
	{"load-fast", false, "there is one reader, and it is fast"},
	{"generic-data", false, "there is one way to read data"},
	{"extra-data-server-flags", false, "there is no separate data server"},
	{"grpc-creds-type", false, "there is no separate data server"},
	{"grpc-data-provider", false, "data come from event files only: give --logdir"},
	{"reuse-port", false, "a port is used by one program: without --port the next free one is taken"},
	{"db", false, "data come from event files only: give --logdir"},
	{"db-import", true, "data come from event files only: give --logdir"},
}

// addPeerFlags makes c accept them, unseen in its help.
func addPeerFlags(c *cobra.Command) {
	for _, p := range peerFlags {
		if p.noValue {
			c.Flags().Bool(p.name, false, p.why)
		} else {
			c.Flags().String(p.name, "", p.why)
		}
		if err := c.Flags().MarkHidden(p.name); err != nil {
			panic(err) // it was defined two lines ago
		}
	}
}

// sayPeerFlags writes a line for each of them that was given.
func sayPeerFlags(flags *pflag.FlagSet, stderr io.Writer) {
	for _, p := range peerFlags {
		if flags.Changed(p.name) {
			fmt.Fprintf(stderr, "--%s does nothing here: %s.\n", p.name, p.why)
		}
	}
}
