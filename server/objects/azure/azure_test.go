package azure

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
)

// fake is as much of Blob Storage as reading needs: lists in pages of three, and reads.
type fake struct {
	mu      sync.Mutex
	objects map[string]object
	n       int
	fault   func(*http.Request) storetest.Fault
}

type object struct {
	data []byte
	tag  string
}

func (f *fake) Put(key string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	f.objects[key] = object{data, fmt.Sprintf(`"0x%X"`, f.n)}
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
	say := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("x-ms-error-code", code)
		w.WriteHeader(status)
		fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>an error</Message></Error>", code)
	}
	if storetest.Spoil(w, happens, say) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Query().Get("comp") == "list" {
		f.list(w, r, happens)
		return
	}
	o, ok := f.objects[strings.TrimPrefix(r.URL.Path, "/account/logs/")]
	if !ok {
		say(http.StatusNotFound, "BlobNotFound")
		return
	}
	if match := r.Header.Get("If-Match"); match != "" && match != o.tag && happens != storetest.Other {
		say(http.StatusPreconditionFailed, "ConditionNotMet")
		return
	}
	var from, to int
	body, status := o.data, http.StatusOK
	asked := r.Header.Get("x-ms-range")
	if asked == "" {
		asked = r.Header.Get("Range")
	}
	if n, _ := fmt.Sscanf(asked, "bytes=%d-%d", &from, &to); n == 2 {
		to = min(to, len(body)-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(body)))
		body, status = body[from:to+1], http.StatusPartialContent
	}
	w.Header().Set("ETag", o.tag)
	storetest.Send(w, status, body, happens)
}

func (f *fake) list(w http.ResponseWriter, r *http.Request, happens storetest.Fault) {
	var keys []string
	for k := range f.objects {
		if strings.HasPrefix(k, r.URL.Query().Get("prefix")) && k > r.URL.Query().Get("marker") {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	next := ""
	if len(keys) > 3 {
		keys = keys[:3]
		next = keys[2]
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="logs"><Blobs>`)
	text := func(s string) string {
		var out strings.Builder
		_ = xml.EscapeText(&out, []byte(s))
		return out.String()
	}
	for _, k := range keys {
		o := f.objects[k]
		fmt.Fprintf(&b, "<Blob><Name>%s</Name><Properties><Last-Modified>%s</Last-Modified><Etag>%s</Etag><Content-Length>%d</Content-Length></Properties></Blob>",
			text(k), time.Unix(1_700_000_000, 0).UTC().Format(http.TimeFormat), strings.Trim(o.tag, `"`), len(o.data))
	}
	fmt.Fprintf(&b, "</Blobs><NextMarker>%s</NextMarker></EnumerationResults>", text(next))
	w.Header().Set("Content-Type", "application/xml")
	storetest.Send(w, http.StatusOK, []byte(b.String()), happens)
}

func TestStore(t *testing.T) {
	objects.Quick()
	f := &fake{objects: map[string]object{}}
	s := httptest.NewServer(f)
	defer s.Close()
	t.Setenv("AZURE_STORAGE_ACCOUNT", "account")
	t.Setenv("AZURE_STORAGE_KEY", base64.StdEncoding.EncodeToString([]byte("secret")))
	open := func(folder string) files.Origin {
		o, err := Open(t.Context(), "azblob://logs/"+folder+"?protocol=http&domain="+strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	storetest.Check(t, f, open, "az login")
	link, err := open("exp").Link(t.Context(), files.Object{Key: "deep/er/tfevents"})
	if err != nil || !strings.HasPrefix(link, s.URL+"/account/logs/exp%2Fdeep%2Fer%2Ftfevents?") || !strings.Contains(link, "sig=") {
		t.Errorf("%s, %v", link, err)
	}
}
