//go:build linux

package hub_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/driver/slurm"
	"github.com/tensorbored/tensorbored-static/server/hub/slurmtest"
)

// What is promised of Slurm is measured on a real one; `make bench` runs these. The goals:
// a list of 100 instances within 100 ms by one call of squeue, and a viewer that is ready
// half a second after the queue has let it go.
func BenchmarkSlurm(b *testing.B) {
	c := slurmtest.Start(b, slurmtest.Options{})
	d := slurm.New(slurm.Options{Conf: c.Conf})
	w := newWorld(b, hub.Settings{"driver": "slurm", "slurm": hub.Settings{"sbatch_args": []string{"--hold"}}}, func() []driver.Driver { return []driver.Driver{d} })

	b.Run("queue to ready", func(b *testing.B) {
		// Both of the same job: when the scheduler takes one is a matter of its beat. What
		// squeue takes to say so is the queue's too.
		var queue, more time.Duration
		for b.Loop() {
			begin := time.Now()
			s := w.start(hub.Request{Logdirs: of(logs(b, "a")), Config: hub.Settings{"slurm": hub.Settings{"sbatch_args": []string{}}}, New: true})
			for !strings.Contains(c.Run("squeue", "-h", "-j", s.Job, "-o", "%T"), "RUNNING") {
				time.Sleep(2 * time.Millisecond)
			}
			begun := time.Now()
			queue += begun.Sub(begin)
			more += w.state(s.ID, hub.Running).Ready.Sub(begun)
			w.kill(s.ID)
		}
		b.ReportMetric(float64(queue.Milliseconds())/float64(b.N), "ms-queue")
		b.ReportMetric(float64(more.Milliseconds())/float64(b.N), "ms-more")
		b.ReportMetric(0, "ns/op")
	})

	b.Run("list 100", func(b *testing.B) {
		dir := logs(b, "a")
		for range 100 {
			w.start(hub.Request{Logdirs: of(dir), New: true})
		}
		// The hub asks by itself while they wait; here the whole way is measured: the call
		// of squeue, by a driver that knows nothing, and the list.
		var refs []driver.Ref
		for _, i := range w.list() {
			if i.Live() {
				refs = append(refs, driver.Ref{ID: i.ID, Dir: filepath.Join(w.dir, "instances", i.ID), Job: i.Job})
			}
		}
		var spent time.Duration
		calls := int64(0)
		for b.Loop() {
			d, begin := slurm.New(slurm.Options{Conf: c.Conf}), time.Now()
			if all, err := d.States(context.Background(), refs); err != nil || len(all) != 100 {
				b.Fatalf("%d instances, %v", len(all), err)
			}
			w.list()
			spent += time.Since(begin)
			calls += d.Calls()
		}
		b.ReportMetric(float64(spent.Microseconds())/1000/float64(b.N), "ms/list")
		b.ReportMetric(float64(calls)/float64(b.N), "calls/list")
		b.ReportMetric(0, "ns/op")
		for _, i := range w.list() {
			if i.Live() {
				w.call("POST", "api/instances/"+i.ID+"/kill", struct{}{})
			}
		}
		for left := 1; left > 0; time.Sleep(200 * time.Millisecond) {
			left = 0
			for _, i := range w.list() {
				if i.Live() {
					left++
				}
			}
		}
	})
}
