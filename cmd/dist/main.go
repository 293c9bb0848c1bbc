// Command dist makes what is published: the program for Linux, macOS and Windows, with
// the page inside, Python wheels and extensions for editors that carry it, and their
// checksums. `make dist` builds the page before. What this machine can run is tried.
package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// targets are the platforms, as GOOS/GOARCH.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	out := flag.String("out", "bin/dist", "`directory` to write to; what is in it is removed")
	only := flag.String("only", strings.Join(targets, ","), "`platforms` to build for")
	flags := flag.String("flags", "", "more `flags` of go build, with spaces between")
	flag.Parse()
	if err := dist(*out, strings.Split(*only, ","), strings.Fields(*flags)); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func dist(out string, targets, flags []string) error {
	if _, err := os.Stat("static/dist/index.html"); err != nil {
		return errors.New("the page is not built: run make dist in the source directory")
	}
	describe, err := exec.Command("git", "describe", "--tags", "--always", "--dirty").Output()
	if err != nil {
		return fmt.Errorf("git describe: %w: the version comes from git, so run it in a clone", err)
	}
	version := strings.TrimSpace(string(describe))
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	// By it stacks that users report become names and lines; see static/pack/symbols.go.
	for name, ext := range map[string]string{"app": ".symbols", "graphwork": ".graphwork.symbols", "projwork": ".projwork.symbols"} { // the page, the workers of graphs and of the projector
		known, err := os.ReadFile(filepath.Join("bin", name+".symbols"))
		if err != nil {
			return fmt.Errorf("%w: run make wasm first", err)
		}
		if err := os.WriteFile(filepath.Join(out, "tensorbored-static-"+version+ext), known, 0o666); err != nil {
			return err
		}
	}
	var native, wheelHere string
	for _, target := range targets {
		goos, arch, ok := strings.Cut(target, "/")
		if !ok {
			return fmt.Errorf("%q is no platform: write linux/amd64", target)
		}
		program := filepath.Join(out, fmt.Sprintf("tensorbored-static-%s-%s-%s", version, goos, arch))
		if goos == "windows" {
			program += ".exe"
		}
		args := append([]string{"build", "-trimpath", "-tags", "nethttpomithttp2", "-ldflags=-s -w -X main.built=" + version, "-o", program}, flags...)
		build := exec.Command("go", append(args, "./cmd/tensorbored-static")...)
		build.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building for %s: %w", target, err)
		}
		data, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		name, extension, err := vsix(version, target, data, license, os.DirFS("vscode"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), extension, 0o666); err != nil {
			return err
		}
		if goos == "linux" {
			if data, err = unlined(data); err != nil {
				return fmt.Errorf("%s: %w", program, err)
			}
			name, whl, err := wheel(pythonVersion(version), arch, data, readme, license, os.DirFS("python/"+wheelName))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(out, name), whl, 0o666); err != nil {
				return err
			}
			if arch == runtime.GOARCH && runtime.GOOS == "linux" {
				wheelHere = filepath.Join(out, name)
			}
		}
		if goos == runtime.GOOS && arch == runtime.GOARCH {
			native = program
		}
	}
	if err := small(out); err != nil {
		return err
	}
	if err := checksums(out); err != nil {
		return err
	}
	if native != "" {
		if err := smoke(native, version); err != nil {
			return fmt.Errorf("%s: %w", native, err)
		}
	}
	if wheelHere != "" {
		return smokeWheel(wheelHere, version)
	}
	return nil
}

// What is downloaded is no larger than this, in bytes.
const (
	mostProgram = 20_000_000
	mostWheel   = 8_000_000
)

// small refuses a directory with a program or a wheel that is too large.
func small(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		most := int64(mostProgram)
		switch filepath.Ext(e.Name()) {
		case ".symbols":
			continue
		case ".whl":
			most = mostWheel
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Printf("%11d %s\n", info.Size(), e.Name())
		if info.Size() > most {
			return fmt.Errorf("%s has %d bytes, and may have %d: see which package brought them (go build -ldflags=-dumpdep), or raise the limit with a reason", e.Name(), info.Size(), most)
		}
	}
	return nil
}

// checksums writes SHA256SUMS, for `sha256sum -c`.
func checksums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), e.Name()))
		fmt.Printf("%6.1f MB  %s\n", float64(len(data))/1e6, e.Name())
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o666)
}

// smoke starts a program and asks for its version, the page and a log file.
func smoke(program, version string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if v, err := exec.Command(program, "--version").Output(); err != nil || string(v) != "tensorbored-static "+version+"\n" {
		return fmt.Errorf("--version is %q (%v), want %s", v, err, version)
	}
	logs, err := os.MkdirTemp("", "tensorbored-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(logs)
	if err := os.WriteFile(filepath.Join(logs, "tfevents.1"), []byte("events"), 0o666); err != nil {
		return err
	}
	serve := exec.Command(program, "--logdir", logs, "--port", "0")
	stdout, err := serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := serve.Start(); err != nil {
		return err
	}
	defer serve.Wait()
	defer serve.Process.Kill()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("it prints no address: %w", err)
	}
	for path, want := range map[string]string{"": "<!doctype html>", "data/listing.json": "tfevents.1", "data/files/tfevents.1": "events"} {
		answer, err := http.Get(strings.TrimSpace(line) + path)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != 200 || !strings.Contains(strings.ToLower(string(body)), want) {
			return fmt.Errorf("/%s is answered with %s (%v)", path, answer.Status, err)
		}
	}
	fmt.Println("it serves the page and a log")
	return nil
}

// smokeWheel installs a wheel into a new environment and tries what it installed; it
// needs Python.
func smokeWheel(name, version string) error {
	if _, err := exec.LookPath("python3"); err != nil {
		fmt.Println("the wheel was not tried: there is no python3")
		return nil
	}
	dir, err := os.MkdirTemp("", "tensorbored-wheel-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--no-index", "--disable-pip-version-check", name},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	if err := smoke(filepath.Join(dir, "bin", "tensorbored-static"), version); err != nil {
		return fmt.Errorf("the wheel's program: %w", err)
	}
	const write = "from tensorbored_static import profile_writer as w; w.set_default_profile('.', 'x')"
	script := exec.Command(filepath.Join(dir, "bin", "python"), "-c", write)
	script.Dir = dir
	if out, err := script.CombinedOutput(); err != nil {
		return fmt.Errorf("the wheel's modules: %w\n%s", err, out)
	}
	fmt.Println("pip installs the wheel")
	return nil
}
