package runs

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	numbers "github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Data is what the table needs of the data API.
type Data interface {
	Status() wire.Status
	Tags(plugin string) map[string]map[string]wire.Tag
	Ask(q wire.Query, got func(engine.Reply)) (cancel func())
	Beside(name string) map[string]engine.Beside
	ReadFiles(paths []string, most int64) []engine.File
}

// pace is how often the table looks for what is new.
const pace = 500 * time.Millisecond

// Live is the table.
type Live struct {
	runtable.Data
	// Experiment is all that experiments say together.
	Experiment hparams.Experiment
	// Runs whose hyperparameters could not be read: as they were logged, of a file beside
	// them, and of a file of which that may pass, which is asked for again.
	Damaged, Spoiled, Late map[string]bool
	Thinned                bool // some means are of the points that are kept

	data    Data
	state   func() *session.State
	named   func(run string) bool // the run is listed, but for the filters of columns
	told    func()                // something in the table is different
	open    map[any]bool          // who shows it
	look    *widget.Pacer
	logged  map[string]*hparams.Session // as event files have them
	files   map[string][]hparams.Param  // of hparams.yaml
	read    map[string]string           // which of those were read, or are being
	gen     int                         // counts Clear
	asked   map[string]logs             // tags of hyperparameters by run, when they were asked for
	settled bool                        // all had been read once
	doubt   map[string]bool             // of asked, with new points since: a file may have been written anew
	anew    bool                        // all are to be asked for
	have    map[runtable.Key]bool       // columns that were asked for
	dirty   map[string]bool             // runs with new points
	cancel  func()                      // of the question under way
	again   bool                        // files that are late will be asked for again
	extra   map[any][]runtable.Key      // further columns that somebody needs
	first   []runtable.Key              // columns at first; nil = not known
	by      string                      // the filter of names that first is of
	pass    map[string]bool             // runs that pass the filters; nil = all
	Problem error                       // with a filter
	last    map[string]session.ColumnFilter
}

// logs tell whether a run has logged other hyperparameters than when it was asked for them, but for
// files that are written anew with as many of them.
type logs struct {
	tags   int
	points int64
}

// New makes the table. named says which runs are listed, but for the filters of columns; told
// is called when something in the table is different.
func New(data Data, state func() *session.State, named func(run string) bool, told func()) *Live {
	l := &Live{data: data, state: state, named: named, told: told, open: map[any]bool{}, extra: map[any][]runtable.Key{}}
	l.Clear()
	l.look = widget.NewPacer(pace, l.ask, nil)
	return l
}

// Clear forgets what was read: another logdir is open.
func (l *Live) Clear() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.Data = runtable.Data{Sessions: map[string]*hparams.Session{}, Starts: map[string]float64{}}
	l.Experiment, l.Damaged, l.Spoiled, l.Late, l.Thinned = hparams.Experiment{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, false
	l.gen++
	l.logged, l.files, l.read = map[string]*hparams.Session{}, map[string][]hparams.Param{}, map[string]string{}
	l.asked, l.have, l.dirty = map[string]logs{}, map[runtable.Key]bool{}, map[string]bool{}
	l.doubt, l.anew, l.settled = map[string]bool{}, false, false
	l.first, l.pass, l.again = nil, nil, false
}

// Show says that who shows the table, or needs further columns of it; without on and keys
// no more.
func (l *Live) Show(who any, on bool, keys ...runtable.Key) {
	if on || len(keys) > 0 {
		l.open[who], l.extra[who] = on, keys
	} else { // nothing holds a view that has ended
		delete(l.open, who)
		delete(l.extra, who)
	}
	l.Settings()
}

// Wanted is Show for who asks again and again: only a change is one.
func (l *Live) Wanted(who any, on bool) {
	if l.open[who] != on {
		l.Show(who, on)
	}
}

// Need is Show of further columns alone for who asks again and again.
func (l *Live) Need(who any, keys ...runtable.Key) {
	if !slices.Equal(l.extra[who], keys) {
		l.Show(who, false, keys...)
	}
}

// Active reports whether anybody wants the table.
func (l *Live) Active() bool {
	s := l.state()
	for _, on := range l.open {
		if on {
			return true
		}
	}
	for _, keys := range l.extra {
		if len(keys) > 0 {
			return true
		}
	}
	return len(session.RunColumnFilters.Of(s)) > 0 || len(session.RunColumnSort.Of(s)) > 0
}

