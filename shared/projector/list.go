package projector

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/projector/array"
	"github.com/tensorbored/tensorbored-static/shared/projector/checkpoint"
	"github.com/tensorbored/tensorbored-static/shared/projector/config"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// found is what a file holds, kept for as long as the file is the same.
type found struct {
	same     string
	tensors  []tensor.Stored
	config   *config.Config
	problems []*tensor.Trouble
	points   bool   // a .tsv whose rows are numbers
	newest   string // of a file "checkpoint"
}

// Sprite is a sheet of images and the size of one.
type Sprite struct {
	Path   string `json:"path"`
	Width  int64  `json:"width"`
	Height int64  `json:"height"`
}

// Tensor is a line of the list; see the contract.
type Tensor struct {
	ID        string          `json:"id"`
	Run       string          `json:"run"`
	Name      string          `json:"name"`
	Of        string          `json:"of"`
	From      string          `json:"from"`
	Path      string          `json:"path"`
	Step      int64           `json:"step"`
	DType     string          `json:"dtype"`
	Shape     []int64         `json:"shape"`
	Rows      int64           `json:"rows"`
	Dims      int64           `json:"dims"`
	Bytes     int64           `json:"bytes"`
	Main      bool            `json:"main"`
	Metadata  string          `json:"metadata"`
	Sprite    *Sprite         `json:"sprite,omitempty"`
	Bookmarks string          `json:"bookmarks"`
	Config    string          `json:"config"`
	Local     bool            `json:"local"`
	MTime     float64         `json:"mtime"`
	Error     *tensor.Trouble `json:"error,omitempty"`
}

// entry is a tensor that can be loaded.
type entry struct {
	Tensor
	stored  tensor.Stored // nil if Error says why
	version string        // changes with the file's bytes
}

func (s *Service) list(q *Question) (Answer, error) {
	var f struct {
		Files []Listed `json:"files"`
		Runs  []string `json:"runs"`
	}
	if err := q.fields(&f); err != nil {
		return nil, err
	}
	s.listed = make(map[string]Listed, len(f.Files))
	for _, l := range f.Files {
		if api.ValidPath(l.Path) && l.Size >= 0 && !strings.HasPrefix(l.Path, local) {
			s.listed[l.Path] = l
		}
	}
	s.runs = f.Runs
	return s.relist()
}

func (s *Service) add(q *Question) (Answer, error) {
	for _, l := range q.Local {
		s.local[l.Path] = l
	}
	return s.relist()
}

func (s *Service) drop(q *Question) (Answer, error) {
	var f struct {
		Names []string `json:"names"`
	}
	if err := q.fields(&f); err != nil {
		return nil, err
	}
	for _, n := range f.Names {
		delete(s.local, n)
	}
	return s.relist()
}

