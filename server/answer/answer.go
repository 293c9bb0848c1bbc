// Package answer is what the handlers of the server say the same way.
package answer

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Fail answers with an api.Failure.
func Fail(w http.ResponseWriter, status int, message, remedy string) {
	f := api.Failure{Message: message, Remedy: remedy}
	h := w.Header()
	// What an answer with content may have set already.
	h.Del("Content-Disposition")
	h.Del("Content-Encoding")
	h.Del("ETag")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(f.Append(nil))
}

// Allow reports whether r's method is one of methods. If not it has answered.
func Allow(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	if slices.Contains(methods, r.Method) {
		return true
	}
	list := strings.Join(methods, ", ")
	w.Header().Set("Allow", list)
	Fail(w, http.StatusMethodNotAllowed, r.Method+" is not possible here", "use one of "+list)
	return false
}
