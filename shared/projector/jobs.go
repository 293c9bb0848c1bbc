package projector

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/projector/project"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// job is a projection under way: what the page wants of it.
type job struct {
	paused, stopped bool
	perturb         bool
}

// stopped ends a job's computation.
var stopped = tensor.Wrong("stopped", "", "", "It was stopped.")

// pause is the Turn of a job: it lets others work, waits while the job is paused, and ends it.
// Without a job it only lets others work.
func (s *Service) pause(j *job) project.Turn {
	return func() error {
		s.rest()
		if j == nil {
			return nil
		}
		for j.paused && !j.stopped {
			s.turn.Unlock()
			time.Sleep(20 * time.Millisecond)
			s.turn.Lock()
			s.since = time.Now()
		}
		if j.stopped {
			return stopped
		}
		return nil
	}
}

// control answers pause, resume, stop and perturb.
func (s *Service) control(change func(*job)) func(*Question) (Answer, error) {
	return func(q *Question) (Answer, error) {
		var f struct{ Job int64 }
		if err := q.fields(&f); err != nil {
			return nil, err
		}
		j := s.jobs[f.Job]
		if j == nil {
			return nil, unknown("unknown-job", "This projection has ended.")
		}
		change(j)
		return Answer{}, nil
	}
}

// limits of points, as TensorBoard's projector draws them.
var sampled = map[string]int{"pca": 0, "tsne": 10000, "umap": 5000, "custom": 0}

// end of a custom axis: rows, or what a search finds.
type axisEnd struct {
	Rows   []uint32
	Search *query
}

// projecting is a question for a projection.
type projecting struct {
	Method    string
	Sphereize bool
	Sample    int
	Seed      uint64

	Components   int
	Dims         int
	Perplexity   float64
	Rate         float64
	Theta        float64
	Iterations   *int
	Exaggeration float64
	Supervise    *struct {
		Column string
		Factor float64
	}
	Neighbors int
	MinDist   float64
	Epochs    int
	Metric    string
	Axes      []struct{ Left, Right *axisEnd }
}

func (s *Service) project(q *Question) (Answer, error) {
	var f projecting
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err == nil {
		err = o.inside(q.Rows)
	}
	if err != nil {
		return nil, err
	}
	limit, ok := sampled[f.Method]
	if !ok {
		return nil, unknown("bad-question", "There is no method %q.", f.Method)
	}
	if f.Sample > 0 {
		limit = f.Sample
	}
	rows := o.usable(q.Rows)
	if limit > 0 && len(rows) > limit { // rows stay in order
		random := rand.New(rand.NewPCG(f.Seed, 1))
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:limit]
		slices.Sort(rows)
	}
	if len(rows) < 2 || f.Method != "pca" && f.Method != "custom" && len(rows) < 5 {
		return nil, unknown("nothing-there", "There are too few points: %d.", len(rows))
	}
	j := &job{}
	s.jobs[q.ID] = j
	defer delete(s.jobs, q.ID)
	r := &running{s: s, q: q, o: o, f: &f, job: j, rows: rows, turn: s.pause(j), began: time.Now()}
	s.progress(q, Answer{"stage": "start", "step": 0, "of": 0}, nil)
	r.m = project.Pick(o.points, o.dims, rows)
	if err := r.turn(); err != nil {
		return nil, err
	}
	if f.Sphereize {
		r.m.Sphereize()
	}
	switch f.Method {
	case "pca":
		return r.pca()
	case "tsne":
		return r.tsne()
	case "umap":
		return r.umap()
	}
	return r.custom()
}

// running is a projection under way.
type running struct {
	s     *Service
	q     *Question
	o     *opened
	f     *projecting
	job   *job
	m     project.Matrix
	rows  []uint32
	turn  project.Turn
	began time.Time
	told  time.Time
	sent  bool // rows
}

// tell says how it goes, ten times a second at most.
func (r *running) tell(stage string, step, of int, loss float64, positions []float32, dims int) {
	if time.Since(r.told) < 100*time.Millisecond {
		return
	}
	r.told = time.Now()
	more := Answer{}
	if positions != nil {
		more["positions"], more["dims"] = slices.Clone(positions), dims
		if !r.sent {
			more["rows"] = r.rows
			r.sent = true
		}
	}
	p := Answer{"stage": stage, "step": step, "of": of, "seconds": time.Since(r.began).Seconds()}
	if loss != 0 {
		p["error"] = loss
	}
	r.s.progress(r.q, p, more)
}

// neighbors is the progress of the search for neighbours.
func (r *running) neighbors(done, of int) error {
	r.tell("neighbors", done, of, 0, nil, 0)
	return r.turn()
}

func (r *running) answer(dims int, positions []float32, step int, more Answer) Answer {
	stage := "done"
	if r.job.stopped {
		stage = "stopped"
	}
	positions = slices.Clone(positions)
	r.o.results[r.f.Method] = &result{positions, dims, r.rows}
	a := Answer{"method": r.f.Method, "dims": dims, "positions": positions, "rows": r.rows, "step": step, "stage": stage, "seconds": time.Since(r.began).Seconds()}
	for k, v := range more {
		a[k] = v
	}
	return a
}

func (r *running) pca() (Answer, error) {
	k := r.f.Components
	if k <= 0 {
		k = 10
	}
	c, err := project.PCA(r.m, min(k, 50), func() error {
		r.tell("pca", 0, 0, 0, nil, 0)
		return r.turn()
	})
	if err != nil {
		return nil, err
	}
	return r.answer(c.K, c.Positions, 0, Answer{"components": c.K, "variance": c.Variance, "vectors": c.Vectors, "mean": c.Mean, "exact": c.Exact}), nil
}

