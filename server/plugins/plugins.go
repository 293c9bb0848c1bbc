// Package plugins hands out the plug-ins in some directories: their list and their files, to
// frames of opaque origin. It runs none of them and parses their manifests only.
//
// Below the page's prefix:
//
//	GET ./plugins/index.json      what there is; see shared/plugin
//	GET ./plugins/NAME/FILE       a file of a plug-in; HTML has the viewer's shim first
//	GET ./plugins/NAME/tensorbored_entry.html   a document that loads its module
//	GET ./plugins/NAME/.live      tells that its files have changed, where that is asked for
//
// A frame's origin is opaque, so modules and fonts are requests of origin "null", without
// cookies: plug-ins' files may be read by anybody who reaches the server, as the page's own
// scripts may. Nothing else is ever given with Access-Control-Allow-Origin: *.
package plugins

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

// Plugin is one of a Store.
type Plugin struct {
	*plugin.Manifest
	Dir    string
	Values plugin.Values
	root   *os.Root
}

// Store is the plug-ins of some directories.
type Store struct {
	Plugins  []*Plugin
	Problems []string // plug-ins that were left out, in words
	Shim     string   // the script that stands first in their documents
	Live     bool     // tell when files change
	Own      *Own     // gives plug-ins origins of their own; nil: nobody does
}

// TwiceError says that two plug-ins have the same name.
type TwiceError struct{ Name, First, Second string }

// Error names both folders.
func (e *TwiceError) Error() string {
	return fmt.Sprintf("two plug-ins are called %s, in %s and in %s: remove one, or rename it in its %s", e.Name, e.First, e.Second, plugin.FileName)
}

// Open reads the plug-ins in dirs: those that hold a plugin.json, and each child that does. A
// manifest that is wrong leaves its plug-in out. The error is a *TwiceError, or says which
// directory cannot be read.
func Open(dirs []string) (*Store, error) {
	s := &Store{}
	for _, dir := range dirs {
		folders := []string{dir}
		if _, err := os.Stat(filepath.Join(dir, plugin.FileName)); err != nil {
			entries, err := os.ReadDir(dir)
			if err != nil {
				s.Close()
				return nil, fmt.Errorf("--plugin_dir %s cannot be read: %w", dir, err)
			}
			folders = nil
			for _, e := range entries {
				if p := filepath.Join(dir, e.Name()); fileExists(filepath.Join(p, plugin.FileName)) {
					folders = append(folders, p)
				}
			}
			if len(folders) == 0 {
				s.Problems = append(s.Problems, fmt.Sprintf("%s holds no plug-in: a plug-in is a folder with a %s", dir, plugin.FileName))
			}
		}
		for _, f := range folders {
			p, err := load(f)
			if err != nil {
				s.Problems = append(s.Problems, fmt.Sprintf("the plug-in in %s was left out: %v", f, err))
				continue
			}
			if i := slices.IndexFunc(s.Plugins, func(o *Plugin) bool { return strings.EqualFold(o.Name, p.Name) }); i >= 0 {
				p.root.Close()
				s.Close()
				return nil, &TwiceError{p.Name, s.Plugins[i].Dir, p.Dir}
			}
			s.Plugins = append(s.Plugins, p)
		}
	}
	return s, nil
}

func fileExists(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Mode().IsRegular()
}

// load opens one plug-in, and looks whether the files that its manifest names are there.
func load(dir string) (*Plugin, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	p, err := check(dir, root)
	if err != nil {
		root.Close()
	}
	return p, err
}

