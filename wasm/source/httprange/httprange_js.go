// Package httprange reads a logdir over HTTP: from our own server, or from any
// static host that holds a listing and the files.
//
// Our server answers many ranges in one request (the batch). Without it every
// range is a request of its own with a Range header. A host that knows no Range
// answers with the whole file: that is kept until another file is asked for, so
// that reading it window by window fetches it once.
//
// Over a slow line everything goes by batch, and compressed; see Line.
package httprange

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// ErrNoListing says that the host has no listing: it serves the page alone.
var ErrNoListing = errors.New("no logdir is served here")

// Host is a logdir at a URL. It implements source.Logdir.
type Host struct {
	Listing string // absolute URL of the listing
	Base    string // absolute URL prefix of the files; set by List
	Batch   string // absolute URL of the batch request; "" = none

	etag string
	last *api.Listing

	whole     js.Value // ArrayBuffer of wholePath, from a host without Range
	wholePath string
	ranged    bool          // the host is known to know Range
	turn      chan struct{} // of requests, while it is not; see one
	buf       []byte
	line      Line
}

// Pace says how much to ask for at a time over the line that there is.
func (h *Host) Pace() Pace { return h.line.Pace() }

// tries is how often a request is sent before it counts as failed; pauses grow
// from 200 ms on.
const tries = 4

// fetch sends a request and retries what a network or a restarting server can
// cause.
func fetch(ctx context.Context, url string, options map[string]any) (js.Value, error) {
	pause := 200 * time.Millisecond
	for try := 1; ; try++ {
		r, err := bridge.AwaitCall(js.Global(), "fetch", url, js.ValueOf(options))
		if err == nil {
			if status := r.Get("status").Int(); status < 500 || status == 503 {
				return r, nil
			}
			err = fmt.Errorf("the server answered %d", r.Get("status").Int())
		}
		if try == tries {
			return js.Undefined(), fmt.Errorf("the server does not answer (%w): is it still running, and the connection up? It is tried again by itself", err)
		}
		select {
		case <-ctx.Done():
			return js.Undefined(), ctx.Err()
		case <-time.After(pause):
		}
		pause *= 3
	}
}

// List implements source.Logdir. A listing that has not changed is the same
// pointer as the last one.
func (h *Host) List(ctx context.Context) (*api.Listing, error) {
	r, err := fetch(ctx, h.Listing, map[string]any{"cache": "no-cache", "credentials": "same-origin"})
	if err != nil {
		return nil, err
	}
	status := r.Get("status").Int()
	if status == 404 {
		return nil, ErrNoListing
	}
	if status != 200 {
		return nil, fmt.Errorf("the listing could not be read: the server answered %d", status)
	}
	tag := ""
	if v := r.Get("headers").Call("get", "etag"); v.Type() == js.TypeString {
		tag = v.String()
	}
	if tag != "" && tag == h.etag && h.last != nil {
		return h.last, nil
	}
	body, err := bridge.AwaitCall(r, "arrayBuffer")
	if err != nil {
		return nil, err
	}
	b := make([]byte, body.Get("byteLength").Int())
	bridge.Copy(b, body, 0)
	l, err := api.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("the listing is damaged: %w", err)
	}
	h.etag, h.last = tag, l
	h.Base = resolve(l.Base, h.Listing)
	h.Batch = ""
	if l.Batch != "" {
		h.Batch = resolve(l.Batch, h.Listing)
	}
	return l, nil
}

// Logdir returns the name of the logdir that was listed last.
func (h *Host) Logdir() string {
	if h.last == nil {
		return ""
	}
	return h.last.Logdir
}

func resolve(ref, base string) string {
	return js.Global().Get("URL").New(ref, base).Get("href").String()
}

