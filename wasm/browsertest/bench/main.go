//go:build !js

// Command bench measures what a user waits for, in a real browser, beside
// TensorBoard's own loader, on the same files in one go. It prints one table.
//
//	go run ./wasm/browsertest/bench            everything, some five minutes
//	go run ./wasm/browsertest/bench -quick     the small logdir once, half a minute
//	go run ./wasm/browsertest/bench -runs 50 -tags 10 -steps 5000
//
// Every line is measured -rounds times and the median is printed; the lines take
// turns, so that what else the machine does hits all of them alike.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
)

type options struct {
	dir    string // where logdirs and the peer are kept between runs
	rounds int
	quick  bool
	huge   bool
	peer   string // the peer's program; "" installs it, "none" does without
	only   string // part of the names of logdirs
	near   bool   // only what is read beside the files
	size   generate.Size
}

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "tensorbored-static-bench"), "`directory` for logdirs and the peer; kept, since making them takes a minute")
	flag.IntVar(&o.rounds, "rounds", 3, "how often everything is measured")
	flag.BoolVar(&o.quick, "quick", false, "the small logdir only, once")
	flag.BoolVar(&o.huge, "huge", false, "also one file, and pictures, of 5 GB")
	flag.StringVar(&o.peer, "peer", "", "`program` of tensorboard-data-server; none does without. The default installs it by pip")
	flag.StringVar(&o.only, "only", "", "measure the logdirs whose name contains `text`")
	flag.IntVar(&o.size.Runs, "runs", 0, "measure a logdir of so many runs instead …")
	flag.IntVar(&o.size.Tags, "tags", 20, "… with so many tags …")
	flag.IntVar(&o.size.Steps, "steps", 1000, "… of so many points")
	flag.BoolVar(&o.near, "near", false, "of logs that lie far away, measure only how they are read beside the files")
	look := flag.String("shots", "", "measure nothing, and put pictures of the page, to be looked at, into a `directory`")
	child := flag.String("native", "", "read a `logdir` natively and print what it took (how the bench calls itself)")
	near := flag.String("beside", "", "read a `logdir`, or \"made up:RUNS:MB\", beside its files, and print what it took")
	viewers := flag.Int("viewers", 1, "for -beside: how many look")
	memory := flag.Int64("memory", 4096, "for -beside: how many MB of it reading may take")
	flag.Parse()
	var err error
	if *child != "" {
		err = native(*child)
	} else if *near != "" {
		err = beside(*near, *viewers, *memory<<20)
	} else if *look != "" {
		err = shots(o, *look)
	} else {
		err = run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.quick {
		o.rounds = 1
	}
	logs := o.logdirs()
	if o.near {
		o.peer = "none"
		logs = slices.DeleteFunc(logs, func(l logdir) bool { return l.measure != nil || !l.cards && !l.far })
	}
	for i := range logs {
		if err := logs[i].make(o.dir); err != nil {
			return err
		}
	}
	peer, why := findPeer(o.dir, o.peer)
	if why != "" {
		fmt.Println("TensorBoard's loader is left out:", why)
	}
	fmt.Printf("%s, %d processors, load %s before\n\n", processor(), runtime.NumCPU(), load())
	before := ticks()
	t := newTable()
	t.noPeer = o.peer == "none"
	for round := range o.rounds {
		for i := range logs {
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", round+1, o.rounds, logs[i].name)
			read := func() error { return measure(t, &logs[i], peer) }
			if o.near {
				read = func() error { return farAway(t, &logs[i]) }
			}
			if err := read(); err != nil {
				return err
			}
		}
	}
	t.print(os.Stdout, logs)
	fmt.Printf("\nload %s after%s\n", load(), stolen(before, ticks()))
	return nil
}

// measure does one round over a logdir.
func measure(t *table, l *logdir, peer string) error {
	if l.measure != nil {
		return l.measure(t, l)
	}
	if peer != "" {
		for _, flags := range [][]string{nil, {"--checksum"}} {
			m, err := readByPeer(peer, l.dir, flags)
			if err != nil {
				return err
			}
			t.add(l, peerLine(flags), m)
		}
	}
	m, err := readNatively(l.dir)
	if err != nil {
		return err
	}
	t.add(l, "native", m)
	return inBrowser(t, l)
}

// processor names the machine's processor.
func processor() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return runtime.GOARCH
}

// ticks are what the processors did since the machine was started, as /proc/stat counts it
// (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal.
func ticks() (t [8]int64) {
	b, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(b), "\n")
	for i, f := range strings.Fields(strings.TrimPrefix(first, "cpu ")) {
		if i < len(t) {
			t[i], _ = strconv.ParseInt(f, 10, 64)
		}
	}
	return t
}

// stolen says how much of the time a virtual machine had none of its processors, though it
// had work for them: others on the same hardware make all figures worse, and none better.
func stolen(from, to [8]int64) string {
	wanted := int64(0)
	for i, n := range to {
		if i != 3 && i != 4 { // that was idle
			wanted += n - from[i]
		}
	}
	if lost := to[7] - from[7]; lost > 0 && wanted > 0 {
		return fmt.Sprintf("; others took %d %% of the time that was needed", 100*lost/wanted)
	}
	return ""
}

// load is how busy the machine is: figures of a busy one say little.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(b), " ")
	return one
}
