package summary_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

var start = time.Unix(1_700_000_000, 0)

// fixed is Options whose files come out the same each time.
func fixed() summary.Options {
	return summary.Options{Clock: summary.Ticks(start, time.Second)}
}

// payloads cuts b into records and fails if any is damaged.
func payloads(t testing.TB, b []byte) (all [][]byte) {
	t.Helper()
	for len(b) > 0 {
		p, size, status := tfrecord.Cut(b)
		if status != tfrecord.OK {
			t.Fatalf("record %d: %v", len(all), status)
		}
		all = append(all, p)
		b = b[size:]
	}
	return all
}

// TestFileName checks name, first event and that two writers of one second do
// not meet.
func TestFileName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs", "run")
	name := regexp.MustCompile(`^events\.out\.tfevents\.1700000000\..+\.\d+\.\d+\.v2$`)
	for range 2 {
		o := fixed()
		o.Suffix = ".v2"
		w, err := summary.NewWriter(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(w.Path()); !name.MatchString(base) {
			t.Errorf("file is called %q", base)
		}
		// The first event is there before anything is logged.
		if b, _ := os.ReadFile(w.Path()); len(payloads(t, b)) != 1 {
			t.Errorf("new file has %d bytes", len(b))
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
}

func TestFixedFileName(t *testing.T) {
	dir := t.TempDir()
	o := fixed()
	o.FileName = "x.tfevents"
	w, err := summary.NewWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var failed *summary.WriteError
	if _, err := summary.NewWriter(dir, o); !errors.As(err, &failed) || !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
	o.FileName = "a/b.tfevents"
	if _, err := summary.NewWriter(dir, o); !errors.As(err, &failed) {
		t.Errorf("a name with a separator: %v", err)
	}
}

func TestFlushInterval(t *testing.T) {
	w, err := summary.NewWriter(t.TempDir(), summary.Options{FlushInterval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Scalar("loss", 1, 0); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if b, _ := os.ReadFile(w.Path()); len(payloads(t, b)) == 2 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the event did not reach the file by itself")
		}
	}
}

// TestQueueBounds checks that the queue is written as soon as it is full, and
// that a record longer than the queue goes through.
func TestQueueBounds(t *testing.T) {
	w, err := summary.NewWriter(t.TempDir(), summary.Options{FlushInterval: -1, QueueSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	written := 0
	for step := range int64(1000) {
		w.Scalar("loss", 1, step)
		written = max(written, int(step))
		info, err := os.Stat(w.Path())
		if err != nil {
			t.Fatal(err)
		}
		// A record here has at most 44 bytes.
		if lag := (int64(written)+1)*36 - info.Size(); lag > 1000+44 {
			t.Fatalf("at step %d, %d bytes wait", step, lag)
		}
	}
	if err := w.RawRecord(make([]byte, 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(w.Path())
	if n := len(payloads(t, b)); n != 1002 {
		t.Errorf("%d records", n)
	}
}

func TestManyGoroutines(t *testing.T) {
	w, err := summary.NewWriter(t.TempDir(), summary.Options{FlushInterval: time.Millisecond, QueueSize: 500})
	if err != nil {
		t.Fatal(err)
	}
	const each = 500
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for step := range int64(each) {
				w.Scalar(fmt.Sprintf("tag%d", g), float64(step), step)
				if step%100 == 0 {
					w.Scalars("sub", map[string]float64{"a": 1, "b": 2}, step)
					w.Flush()
				}
			}
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(w.Path())
	if n := len(payloads(t, b)); n != 8*each+1 {
		t.Errorf("%d records", n)
	}
}

func TestClosed(t *testing.T) {
	w, err := summary.NewWriter(t.TempDir(), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	for name, err := range map[string]error{
		"Scalar":  w.Scalar("a", 1, 1),
		"Scalars": w.Scalars("a", map[string]float64{"b": 1}, 1),
		"Raw":     w.Raw(summary.Event{}),
		"Record":  w.RawRecord(nil),
		"Session": w.SessionStart(1),
		"Flush":   w.Flush(),
	} {
		if !errors.Is(err, summary.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

// full is a disk with room for some bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(f.room, len(b))
	f.room -= n
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func TestFullDisk(t *testing.T) {
	w := summary.NewWriterTo(&full{room: 1000}, summary.Options{FlushInterval: -1, QueueSize: 100})
	var err error
	for step := int64(0); err == nil && step < 100; step++ {
		err = w.Scalar("loss", 1, step)
	}
	var failed *summary.WriteError
	if !errors.As(err, &failed) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("full disk: %v", err)
	}
	// It sticks.
	for name, again := range map[string]error{"Scalar": w.Scalar("a", 1, 1), "Flush": w.Flush(), "Close": w.Close(), "second Close": w.Close()} {
		if again != err {
			t.Errorf("%s afterwards: %v", name, again)
		}
	}
}

// TestFullDiskInBackground checks that an error of the timer's flush comes with
// the next call.
func TestFullDiskInBackground(t *testing.T) {
	w := summary.NewWriterTo(&full{}, summary.Options{FlushInterval: time.Millisecond})
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if err := w.Scalar("loss", 1, 0); errors.Is(err, syscall.ENOSPC) {
			return
		}
	}
	t.Fatal("no error")
}

func TestVanishedDirectory(t *testing.T) {
	for _, put := range []func(dir, path string){
		func(dir, path string) { os.RemoveAll(dir) },
		func(dir, path string) { os.Rename(path, path+".old"); os.WriteFile(path, nil, 0o666) },
	} {
		dir := filepath.Join(t.TempDir(), "run")
		w, err := summary.NewWriter(dir, summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		put(dir, w.Path())
		w.Scalar("loss", 1, 0)
		err = w.Flush()
		var failed *summary.WriteError
		if !errors.As(err, &failed) || failed.Op != "find" || failed.Path == "" {
			t.Errorf("Flush: %v", err)
		}
		if w.Close() != err {
			t.Error("the error does not stick")
		}
	}
}

func TestNoDirectoryToMake(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	os.WriteFile(blocked, nil, 0o666)
	var failed *summary.WriteError
	if _, err := summary.NewWriter(filepath.Join(blocked, "run"), summary.Options{}); !errors.As(err, &failed) || failed.Op != "create" {
		t.Errorf("directory below a file: %v", err)
	}
}

func TestBadTags(t *testing.T) {
	w := summary.NewBuffer(fixed())
	before := len(w.Bytes())
	for _, tag := range []string{"", "a\x00b", "a\xffb", string([]byte{0xed, 0xa0, 0x80})} {
		var bad *summary.TagError
		if err := w.Scalar(tag, 1, 1); !errors.As(err, &bad) {
			t.Errorf("Scalar(%q): %v", tag, err)
		}
		if err := w.Scalar(tag, 1, 1, summary.AsTensor()); !errors.As(err, &bad) {
			t.Errorf("Scalar(%q) as tensor: %v", tag, err)
		}
	}
	if len(w.Bytes()) != before {
		t.Error("something was written")
	}
	for _, tag := range []string{"a/b", "/", "a b", "Ä/ö\n"} {
		if err := w.Scalar(tag, 1, 1); err != nil {
			t.Errorf("Scalar(%q): %v", tag, err)
		}
	}
}

// TestAllocs guards the reason why Option is a struct and the scalar path is
// separate.
func TestAllocs(t *testing.T) {
	w := summary.NewWriterTo(&full{room: 1 << 40}, summary.Options{FlushInterval: -1})
	step := int64(0)
	if n := testing.AllocsPerRun(10_000, func() {
		step++
		w.Scalar("loss/train", 0.5, step, summary.WallSeconds(1.7e9))
	}); n != 0 {
		t.Errorf("%v allocations for a scalar", n)
	}
}
