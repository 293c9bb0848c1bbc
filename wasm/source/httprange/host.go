// Package httprange reads a logdir over HTTP: from our own server, or from any
// static host that holds a listing and the files.
//
// Our server answers many ranges in one request (the batch). Without it every
// range is a request of its own with a Range header. A host that knows no Range
// answers with the whole file: that is kept until another file is asked for, so
// that reading it window by window fetches it once.
//
// No answer is believed without proof; see Judge. A range that did not come is an
// error of its own: who reads decides when to try again, and goes on with other files
// meanwhile.
//
// Over a slow line everything goes by batch, and compressed; see Line.
package httprange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// ErrNoListing says that the host has no listing: it serves the page alone.
var ErrNoListing = errors.New("no logdir is served here")

// Host is a logdir at a URL. It implements source.Logdir.
type Host struct {
	Listing string // absolute URL of the listing
	Base    string // absolute URL prefix of the files; set by List
	Batch   string // absolute URL of the batch request; "" = none

	via  transport
	from string // where the whole listing came from, so that the browser has a copy; "" = Listing
	etag string
	last *api.Listing

	mu      sync.Mutex    // of what follows, which reads under way share
	whole   wholeCopy     // the file that is being read, from a host without Range
	copies  []wholeCopy   // of small files, from such a host; the one that was used last stands last
	ranged  bool          // the host is known to know Range
	turn    chan struct{} // of requests, while it is not; see one
	cap     int64         // most bytes that are asked for at a time, of a host that sends no more; 0 = any
	lame    int           // batches in a row that were not answered with one
	resting int           // reads for which no batch is asked for
	line    Line

	buf []byte // of the sequence that is being used
}

// A host without Range sends the whole file for each value that is looked at. Copies of small
// files are kept for those, up to so many bytes, and given with the version that they have; what
// reads a file, or proves one, never gets a copy (see source.Range.Again).
const (
	mostCopies = 64 << 20
	mostCopy   = mostCopies / 4
)

// wholeCopy is a file as a host without Range has sent it; none has no path.
type wholeCopy struct {
	path string
	body body
	head Head
}

// fits reports why it is not the file of r.
func (c *wholeCopy) fits(r source.Range) *source.Error {
	first := make([]byte, min(tfrecord.HeaderSize, c.body.size()))
	c.body.copy(first, 0)
	return JudgeWhole(r, c.head, int64(c.body.size()), first)
}

// slice is r in it.
func (c *wholeCopy) slice(r source.Range) (part, Verdict) {
	size := int64(c.body.size())
	n := min(r.Length, max(size-r.Offset, 0))
	return part{body: c.body, offset: int(min(r.Offset, size)), n: int(n), shared: true},
		Verdict{Bytes: n, Whole: true, Size: size, Version: c.head.version()}
}

// transport is how requests are made: the browser's fetch, or in tests net/http.
type transport interface {
	send(ctx context.Context, q request) (reply, error)
	resolve(ref, base string) string
	now() time.Time
}

// request is what is asked of a host.
type request struct {
	url   string
	spans string // Range header; "" = none
	post  string // JSON to post; "" = GET
	check bool   // a copy of the browser's will do if the host says it is still right
}

// reply is an answer whose body has not been read.
type reply interface {
	head() Head
	// read reads the body, of which at most `most` bytes count.
	read(most int64) (body, Sample, error)
	// all reads all of it, to be kept.
	all() (body, error)
	// text reads the first bytes of it, for words; errors are no words.
	text() []byte
	// drop ends it unread.
	drop()
}

// body is bytes that have not been copied into the program's memory.
type body interface {
	size() int
	copy(dst []byte, offset int)
	done() // gives the memory back
}

// Pace says how much to ask for at a time over the line that there is.
func (h *Host) Pace() source.Pace {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.line.Pace()
}

// Slow reports whether bytes come more slowly than they can be used.
func (h *Host) Slow() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.line.Slow()
}

func (h *Host) pack() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.line.Pack()
}

