package answer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// kind makes a job of a question by its Tags[0].
type kind map[string]func() (answer.Job, error)

func (kind) Name() string                              { return "k" }
func (kind) Plugins() []string                         { return nil }
func (k kind) Answerer(answer.World) answer.Answerer   { return k }
func (k kind) Begin(q *wire.Query) (answer.Job, error) { return k[q.Tags[0]]() }
func (kind) Forget()                                   {}

// job is a job made of functions.
type job struct {
	next func(out *answer.Out) answer.Step
	take func(i int, data []byte)
	fail func(i int, err error)
}

func (j *job) Next(out *answer.Out) answer.Step { return j.next(out) }
func (j *job) Take(i int, data []byte)          { j.take(i, data) }
func (j *job) Fail(i int, err error)            { j.fail(i, err) }

// says is a job that answers parts.
func says(parts any) func() (answer.Job, error) {
	return func() (answer.Job, error) {
		return &job{next: func(out *answer.Out) answer.Step { out.Parts = parts; return answer.Step{} }}, nil
	}
}

// bench runs a Scheduler. Its clock goes on by a millisecond each time that it is read.
type bench struct {
	*answer.Scheduler
	t    *testing.T
	now  time.Duration
	wake chan struct{}
	got  []string // "id: head", "id: error …", with " …" where more follows
	fits func(source.Range, source.Result) bool
	list []reader.Sample
}

func (b *bench) Listed(string) int64                         { return 0 }
func (b *bench) Proof(string) []reader.Sample                { return b.list }
func (b *bench) rest() bool                                  { return true }
func (b *bench) Fits(r source.Range, res source.Result) bool { return b.fits == nil || b.fits(r, res) }

func newBench(t *testing.T, k kind, dir source.Logdir) *bench {
	b := &bench{t: t, wake: make(chan struct{}, 1)}
	b.Scheduler = &answer.Scheduler{Options: answer.Options{
		Context: t.Context(), Answers: answer.New([]answer.Kind{k}, answer.World{Catalog: catalog.New()}), Dir: dir, Files: b,
		Now: func() time.Duration { b.now += time.Millisecond; return b.now },
		Wake: func() {
			select {
			case b.wake <- struct{}{}:
			default:
			}
		},
		Send: func(r answer.Reply) {
			s := fmt.Sprint(r.ID, ": ", string(r.Head))
			if r.Err != nil {
				s = fmt.Sprint(r.ID, ": error ", r.Err)
			}
			if r.More {
				s += " …"
			}
			b.got = append(b.got, s)
		},
	}}
	return b
}

// run steps until nothing is left to answer, or until so many answers have come.
func (b *bench) run(most int) {
	b.t.Helper()
	for b.Len() > 0 && len(b.got) < most {
		if b.Step(b.rest) != answer.Nothing {
			continue
		}
		select {
		case <-b.wake:
		case <-time.After(time.Minute):
			b.t.Fatalf("nothing goes on; so far %q", b.got)
		}
	}
}

func ask(tag string) wire.Query { return wire.Query{Kind: "k", Tags: []string{tag}} }

// What cannot be answered is an error for whoever asked it, and for nobody else.
func TestAnswerThatFails(t *testing.T) {
	k := kind{
		"good":  says([]int{7}),
		"inf":   says([]float64{math.Inf(1)}),
		"func":  says(func() {}),
		"begin": func() (answer.Job, error) { panic("torn") },
		"wrong": func() (answer.Job, error) { return nil, &wire.QueryError{What: "so"} },
		"next": func() (answer.Job, error) {
			return &job{next: func(*answer.Out) answer.Step { var list []int; _ = list[len("abc")]; return answer.Step{} }}, nil
		},
		"take": func() (answer.Job, error) {
			return &job{next: func(*answer.Out) answer.Step {
				return answer.Step{Need: []source.Range{{Path: "r/f", Length: 1}, {Path: "r/f", Length: 2}}}
			},
				take: func(int, []byte) { panic(errors.New("taken")) }}, nil
		},
		"second": func() (answer.Job, error) {
			n := 0
			return &job{next: func(out *answer.Out) answer.Step {
				if n++; n == 2 {
					out.Parts = math.NaN()
				}
				return answer.Step{More: true}
			}}, nil
		},
	}
	b := newBench(t, k, source.Mem{"r/f": []byte("abc")}.Logdir())
	var want []string
	for i, c := range []struct{ tag, err string }{
		{"inf", "unsupported value"}, {"func", "unsupported type"}, {"begin", "torn"}, {"wrong", "this cannot be asked: so"}, {"next", "index out of range"},
		{"take", "taken"}, {"second", "unsupported value"}, {"none of them", "nil pointer"},
	} {
		b.Ask(2*i, ask(c.tag))
		b.Ask(2*i+1, ask("good"))
		want = append(want, fmt.Sprint(2*i, ": error ")+"…"+c.err, fmt.Sprint(2*i+1, ": [7]"))
	}
	b.run(1000)
	if len(b.got) != len(want)+1 { // the first answer to "second"
		t.Errorf("%d answers: %q", len(b.got), b.got)
	}
	for _, w := range want {
		prefix, what, _ := strings.Cut(w, "…")
		if !slices.ContainsFunc(b.got, func(s string) bool { return strings.HasPrefix(s, prefix) && strings.Contains(s, what) }) {
			t.Errorf("no %q in %q", w, b.got)
		}
	}
}