// relist makes the list of what is there now. What files hold is read only where they are new.
func (s *Service) relist() (Answer, error) {
	// One at a time: the turn is let go while files are read.
	for !s.listing.TryLock() {
		s.since = s.since.Add(-turnTime)
		s.rest()
	}
	defer s.listing.Unlock()
	files := slices.Collect(maps.Values(s.listed))
	files = append(files, slices.Collect(maps.Values(s.local))...)
	slices.SortFunc(files, func(a, b Listed) int { return strings.Compare(a.Path, b.Path) })
	l := &lister{s: s, ids: map[string]*entry{}, shown: map[string]bool{}}
	for _, f := range files {
		got := s.look(f)
		l.problems = append(l.problems, got.problems...)
		if got.config != nil {
			l.configs = append(l.configs, f.Path)
		}
		s.rest()
	}
	for p := range s.seen {
		if _, ok := s.file(p); !ok {
			delete(s.seen, p)
		}
	}
	for _, p := range l.configs {
		l.config(p, s.seen[p].config)
	}
	for _, f := range files {
		for _, t := range s.seen[f.Path].tensors {
			l.stored(f, t)
			s.rest()
		}
		if got := s.seen[f.Path]; got.points && !l.shown[f.Path] {
			l.vectors(f, nil)
		}
	}
	l.unmatched()
	slices.SortStableFunc(l.all, func(a, b *entry) int {
		if c := strings.Compare(a.Run, b.Run); c != 0 {
			return c
		}
		if a.Config != "" != (b.Config != "") {
			if a.Config != "" {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.Path, b.Path), 0)
	})
	tensors := []any{}
	s.tensors, s.order = l.ids, l.all
	for _, e := range l.all {
		tensors = append(tensors, e.Tensor)
	}
	a := Answer{"tensors": tensors, "problems": problems(l.problems), "metadata": []string{}}
	var metadata, sprites, bookmarks []string
	for _, f := range files {
		switch ext := strings.ToLower(path.Ext(f.Path)); {
		case ext == ".tsv" && !s.seen[f.Path].points, ext == ".csv":
			metadata = append(metadata, f.Path)
		case ext == ".png" || ext == ".jpg" || ext == ".jpeg" || ext == ".webp" || ext == ".gif":
			sprites = append(sprites, f.Path)
		case ext == ".txt" || ext == ".json":
			bookmarks = append(bookmarks, f.Path)
		}
	}
	a["metadata"], a["sprites"], a["bookmarks"] = texts(metadata), texts(sprites), texts(bookmarks)
	if now := fmt.Sprint(files); now != s.lastListed {
		s.lastListed = now
		s.gen++
	}
	a["gen"] = s.gen
	return a, nil
}

func texts(list []string) []string { return append([]string{}, list...) }

func problems(list []*tensor.Trouble) []*tensor.Trouble { return append([]*tensor.Trouble{}, list...) }

// look reads what tells which tensors a file holds.
func (s *Service) look(f Listed) found {
	same := fmt.Sprintf("%d %v %s", f.Size, f.MTime, f.Version)
	if c := checkpointOf(f.Path); c != "" {
		// An index says nothing of its shards: they come later, and may be gone.
		for p, l := range s.listed {
			if strings.HasPrefix(p, c+".data-") {
				same += fmt.Sprintf(" %s %d", p, l.Size)
			}
		}
	}
	if old, ok := s.seen[f.Path]; ok && old.same == same {
		return old
	}
	is := file{s, f}
	got := found{same: same}
	fail := func(err error) {
		if err == nil {
			return
		}
		t := *trouble(err)
		if t.Path == "" {
			t.Path = f.Path
		}
		if t.Again {
			got.same = "" // it is read at the next look
		}
		got.problems = append(got.problems, &t)
	}
	name := strings.ToLower(path.Base(f.Path))
	var err error
	switch ext := path.Ext(name); {
	case name == api.ProjectorConfig, ext == ".pbtxt" && strings.HasPrefix(f.Path, local):
		var b []byte
		if b, err = tensor.ReadFull(is, 0, min(f.Size, longestConfig)); err == nil {
			c, wrong := config.Parse(f.Path, b)
			got.config = &c
			if wrong != nil {
				err = wrong
			}
		}
	case name == "checkpoint":
		var b []byte
		if b, err = tensor.ReadFull(is, 0, min(f.Size, longestConfig)); err == nil {
			got.newest = config.Checkpoint(b)
		}
	case ext == ".npy":
		got.tensors, err = array.NPY(is)
	case ext == ".npz":
		got.tensors, err = array.NPZ(is)
	case ext == ".safetensors":
		got.tensors, err = array.Safetensors(is)
	case ext == ".tsv" || ext == ".txt" && strings.HasPrefix(f.Path, local):
		got.points, err = array.IsVectors(is)
	case checkpointOf(f.Path) != "":
		prefix := checkpointOf(f.Path)
		got.tensors, got.problems, err = checkpoint.Open(is, func(shard string) (tensor.File, bool) { return s.shard(prefix, shard) })
	}
	fail(err)
	s.seen[f.Path] = got
	return got
}