// listTries is how often a listing is asked for before that counts as failed; pauses
// grow from 200 ms on.
const listTries = 4

// maxListing bounds the length of a listing, in bytes: some ten million files.
const maxListing = 1 << 30

// List implements source.Logdir. A listing that has not changed is the same
// pointer as the last one. The error is a *source.Error, or ErrNoListing.
func (h *Host) List(ctx context.Context) (*api.Listing, error) {
	return h.lists(ctx, cmp.Or(h.from, h.Listing))
}

// ListSoon is List, but where our server has not found all files yet, it is told of those
// that it has (api.Listing.Partial).
func (h *Host) ListSoon(ctx context.Context) (*api.Listing, error) {
	url := h.Listing + "?" + api.SoonParameter + "=1"
	l, err := h.lists(ctx, url)
	if err == nil && !l.Partial {
		h.from = url
	}
	return l, err
}

func (h *Host) lists(ctx context.Context, url string) (*api.Listing, error) {
	pause := 200 * time.Millisecond
	for try := 1; ; try++ {
		l, err := h.list(ctx, url)
		var e *source.Error
		if !errors.As(err, &e) || e.Trouble != source.Busy && e.Trouble != source.Silent || try == listTries {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(pause, e.After)):
		}
		pause *= 3
	}
}

