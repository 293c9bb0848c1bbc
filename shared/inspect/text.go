package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Write writes r for a person to read. Names are quoted where they hold anything that
// a terminal would take for a command.
func (r *Run) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in %s, %s", safe(r.Name), count(r.Events, "event"), count(int64(len(r.Files)), "file"), size(r.Bytes))
	if r.First == r.First {
		fmt.Fprintf(&b, ", %s to %s", when(r.First), when(r.Last))
	}
	b.WriteString("\n")
	rows := [][]string{{"kind", "tags", "steps", "first", "last", "least", "greatest", "goes back"}}
	for k := range Kinds {
		s := &r.Kinds[k]
		if s.Count == 0 {
			continue
		}
		tags := ""
		if n := len(r.tagsOf(k)); n > 0 {
			tags = strconv.Itoa(n)
		}
		n, exact := s.Different()
		different := strconv.FormatInt(n, 10)
		if !exact {
			different = "≥ " + different
		}
		rows = append(rows, append([]string{k.String(), tags, different}, s.columns()...))
	}
	table(&b, rows)
	rows = [][]string{{"tag", "kind", "plug-in", "values", "first", "last", "least", "greatest", "goes back"}}
	for _, name := range sortedKeys(r.Tags) {
		t := r.Tags[name]
		for k := range Kinds {
			if s := t.Steps[k]; s != nil {
				rows = append(rows, append([]string{safe(name), k.String(), safe(t.Plugin), strconv.FormatInt(s.Count, 10)}, s.columns()...))
			}
		}
	}
	for _, name := range sortedKeys(r.Named) {
		rows = append(rows, []string{safe(name), "metadata", safe(r.Named[name]), "0", "", "", "", "", ""})
	}
	table(&b, rows)
	r.meshLines(&b)
	if r.NotShown != "" {
		fmt.Fprintf(&b, "  not shown yet: %s\n", r.NotShown)
	}
	sessions(&b, "started", r.Starts, r.Kinds[Start].Count)
	sessions(&b, "stopped", r.Stops, r.Kinds[Stop].Count)
	for _, l := range r.Losses {
		fmt.Fprintf(&b, "  damaged: %s\n", LossLine(l))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// LossLine says what was lost in a file, where, and what of it the user can do.
func LossLine(l wire.Loss) string {
	places := ""
	if l.Count > 1 {
		places = fmt.Sprintf(" in %d places", l.Count)
	}
	return fmt.Sprintf("file %q, from byte %d on: %d bytes%s: %s: %s", l.File, l.Offset, l.Bytes, places, l.Kind, l.Remedy)
}

// tagsOf are the names of the tags that have values of a kind.
func (r *Run) tagsOf(k Kind) []string {
	var names []string
	for _, name := range sortedKeys(r.Tags) {
		if r.Tags[name].Steps[k] != nil {
			names = append(names, name)
		}
	}
	return names
}

// columns are first, last, least and greatest step, and where steps go back.
func (s *Steps) columns() []string {
	back := ""
	for i, p := range s.Back {
		if i == 3 {
			break
		}
		back += fmt.Sprintf("%d→%d ", p.Before, p.After)
	}
	if more := s.BackCount - 3; more > 0 {
		back += fmt.Sprintf("and %d more", more)
	}
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	return []string{n(s.First), n(s.Last), n(s.Min), n(s.Max), strings.TrimSpace(back)}
}

// table writes rows with their columns below each other, numbers to the right; one row
// alone, the heads, is none.
func table(b *strings.Builder, rows [][]string) {
	if len(rows) < 2 {
		return
	}
	wide := make([]int, len(rows[0]))
	number := make([]bool, len(rows[0]))
	for j := range wide {
		number[j] = j+1 < len(wide)
		for i, row := range rows {
			wide[j] = max(wide[j], utf8.RuneCountInString(row[j]))
			if _, err := strconv.ParseInt(strings.TrimPrefix(row[j], "≥ "), 10, 64); i > 0 && err != nil && row[j] != "" {
				number[j] = false
			}
		}
		if j > 0 && !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[j] != "" }) {
			wide[j] = 0 // nothing to say
		}
	}
	for _, row := range rows {
		line := " "
		for j, cell := range row {
			if wide[j] == 0 {
				continue
			}
			pad := strings.Repeat(" ", wide[j]-utf8.RuneCountInString(cell))
			if number[j] && j > 0 {
				line += " " + pad + cell + " "
			} else {
				line += " " + cell + pad + " "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func sessions(b *strings.Builder, did string, all []Session, n int64) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "  the job %s %s:", did, count(n, "time"))
	for i, s := range all {
		if i == 5 {
			fmt.Fprintf(b, " and %d more", n-5)
			break
		}
		fmt.Fprintf(b, " at step %d (%s)", s.Step, when(s.Wall))
	}
	b.WriteString("\n")
}

// safe returns a name as it can be written to a terminal: quoted if it is not plain.
func safe(name string) string {
	q := strconv.Quote(name)
	if q == `"`+name+`"` {
		return name
	}
	return q
}

func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}

