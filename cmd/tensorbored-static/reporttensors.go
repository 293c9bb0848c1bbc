package main

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/projector"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// mostOfTensor is how many bytes of points a report has of a tensor, unless all points are asked for: a
// report is mailed. Of a larger one rows from everywhere are in it.
const mostOfTensor = 8 << 20

// embeddings puts the tensors of the runs that go in into the report, each in files of its own that a
// new configuration names: what they stood in, a checkpoint or a shared table, may tell of others.
func (r *reporter) embeddings(listing *api.Listing) error {
	most := int64(mostOfTensor)
	if r.flags.points == 0 {
		most = 0
	}
	want := func(t projector.Tensor) bool {
		run := catalog.Text(t.Run)
		if t.Main && r.wantsRun(run) && r.tags.match(t.Name) && (r.profile == nil || r.tagFilter == nil || r.tagFilter.MatchString(t.Name)) {
			return true
		}
		r.others.add("", t.Name)
		return false
	}
	configs := map[string][]byte{}
	changed := map[string]int64{}
	take := func(e projector.Excerpt) error {
		run := catalog.Text(e.Tensor.Run)
		name := fmt.Sprintf("tensor-%d", r.tensors)
		if e.Taken < e.Rows {
			fmt.Fprintf(r.stderr, "tensorbored-static: of tensor %q in run %q %d of %d rows are in the report; --points 0 takes all\n", e.Tensor.Name, run, e.Taken, e.Rows)
		}
		mtime := int64(e.Tensor.MTime)
		put := func(ext string, data []byte) string {
			if data == nil {
				return ""
			}
			r.add(path.Join(run, name+ext), mtime, data)
			return name + ext
		}
		if t := &e.Tensor; t.Step >= 0 && t.From == "checkpoint" {
			t.Name = fmt.Sprintf("%s:%05d", t.Name, t.Step) // a config has no other place for it
		}
		configs[run] = append(configs[run], e.Config(put(".bytes", e.Points), put(".tsv", e.Table), put(".png", e.Sheet))...)
		changed[run] = max(changed[run], mtime)
		if !r.in.runs[run] {
			r.count++
		}
		r.in.add(run, "")
		r.tensors++
		return nil
	}
	failed := func(t projector.Tensor, err error) {
		r.missing = true
		fail(r.stderr, exitFailed, fmt.Errorf("tensor %q of run %q: %w", t.Name, catalog.Text(t.Run), err))
	}
	if err := projector.Excerpts(reportPort{r}, companions(listing), want, most, take, failed); err != nil {
		return err
	}
	for _, run := range slices.Sorted(maps.Keys(configs)) {
		r.add(path.Join(run, api.ProjectorConfig), changed[run], configs[run])
	}
	return r.ctx.Err()
}

// reportPort reads files beside event files.
type reportPort struct{ r *reporter }

// Read implements projector.Port.
func (p reportPort) Read(path string, from, n int64) ([]byte, error) {
	if err := p.r.ctx.Err(); err != nil {
		return nil, err
	}
	return p.r.read(source.Range{Path: path, Offset: from, Length: n})
}
