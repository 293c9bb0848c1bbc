package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/client"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// exitInterrupted is the status after Ctrl c, where something was waited for.
const exitInterrupted = 3

// readyTime is how long start waits for a viewer.
const readyTime = 30 * time.Minute

type startFlags struct {
	trials, logdirs   []string
	driver, idle      string
	files, config     []string
	context           string
	noBrowser, detach bool
	again             bool
}

func newStart() *cobra.Command {
	var f startFlags
	c := &cobra.Command{
		Use:   "start [EXPERIMENT…] [-t TRIAL…] [flags]",
		Short: "start a viewer, here or as a job of a cluster",
		Long: "Prints a link. The viewer ends when nobody has looked for five minutes.\n" +
			"Experiments stand below base, a key of ~/.config/tensorbored-static/hub.yaml:\n" +
			"  base: /shared/checkpoints        (docs/CLUSTER.md has all keys)",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeExperiments,
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVarP(&f.trials, "trial-ids", "t", nil, "`TRIAL`: only these trials; more may follow")
	flags.StringArrayVar(&f.logdirs, "logdir", nil, "`DIR`: show this one; repeatable; name:DIR names it")
	flags.StringVar(&f.driver, "driver", "", "`local|slurm`: where it runs; local unless configured")
	flags.StringArrayVar(&f.files, "config-file", nil, "`FILE`: settings, as YAML")
	flags.StringArrayVar(&f.config, "config", nil, "`K=V`: one setting, as slurm.time=8:00:00; repeatable")
	flags.StringVar(&f.context, "context", "", "`DIR`: a profile to show it with, or a folder with one")
	flags.StringVar(&f.idle, "idle-timeout", "", "`D`: end when nobody has looked for so long; 0: never")
	flags.BoolVar(&f.again, "new", false, "start one even if the same runs are shown already")
	flags.BoolVar(&f.noBrowser, "no-browser", false, "open no browser")
	flags.BoolVarP(&f.detach, "detach", "d", false, "print the ID alone, and do not wait")
	_ = c.MarkFlagDirname("logdir") // they only help the shell
	_ = c.MarkFlagDirname("context")
	_ = c.RegisterFlagCompletionFunc("driver", cobra.FixedCompletions([]string{"local", "slurm"}, cobra.ShellCompDirectiveNoFileComp))
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return start(ctx, args, f, stdout, stderr)
	})
	return c
}

// spreadTrials writes -t before each trial of `start 7 -t 12 13`, as Determined's command
// line takes them.
func spreadTrials(args []string) []string {
	if len(args) == 0 || args[0] != "start" {
		return args
	}
	var out []string
	trials := false
	for k, a := range args {
		switch {
		case a == "--":
			return append(out, args[k:]...)
		case a == "-t" || a == "--trial-ids" || a == "--trial_ids":
			trials = true
			out = append(out, a)
			continue
		case strings.HasPrefix(a, "-"):
			trials = false
		case trials && out[len(out)-1] != "-t" && !strings.HasPrefix(out[len(out)-1], "--trial"):
			out = append(out, "-t")
		}
		out = append(out, a)
	}
	return out
}

// request is what the flags ask of the hub. The error is how it was asked.
func (f *startFlags) request(args []string) (hub.Request, error) {
	q := hub.Request{Config: hub.Settings{}, New: f.again}
	for _, a := range args {
		q.Experiments = append(q.Experiments, hub.ID(a))
	}
	for _, t := range f.trials {
		if t = strings.TrimSpace(t); t != "" {
			q.Trials = append(q.Trials, hub.ID(t))
		}
	}
	for _, l := range f.logdirs {
		roots, err := logdirRoots([]string{l}, "")
		if name, dir, ok := strings.Cut(l, ":"); ok && err == nil {
			if _, e := os.Lstat(expandHome(l)); e != nil { // a directory may have a colon
				roots, err = logdirRoots(nil, name+":"+dir)
			}
		}
		if err != nil {
			return q, err
		}
		for _, r := range roots {
			if isAddress(r.Dir) {
				return q, &SpecError{bare(r.Dir), "is in an object store, which viewers of the hub do not read",
					"serve it by itself: tensorbored-static --logdir " + bare(r.Dir)}
			}
			dir, err := filepath.Abs(r.Dir)
			if err != nil {
				return q, err
			}
			q.Logdirs = append(q.Logdirs, state.Root{Dir: dir, Name: r.Name})
		}
	}
	if len(q.Experiments)+len(q.Trials)+len(q.Logdirs) == 0 {
		return q, hub.ErrNothing
	}
	for _, name := range f.files {
		text, err := os.ReadFile(expandHome(name))
		if err != nil {
			return q, err
		}
		s, err := hub.ParseSettings(name, text)
		if err != nil {
			return q, err
		}
		q.Config = hub.Over(q.Config, s)
	}
	for _, text := range f.config {
		if err := q.Config.Set(text); err != nil {
			return q, err
		}
	}
	if f.driver != "" {
		q.Config["driver"] = f.driver
	}
	if f.idle != "" {
		q.Config["idle_timeout"] = f.idle
	}
	if f.context != "" {
		dir, err := filepath.Abs(expandHome(f.context))
		if err != nil {
			return q, err
		}
		q.Context = dir
	}
	return q, hub.CheckStart(q.Config)
}