// Read implements source.Logdir.
func (h *Host) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if h.Batch != "" && (len(ranges) > 1 || len(ranges) == 1 && h.line.Pack()) {
		return h.batch(ctx, ranges)
	}
	answers := make([]answer, len(ranges))
	for i, r := range ranges {
		a, err := h.one(ctx, r)
		if err != nil {
			return nil, err
		}
		answers[i] = a
	}
	return func(yield func(int, source.Result) bool) {
		for i, a := range answers {
			res := source.Result{Size: a.size, Err: a.err}
			if a.n > 0 {
				res.Data = h.take(a.body, a.offset, a.n)
			}
			a.done()
			if !yield(i, res) {
				return
			}
		}
	}, nil
}

// Slow reports whether bytes come more slowly than they can be used.
func (h *Host) Slow() bool { return h.line.Slow() }

// answer is a range's bytes before they are copied out of JavaScript.
type answer struct {
	body      js.Value // Uint8Array that holds them …
	offset, n int      // … from here on
	size      int64
	shared    bool // the body is the whole file, for other ranges too
	err       error
}

// done gives the body's memory back.
func (a *answer) done() {
	if !a.shared && a.body.Truthy() {
		js.Global().Call("tbDone", a.body)
	}
}

// ask is fetch for what read will read. It takes the time until the answer begins.
func (h *Host) ask(ctx context.Context, url string, options map[string]any) (js.Value, error) {
	asked := time.Now()
	resp, err := fetch(ctx, url, options)
	if err == nil {
		h.line.Answered(time.Since(asked))
	}
	return resp, err
}

// read reads at most n bytes of a response's body, and tells the line what came.
func (h *Host) read(resp js.Value, n int64) (body js.Value, got int, err error) {
	v, err := bridge.AwaitCall(js.Global(), "tbBody", resp, n)
	l := js.Global().Call("tbLine")
	ms := func(name string) time.Duration { return time.Duration(l.Get(name).Float() * float64(time.Millisecond)) }
	h.line.Took(Sample{
		Bytes:  int64(l.Get("bytes").Float()),
		Time:   ms("time"),
		Wait:   ms("wait"),
		Packed: l.Get("packed").Bool(),
	})
	if err != nil {
		return js.Undefined(), 0, err
	}
	return v.Get("buffer"), v.Get("n").Int(), nil
}

// one reads a single range.
//
// Until an answer has told that the host knows Range, requests go one at a time, in
// the order in which they were made: of a host that does not, each would bring the
// whole file.
func (h *Host) one(ctx context.Context, r source.Range) (answer, error) {
	if r.Length <= 0 {
		return answer{size: -1}, nil // a Range header cannot ask for nothing
	}
	if !h.ranged {
		if h.turn == nil {
			h.turn = make(chan struct{}, 1)
		}
		h.turn <- struct{}{}
		defer func() { <-h.turn }()
	}
	if h.wholePath == r.Path && r.Offset > 0 {
		return h.slice(r), nil
	}
	h.whole, h.wholePath = js.Undefined(), ""
	resp, err := h.ask(ctx, h.Base+api.EscapePath(r.Path), map[string]any{
		"cache": "no-store", "credentials": "same-origin",
		"headers": map[string]any{"Range": "bytes=" + strconv.FormatInt(r.Offset, 10) + "-" + strconv.FormatInt(r.Offset+r.Length-1, 10)},
	})
	if err != nil {
		return answer{}, err
	}
	switch status := resp.Get("status").Int(); status {
	case 206:
		h.ranged = true
		body, n, err := h.read(resp, r.Length)
		if err != nil {
			return answer{size: -1, err: fmt.Errorf("%w: %w", err, source.ErrAgain)}, nil
		}
		return answer{body: body, n: n, size: total(resp)}, nil
	case 200: // the host knows no Range and sends everything
		body, err := bridge.AwaitCall(resp, "arrayBuffer")
		if err != nil {
			return answer{size: -1, err: fmt.Errorf("%w: %w", err, source.ErrAgain)}, nil
		}
		h.whole, h.wholePath = js.Global().Get("Uint8Array").New(body), r.Path
		return h.slice(r), nil
	case 416: // nothing behind Offset: the file is no longer than that
		return answer{size: total(resp)}, nil
	case 403, 404, 410:
		return answer{size: -1, err: source.ErrGone}, nil
	default:
		return answer{size: -1, err: fmt.Errorf("the server answered %d", status)}, nil
	}
}

