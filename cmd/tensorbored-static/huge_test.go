//go:build linux

package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// sparse writes parts of a file at their places; between them there is nothing, on the disk
// either.
type sparse struct {
	f   *os.File
	at  int64
	crc uint32 // of a gigabyte of zeros
	t   *testing.T
}

func (s *sparse) put(b []byte) {
	s.t.Helper()
	if _, err := s.f.WriteAt(b, s.at); err != nil {
		s.t.Fatal(err)
	}
	s.at += int64(len(b))
}

// scalar is a record of "loss" at a step.
func (s *sparse) scalar(step int64) {
	s.t.Helper()
	w := summary.NewBuffer(summary.Options{NoVersion: s.at > 0})
	if err := w.Scalar("loss", float64(step), step); err != nil {
		s.t.Fatal(err)
	}
	s.put(w.Bytes())
}

// zeros is a whole record of n zeros, both of its checksums right. inside is what stands
// in its middle, and then it is not whole.
func (s *sparse) zeros(n int64, inside func()) {
	s.t.Helper()
	header := make([]byte, tfrecord.HeaderSize)
	binary.LittleEndian.PutUint64(header, uint64(n))
	binary.LittleEndian.PutUint32(header[8:], tfrecord.MaskedCRC(header[:8]))
	s.put(header)
	end := s.at + n
	if inside != nil {
		s.at += n / 2
		inside()
	}
	s.at = end
	if s.crc == 0 {
		table, piece := crc32.MakeTable(crc32.Castagnoli), make([]byte, 1<<20)
		for range n / int64(len(piece)) {
			s.crc = crc32.Update(s.crc, table, piece)
		}
	}
	s.put(binary.LittleEndian.AppendUint32(nil, (s.crc>>15|s.crc<<17)+0xa282ead8))
}

// Records of a gigabyte are never asked for: they are named with their size and the first
// one's place, what stands before, between, behind and even inside them is read, and the
// memory that it takes is a small part of one. The file has next to nothing on the disk.
func TestGigabyteRecords(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "events.out.tfevents.1"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := &sparse{f: f, t: t}
	const giga = 1 << 30
	s.scalar(1)
	first, inside := s.at, int64(0)
	for step := range int64(2) {
		s.zeros(giga, nil)
		s.scalar(2 + step)
	}
	s.zeros(giga, func() { s.scalar(4); inside = s.at })
	behind := s.at
	s.scalar(5)
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil || st.Size < 3*giga {
		t.Fatal(st.Size, err)
	}
	// Two whole ones, and the third up to what stands inside; then the rest of that.
	want := []string{
		fmt.Sprintf("from byte %d on: %d bytes in 3 places: record longer than 256 MB", first,
			2*(giga+int64(tfrecord.Overhead))+tfrecord.HeaderSize+giga/2),
		fmt.Sprintf("from byte %d on: %d bytes: bad length", inside, behind-inside),
	}
	for _, command := range []string{"inspect", "dump"} {
		c := exec.Command(os.Args[0], command, dir)
		c.Env = append(os.Environ(), beCommand+"=1")
		var text, errs strings.Builder
		c.Stdout, c.Stderr = &text, &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		peak := watched(c)
		c.Wait() // a logdir with losses has a status of its own
		used, out := peak(), []byte(text.String())
		// dump says first how much was lost, inspect where.
		lost := regexp.MustCompile(`lost (\d+ bytes[^,]*), (from byte \d+ on)`)
		said := lost.ReplaceAllString(string(out)+errs.String(), "$2: $1")
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("%s does not say %q: %s", command, part, said)
			}
		}
		if command == "dump" {
			var got struct {
				Scalars map[string]map[string][][3]float64
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			var steps []float64
			for _, run := range got.Scalars {
				for _, p := range run["loss"] {
					steps = append(steps, p[1])
				}
			}
			if fmt.Sprint(steps) != "[1 2 3 4 5]" {
				t.Errorf("the steps are %v", steps)
			}
		} else if !strings.Contains(said, "loss  scalars       5") {
			t.Errorf("inspect: %s", said)
		}
		if used == 0 || used > giga/4 {
			t.Errorf("%s took %d MB", command, used>>20)
		} else {
			t.Logf("%s took %d MB", command, used>>20)
		}
	}
}

// watched looks how much memory a process takes, and returns what tells the most, in bytes,
// when it has ended. (What wait says has the memory of its parent in it, from before exec.)
func watched(c *exec.Cmd) (peak func() int64) {
	status := fmt.Sprintf("/proc/%d/status", c.Process.Pid)
	high := regexp.MustCompile(`VmHWM:\s*(\d+) kB`)
	stop, most := make(chan struct{}), make(chan int64)
	go func() {
		var kB int64
		for {
			text, _ := os.ReadFile(status)
			if m := high.FindSubmatch(text); m != nil {
				n, _ := strconv.ParseInt(string(m[1]), 10, 64)
				kB = n
			}
			select {
			case <-stop:
				most <- kB << 10
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-most
	}
}