// longestConfig bounds what is read of a configuration.
const longestConfig = 4 << 20

// shard returns a file of a checkpoint: its prefix and a suffix; a local one may have another name
// before it.
func (s *Service) shard(prefix, suffix string) (tensor.File, bool) {
	f, ok := s.file(prefix + suffix)
	return f, ok
}

// checkpointOf is the prefix of a checkpoint whose index a file is, "" if it is none.
func checkpointOf(p string) string {
	if prefix, ok := strings.CutSuffix(p, ".index"); ok {
		return prefix
	}
	if strings.Contains(path.Base(p), ".ckpt-") && !strings.Contains(p, ".data-") && !strings.HasSuffix(p, ".meta") {
		return p // version 1 is one file, or some
	}
	return ""
}

// lister makes the list.
type lister struct {
	s        *Service
	all      []*entry
	ids      map[string]*entry
	shown    map[string]bool // tensors of .tsv files that a config has named
	configs  []string
	problems []*tensor.Trouble
	wanted   []wanted
}

// wanted is what a config says of tensors of checkpoints.
type wanted struct {
	config  string
	run     string
	prefix  string // "": any of the run
	is      config.Embedding
	matched bool
}

// put adds a tensor, under an id of its own.
func (l *lister) put(e *entry) {
	id := e.ID
	for n := 2; l.ids[e.ID] != nil; n++ {
		e.ID = id + "#" + strconv.Itoa(n)
	}
	if e.Shape == nil {
		e.Shape = []int64{}
	}
	l.ids[e.ID] = e
	l.all = append(l.all, e)
}

// where is a path of a config, as one of the logdir.
func (l *lister) where(of, p string) (string, *tensor.Trouble) {
	if strings.HasPrefix(of, local) {
		at := local + path.Base(strings.ReplaceAll(p, "\\", "/")) // local files have no directories
		return at, nil
	}
	at, err := config.Inside(path.Dir(of), p, func(p string) bool { _, ok := l.s.listed[p]; return ok })
	if err != nil {
		err.Path = of
	}
	return at, err
}

// beside finds the files that a config names beside a tensor.
func (l *lister) beside(of string, is config.Embedding, t *Tensor) {
	find := func(p, what string) string {
		if p == "" {
			return ""
		}
		at, err := l.where(of, p)
		if err == nil {
			if _, ok := l.s.file(at); !ok {
				err = tensor.Wrong("missing", at, "Copy it into the logdir, or correct the config.", "The config names this file as %s, and it is not there.", what)
				if strings.HasPrefix(at, local) {
					err = nil // it may be dropped later
				}
				at = ""
			}
		}
		if err != nil {
			l.problems = append(l.problems, err)
			return ""
		}
		return at
	}
	t.Metadata = find(is.MetadataPath, "metadata")
	t.Bookmarks = find(is.BookmarksPath, "bookmarks")
	if at := find(is.SpritePath, "sprite"); at != "" {
		t.Sprite = &Sprite{Path: at}
		if len(is.SpriteDim) == 2 {
			t.Sprite.Width, t.Sprite.Height = is.SpriteDim[0], is.SpriteDim[1]
		}
	}
	t.Config = of
}

