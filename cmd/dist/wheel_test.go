package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPythonVersion(t *testing.T) {
	for describe, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-dirty": "1.2.3+dirty", "v0.1-5-gabc123": "0.1.post5+gabc123", "v1.0.0-5-gabc123-dirty": "1.0.0.post5+gabc123.dirty",
		"abc123": "0.0.0+gabc123", "abc123-dirty": "0.0.0+gabc123.dirty",
	} {
		if got := pythonVersion(describe); got != want {
			t.Errorf("%s: %s, want %s", describe, got, want)
		}
	}
}

// unpacked are the files of an archive by their names; program alone can be run.
func unpacked(t *testing.T, data []byte, program string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(b)
		if (f.Name == program) != (f.Mode().Perm() == 0o755) {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
	return files
}

// The wheel's record names each of its files with its hash, the program can be run, and
// the same input gives the same bytes.
func TestWheel(t *testing.T) {
	modules := fstest.MapFS{"__init__.py": {Data: []byte("# package")}, "x.py": {Data: []byte("x = 1")}, "x.js": {Data: []byte("x()")}, "x.txt": {Data: []byte("no")}, "__pycache__/x.pyc": {Data: []byte("no")}}
	name, data, err := wheel("1.2.3", "arm64", []byte("program"), []byte("# Read me"), []byte("license"), modules)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(name, "tensorbored_static-1.2.3-py3-none-manylinux_2_17_aarch64.") || !strings.HasSuffix(name, ".whl") {
		t.Errorf("name %s", name)
	}
	if _, again, _ := wheel("1.2.3", "arm64", []byte("program"), []byte("# Read me"), []byte("license"), modules); !bytes.Equal(again, data) {
		t.Error("two wheels differ")
	}
	files := unpacked(t, data, "tensorbored_static-1.2.3.data/scripts/tensorbored-static")
	if files["tensorbored_static/x.py"] != "x = 1" || files["tensorbored_static/x.js"] != "x()" || files["tensorbored_static/__init__.py"] == "" || len(files) != 8 {
		t.Errorf("%d files: the package for scripts is not as it should be", len(files))
	}
	record := files["tensorbored_static-1.2.3.dist-info/RECORD"]
	for name, text := range files {
		sum := sha256.Sum256([]byte(text))
		line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
		if strings.HasSuffix(name, "RECORD") {
			line = name + ",,\n"
		}
		if !strings.Contains(record, line) {
			t.Errorf("the record has no %s", line)
		}
	}
	if m := files["tensorbored_static-1.2.3.dist-info/METADATA"]; !strings.Contains(m, "Version: 1.2.3\n") || !strings.HasSuffix(m, "\n\n# Read me") {
		t.Errorf("metadata: %s", m)
	}
}

// A program or a wheel that is too large is not published.
func TestSmall(t *testing.T) {
	for _, o := range []struct {
		name string
		size int64
		ok   bool
	}{
		{"tensorbored-static-1-linux-amd64", mostProgram, true},
		{"tensorbored-static-1-windows-amd64.exe", mostProgram + 1, false},
		{"tensorbored_static-1-py3-none-any.whl", mostWheel + 1, false},
		{"tensorbored-static-1.symbols", 2 * mostProgram, true},
	} {
		dir := t.TempDir()
		f, err := os.Create(filepath.Join(dir, o.name))
		if err == nil {
			err = f.Truncate(o.size)
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := small(dir); (err == nil) != o.ok {
			t.Errorf("%s of %d bytes: %v", o.name, o.size, err)
		}
	}
}
