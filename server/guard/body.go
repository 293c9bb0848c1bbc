package guard

import (
	"io"
	"net/http"
	"time"
)

// bodyTime is how long a request's body may take to come. The longest there is, a
// batch request of 8 MB, takes a line of 1 Mbit/s a minute.
const bodyTime = time.Minute

// bodies bounds the time that a request's body takes: each that comes byte by byte
// would keep a connection and a goroutine for ever. The answer is not bounded, since
// a slow line is no attack, and http.Server.ReadTimeout would end it too: it goes on
// to count while the answer is written.
func bodies(limit time.Duration, next http.Handler) http.Handler {
	if limit == 0 {
		limit = bodyTime
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			c := http.NewResponseController(w)
			if c.SetReadDeadline(time.Now().Add(limit)) == nil { // it is no connection in some tests
				r.Body = &body{r.Body, c}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// body takes the time limit away when all of it has come.
type body struct {
	io.ReadCloser
	c *http.ResponseController
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.c.SetReadDeadline(time.Time{}) // it was possible before
	}
	return n, err
}
