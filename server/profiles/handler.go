package profiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
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
// puts another in its place, DELETE removes it. It stands in the wrapper {"version",
// "data"}, and its ETag is profile.TextVersion of the file's text. With If-Match, or with
// If-None-Match: * where there was none, POST and DELETE change only what the client has
// seen; otherwise they answer 412 with what stands there now. The status is 201 where the
// client expected none there, or knows that of another logdir; 204 otherwise.
func Handler(logdir Logdir, write bool) http.Handler {
	return &handler{logdir: logdir, write: write}
}

type handler struct {
	logdir Logdir
	write  bool

	mu     sync.Mutex
	before []replaced // the latest last
}

// replaced is a default profile that another one was put in the place of from here. Who
// takes that back sends the profile, and gets its file back, byte for byte: with its time,
// and with what this program does not know or would write in other words.
type replaced struct {
	dir  string
	same string // the profile as this program writes it
	text []byte
}

// mostReplaced bounds how many are kept.
const mostReplaced = 4

// keep keeps a text that was replaced. What is no profile cannot be sent again.
func (h *handler) keep(dir string, text []byte) {
	p, _, err := profile.Decode(text)
	if err != nil {
		return
	}
	same, err := profile.Encode(p)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.before = append(h.before, replaced{dir, string(same), text})
	if len(h.before) > mostReplaced {
		h.before = slices.Clone(h.before[1:])
	}
}

// again is the text that p stood in when it was replaced; nil for a profile that is new.
func (h *handler) again(dir string, p *profile.Profile) []byte {
	same, err := profile.Encode(p)
	if err != nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range slices.Backward(h.before) {
		if r.dir == dir && r.same == string(same) {
			return r.text
		}
	}
	return nil
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !answer.Allow(w, r, http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete) {
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodDelete:
		if dir, ok := h.mayWrite(w); ok {
			h.replace(w, r, dir, nil)
		}
	default:
		h.get(w, r)
	}
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
	give(w, http.StatusOK, text)
}

// give answers with the text of a profile's file.
func give(w http.ResponseWriter, status int, text []byte) {
	tag := etag(profile.TextVersion(text))
	p, _, err := profile.Decode(text)
	if err == nil {
		text, err = profile.Encode(p)
	}
	if err != nil {
		if status == http.StatusPreconditionFailed {
			w.Header().Set("ETag", tag)
			w.WriteHeader(status)
			return
		}
		answer.Fail(w, http.StatusUnprocessableEntity, "the file "+profile.DefaultPath+" is no profile: "+err.Error(), "correct it, or remove it")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", tag)
	w.WriteHeader(status)
	w.Write(text)
}

func etag(version string) string { return `"` + version + `"` }

// expected is the version that a request wants to change; profiles.Any of one that does
// not say, and false of one that cannot be read.
func expected(r *http.Request) (version string, ok bool) {
	match, none := strings.TrimSpace(r.Header.Get("If-Match")), strings.TrimSpace(r.Header.Get("If-None-Match"))
	switch {
	case match == "" && none == "":
		return Any, true
	case match == "" && none == "*":
		return "", true
	case none != "" || len(match) < 3 || match[0] != '"' || match[len(match)-1] != '"':
		return "", false
	}
	return match[1 : len(match)-1], true
}

// mayWrite is the directory that is written to. If there is none it has answered.
func (h *handler) mayWrite(w http.ResponseWriter) (dir string, ok bool) {
	if !h.write {
		answer.Fail(w, http.StatusForbidden, "this server writes nothing", "start it with --allow-write to let the page set the default profile")
		return "", false
	}
	if dir = h.logdir.ProfileDir(); dir == "" {
		answer.Fail(w, http.StatusConflict, "there is no directory to write the default profile to", "give a directory as --logdir, not a pattern or a file")
		return "", false
	}
	return dir, true
}

// replace makes text the default profile of dir, or, if it is nil, removes that, where it is
// what the client has seen.
func (h *handler) replace(w http.ResponseWriter, r *http.Request, dir string, text []byte) {
	seen, ok := expected(r)
	if !ok {
		answer.Fail(w, http.StatusBadRequest, "If-Match and If-None-Match say which default profile is replaced", `send If-Match: "…" with the ETag of the one that was read, or If-None-Match: *`)
		return
	}
	before, err := replace(dir, text, seen)
	made := seen == ""
	var changed *ChangedError
	if errors.As(err, &changed) && changed.Text == nil && text != nil && h.shown(r) == seen {
		// What was seen is that of another logdir; the first has none yet.
		made = true
		before, err = replace(dir, text, "")
	}
	switch {
	case errors.As(err, &changed) && changed.Text != nil:
		give(w, http.StatusPreconditionFailed, changed.Text)
		return
	case errors.As(err, &changed):
		answer.Fail(w, http.StatusPreconditionFailed, "the default profile was removed meanwhile", "send If-None-Match: * to make one")
		return
	case err != nil:
		answer.Fail(w, http.StatusInternalServerError, err.Error(), "")
		return
	}
	h.keep(dir, before)
	h.logdir.Look()
	if text != nil {
		w.Header().Set("ETag", etag(profile.TextVersion(text)))
	}
	if made && text != nil {
		w.WriteHeader(http.StatusCreated)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// shown is the version of the default profile that is given out; "" if there is none.
func (h *handler) shown(r *http.Request) string {
	f, err := h.logdir.DefaultProfile(r.Context())
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, profile.MaxBytes+1))
	if err != nil {
		return ""
	}
	return profile.TextVersion(text)
}

func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	dir, ok := h.mayWrite(w)
	if !ok {
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
		answer.Fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a profile has at most %d MB", profile.MaxBytes>>20), "is it the right file?")
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
	if text = h.again(dir, p); text == nil {
		p.Touch(time.Now())
		if text, err = profile.Encode(p); err != nil {
			answer.Fail(w, http.StatusUnprocessableEntity, err.Error(), "")
			return
		}
	}
	h.replace(w, r, dir, text)
}
