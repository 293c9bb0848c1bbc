// Command benchserver measures what a user waits for of the server and the command line,
// beside Go's own file server and `tensorboard --inspect`. It prints a line for each.
//
//	go run ./cmd/benchserver -program bin/tensorbored-static
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
)

var (
	program = flag.String("program", "bin/tensorbored-static", "`file` to measure")
	root    = flag.String("dir", filepath.Join(os.TempDir(), "tensorbored-static-bench"), "`directory` for logdirs and the peer; kept")
	rounds  = flag.Int("rounds", 5, "how often everything is measured; the median is printed")
	python  = flag.String("python", "", "`interpreter` that has tensorboard; none does without. The default installs it by pip")
	viewing = flag.Bool("viewers", false, "measure the hub and its viewers alone")
	serve   = flag.String("serve", "", "serve a `directory` with Go's own file server (how the bench calls itself)")
)

func main() {
	flag.Parse()
	err := error(nil)
	if *serve != "" {
		err = fileServer(*serve)
	} else {
		err = run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchserver:", err)
		os.Exit(1)
	}
}

// fileServer is the peer of range requests.
func fileServer(dir string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", l.Addr())
	return http.Serve(l, http.FileServer(http.Dir(dir)))
}

func run() error {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("load %s before\n", strings.Fields(string(load) + " unknown")[0])
	small := filepath.Join(*root, "logs-100-20-1000")
	if err := generate.Logdir(small, generate.Size{Runs: 100, Tags: 20, Steps: 1000}); err != nil {
		return err
	}
	if *viewing {
		return viewers(small)
	}
	many := filepath.Join(*root, "files-100000")
	if err := manyFiles(many); err != nil {
		return err
	}
	big := filepath.Join(*root, "one-gigabyte")
	if err := bigFile(big); err != nil {
		return err
	}
	for _, part := range []func() error{
		func() error { return starting(small) },
		func() error { return listing(many) },
		func() error { return ranges(big) },
		func() error { return inspecting(small) },
		func() error { return viewers(small) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func line(what string, got time.Duration, note string) {
	fmt.Printf("%-58s %9.1f ms   %s\n", what, float64(got)/1e6, note)
}

// process is a server that has said where it is.
type process struct {
	*exec.Cmd
	url string
}

func start(name string, args ...string) (*process, error) {
	p := &process{Cmd: exec.Command(name, args...)}
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	if p.url = strings.TrimSpace(text); err != nil || !strings.HasPrefix(p.url, "http") {
		p.stop()
		return nil, fmt.Errorf("%s printed %q and no address", name, text)
	}
	return p, nil
}

func (p *process) stop() {
	p.Process.Signal(os.Interrupt)
	p.Wait()
}

// get asks for an address and drops the answer.
func get(url string, header ...string) (int, http.Header, error) {
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return 0, nil, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer a.Body.Close()
	_, err = io.Copy(io.Discard, a.Body)
	return a.StatusCode, a.Header, err
}

// median runs f several times.
func median(f func() (time.Duration, error)) (time.Duration, error) {
	var all []time.Duration
	for range *rounds {
		d, err := f()
		if err != nil {
			return 0, err
		}
		all = append(all, d)
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// starting measures from the command to the first answer.
func starting(dir string) error {
	got, err := median(func() (time.Duration, error) {
		began := time.Now()
		p, err := start(*program, "--logdir", dir, "--port", "0")
		if err != nil {
			return 0, err
		}
		defer p.stop()
		_, _, err = get(p.url)
		return time.Since(began), err
	})
	line("command to serving", got, "≤ 100 ms")
	return err
}

func manyFiles(dir string) error {
	stamp := filepath.Join(dir, ".done")
	if _, err := os.Stat(stamp); err == nil {
		return nil
	}
	for i := range 100_000 {
		at := filepath.Join(dir, fmt.Sprintf("e%03d/r%03d", i/1000, i/10%100))
		if i%10 == 0 {
			if err := os.MkdirAll(at, 0o777); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(at, fmt.Sprint("events.out.tfevents.", i)), nil, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(stamp, nil, 0o666)
}

// listing measures the first listing of 100,000 files and one without changes.
func listing(dir string) error {
	first, err := median(func() (time.Duration, error) {
		p, err := start(*program, "--logdir", dir, "--port", "0")
		if err != nil {
			return 0, err
		}
		defer p.stop()
		began := time.Now()
		_, _, err = get(p.url+"data/listing.json", "Accept-Encoding", "gzip")
		return time.Since(began), err
	})
	if err != nil {
		return err
	}
	line("listing of 100,000 files in 10,000 directories, first", first, "≤ 1000 ms")
	p, err := start(*program, "--logdir", dir, "--port", "0")
	if err != nil {
		return err
	}
	defer p.stop()
	_, head, err := get(p.url + "data/listing.json")
	if err != nil {
		return err
	}
	tick, err := median(func() (time.Duration, error) {
		time.Sleep(400 * time.Millisecond) // a listing is given out again for a quarter of a second
		began := time.Now()
		code, _, err := get(p.url+"data/listing.json", "If-None-Match", head.Get("ETag"))
		if err == nil && code != http.StatusNotModified {
			err = fmt.Errorf("status %d for a listing that did not change", code)
		}
		return time.Since(began), err
	})
	line("the same again, nothing changed", tick, "≤ 100 ms")
	return err
}

const bigSize = 1 << 30

func bigFile(dir string) error {
	name := filepath.Join(dir, "run", "events.out.tfevents.1")
	if fi, err := os.Stat(name); err == nil && fi.Size() == bigSize {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i * 31)
	}
	for range bigSize / len(block) {
		if _, err := f.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// ranges measures how fast 50 clients get a gigabyte in ranges of 8 MiB, from us and from
// Go's file server in turn, and our memory.
func ranges(dir string) error {
	var ours, theirs []float64
	peak := int64(0)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range *rounds {
		p, err := start(self, "-serve", dir)
		if err != nil {
			return err
		}
		rate, err := throughput(p.url + "run/events.out.tfevents.1")
		p.stop()
		if err != nil {
			return err
		}
		theirs = append(theirs, rate)
		if p, err = start(*program, "--logdir", dir, "--port", "0"); err != nil {
			return err
		}
		if _, _, err = get(p.url + "data/listing.json"); err == nil {
			rate, err = throughput(p.url + "data/files/run/events.out.tfevents.1")
		}
		peak = max(peak, memory(p.Process.Pid))
		p.stop()
		if err != nil {
			return err
		}
		ours = append(ours, rate)
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	a, b := ours[len(ours)/2], theirs[len(theirs)/2]
	fmt.Printf("%-58s %9.0f MB/s %.2f × Go's file server, %.0f MB/s (≥ 0.90 ×)\n", "ranges of 8 MiB to 50 clients", a, a/b, b)
	fmt.Printf("%-58s %9.0f MB   ≤ 50 MB\n", "memory while doing so, at most", float64(peak)/1e6)
	return nil
}

func throughput(url string) (float64, error) {
	const clients, part = 50, 8 << 20
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	work := make(chan int64)
	go func() {
		defer close(work)
		for at := int64(0); at < bigSize; at += part {
			select {
			case work <- at:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wait sync.WaitGroup
	began := time.Now()
	for range clients {
		wait.Go(func() {
			for at := range work {
				r, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
				r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", at, at+part-1))
				a, err := client.Do(r)
				if err == nil {
					var n int64
					if n, err = io.Copy(io.Discard, a.Body); err == nil && (n != part || a.StatusCode != http.StatusPartialContent) {
						err = fmt.Errorf("status %d with %d bytes", a.StatusCode, n)
					}
					a.Body.Close()
				}
				if err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return bigSize / 1e6 / time.Since(began).Seconds(), context.Cause(ctx)
}

// memory is the most that a process has had, in bytes; 0 where the system does not tell.
func memory(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for text := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(text, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// inspecting measures inspect beside the peer's.
func inspecting(dir string) error {
	ours, err := median(func() (time.Duration, error) {
		began := time.Now()
		err := exec.Command(*program, "inspect", dir).Run()
		return time.Since(began), err
	})
	if err != nil {
		return err
	}
	note := ""
	if peer, err := tensorboard(); err != nil {
		note = "tensorboard is left out: " + err.Error()
	} else {
		began := time.Now()
		cmd := exec.Command(peer, "-m", "tensorboard.main", "--inspect", "--logdir", dir)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("tensorboard: %w\n%s", err, &said)
		}
		took := time.Since(began)
		note = fmt.Sprintf("tensorboard --inspect: %.1f s, %.0f × as long (≥ 10 ×)", took.Seconds(), took.Seconds()/ours.Seconds())
	}
	line("inspect 110 MB, 2 M events", ours, note)
	return nil
}

// tensorboard returns an interpreter that has it.
func tensorboard() (string, error) {
	switch *python {
	case "":
	case "none":
		return "", errors.New("so you said")
	default:
		return *python, nil
	}
	venv := filepath.Join(*root, "venv-tensorboard")
	bin := filepath.Join(venv, "bin", "python")
	if exec.Command(bin, "-c", "import tensorboard").Run() == nil {
		return bin, nil
	}
	for _, c := range [][]string{{"python3", "-m", "venv", venv}, {bin, "-m", "pip", "install", "--quiet", "tensorboard", "setuptools<81"}} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return bin, nil
}
