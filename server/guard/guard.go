// Package guard stands before every route: it refuses requests that another site
// may have made, and sets the headers that keep logged data from becoming code.
package guard

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
)

// Policy is the page's content security policy: scripts and the program come from
// this origin only, but for the one line of index.html that asks for the program, whose
// hash stands here; nothing is evaluated but WebAssembly, and strings become
// script addresses only through the page's policy named "app"; "dompurify" is that of
// the library which cleans Markdown.
//
// MetaPolicy is the same for a <meta> element, as static hosts need it, where
// frame-ancestors is not allowed.
const (
	MetaPolicy = "default-src 'none'; script-src 'self' 'sha256-oryr/axykp1GL3uI9It3YhIOaK9ZWyTCM84tXn35wCY=' 'wasm-unsafe-eval'; style-src 'self'; " +
		"img-src 'self' blob: data:; media-src blob:; font-src 'self'; connect-src 'self'; " +
		"worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
		"object-src 'none'; require-trusted-types-for 'script'; trusted-types app dompurify"
	Policy = MetaPolicy + "; frame-ancestors 'self'"
)

// What plug-ins may do: scripts of any sort, in an opaque origin, and nothing of the network.
// OwnPolicy is that of a plug-in at an origin of its own, without those who may frame it.
// PluginPolicy is that of the files of a plug-in that is served, which may load each other;
// "sandbox" makes one opaque also when it is opened by itself. FramePolicy is that of the
// document whose files were handed over, and of the workers of back ends; it stands in the
// document too, for static hosts. Policies of frames are their own: only srcdoc, blob: and about:
// inherit the page's.
const (
	sandbox     = "sandbox allow-scripts; "
	FramePolicy = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob: data:; style-src 'unsafe-inline' blob: data:; " +
		"img-src blob: data:; font-src blob: data:; media-src blob: data:; connect-src blob: data:; worker-src blob: data:; " +
		"frame-src blob: data:; base-uri https://plugin.invalid; form-action 'none'; object-src 'none'"
	PluginPolicy     = sandbox + PluginMetaPolicy
	PluginMetaPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; style-src 'self' 'unsafe-inline' blob: data:; " +
		"img-src 'self' blob: data:; font-src 'self' blob: data:; media-src 'self' blob: data:; connect-src 'self' blob: data:; " +
		"worker-src 'self' blob: data:; frame-src 'self' blob: data:; base-uri 'self'; form-action 'none'; object-src 'none'"
	ServedFramePolicy = sandbox + FramePolicy
	// Allowlist is the value of AllowlistHeader for all that plug-ins run: a policy stops requests, and
	// neither WebRTC nor connections that are opened in advance. Browsers that know it ask nobody else
	// for those either; Chromium 156 does, Firefox 153 does not.
	AllowlistHeader = "Connection-Allowlist"
	Allowlist       = "(response-origin)"
	OwnPolicy       = "sandbox allow-scripts allow-same-origin; " + PluginMetaPolicy
)

// Config is what may be let through.
type Config struct {
	Hosts Hosts
	// Origins are the origins ("https://host:port") whose pages may read the
	// data routes and send batch requests, besides our own.
	Origins []string
	// Connect are origins besides our own that the page may read.
	Connect []string
	// Frames are origins besides our own, or such with a star for a part of the name, that the page
	// may read and frame.
	Frames []string
	// Embed are those besides our own origin whose pages may show ours in a frame: an origin, in which
	// "*" may stand for the first part of the name and for the port, or a scheme ("vscode-webview:").
	// "*" is every site of the web: only for a page whose address nobody guesses, since what a frame
	// shows can be clicked without being seen.
	Embed []string
	// BodyTime is how long a request's body may take to come; 0 means a minute.
	BodyTime time.Duration
}

// OriginError says that an --allow-origin value is not an origin.
type OriginError struct{ Origin string }

// Error names the value and the right form.
func (e *OriginError) Error() string {
	return "origin " + e.Origin + " is not one: write scheme and host without a path, as https://example.org"
}

// EmbedError says that an --allow-frame value is none.
type EmbedError struct{ Site string }

// Error names the value and the right form.
func (e *EmbedError) Error() string {
	return "site " + e.Site + " is not one: write scheme and host without a path, as https://example.org or http://localhost:*, or a scheme, as vscode-webview:"
}

// embeds are the sites that Embed may have: sources of a policy (CSP 3, 2.3.1) that leave open neither
// everything nor, by a space or a semicolon, what comes after them.
var embeds = regexp.MustCompile(`^(\*|https?://(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:(\d{1,5}|\*))?|[a-z][a-z0-9+.-]*:)$`)

// New returns next behind the guard. The error is an *OriginError or an *EmbedError.
func New(c Config, next http.Handler) (http.Handler, error) {
	cross := http.NewCrossOriginProtection()
	for _, o := range c.Origins {
		// "*" is refused here too: logs are private by default.
		if err := cross.AddTrustedOrigin(o); err != nil {
			return nil, &OriginError{o}
		}
	}
	for _, site := range c.Embed {
		if !embeds.MatchString(site) || site == "http:" || site == "https:" {
			return nil, &EmbedError{site}
		}
	}
	deny := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer.Fail(w, http.StatusForbidden, "this request comes from another site",
			"if that site is yours, start the server with --allow-origin ORIGIN")
	})
	cross.SetDenyHandler(deny)
	return headers(strings.Join(append([]string{c.Widen(Policy)}, c.Embed...), " "), bodies(c.BodyTime, c.Hosts.check(preflight(c.Origins, upgrades(cross, deny, cross.Handler(next)))))), nil
}

// upgrades judges a request for another protocol as one that changes something: it is a GET,
// and browsers let pages of every site open WebSockets everywhere, cookies included.
func upgrades(cross *http.CrossOriginProtection, deny, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			as := *r
			as.Method = http.MethodPost
			if cross.Check(&as) != nil {
				deny.ServeHTTP(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Widen is a policy of the page with the further origins that it may read and frame.
func (c Config) Widen(policy string) string {
	for at, origins := range map[string][]string{"connect-src 'self'": slices.Concat(c.Connect, c.Frames), "frame-src 'self'": c.Frames} {
		if len(origins) > 0 {
			policy = strings.Replace(policy, at, at+" "+strings.Join(origins, " "), 1)
		}
	}
	return policy
}

func headers(policy string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// preflight lets the pages of origins read the answers.
func preflight(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !slices.Contains(origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "ETag, Content-Range, Content-Length")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
			h.Set("Access-Control-Allow-Headers", strings.Join([]string{"Authorization", "Content-Type", "Range", "If-None-Match", "If-Range"}, ", "))
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
