package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/client"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/local"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
	"github.com/tensorbored/tensorbored-static/server/hub/viewer"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/static"
)

// hubIdle is how long a hub that a command has started stays without viewers and
// requests.
const hubIdle = 30 * time.Minute

func newHub() *cobra.Command {
	c := &cobra.Command{
		Use:   "hub [flags]",
		Short: "look after viewers; started by start, or as a service",
		Long: "The hub starts viewers, stands in front of them on one port of this machine,\n" +
			"and ends those that nobody looks at. start starts it where there is none.\n" +
			"Ended, it leaves its viewers running for the next one. See docs/CLUSTER.md.",
		Args: noArgs,
	}
	background := c.Flags().Bool("background", false, "end when there is nothing to look after")
	stop := c.Flags().Bool("stop", false, "end the hub that runs; its viewers go on")
	c.RunE = action(func(_ []string, stdout, stderr io.Writer) int {
		ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer end()
		if *stop {
			return stopHub(ctx, stdout, stderr)
		}
		idle := time.Duration(0)
		if *background {
			idle = hubIdle
		}
		return runHub(ctx, idle, stdout, stderr)
	})
	return c
}

func runHub(ctx context.Context, idle time.Duration, stdout, stderr io.Writer) int {
	dir, err := hub.Dir()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	settings, err := hub.ConfiguredSettings()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	exe, err := os.Executable()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	o := hub.Options{Dir: dir, Config: settings, Owner: userName(), Command: []string{exe, "viewer", "--dir"},
		Drivers: []driver.Driver{local.New()}, Page: pageArgs, Log: log.New(stderr, "", log.LstdFlags)}
	if _, err := exec.LookPath("sbatch"); err == nil || settings["driver"] == "slurm" {
		o.Drivers = append(o.Drivers, slurm.New(slurm.Options{}))
	}
	err = hub.Serve(ctx, o, version(), idle, func(at hub.At) {
		if idle == 0 {
			if c, err := client.Dial(ctx, dir); err == nil {
				fmt.Fprintln(stdout, c.Link(""))
			}
		}
	})
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	return 0
}

func stopHub(ctx context.Context, stdout, stderr io.Writer) int {
	dir, err := hub.Dir()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	c, err := client.Dial(ctx, dir)
	if errors.Is(err, client.ErrNone) {
		fmt.Fprintln(stdout, "No hub runs here.")
		return 0
	}
	if err == nil {
		err = c.Stop(ctx)
	}
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	for ctx.Err() == nil { // until its lock is free for the next one
		next, err := client.Dial(ctx, dir)
		if hub.Free(dir) || err == nil && next.At.PID != c.At.PID { // another command may have started the next
			fmt.Fprintln(stdout, "The hub has ended. Its viewers go on.")
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return exitInterrupted
}

// userName is who owns what is started.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
}

// newViewer returns the command that drivers run; users have no need of it.
func newViewer() *cobra.Command {
	c := &cobra.Command{Use: "viewer --dir DIR", Short: "what the hub runs", Args: noArgs, Hidden: true}
	dir := c.Flags().String("dir", "", "`DIR`: the instance's folder")
	c.RunE = action(func(_ []string, stdout, stderr io.Writer) int {
		ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer end()
		if err := viewer.Run(ctx, viewer.Config{Dir: *dir, Site: static.Dist(), Page: pageArgs, Near: viewerNear, Log: stdout}); err != nil {
			return fail(stderr, exitFailed, err)
		}
		return 0
	})
	return c
}

// pageArgs are what the flags of tensorboard_args ask of a viewer's page. Those of
// tensorboard that have nothing to do here are accepted, as on the command line.
func pageArgs(args []string) (api.Page, error) {
	f := serveFlags{}
	flags := pflag.NewFlagSet("tensorboard_args", pflag.ContinueOnError)
	flags.SetNormalizeFunc(hyphens)
	flags.StringVar(&f.title, "window-title", "", "")
	flags.Float64Var(&f.reload, "reload-interval", 5, "")
	flags.StringVar(&f.samples, "samples-per-plugin", "", "")
	f.near.add(flags)
	for _, p := range peerFlags {
		if p.noValue {
			flags.Bool(p.name, false, "")
		} else {
			flags.String(p.name, "", "")
		}
	}
	plugins := flags.StringArray("plugin-dir", nil, "")
	if err := flags.Parse(args); err != nil {
		return api.Page{}, err
	}
	if len(*plugins) > 0 {
		return api.Page{}, errors.New("viewers of a hub serve no plug-ins: drop a plug-in's folder on the viewer's page, or serve it with tensorbored-static --logdir DIR --plugin_dir DIR")
	}
	f.reloadGiven = flags.Changed("reload-interval")
	if err := f.checked(); err != nil {
		return api.Page{}, err
	}
	return f.page()
}

// connect finds the user's hub, or starts it.
func connect(ctx context.Context) (*client.Client, error) {
	dir, err := hub.Dir()
	if err != nil {
		return nil, err
	}
	return client.Connect(ctx, dir, func() (<-chan string, error) { return launchHub(dir) })
}

// launchHub starts a hub that outlives this command, and this login.
func launchHub(dir string) (<-chan string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: set TENSORBORED_HUB_DIR to a directory of your own", err)
	}
	if err := hub.Own(dir); err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, hub.LogFile)
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	begin := int64(0)
	if fi, err := out.Stat(); err == nil {
		begin = fi.Size()
	}
	cmd := exec.Command(exe, "hub", "--background")
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = detached()
	cmd.Dir = "/"
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	over := make(chan string, 1)
	go func() {
		err := cmd.Wait()
		said := ""
		if f, e := os.Open(name); e == nil {
			f.Seek(begin, io.SeekStart)
			text, _ := io.ReadAll(io.LimitReader(f, 64<<10))
			f.Close()
			said = string(text)
		}
		if said == "" {
			said = fmt.Sprintf("it ended without a word (%v): is the disk of %s full?", err, dir)
		}
		over <- said
	}()
	return over, nil
}
