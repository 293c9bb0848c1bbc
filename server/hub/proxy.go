package hub

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/hub/page"
	"github.com/tensorbored/tensorbored-static/server/hub/viewer"
)

// beatLeast and beatMost bound how often a visible page says that it is looked at.
const beatLeast, beatMost = time.Second, time.Minute

// prefix is what stands before the hub's addresses, with a slash at both ends.
func (h *Hub) prefix() string { return server.CleanPrefix(h.o.Prefix) + "/" }

// Handler answers on the hub's port: its page, the API, and the viewers below /proxy/.
// Who has the token may use it; the pages themselves, in which there is nothing to read,
// are given to everybody, as those of package server are. The error is a
// *guard.OriginError.
func (h *Hub) Handler() (http.Handler, error) {
	return guard.New(guard.Config{Hosts: h.o.Hosts}, http.HandlerFunc(h.route))
}

func (h *Hub) route(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, h.prefix())
	if !ok {
		if r.URL.Path+"/" == h.prefix() {
			http.Redirect(w, r, h.prefix(), http.StatusTemporaryRedirect)
			return
		}
		http.NotFound(w, r)
		return
	}
	switch {
	case rest == "" || rest == "index.html":
		if !h.enter(w, r) {
			page.Serve(w, r, "index.html")
		}
	case strings.HasPrefix(rest, "hub/"):
		page.Serve(w, r, strings.TrimPrefix(rest, "hub/"))
	case rest == "icon.svg" || rest == "favicon.ico":
		page.Serve(w, r, "icon.svg")
	case strings.HasPrefix(rest, "api/"):
		if h.o.Token.Allow(w, r) {
			h.serveAPI(w, r, strings.TrimPrefix(rest, "api/"), false)
		}
	case strings.HasPrefix(rest, "proxy/"):
		h.proxy(w, r, strings.TrimPrefix(rest, "proxy/"))
	default:
		http.NotFound(w, r)
	}
}

// enter takes a token from the link, for all of the hub's addresses.
func (h *Hub) enter(w http.ResponseWriter, r *http.Request) bool {
	return h.o.Token.EnterAt(w, r, h.prefix(), r.URL.Path)
}

// proxy answers below /proxy/<id>/.
func (h *Hub) proxy(w http.ResponseWriter, r *http.Request, path string) {
	id, rest, ok := strings.Cut(path, "/")
	h.mu.Lock()
	i := h.instances[id]
	h.mu.Unlock()
	if i == nil {
		answer.Fail(w, http.StatusNotFound, "service not found: "+id, "it has ended, or never was: the hub's page lists those that there are")
		return
	}
	if !ok {
		http.Redirect(w, r, h.prefix()+i.Path, http.StatusTemporaryRedirect)
		return
	}
	isPage := rest == "" || rest == "index.html"
	switch {
	case isPage && h.enter(w, r):
		return
	case rest == viewer.HubScript:
		page.Serve(w, r, "viewer.js")
		return
	case rest == "heartbeat":
		if h.o.Token.Allow(w, r) && answer.Allow(w, r, http.MethodPost) {
			h.heartbeat(w, i)
		}
		return
	case rest == viewer.ReadyPath:
		http.NotFound(w, r) // between the hub and the viewer
		return
	}
	known := allowed(h.o.Token, r)
	if strings.HasPrefix(rest, "data/") && !known {
		h.o.Token.Allow(w, r) // answers
		return
	}
	h.mu.Lock()
	at, live, status := i.answers, i.Live() && i.Ending == "", i.ExitStatus
	// The line to a reader lasts as long as its tab, hidden or not: it says nothing of who looks.
	looks := known && live && rest != "data/"+server.NearPath
	if looks {
		i.last = clock.Now()
		i.open++
	}
	h.mu.Unlock()
	if looks {
		// A long answer is watched as long as it lasts.
		defer func() {
			h.mu.Lock()
			i.open--
			i.last = clock.Now()
			h.mu.Unlock()
		}()
	}
	switch {
	case live && at != "":
		h.forward(w, r, i, at)
	case isPage:
		page.Serve(w, r, "wait.html")
	case strings.HasPrefix(rest, "assets/"):
		http.NotFound(w, r)
	case live:
		w.Header().Set("Retry-After", "1")
		answer.Fail(w, http.StatusServiceUnavailable, "this viewer is not there yet", "wait; the hub's page says what it waits for")
	default:
		why := "it is being ended"
		if status != nil {
			why = *status
		}
		answer.Fail(w, http.StatusGone, "this viewer has ended: "+why, "start it again from the hub's page")
	}
}

// allowed reports whether a request has the token, without an answer.
func allowed(t guard.Token, r *http.Request) bool {
	return t.Allow(nobody{http.Header{}}, r)
}

// nobody hears what is answered.
type nobody struct{ h http.Header }

func (n nobody) Header() http.Header         { return n.h }
func (n nobody) Write(b []byte) (int, error) { return len(b), nil }
func (n nobody) WriteHeader(int)             {}

// heartbeat notes that a page is looked at, and says how soon to say so again.
func (h *Hub) heartbeat(w http.ResponseWriter, i *instance) {
	h.mu.Lock()
	i.last = clock.Now()
	s := i.shown(clock.Now())
	every := beatMost
	if i.idle > 0 {
		every = max(beatLeast, min(beatMost, i.idle/3))
	}
	h.mu.Unlock()
	reply(w, http.StatusOK, map[string]any{"every": every.Seconds(), "state": s.State, "exitStatus": s.ExitStatus})
}

// forward hands a request to a viewer, with the secret in place of the user's token. What
// the guard has checked is not checked again: the viewer has another name.
func (h *Hub) forward(w http.ResponseWriter, r *http.Request, i *instance, at string) {
	p := httputil.ReverseProxy{
		Transport:     h.transport,
		FlushInterval: -1,
		ErrorLog:      h.o.Log,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL = &url.URL{Scheme: "http", Host: at, Path: p.In.URL.Path, RawPath: p.In.URL.RawPath, RawQuery: p.In.URL.RawQuery}
			p.Out.Host = "localhost"
			for _, name := range []string{"Cookie", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Referer", "Authorization"} {
				p.Out.Header.Del(name)
			}
			if allowed(h.o.Token, p.In) {
				p.Out.Header.Set("Authorization", "Bearer "+i.secret)
			}
		},
		ModifyResponse: func(a *http.Response) error {
			// The viewer's own headers of the guard; ours would stand there twice.
			for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy"} {
				w.Header().Del(name)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				return
			}
			h.kick()
			answer.Fail(w, http.StatusBadGateway, "the viewer does not answer ("+err.Error()+")", "it may just have ended: the hub's page says so")
		},
	}
	p.ServeHTTP(w, r)
}
