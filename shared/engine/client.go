package engine

import (
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Clients
//
// Strangers ask too: scripts, notebooks, plug-ins. Each is a Client of its own, so that none
// of them harms the page or another one. What they ask waits here: a few questions of each are
// under way, and a few of all together, begun by turns; the page's own questions never wait,
// and workers answer them first. What a client does in a callback that fails is its own
// trouble: Guard sees to that.
const (
	clientUnder   = 4      // questions of one client that are under way
	clientsUnder  = 8      // … and of all
	clientWaiting = 50_000 // questions of one client that wait: all tags of a large logdir; further ones are refused
)

// Client is a stranger who asks.
type Client struct {
	e       *Engine
	guard   func(call func())
	waiting []*request
	under   []*request
	watches []func() // that end its subscriptions
	closed  bool
}

// request is a question of a client.
type request struct {
	q      wire.Query
	got    func(Reply)
	cancel func() // of the question under way
}

// NewClient makes a client. guard calls what it is given, which calls the client's code, and
// keeps what goes wrong there away from the page.
func (e *Engine) NewClient(guard func(call func())) *Client {
	c := &Client{e: e, guard: guard}
	e.clients = append(e.clients, c)
	return c
}

// Ask is Engine.Ask, in its turn. A client that has asked too much is told so.
func (c *Client) Ask(q wire.Query, got func(Reply)) (cancel func()) {
	q.Guest = true
	r := &request{q: q, got: got}
	if c.closed || len(c.waiting) >= clientWaiting {
		c.e.host.Soon(func() {
			if !c.closed && r.got != nil {
				c.guard(func() {
					got(Reply{Err: "too many questions wait for an answer: wait for some of them before you ask more"})
				})
			}
		})
		return func() { r.got = nil }
	}
	c.waiting = append(c.waiting, r)
	c.e.turns()
	return func() { c.drop(r) }
}

// turns begins what may be begun, one client after the other.
func (e *Engine) turns() {
	for idle := 0; e.guests < e.All && idle < len(e.clients); {
		c := e.clients[0]
		e.clients = append(e.clients[1:], c) // the others come before it the next time
		if len(c.waiting) == 0 || len(c.under) >= e.Each {
			idle++
			continue
		}
		idle = 0
		r := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.under = append(c.under, r)
		e.guests++
		r.cancel = e.Ask(r.q, func(a Reply) {
			if !a.More {
				c.ended(r)
			}
			if r.got != nil {
				c.guard(func() { r.got(a) })
			}
		})
	}
}

// ended notes that a question is not under way any more.
func (c *Client) ended(r *request) {
	if i := slices.Index(c.under, r); i >= 0 {
		c.under = slices.Delete(c.under, i, i+1)
		c.e.guests--
		c.e.turns()
	}
}

// drop forgets a question.
func (c *Client) drop(r *request) {
	r.got = nil
	c.waiting = slices.DeleteFunc(c.waiting, func(o *request) bool { return o == r })
	if r.cancel != nil {
		r.cancel()
		c.ended(r)
	}
}

// Subscribe is Engine.Subscribe.
func (c *Client) Subscribe(f func(Change)) (cancel func()) {
	if c.closed {
		return func() {}
	}
	end := c.e.Subscribe(func(ch Change) { c.guard(func() { f(ch) }) })
	c.watches = append(c.watches, end)
	return end
}

// Close ends all that the client has begun. Nothing of it is called any more.
func (c *Client) Close() {
	c.closed = true
	for _, end := range c.watches {
		end()
	}
	c.watches = nil
	for _, r := range append(slices.Clone(c.waiting), c.under...) {
		c.drop(r)
	}
	c.e.clients = slices.DeleteFunc(c.e.clients, func(o *Client) bool { return o == c })
}
