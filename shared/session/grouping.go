package session

import (
	"encoding/json"
	"strings"
)

// GroupKey says which runs share a colour, in the words of TensorBored's profiles.
type GroupKey string

const (
	GroupByRun   GroupKey = "RUN"
	GroupByRegex GroupKey = "REGEX" // runs whose capture groups are equal
)

// Grouping is how runs are put together. Its JSON is that of profiles; there the key may
// also be a number (0 for RUN, 2 for REGEX) or in small letters. A key of experiments is
// read as RUN: a logdir is a single one.
type Grouping struct {
	Key GroupKey `json:"key"`
	// Regex is kept while runs stand for themselves, so that switching back finds it.
	Regex string `json:"regexString,omitempty"`
}

// UnmarshalJSON reads every form that profiles have.
func (g *Grouping) UnmarshalJSON(b []byte) error {
	var raw struct {
		Key   any    `json:"key"`
		Regex string `json:"regexString"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*g = Grouping{Key: GroupByRun, Regex: raw.Regex}
	switch k := raw.Key.(type) {
	case string:
		if strings.EqualFold(k, string(GroupByRegex)) {
			g.Key = GroupByRegex
		}
	case float64:
		if k == 2 {
			g.Key = GroupByRegex
		}
	}
	return nil
}

// groupRegex is what stands before the expression in a link.
const groupRegex = "regex:"

// grouping declares a Grouping; in a link it is TensorBoard's "run" or "regex:…".
func grouping(name string, scope Scope) *Setting[Grouping] {
	d := Form(name, scope, func(g Grouping) (Grouping, bool) { return g, g.Key == GroupByRun || g.Key == GroupByRegex })
	d.def = Grouping{Key: GroupByRun}
	d.write = func(v any) string {
		if g := v.(Grouping); g.Key == GroupByRegex {
			return groupRegex + g.Regex
		}
		return ""
	}
	d.read = func(t string) (any, bool) {
		re, ok := strings.CutPrefix(t, groupRegex)
		return Grouping{Key: GroupByRegex, Regex: re}, ok
	}
	return d
}
