// Package catalog holds what has been read of a logdir: runs, their tags, and
// the points of each.
//
// # How it is kept
//
// A run is a directory; its event files are read in the order of their names and
// give one series per tag, in that order. But files grow, and several may grow at
// a time, so nothing is merged when it is read: each file keeps its own points,
// cut into segments at each start of the job. What a file holds then depends only
// on the file's bytes. It can be read in any order, resumed, dropped and read
// again, or come from a cache, and the run's view, made when it is asked for, is
// always that of reading all files once from the beginning.
//
// # Restarts
//
// A job that is restarted from a checkpoint at step s logs a SessionLog.START with
// step s; points with a step of s or more from before it are orphaned and not
// shown. As in TensorBoard's Python loader the first START of a run only says
// that it began. The purge is part of the view: a segment is cut at the least
// step of all starts behind it. Runs of which no file has a version event (before
// brain.Event:2) follow the older rule: a step that goes back orphans the points of the
// tags in its summary. It holds only where it is sure: a file whose first record is
// damaged, or that names its writer, is taken for a modern one, as is every file of a
// run that has one. For the older rule takes points from a modern file that logs
// training and validation in turn.
//
// # What a tag is
//
// What its first value says, in the order of files and records: its metadata, or the
// form of an old one. But that may be damaged, come late, or stand in another file. So a
// series keeps its points by the form in which they came, a file what it says of the
// tag, and the run works out kind, plug-in and names when they are asked for. Single
// numbers in tensors that nothing names are shown as scalars, and that is reported;
// values that are not shown are counted with the reason.
//
// # What is lost
//
// A damaged record costs itself, see resync.go; a record that is no event costs itself.
// All are counted per file. Bytes at the end that are not a whole record yet cost
// nothing: they are looked at again when the file has grown.
package catalog

import (
	"math"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Catalog is the runs of a logdir, or a worker's share of them.
type Catalog struct {
	Runs map[string]*Run
	// Longest is the longest payload of a record, in bytes, that the runs to come have read;
	// 0 is tfrecord.MaxPayload. One that is longer is a loss with its place and size.
	Longest int64
	// Names is how many bytes the names of all tags, and what is said of them, may have;
	// 0 is NamesFor(0). A value for whose name there is no room is a loss with its place.
	Names int64
	// Brief has the runs to come tell of long names in part, see Brief.
	Brief bool

	room room
}

// leastLongest is the least of what LongestFor gives: images and texts are shorter.
const leastLongest = 64 << 20

// LongestFor is the Longest of a reader that may keep so many points, 0 = any number. A
// record is held whole, and once more while it is put together; a reader's points take
// some 10 bytes each, and their budget is an eighth of the memory that there is.
func LongestFor(points int64) int64 {
	if points <= 0 || points > tfrecord.MaxPayload/20 {
		return tfrecord.MaxPayload
	}
	return max(leastLongest, points*20)
}

// New returns an empty catalog.
func New() *Catalog { return &Catalog{Runs: make(map[string]*Run)} }

// Run returns the run of that name; it is made if it is new.
func (c *Catalog) Run(name string) *Run {
	r := c.Runs[name]
	if r == nil {
		r = NewRun(name)
		if c.room.most = c.Names; c.room.most == 0 {
			c.room.most = NamesFor(0)
		}
		r.longest, r.brief, r.room = c.Longest, c.Brief, &c.room
		c.Runs[name] = r
	}
	return r
}

// SortRuns sorts runs into display order: by the wall time of the first event,
// runs without one last, ties by name.
func SortRuns(runs []wire.Run) {
	sort.SliceStable(runs, func(i, j int) bool {
		a, b := runs[i], runs[j]
		an, bn := a.StartTime == 0 || math.IsNaN(a.StartTime), b.StartTime == 0 || math.IsNaN(b.StartTime)
		switch {
		case an != bn:
			return bn
		case !an && a.StartTime != b.StartTime:
			return a.StartTime < b.StartTime
		}
		return a.Name < b.Name
	})
}