func (r *running) tsne() (Answer, error) {
	o := project.TSNE{Dims: r.f.Dims, Perplexity: r.f.Perplexity, Rate: r.f.Rate, Theta: r.f.Theta, Exaggeration: r.f.Exaggeration, Seed: r.f.Seed, From: r.q.From}
	if w := r.f.Supervise; w != nil && w.Factor > 0 {
		c, err := r.o.column(w.Column, false)
		if err != nil {
			return nil, err
		}
		o.Factor = w.Factor
		for _, row := range r.rows {
			label := int32(c.Codes[row])
			if len(c.Word(uint32(label))) == 0 {
				label = -1
			}
			o.Labels = append(o.Labels, label)
		}
	}
	t, err := project.NewTSNE(r.m, o, r.turn, r.neighbors)
	if err != nil {
		return nil, err
	}
	r.m.X = nil // its memory is wanted
	iterations := 1000
	if r.f.Iterations != nil {
		iterations = *r.f.Iterations
	}
	for iterations <= 0 || t.Iteration < iterations {
		if r.job.perturb {
			r.job.perturb = false
			t.Perturb()
		}
		if err := t.Step(r.turn); err == error(stopped) {
			break
		} else if err != nil {
			return nil, err
		}
		if math.IsNaN(float64(t.Y[0])) {
			return nil, tensor.Wrong("internal", "", "Choose a smaller learning rate.", "The positions have run away.")
		}
		r.tell("optimize", t.Iteration, max(0, iterations), t.Error, t.Y, t.Dims)
	}
	return r.answer(t.Dims, t.Y, t.Iteration, Answer{"perplexity": t.Perplexity, "rate": t.Rate, "error": t.Error}), nil
}

func (r *running) umap() (Answer, error) {
	if r.f.Metric == "cosine" { // on the sphere the order of distances is that of cosines
		r.unit()
	}
	l, err := project.NewUMAP(r.m, project.UMAP{Dims: r.f.Dims, Neighbors: r.f.Neighbors, MinDist: r.f.MinDist, Epochs: r.f.Epochs, Seed: r.f.Seed}, r.turn, r.neighbors)
	if err != nil {
		return nil, err
	}
	r.m.X = nil
	for l.Epoch < l.Epochs {
		if err := l.Step(r.turn); err == error(stopped) {
			break
		} else if err != nil {
			return nil, err
		}
		r.tell("optimize", l.Epoch, l.Epochs, 0, l.Y, l.Dims)
	}
	return r.answer(l.Dims, l.Y, l.Epoch, Answer{"epochs": l.Epochs}), nil
}

// unit scales rows to length 1.
func (r *running) unit() {
	for i := range r.m.N {
		row, sum := r.m.Row(i), 0.0
		for _, x := range row {
			sum += float64(x) * float64(x)
		}
		if sum > 0 {
			by := float32(1 / math.Sqrt(sum))
			for k := range row {
				row[k] *= by
			}
		}
	}
}

// custom places points along the lines from one centre to another.
func (r *running) custom() (Answer, error) {
	if n := len(r.f.Axes); n == 0 || n > 3 {
		return nil, unknown("bad-question", "Custom axes are one to three.")
	}
	index := map[uint32]int{}
	for i, row := range r.rows {
		index[row] = i
	}
	var wrong []*tensor.Trouble
	var hits [][2]int
	center := func(e *axisEnd, axis int) ([]float64, int, error) {
		rows := r.rows
		if e != nil {
			rows = e.Rows
			if e.Search != nil {
				var err error
				if rows, err = r.s.find(r.o, *e.Search); err != nil {
					return nil, 0, err
				}
			}
			if err := r.o.inside(rows); err != nil {
				return nil, 0, err
			}
		}
		sum, n := make([]float64, r.m.D), 0
		for _, row := range rows {
			if i, ok := index[row]; ok {
				for k, x := range r.m.Row(i) {
					sum[k] += float64(x)
				}
				n++
			}
		}
		if n == 0 { // as of all points
			wrong = append(wrong, tensor.Wrong("nothing-there", "", "Search for something else.", "One end of axis %d finds no points: the centre of all is taken.", axis+1))
			sum, n, err := make([]float64, r.m.D), 0, error(nil)
			for i := range r.m.N {
				for k, x := range r.m.Row(i) {
					sum[k] += float64(x)
				}
			}
			for k := range sum {
				sum[k] /= float64(r.m.N)
			}
			return sum, n, err
		}
		for k := range sum {
			sum[k] /= float64(n)
		}
		return sum, n, nil
	}
	d := len(r.f.Axes)
	positions := make([]float32, r.m.N*d)
	for a, axis := range r.f.Axes {
		left, nl, err := center(axis.Left, a)
		if err != nil {
			return nil, err
		}
		right, nr, err := center(axis.Right, a)
		if err != nil {
			return nil, err
		}
		hits = append(hits, [2]int{nl, nr})
		length := 0.0
		for k := range left {
			right[k] -= left[k]
			length += right[k] * right[k]
		}
		if length == 0 {
			wrong = append(wrong, tensor.Wrong("constant", "", "Choose two ends that differ.", "Both ends of axis %d are the same place.", a+1))
			continue
		}
		length = math.Sqrt(length)
		for i := range r.m.N {
			sum := 0.0
			for k, x := range r.m.Row(i) {
				sum += (float64(x) - left[k]) * right[k]
			}
			positions[i*d+a] = float32(sum / length)
			if i&255 == 0 {
				if err := r.turn(); err != nil {
					return nil, err
				}
			}
		}
	}
	return r.answer(d, positions, 0, Answer{"hits": hits, "problems": problems(wrong)}), nil
}
