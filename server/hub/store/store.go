// Package store finds the logs of experiments and trials, as Determined AI lays them out
// on a shared file system,
//
//	<base>/<cluster>/tensorboard/experiment/<E>/trial/<T>/events.out.tfevents.…
//
// (determined/tensorboard/build.py, get_sync_path; the base is its shared_fs mount with
// storage_path), and those that a file experiments.yaml names:
//
//	mnist: /data/mnist/logs             # an experiment is one directory
//	sweep-3:
//	  logdir: /data/sweep-3
//	  trials: {1: lr-0.1, 2: lr-0.01}   # below it, or absolute
//
// Nothing is written, so any number of users share one base.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// FileName is the file in a base that names further experiments.
const FileName = "experiments.yaml"

// maxFile bounds experiments.yaml, so that a log that is named like it is not read whole.
const maxFile = 8 << 20

// Store is where experiments are looked for.
type Store struct {
	Bases   []string // directories with clusters in them
	Cluster string   // the cluster to look in; "" for all
	Files   []string // of names, beside those in the bases; one that is not there is an error
}

// Error says what of a request is not there, or not clear.
type Error struct {
	Reason string
	Remedy string
}

// Error names the reason and the remedy.
func (e *Error) Error() string { return e.Reason + ": " + e.Remedy }

// experiment is a place where one stands.
type experiment struct {
	name    string // as the user names it
	dir     string
	cluster string            // "" if a file names it
	trials  map[string]string // by the file; nil: they are directories of dir/trial
}

// trialDir is where one of its trials stands, and whether it does.
func (e *experiment) trialDir(trial string) (string, bool, error) {
	if e.trials != nil {
		dir, ok := e.trials[trial]
		return dir, ok, nil
	}
	if e.cluster == "" {
		return "", false, nil
	}
	dir := filepath.Join(e.dir, "trial", trial)
	ok, err := isDir(dir)
	return dir, ok, err
}

// isDir reports whether a directory is there. Only what forbids to know is an error.
func isDir(dir string) (bool, error) {
	fi, err := os.Stat(dir)
	if errors.Is(err, fs.ErrPermission) {
		return false, &Error{dir + " may not be read by you", "ask its owner for the permission, or start as a user who has it"}
	}
	if err != nil {
		return false, nil
	}
	return fi.IsDir(), nil
}

// readable fails for a directory whose names may not be read.
func readable(dir string) error {
	d, err := os.Open(dir)
	if err == nil {
		_, err = d.Readdirnames(1)
		d.Close()
	}
	if errors.Is(err, fs.ErrPermission) {
		return &Error{dir + " may not be read by you", "ask its owner for the permission, or start as a user who has it"}
	}
	return nil
}

