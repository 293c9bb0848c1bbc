package main

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/objects/s3"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// withS3 makes this a program that was built with S3, for a test.
func withS3(t *testing.T) {
	was := storeNamed("s3").open
	storeNamed("s3").open = s3.Open
	t.Cleanup(func() { storeNamed("s3").open = was })
}

// A program without a store says how to build one with it, whichever command is asked.
func TestWithoutStore(t *testing.T) {
	for _, s := range stores {
		was := s.open
		s.open = nil
		defer func() { s.open = was }()
	}
	dir := t.TempDir()
	for scheme, tag := range map[string]string{"s3": "s3", "gs": "gcs", "azblob": "azure"} {
		at := scheme + "://bucket/logs"
		for _, args := range [][]string{
			{"--logdir", at}, {"--logdir_spec", "a:" + at}, {"inspect", at}, {"export", "--csv", at}, {"dump", at}, {"list", at}, {"index", at, "--out", dir},
			{"report", filepath.Join(dir, "r.html"), "--logdir", at},
		} {
			code, _, stderr := call(args...)
			if code != exitUsage || !strings.Contains(stderr, "built without "+tag) || !strings.Contains(stderr, "make clouds") {
				t.Errorf("%q: %d %s", args, code, stderr)
			}
		}
	}
	if code, _, stderr := call("inspect", "hdfs://x/y?secret=1"); code != exitUsage || strings.Contains(stderr, "secret") || !strings.Contains(stderr, "s3://") {
		t.Errorf("%d %s", code, stderr)
	}
}

// Every command that reads a logdir says of a bucket what it says of the same files in a
// directory.
func TestCommandsOnBucket(t *testing.T) {
	withS3(t)
	s := storetest.NewS3(t)
	dir := manyRuns(t, 3)
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, p))
		s.Put("exp/"+p, b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bucket := s.Address("exp")
	for _, args := range [][]string{{"inspect"}, {"inspect", "--json"}, {"export", "--jsonl"}, {"export", "--csv"}, {"dump"}} {
		code, want, _ := call(append(args, dir)...)
		s.Requests()
		code2, got, stderr := call(append(args, bucket)...)
		if code != 0 || code2 != 0 || stderr != "" || got == "" || got != want {
			t.Errorf("%q: %d %d %s\n%.300s\n%.300s", args, code, code2, stderr, got, want)
		}
		if n := len(s.Requests()); n > 1+2*3 { // export reads each file at most twice
			t.Errorf("%q: %d requests for three files", args, n)
		}
	}
	out := t.TempDir()
	report := filepath.Join(out, "r.html")
	if code, said, stderr := call("report", report, "--logdir", bucket); code != 0 || !strings.Contains(said, "1500 points in 3 runs") {
		t.Errorf("%d %s %s", code, said, stderr)
	}
	if code, said, stderr := call("index", bucket, "--out", out); code != 0 || !strings.Contains(said, "3 files of 3") {
		t.Errorf("%d %s %s", code, said, stderr)
	}
	if code, _, stderr := call("index", bucket); code != exitUsage || !strings.Contains(stderr, "--out DIR") {
		t.Errorf("%d %s", code, stderr)
	}
	if code, _, stderr := call("pages", filepath.Join(out, "site"), "--logdir", bucket); code != exitUsage || !strings.Contains(stderr, "--connect") || strings.Contains(stderr, "endpoint") {
		t.Errorf("%d %s", code, stderr)
	}
	s.Allow("other")
	if code, _, stderr := call("inspect", bucket); code != exitFailed || !strings.Contains(stderr, "aws sso login") || strings.Contains(stderr, "endpoint") {
		t.Errorf("credentials that are refused: %d %s", code, stderr)
	}
}

// serve hands a bucket out, has the server read it unless it is told otherwise, and shows
// the address without its options; with --read signed the page may go to the store.
func TestServeBucket(t *testing.T) {
	withS3(t)
	s := storetest.NewS3(t)
	s.Put("exp/r/tfevents.1", five(t))
	for _, c := range []struct {
		flags  serveFlags
		always bool
		batch  string
		status int
	}{
		{serveFlags{}, hasReader, "batch", http.StatusOK},
		{serveFlags{near: nearFlags{read: "browser"}}, false, "batch", http.StatusOK},
		{serveFlags{near: nearFlags{read: readSigned}}, false, "", http.StatusTemporaryRedirect},
	} {
		c.flags.logdirs = []string{s.Address("exp")}
		at := started(t, c.flags)
		_, body := get(t, at+"data/listing.json")
		l, err := api.Parse([]byte(body))
		if err != nil || len(l.Files) != 1 || l.Page.NearAlways != c.always || l.Batch != c.batch || l.Logdir != "s3://logs/exp" {
			t.Errorf("%+v: %+v, %v", c.flags, l, err)
		}
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		r, err := client.Get(at + "data/files/r/tfevents.1")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != c.status {
			t.Errorf("%+v: %d", c.flags, r.StatusCode)
		}
		policy := r.Header.Get("Content-Security-Policy")
		_, page := get(t, at)
		signed := c.flags.near.read == readSigned
		if strings.Contains(policy, s.URL) != signed || strings.Contains(page, "<meta") && strings.Contains(page, s.URL) != signed {
			t.Errorf("%+v: policy %s", c.flags, policy)
		}
	}
	for _, logdirs := range [][]string{nil, {t.TempDir()}} {
		var out, wrong strings.Builder
		f := serveFlags{near: nearFlags{read: readSigned}, logdirs: logdirs}
		if code := serve(context.Background(), f, &out, &wrong); code != exitUsage || !strings.Contains(wrong.String(), "--read") {
			t.Errorf("%+v: %d %s", f, code, wrong.String())
		}
	}
	for _, bad := range []string{"s3://bucket", "https://a b", "https://x; script-src *", "https://u@x", "x"} {
		if o, err := originOf(bad); err == nil {
			t.Errorf("%s: %s", bad, o)
		}
	}
	if o, err := originOf("https://bucket.s3.amazonaws.com/logs/?prefix=x"); err != nil || o != "https://bucket.s3.amazonaws.com" {
		t.Error(o, err)
	}
}
