// Command tensorbored-static shows TensorBoard event files in the browser.
//
//	tensorbored-static --logdir DIR      serve the page and the files of DIR
//	tensorbored-static --help            what else there is
//
// Everything is read and drawn in the page; this program only hands out bytes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes: the work could not be done; it was asked for wrongly.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command that args name and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	declarePluginFlags(root, args)
	root.SetArgs(spreadTrials(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code): // it has said why
		return int(code)
	}
	// All that cobra itself complains of is how it was asked.
	return fail(stderr, exitUsage, err)
}

// exitCode is the error of a command that has said what was wrong.
type exitCode int

// Error is never shown.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// action makes run, which prints its own errors and returns an exit code, what a
// command does.
func action(run func(args []string, stdout, stderr io.Writer) int) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if code := run(args, c.OutOrStdout(), c.ErrOrStderr()); code != 0 {
			return exitCode(code)
		}
		return nil
	}
}

// newRoot returns the command line. Without a command it serves.
func newRoot() *cobra.Command {
	root := newServe()
	root.Use = "tensorbored-static"
	root.Args = unknownCommand
	// No template of cobra's is used, nor any other: a program with text/template has every
	// method of every type, 2.8 MB of this one.
	wanted := root.Flags().BoolP("version", "v", false, "print the version")
	serve := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if *wanted {
			printVersion(c.OutOrStdout())
			return nil
		}
		return serve(c, args)
	}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	// Peers write --path_prefix; both forms are one flag.
	root.SetGlobalNormalizationFunc(hyphens)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprintf(c.OutOrStderr(), "usage: %s\n", c.UseLine())
		return err
	})
	root.AddCommand(newServe(), newInspect(), newExport(), newIndex(), newDump(), newProfile(), newReport(), newPages(), newPlugin(), newDemo(), newVersion(),
		newStart(), newList(), newOpen(), newLogs(), newConfig(), newKill(), newHub(), newViewer())
	root.SetHelpFunc(help)
	// Its long text is for those who ask for it alone.
	root.InitDefaultHelpCmd()
	return root
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  noArgs,
		RunE: action(func(_ []string, stdout, _ io.Writer) int {
			printVersion(stdout)
			return 0
		}),
	}
}

func printVersion(w io.Writer) { fmt.Fprintln(w, "tensorbored-static", version()) }

// hyphens turns underscores in a flag's name into hyphens.
func hyphens(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	b := []byte(name)
	for i, c := range b {
		if c == '_' {
			b[i] = '-'
		}
	}
	return pflag.NormalizedName(b)
}

// flagError adds what to do to what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w: see %s --help", err, c.CommandPath())
	}
	given := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		// "-logdir" is read as seven letters; the whole word is what was meant.
		given = unknown.GetSpecifiedShortnames()
		if c.Flags().Lookup(given) != nil {
			return fmt.Errorf("unknown flag -%s: write --%s", given, given)
		}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest(string(hyphens(nil, given)), names); near != "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", given, near)
	}
	return fmt.Errorf("unknown flag --%s: see %s --help for those that there are", given, c.CommandPath())
}

// unknownCommand is what the root says to a word that is none of its commands.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	if near := nearest(args[0], names); near != "" {
		return fmt.Errorf("unknown command %q: did you mean %s? To open a logdir: tensorbored-static --logdir %s", args[0], near, args[0])
	}
	return fmt.Errorf("unknown command %q: to open a logdir write tensorbored-static --logdir %s", args[0], args[0])
}

// noArgs is for commands that have flags only.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q: %s takes flags only; see %s --help", args[0], c.Name(), c.CommandPath())
	}
	return nil
}

// nearest returns the name that is most likely meant by a word that is none of them;
// "" if none is near.
func nearest(word string, names []string) string {
	best, least := "", min(3, (len(word)+2)/3+1) // so many letters may be wrong, less one
	for _, n := range names {
		if d := distance(word, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters that are to be put in, left out or changed to
// make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// fail prints err for the user and returns code.
func fail(stderr io.Writer, code int, err error) int {
	fmt.Fprintln(stderr, "tensorbored-static:", err)
	return code
}
