package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/client"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
)

// viewersFlags are those of list without a logdir.
type viewersFlags struct {
	quiet, all, json, csv bool
	sortBy, orderBy       string
}

// columns are those of list's table.
var columns = []struct {
	name, key string
	of        func(hub.Instance) string
}{
	{"Id", "id", func(i hub.Instance) string { return i.ID }},
	{"Owner", "username", func(i hub.Instance) string { return i.Owner }},
	{"Description", "description", func(i hub.Instance) string { return i.Description }},
	{"State", "state", func(i hub.Instance) string { return string(i.State) }},
	{"Experiment Id", "", func(i hub.Instance) string { return ids(i.Experiments) }},
	{"Trial Ids", "", func(i hub.Instance) string { return ids(i.Trials) }},
	{"Exit Status", "exitStatus", func(i hub.Instance) string {
		if i.ExitStatus == nil {
			return "N/A"
		}
		return *i.ExitStatus
	}},
}

func ids(all []hub.ID) string {
	if all == nil {
		return "N/A"
	}
	var texts []string
	for _, id := range all {
		texts = append(texts, string(id))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// sortKeys are what list can sort by.
var sortKeys = []string{"id", "username", "description", "state", "exitStatus", "startTime"}

// listViewers prints the user's viewers.
func listViewers(ctx context.Context, f viewersFlags, stdout, stderr io.Writer) int {
	if !slices.Contains(sortKeys, f.sortBy) || f.orderBy != "asc" && f.orderBy != "desc" {
		return fail(stderr, exitUsage, fmt.Errorf("--sort-by is one of %s, --order-by asc or desc", strings.Join(sortKeys, ", ")))
	}
	if f.json && f.csv {
		return fail(stderr, exitUsage, errors.New("--json and --csv exclude each other: give one"))
	}
	l := hub.Listed{Instances: []hub.Instance{}}
	dir, err := hub.Dir()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	c, err := client.Dial(ctx, dir)
	if errors.Is(err, client.ErrNone) {
		err = nil
		// Viewers that a hub has left are taken over; where there was none, none is started.
		if entries, _ := os.ReadDir(dir + "/instances"); len(entries) > 0 {
			c, err = connect(ctx)
		}
	}
	if err == nil && c != nil {
		l, err = c.List(ctx)
	}
	if err != nil {
		return hubFailed(ctx, stderr, err)
	}
	for _, p := range l.Problems {
		fmt.Fprintln(stderr, "tensorbored-static:", p)
	}
	if f.all {
		l.Instances = append(l.Instances, others(ctx)...)
	}
	sortViewers(l.Instances, f)
	switch {
	case f.quiet:
		for _, i := range l.Instances {
			fmt.Fprintln(stdout, i.ID)
		}
	case f.json:
		text, err := json.MarshalIndent(l.Instances, "", "  ")
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintf(stdout, "%s\n", text)
	default:
		rows := [][]string{{}}
		for _, c := range columns {
			rows[0] = append(rows[0], c.name)
		}
		for _, i := range l.Instances {
			var row []string
			for _, c := range columns {
				row = append(row, c.of(i))
			}
			rows = append(rows, row)
		}
		if f.csv {
			w := csv.NewWriter(stdout)
			w.WriteAll(rows)
			return 0
		}
		table(stdout, rows)
	}
	return 0
}

func sortViewers(all []hub.Instance, f viewersFlags) {
	key := func(i hub.Instance) string { return i.Start.UTC().Format("2006-01-02T15:04:05.000000000") }
	for _, c := range columns {
		if c.key == f.sortBy {
			key = c.of
		}
	}
	slices.SortStableFunc(all, func(a, b hub.Instance) int {
		if f.orderBy == "desc" {
			a, b = b, a
		}
		return cmp.Compare(key(a), key(b))
	})
}

// table prints rows as Determined's command line does; the first is the head.
func table(w io.Writer, rows [][]string) {
	wide := make([]int, len(rows[0]))
	// A terminal must not be told anything by a name.
	for _, row := range rows {
		for k := range row {
			row[k] = strings.Map(func(r rune) rune {
				if r < ' ' || r == 0x7f {
					return ' '
				}
				return r
			}, row[k])
			wide[k] = max(wide[k], utf8.RuneCountInString(row[k]))
		}
	}
	for n, row := range rows {
		var cells, line []string
		for k, text := range row {
			cells = append(cells, " "+text+strings.Repeat(" ", wide[k]-utf8.RuneCountInString(text))+" ")
			line = append(line, strings.Repeat("-", wide[k]+2))
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "|"), " "))
		if n == 0 {
			fmt.Fprintln(w, strings.Join(line, "+"))
		}
	}
}