func (h *Host) list(ctx context.Context, url string) (*api.Listing, error) {
	r, err := h.transport().send(ctx, request{url: url, check: true})
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	head := r.head()
	if head.Status == 204 {
		r.drop()
		return nil, ErrNoListing // our server without a logdir
	}
	if head.Status != 200 {
		e := head.failure(h.transport().now())
		words := r.text()
		if Words(e, words); e.Trouble == source.Gone {
			return nil, fmt.Errorf("%w: %s", ErrNoListing, e.Error())
		}
		if _, ok := api.ParseFailure(words); !ok {
			e.Reason = "the listing could not be read: " + e.Reason
		}
		return nil, e
	}
	if head.ETag != "" && head.ETag == h.etag && h.last != nil {
		r.drop()
		return h.last, nil
	}
	body, err := r.all()
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	if body.size() > maxListing {
		return nil, &source.Error{Trouble: source.Refused, Reason: "the listing is larger than 1 GiB", Remedy: "open a directory further down"}
	}
	b := make([]byte, body.size())
	body.copy(b, 0)
	l, err := api.Parse(b)
	if err != nil {
		if head.Moved || len(b) > 0 && b[0] == '<' {
			return nil, notTheFile("the server answers with a page where the listing should be")
		}
		return nil, &source.Error{Trouble: source.Refused, Reason: err.Error()}
	}
	if !l.Partial {
		h.etag, h.last = head.ETag, l
	}
	h.Base = h.transport().resolve(l.Base, h.Listing)
	h.Batch = ""
	if l.Batch != "" {
		h.Batch = h.transport().resolve(l.Batch, h.Listing)
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

// Page is what the last listing asks of the page; nothing before there is one.
func (h *Host) Page() api.Page {
	if h.last == nil {
		return api.Page{}
	}
	return h.last.Page
}

// Read implements source.Logdir. Its own error says that ctx has ended.
func (h *Host) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if h.batches(len(ranges)) {
		return h.batch(ctx, ranges)
	}
	answers := make([]answer, len(ranges))
	for i, r := range ranges {
		if answers[i] = h.one(ctx, r); ctx.Err() != nil {
			for _, a := range answers {
				a.done()
			}
			return nil, ctx.Err()
		}
	}
	return func(yield func(int, source.Result) bool) {
		for i := range answers {
			a := &answers[i]
			res := source.Result{Size: a.size, Version: a.version}
			if a.err != nil {
				res = source.Result{Size: -1, Err: a.err}
			} else {
				res.Data = h.take(a.parts)
			}
			a.done()
			if !yield(i, res) {
				for i++; i < len(answers); i++ {
					answers[i].done()
				}
				return
			}
		}
	}, nil
}

// batches reports whether so many ranges are read by one batch request.
func (h *Host) batches(n int) bool {
	if h.Batch == "" || n == 0 {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.resting > 0 {
		h.resting--
		return false
	}
	return n > 1 || h.line.Pack()
}

// batchRest is how many reads do without batches after lameMost of them in a row were
// answered with something else: what refuses them on the way may let single ranges
// pass.
const (
	lameMost  = 2
	batchRest = 32
)

// batched notes whether a batch was answered with one.
func (h *Host) batched(ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lame++; ok {
		h.lame = 0
	} else if h.lame >= lameMost {
		h.resting = batchRest
	}
}

// part is a stretch of a body.
type part struct {
	body      body
	offset, n int
	shared    bool // the body is the whole file, for other ranges too
}

// answer is a range's bytes before they are copied out of JavaScript.
type answer struct {
	parts   []part
	size    int64
	version string
	err     error
}

// done gives the memory back.
func (a *answer) done() {
	for _, p := range a.parts {
		if !p.shared {
			p.body.done()
		}
	}
	a.parts = nil
}

// take copies parts into the reused buffer.
func (h *Host) take(parts []part) []byte {
	n := 0
	for _, p := range parts {
		n += p.n
	}
	if cap(h.buf) < n {
		h.buf = make([]byte, n)
	}
	b := h.buf[:n]
	at := 0
	for _, p := range parts {
		p.body.copy(b[at:at+p.n], p.offset)
		at += p.n
	}
	return b
}

// ask sends a request for what read will read. It takes the time until the answer
// begins.
func (h *Host) ask(ctx context.Context, q request) (reply, error) {
	asked := time.Now()
	r, err := h.transport().send(ctx, q)
	if err == nil {
		h.mu.Lock()
		h.line.Answered(time.Since(asked))
		h.mu.Unlock()
	}
	return r, err
}

// read reads at most n bytes of a body, and tells the line what came.
func (h *Host) read(r reply, n int64) (body, error) {
	b, s, err := r.read(n)
	h.mu.Lock()
	h.line.Took(s)
	h.mu.Unlock()
	return b, err
}

// leastCap is the fewest bytes that a range is cut into for a host that caps its
// answers, and capSlack how many answers may be shorter still. A host that sends a few
// bytes at a time would be asked a million times.
const (
	leastCap = 64 << 10
	capSlack = 16
)

// one reads a single range, with several requests if the host sends less than was
// asked for.
func (h *Host) one(ctx context.Context, r source.Range) answer {
	a := answer{size: -1}
	if r.Length <= 0 {
		return a // a Range header cannot ask for nothing
	}
	end := r.Offset + r.Length
	for asked := int64(0); r.Offset < end; asked++ {
		h.mu.Lock()
		r.Length = end - r.Offset
		if h.cap > 0 {
			r.Length = min(r.Length, h.cap)
		}
		h.mu.Unlock()
		if asked > capSlack+(end-r.Offset)/leastCap {
			a.fail(broken("the server sends the file in pieces that are too small"))
			return a
		}
		p, v := h.piece(ctx, r)
		if v.Err != nil {
			a.fail(v.Err)
			return a
		}
		if asked > 0 && (v.Version != a.version || v.Size >= 0 && v.Size < a.size) {
			if p.body != nil && !p.shared {
				p.body.done()
			}
			a.fail(&source.Error{Trouble: source.Changed, Reason: "the file changed while it was read"})
			return a
		}
		a.size, a.version = v.Size, v.Version
		if a.size >= 0 {
			end = min(end, a.size)
		}
		if p.n == 0 {
			break
		}
		a.parts = append(a.parts, p)
		r.Offset += int64(p.n)
	}
	return a
}

func (a *answer) fail(err error) {
	a.done()
	*a = answer{size: -1, err: err}
}

// piece reads a range with one request. A first part of it may come.
//
// Until an answer has told that the host knows Range, requests go one at a time, in
// the order in which they were made: of a host that does not, each would bring the
// whole file.
func (h *Host) piece(ctx context.Context, r source.Range) (part, Verdict) {
	h.mu.Lock()
	if h.turn == nil {
		h.turn = make(chan struct{}, 1)
	}
	ranged := h.ranged
	h.mu.Unlock()
	if !ranged {
		h.turn <- struct{}{}
		defer func() { <-h.turn }()
	}
	h.mu.Lock()
	if p, v, ok := h.copied(r); ok {
		h.mu.Unlock()
		return p, v
	}
	if h.whole.path == r.Path && r.Offset > 0 {
		defer h.mu.Unlock()
		if e := h.whole.fits(r); e != nil {
			return part{}, Verdict{Err: e}
		}
		return h.slice(r)
	}
	h.whole = wholeCopy{}
	h.mu.Unlock()

	failed := func(e *source.Error) (part, Verdict) { return part{}, Verdict{Size: -1, Err: e} }
	spans := "bytes=" + strconv.FormatInt(r.Offset, 10) + "-" + strconv.FormatInt(r.Offset+r.Length-1, 10)
	resp, err := h.ask(ctx, request{url: h.Base + api.EscapePath(r.Path), spans: spans})
	if err != nil {
		return failed(unreachable(ctx, err))
	}
	head := resp.head()
	v := Judge(r, head, h.transport().now())
	switch {
	case v.Err != nil:
		if head.Status >= 400 {
			Words(v.Err, resp.text())
		} else {
			resp.drop()
		}
		return part{}, v
	case v.Whole:
		b, err := resp.all()
		if err != nil {
			return failed(cut(err))
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		c := wholeCopy{r.Path, b, head}
		if e := c.fits(r); e != nil {
			return failed(e)
		}
		if r.Again && b.size() <= mostCopy {
			h.keep(c)
			return c.slice(r)
		}
		h.whole = c
		return h.slice(r)
	case v.Bytes == 0:
		resp.drop()
		return part{}, v // it ends before the range
	}
	b, err := h.read(resp, v.Bytes)
	if err == nil && int64(b.size()) != v.Bytes {
		err = fmt.Errorf("%d bytes came of %d", b.size(), v.Bytes)
		b.done()
	}
	if err != nil {
		return failed(cut(err))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ranged = true
	if v.Bytes < r.Length && (v.Size < 0 || r.Offset+v.Bytes < v.Size) {
		h.cap = max(v.Bytes, leastCap)
	}
	return part{body: b, n: int(v.Bytes)}, v
}

// copied answers r from a copy, if there is one and r may have it. One that is not may have
// found another file, so the copy goes.
func (h *Host) copied(r source.Range) (part, Verdict, bool) {
	i := slices.IndexFunc(h.copies, func(c wholeCopy) bool { return c.path == r.Path })
	if i < 0 {
		return part{}, Verdict{}, false
	}
	c := h.copies[i]
	h.copies = slices.Delete(h.copies, i, i+1)
	if !r.Again || int64(c.body.size()) < r.Size {
		return part{}, Verdict{}, false
	}
	h.copies = append(h.copies, c)
	p, v := c.slice(r)
	return p, v, true
}

// keep keeps a copy; those that were not used for the longest make room.
func (h *Host) keep(c wholeCopy) {
	h.copies = append(h.copies, c)
	sum := 0
	for _, c := range h.copies {
		sum += c.body.size()
	}
	for sum > mostCopies {
		sum -= h.copies[0].body.size()
		h.copies = slices.Delete(h.copies, 0, 1)
	}
}

// slice answers r from the file that is being read, which goes with its end.
func (h *Host) slice(r source.Range) (part, Verdict) {
	p, v := h.whole.slice(r)
	if r.Offset+v.Bytes >= v.Size {
		h.whole = wholeCopy{}
	}
	return p, v
}

// batch reads ranges with one request.
func (h *Host) batch(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	q := make([]api.Range, len(ranges))
	most := int64(0)
	for i, r := range ranges {
		q[i] = api.Range{Path: r.Path, Offset: r.Offset, Length: r.Length}
		most += api.BatchHeaderSize + r.Length
	}
	ask := request{url: h.Batch, post: string(api.AppendBatchRequest(nil, q))}
	plain, packed := ask, h.pack()
	if packed {
		ask.url += "?z=1"
	}
	bad := func() {
		if packed {
			h.mu.Lock()
			h.line.Bad()
			h.mu.Unlock()
		}
	}
	resp, err := h.ask(ctx, ask)
	if packed && ctx.Err() == nil && (err != nil || resp.head().Status != 200) {
		// Something on the way may not like to be asked so.
		if bad(); err == nil {
			resp.drop()
		}
		packed = false
		resp, err = h.ask(ctx, plain)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return failedAll(ranges, unreachable(ctx, err)), nil
	}
	if e := JudgeBatch(resp.head(), h.transport().now()); e != nil {
		h.batched(false)
		if resp.head().Status >= 400 {
			Words(e, resp.text())
		} else {
			resp.drop()
		}
		if e.Trouble == source.Gone { // the route, not the files
			e.Trouble = source.Refused
		}
		return failedAll(ranges, e), nil
	}
	b, err := h.read(resp, most)
	if err != nil {
		// The line broke, or a file shrank while it was sent. Nothing of the
		// answer can be told from that, and nothing is wrong with the others.
		bad()
		h.batched(false)
		return failedAll(ranges, cut(err)), nil
	}
	return func(yield func(int, source.Result) bool) {
		defer b.done()
		at, size := 0, b.size()
		for i, r := range ranges {
			res := source.Result{Size: -1}
			head, ok := api.BatchHeader{}, at+api.BatchHeaderSize <= size
			if ok {
				head, _, _ = api.CutBatchHeader(h.take([]part{{body: b, offset: at, n: api.BatchHeaderSize}}))
				at += api.BatchHeaderSize
				ok = head.Answers(api.Range{Offset: r.Offset, Length: r.Length}) && head.Count <= int64(size-at)
			}
			switch {
			case !ok:
				// A file shrank while it was sent, or these are no ranges of files: what
				// follows is asked for again.
				bad()
				if i == 0 {
					h.batched(false)
				}
				at, res.Err = size, cut(nil)
			case head.Count < 0:
				res.Err = &source.Error{Trouble: source.Gone, Reason: "the server cannot read the file", Remedy: "the page tries again by itself"}
			case head.Size < r.Size:
				at += int(head.Count)
				res.Err = changed(head.Size, r.Size)
			default:
				if i == 0 {
					h.batched(true)
				}
				res.Size, res.Version = head.Size, api.VersionText(head.Version)
				res.Data = h.take([]part{{body: b, offset: at, n: int(head.Count)}})
				at += int(head.Count)
			}
			if !yield(i, res) {
				return
			}
		}
	}, nil
}

// failedAll says of every range that it could not be read.
func failedAll(ranges []source.Range, err error) iter.Seq2[int, source.Result] {
	return func(yield func(int, source.Result) bool) {
		for i := range ranges {
			if !yield(i, source.Result{Size: -1, Err: err}) {
				return
			}
		}
	}
}

// cut says that an answer ended early.
func cut(err error) *source.Error {
	e := &source.Error{Trouble: source.Broken, Reason: "the server's answer ended early", Remedy: "look at the connection; it is tried again by itself"}
	if err != nil {
		e.Reason += " (" + err.Error() + ")"
	}
	return e
}

// unreachable says that no answer came.
func unreachable(ctx context.Context, err error) *source.Error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	reason := "the server does not answer"
	// What fetch says of a line that is down is no word for people.
	if said := err.Error(); !strings.Contains(said, "TypeError") {
		reason += " (" + said + ")"
	}
	return &source.Error{Trouble: source.Silent, Reason: reason,
		Remedy: "is it still running, and the connection up? It is tried again by itself"}
}
