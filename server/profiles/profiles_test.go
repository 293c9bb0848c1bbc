package profiles_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/part"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

func encode(t *testing.T, name string) string {
	t.Helper()
	p := profile.New(name)
	if err := p.PinScalar("train/loss"); err != nil {
		t.Fatal(err)
	}
	text, err := profile.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// host is a server over dir.
func host(t *testing.T, write bool, roots ...files.Root) http.Handler {
	t.Helper()
	store, err := files.OpenRoots(roots, files.Options{Name: "logs", Follow: true, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h, err := server.New(server.Config{Site: fstest.MapFS{"index.html": {Data: []byte("page")}}, Logdir: store, Write: write, Guard: guard.Config{}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost/data/profile", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// What is posted stands in the logdir, is given out, listed, and read from there.
func TestSetDefault(t *testing.T) {
	dir := t.TempDir()
	h := host(t, true, files.Root{Dir: dir})
	if w := ask(h, "GET", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "default_profile.json") {
		t.Errorf("without one: %d %s", w.Code, w.Body)
	}
	for _, name := range []string{"First", "Second"} {
		if w := ask(h, "POST", encode(t, name), "Origin", "http://localhost"); w.Code != 204 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		w := ask(h, "GET", "")
		p, problems, err := profile.Decode(w.Body.Bytes())
		if w.Code != 200 || err != nil || len(problems) > 0 || p.Name != name || p.Modified == 0 {
			t.Errorf("%d %v %v %+v", w.Code, err, problems, p)
		}
		if p, _, err := profiles.Read(dir); err != nil || p.Name != name {
			t.Errorf("in the logdir: %v %v", p, err)
		}
		r := httptest.NewRequest("GET", "http://localhost/data/files/"+profile.DefaultPath, nil)
		f := httptest.NewRecorder()
		h.ServeHTTP(f, r)
		if f.Code != 200 || !strings.Contains(f.Body.String(), name) {
			t.Errorf("as a listed file: %d %s", f.Code, f.Body)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, ".tensorboard"))
	if err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v %v", left, err)
	}
}

// Everything that is wrong with a request is refused with a reason, and nothing changes.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	h := host(t, true, files.Root{Dir: dir})
	if w := ask(h, "POST", encode(t, "Kept")); w.Code != 204 {
		t.Fatal(w.Code, w.Body)
	}
	good := encode(t, "Other")
	for name, c := range map[string]struct {
		h            http.Handler
		method, body string
		header       []string
		code         int
		says         string
	}{
		"without the flag":           {host(t, false, files.Root{Dir: dir}), "POST", good, nil, 403, "--allow-write"},
		"another site":               {h, "POST", good, []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403, "another site"},
		"a form":                     {h, "POST", good, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		"a file upload":              {h, "POST", good, []string{"Content-Type", "multipart/form-data; boundary=x"}, 415, "application/json"},
		"too large":                  {h, "POST", `{"name":"` + strings.Repeat("x", profile.MaxBytes) + `"}`, nil, 413, "2 MB"},
		"no JSON":                    {h, "POST", "nonsense", nil, 422, "not JSON"},
		"no profile":                 {h, "POST", `{"a":1}`, nil, 422, "not a profile"},
		"a wrong field":              {h, "POST", `{"version":1,"name":"n","smoothing":"x"}`, nil, 422, "smoothing"},
		"a newer version":            {h, "POST", `{"version":2,"name":"n"}`, nil, 422, "newer"},
		"another method":             {h, "PUT", "", nil, 405, "POST"},
		"a removal without the flag": {host(t, false, files.Root{Dir: dir}), "DELETE", "", nil, 403, "--allow-write"},
		"a list of tags":             {h, "POST", good, []string{"If-Match", "x"}, 400, "ETag"},
		"a pattern":                  {host(t, true, files.Root{Dir: filepath.Join(dir, "*", "tb")}), "POST", good, nil, 409, "pattern"},
		"a logdir to come":           {host(t, true, files.Root{Dir: filepath.Join(dir, "later")}), "POST", good, nil, 409, "directory"},
		"nothing to listen":          {host(t, true), "POST", good, nil, 409, "directory"},
	} {
		w := ask(c.h, c.method, c.body, c.header...)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s; want %d with %q", name, w.Code, w.Body, c.code, c.says)
		}
	}
	if p, _, err := profiles.Read(dir); err != nil || p.Name != "Kept" {
		t.Errorf("what was there is %v (%v)", p, err)
	}
}

// Where a token is asked for, it is asked for here too.
func TestToken(t *testing.T) {
	dir := t.TempDir()
	store, err := files.Open(dir, "logs", true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	h, err := server.New(server.Config{Site: fstest.MapFS{"index.html": {Data: []byte("page")}}, Logdir: store, Write: true, Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(h, "POST", encode(t, "n")); w.Code != 401 && w.Code != 403 {
		t.Errorf("without the token: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "POST", encode(t, "n"), "Authorization", "Bearer secret"); w.Code != 204 {
		t.Errorf("with it: %d %s", w.Code, w.Body)
	}
}

// Of several logdirs the first that has a default profile gives it, whatever characters
// their paths have.
func TestSeveralLogdirs(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a,b:c"), filepath.Join(dir, "d")
	for _, d := range []string{a, b} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := profiles.Write(b, profile.New("Of b")); err != nil {
		t.Fatal(err)
	}
	h := host(t, true, files.Root{Dir: a, Name: "a"}, files.Root{Dir: b, Name: "b"})
	if w := ask(h, "GET", ""); !strings.Contains(w.Body.String(), "Of b") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "POST", encode(t, "Of a"), "If-Match", `"1"`); w.Code != 412 {
		t.Errorf("over one that was not seen: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "POST", encode(t, "Of a"), "If-Match", ask(h, "GET", "").Header().Get("ETag")); w.Code != 201 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if p, _, err := profiles.Read(a); err != nil || p.Name != "Of a" {
		t.Errorf("%v %v", p, err)
	}
}

// Readers see the one before or the one after, never a part.
func TestWriteIsAtomic(t *testing.T) {
	dir := t.TempDir()
	p := profile.New("0")
	for range 300 {
		p.Describe(strings.Repeat("x", len(p.Descriptions)), strings.Repeat("words ", 50))
	}
	if err := profiles.Write(dir, p); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 3 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 20 {
				if err := profiles.Write(dir, p); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	done := make(chan bool)
	go func() { wait.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		q, problems, err := profiles.Read(dir)
		if err != nil || len(problems) > 0 || len(q.Descriptions) != len(p.Descriptions) {
			t.Fatalf("%v %v", err, problems)
		}
	}
}

// Nothing outside the logdir is written, wherever links lead; and what is wrong is not
// written at all.
func TestWriteStaysInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, ".tensorboard")); err != nil {
		t.Fatal(err)
	}
	var we *profiles.WriteError
	if err := profiles.Write(dir, profile.New("n")); !errors.As(err, &we) {
		t.Errorf("through a link: %v", err)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("written outside: %v", left)
	}
	bad := profile.New("n")
	bad.Smoothing = 7
	fresh := t.TempDir()
	if err := profiles.Write(fresh, bad); err == nil {
		t.Error("a wrong profile was written")
	}
	if _, _, err := profiles.Read(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is something: %v", err)
	}
	if err := profiles.Write(filepath.Join(fresh, "gone"), profile.New("n")); !errors.As(err, &we) {
		t.Errorf("without a directory: %v", err)
	}
}

// Of two pages that have seen the same default profile the second gets the first's, and
// nothing is replaced that nobody has seen; what is undone is what was done.
func TestChangedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	one, two := host(t, true, files.Root{Dir: dir}), host(t, true, files.Root{Dir: dir})
	if w := ask(one, "POST", encode(t, "First"), "If-Match", `"1"`); w.Code != 412 || !strings.Contains(w.Body.String(), "removed") {
		t.Errorf("where there is none: %d %s", w.Code, w.Body)
	}
	w := ask(one, "POST", encode(t, "First"), "If-None-Match", "*")
	first := w.Header().Get("ETag")
	if w.Code != 201 || first == "" || ask(two, "GET", "").Header().Get("ETag") != first {
		t.Fatalf("%d, tag %s", w.Code, first)
	}
	if text, err := os.ReadFile(filepath.Join(dir, profile.DefaultPath)); err != nil || `"`+profile.TextVersion(text)+`"` != first {
		t.Errorf("the tag %s is not of the file (%v)", first, err)
	}
	if w := ask(two, "POST", encode(t, "Blind"), "If-None-Match", "*"); w.Code != 412 || !strings.Contains(w.Body.String(), "First") || w.Header().Get("ETag") != first {
		t.Errorf("there is one by now: %d %s", w.Code, w.Body)
	}
	w = ask(one, "POST", encode(t, "Second"), "If-Match", first)
	second := w.Header().Get("ETag")
	if w.Code != 204 || second == first {
		t.Errorf("%d, tag %s", w.Code, second)
	}
	w = ask(two, "POST", encode(t, "Lost"), "If-Match", first)
	if p, _, err := profile.Decode(w.Body.Bytes()); w.Code != 412 || err != nil || p.Name != "Second" || w.Header().Get("ETag") != second {
		t.Errorf("the second page: %d %s", w.Code, w.Body)
	}
	if w := ask(two, "DELETE", "", "If-Match", first); w.Code != 412 {
		t.Errorf("removing what is not there: %d", w.Code)
	}
	if w := ask(two, "DELETE", "", "If-Match", second); w.Code != 204 || ask(one, "GET", "").Code != 404 {
		t.Errorf("removing: %d", w.Code)
	}
	if w := ask(two, "POST", encode(t, "Whatever")); w.Code != 204 {
		t.Errorf("without a condition: %d", w.Code)
	}
}

// What is taken back is the file that was there, byte for byte: with its time, and with what
// this program would write in other words, or not at all.
func TestTakenBack(t *testing.T) {
	dir := t.TempDir()
	h := host(t, true, files.Root{Dir: dir})
	at := filepath.Join(dir, profile.DefaultPath)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, was := range []string{
		"{\"version\": 1,\r\n\t\"data\":{\"name\":\"By hand\",\"version\":1,\"lastModifiedTimestamp\":7,\"smoothing\":0.50,\"of another program\":[1.0, 2]}}  ",
		`{"name":"Bare","version":1,"lastModifiedTimestamp":3}`,
		encode(t, "Of this program"),
	} {
		if err := os.WriteFile(at, []byte(was), 0o644); err != nil {
			t.Fatal(err)
		}
		seen := ask(h, "GET", "")
		w := ask(h, "POST", encode(t, "Mine"), "If-Match", seen.Header().Get("ETag"))
		if text, err := os.ReadFile(at); w.Code != 204 || err != nil || !strings.Contains(string(text), "Mine") {
			t.Fatalf("%d %s, %s", w.Code, w.Body, text)
		}
		// A page sends what it has read as it writes it.
		p, _, err := profile.Decode(seen.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		back, err := profile.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		w = ask(h, "POST", string(back), "If-Match", w.Header().Get("ETag"))
		if text, err := os.ReadFile(at); w.Code != 204 || err != nil || string(text) != was {
			t.Errorf("%d %s: %q, was %q", w.Code, w.Body, text, was)
		}
		if tag := w.Header().Get("ETag"); tag != seen.Header().Get("ETag") {
			t.Errorf("the tag is %s, was %s", tag, seen.Header().Get("ETag"))
		}
	}
	// The same in another logdir is a new one.
	other := t.TempDir()
	if w := ask(host(t, true, files.Root{Dir: other}), "POST", `{"version":1,"data":{"name":"Bare","version":1,"lastModifiedTimestamp":3}}`); w.Code != 204 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if p, _, err := profiles.Read(other); err != nil || p.Modified == 3 {
		t.Errorf("%+v %v", p, err)
	}
}

// What a killed server has left behind is gone with the next write.
func TestNothingLeftBehind(t *testing.T) {
	dir := t.TempDir()
	if err := profiles.Write(dir, profile.New("n")); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, ".tensorboard")
	left := filepath.Join(folder, part.Prefix+strings.Repeat("A", 26)+part.Suffix)
	if err := os.WriteFile(left, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := profiles.Write(dir, profile.New("n")); err != nil {
		t.Fatal(err)
	}
	if all, _ := os.ReadDir(folder); len(all) != 1 {
		t.Errorf("left: %v", all)
	}
}

// A default profile that is a link out of the logdir is given to nobody, by no route; one
// that leads to another place in it is.
func TestLinkOut(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(outside, []byte(encode(t, "Of somebody else")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".tensorboard"), 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, filepath.FromSlash(profile.DefaultPath))
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	get := func(h http.Handler, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/data/"+path, nil))
		return w
	}
	h := host(t, true, files.Root{Dir: dir})
	for _, path := range []string{"profile", "files/" + profile.DefaultPath} {
		if w := get(h, path); w.Code < 400 || strings.Contains(w.Body.String(), "somebody") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := get(h, "listing.json"); !strings.Contains(w.Body.String(), "link out of the logdir") || strings.Contains(w.Body.String(), `"files":[{`) {
		t.Errorf("listing: %s", w.Body)
	}
	os.Remove(link)
	if err := os.WriteFile(filepath.Join(dir, "view.json"), []byte(encode(t, "Of this logdir")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../view.json", link); err != nil {
		t.Fatal(err)
	}
	if w := get(host(t, true, files.Root{Dir: dir}), "profile"); w.Code != 200 || !strings.Contains(w.Body.String(), "Of this logdir") {
		t.Errorf("inside: %d %s", w.Code, w.Body)
	}
}
