package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/tensorbored/tensorbored-static/shared/demo"
)

// demoCommand trains the demo's networks into a logdir and returns the exit
// status: 0 when done or stopped by the user, 1 when it failed, 2 for flags that
// are wrong.
func demoCommand(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var o demo.Options
	flags.StringVar(&o.Dir, "out", "demo-logs", "`directory` to write the runs to")
	flags.BoolVar(&o.Overwrite, "overwrite", false, "remove the runs of an earlier demo from the directory")
	flags.IntVar(&o.Steps, "steps", demo.DefaultSteps, "batches that each run is trained on")
	flags.Float64Var(&o.Speed, "speed", 30, "steps per second; 0 is as fast as possible")
	flags.Uint64Var(&o.Seed, "seed", 1, "what the random numbers start from")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: tensorbored-static demo [flags]\n\nTrains four small networks on handwritten digits, live, and logs everything that the viewer can show.\n\nflags:")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case flags.NArg() > 0 || o.Steps <= 0 || !(o.Speed >= 0):
		fmt.Fprintln(stderr, "demo: there are no arguments, steps must be positive, and speed not negative")
		return exitUsage
	}
	o.Log = stdout
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := demo.Run(ctx, o); {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stdout, "demo: stopped")
		return 0
	case err != nil:
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	fmt.Fprintln(stdout, "demo: done")
	return 0
}
