package guard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The link leads to the page without the token, and leaves a cookie that scripts
// cannot read and other sites cannot use.
func TestTokenLink(t *testing.T) {
	token := Token("tö&ken; \"x\"")
	for _, c := range []struct {
		url    string
		status int
		to     string
	}{
		{"/tb/?token=t%C3%B6%26ken%3B+%22x%22", http.StatusSeeOther, "/tb/"},
		{"/tb/index.html?a=1&token=t%C3%B6%26ken%3B+%22x%22&b=%20x", http.StatusSeeOther, "/tb/?a=1&b=+x"},
		{"/tb/?token=wrong", http.StatusForbidden, ""},
		{"/tb/?token=", http.StatusForbidden, ""},
		{"/tb/?token=wrong&token=t%C3%B6%26ken%3B+%22x%22", http.StatusForbidden, ""},
		{"/tb/", 0, ""},
		{"/tb/?Token=x", 0, ""},
	} {
		w := httptest.NewRecorder()
		did := token.Enter(w, httptest.NewRequest("GET", c.url, nil), "/tb/")
		if did != (c.status != 0) {
			t.Errorf("%s: answered %v", c.url, did)
			continue
		}
		if !did {
			continue
		}
		cookie := w.Header().Get("Set-Cookie")
		if w.Code != c.status || w.Header().Get("Location") != c.to || w.Header().Get("Cache-Control") != "no-store" || (cookie != "") != (c.to != "") {
			t.Errorf("%s: %d %v", c.url, w.Code, w.Header())
		}
		if cookie == "" {
			continue
		}
		for _, part := range []string{"; Path=/tb/", "; HttpOnly", "; SameSite=Strict"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("%s: the cookie is %s", c.url, cookie)
			}
		}
		r := httptest.NewRequest("GET", "/tb/data/listing.json", nil)
		if token.Allow(httptest.NewRecorder(), r) {
			t.Error("let in without a cookie")
		}
		r.Header.Set("Cookie", "other=1; "+strings.Split(cookie, ";")[0])
		if !token.Allow(httptest.NewRecorder(), r) {
			t.Errorf("not let in with the cookie %s", cookie)
		}
		if Token("other").Allow(httptest.NewRecorder(), r) {
			t.Error("another server's cookie lets in")
		}
	}
	if w := httptest.NewRecorder(); Token("x").Enter(w, httptest.NewRequest("POST", "/?token=x", nil), "/") || Token("").Enter(w, httptest.NewRequest("GET", "/?token=", nil), "/") {
		t.Error("answered what is no link")
	}
}

func TestTokenHeader(t *testing.T) {
	for header, want := range map[string]bool{"Bearer secret": true, "bearer secret": true, "Bearer secre": false, "Bearer secrets": false,
		"Bearer": false, "Bearer ": false, "Basic secret": false, "secret": false, "": false} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		if got := Token("secret").Allow(w, r); got != want || got == (w.Code == http.StatusUnauthorized) {
			t.Errorf("%q: %v, %d", header, got, w.Code)
		}
		if !Token("").Allow(httptest.NewRecorder(), r) {
			t.Error("no token, and not let in")
		}
	}
}

// The cookie opens the server at the address where the link was opened, and no other one,
// and does not tell the token.
func TestCookieIsOfItsPort(t *testing.T) {
	token := Token("secret")
	w := httptest.NewRecorder()
	token.Enter(w, httptest.NewRequest("GET", "http://localhost:6006/?token=secret", nil), "/")
	cookie := strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	if strings.Contains(cookie, "secret") {
		t.Errorf("the cookie is %s", cookie)
	}
	for host, want := range map[string]bool{"localhost:6006": true, "LOCALHOST:6006": true, "localhost:6007": false, "127.0.0.1:6006": false} {
		r := httptest.NewRequest("GET", "http://"+host+"/data/listing.json", nil)
		r.Header.Set("Cookie", cookie)
		if got := token.Allow(httptest.NewRecorder(), r); got != want {
			t.Errorf("at %s: %v", host, got)
		}
	}
}