// Follow takes in what the engine reports.
func (l *Live) Follow(c engine.Change) {
	for _, r := range c.Data {
		l.dirty[r] = true
		if _, has := l.asked[r]; has && l.settled {
			l.doubt[r] = true
		}
	}
	done := l.data.Status().Phase.Done()
	l.settled = l.settled || done
	if c.Tags {
		l.first = nil
	}
	if c.Tags || len(c.Data) > 0 || done && len(l.doubt) > 0 {
		l.Look()
	}
}

// Look looks for what is new soon, if anybody wants the table.
func (l *Live) Look() {
	if l.Active() {
		l.look.Ask()
	}
}

// SetRuns says which runs there are, and when they began.
func (l *Live) SetRuns(runs []string, starts map[string]float64) {
	if !maps.Equal(starts, l.Starts) {
		l.Starts = starts
		l.Changed()
	}
	if !slices.Equal(runs, l.Runs) {
		for _, r := range runs {
			if l.Row(r) < 0 {
				l.dirty[r] = true
			}
		}
		l.Data.SetRuns(runs)
		l.first = nil
		l.changed()
	}
	l.Look()
}

// Text writes a cell of a row for the eye.
func (l *Live) Text(k runtable.Key, row int) string {
	c := l.Column(k)
	return c.Format(k, c.Cells[row], false)
}

// Exact writes a cell of a row with every digit.
func (l *Live) Exact(k runtable.Key, row int) string {
	c := l.Column(k)
	return c.Format(k, c.Cells[row], true)
}

// Settings brings the table to changed settings.
func (l *Live) Settings() {
	s := l.state()
	notes, tags := session.RunNotes.Of(s), session.RunTags.Of(s)
	if !maps.Equal(notes, l.Notes) || !maps.Equal(tags, l.Tags) {
		l.Notes, l.Tags, l.last = notes, tags, nil
		l.Changed()
	}
	if by := session.RunFilter.Of(s); by != l.by {
		l.by, l.first = by, nil
	}
	l.filter()
	l.Look()
}

// Columns are the columns that are shown.
func (l *Live) Columns() []runtable.Key {
	if chosen := session.RunColumns.Of(l.state()); len(chosen) > 0 {
		out := make([]runtable.Key, len(chosen))
		for i, text := range chosen {
			out[i] = runtable.ParseKey(text)
		}
		return out
	}
	if l.first == nil {
		rows, _ := l.Units(false)
		named := make([]int, 0, len(rows))
		for _, row := range rows {
			if l.named(l.Runs[row]) {
				named = append(named, row)
			}
		}
		if len(named) == 0 {
			named = rows
		}
		l.first = runtable.FirstColumns(&l.Data, &l.Experiment, named, l.data.Tags("scalars"))
	}
	return l.first
}

// wanted are all columns of scalars that are needed, as they are asked for.
func (l *Live) wanted() (out []runtable.Key) {
	s := l.state()
	add := func(k runtable.Key) {
		if k.Group = ""; k.IsScalar() && !slices.Contains(out, k) && slices.Contains(numbers.Ofs, numbers.Of(k.Of)) {
			out = append(out, k)
		}
	}
	for who, on := range l.open {
		for _, k := range l.extra[who] {
			add(k)
		}
		if on {
			for _, k := range l.Columns() {
				add(k)
			}
		}
	}
	for key := range session.RunColumnFilters.Of(s) {
		add(runtable.ParseKey(key))
	}
	for _, key := range append([]string{session.RunRowsBy.Of(s)}, session.RunColumnSort.Of(s)...) {
		if key != "" && key[0] == '-' {
			key = key[1:]
		}
		add(runtable.ParseKey(key))
	}
	return out
}

