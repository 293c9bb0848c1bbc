package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static/reporttest"
)

// A report has the tensors of the runs that were chosen, with what their rows are, and tells nothing of
// others, though one file names or holds them all. Of a large one it has rows from everywhere.
func TestReportTensors(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, run := range []string{"base", "secret1"} {
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Scalar("x", 1, 1)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	put("base/projector_config.pbtxt", `embeddings { tensor_name: "words" tensor_path: "w.tsv" metadata_path: "m.tsv" }
embeddings { tensor_name: "large" tensor_path: "large.tsv" } # secret2
embeddings { tensor_name: "gone" tensor_path: "nowhere.tsv" }`)
	put("base/w.tsv", "1\t2\t3\n4\t5\t6\n7\t8\t9\n0\t0\t1\n")
	put("base/m.tsv", "word\tkind\none\ta\ntwo\tb\nthree\tc\nfour\td\nsecret3\te\n") // a line too many
	put("secret1/projector_config.pbtxt", `embeddings { tensor_name: "secret4" tensor_path: "../base/w.tsv" }`)
	put("projector_config.pbtxt", `embeddings { tensor_name: "secret5" tensor_path: "base/w.tsv" metadata_path: "base/m.tsv" }`)
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprint(&b, i)
		for d := range 29 {
			fmt.Fprint(&b, "\t", d)
		}
		b.WriteByte('\n')
	}
	put("base/large.tsv", b.String())
	out := filepath.Join(t.TempDir(), "r.html")
	code, stdout, stderr := call("report", out, "--logdir", dir, "--run", "base")
	// What cannot be read is named, and the rest is there.
	if code != exitFailed || !strings.Contains(stdout, "2 tensors") || !strings.Contains(stderr, `tensor "gone" of run "base"`) || !strings.Contains(stderr, "69905 of 100000 rows") {
		t.Errorf("%d\n%s\n%s", code, stdout, stderr)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	all := reporttest.Unpacked(t, page)
	for _, want := range []string{`tensor_name: "words"`, "word\tkind\none\ta\ntwo\tb\nthree\tc\nfour\td\n", `tensor_name: "large"`, "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	for n := 1; n <= 5; n++ {
		if strings.Contains(all, fmt.Sprint("secret", n)) {
			t.Errorf("the report tells of secret%d", n)
		}
	}
	// A tag chooses tensors by their names.
	if code, stdout, stderr := call("report", out, "--logdir", dir, "--run", "base", "--tag", "w*", "--force"); code != 0 || !strings.Contains(stdout, "1 tensor\n") {
		t.Errorf("%d\n%s\n%s", code, stdout, stderr)
	}
}