func check(dir string, root *os.Root) (*Plugin, error) {
	f, err := root.Open(plugin.FileName)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, plugin.MaxManifest+1))
	f.Close()
	if err != nil {
		return nil, err
	}
	m, err := plugin.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plugin.FileName, err)
	}
	p := &Plugin{Manifest: m, Dir: dir, root: root}
	need := map[string]string{"frontend_metadata.es_module_path": m.Frontend.ESModulePath}
	if m.Backend != nil {
		need["backend.path"] = m.Backend.Path
		if m.Backend.Exec != "" {
			need["backend.exec"] = m.Backend.Exec
		}
	}
	for field, name := range need {
		if fi, err := root.Stat(name[1:]); err != nil || !fi.Mode().IsRegular() {
			return nil, &plugin.FieldError{Field: field, Why: name + " is not there"}
		}
	}
	if m.Backend != nil && m.Backend.SHA256 != "" {
		data, err := root.ReadFile(m.Backend.Path[1:])
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != m.Backend.SHA256 {
			return nil, &plugin.FieldError{Field: "backend.sha256", Why: "is not that of " + m.Backend.Path + ", which is " + hex.EncodeToString(sum[:])}
		}
	}
	if _, err := p.Files(); err != nil {
		return nil, err
	}
	return p, nil
}

// Close closes the directories.
func (s *Store) Close() {
	for _, p := range s.Plugins {
		p.root.Close()
	}
}

// Files lists the plug-in's files by relative path, without its manifest, hidden ones and
// node_modules. Links are followed as long as they stay in the folder.
func (p *Plugin) Files() ([]string, error) {
	var names []string
	sum := int64(0)
	err := fs.WalkDir(p.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || name == plugin.FileName || plugin.Made(name) || !plugin.FilePath(name) {
			return nil
		}
		fi, err := p.root.Stat(name)
		if err != nil || !fi.Mode().IsRegular() {
			return nil // a link that leaves the folder, a socket
		}
		if sum += fi.Size(); len(names) >= plugin.MaxFiles || sum > plugin.MaxBytes {
			return fmt.Errorf("its folder has more than %d files or %d MB: a plug-in may have so much; does it hold something else?", plugin.MaxFiles, plugin.MaxBytes>>20)
		}
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	return names, err
}

// Read reads a file of the plug-in as it is given out: HTML with the shim in it. meta is a
// policy that stands in the document too, for hosts that send none; "" is none.
func (s *Store) Read(p *Plugin, name, meta string) ([]byte, error) {
	if name == plugin.Entry {
		return s.inject([]byte(entry(p.Manifest)), meta), nil
	}
	data, err := p.root.ReadFile(name)
	if err == nil && isHTML(name) {
		data = s.inject(data, meta)
	}
	return data, err
}

func isHTML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm"
}

// entry is the document that loads a plug-in's module.
func entry(m *plugin.Manifest) string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>` + html.EscapeString(m.Title()) + `</title><body><script>tbPlugin.start(` +
		strconv.Quote(m.Frontend.ESModulePath[1:]) + `).catch(() => {});</script></body></html>`
}

// inject puts the shim before everything in a document but its doctype.
func (s *Store) inject(doc []byte, meta string) []byte {
	at := 0
	rest := bytes.TrimLeft(bytes.TrimPrefix(doc, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(rest) >= 9 && strings.EqualFold(string(rest[:9]), "<!doctype") {
		if i := bytes.IndexByte(rest, '>'); i >= 0 {
			at = len(doc) - len(rest) + i + 1
		}
	}
	head := ""
	if meta != "" {
		head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(meta) + `">`
	}
	return slices.Concat(doc[:at], []byte(head+"<script>"+s.Shim+"</script>"), doc[at:])
}

// Listing lists the plug-ins.
func (s *Store) Listing() (*plugin.Listing, error) {
	l := &plugin.Listing{}
	for _, p := range s.Plugins {
		files, err := p.Files()
		if err != nil {
			l.Problems = append(l.Problems, p.Name+": "+err.Error())
			continue
		}
		one := plugin.Listed{Manifest: *p.Manifest, Files: files, Values: p.Values}
		if s.Live {
			one.Live = ".live"
		}
		if s.Own != nil && p.Isolation == plugin.Origin {
			one.Origin, one.Key = s.Own.Address(p.Name), s.Own.key
		}
		l.Plugins = append(l.Plugins, one)
	}
	return l, nil
}

// Attribute is what the page's document has where there are plug-ins.
const Attribute = ` data-plugins="` + plugin.IndexPath + `"`

