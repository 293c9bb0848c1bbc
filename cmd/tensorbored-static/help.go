package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// overview is the help of the program as a whole. Like all helps it fits a terminal
// of 24 lines of 80 characters (TestHelpFits).
const overview = `tensorbored-static shows TensorBoard event files in any browser.

  tensorbored-static --logdir DIR    serve the logs in DIR; prints the address

  --logdir DIR       may be given again; also a pattern, or one event file
  --port N           without it 6006, or the next free one; 0 takes any
  --bind-all         let other machines in
  --demo             train small networks and watch them, in place of a logdir
                     All flags, those of tensorboard too: serve --help

%s
Flags of a command: tensorbored-static COMMAND --help
`

// ofViewers are the commands of the hub, which share a line of the overview.
const ofViewers = "start, list, open, logs, config, kill, hub"

// help prints what a user needs for c: for the program the overview, for a command
// its flags.
func help(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	if c.HasParent() {
		commandHelp(w, c)
		return
	}
	var b strings.Builder
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "serve" && sub.Name() != "plugin" && !strings.Contains(ofViewers, sub.Name()) {
			fmt.Fprintf(&b, "  %-12s %s\n", sub.Name(), sub.Short)
		}
	}
	fmt.Fprintf(&b, "  %s   viewers, here or on a cluster\n", ofViewers)
	fmt.Fprintf(&b, "  %-12s %s\n", "plugin", "begin, check, serve plug-ins; completion makes a shell complete")
	fmt.Fprintf(w, overview, b.String())
	flagRows(w, c)
}

// commandHelp prints c's flags, a line each. The name of a flag's value stands in the
// flag's usage between backquotes; "`DIR`: text" shows the text alone.
func commandHelp(w io.Writer, c *cobra.Command) {
	path := strings.TrimSuffix(c.CommandPath(), c.Name())
	fmt.Fprintf(w, "usage: %s%s\n", path, c.Use)
	if text := c.Long; text != "" {
		fmt.Fprintln(w, text)
	}
	flagRows(w, c)
	if !c.HasAvailableSubCommands() {
		return
	}
	for _, sub := range c.Commands() {
		fmt.Fprintf(w, "  %-12s %s\n", sub.Name(), sub.Short)
	}
	if c.Name() == "profile" {
		fmt.Fprintln(w, "Flags of a command: tensorbored-static profile COMMAND --help")
	}
}

// flagRows prints the flags of c, of the program those of plug-ins alone. Those of a plug-in stand below the others,
// under its name.
func flagRows(w io.Writer, c *cobra.Command) {
	var rows [][3]string // whose, flag, what it does
	wide := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		of := ""
		if names := f.Annotations[pluginFlag]; len(names) > 1 {
			of = names[1]
		}
		if f.Hidden || f.Name == "help" || of == "" && !c.HasParent() {
			return
		}
		value, does := pflag.UnquoteUsage(f)
		row := "--" + f.Name
		if f.Shorthand != "" {
			row = "-" + f.Shorthand + ", " + row
		}
		if value != "" && f.NoOptDefVal == "" {
			row += " " + value
			does = strings.TrimPrefix(does, value+": ")
		}
		rows = append(rows, [3]string{of, row, does})
		wide = max(wide, len(row))
	})
	slices.SortStableFunc(rows, func(a, b [3]string) int { return strings.Compare(a[0], b[0]) })
	last := ""
	for _, r := range rows {
		if r[0] != last {
			last = r[0]
			fmt.Fprintf(w, "flags of the plug-in %s:\n", last)
		}
		fmt.Fprintf(w, "  %-*s  %s\n", wide, r[1], r[2])
	}
}