// instanceID is a folder of an instance.
var instanceID = regexp.MustCompile(`/instances/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// others are viewers of other users: jobs that the cluster shows, and processes that this
// machine does. Of these only the ID and the owner are known.
func others(ctx context.Context) []hub.Instance {
	all := []hub.Instance{}
	if _, err := exec.LookPath("squeue"); err == nil {
		jobs, _ := slurm.New(slurm.Options{}).Others(ctx) // a cluster that hides them has none to tell of
		for _, o := range jobs {
			all = append(all, hub.Instance{ID: o.ID, Owner: o.User, Description: "N/A", State: hub.State(o.Phase), Driver: "slurm", Job: o.Job, Node: o.Node})
		}
	}
	for _, p := range otherProcesses() {
		if !slices.ContainsFunc(all, func(i hub.Instance) bool { return i.ID == p.id }) {
			all = append(all, hub.Instance{ID: p.id, Owner: p.user, Description: "N/A", State: hub.Running, Driver: "local"})
		}
	}
	return all
}

// whose says of an ID that the user's own hub does not know whose it is, where it is somebody
// else's; else it gives err back.
func whose(ctx context.Context, id string, err error) error {
	var unknown *client.Error
	if id == "" || !errors.As(err, &unknown) || unknown.Status != http.StatusNotFound {
		return err
	}
	for _, i := range others(ctx) {
		if strings.HasPrefix(i.ID, strings.ToLower(id)) {
			return fmt.Errorf("%w among yours: %s is a viewer of %s, who alone may open or end it; start one of your own",
				err, i.ID, i.Owner)
		}
	}
	return err
}

// withHub does something with the user's hub, which is started if there is none, until it is
// done or a signal comes, and returns the exit status.
func withHub(stderr io.Writer, do func(ctx context.Context, h *client.Client) int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h, err := connect(ctx)
	if err != nil {
		return hubFailed(ctx, stderr, err)
	}
	return do(ctx, h)
}

func newOpen() *cobra.Command {
	c := &cobra.Command{Use: "open ID", Short: "open a viewer in a browser", Args: oneID, ValidArgsFunction: completeViewers(true)}
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		return withHub(stderr, func(ctx context.Context, h *client.Client) int {
			i, err := h.Instance(ctx, args[0])
			if err == nil && !i.Live() {
				err = errors.New("Tensorboard has ended")
				if i.ExitStatus != nil {
					err = fmt.Errorf("Tensorboard has ended (%s): start it again", *i.ExitStatus)
				}
			}
			if err != nil {
				return hubFailed(ctx, stderr, whose(ctx, args[0], err))
			}
			if hasScreen() {
				openBrowser(h.Link(i.Path), stderr)
				return 0
			}
			fmt.Fprintln(stdout, h.Link(i.Path))
			sayForward(h.At, stdout)
			return 0
		})
	})
	return c
}

// oneID asks for an ID, or the beginning of one.
func oneID(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give one ID, or its beginning: %s ID; tensorbored-static list has them", c.CommandPath())
	}
	return nil
}

func newConfig() *cobra.Command {
	c := &cobra.Command{Use: "config ID", Short: "print a viewer's settings", Args: oneID, ValidArgsFunction: completeViewers(false)}
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		return withHub(stderr, func(ctx context.Context, h *client.Client) int {
			text, err := h.Config(ctx, args[0])
			if err != nil {
				return hubFailed(ctx, stderr, whose(ctx, args[0], err))
			}
			io.WriteString(stdout, text)
			return 0
		})
	})
	return c
}

func newLogs() *cobra.Command {
	c := &cobra.Command{Use: "logs ID [flags]", Short: "print what a viewer has logged", Args: oneID, ValidArgsFunction: completeViewers(false)}
	flags := c.Flags()
	follow := flags.BoolP("follow", "f", false, "go on until the viewer ends")
	head := flags.Int("head", -1, "`N`: the first lines alone")
	tail := flags.Int("tail", -1, "`N`: the last lines alone")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		if *head >= 0 && *tail >= 0 {
			return fail(stderr, exitUsage, errors.New("--head and --tail exclude each other: give one"))
		}
		return withHub(stderr, func(ctx context.Context, h *client.Client) int {
			i, err := h.Instance(ctx, args[0])
			if err != nil {
				return hubFailed(ctx, stderr, whose(ctx, args[0], err))
			}
			query := url.Values{"head": {strconv.Itoa(*head)}, "tail": {strconv.Itoa(*tail)}}
			if *follow {
				query.Set("follow", "1")
			}
			body, err := h.Logs(ctx, i.ID, query)
			if err != nil {
				return hubFailed(ctx, stderr, err)
			}
			defer body.Close()
			if err := copyLog(stdout, body, i.ID); err != nil {
				return hubFailed(ctx, stderr, err)
			}
			return 0
		})
	})
	return c
}

// stamp begins a line of our own in a log; the cluster's have none.
const stamp = "2006-01-02T15:04:05.000000Z"

// copyLog writes a log as Determined does: the time, the beginning of the ID, the text.
// Lines without a time of their own have that of the line before.
func copyLog(w io.Writer, r io.Reader, id string) error {
	in := bufio.NewReader(r)
	last := strings.Repeat("-", len(stamp))
	for {
		line, err := in.ReadString('\n')
		if line = strings.TrimRight(line, "\n"); line != "" || err == nil {
			text := line
			if len(line) > len(stamp) {
				if _, e := time.Parse(stamp, line[:len(stamp)]); e == nil {
					last, text = line[:len(stamp)], strings.TrimPrefix(line[len(stamp):], " ")
				}
			}
			if _, e := fmt.Fprintf(w, "[%s] %.8s || %s\n", last, id, text); e != nil {
				return e
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func newKill() *cobra.Command {
	c := &cobra.Command{
		Use: "kill ID…", Short: "end viewers", ValidArgsFunction: completeViewers(true),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give IDs, or their beginnings: tensorbored-static kill ID…; tensorbored-static list has them")
			}
			return nil
		},
	}
	force := c.Flags().BoolP("force", "f", false, "skip viewers that do not exist")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		return withHub(stderr, func(ctx context.Context, h *client.Client) int {
			for k, id := range args {
				i, err := h.Kill(ctx, id)
				err = whose(ctx, id, err)
				switch {
				case err == nil:
					fmt.Fprintf(stdout, "Killed tensorboard %s\n", i.ID)
				case ctx.Err() != nil:
					return hubFailed(ctx, stderr, err)
				case *force:
					fmt.Fprintf(stderr, "Skipping: tensorboard '%s': %v\n", id, err)
				default:
					for _, left := range args[k+1:] {
						fmt.Fprintf(stderr, "Cowardly not killing %s\n", left)
					}
					return fail(stderr, exitFailed, fmt.Errorf("Failed to kill TensorBoard instance: %w", err))
				}
			}
			return 0
		})
	})
	return c
}

// completeViewers offers the shell the IDs of viewers, with what they show.
func completeViewers(liveOnly bool) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if c.Name() != "kill" && len(args) > 0 {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		h := running(ctx)
		if h == nil {
			return nil, none
		}
		l, err := h.List(ctx)
		if err != nil {
			return nil, none
		}
		var found []string
		for _, i := range l.Instances {
			if strings.HasPrefix(i.ID, typed) && !slices.Contains(args, i.ID) && (i.Live() || !liveOnly) {
				found = append(found, i.ID+"\t"+string(i.State)+" "+i.Description)
			}
		}
		return found, none
	}
}

// completeExperiments offers the shell what there is in the store.
func completeExperiments(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	s, err := hub.ConfiguredSettings()
	if err != nil {
		return nil, none
	}
	config, err := s.Config("configuration")
	if err != nil {
		return nil, none
	}
	var found []string
	for _, name := range config.Store().Names() {
		if strings.HasPrefix(name, typed) && !slices.Contains(args, name) {
			found = append(found, name)
		}
	}
	return found, none
}

// running is the hub that runs; nil if there is none.
func running(ctx context.Context) *client.Client {
	dir, err := hub.Dir()
	if err != nil {
		return nil
	}
	h, err := client.Dial(ctx, dir)
	if err != nil {
		return nil
	}
	return h
}
