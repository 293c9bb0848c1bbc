package reading

import (
	"bytes"
	"io"
	"runtime"

	"github.com/klauspost/compress/flate"
)

// packers are at most as many as there are processors: what they hold is memory that is theirs
// whether they are at work or not.
var packers = func() chan *flate.Writer {
	c := make(chan *flate.Writer, runtime.GOMAXPROCS(0))
	for range cap(c) {
		c <- nil
	}
	return c
}()

// deflate is the near.Deflate of what is sent.
func deflate(pieces ...[]byte) []byte {
	w := <-packers
	defer func() { packers <- w }()
	size := 0
	for _, b := range pieces {
		size += len(b)
	}
	var out bytes.Buffer
	if w == nil {
		w, _ = flate.NewWriter(&out, flate.BestSpeed) // the level is one that there is
	} else {
		w.Reset(&out)
	}
	for _, b := range pieces {
		w.Write(b) // a Buffer takes all
	}
	w.Close()
	if out.Len() >= size {
		return nil
	}
	return bytes.Clone(out.Bytes()) // without the room that the Buffer has to grow
}

// Inflate undoes deflate, for near.Loose.
func Inflate(b []byte) ([]byte, error) { return io.ReadAll(flate.NewReader(bytes.NewReader(b))) }
