package reading

import (
	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Pages that show the same ask the same: when fifty look at one board each of its curves would be
// made fifty times. So who asks what another one has asked already, and has no answer to, is
// answered with it. Not if anything has been read since: the answer may have been begun before,
// and what came after is news that the other one has been told of already.

// joint is a question under way that several have asked.
type joint struct {
	asker  *asker
	news   int // Reading.news when it was asked
	got    map[int]func(engine.Reply)
	last   int
	cancel func() // ends the question
}

// asker is a client, which has to live as long as somebody waits for what it has asked.
type asker struct {
	*engine.Client
	under int // questions
	left  bool
}

func (r *Reading) newAsker() *asker {
	return &asker{Client: r.e.NewClient(func(call func()) { call() })}
}

// leave ends the client when nobody waits for it any more.
func (a *asker) leave() {
	if a.left = true; a.under == 0 {
		a.Close()
	}
}

// done notes the end of a question.
func (a *asker) done() {
	if a.under--; a.under == 0 && a.left {
		a.Close()
	}
}

// join asks q, whose packed form is body, or joins one that is under way.
func (r *Reading) join(by *asker, q wire.Query, body string, got func(engine.Reply)) (cancel func()) {
	j := r.joined[body]
	if j == nil || j.news != r.news {
		j = r.begin(by, q, body)
	}
	j.last++
	id := j.last
	j.got[id] = got
	return func() {
		if delete(j.got, id); len(j.got) == 0 {
			j.cancel()
		}
	}
}

// begin asks a question that others may join.
func (r *Reading) begin(by *asker, q wire.Query, body string) *joint {
	j := &joint{asker: by, news: r.news, got: map[int]func(engine.Reply){}}
	r.joined[body] = j
	forget := func() {
		if r.joined[body] == j {
			delete(r.joined, body)
		}
	}
	over := false
	end := by.Ask(q, func(a engine.Reply) {
		forget()
		if !a.More && !over {
			over = true
			defer by.done()
		}
		for id := range j.last + 1 { // in the order in which they asked
			if got := j.got[id]; got != nil {
				got(a)
			}
		}
	})
	by.under++
	j.cancel = func() {
		forget()
		if !over {
			over = true
			end()
			by.done()
		}
	}
	return j
}
