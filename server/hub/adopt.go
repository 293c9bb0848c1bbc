package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// adopt takes over what earlier hubs have left.
func (h *Hub) adopt() error {
	entries, err := os.ReadDir(filepath.Join(h.o.Dir, "instances"))
	if err != nil {
		return err
	}
	files, err := fileTime(h.o.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		dir := filepath.Join(h.o.Dir, "instances", e.Name())
		i := newInstance(dir)
		err := state.ReadJSON(dir, state.RecordFile, &i.record)
		if errors.Is(err, fs.ErrNotExist) {
			// Nothing is started before its record is there.
			os.RemoveAll(dir)
			continue
		}
		if err != nil || i.ID != e.Name() {
			h.o.Log.Printf("Left out: %s is no record (%v). Remove that directory if no viewer runs in it.", dir, err)
			continue
		}
		var spec state.Spec
		if err := state.ReadJSON(dir, state.SpecFile, &spec); err == nil {
			i.secret = spec.Secret
		}
		i.idle = time.Duration(i.Idle * float64(time.Second))
		i.ready = i.Instance.Ready != nil
		i.last = clock.Now()
		// When it ended is by the clock of another machine, maybe; the record was written
		// last then, and that is by the clock of the files.
		i.over = i.last
		if fi, err := os.Stat(filepath.Join(dir, state.RecordFile)); err == nil {
			i.over = i.last.Add(min(0, fi.ModTime().Sub(files)))
		}
		h.instances[i.ID] = i
	}
	return nil
}
