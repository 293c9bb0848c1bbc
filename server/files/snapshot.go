package files

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// snapshot is one walk's outcome, and its listing as it is sent. It does not
// change once made.
type snapshot struct {
	at       time.Time // end of the walk
	found    []entry   // sorted by Path
	problems []api.Problem
	tag      string // hash of what the listing says
	body     []byte // the listing, JSON
	gzipped  func() []byte

	took   time.Duration // to walk
	walked []*root       // that could be listed
	said   []api.Problem // what they and the others had to say
}

// minGzip is the size of a listing, in bytes, from which it is sent compressed.
// Below it the head of the answer weighs as much.
const minGzip = 1400

func (s *Store) newSnapshot(page api.Page, found []entry, problems []api.Problem) *snapshot {
	return makeSnapshot(&api.Listing{Logdir: s.name, Base: "files/", Batch: s.batchAt(), Page: page, Problems: problems}, found)
}

// partialSnapshot is of a walk that has not ended.
func (s *Store) partialSnapshot(found []entry) *snapshot {
	return makeSnapshot(&api.Listing{Logdir: s.name, Base: "files/", Batch: s.batchAt(), Page: s.page, Partial: true}, found)
}

// batchAt is where ranges of several files are asked for. A page that is sent to the
// store's own addresses asks for each range there.
func (s *Store) batchAt() string {
	if s.links {
		return ""
	}
	return "batch"
}

func makeSnapshot(l *api.Listing, found []entry) *snapshot {
	page, problems := l.Page, l.Problems
	l.Files = make([]api.File, len(found))
	for i, e := range found {
		l.Files[i] = e.File
	}
	sum := sha256.Sum256(api.AppendFiles(page.Append(make([]byte, 0, 120*len(found))), l.Files, problems))
	l.ETag = hex.EncodeToString(sum[:12])
	s := &snapshot{at: clock.Now(), found: found, problems: problems, tag: l.ETag, body: l.Append(nil)}
	s.gzipped = sync.OnceValue(func() []byte {
		// The fastest level: paths and times repeat so much that it gives a
		// fifteenth already, and the listing is made anew at every change.
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		w.Write(s.body)
		w.Close()
		return b.Bytes()
	})
	return s
}

// again is the same snapshot, found the same at a later walk.
func (s *snapshot) again() *snapshot {
	c := *s
	c.at = clock.Now()
	return &c
}