// slice answers r from the whole file.
func (h *Host) slice(r source.Range) answer {
	size := int64(h.whole.Get("byteLength").Int())
	n := min(r.Length, max(size-r.Offset, 0))
	a := answer{body: h.whole, offset: int(r.Offset), n: int(n), size: size, shared: true}
	if r.Offset+n >= size {
		h.whole, h.wholePath = js.Undefined(), ""
	}
	return a
}

// total reads the file's size from Content-Range; -1 if it does not say.
func total(resp js.Value) int64 {
	v := resp.Get("headers").Call("get", "content-range")
	if v.Type() != js.TypeString {
		return -1
	}
	s := v.String()
	n, err := strconv.ParseInt(s[strings.LastIndexByte(s, '/')+1:], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// take copies n bytes of a Uint8Array into the reused buffer.
func (h *Host) take(array js.Value, offset, n int) []byte {
	if cap(h.buf) < n {
		h.buf = make([]byte, n)
	}
	b := h.buf[:n]
	js.CopyBytesToGo(b, array.Call("subarray", offset, offset+n))
	return b
}

// batch reads ranges with one request.
func (h *Host) batch(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	q := make([]api.Range, len(ranges))
	most := int64(0)
	for i, r := range ranges {
		q[i] = api.Range{Path: r.Path, Offset: r.Offset, Length: r.Length}
		most += api.BatchHeaderSize + r.Length
	}
	options := map[string]any{
		"method": "POST", "cache": "no-store", "credentials": "same-origin",
		"headers": map[string]any{"Content-Type": "application/json"},
		"body":    string(api.AppendBatchRequest(nil, q)),
	}
	url, packed := h.Batch, h.line.Pack()
	if packed {
		url += "?z=1"
	}
	resp, err := h.ask(ctx, url, options)
	if packed && ctx.Err() == nil && (err != nil || resp.Get("status").Int() != 200) {
		// Something on the way may not like to be asked so.
		h.line.Bad()
		packed = false
		resp, err = h.ask(ctx, h.Batch, options)
	}
	if err != nil {
		return nil, err
	}
	if status := resp.Get("status").Int(); status != 200 {
		return nil, fmt.Errorf("reading files in one request: the server answered %d", status)
	}
	bad := func() {
		if packed {
			h.line.Bad()
		}
	}
	body, size, err := h.read(resp, most)
	if err != nil {
		// The line broke, or a file shrank while it was sent. Nothing of the
		// answer can be told from that, and nothing is wrong with the others.
		bad()
		return func(yield func(int, source.Result) bool) {
			for i := range ranges {
				if !yield(i, source.Result{Size: -1, Err: fmt.Errorf("%w (%v)", errShort, err)}) {
					return
				}
			}
		}, nil
	}
	return func(yield func(int, source.Result) bool) {
		defer js.Global().Call("tbDone", body)
		at := 0
		for i, r := range ranges {
			res := source.Result{Size: -1}
			head, ok := api.BatchHeader{}, at+api.BatchHeaderSize <= size
			if ok {
				head, _, _ = api.CutBatchHeader(h.take(body, at, api.BatchHeaderSize))
				at += api.BatchHeaderSize
				ok = head.Answers(api.Range{Offset: r.Offset, Length: r.Length}) && head.Count <= int64(size-at)
			}
			switch {
			case !ok:
				// A file shrank while it was sent, or these are no ranges of files: what
				// follows is asked for again.
				bad()
				at, res.Err = size, errShort
			case head.Count < 0:
				res.Err = source.ErrGone
			default:
				res.Size = head.Size
				res.Data = h.take(body, at, int(head.Count))
				at += int(head.Count)
			}
			if !yield(i, res) {
				return
			}
		}
	}, nil
}

// errShort says that a batch's answer ended early; it is asked for again.
var errShort = fmt.Errorf("the server's answer ended early: %w", source.ErrAgain)