// config takes in a configuration: tensors in files of their own, and what is known of those in
// checkpoints.
func (l *lister) config(p string, c *config.Config) {
	prefix := c.CheckpointPath
	if prefix == "" && c.CheckpointDir != "" {
		if at, err := l.where(p, path.Join(c.CheckpointDir, "checkpoint")); err == nil {
			if newest := l.s.seen[at].newest; newest != "" {
				prefix = path.Join(c.CheckpointDir, path.Base(newest))
			}
		}
	}
	if prefix != "" {
		at, err := l.where(p, prefix)
		if err != nil && strings.HasPrefix(prefix, "/") { // as older writers had it: the file is beside the config, or nowhere
			at, err = l.where(p, path.Base(prefix))
		}
		if err != nil {
			l.problems = append(l.problems, err)
			prefix = "\x00"
		} else {
			prefix = at
		}
	}
	for _, e := range c.Embeddings {
		if e.TensorPath == "" {
			l.wanted = append(l.wanted, wanted{p, runOf(p), prefix, e, false})
			continue
		}
		name := strings.TrimSuffix(e.TensorName, ":0")
		at, err := l.where(p, e.TensorPath)
		t := Tensor{Run: runOf(p), Name: name, From: "tsv", Path: at, Step: -1, Main: true, ID: p + "#" + name, Config: p}
		if name == "" {
			t.Name = path.Base(e.TensorPath)
		}
		// tensors of steps stand in folders by the step, as PyTorch writes them: 00010/default
		t.Of, t.Step = stepOf(t.Name)
		t.Of = t.Run + "#" + t.Of
		if err != nil {
			t.Error = err
			l.put(&entry{Tensor: t})
			continue
		}
		f, ok := l.s.file(at)
		if !ok {
			t.Error = tensor.Wrong("missing", at, "Copy it into the logdir, or correct the config.", "The config names this file, and it is not there.")
			l.put(&entry{Tensor: t})
			continue
		}
		l.beside(p, e, &t)
		l.shown[at] = true
		l.vectorsAs(f.is, e.Shape, t)
	}
}

// stepOf is the step that a name ends with or is below, as PyTorch's "digits:00010" and
// "00010/digits" have it, and the rest of the name.
func stepOf(name string) (rest string, step int64) {
	if i := strings.LastIndexByte(name, ':'); i >= 0 && i < len(name)-1 {
		if n, err := strconv.ParseInt(name[i+1:], 10, 64); err == nil && len(name)-i-1 >= 2 {
			return name[:i], n
		}
	}
	if i := strings.IndexByte(name, '/'); i > 0 {
		if n, err := strconv.ParseInt(name[:i], 10, 64); err == nil {
			return name[i+1:], n
		}
	}
	return name, -1
}

// vectors lists a .tsv that no config names.
func (l *lister) vectors(f Listed, shape []int64) {
	l.vectorsAs(f, shape, Tensor{Run: runOf(f.Path), Name: strings.TrimPrefix(f.Path, local), From: "tsv", Path: f.Path, Step: -1, Main: true, ID: f.Path, Of: f.Path})
}

func (l *lister) vectorsAs(f Listed, shape []int64, t Tensor) {
	is := file{l.s, f}
	var stored tensor.Stored
	switch ext := strings.ToLower(path.Ext(f.Path)); {
	case ext == ".npy" && len(l.s.seen[f.Path].tensors) == 1:
		stored = l.s.seen[f.Path].tensors[0]
		t.From = "npy"
	case ext == ".bytes", len(shape) > 0 && !l.s.text(is):
		t.From = "bytes"
		raw, err := array.Raw(is, shape)
		if err != nil {
			t.Error = trouble(err)
		} else {
			stored = raw
		}
	default:
		stored = array.Vectors(is, shape)
	}
	t.Bytes, t.MTime, t.Local = f.Size, f.MTime, strings.HasPrefix(f.Path, local)
	e := &entry{Tensor: t, stored: stored, version: l.s.seen[f.Path].same}
	if stored != nil {
		e.of(stored.Info())
	}
	l.put(e)
}

// text reports whether a file begins like text.
func (s *Service) text(f file) bool {
	b, err := f.Read(0, min(f.Size(), 4096))
	for i := 0; i < 4 && len(b) > 0 && !utf8.Valid(b); i++ { // it may be cut inside a letter
		b = b[:len(b)-1]
	}
	return err == nil && utf8.Valid(b) && !strings.Contains(string(b), "\x00")
}

// of takes over what a reader knows.
func (e *entry) of(i tensor.Info) {
	e.DType, e.Shape = string(i.DType), i.Shape
	if len(i.Shape) > 0 {
		e.Rows, e.Dims = i.Points()
	}
	if i.Bytes > 0 {
		e.Bytes = i.Bytes
	}
}

