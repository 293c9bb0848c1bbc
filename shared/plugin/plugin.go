// Package plugin is what a plug-in says of itself: the manifest, plugin.json, and the list of
// plug-ins that a server or a static host offers. Nothing in them is trusted; what is wrong is
// an error that names the field.
//
// A plug-in is a folder:
//
//	plugin.json    the manifest
//	index.js       its front end, a module with a function render, and what else that loads
//	backend.wasm   its back end, if it has one
//
// The fields under frontend_metadata, data_plugin_names and the form of routes are TensorBoard's
// (plugins/base_plugin.py, backend/application.py); docs/PLUGINS.md is the guide.
package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// FileName is the manifest's name in a plug-in's folder.
const FileName = "plugin.json"

// Entry is the name of the document that loads the front end's module. The server makes it, and
// pages writes it.
const Entry = "tensorbored_entry.html"

// Worker and Own are files that the server makes at a plug-in's own origin: its service worker,
// and what that must know.
const (
	Worker = "tensorbored_worker.js"
	Own    = "tensorbored_own.json"
)

// Made says whether a file of this name is the server's and not the plug-in's.
func Made(name string) bool { return name == Entry || name == Worker || name == Own }

// What a plug-in's manifest may ask for as its isolation.
const (
	Opaque = "opaque" // a sealed frame; also ""
	Origin = "origin" // an origin of its own, where the server gives one
)

// Version is the newest form of a manifest that is understood.
const Version = 1

// Limits of a plug-in.
const (
	MaxManifest = 64 << 10  // bytes of plugin.json
	MaxName     = 64        // bytes
	MaxList     = 1000      // routes, data names, flags, choices
	MaxFiles    = 10_000    // of one plug-in
	MaxBytes    = 512 << 20 // of all its files, unpacked
)

// Manifest is plugin.json.
type Manifest struct {
	ManifestVersion int      `json:"manifest_version"`
	Name            string   `json:"name"`
	Version         string   `json:"version,omitempty"`
	Description     string   `json:"description,omitempty"`
	Frontend        Frontend `json:"frontend_metadata"`
	// DataPluginNames are the plug-ins whose data it shows; it is active where there are some.
	// Without them its back end is asked.
	DataPluginNames []string `json:"data_plugin_names,omitempty"`
	Routes          []string `json:"routes,omitempty"`
	Backend         *Backend `json:"backend,omitempty"`
	Flags           []Flag   `json:"flags,omitempty"`
	Isolation       string   `json:"isolation,omitempty"` // Opaque, Origin or ""
}

// Frontend is TensorBoard's FrontendMetadata.
type Frontend struct {
	ESModulePath  string `json:"es_module_path,omitempty"` // begins with "/": a file of the plug-in
	ElementName   string `json:"element_name,omitempty"`   // built-in ones only: always refused
	TabName       string `json:"tab_name,omitempty"`       // "": the plug-in's name
	DisableReload bool   `json:"disable_reload,omitempty"`
	RemoveDOM     bool   `json:"remove_dom,omitempty"`
}

// Kinds of back ends.
const (
	WASIP1 = "wasip1" // a reactor: see shared/tbplugin
	GoJS   = "go-js"  // GOOS=js, with the wasm_exec.js of its Go
	Module = "module" // a JavaScript module with a function request
)

// Backend is what answers a plug-in's routes, in a worker of its own.
type Backend struct {
	Type   string `json:"type"`
	Path   string `json:"path"`             // begins with "/"
	Exec   string `json:"exec,omitempty"`   // of GoJS: wasm_exec.js
	SHA256 string `json:"sha256,omitempty"` // of Path's content, 64 hexadecimal digits
}

// FieldError says what is wrong with a field of a manifest.
type FieldError struct {
	Field string // as in the JSON: "frontend_metadata.es_module_path"
	Why   string // what is wrong and what to write
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Why }

func wrong(field, format string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(format, args...)}
}

// Parse reads a manifest and checks it. The error is a *FieldError where a field is wrong.
func Parse(text []byte) (*Manifest, error) {
	if len(text) > MaxManifest {
		return nil, wrong(FileName, "is longer than %d KiB", MaxManifest>>10)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	m := &Manifest{}
	err := d.Decode(m)
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed) && typed.Field != "":
		return nil, wrong(typed.Field, "must be a %s, not a %s", kindOf(typed.Type.String()), typed.Value)
	case err != nil:
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok && name != `""` {
			return nil, wrong(strings.Trim(name, `"`), "is no field of a manifest: remove it")
		}
		return nil, wrong(FileName, "is no JSON object: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, wrong(FileName, "goes on after its object: remove the rest")
	}
	return m, m.Check()
}

// kindOf is a Go type as JSON's users call it.
func kindOf(t string) string {
	switch {
	case t == "bool":
		return "true or false"
	case t == "string":
		return "text"
	case strings.HasPrefix(t, "[]"):
		return "list"
	case strings.HasPrefix(t, "int"), strings.HasPrefix(t, "float"):
		return "number"
	}
	return "object"
}

