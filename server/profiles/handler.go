package profiles

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// Logdir is what the route needs of a logdir.
type Logdir interface {
	// DefaultProfile opens the default profile; fs.ErrNotExist if there is none.
	DefaultProfile(ctx context.Context) (io.ReadCloser, error)
	// ProfileDir is the directory whose default profile is written; "" if there is none.
	ProfileDir() string
	// Look makes the next listing one of what there is then.
	Look()
}

// Handler answers for the default profile: GET gives it, POST, where writing is allowed,
// puts another in its place. Both have it in the wrapper {"version", "data"}.
func Handler(logdir Logdir, write bool) http.Handler {
	return &handler{logdir, write}
}

type handler struct {
	logdir Logdir
	write  bool
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead, http.MethodPost) {
		return
	}
	if r.Method == http.MethodPost {
		h.post(w, r)
		return
	}
	h.get(w, r)
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	f, err := h.logdir.DefaultProfile(r.Context())
	if errors.Is(err, fs.ErrNotExist) {
		answer.Fail(w, http.StatusNotFound, "this logdir has no default profile",
			"write one to "+profile.DefaultPath+" in it, or with tensorbored-static profile set-default")
		return
	}
	if err != nil {
		answer.Fail(w, http.StatusServiceUnavailable, "the default profile cannot be read: "+err.Error(), "check its permissions")
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, profile.MaxBytes+1))
	if err != nil {
		answer.Fail(w, http.StatusServiceUnavailable, "the default profile cannot be read: "+err.Error(), "try again")
		return
	}
	p, _, err := profile.Decode(text)
	if err == nil {
		text, err = profile.Encode(p)
	}
	if err != nil {
		answer.Fail(w, http.StatusUnprocessableEntity, "the file "+profile.DefaultPath+" is no profile: "+err.Error(), "correct it, or remove it")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(text)
}

func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	if !h.write {
		answer.Fail(w, http.StatusForbidden, "this server writes nothing", "start it with --allow-write to let the page set the default profile")
		return
	}
	dir := h.logdir.ProfileDir()
	if dir == "" {
		answer.Fail(w, http.StatusConflict, "there is no directory to write the default profile to", "give a directory as --logdir, not a pattern or a file")
		return
	}
	// Forms of other sites cannot have this type without asking first.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		answer.Fail(w, http.StatusUnsupportedMediaType, "a profile is application/json", "send it with Content-Type: application/json")
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, profile.MaxBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		answer.Fail(w, http.StatusRequestEntityTooLarge, "a profile has at most 16 MB", "is it the right file?")
		return
	case err != nil:
		answer.Fail(w, http.StatusBadRequest, "the profile did not come whole: "+err.Error(), "send it again")
		return
	}
	p, problems, err := profile.Decode(text)
	if err != nil {
		answer.Fail(w, http.StatusUnprocessableEntity, err.Error(), "")
		return
	}
	var wrong []string
	for _, x := range problems {
		if !x.Minor {
			wrong = append(wrong, x.String())
		}
	}
	if len(wrong) > 0 {
		answer.Fail(w, http.StatusUnprocessableEntity, "the profile is not right: "+strings.Join(wrong, "; "), "correct it; nothing was written")
		return
	}
	p.Touch(time.Now())
	if err := Write(dir, p); err != nil {
		answer.Fail(w, http.StatusInternalServerError, err.Error(), "")
		return
	}
	h.logdir.Look()
	w.WriteHeader(http.StatusNoContent)
}
