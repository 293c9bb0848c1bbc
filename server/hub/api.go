package hub

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
	"github.com/tensorbored/tensorbored-static/server/hub/store"
)

// maxRequest bounds a request's body.
const maxRequest = 1 << 20

// Listed is the answer to GET api/instances.
type Listed struct {
	Instances []Instance `json:"instances"`
	// Problems say which states may be old, and why.
	Problems []string `json:"problems,omitempty"`
	Drivers  []string `json:"drivers"`
	Host     string   `json:"host"`
}

// SocketHandler answers on the unix socket, the API and whatever hub --stop needs. Who may
// connect is the socket's matter.
func (h *Hub) SocketHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.serveAPI(w, r, strings.TrimPrefix(r.URL.Path, "/api/"), true)
	})
}

// serveAPI is
//
//	GET  instances                 Listed
//	POST instances                 Request → Started
//	GET  instances/<id>            Instance
//	GET  instances/<id>/logs       text; tail=N, head=N, follow=1
//	GET  instances/<id>/config     YAML
//	POST instances/<id>/kill
//	GET  names                     experiments that can be named
//	POST stop                      on the socket alone
func (h *Hub) serveAPI(w http.ResponseWriter, r *http.Request, path string, own bool) {
	h.mu.Lock()
	h.used = clock.Now()
	h.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	parts := strings.Split(path, "/")
	switch {
	case path == "instances" && r.Method == http.MethodPost:
		h.postStart(w, r)
	case path == "instances":
		if answer.Allow(w, r, http.MethodGet, http.MethodPost) {
			h.refresh(r)
			h.mu.Lock()
			listed := Listed{Host: h.host}
			for name, why := range h.trouble {
				if why != "" {
					listed.Problems = append(listed.Problems, "States of viewers by "+name+" may be old: "+why)
				}
			}
			for _, d := range h.o.Drivers {
				listed.Drivers = append(listed.Drivers, d.Name())
			}
			h.mu.Unlock()
			listed.Instances = h.list()
			reply(w, http.StatusOK, listed)
		}
	case path == "names":
		if answer.Allow(w, r, http.MethodGet) {
			c, err := h.o.Config.Config("configuration")
			names := []string{}
			if err == nil {
				names = append(names, c.Store().Names()...)
			}
			reply(w, http.StatusOK, names)
		}
	case path == "stop" && own:
		if answer.Allow(w, r, http.MethodPost) {
			w.WriteHeader(http.StatusNoContent)
			h.o.Stop()
		}
	case parts[0] == "instances" && len(parts) <= 3:
		i, err := h.find(parts[1])
		if err != nil {
			answer.Fail(w, http.StatusNotFound, err.Error(), "")
			return
		}
		action := ""
		if len(parts) == 3 {
			action = parts[2]
		}
		h.serveInstance(w, r, i, action)
	default:
		http.NotFound(w, r)
	}
}

// refresh asks the drivers that must be asked, unless they were just now.
func (h *Hub) refresh(r *http.Request) {
	stale := false
	h.mu.Lock()
	for name, d := range h.drivers {
		refs, restless := h.refs(name)
		if restless {
			continue // Run asks just as often, and nobody must wait for its answer
		}
		if busy, _ := d.Poll(); len(refs) > 0 && busy > 0 && clock.Since(h.asked[name]) >= busy {
			stale = true
		}
	}
	h.mu.Unlock()
	if !stale {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.look(r.Context(), true)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second): // a cluster without an answer must not hold the list
	}
}

func (h *Hub) serveInstance(w http.ResponseWriter, r *http.Request, i *instance, action string) {
	switch action {
	case "":
		if !answer.Allow(w, r, http.MethodGet) {
			return
		}
		h.refresh(r)
		h.mu.Lock()
		s := i.shown(clock.Now())
		h.mu.Unlock()
		reply(w, http.StatusOK, s)
	case "config":
		if answer.Allow(w, r, http.MethodGet) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			io.WriteString(w, i.Config)
		}
	case "kill":
		if !answer.Allow(w, r, http.MethodPost) {
			return
		}
		h.kill(i, "killed by "+h.o.Owner)
		h.mu.Lock()
		s := i.shown(clock.Now())
		h.mu.Unlock()
		reply(w, http.StatusOK, s)
	case "logs":
		if answer.Allow(w, r, http.MethodGet) {
			h.logs(w, r, i)
		}
	default:
		http.NotFound(w, r)
	}
}

func (h *Hub) postStart(w http.ResponseWriter, r *http.Request) {
	// Forms of other sites cannot have this type without asking first.
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		answer.Fail(w, http.StatusUnsupportedMediaType, "a start is application/json", "send it with Content-Type: application/json")
		return
	}
	var q Request
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		answer.Fail(w, http.StatusBadRequest, "the request is not understood: "+err.Error(), "see docs/CLUSTER.md")
		return
	}
	s, err := h.start(r.Context(), q)
	if err != nil {
		status := http.StatusInternalServerError
		var request *RequestError
		var config *ConfigError
		var place *store.Error
		var refused *driver.RefusedError
		var full *state.WriteError
		switch {
		case errors.As(err, &request), errors.As(err, &config):
			status = http.StatusBadRequest
		case errors.As(err, &place):
			status = http.StatusNotFound
		case errors.As(err, &refused):
			status = http.StatusConflict
		case errors.As(err, &full):
			status = http.StatusInsufficientStorage
		}
		answer.Fail(w, status, err.Error(), "")
		return
	}
	reply(w, http.StatusOK, s)
}

// logs sends a viewer's log, to its end or, with follow, to the viewer's.
func (h *Hub) logs(w http.ResponseWriter, r *http.Request, i *instance) {
	q := r.URL.Query()
	number := func(name string) int {
		n, err := strconv.Atoi(q.Get(name))
		if err != nil || n < 0 {
			return -1
		}
		return n
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	l := logReader{path: i.dir + "/" + driver.LogFile, head: number("head"), tail: number("tail")}
	err := l.copy(w)
	flush := http.NewResponseController(w)
	for err == nil && q.Get("follow") != "" {
		_ = flush.Flush()
		h.mu.Lock()
		live := i.Live()
		h.mu.Unlock()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(200 * time.Millisecond):
		}
		err = l.copy(w)
		if !live {
			return
		}
	}
}

// reply sends JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	_ = e.Encode(v) // who has gone hears nothing
}
