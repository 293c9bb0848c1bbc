package engine

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// DefaultProfile names the default profile of the logdir that is open, as it was listed
// last: version is another one whenever it may be another one; "" if there is none. Run
// names in it are below root, "" for the logdir itself.
func (e *Engine) DefaultProfile() (version, root string) {
	f, ok := e.defaultFile()
	if !ok {
		return "", ""
	}
	root, _ = strings.CutSuffix(f.Path, profile.DefaultPath)
	return fmt.Sprintf("%d %s %d %d %s", e.Gen(), f.Path, f.Size, f.MTime, f.Version), strings.TrimSuffix(root, "/")
}

func (e *Engine) defaultFile() (api.File, bool) {
	if e.origin == nil || e.Last() == nil {
		return api.File{}, false
	}
	for _, p := range []string{profile.DefaultPath, e.Last().Page.Profile} {
		at := func(f api.File, p string) int { return strings.Compare(f.Path, p) }
		if i, ok := slices.BinarySearchFunc(e.Last().Files, p, at); ok && p != "" {
			return e.Last().Files[i], true
		}
	}
	return api.File{}, false
}

// ReadDefaultProfile returns the text of the default profile. It must be called on a
// goroutine.
func (e *Engine) ReadDefaultProfile() ([]byte, error) {
	f, ok := e.defaultFile()
	if !ok {
		return nil, errors.New("there is none")
	}
	if f.Size > profile.MaxBytes {
		return nil, fmt.Errorf("%s is too large for a profile", f.Path)
	}
	read := e.ReadFiles([]string{f.Path}, profile.MaxBytes)[0]
	return read.Bytes, read.Err
}

// MaySaveDefault reports whether the logdir's default profile can be set from here.
func (e *Engine) MaySaveDefault() bool { return e.saveAddress() != "" }

func (e *Engine) saveAddress() string {
	o, ok := e.origin.(*httpOrigin)
	if !ok || e.Last() == nil || e.Last().Page.SaveProfile == "" {
		return ""
	}
	return js.Global().Get("URL").New(e.Last().Page.SaveProfile, o.host.Listing).Get("href").String()
}

// DefaultChanged says that the default profile is another one than was seen.
type DefaultChanged struct {
	Version string // of what stands there now (profile.TextVersion); "" if nothing does
	Text    []byte // of it, in the wrapper; nil if it is no profile, or none
}

func (e *DefaultChanged) Error() string { return "the default profile was changed meanwhile" }

// SaveDefault makes a profile, in its wrapper, the default of the logdir, or, of no text,
// removes it, where the one that stands there has the version seen (profile.TextVersion; ""
// is none); else the error is a *DefaultChanged. version is that of what stands there now;
// made says that nothing was replaced. It must be called on a goroutine. Other errors have
// the server's words.
func (e *Engine) SaveDefault(text []byte, seen string) (version string, made bool, err error) {
	address := e.saveAddress()
	if address == "" {
		return "", false, errors.New("the server writes nothing: start it with --allow-write")
	}
	headers := map[string]any{"If-Match": `"` + seen + `"`}
	if seen == "" {
		headers = map[string]any{"If-None-Match": "*"}
	}
	ask := map[string]any{"method": "DELETE", "headers": headers}
	if text != nil {
		headers["Content-Type"] = "application/json"
		ask["method"], ask["body"] = "POST", string(text)
	}
	answer, err := bridge.AwaitCall(js.Global(), "fetch", address, ask)
	if err != nil {
		return "", false, errors.New("the server does not answer: check that it runs, and try again")
	}
	var body []byte
	if b, err := bridge.AwaitCall(answer, "arrayBuffer"); err == nil {
		body = bridge.Contents(b)
	}
	if etag := answer.Get("headers").Call("get", "ETag"); etag.Type() == js.TypeString {
		version = strings.Trim(strings.TrimPrefix(etag.String(), "W/"), `"`) // a proxy that compresses makes it a weak one
	}
	status := answer.Get("status").Int()
	f, failed := api.ParseFailure(body)
	switch {
	case answer.Get("ok").Bool():
		e.Reload()
		return version, status == 201, nil
	case status == 412 && (failed || version == ""):
		return "", false, &DefaultChanged{}
	case status == 412:
		return "", false, &DefaultChanged{version, body}
	case failed:
		return "", false, f
	}
	return "", false, fmt.Errorf("the server answers with status %d", status)
}

// Place says where the data are, for a profile that is sent: the name of the folder, and
// whether they come over HTTP.
func (e *Engine) Place() (folder string, overHTTP bool) {
	switch o := e.origin.(type) {
	case *folderOrigin:
		return o.w.Name, false
	case *httpOrigin:
		return path.Base(strings.ReplaceAll(e.Status().Logdir, `\`, "/")), true
	}
	return "", false
}