// stored lists a tensor of a file that names its tensors.
func (l *lister) stored(f Listed, st tensor.Stored) {
	i := st.Info()
	name, where := i.Name, f.Path
	t := Tensor{Run: runOf(f.Path), Name: name, Path: f.Path, Step: i.Step, MTime: f.MTime, Local: strings.HasPrefix(f.Path, local)}
	if name == "" { // a .npy
		if l.shown[f.Path] {
			return
		}
		t.Name = strings.TrimSuffix(path.Base(strings.TrimPrefix(f.Path, local)), path.Ext(f.Path))
		t.ID, t.Of = f.Path, f.Path
	} else {
		key := name
		if i.Key != "" {
			key = i.Key
		}
		t.ID = f.Path + "#" + key
		of := where
		if c := checkpointOf(f.Path); c != "" {
			where = c
			of = withoutStep(c)
		}
		t.Of = of + "#" + key
	}
	t.From = strings.TrimPrefix(path.Ext(strings.ToLower(f.Path)), ".")
	if checkpointOf(f.Path) != "" {
		t.From = "checkpoint"
	}
	e := &entry{Tensor: t, stored: st, version: l.s.seen[f.Path].same}
	e.of(i)
	e.Main = len(i.Shape) == 2 && e.Rows >= 4 && e.Dims >= 2 && !strings.Contains(name+i.Key, ".OPTIMIZER_SLOT") && i.DType.Size() > 0
	if i.Wrong != nil {
		e.Error = i.Wrong
	} else if i.DType.Size() == 0 {
		e.Error = tensor.Wrong("unsupported", f.Path, "", "Tensors of the type %s are no points.", i.DType)
	} else if n, ok := tensor.Elements(i.Shape); !ok || n == 0 {
		e.Error = tensor.Wrong("nothing-there", f.Path, "", "The tensor has no numbers.")
	}
	for k := range l.wanted {
		w := &l.wanted[k]
		if w.prefix != "" && w.prefix != where || w.prefix == "" && w.run != t.Run && !(t.Local && strings.HasPrefix(w.config, local)) {
			continue
		}
		if !sameTensor(w.is.TensorName, name) && (i.Key == "" || !sameTensor(w.is.TensorName, i.Key)) {
			continue
		}
		w.matched = true
		l.beside(w.config, w.is, &e.Tensor)
		e.Main = true
		break
	}
	l.put(e)
}

// sameTensor reports whether a config's name is a stored tensor's: TensorBoard drops ":0"; the name of an
// object's variable ends in what TensorFlow adds.
func sameTensor(config, stored string) bool {
	config, stored = strings.TrimSuffix(config, ":0"), strings.TrimSuffix(stored, ":0")
	const value = "/.ATTRIBUTES/VARIABLE_VALUE"
	return config == stored || strings.TrimSuffix(config, value) == strings.TrimSuffix(stored, value)
}

// withoutStep is a checkpoint's prefix without its number: model.ckpt-10 and model.ckpt-20 are
// steps of one.
func withoutStep(prefix string) string {
	if i := strings.LastIndexByte(prefix, '-'); i > 0 {
		if _, err := strconv.ParseUint(prefix[i+1:], 10, 63); err == nil {
			return prefix[:i]
		}
	}
	return prefix
}

// unmatched names what configs want of checkpoints that do not have it.
func (l *lister) unmatched() {
	for _, w := range l.wanted {
		if w.matched || w.is.TensorName == "" || w.prefix == "\x00" {
			continue
		}
		of := "a checkpoint"
		if w.prefix != "" {
			of = w.prefix
		}
		l.problems = append(l.problems, tensor.Wrong("missing", w.config, "Correct tensor_name or model_checkpoint_path.", "The config names the tensor %q of %s, and there is none.", w.is.TensorName, of))
	}
}