// Find returns what to show for experiments and trials: of an experiment all of it, of a
// trial its own directory. An experiment that is named beside trials of its own is shown
// as those trials alone, as in Determined. The error is an *Error.
func (s *Store) Find(experiments, trials []string) ([]state.Root, error) {
	known, err := s.load()
	if err != nil {
		return nil, err
	}
	var named []*experiment
	for _, name := range experiments {
		e, err := known.experiment(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(named, e) {
			named = append(named, e)
		}
	}
	shrunk := map[*experiment]bool{}
	var of []state.Root
	for _, trial := range trials {
		e, dir, err := known.trial(trial, named)
		if err != nil {
			return nil, err
		}
		shrunk[e] = true
		of = append(of, state.Root{Dir: dir, Name: e.root() + "/trial/" + trial})
	}
	var roots []state.Root
	for _, e := range named {
		if !shrunk[e] {
			roots = append(roots, state.Root{Dir: e.dir, Name: e.root()})
		}
	}
	roots = append(roots, of...)
	seen := map[string]bool{}
	roots = slices.DeleteFunc(roots, func(r state.Root) bool {
		was := seen[r.Dir]
		seen[r.Dir] = true
		return was
	})
	for _, r := range roots {
		if err := readable(r.Dir); err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// root is what its runs stand below. It is the same whatever else is shown, so profiles
// and links keep their runs.
func (e *experiment) root() string {
	if e.cluster != "" {
		return "experiment/" + e.name
	}
	return e.name
}

// Names are all experiments that can be named, numbers first, for the shell to complete.
func (s *Store) Names() []string {
	known, err := s.load()
	if err != nil {
		return nil
	}
	names := slices.Collect(maps.Keys(known.files))
	for _, c := range known.clusters {
		entries, _ := os.ReadDir(filepath.Join(c, "tensorboard", "experiment"))
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		x, errA := strconv.Atoi(a)
		y, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return x - y
		}
		if (errA == nil) != (errB == nil) {
			if errA == nil {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(names)
}

// known is what a store has: the names of its files, and its clusters' directories. The
// directories of experiments are only looked at when they are asked for: there may be
// very many.
type known struct {
	store    *Store
	files    map[string]*experiment
	clusters []string
	numbered map[string]*experiment
}

func (s *Store) load() (*known, error) {
	k := &known{store: s, files: map[string]*experiment{}, numbered: map[string]*experiment{}}
	for _, base := range s.Bases {
		entries, err := os.ReadDir(base)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil, &Error{"the base " + base + " may not be read by you", "ask its owner for the permission, or correct base in the hub's configuration"}
		case err != nil:
			return nil, &Error{"the base " + base + " is no directory here", "mount it, or correct base in the hub's configuration"}
		}
		for _, e := range entries {
			if s.Cluster != "" && e.Name() != s.Cluster {
				continue
			}
			dir := filepath.Join(base, e.Name())
			if ok, _ := isDir(filepath.Join(dir, "tensorboard", "experiment")); ok {
				k.clusters = append(k.clusters, dir)
			}
		}
		if err := k.file(filepath.Join(base, FileName), false); err != nil {
			return nil, err
		}
	}
	for _, name := range s.Files {
		if err := k.file(name, true); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// file reads one experiments.yaml.
func (k *known) file(name string, must bool) error {
	fi, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return nil
	}
	wrong := func(reason string) error {
		return &Error{name + " " + reason, "write a line NAME: DIRECTORY for each experiment, or NAME: {logdir: DIRECTORY, trials: {NUMBER: DIRECTORY}}"}
	}
	if err != nil {
		return &Error{"cannot read " + name + " (" + err.Error() + ")", "correct experiments in the hub's configuration, or its permissions"}
	}
	if fi.Size() > maxFile {
		return wrong("has more than 8 MB")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return &Error{"cannot read " + name + " (" + err.Error() + ")", "check its permissions"}
	}
	var all map[string]yaml.Node
	if err := yaml.Unmarshal(text, &all); err != nil {
		return wrong("is no list of experiments (" + strings.ReplaceAll(err.Error(), "\n", " ") + ")")
	}
	here := filepath.Dir(name)
	absolute := func(dir, below string) string {
		if filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
		return filepath.Join(below, dir)
	}
	for key, node := range all {
		e := &experiment{name: key}
		var entry struct {
			Logdir string            `yaml:"logdir"`
			Trials map[string]string `yaml:"trials"`
		}
		if node.Kind == yaml.ScalarNode {
			entry.Logdir = node.Value
		} else if err := node.Decode(&entry); err != nil {
			return wrong(fmt.Sprintf("line %d is not understood", node.Line))
		}
		if entry.Logdir == "" || !validName(key) {
			return wrong(fmt.Sprintf("line %d: %q has no logdir, or a name that is no path of a run", node.Line, key))
		}
		e.dir = absolute(entry.Logdir, here)
		if entry.Trials != nil {
			e.trials = map[string]string{}
			for t, dir := range entry.Trials {
				e.trials[t] = absolute(dir, e.dir)
			}
		}
		if old := k.files[key]; old != nil && old.dir != e.dir {
			return &Error{fmt.Sprintf("experiment %q is named twice: %s and %s", key, old.dir, e.dir), "give one of them another name in experiments.yaml"}
		}
		k.files[key] = e
	}
	return nil
}

// validName reports whether an experiment's name can stand before its runs.
func validName(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

func (k *known) where() string {
	var places []string
	for _, b := range k.store.Bases {
		places = append(places, b)
	}
	if len(k.store.Files) > 0 {
		places = append(places, k.store.Files...)
	}
	if len(places) == 0 {
		return "no base is configured: write  base: /shared/checkpoints  to the hub's configuration, or give --logdir DIR"
	}
	return "looked in " + strings.Join(places, ", ") + ": check the number, and that the experiment has logged something; tensorbored-static start --help says where base is set"
}

// experiment finds one by name or number.
func (k *known) experiment(name string) (*experiment, error) {
	if e := k.files[name]; e != nil {
		if ok, err := isDir(e.dir); err != nil || !ok {
			if err != nil {
				return nil, err
			}
			return nil, &Error{fmt.Sprintf("the logdir of experiment %q, %s, is not there", name, e.dir), "correct experiments.yaml, or mount it"}
		}
		return e, nil
	}
	if e := k.numbered[name]; e != nil {
		return e, nil
	}
	if _, err := strconv.ParseUint(name, 10, 63); err != nil {
		return nil, &Error{fmt.Sprintf("unknown experiment %q", name), k.where()}
	}
	var found []*experiment
	for _, c := range k.clusters {
		dir := filepath.Join(c, "tensorboard", "experiment", name)
		ok, err := isDir(dir)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, &experiment{name: name, dir: dir, cluster: filepath.Base(c)})
		}
	}
	switch len(found) {
	case 0:
		return nil, &Error{"unknown experiment " + name, k.where()}
	case 1:
		k.numbered[name] = found[0]
		return found[0], nil
	}
	var clusters []string
	for _, e := range found {
		clusters = append(clusters, e.cluster)
	}
	return nil, &Error{fmt.Sprintf("experiment %s is in several clusters (%s)", name, strings.Join(clusters, ", ")), "say which: --config cluster=" + clusters[0]}
}

// trial finds one: in the named experiments if there are any, else in all.
func (k *known) trial(trial string, named []*experiment) (*experiment, string, error) {
	if _, err := strconv.ParseUint(trial, 10, 63); err != nil && !validName(trial) {
		return nil, "", &Error{fmt.Sprintf("unknown trial %q", trial), "trials are numbers"}
	}
	type place struct {
		e   *experiment
		dir string
	}
	var found []place
	look := func(e *experiment) error {
		dir, ok, err := e.trialDir(trial)
		if err == nil && ok && !slices.ContainsFunc(found, func(p place) bool { return p.dir == dir }) {
			found = append(found, place{e, dir})
		}
		return err
	}
	for _, e := range named {
		if err := look(e); err != nil {
			return nil, "", err
		}
	}
	if len(found) == 1 {
		return found[0].e, found[0].dir, nil
	}
	if len(found) == 0 {
		for _, e := range k.files {
			if err := look(e); err != nil {
				return nil, "", err
			}
		}
		for _, c := range k.clusters {
			// One directory of a known name in each experiment: no walk.
			dirs, _ := filepath.Glob(filepath.Join(glob(c), "tensorboard", "experiment", "*", "trial", glob(trial)))
			for _, dir := range dirs {
				name := filepath.Base(filepath.Dir(filepath.Dir(dir)))
				e := k.numbered[name]
				if e == nil || e.cluster != filepath.Base(c) {
					e = &experiment{name: name, dir: filepath.Dir(filepath.Dir(dir)), cluster: filepath.Base(c)}
				}
				found = append(found, place{e, dir})
			}
		}
		if len(found) > 0 && len(named) > 0 {
			var names []string
			for _, e := range named {
				names = append(names, e.name)
			}
			return nil, "", &Error{fmt.Sprintf("trial %s is of experiment %s, not of %s", trial, found[0].e.name, strings.Join(names, ", ")),
				"name that experiment too, or name trials alone: start -t " + trial}
		}
	}
	switch len(found) {
	case 0:
		return nil, "", &Error{"unknown trial " + trial, k.where()}
	case 1:
		return found[0].e, found[0].dir, nil
	}
	var dirs []string
	for _, p := range found {
		dirs = append(dirs, p.dir)
	}
	return nil, "", &Error{fmt.Sprintf("trial %s is there several times (%s)", trial, strings.Join(dirs, ", ")), "name its experiment before -t, or --config cluster=NAME"}
}

// glob is a pattern that matches text alone.
func glob(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
}