// types are the content types of plug-ins' files; what is not among them is bytes.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".csv": "text/csv; charset=utf-8", ".gif": "image/gif", ".htm": "text/html; charset=utf-8", ".html": "text/html; charset=utf-8",
	".ico": "image/x-icon", ".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".mjs": "text/javascript; charset=utf-8", ".mp3": "audio/mpeg", ".mp4": "video/mp4", ".otf": "font/otf", ".png": "image/png", ".svg": "image/svg+xml",
	".ttf": "font/ttf", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm", ".wav": "audio/wav", ".webp": "image/webp", ".woff": "font/woff", ".woff2": "font/woff2",
}

// ServeHTTP answers below "plugins/", which the caller has cut off.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	h := w.Header()
	if r.URL.Path == "index.json" {
		l, err := s.Listing()
		var text []byte
		if err == nil {
			text, err = l.Append(nil)
		}
		if err != nil {
			answer.Fail(w, http.StatusInternalServerError, err.Error(), "look at the folders of --plugin_dir")
			return
		}
		if s.Own != nil {
			s.Own.saw(r.Host)
		}
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-cache")
		w.Write(text)
		return
	}
	name, file, _ := strings.Cut(r.URL.Path, "/")
	i := slices.IndexFunc(s.Plugins, func(p *Plugin) bool { return p.Name == name })
	if i < 0 {
		answer.Fail(w, http.StatusNotFound, "no plug-in is called "+name, "look at "+plugin.IndexPath+" for those that there are")
		return
	}
	p := s.Plugins[i]
	if file == ".live" && s.Live {
		s.live(w, r, p)
		return
	}
	h.Set("Content-Security-Policy", guard.PluginPolicy)
	h.Set(guard.AllowlistHeader, guard.Allowlist)
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	s.file(w, r, p, file)
}

// file answers with a file of a plug-in. The caller has set the policy.
func (s *Store) file(w http.ResponseWriter, r *http.Request, p *Plugin, file string) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if !plugin.FilePath(file) || file == plugin.FileName || plugin.Made(file) && file != plugin.Entry || strings.HasPrefix(path.Base(file), ".") {
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Type", "application/octet-stream")
	if t := types[strings.ToLower(path.Ext(file))]; t != "" {
		h.Set("Content-Type", t)
	}
	if isHTML(file) {
		data, err := s.Read(p, file, "")
		if err != nil {
			h.Del("Content-Type")
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		return
	}
	f, err := p.root.Open(file)
	if err != nil {
		h.Del("Content-Type")
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		h.Del("Content-Type")
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, "", fi.ModTime(), f)
}

// live tells, as server-sent events, that a file has changed.
func (s *Store) live(w http.ResponseWriter, r *http.Request, p *Plugin) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	flush := http.NewResponseController(w)
	last := p.stamp() // before anybody is told that changes are seen from here on
	fmt.Fprint(w, ": begins\n\n")
	flush.Flush()
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		if now := p.stamp(); now != last {
			last = now
			fmt.Fprintf(w, "data: %s\n\n", now)
			if flush.Flush() != nil {
				return
			}
		}
	}
}

// stamp changes with the plug-in's files.
func (p *Plugin) stamp() string {
	names, err := p.Files()
	if err != nil {
		return err.Error()
	}
	sum := sha256.New()
	for _, n := range append(names, plugin.FileName) {
		if fi, err := p.root.Stat(n); err == nil {
			fmt.Fprintln(sum, n, fi.Size(), fi.ModTime().UnixNano())
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Page is a site whose page knows of the plug-ins.
func Page(site fs.FS) fs.FS {
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return site
	}
	const at = " data-program="
	return &paged{site, bytes.Replace(page, []byte(at), []byte(Attribute+at), 1)}
}

type paged struct {
	fs.FS
	page []byte
}

// ReadFile implements fs.ReadFileFS.
func (p *paged) ReadFile(name string) ([]byte, error) {
	if name == "index.html" {
		return bytes.Clone(p.page), nil
	}
	return fs.ReadFile(p.FS, name)
}

// SetValues sets the values of flags that were given, by plug-in's flag. The error is a
// *plugin.ValueError.
func (s *Store) SetValues(given map[string]string) error {
	var all error
	for _, p := range s.Plugins {
		v, err := p.Manifest.Values(given)
		all = errors.Join(all, err)
		p.Values = v
	}
	return all
}
