package gcs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
)

// fake is as much of Cloud Storage as reading needs: the list of the JSON interface, in
// pages of three, and reads of the XML interface.
type fake struct {
	mu         sync.Mutex
	objects    map[string]object
	generation int64
	fault      func(*http.Request) storetest.Fault
}

type object struct {
	data       []byte
	generation int64
}

func (f *fake) Put(key string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.generation++
	f.objects[key] = object{data, f.generation}
}

func (f *fake) Faults(fault func(*http.Request) storetest.Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = fault
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	happens := storetest.None
	if f.fault != nil {
		happens = f.fault(r)
	}
	f.mu.Unlock()
	if storetest.Spoil(w, happens, func(status int, code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":%d,"message":"an error","errors":[{"reason":%q}]}}`, status, code)
	}) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path == "/storage/v1/b/logs/o" {
		f.list(w, r, happens)
		return
	}
	o, ok := f.objects[strings.TrimPrefix(r.URL.Path, "/logs/")]
	if !ok {
		http.Error(w, "no such object", http.StatusNotFound)
		return
	}
	if want := r.Header.Get("x-goog-if-generation-match"); want != "" && want != strconv.FormatInt(o.generation, 10) && happens != storetest.Other {
		http.Error(w, "another generation", http.StatusPreconditionFailed)
		return
	}
	var from, to int
	body, status := o.data, http.StatusOK
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); n == 2 {
		to = min(to, len(body)-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(body)))
		body, status = body[from:to+1], http.StatusPartialContent
	}
	w.Header().Set("X-Goog-Generation", strconv.FormatInt(o.generation, 10))
	storetest.Send(w, status, body, happens)
}

func (f *fake) list(w http.ResponseWriter, r *http.Request, happens storetest.Fault) {
	var keys []string
	for k := range f.objects {
		if strings.HasPrefix(k, r.URL.Query().Get("prefix")) && k > r.URL.Query().Get("pageToken") {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	out := map[string]any{"kind": "storage#objects"}
	if len(keys) > 3 {
		keys = keys[:3]
		out["nextPageToken"] = keys[2]
	}
	var items []map[string]any
	for _, k := range keys {
		o := f.objects[k]
		items = append(items, map[string]any{"name": k, "bucket": "logs", "size": strconv.Itoa(len(o.data)), "generation": strconv.FormatInt(o.generation, 10),
			"updated": time.Unix(1_700_000_000, 0).UTC().Format(time.RFC3339)})
	}
	out["items"] = items
	w.Header().Set("Content-Type", "application/json")
	body, _ := json.Marshal(out)
	storetest.Send(w, http.StatusOK, body, happens)
}

func TestStore(t *testing.T) {
	objects.Quick()
	f := &fake{objects: map[string]object{}}
	s := httptest.NewServer(f)
	defer s.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(s.URL, "http://"))
	storetest.Check(t, f, func(folder string) files.Origin {
		o, err := Open(t.Context(), "gs://logs/"+folder)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}, "gcloud auth application-default login")
}
