package ui

import (
	"github.com/tensorbored/tensorbored-static/shared/runcolor"
)

// group is some runs that share a colour.
type group struct {
	Key, Label string
	Runs       []string
}

// groupRuns lists the groups of the runs, in the order of their first run, and how many
// runs belong to none.
func groupRuns(by *runcolor.Groups, runs []string) (groups []group, none int) {
	at := map[string]int{}
	for _, run := range runs {
		key, ok := by.Key(run)
		if !ok {
			none++
			continue
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, group{Key: key, Label: by.Label(key)})
		}
		groups[i].Runs = append(groups[i].Runs, run)
	}
	return groups, none
}
