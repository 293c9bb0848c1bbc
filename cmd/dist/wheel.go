package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// A wheel is a zip whose name and dist-info say what is in it (PEP 427, PEP 376). What
// stands below .data/scripts is put where the commands are. The program is static, so
// it runs on any Linux: with glibc from 2.17 on, which is the oldest that installers
// know of today, and with musl.
const (
	wheelName = "tensorbored_static"
	metadata  = `Metadata-Version: 2.1
Name: tensorbored-static
Version: %s
Summary: See TensorBoard logs in any browser, at once. Reads event files in the browser; needs no TensorFlow and no Python packages.
License: Apache-2.0
Requires-Python: >=3.8
Description-Content-Type: text/markdown

%s`
)

// platforms are the wheel's tags for the architectures of Linux, by GOARCH.
var platforms = map[string]string{
	"amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}

// wheel returns the file's name and its bytes, the same ones for the same input. modules
// are the package for training scripts and notebooks: the .py and .js files below
// python/tensorbored_static.
func wheel(version, arch string, program, readme, license []byte, modules fs.FS) (string, []byte, error) {
	tag := "py3-none-" + platforms[arch]
	info := wheelName + "-" + version + ".dist-info/"
	script := wheelName + "-" + version + ".data/scripts/tensorbored-static"
	var tags strings.Builder
	for p := range strings.SplitSeq(platforms[arch], ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", p)
	}
	names, err := fs.Glob(modules, "*.[pj][ys]")
	if err != nil {
		return "", nil, err
	}
	var files []entry
	for _, name := range names {
		data, err := fs.ReadFile(modules, name)
		if err != nil {
			return "", nil, err
		}
		files = append(files, entry{wheelName + "/" + name, 0o644, data})
	}
	files = append(files,
		entry{script, 0o755, program},
		entry{info + "METADATA", 0o644, fmt.Appendf(nil, metadata, version, readme)},
		entry{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: tensorbored-static\nRoot-Is-Purelib: false\n" + tags.String())},
		entry{info + "LICENSE", 0o644, license})
	record := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	record += info + "RECORD,,\n"
	data, err := archive(append(files, entry{info + "RECORD", 0o644, []byte(record)}))
	if err != nil {
		return "", nil, err
	}
	return wheelName + "-" + version + "-" + tag + ".whl", data, nil
}

var described = regexp.MustCompile(`^v(\d+(?:\.\d+)*)(?:-(\d+)-g([0-9a-f]+))?(-dirty)?$`)

// pythonVersion makes a version of PEP 440 of what `git describe --tags --always
// --dirty` says: the tag's, with the commits since; or that of a commit without one.
func pythonVersion(describe string) string {
	m := described.FindStringSubmatch(describe)
	if m == nil {
		return "0.0.0+g" + strings.ReplaceAll(describe, "-", ".")
	}
	v, local := m[1], ""
	if m[2] != "" {
		v, local = v+".post"+m[2], "g"+m[3]
	}
	if m[4] != "" {
		local = strings.TrimPrefix(local+".dirty", ".")
	}
	if local != "" {
		v += "+" + local
	}
	return v
}
