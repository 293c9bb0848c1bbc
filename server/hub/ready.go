package hub

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/server/hub/viewer"
)

// await waits, in a goroutine, until an instance says that there is something to see. It
// begins before the engine says that the viewer runs, since a viewer that answers does: the
// engine is only asked every few seconds. It is called under the lock.
func (h *Hub) await(i *instance) {
	if i.awaited || i.ready && i.answers != "" {
		return
	}
	i.awaited = true
	i.expected = clock.Now()
	h.awaiting++
	go func() {
		for {
			h.mu.Lock()
			if !i.Live() || i.Ending != "" {
				break
			}
			there := i.answers != ""
			h.mu.Unlock()
			ready := h.ask(i)
			h.mu.Lock()
			if ready {
				break
			}
			wait := pause(clock.Since(i.expected), there, h.awaiting)
			h.mu.Unlock()
			t := time.NewTimer(wait)
			select {
			case <-t.C:
			case <-i.stir:
				t.Stop()
			}
		}
		i.awaited = false
		h.awaiting--
		h.mu.Unlock()
	}()
}

// expect makes await look often: its engine says that the viewer has just begun. It is
// called under the lock.
func (i *instance) expect() {
	i.expected = clock.Now()
	select {
	case i.stir <- struct{}{}:
	default:
	}
}

// pause is how long to wait between two looks, of several (of) that are waited for: one
// that has just been started, or whose job has just begun, is there in no time; one that
// waits in a queue must be seen soon after it begins, even before the engine says so; and
// one that waits for its first record (there) may wait for hours. However many wait, the
// hub looks some 250 times a second.
func pause(waited time.Duration, there bool, of int) time.Duration {
	least := 4 * time.Millisecond * time.Duration(of)
	switch {
	case !there || waited < time.Minute:
		return max(least, 15*time.Millisecond, min(waited/50, 250*time.Millisecond))
	case waited < 10*time.Minute:
		return max(least, time.Second)
	}
	return max(least, 5*time.Second)
}

// ask looks for an instance's address and asks it whether there is something to see.
func (h *Hub) ask(i *instance) bool {
	h.mu.Lock()
	e := i.endpoint
	h.mu.Unlock()
	if e == nil {
		e = &state.Endpoint{}
		if state.ReadJSON(i.dir, state.EndpointFile, e) != nil || len(e.Addresses) == 0 {
			return false
		}
		h.mu.Lock()
		i.endpoint = e
		h.mu.Unlock()
	}
	for _, at := range e.Addresses {
		ready, ok := h.askAt(i, at)
		if !ok {
			continue
		}
		h.mu.Lock()
		i.answers = at
		if i.Live() && i.phase != driver.Terminating {
			i.phase, i.Reason = driver.Running, ""
			if i.Node == "" {
				i.Node = e.Host
			}
		}
		switch {
		case ready && !i.ready:
			now := clock.Now()
			i.ready, i.waits, i.Instance.Ready, i.last = true, false, &now, now
		case !ready && !i.waits:
			i.waits, i.last = true, clock.Now()
		}
		if i.Live() && i.State != i.state() {
			i.State = i.state()
			h.save(i)
			h.kick()
		}
		ready = i.ready // once is for good: logs that were removed are shown as such
		h.mu.Unlock()
		return ready
	}
	return false
}

// askAt asks at one of its addresses, and reports whether it is this viewer.
func (h *Hub) askAt(i *instance, at string) (ready, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+h.prefix()+i.Path+viewer.ReadyPath, nil)
	if err != nil {
		return false, false
	}
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+i.secret)
	answer, err := h.transport.RoundTrip(r)
	if err != nil {
		return false, false
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	return answer.StatusCode == http.StatusOK, answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusServiceUnavailable
}
