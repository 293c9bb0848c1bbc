//go:build !js

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// The peer is TensorBoard's native loader, written in Rust.
const peerPackage = "tensorboard-data-server==0.7.2"

// The whole of it, whose dashboard of graphs is measured; its server needs pkg_resources, which newer setuptools lack.
var boardPackages = []string{"tensorboard==2.21.0", "setuptools==80.9.0"}

// findBoard returns the program of TensorBoard itself: the one on the path, or one that is installed beside the loader;
// or why there is none.
func findBoard(root string) (program, why string) {
	if program, err := exec.LookPath("tensorboard"); err == nil {
		return program, ""
	}
	venv := filepath.Join(root, "venv-tensorboard")
	program = filepath.Join(venv, "bin", "tensorboard")
	if _, err := os.Stat(program); err == nil {
		return program, ""
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", "there is no Python to install it with"
	}
	install := append([]string{filepath.Join(venv, "bin", "pip"), "install", "--quiet"}, boardPackages...)
	for _, args := range [][]string{{python, "-m", "venv", venv}, install} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Sprintf("%v: %v\n%s", args, err, out)
		}
	}
	return program, ""
}

// findPeer returns the peer's program; or why there is none.
func findPeer(root, given string) (program, why string) {
	switch given {
	case "":
	case "none":
		return "", "so you said"
	default:
		return given, ""
	}
	venv := filepath.Join(root, "venv")
	pattern := filepath.Join(venv, "lib", "python*", "site-packages", "tensorboard_data_server", "bin", "server")
	if found, _ := filepath.Glob(pattern); len(found) > 0 {
		return found[0], ""
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", "there is no Python to install it with"
	}
	for _, args := range [][]string{{python, "-m", "venv", venv}, {filepath.Join(venv, "bin", "pip"), "install", "--quiet", peerPackage}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Sprintf("%v: %v\n%s", args, err, out)
		}
	}
	if found, _ := filepath.Glob(pattern); len(found) > 0 {
		return found[0], ""
	}
	return "", "its package holds no program for this machine"
}

func peerLine(flags []string) string {
	if len(flags) > 0 {
		return "TensorBoard's loader, checksums on"
	}
	return "TensorBoard's loader"
}

var loaded = regexp.MustCompile(`Finished load cycle \(([^)]+)\)`)

// readByPeer lets the peer load dir once and takes the time that it prints.
func readByPeer(program, dir string, flags []string) (m measurement, err error) {
	cmd := exec.Command(program, append([]string{"--logdir", dir, "--reload", "once", "--port", "0", "--verbose"}, flags...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		return m, err
	}
	if err := cmd.Start(); err != nil {
		return m, err
	}
	defer func() {
		cmd.Process.Kill() // it would go on serving
		cmd.Wait()
	}()
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if found := loaded.FindStringSubmatch(lines.Text()); found != nil {
			took, err := time.ParseDuration(found[1])
			return measurement{took: took, memory: peakMemory(cmd.Process.Pid)}, err
		}
	}
	return m, errors.New(program + " ended without having loaded " + dir)
}

// readNatively reads dir in a process of its own, for the sake of its memory.
func readNatively(dir string) (m measurement, err error) {
	self, err := os.Executable()
	if err != nil {
		return m, err
	}
	cmd := exec.Command(self, "-native", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return m, err
	}
	_, err = fmt.Sscan(string(out), &m.took, &m.memory)
	return m, err
}
