package plugins

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

// Own hands out plug-ins that ask for an origin of their own, each at a host name of its own, on
// a port that serves nothing else: no logs, no profiles, no page. Browsers keep such plug-ins
// apart from the viewer and from each other, as sites are.
//
//	GET /plugins/NAME/FILE                     a file of the plug-in; HTML has the viewer's shim first
//	GET /plugins/NAME/tensorbored_entry.html   a document that loads its module
//	GET /plugins/NAME/tensorbored_worker.js    the service worker that asks the viewer for routes
//	GET /plugins/NAME/tensorbored_own.json     {key, files, routes}; the viewer's page reads it too
type Own struct {
	store   *Store
	pattern string // origin with a star for the plug-in's name
	host    string // of pattern, without the port
	key     string // tells the page that it is this server which answers
	worker  string
	// Embed are sites that may frame the viewer, and so what is framed in it, and may read nothing: see
	// guard.Config.
	Embed []string

	mu      sync.Mutex
	viewers []string // hosts and ports by which the page was asked for
}

// mostViewers is how many names of one server are remembered.
const mostViewers = 16

// PatternError says that a --plugin_origin is none.
type PatternError struct{ Pattern string }

// Error names the value and the right form.
func (e *PatternError) Error() string {
	return "--plugin_origin " + e.Pattern + ` is no origin of plug-ins: write "own", or scheme and host with a star for a plug-in's name, as https://*.plugins.example.org`
}

var patterns = regexp.MustCompile(`^https?://\*(\.[a-z0-9-]+)+(:\d{1,5})?$`)

// NewOwn gives the plug-ins of a store origins by pattern, an origin whose host's name begins
// with "*.": a plug-in's own name stands for the star. worker is the service worker's script. The
// error is a *PatternError.
func NewOwn(s *Store, pattern, worker string) (*Own, error) {
	u, err := url.Parse(strings.Replace(pattern, "*", "x", 1))
	if err != nil || !patterns.MatchString(pattern) {
		return nil, &PatternError{pattern}
	}
	return &Own{store: s, pattern: pattern, host: "*" + strings.TrimPrefix(u.Hostname(), "x"), key: rand.Text(), worker: worker}, nil
}

// Origins is what a policy calls all origins of plug-ins.
func (o *Own) Origins() string { return o.pattern }

// label is a plug-in's part of a host's name, which knows no capitals and no underscore.
func label(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "p" + hex.EncodeToString(sum[:8])
}

// Address is that of a plug-in's folder at its own origin.
func (o *Own) Address(name string) string {
	return strings.Replace(o.pattern, "*", label(name), 1) + "/plugins/" + name + "/"
}

// saw remembers that the viewer is called by this host and port: its page may frame plug-ins.
func (o *Own) saw(host string) {
	if !hosts.MatchString(host) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.viewers, host); i >= 0 {
		o.viewers = slices.Delete(o.viewers, i, i+1)
	}
	o.viewers = append(o.viewers, host)
	if len(o.viewers) > mostViewers {
		o.viewers = o.viewers[1:]
	}
}

// hosts are such as a policy can name.
var hosts = regexp.MustCompile(`^[A-Za-z0-9.-]+(:\d{1,5})?$`)

// ancestors are the origins that may frame a plug-in besides itself.
func (o *Own) ancestors() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []string
	for _, h := range o.viewers {
		all = append(all, "http://"+h, "https://"+h) // a proxy may have taken the encryption off
	}
	return all
}

// ServeHTTP answers at the plug-ins' own origins.
func (o *Own) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", guard.OwnPolicy+"; frame-ancestors "+strings.Join(slices.Concat([]string{"'self'"}, o.ancestors(), o.Embed), " "))
	h.Set(guard.AllowlistHeader, guard.Allowlist)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Origin-Agent-Cluster", "?1")
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	// A plug-in is found by both the host's name and the path, so that none is at another's origin.
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name, file, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/plugins/"), "/")
	i := slices.IndexFunc(o.store.Plugins, func(p *Plugin) bool { return p.Name == name && p.Isolation == plugin.Origin })
	if i < 0 || !ok || !strings.HasPrefix(r.URL.Path, "/plugins/") || !strings.EqualFold(host, strings.Replace(o.host, "*", label(name), 1)) {
		http.Error(w, "There is no plug-in at this address. The viewer, whose address the server printed, opens plug-ins.\n", http.StatusNotFound)
		return
	}
	p := o.store.Plugins[i]
	// Another service worker could answer with documents that have no policy.
	if r.Header.Get("Service-Worker") != "" && file != plugin.Worker {
		http.Error(w, "A plug-in has one service worker, the viewer's.\n", http.StatusForbidden)
		return
	}
	switch file {
	case plugin.Worker:
		h.Set("Content-Type", types[".js"])
		h.Set("Cache-Control", "no-cache")
		fmt.Fprint(w, o.worker)
	case plugin.Own:
		h.Add("Vary", "Origin")
		h.Set("Cache-Control", "no-store")
		if origin := r.Header.Get("Origin"); slices.Contains(o.ancestors(), origin) {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		files, err := p.Files()
		if err != nil {
			answer.Fail(w, http.StatusInternalServerError, err.Error(), "look at the folders of --plugin_dir")
			return
		}
		h.Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"key": o.key, "files": files, "routes": p.Routes})
	default:
		o.store.file(w, r, p, file)
	}
}