// ask asks for what is new, one question at a time.
func (l *Live) ask() {
	l.readFiles()
	if l.cancel != nil {
		return // its answer asks again
	}
	if l.askSessions() {
		return
	}
	var runs []string
	columns := l.wanted()
	for _, k := range columns {
		if !l.have[k] {
			runs = l.Runs
		}
	}
	if len(columns) == 0 {
		return
	}
	if runs == nil {
		for r := range l.dirty {
			if l.Row(r) >= 0 {
				runs = append(runs, r)
			}
		}
	}
	clear(l.dirty)
	if len(runs) == 0 {
		return
	}
	q := numbers.Query{}
	for _, k := range columns {
		q.Columns = append(q.Columns, numbers.Column{Tag: k.Name, Of: numbers.Of(k.Of), Step: k.Step})
	}
	l.put(q.For(runs), func() {}, func(p numbers.Part, buffer []byte) {
		l.Thinned = l.Thinned || p.Thinned > 0
		for _, k := range columns {
			l.have[k] = true
		}
		numbers.Numbers(p, buffer, len(columns), l.SetNumbers(columns))
	}, func() {})
}

// askSessions asks for hyperparameters that are new or others, and reports whether it did. What
// experiments say together is not known of each: where less is logged than before, or something
// else, all are asked for.
func (l *Live) askSessions() bool {
	tags, had, doubt := l.data.Tags(hparams.Name), l.asked, l.doubt
	all := l.anew
	l.asked, l.anew = make(map[string]logs, len(tags)), false
	if l.data.Status().Phase.Done() {
		l.doubt = map[string]bool{}
	} else {
		doubt = nil // once, when all has been read
	}
	for run, t := range tags {
		has := logs{tags: len(t)}
		for _, tag := range t {
			has.points += tag.Points
		}
		l.asked[run] = has
		all = all || has.tags < had[run].tags || has.points < had[run].points
	}
	var runs []string
	for run := range had {
		if _, here := tags[run]; !here {
			all, runs = true, append(runs, run)
		}
	}
	for run, has := range l.asked {
		if all || has != had[run] || doubt[run] {
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		return false
	}
	slices.Sort(runs)
	was := make([]*hparams.Session, len(runs))
	other := all
	l.put(numbers.Query{}.For(runs), func() {
		if all {
			l.Experiment = hparams.Experiment{}
		}
		for i, r := range runs {
			was[i] = l.logged[r]
			other = other || l.Damaged[r] || l.asked[r] != had[r]
			delete(l.logged, r)
			delete(l.Damaged, r)
		}
	}, l.gotSessions, func() {
		for i, r := range runs {
			l.join(r)
			now := l.logged[r]
			if _, begun := tags[r][hparams.StartTag]; begun && now == nil && !l.Damaged[r] {
				delete(l.asked, r) // its reader ended before it answered
			}
			if !now.Equal(was[i]) {
				other = true
				// One that has ended says more, and nothing else.
				l.anew = l.anew || !all && was[i] != nil && now != nil && was[i].Status == now.Status
			}
		}
		if other {
			l.first = nil
			l.Changed()
		}
	})
	return true
}

// put asks q and hands on what is answered: begin, got for each part, end.
func (l *Live) put(q wire.Query, begin func(), got func(p numbers.Part, buffer []byte), end func()) {
	l.cancel = l.data.Ask(q, func(r engine.Reply) {
		l.cancel = nil
		begin()
		for _, c := range r.Chunks {
			var b []byte
			if c.Buffer.Truthy() {
				b = make([]byte, c.Buffer.Get("byteLength").Int())
				bridge.Copy(b, c.Buffer, 0)
				bridge.Free(c.Buffer)
			}
			for _, p := range engine.Parts[numbers.Part](c) {
				got(p, b)
			}
		}
		end()
		l.look.Ask() // for what is left; with nothing left it asks nothing
		l.changed()
	})
}

func (l *Live) gotSessions(p numbers.Part, buffer []byte) {
	for run, s := range numbers.Sessions(p, buffer) {
		l.logged[run] = s
	}
	for _, r := range p.Damaged {
		l.Damaged[r] = true
	}
	for _, e := range p.Experiments {
		l.Experiment.Union(e)
	}
}

// join makes a run's session of what was logged and of the file beside it.
func (l *Live) join(run string) {
	s, file := l.logged[run], l.files[run]
	if len(file) > 0 {
		whole := hparams.Session{}
		if s != nil {
			whole = *s
		}
		whole.Complete(file)
		s = &whole
	}
	if s == nil {
		delete(l.Sessions, run)
	} else {
		l.Sessions[run] = s
	}
}

const (
	// filesAtOnce and fileBytes are how many files are asked for in one question, and about
	// how many bytes.
	filesAtOnce = 256
	fileBytes   = 8 << 20
	// lateIn is when files are asked for again that could not be read for now.
	lateIn = 15 * time.Second
)

// readFiles reads the hparams.yaml that are new.
func (l *Live) readFiles() {
	type wanted struct {
		run string
		engine.Beside
	}
	var files []wanted
	for run, f := range l.data.Beside(hparams.FileName) {
		if l.read[run] != f.Version && l.Row(run) >= 0 {
			l.read[run] = f.Version
			files = append(files, wanted{run, f})
		}
	}
	if len(files) == 0 {
		return
	}
	slices.SortFunc(files, func(a, b wanted) int { return strings.Compare(a.run, b.run) })
	gen := l.gen
	go func() {
		for len(files) > 0 {
			var paths []string
			for total := int64(0); len(paths) < min(len(files), filesAtOnce) && total < fileBytes; {
				f := files[len(paths)]
				paths, total = append(paths, f.Path), total+min(f.Size, hparams.MaxFile)
			}
			read := l.data.ReadFiles(paths, hparams.MaxFile)
			if gen != l.gen {
				return
			}
			for i, r := range read {
				l.gotFile(files[i].run, files[i].Beside, r)
			}
			files = files[len(read):]
		}
		if len(l.Late) > 0 && !l.again {
			l.again = true
			time.AfterFunc(lateIn, func() { l.askAgain(gen) })
		}
		l.first = nil
		l.Changed()
		l.changed()
	}()
}

// gotFile takes in a run's file.
func (l *Live) gotFile(run string, f engine.Beside, r engine.File) {
	delete(l.Late, run)
	switch {
	case engine.IsAgain(r.Err):
		l.Late[run] = true
	case r.Err != nil || f.Size > hparams.MaxFile:
		l.Spoiled[run] = true
	default:
		delete(l.Spoiled, run)
		l.files[run] = hparams.FromYAML(string(r.Bytes))
		l.join(run)
	}
}

// askAgain asks for files that could not be read.
func (l *Live) askAgain(gen int) {
	if gen != l.gen {
		return
	}
	l.again = false
	for run := range l.Late {
		delete(l.read, run)
	}
	l.readFiles()
}

// changed follows from other data.
func (l *Live) changed() {
	l.last = nil
	l.filter()
	if l.Active() {
		l.told()
	}
}

// filter finds out which runs pass the filters.
func (l *Live) filter() {
	filters := session.RunColumnFilters.Of(l.state())
	if len(filters) == 0 {
		l.pass, l.last, l.Problem = nil, nil, nil
		return
	}
	if l.pass != nil && l.last != nil && maps.EqualFunc(filters, l.last, sameFilter) {
		return
	}
	rows, err := l.Match(l.come(filters))
	l.last, l.Problem, l.pass = maps.Clone(filters), err, nil
	if rows == nil {
		return
	}
	l.pass = make(map[string]bool, len(l.Runs))
	for i, run := range l.Runs {
		row := i
		if owner := l.Owner(i); owner != "" && l.Row(owner) >= 0 {
			row = l.Row(owner)
		}
		l.pass[run] = rows[row]
	}
}

// come returns those of filters whose columns are there: as long as a column has not come
// nothing is left out for it.
func (l *Live) come(filters map[string]session.ColumnFilter) map[string]session.ColumnFilter {
	come := make(map[string]session.ColumnFilter, len(filters))
	for text, f := range filters {
		k := runtable.ParseKey(text)
		if k.Group = ""; k.IsScalar() && !l.have[k] || k.Of == runtable.Param && len(l.Sessions) == 0 {
			continue
		}
		come[text] = f
	}
	return come
}

// PassBut says by row which ones pass all filters but those of some columns; nil: all do.
func (l *Live) PassBut(columns []string) []bool {
	filters := l.come(session.RunColumnFilters.Of(l.state()))
	for _, key := range columns {
		delete(filters, key)
	}
	pass, _ := l.Match(filters) // what is wrong with a filter is said by Problem
	return pass
}

func sameFilter(a, b session.ColumnFilter) bool {
	same := func(x, y *float64) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
	return same(a.Lo, b.Lo) && same(a.Hi, b.Hi) && a.Only == b.Only && a.Regex == b.Regex && a.Missing == b.Missing && slices.Equal(a.Values, b.Values)
}

// Pass reports whether a run passes the filters: with its session, if it belongs to one.
func (l *Live) Pass(run string) bool { return l.pass == nil || l.pass[run] }