// size is a number of bytes as it is read.
func size(n int64) string {
	v, unit := float64(n), 0
	for v >= 1000 && unit < 4 {
		v /= 1000
		unit++
	}
	if unit == 0 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + " " + []string{"", "kB", "MB", "GB", "TB"}[unit]
}

// when is a wall time in the reader's own time zone; the number where it is no date.
func when(wall float64) string {
	if !(math.Abs(wall) < 1e11) {
		return strconv.FormatFloat(wall, 'g', -1, 64)
	}
	sec, frac := math.Modf(wall)
	return time.Unix(int64(sec), int64(frac*1e9)).Format("2006-01-02 15:04:05")
}

// MarshalJSON writes all facts; the form is described in docs/COMMANDS.md.
func (r *Run) MarshalJSON() ([]byte, error) {
	kinds := map[string]*Steps{}
	tags := map[string][]string{}
	for k := range Kinds {
		if r.Kinds[k].Count > 0 {
			kinds[k.String()] = &r.Kinds[k]
		}
		if names := r.tagsOf(k); len(names) > 0 {
			tags[k.String()] = names
		}
	}
	type tag struct {
		Tag    string `json:"tag"`
		Kind   string `json:"kind"`
		Plugin string `json:"plugin,omitempty"`
		Steps  *Steps `json:"steps"`
	}
	each := []tag{}
	for _, name := range sortedKeys(r.Tags) {
		for k := range Kinds {
			if s := r.Tags[name].Steps[k]; s != nil {
				each = append(each, tag{name, k.String(), r.Tags[name].Plugin, s})
			}
		}
	}
	named := []namedTag{}
	for _, name := range sortedKeys(r.Named) {
		named = append(named, namedTag{name, r.Named[name]})
	}
	return json.Marshal(struct {
		Run    string              `json:"run"`
		Files  []string            `json:"files"`
		Bytes  int64               `json:"bytes"`
		Events int64               `json:"events"`
		First  *float64            `json:"firstWallTime"`
		Last   *float64            `json:"lastWallTime"`
		ByKind map[string][]string `json:"tagsByKind"`
		Kinds  map[string]*Steps   `json:"kinds"`
		Tags   []tag               `json:"tags"`
		Named  []namedTag          `json:"named,omitempty"`
		Meshes map[string][]Part   `json:"meshes,omitempty"`
		Hidden string              `json:"notShown,omitempty"`
		Starts []Session           `json:"starts,omitempty"`
		Stops  []Session           `json:"stops,omitempty"`
		Losses []wire.Loss         `json:"losses,omitempty"`
	}{r.Name, r.Files, r.Bytes, r.Events, finite(r.First), finite(r.Last), tags, kinds, each, named, r.Meshes(), r.NotShown, r.Starts, r.Stops, r.Losses})
}

// namedTag is a tag that metadata alone names.
type namedTag struct {
	Tag    string `json:"tag"`
	Plugin string `json:"plugin,omitempty"`
}

// finite returns v, or null where JSON has no form for it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// MarshalJSON uses the peer's names.
func (s *Steps) MarshalJSON() ([]byte, error) {
	var different *int64
	if n, exact := s.Different(); exact {
		different = &n
	}
	back := [][2]int64{}
	for _, p := range s.Back {
		back = append(back, [2]int64{p.Before, p.After})
	}
	return json.Marshal(struct {
		Count     int64      `json:"count"`
		Different *int64     `json:"num_steps,omitempty"`
		First     int64      `json:"first_step"`
		Last      int64      `json:"last_step"`
		Min       int64      `json:"min_step"`
		Max       int64      `json:"max_step"`
		Back      [][2]int64 `json:"outoforder_steps"`
		BackCount int64      `json:"outoforder_count"`
	}{s.Count, different, s.First, s.Last, s.Min, s.Max, back, s.BackCount})
}

// MarshalJSON writes a time that is no number as null.
func (s Session) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Step int64    `json:"step"`
		Wall *float64 `json:"wall_time"`
	}{s.Step, finite(s.Wall)})
}
