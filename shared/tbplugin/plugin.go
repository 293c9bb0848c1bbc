// Package tbplugin is for authors of plug-ins: it makes a back end of a few functions, built
// for the browser by
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o backend.wasm .
//
// or by GOOS=js GOARCH=wasm. A back end answers requests of its front end and asks for data as
// TensorBoard's plug-ins ask their data provider. docs/PLUGINS.md is the guide;
// shared/tbplugin/testing runs a built one natively, over data of a test's own.
//
//	type greetings struct{}
//
//	func (greetings) Routes() map[string]tbplugin.Handler {
//		return map[string]tbplugin.Handler{"/tags": tags}
//	}
//	func init() { tbplugin.Register(greetings{}) }
//	func main() { tbplugin.Serve() }
package tbplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// Plugin is a back end. It may also be an Activer and a FlagFixer.
type Plugin interface {
	// Routes are its handlers: a route begins with "/" and may end in "/*". The exact one
	// comes first, then the longest.
	Routes() map[string]Handler
}

// Activer says whether there is something to show. It is asked where none of the manifest's
// data_plugin_names has data, and has 2 s.
type Activer interface {
	IsActive(ctx context.Context, data *Data) (bool, error)
}

// FlagFixer checks values of flags together, and may change them. Its error is shown, and the
// plug-in counts as inactive.
type FlagFixer interface {
	FixFlags(flags map[string]any) error
}

// Handler answers a request. An error is an answer too: of an *Error its status, of any other
// 500.
type Handler func(ctx context.Context, r *Request) (*Response, error)

// Request is one of the front end.
type Request struct {
	Method  string
	Path    string              // from the plug-in's folder on: "/tags"
	Query   map[string][]string // what follows "?"
	Header  map[string]string   // names in small letters
	Body    []byte
	Flags   map[string]any // values of the plug-in's flags
	Data    *Data
	Pattern string // the route that it is answered by
}

// Get is the first value of a query's key, "" if there is none.
func (r *Request) Get(key string) string {
	if v := r.Query[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// Response is an answer.
type Response struct {
	Status int // 0 is 200
	Header map[string]string
	Body   []byte
}

// JSON is an answer of a value as JSON.
func JSON(v any) (*Response, error) {
	b, err := json.Marshal(v)
	return &Response{Header: map[string]string{"content-type": "application/json"}, Body: b}, err
}

// Bytes is an answer of a content type.
func Bytes(contentType string, body []byte) *Response {
	return &Response{Header: map[string]string{"content-type": contentType}, Body: body}
}

// Error is an answer with a status.
type Error struct {
	Status int
	Text   string
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Errorf makes an Error.
func Errorf(status int, format string, args ...any) error {
	return &Error{status, fmt.Sprintf(format, args...)}
}

// plugin is the one that was registered.
var plugin Plugin

// Register says which plug-in this program is. It must be called in an init function.
func Register(p Plugin) {
	if plugin != nil {
		panic("tbplugin: a program is one plug-in")
	}
	plugin = p
}

// header is what stands before a message's raw bytes.
type header struct {
	Op     string            `json:"op"`
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Query  string            `json:"query"`
	Header map[string]string `json:"headers"`
	Values map[string]any    `json:"values"`
}

// answered is the header of an answer.
type answered struct {
	Status int               `json:"status,omitempty"`
	Header map[string]string `json:"headers,omitempty"`
	Result any               `json:"result,omitempty"`
	Error  string            `json:"error,omitempty"`
}

// serve answers a message of the host.
func serve(ctx context.Context, p Plugin, message []byte, call caller) (out []byte) {
	head, body, err := cut(message)
	var h header
	if err == nil {
		err = json.Unmarshal(head, &h)
	}
	if err != nil {
		return message1(answered{Status: 400, Error: err.Error()}, nil)
	}
	defer func() {
		if r := recover(); r != nil {
			out = text(500, fmt.Sprint("the plug-in's handler failed: ", r))
		}
	}()
	data := &Data{call: call}
	switch h.Op {
	case "is_active":
		active := true
		if a, ok := p.(Activer); ok {
			if active, err = a.IsActive(ctx, data); err != nil {
				return message1(answered{Error: err.Error()}, nil)
			}
		}
		return message1(answered{Result: active}, nil)
	case "fix_flags":
		if f, ok := p.(FlagFixer); ok {
			if err := f.FixFlags(h.Values); err != nil {
				return message1(answered{Error: err.Error()}, nil)
			}
		}
		return message1(answered{Result: h.Values}, nil)
	}
	handler, pattern := find(p.Routes(), h.Path)
	if handler == nil {
		return text(404, "Not found")
	}
	q, err := query.Parse(h.Query)
	if err != nil {
		return text(400, "the query cannot be read: "+err.Error())
	}
	r, err := handler(ctx, &Request{Method: h.Method, Path: h.Path, Query: q, Header: h.Header, Body: body, Flags: h.Values, Data: data, Pattern: pattern})
	var e *Error
	switch {
	case errors.As(err, &e):
		return text(e.Status, e.Text)
	case err != nil:
		return text(500, err.Error())
	case r == nil:
		r = &Response{Status: 204}
	}
	if r.Status == 0 {
		r.Status = 200
	}
	return message1(answered{Status: r.Status, Header: r.Header}, r.Body)
}

func text(status int, words string) []byte {
	return message1(answered{Status: status, Header: map[string]string{"content-type": "text/plain; charset=utf-8"}}, []byte(words))
}

// find finds the handler of a path, as TensorBoard does: a slash at the end is dropped, the exact
// route comes first, then the longest that ends in "/*".
func find(routes map[string]Handler, path string) (Handler, string) {
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	if h := routes[path]; h != nil {
		return h, path
	}
	var best Handler
	at := ""
	for r, h := range routes {
		if prefix, ok := strings.CutSuffix(r, "*"); ok && strings.HasSuffix(prefix, "/") && strings.HasPrefix(path, prefix) && len(r) > len(at) {
			best, at = h, r
		}
	}
	return best, at
}
