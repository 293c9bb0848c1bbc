// Package server hands out the page and the files of one logdir, and writes nothing
// but, where that is allowed, its default profile. It
// knows no dashboard and parses nothing: everything is done in the page.
//
// Below the path prefix, which is "/" unless a proxy needs another:
//
//	GET  ./                      the page
//	GET  ./assets/<name>         its scripts, styles and program, immutable
//	GET  ./here                  nothing, readable for every site, where sites may frame the page
//	GET  ./data/listing.json     what the logdir holds; see shared/api
//	GET  ./data/files/<path>     one of the files named there, by Range
//	POST ./data/batch            ranges of several of them
//	GET  ./data/profile          the default profile
//	POST ./data/profile          another default profile, if that is allowed
//	     ./data/near             a reader beside the files, if there is one; see package near
//	GET  ./plugins/<path>        the plug-ins, if there are some; see server/plugins
//
// All addresses in the page and the listing are relative, so that the same page
// works here, behind a proxy's prefix, and on any static host.
package server

import (
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/assets"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/server/profiles"
)

// Config says what is served to whom.
type Config struct {
	Site   fs.FS        // the built page; see static.Dist
	Logdir *files.Store // nil serves the bare page, onto which folders are dropped
	Prefix string       // path before every route, e.g. "/tb"; see CleanPrefix
	Guard  guard.Config // who may ask
	Token  guard.Token  // who may read the data; "" for everybody who may ask
	Write  bool         // the default profile may be written
	Near   http.Handler // reads the files and says what is in them, see package near; nil: nobody does
	// Plugins are handed out too; nil: there are none.
	Plugins *plugins.Store
}

// NearPath is where a reader beside the files is asked, relative to the listing.
const NearPath = "near"

// CleanPrefix returns a path prefix as it is used: with a leading slash and
// without a trailing one; "" for none.
func CleanPrefix(prefix string) string {
	if prefix = strings.Trim(prefix, "/"); prefix == "" {
		return ""
	}
	return "/" + prefix
}

// New returns the server's handler. The error is a *guard.OriginError or a *guard.EmbedError.
func New(c Config) (http.Handler, error) {
	site := c.Site
	if c.Plugins != nil {
		site = plugins.Page(site)
	}
	if c.Plugins != nil && c.Plugins.Own != nil {
		c.Guard.Frames = append(slices.Clone(c.Guard.Frames), c.Plugins.Own.Origins())
		c.Plugins.Own.Embed = c.Guard.Embed
	}
	if len(c.Guard.Connect)+len(c.Guard.Frames) > 0 {
		site = assets.Connected(site, c.Guard)
	}
	return guard.New(c.Guard, &router{CleanPrefix(c.Prefix) + "/", assets.New(site), c.Logdir, c.Token, profiles.Handler(c.Logdir, c.Write),
		c.Near, c.Plugins, len(c.Guard.Embed) > 0})
}

type router struct {
	prefix string // with a slash at both ends
	page   http.Handler
	logdir *files.Store
	token  guard.Token
	shown  http.Handler // the default profile
	near   http.Handler
	others *plugins.Store
	framed bool // by other sites, which ask first whether the browser reaches this server
}

// ServeHTTP cuts the prefix and hands the rest on. http.ServeMux is not used: it
// answers an unclean path with a redirect to the cleaned one, which turns an
// attempt at traversal into a second guess instead of a refusal.
func (s *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, s.prefix)
	if !ok {
		if r.URL.Path+"/" == s.prefix { // relative addresses need the slash
			http.Redirect(w, r, s.prefix, http.StatusTemporaryRedirect)
			return
		}
		http.NotFound(w, r)
		return
	}
	if (rest == "" || rest == "index.html") && s.token.Enter(w, r, s.prefix) {
		return
	}
	if rest == "here" && s.framed {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	next := s.page
	if file, ok := strings.CutPrefix(rest, "plugins/"); ok && s.others != nil {
		if file == "index.json" && !s.token.Allow(w, r) { // it has the values of flags
			return
		}
		next, rest = s.others, file
	} else if data, ok := strings.CutPrefix(rest, "data/"); ok {
		if !s.token.Allow(w, r) {
			return
		}
		if s.logdir == nil && data == "listing.json" {
			w.WriteHeader(http.StatusNoContent) // asked by every page; an error would stand in its console
			return
		}
		if s.logdir == nil {
			answer.Fail(w, http.StatusNotFound, "no logdir is served here",
				"drop a folder onto the page, or start the server with --logdir DIR")
			return
		}
		next, rest = s.logdir, data
		if data == NearPath && s.near != nil {
			next = s.near
		}
		if data == "profile" {
			next = s.shown
		}
	}
	cut := *r
	u := *r.URL
	u.Path, u.RawPath = rest, ""
	cut.URL = &u
	next.ServeHTTP(w, &cut)
}