// A job that computes for long has turns, between which others are answered, whatever order
// they came in. What it has put together stays.
func TestTurns(t *testing.T) {
	var lengths []int // of each turn, in parts of the work
	long := func() (answer.Job, error) {
		left := 100
		return &job{next: func(out *answer.Out) answer.Step {
			n := 0
			for ; left > 0; left-- {
				if n > 0 && out.Late() {
					lengths = append(lengths, n)
					return answer.Step{Busy: true}
				}
				n++
				out.Words = append(out.Words, uint64(left))
			}
			out.Parts = len(out.Words)
			return answer.Step{}
		}}, nil
	}
	b := newBench(t, kind{"long": long, "good": says(1)}, source.Mem{}.Logdir())
	b.Ask(1, ask("long"))
	b.Ask(2, ask("long"))
	if b.Step(b.rest) != answer.Computed {
		t.Error("the first turn is no turn")
	}
	b.Ask(3, ask("good"))
	b.run(1000)
	if want := []string{"3: 1", "1: 100", "2: 100"}; !slices.Equal(b.got, want) {
		t.Errorf("%q, want %q", b.got, want)
	}
	if slices.Max(lengths) > 20 || len(lengths) < 10 {
		t.Errorf("turns of %d", lengths)
	}
}

// Of strangers' questions that take some turns each one is answered before the next is begun: so
// the first has its answer soon, and there is one buffer. Those that come after a long one do not
// wait for it.
func TestOneAfterTheOther(t *testing.T) {
	begun := 0
	of := func(turns int) func() (answer.Job, error) {
		return func() (answer.Job, error) {
			begun++
			left := turns
			return &job{next: func(out *answer.Out) answer.Step {
				if left--; left > 0 {
					return answer.Step{Busy: true}
				}
				out.Parts = begun
				return answer.Step{}
			}}, nil
		}
	}
	b := newBench(t, kind{"short": of(3), "long": of(50)}, source.Mem{}.Logdir())
	stranger := func(kind string) wire.Query {
		q := ask(kind)
		q.Guest = true
		return q
	}
	b.Ask(1, stranger("long"))
	for id := range 3 {
		b.Ask(2+id, stranger("short"))
	}
	b.run(1000)
	if want := []string{"2: 2", "3: 3", "4: 4", "1: 4"}; !slices.Equal(b.got, want) {
		t.Errorf("%q, want %q", b.got, want)
	}
}

// A stranger's question that takes long keeps no question of the page waiting.
func TestPageFirst(t *testing.T) {
	long := func() (answer.Job, error) {
		left := 100
		return &job{next: func(out *answer.Out) answer.Step {
			for n := 0; left > 0; left, n = left-1, n+1 {
				if n > 0 && out.Late() {
					return answer.Step{Busy: true}
				}
			}
			out.Parts = 0
			return answer.Step{}
		}}, nil
	}
	b := newBench(t, kind{"long": long}, source.Mem{}.Logdir())
	guest := ask("long")
	guest.Guest = true
	b.Ask(1, guest)
	b.Step(b.rest)
	b.Ask(2, guest)
	b.Ask(3, ask("long"))
	b.Ask(4, ask("long"))
	b.run(1000)
	if want := []string{"3: 0", "4: 0"}; !slices.Equal(b.got[:2], want) || len(b.got) != 4 {
		t.Errorf("%q", b.got)
	}
}

