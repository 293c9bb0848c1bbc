package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gocloud.dev/blob"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// How a store is asked again. Tests set the pauses.
const maxTries = 4

var (
	firstPause = 250 * time.Millisecond
	longPause  = 20 * time.Second
	// patience is how long nothing may come of an answer.
	patience = time.Minute
	// pagePatience is how long a page of a listing may take.
	pagePatience = 2 * time.Minute
)

// try does something with the bucket until it succeeds, or trying again is of no use. The
// error is a *source.Error, or that of a context that has ended.
func (p *place) try(ctx context.Context, do func(context.Context, *blob.Bucket) error) error {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if p.cloud.Once != nil {
		ctx = p.cloud.Once(ctx)
	}
	renewed := false
	for n := 1; ; n++ {
		b := p.now()
		err := do(ctx, b)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := p.trouble(err)
		switch {
		case e.Trouble == source.Refused:
			if renewed || !p.renew(ctx, b) {
				return e
			}
			renewed = true
		case e.Trouble != source.Busy && e.Trouble != source.Silent && e.Trouble != source.Broken, n == maxTries:
			return e
		default:
			if err := rest(ctx, n, e.After); err != nil {
				return err
			}
		}
	}
}

// rest waits before another try.
func rest(ctx context.Context, tries int, after time.Duration) error {
	d := time.Duration(float64(min(longPause, firstPause<<(tries-1))) * (0.75 + rand.Float64()/2))
	t := time.NewTimer(max(d, min(after, longPause)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Read implements files.Origin.
func (p *place) Read(ctx context.Context, o files.Object, offset, length int64) (io.ReadCloser, error) {
	if length <= 0 {
		return io.NopCloser(strings.NewReader("")), nil
	}
	r := &body{place: p, ctx: ctx, of: o, at: offset, end: offset + length}
	if err := r.begin(); err != nil {
		return nil, err
	}
	return r, nil
}

// body is an answer of a store that is gone on with where it breaks off.
type body struct {
	place   *place
	ctx     context.Context
	of      files.Object
	at, end int64
	now     io.ReadCloser
	cancel  context.CancelFunc
	watch   *time.Timer
	tries   int // since something came
}

func (r *body) begin() error {
	return r.place.try(r.ctx, func(ctx context.Context, b *blob.Bucket) error {
		ctx, cancel := context.WithCancel(ctx)
		watch := time.AfterFunc(patience, cancel)
		o := r.of
		o.Key = r.place.key(o)
		now, err := r.place.cloud.Read(ctx, b, r.place.bucket, o, r.at, r.end-r.at)
		if err != nil {
			watch.Stop()
			cancel()
			return err
		}
		r.now, r.cancel, r.watch = now, cancel, watch
		return nil
	})
}

func (r *body) stop() {
	if r.now != nil {
		r.watch.Stop()
		r.now.Close()
		r.cancel()
		r.now = nil
	}
}

// Read implements io.Reader: what it ends with is all of what was asked for, or an error.
func (r *body) Read(b []byte) (int, error) {
	if r.at == r.end {
		return 0, io.EOF
	}
	for {
		if r.now == nil {
			if err := r.begin(); err != nil {
				return 0, err
			}
		}
		r.watch.Reset(patience)
		n, err := r.now.Read(b[:min(int64(len(b)), r.end-r.at)])
		r.at += int64(n)
		if n > 0 {
			r.tries = 0
		}
		if r.at == r.end || n > 0 && err == nil {
			return n, nil
		}
		if err == nil {
			continue
		}
		r.stop()
		if n > 0 {
			return n, nil
		}
		if r.ctx.Err() != nil {
			return 0, r.ctx.Err()
		}
		if r.tries++; r.tries >= maxTries {
			return 0, broken(fmt.Sprintf("the store's answers break off (%v)", err))
		}
		if err := rest(r.ctx, r.tries, 0); err != nil {
			return 0, err
		}
	}
}

// Close implements io.Closer.
func (r *body) Close() error {
	r.stop()
	return nil
}

// Said is what an answer says of itself.
type Said struct {
	Tag      string    // of the object, without quotes
	Range    string    // Content-Range
	Modified time.Time // zero if it does not say
}

// Proven judges what an answer says of itself: that it is of the object that was listed,
// by its tag, or by its size and time where the store gives none, and, by its
// Content-Range, that it is of the bytes from offset on. Servers that know no conditions
// answer with another object, those that know no ranges with all of it, and proxies with
// pages of their own. The error is a *ChangedError, or of an answer that is to be asked for
// again.
func Proven(o files.Object, said Said, offset int64) error {
	part, total, ranged := strings.Cut(said.Range, "/")
	switch {
	case o.Tag != "" && said.Tag != "" && said.Tag != o.Tag,
		o.Tag == "" && ranged && total != "*" && total != strconv.FormatInt(o.Size, 10),
		o.Tag == "" && !said.Modified.IsZero() && said.Modified.Unix() != time.Unix(0, o.MTime).Unix():
		return &ChangedError{}
	case !ranged && (offset > 0 || said.Tag == ""), ranged && !strings.HasPrefix(part, fmt.Sprintf("bytes %d-", offset)),
		o.Tag != "" && said.Tag == "":
		return broken(fmt.Sprintf("the answer is not what was asked for: tag %q, range %q", said.Tag, said.Range))
	}
	return nil
}

func broken(reason string) *source.Error {
	return &source.Error{Trouble: source.Broken, Reason: reason,
		Remedy: "look at the connection and at the proxy on the way; it is tried again by itself"}
}

// trouble puts what a store, or what speaks with it, says into words.
func (p *place) trouble(err error) *source.Error {
	var e *source.Error
	var changed *ChangedError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &changed):
		return replaced()
	}
	a := p.cloud.Answer(err)
	said := "the store answered " + strconv.Itoa(a.Status)
	if words := strings.TrimSpace(a.Code + " " + a.Words); words != "" {
		said += " (" + words + ")"
	}
	again := "it is tried again by itself"
	switch {
	case a.Status == http.StatusPreconditionFailed || a.Status == http.StatusRequestedRangeNotSatisfiable:
		return replaced()
	case a.Status == http.StatusNotFound:
		return &source.Error{Trouble: source.Gone, Reason: "the object is gone: " + said, Remedy: "it is looked for at each listing"}
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status == http.StatusBadRequest && expired(a.Code):
		return &source.Error{Trouble: source.Refused, Reason: "the credentials for " + p.shown + " are refused, or have ended: " + said,
			Remedy: p.cloud.Renew + "; what is renewed is used by itself"}
	case a.Status == http.StatusTooManyRequests || a.Status == http.StatusRequestTimeout || a.Status >= 500:
		seconds, _ := strconv.Atoi(a.After)
		return &source.Error{Trouble: source.Busy, Reason: said, Remedy: again, After: time.Duration(max(0, min(seconds, 60))) * time.Second}
	case a.Status >= 300:
		return &source.Error{Trouble: source.Refused, Reason: said, Remedy: "look at the address and its options"}
	}
	words := err.Error()
	var ue *url.Error
	if errors.As(err, &ue) { // its address may be signed, and what is said here everybody reads
		words = ue.Err.Error()
	}
	for _, sign := range []string{"credential", "oauth2", "access token", "region"} {
		if strings.Contains(strings.ToLower(words), sign) {
			return &source.Error{Trouble: source.Refused, Reason: p.shown + " cannot be asked (" + words + ")", Remedy: p.cloud.Renew}
		}
	}
	return &source.Error{Trouble: source.Silent, Reason: "the store does not answer (" + words + ")",
		Remedy: "is the connection up? " + strings.ToUpper(again[:1]) + again[1:]}
}

// expired reports whether a store calls credentials that have ended a bad request.
func expired(code string) bool {
	return strings.Contains(code, "Expired") || strings.Contains(code, "InvalidToken") || strings.Contains(code, "TokenRefreshRequired")
}

func replaced() *source.Error {
	return &source.Error{Trouble: source.Changed, Reason: "the object is another one than was listed",
		Remedy: "it is listed and read again by itself"}
}

// listing gives what went wrong with a listing its words.
func (p *place) listing(err error) error {
	var e *source.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	if c.Trouble == source.Gone || c.Trouble == source.Changed {
		c.Trouble, c.Remedy = source.Refused, "check the bucket's name, and the endpoint"
		c.Reason = strings.Replace(c.Reason, "the object is gone", "there is no such bucket", 1)
	}
	return &c
}