// Name says whether a name may be a plug-in's: TensorBoard's rule, with a limit.
func Name(name string) bool {
	if name == "" || len(name) > MaxName {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// Boards are the names of the viewer's own dashboards, which no plug-in may take.
var Boards = []string{"timeseries", "scalars", "hparams", "custom_scalars", "images", "audio", "distributions", "histograms", "text", "pr_curves",
	"mesh", "graphs", "projector", "core", "debugger-v2"}

// Check finds what is wrong with a manifest; the first is told.
func (m *Manifest) Check() error {
	if m.ManifestVersion < 1 || m.ManifestVersion > Version {
		return wrong("manifest_version", "must be %d; %d is not known here", Version, m.ManifestVersion)
	}
	if !Name(m.Name) {
		return wrong("name", "must have 1 to %d letters, digits, _ and -", MaxName)
	}
	if slices.ContainsFunc(Boards, func(b string) bool { return strings.EqualFold(b, m.Name) }) {
		return wrong("name", "%q is the name of a dashboard of the viewer: choose another", m.Name)
	}
	if err := texts("version", 64, m.Version); err != nil {
		return err
	}
	if err := texts("description", 2000, m.Description); err != nil {
		return err
	}
	if err := m.Frontend.check(); err != nil {
		return err
	}
	if len(m.DataPluginNames) > MaxList {
		return wrong("data_plugin_names", "has more than %d names", MaxList)
	}
	for i, n := range m.DataPluginNames {
		if n == "" || len(n) > 256 {
			return wrong(fmt.Sprintf("data_plugin_names[%d]", i), "must be the name of a plug-in in a summary's metadata")
		}
	}
	if len(m.Routes) > MaxList {
		return wrong("routes", "has more than %d routes", MaxList)
	}
	for i, r := range m.Routes {
		if why := routeWrong(r); why != "" {
			return wrong(fmt.Sprintf("routes[%d]", i), "%s", why)
		}
	}
	if m.Backend != nil {
		if err := m.Backend.check(); err != nil {
			return err
		}
	} else if len(m.Routes) > 0 {
		return wrong("backend", "is missing: the routes need one that answers them")
	}
	switch m.Isolation {
	case "", Opaque, Origin:
	case "same":
		return wrong("isolation", `"same" would give the plug-in all that the viewer has: write "opaque" or "origin"`)
	default:
		return wrong("isolation", `must be "opaque" or "origin"`)
	}
	return m.checkFlags()
}

func (f *Frontend) check() error {
	const at = "frontend_metadata."
	switch {
	case f.ElementName != "" && f.ESModulePath != "":
		return wrong(at+"element_name", "and es_module_path exclude each other")
	case f.ElementName != "":
		return wrong(at+"element_name", "is for dashboards that are built in: give es_module_path")
	case f.ESModulePath == "":
		return wrong(at+"es_module_path", `is missing: the path of the module in the folder, such as "/index.js"`)
	}
	if why := pathWrong(f.ESModulePath); why != "" {
		return wrong(at+"es_module_path", "%s", why)
	}
	return texts(at+"tab_name", 64, f.TabName)
}

func (b *Backend) check() error {
	if !slices.Contains([]string{WASIP1, GoJS, Module}, b.Type) {
		return wrong("backend.type", `must be "wasip1", "go-js" or "module"`)
	}
	if why := pathWrong(b.Path); why != "" {
		return wrong("backend.path", "%s", why)
	}
	switch {
	case b.Type == GoJS && b.Exec == "":
		return wrong("backend.exec", `is missing: the wasm_exec.js of the Go that built it, such as "/wasm_exec.js"`)
	case b.Type != GoJS && b.Exec != "":
		return wrong("backend.exec", `is for back ends of type "go-js"`)
	}
	if why := pathWrong(b.Exec); b.Exec != "" && why != "" {
		return wrong("backend.exec", "%s", why)
	}
	if b.SHA256 != "" && (len(b.SHA256) != 64 || strings.Trim(b.SHA256, "0123456789abcdef") != "") {
		return wrong("backend.sha256", "must be 64 hexadecimal digits in small letters")
	}
	return nil
}

// texts checks words that are shown.
func texts(field string, most int, text string) error {
	if len(text) > most {
		return wrong(field, "is longer than %d bytes", most)
	}
	if strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}) {
		return wrong(field, "holds control characters")
	}
	return nil
}

// pathWrong says what is wrong with the path of a file of the plug-in, which begins with "/".
func pathWrong(p string) string {
	rest, ok := strings.CutPrefix(p, "/")
	if !ok {
		return `must begin with "/", the plug-in's folder`
	}
	if !FilePath(rest) {
		return "must be a path within the plug-in's folder"
	}
	return ""
}

// FilePath says whether a relative path stays within a plug-in's folder and can stand in an
// address: no "..", nothing absolute, no backslash, no control character, no "?" or "#".
func FilePath(p string) bool {
	if p == "" || len(p) > 1024 || strings.ContainsAny(p, "\\?#%:") || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0xfffd }) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// routeWrong is TensorBoard's rule: a route begins with "/", and has no star but in "/*" at its end.
func routeWrong(r string) string {
	switch {
	case !strings.HasPrefix(r, "/") || len(r) > 1024:
		return `must begin with "/"`
	case strings.Contains(strings.TrimSuffix(r, "/*"), "*"):
		return `may have a star only in "/*" at its end`
	}
	return ""
}

// Title is what stands on the plug-in's tab.
func (m *Manifest) Title() string {
	if m.Frontend.TabName != "" {
		return m.Frontend.TabName
	}
	return m.Name
}
