package guard

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/answer"
)

// Token keeps the logs for those who have the link that the server printed. "" lets
// everybody in.
//
// The link carries it as ?token=…. Opening it leaves a cookie, and leads to the
// address without it, so that it stays out of the history and of what is copied from
// the address bar. Programs send "Authorization: Bearer …" instead.
//
// Only the data need it: the page itself is the same everywhere. So a link that is
// opened from another site works too, where the browser does not send a SameSite
// cookie yet on the way to the page.
type Token string

// TokenParameter is the token's name in the link.
const TokenParameter = "token"

// same compares without telling by its time how much of a guess, or how much of its
// length, was right.
func (t Token) same(guess string) bool {
	a, b := sha256.Sum256([]byte(t)), sha256.Sum256([]byte(guess))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// cookie is the cookie's name. Cookies are shared by all ports of a host, so servers
// with different tokens must not overwrite each other's.
func (t Token) cookie() string {
	sum := sha256.Sum256([]byte("name of the cookie for " + t))
	return "tensorbored-" + hex.EncodeToString(sum[:6])
}

// pass is the cookie's value for a host and port, as the browser names them: it opens no
// other server, and does not tell the token.
//
// A browser sends it to every port of the host, whoever listens there, and who receives it
// could send it here. Nothing in a cookie can hinder that but its path, which the docs
// advise where others have servers on the same machine.
func (t Token) pass(host string) string {
	h := hmac.New(sha256.New, []byte(t))
	h.Write([]byte("cookie for " + strings.ToLower(host)))
	return hex.EncodeToString(h.Sum(nil))
}

// Enter answers a request for the page that carries a token, and reports whether it
// did. path is what the cookie is for: that of the page.
func (t Token) Enter(w http.ResponseWriter, r *http.Request, path string) bool {
	return t.EnterAt(w, r, path, path)
}

// EnterAt is Enter for one of several pages that a cookie is for: it leads to the path to,
// which is below path.
func (t Token) EnterAt(w http.ResponseWriter, r *http.Request, path, to string) bool {
	if t == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	query := r.URL.Query()
	guess, ok := query[TokenParameter]
	if !ok {
		return false
	}
	w.Header().Set("Cache-Control", "no-store")
	if len(guess) != 1 || !t.same(guess[0]) {
		http.Error(w, "The token in this link is not this server's, which may have been started anew.\n"+
			"Open the link that it printed.\n", http.StatusForbidden)
		return true
	}
	http.SetCookie(w, &http.Cookie{Name: t.cookie(), Value: t.pass(r.Host), Path: path, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query.Del(TokenParameter)
	there := url.URL{Path: to, RawQuery: query.Encode()}
	w.Header().Set("Location", there.String())
	w.WriteHeader(http.StatusSeeOther)
	return true
}

// Allow reports whether a request may read data. If not it has answered.
func (t Token) Allow(w http.ResponseWriter, r *http.Request) bool {
	if t == "" {
		return true
	}
	if scheme, guess, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") && t.same(guess) {
		return true
	}
	for _, c := range r.CookiesNamed(t.cookie()) {
		if hmac.Equal([]byte(c.Value), []byte(t.pass(r.Host))) {
			return true
		}
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	answer.Fail(w, http.StatusUnauthorized, "this server gives its logs only to those who have its link",
		"open the link with ?token= that it printed when it was started")
	return false
}
