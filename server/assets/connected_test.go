package assets

import (
	"html"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tensorbored/tensorbored-static/server/guard"
)

// A page with further origins has a policy with them, and an address of its workers' script that
// no page with others has.
func TestConnected(t *testing.T) {
	site := fstest.MapFS{"index.html": {Data: []byte(`<meta content="` + html.EscapeString(guard.MetaPolicy) + `"><script data-worker="assets/worker.123456.js" data-x="1"></script>`)}}
	page := func(origins ...string) string {
		t.Helper()
		b, err := fs.ReadFile(Connected(site, guard.Config{Connect: origins}), "index.html")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one, again, two := page("https://a.example"), page("https://a.example"), page("https://a.example", "https://b.example")
	if one != again {
		t.Error("the same origins make two pages")
	}
	worker := func(page string) string {
		_, at, _ := strings.Cut(page, `data-worker="`)
		at, _, _ = strings.Cut(at, `"`)
		return at
	}
	for _, p := range []string{one, two} {
		if !strings.Contains(p, "https://a.example") || !strings.HasPrefix(worker(p), "assets/worker.123456.js?policy=") || !strings.HasSuffix(p, ` data-x="1"></script>`) {
			t.Errorf("the page is %s", p)
		}
	}
	if worker(one) == worker(two) {
		t.Error("the script of workers with two policies has one address")
	}
}
