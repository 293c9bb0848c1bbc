package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/shared/demo"
)

func newDemo() *cobra.Command {
	c := &cobra.Command{
		Use:   "demo [--out DIR]",
		Short: "train small networks and log everything that the page can show",
		Long:  "Trains four small networks on handwritten digits, live.",
		Args:  noArgs,
	}
	var o demo.Options
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Dir, "out", "demo-logs", "`DIR`: to write the runs to, demo-logs unless given")
	flags.BoolVar(&o.Overwrite, "overwrite", false, "remove the runs of an earlier demo from the directory")
	flags.IntVar(&o.Steps, "steps", demo.DefaultSteps, "`N`: batches that each run is trained on")
	flags.Float64Var(&o.Speed, "speed", 30, "`N`: steps per second, 30 unless given; 0: no limit")
	flags.Uint64Var(&o.Seed, "seed", 1, "`N`: what the random numbers start from")
	c.RunE = action(func(_ []string, stdout, stderr io.Writer) int { return train(o, stdout, stderr) })
	return c
}

// train trains the demo's networks into a logdir and returns the exit status: 0 when
// done or stopped by the user, 1 when it failed, 2 for flags that are wrong.
func train(o demo.Options, stdout, stderr io.Writer) int {
	if o.Steps <= 0 || !(o.Speed >= 0) {
		return fail(stderr, exitUsage, errors.New("demo: steps must be positive, and speed not negative"))
	}
	o.Log = stdout
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
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