// Of many ranges that have come some are used in one turn and the others later.
func TestRangesInTurns(t *testing.T) {
	m := source.Mem{"r/f": []byte("0123456789")}
	var need []source.Range
	for i := range 400 {
		need = append(need, source.Range{Path: "r/f", Offset: int64(i % 10), Length: 1})
	}
	text, asked := "", false
	b := newBench(t, kind{"good": says(1), "many": func() (answer.Job, error) {
		return &job{next: func(out *answer.Out) answer.Step {
			if !asked {
				asked = true
				return answer.Step{Need: need}
			}
			out.Parts = len(text)
			return answer.Step{}
		}, take: func(i int, data []byte) { text += string(data) }}, nil
	}}, m.Logdir())
	b.Ask(1, ask("many"))
	b.Step(b.rest)
	<-b.wake
	if b.Step(b.rest) != answer.Computed || len(text) == 0 || len(text) > 20 {
		t.Errorf("the first turn used %d ranges", len(text))
	}
	b.Ask(2, ask("good"))
	b.run(1000)
	if want := []string{"2: 1", "1: 400"}; !slices.Equal(b.got, want) || text != strings.Repeat("0123456789", 40) {
		t.Errorf("%q, %q", b.got, text)
	}
}

// flaky is a Logdir that fails as it is told.
type flaky struct {
	source.Logdir
	reads int
	fail  func(read int, r source.Range) error
}

func (f *flaky) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	seq, err := f.Logdir.Read(ctx, ranges)
	f.reads++
	n := f.reads
	return func(yield func(int, source.Result) bool) {
		for i, r := range seq {
			if err := f.fail(n, ranges[i]); err != nil {
				r = source.Result{Size: -1, Err: err}
			}
			if !yield(i, r) {
				return
			}
		}
	}, err
}

// One refusal is no loss: what may come at another try is tried again, and only that.
func TestReadAgain(t *testing.T) { synctest.Test(t, readAgain) }

func readAgain(t *testing.T) {
	m := source.Mem{"r/f": []byte("0123456789")}
	for _, c := range []struct {
		bad   int // reads that fail
		want  string
		reads int
	}{{0, `1: "0:a 1:b"`, 1}, {2, `1: "0:a 1:b"`, 3}, {9, `1: "0:a 1:!"`, 4}} {
		dir := &flaky{Logdir: m.Logdir(), fail: func(read int, r source.Range) error {
			if r.Offset == 1 && read <= c.bad {
				return &source.Error{Trouble: source.Busy}
			}
			if r.Offset == 0 && read > 1 {
				t.Error("what has come is read again")
			}
			return nil
		}}
		said := [2]string{}
		asked := false
		b := newBench(t, kind{"two": func() (answer.Job, error) {
			return &job{next: func(out *answer.Out) answer.Step {
				if !asked {
					asked = true
					return answer.Step{Need: []source.Range{{Path: "r/f", Offset: 0, Length: 1}, {Path: "r/f", Offset: 1, Length: 1}}}
				}
				out.Parts = strings.Join(said[:], " ")
				return answer.Step{}
			}, take: func(i int, data []byte) { said[i] = fmt.Sprintf("%d:%c", i, 'a'+data[0]-'0') },
				fail: func(i int, err error) { said[i] = fmt.Sprintf("%d:!", i) }}, nil
		}}, dir)
		b.Ask(1, ask("two"))
		b.run(1000)
		if !slices.Equal(b.got, []string{c.want}) || dir.reads != c.reads {
			t.Errorf("%d bad reads: %q after %d reads", c.bad, b.got, dir.reads)
		}
	}
}

// A piece comes when it is asked for, a cancelled question never.
func TestPieces(t *testing.T) {
	endless := func() (answer.Job, error) {
		n := 0
		return &job{next: func(out *answer.Out) answer.Step { n++; out.Parts = n; return answer.Step{More: n < 3} }}, nil
	}
	b := newBench(t, kind{"endless": endless, "good": says(0)}, source.Mem{}.Logdir())
	q := ask("endless")
	q.Every = true
	b.Ask(1, q)
	b.Ask(2, ask("good"))
	b.Cancel(2)
	for i := range 3 {
		b.run(i + 1)
		if b.Step(b.rest) != answer.Nothing {
			t.Fatalf("piece %d came unasked: %q", i+2, b.got)
		}
		b.More(1)
	}
	if want := []string{"1: 1 …", "1: 2 …", "1: 3"}; !slices.Equal(b.got, want) || b.Len() != 0 {
		t.Errorf("%q", b.got)
	}
}
