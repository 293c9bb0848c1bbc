package httprange

import (
	"context"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// transport returns how requests are made.
func (h *Host) transport() transport {
	if h.via == nil {
		h.via = fetcher{}
	}
	return h.via
}

// fetcher makes requests by the browser's fetch.
type fetcher struct{}

// patience is how long the head of an answer is waited for. A connection that went
// dead while the machine slept would be waited for for ever.
const patience = 2 * time.Minute

func (fetcher) now() time.Time { return time.Now() }

func (fetcher) resolve(ref, base string) string {
	return js.Global().Get("URL").New(ref, base).Get("href").String()
}

func (fetcher) send(ctx context.Context, q request) (reply, error) {
	abort := js.Global().Get("AbortController").New()
	options := map[string]any{"cache": "no-store", "credentials": "same-origin", "signal": abort.Get("signal")}
	if q.check {
		options["cache"] = "no-cache"
	}
	if q.spans != "" {
		options["headers"] = map[string]any{"Range": q.spans}
	}
	if q.post != "" {
		options["method"], options["body"] = "POST", q.post
		options["headers"] = map[string]any{"Content-Type": "application/json"}
	}
	late := time.AfterFunc(patience, func() { abort.Call("abort") })
	var r js.Value
	var err error
	if early := listed(q.url); early.Truthy() {
		r, err = bridge.Await(early)
	} else {
		r, err = bridge.AwaitCall(js.Global(), "fetch", q.url, js.ValueOf(options))
	}
	if !late.Stop() && err != nil {
		err = fmt.Errorf("no answer within %v", patience)
	}
	if err == nil && q.check && strings.Contains(header(r, "content-type"), "xml") {
		r, err = bucket(r, q.url)
	}
	if err != nil {
		return nil, err
	}
	return response{r, q.url}, nil
}

// bucket makes the listing of an object store's own; see static/lazy/bucket.
func bucket(r js.Value, url string) (js.Value, error) {
	if _, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "bucket"); err != nil {
		return r, err
	}
	return bridge.AwaitCall(js.Global(), "tbBucket", r, url)
}

// header is a header of an answer, "" if it is not there.
func header(r js.Value, name string) string {
	if v := r.Get("headers").Call("get", name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// listed is the answer that boot.js has asked for, once: the first listing comes while the
// program does. Workers have none.
func listed(url string) js.Value {
	boot := js.Global().Get("tbBoot")
	if !boot.Truthy() {
		return js.Undefined()
	}
	l := boot.Get("listed")
	if !l.Truthy() || l.Get("url").String() != url {
		return js.Undefined()
	}
	boot.Set("listed", js.Undefined())
	return l.Get("answer")
}

// response is an answer of fetch.
type response struct {
	js  js.Value
	url string // that was asked for
}

func (r response) head() Head {
	get := func(name string) string { return header(r.js, name) }
	h := Head{Status: r.js.Get("status").Int(), Encoding: get("content-encoding"), ETag: get("etag")}
	if !strings.HasPrefix(h.ETag, `"`) {
		h.Modified = get("last-modified")
	}
	if r.js.Get("redirected").Truthy() {
		path := func(u string) string { return js.Global().Get("URL").New(u).Get("pathname").String() }
		h.Moved = path(r.js.Get("url").String()) != path(r.url)
	}
	switch h.Status {
	case 206, 416:
		h.Range, h.Length = get("content-range"), get("content-length")
	case 200:
		h.Length, h.Type = get("content-length"), get("content-type")
	default:
		h.RetryAfter = get("retry-after")
	}
	return h
}

func (r response) read(most int64) (body, Sample, error) {
	v, err := bridge.AwaitCall(js.Global(), "tbBody", r.js, most)
	l := js.Global().Call("tbLine")
	ms := func(name string) time.Duration { return time.Duration(l.Get(name).Float() * float64(time.Millisecond)) }
	s := Sample{
		Bytes:  int64(l.Get("bytes").Float()),
		Time:   ms("time"),
		Wait:   ms("wait"),
		Packed: l.Get("packed").Bool(),
	}
	if err != nil {
		return nil, s, err
	}
	return pooled{v.Get("buffer"), v.Get("n").Int()}, s, nil
}

func (r response) all() (body, error) {
	v, err := bridge.AwaitCall(r.js, "arrayBuffer")
	if err != nil {
		return nil, err
	}
	array := js.Global().Get("Uint8Array").New(v)
	return kept{pooled{array, array.Length()}}, nil
}

// mostWords bounds what is used of an answer without success.
const mostWords = 64 << 10

func (r response) text() []byte {
	b, err := r.all() // the page has no tbBody
	if err != nil {
		return nil
	}
	out := make([]byte, min(b.size(), mostWords))
	b.copy(out, 0)
	return out
}

func (r response) drop() {
	if body := r.js.Get("body"); body.Truthy() {
		promise := body.Call("cancel")
		go func() { _, _ = bridge.Await(promise) }() // nobody wants to know
	}
}

// pooled is a body in a buffer that is used again and again; see static/body.js.
type pooled struct {
	array js.Value // Uint8Array
	n     int
}

func (b pooled) size() int { return b.n }
func (b pooled) copy(dst []byte, offset int) {
	if len(dst) > 0 {
		js.CopyBytesToGo(dst, b.array.Call("subarray", offset, offset+len(dst)))
	}
}
func (b pooled) done() { js.Global().Call("tbDone", b.array) }

// kept is a body that the collector takes.
type kept struct{ pooled }

func (kept) done() {}