func start(ctx context.Context, args []string, f startFlags, stdout, stderr io.Writer) int {
	q, err := f.request(args)
	if errors.Is(err, hub.ErrNothing) {
		fmt.Fprintln(stderr, err)
		fmt.Fprintln(stderr, "Name experiments, trials (-t), or directories (--logdir): tensorbored-static start --help")
		return exitUsage
	}
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	for _, r := range q.Logdirs {
		if _, err := os.Stat(r.Dir); os.IsNotExist(err) {
			fmt.Fprintf(stderr, "tensorbored-static: logdir %s does not exist so far: check its spelling; it is shown when it appears.\n", r.Dir)
		}
	}
	c, err := connect(ctx)
	if err != nil {
		return hubFailed(ctx, stderr, err)
	}
	v, err := c.Start(ctx, q)
	if err != nil {
		return hubFailed(ctx, stderr, err)
	}
	if f.detach {
		fmt.Fprintln(stdout, v.ID)
		return 0
	}
	if v.Again {
		fmt.Fprintf(stdout, "A viewer of the same runs is there (id: %s, name: %s); --new starts another one.\n", v.ID, v.Description)
	} else {
		fmt.Fprintf(stdout, "Launched tensorboard (id: %s, name: %s).\n", v.ID, v.Description)
	}
	if code := awaitReady(ctx, c, v.ID, stdout, stderr); code != 0 {
		return code
	}
	link := c.Link(v.Path)
	fmt.Fprintf(stdout, "Tensorboard is running at: %s\n", link)
	sayForward(c.At, stdout)
	if !f.noBrowser && hasScreen() {
		openBrowser(link, stderr)
	}
	return 0
}

// hubFailed prints why the hub could not do it.
func hubFailed(ctx context.Context, stderr io.Writer, err error) int {
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "Interrupting...")
		return exitInterrupted
	}
	return fail(stderr, exitFailed, err)
}

// awaitReady waits until there is something to see, or the viewer waits for the first
// record.
func awaitReady(ctx context.Context, c *client.Client, id string, stdout, stderr io.Writer) int {
	const says = "Waiting for tensorboard to become ready"
	redraw := isTerminal(stdout)
	if !redraw {
		fmt.Fprintln(stdout, says)
	}
	begin := time.Now()
	for n := 0; ; n++ {
		v, err := c.Instance(ctx, id)
		if redraw && (n%10 == 0 || err != nil || v.Ready != nil) {
			why := ""
			if v.State != "" {
				why = " (" + strings.TrimSpace(string(v.State)+" "+v.Reason) + ")"
			}
			fmt.Fprintf(stdout, "\r\x1b[K%s %c%s", says, `|/-\`[n/10%4], why)
		}
		end := func() {
			if redraw {
				fmt.Fprint(stdout, "\r\x1b[K")
			}
		}
		switch {
		case err != nil:
			end()
			return hubFailed(ctx, stderr, err)
		case v.State == hub.Running:
			end()
			fmt.Fprintf(stdout, "tensorboard (id: %s) is ready.\n", id)
			return 0
		case v.State == hub.Waiting:
			end()
			fmt.Fprintf(stdout, "tensorboard (id: %s) waits for the first record; the page shows it when it comes.\n", id)
			return 0
		case !v.Live():
			end()
			fmt.Fprintln(stderr, "Waiting stopped: task has been terminated.")
			if v.ExitStatus != nil {
				fmt.Fprintln(stderr, *v.ExitStatus)
			}
			return exitFailed
		case time.Since(begin) > readyTime:
			end()
			fmt.Fprintf(stderr, "tensorbored-static: the viewer is not ready after %v (%s %s): it goes on; tensorbored-static open %s opens it later\n", readyTime, v.State, v.Reason, id)
			return exitFailed
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait(time.Since(begin))):
		}
	}
}

// wait is how long to wait before the hub is asked again.
func wait(since time.Duration) time.Duration {
	if since < time.Second {
		return 10 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// isTerminal reports whether lines can be drawn anew.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	fi, err := f.Stat()
	return err == nil && fi.Mode()&os.ModeCharDevice != 0
}

// hasScreen reports whether a browser opened here is seen by who sits at the keyboard.
func hasScreen() bool {
	if os.Getenv("SSH_CONNECTION") != "" {
		return false
	}
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// sayForward says how the link is reached from the user's own machine.
func sayForward(at hub.At, stdout io.Writer) {
	if os.Getenv("SSH_CONNECTION") == "" {
		return
	}
	if u, err := url.Parse(at.Address); err == nil {
		if port, err := strconv.Atoi(u.Port()); err == nil {
			fmt.Fprintf(stdout, "On your own machine first: ssh -N -L %d:127.0.0.1:%d %s@%s\n", port, port, userName(), at.Host)
		}
	}
}
