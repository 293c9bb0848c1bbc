package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/archive"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// SpecError says what is wrong with a --logdir or --logdir_spec.
type SpecError struct {
	Item   string
	Reason string
	Remedy string
}

// Error names the item, the reason and the remedy.
func (e *SpecError) Error() string {
	return fmt.Sprintf("logdir %q %s: %s", e.Item, e.Reason, e.Remedy)
}

// scheme begins an address such as gs://bucket/logs.
var scheme = regexp.MustCompile(`^[a-zA-Z][0-9a-zA-Z.+-]*://`)

// parseSpec splits the value of --logdir_spec as TensorBoard does
// (backend/event_processing/data_ingester.py): items stand between commas, and one is
// name:path if it has a colon, does not begin with a slash, is no address, and does
// not begin with a drive's letter on Windows.
func parseSpec(spec string) []files.Root {
	var roots []files.Root
	for item := range strings.SplitSeq(spec, ",") {
		if item == "" {
			continue
		}
		r := files.Root{Dir: item}
		if name, dir, ok := strings.Cut(item, ":"); ok && item[0] != '/' && !scheme.MatchString(item) && filepath.VolumeName(item) == "" {
			r = files.Root{Dir: dir, Name: name}
		}
		roots = append(roots, r)
	}
	return roots
}

// logdirRoots are the roots that --logdir, which may be given several times, and
// --logdir_spec ask for. One alone is the tree itself. Of several, each stands below
// its name; those that --logdir_spec gives no name are called by the last parts of
// their path, as many as tell them apart. TensorBoard would mix such directories, and
// show one of two runs of the same name. The error is a *SpecError.
func logdirRoots(logdirs []string, spec string) ([]files.Root, error) {
	var given []files.Root
	for _, dir := range logdirs {
		if dir != "" {
			given = append(given, files.Root{Dir: dir})
		}
	}
	given = append(given, parseSpec(spec)...)
	var roots []files.Root
	for _, r := range given {
		if isAddress(r.Dir) {
			if _, err := storeOf(r.Dir); err != nil {
				return nil, err
			}
		}
		r.Name = strings.Trim(strings.TrimSpace(r.Name), "/")
		if r.Name != "" && !api.ValidPath(r.Name) {
			return nil, &SpecError{r.Name + ":" + r.Dir, "has a name that is no path of a run", "leave empty, . and .. parts out of the name"}
		}
		if !isAddress(r.Dir) {
			r.Dir = expandHome(r.Dir)
		}
		// Of one directory that is given twice the last name counts, as in TensorBoard.
		roots = slices.DeleteFunc(roots, func(o files.Root) bool { return sameRoot(o.Dir, r.Dir) })
		roots = append(roots, r)
	}
	if len(roots) > 1 {
		nameRoots(roots)
	}
	return roots, nil
}

func sameRoot(a, b string) bool {
	return a == b || !isAddress(a) && !isAddress(b) && filepath.Clean(a) == filepath.Clean(b)
}

// nameRoots names the roots that have no name.
func nameRoots(roots []files.Root) {
	given := map[string]bool{}
	ways := make([][]string, len(roots)) // nil for those that have a name
	parts := make([]int, len(roots))
	for i, r := range roots {
		if given[r.Name] = true; r.Name == "" {
			ways[i] = strings.Split(strings.Trim(strings.ReplaceAll(filepath.ToSlash(placeOf(r.Dir)), ":", "_"), "/"), "/")
			parts[i] = 1
		}
	}
	for again := true; again; {
		again = false
		ofName := map[string][]int{}
		for i, way := range ways {
			if way != nil {
				roots[i].Name = strings.Join(way[len(way)-parts[i]:], "/")
				ofName[roots[i].Name] = append(ofName[roots[i].Name], i)
			}
		}
		for name, those := range ofName {
			same := func(i int) bool { return slices.Equal(ways[i], ways[those[0]]) }
			if !given[name] && !slices.ContainsFunc(those, func(i int) bool { return !same(i) }) {
				continue
			}
			for _, i := range those { // one part more, as long as there are parts
				if parts[i] < len(ways[i]) {
					parts[i]++
					again = true
				}
			}
		}
	}
}

// placeOf is the directory that a root is called by: its own, that of an event file, an archive
// itself, that of a pattern up to the first wildcard, of an address the bucket and the folder.
func placeOf(dir string) string {
	if isAddress(dir) {
		return storeName(dir)
	}
	if fi, err := os.Stat(dir); err == nil && !fi.IsDir() && !archive.Is(dir) {
		dir = filepath.Dir(dir)
	} else if i := strings.IndexAny(dir, "*?["); err != nil && i >= 0 {
		dir = filepath.Dir(dir[:i] + "x")
	}
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// placesOf are names and places of roots, by which what is kept of them is found again.
func placesOf(roots []files.Root) (places []string) {
	for _, r := range roots {
		place := r.Dir // of an address with the options: of another endpoint it is another bucket
		if !isAddress(r.Dir) {
			place = placeOf(r.Dir)
		}
		places = append(places, r.Name+"\n"+place)
	}
	return places
}

// shownRoots is how several roots are called together.
func shownRoots(roots []files.Root) string {
	var names []string
	for _, r := range roots {
		names = append(names, displayName(r.Dir))
	}
	return strings.Join(names, ", ")
}

// warnMissing says which roots are not there yet, since a logdir may well be made by
// the job that is about to start, or be misspelt.
func warnMissing(roots []files.Root) []string {
	var lines []string
	for _, r := range roots {
		if matches, _ := filepath.Glob(r.Dir); len(matches) > 0 || isAddress(r.Dir) {
			continue
		}
		if _, err := os.Lstat(r.Dir); err == nil || !os.IsNotExist(err) {
			continue
		}
		line := fmt.Sprintf("logdir %s does not exist so far: check its spelling; it is shown when it appears.", r.Dir)
		if strings.ContainsAny(r.Dir, ",:") {
			line += " Several logdirs, with names: --logdir_spec name:path,name:path."
		}
		lines = append(lines, line)
	}
	return lines
}

// parseSamples reads the value of --samples_per_plugin: "scalars=500,images=0".
func parseSamples(text string) ([]api.Samples, error) {
	most := map[string]int64{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		plugin, number, ok := strings.Cut(item, "=")
		var n int64
		if ok {
			if number == "all" {
				number = "0"
			}
			var err error
			n, err = strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			ok = err == nil && n >= 0 && plugin != ""
		}
		if !ok {
			return nil, fmt.Errorf("samples-per-plugin %q is not plugin=number: write for example scalars=500,images=0, where 0 keeps all", item)
		}
		most[strings.TrimSpace(plugin)] = n
	}
	var samples []api.Samples
	for plugin, n := range most {
		samples = append(samples, api.Samples{Plugin: plugin, Most: n})
	}
	slices.SortFunc(samples, func(a, b api.Samples) int { return strings.Compare(a.Plugin, b.Plugin) })
	return samples, nil
}
