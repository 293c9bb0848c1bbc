package objects

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// inMemory is a cloud of gocloud's own, of which reads are as it makes them.
func inMemory(b *blob.Bucket) Cloud {
	return Cloud{
		Scheme: "mem",
		Open:   func(context.Context, *url.URL) (*blob.Bucket, error) { return b, nil },
		Object: func(o *blob.ListObject) (key, tag string) { return o.Key, "" },
		Read: func(ctx context.Context, b *blob.Bucket, _ string, o files.Object, offset, length int64) (io.ReadCloser, error) {
			return b.NewRangeReader(ctx, o.Key, offset, length, nil)
		},
		Answer: func(error) Answer { return Answer{} },
		Renew:  "renew them",
	}
}

// A place is a folder of a bucket, all of it, or one event file.
func TestPlaces(t *testing.T) {
	b := memblob.OpenBucket(nil)
	for _, k := range []string{"a/r/tfevents", "a/tfevents.1", "ab/tfevents", "tfevents", "a/tfevents.dir/x/tfevents"} {
		if err := b.WriteAll(t.Context(), k, []byte(k), nil); err != nil {
			t.Fatal(err)
		}
	}
	for address, want := range map[string]string{
		"mem://b":                        "a/r/tfevents a/tfevents.1 a/tfevents.dir/x/tfevents ab/tfevents tfevents",
		"mem://b/":                       "a/r/tfevents a/tfevents.1 a/tfevents.dir/x/tfevents ab/tfevents tfevents",
		"mem://b/a":                      "r/tfevents tfevents.1 tfevents.dir/x/tfevents",
		"mem://b/a/":                     "r/tfevents tfevents.1 tfevents.dir/x/tfevents",
		"mem://b?prefix=a":               "r/tfevents tfevents.1 tfevents.dir/x/tfevents",
		"mem://b/r?prefix=a/":            "tfevents",
		"mem://b/a/tfevents.1":           "tfevents.1",
		"mem://b/tfevents":               "tfevents",
		"mem://b/a/tfevents.dir":         "x/tfevents",
		"mem://b/none?x=y&endpoint=http": "",
	} {
		o, err := New(t.Context(), address, inMemory(b))
		if err != nil {
			t.Fatal(err)
		}
		store, err := files.OpenRoots([]files.Root{{Dir: address, Origin: o}}, files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := store.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range l.Files {
			got = append(got, f.Path)
			r, err := store.Open(t.Context(), f.Path)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(r); err != nil || !strings.HasSuffix(string(text), f.Path) {
				t.Errorf("%s: %s: %q, %v", address, f.Path, text, err)
			}
			r.Close()
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// What is said of a store has no address that somebody could use.
func TestWords(t *testing.T) {
	Quick()
	p := &place{cloud: inMemory(nil), shown: "mem://b"}
	asked := &url.Error{Op: "Get", URL: "https://host/x?sig=SECRET", Err: errors.New("no route")}
	for _, c := range []struct {
		err     error
		trouble source.Trouble
		says    string
	}{
		{asked, source.Silent, "no route"},
		{&url.Error{Op: "Get", URL: asked.URL, Err: errors.New(`oauth2: "invalid_grant"`)}, source.Refused, "renew them"},
		{errors.New("failed to refresh cached credentials"), source.Refused, "renew them"},
		{errors.New("endpoint rule error, Invalid region"), source.Refused, "renew them"},
		{&ChangedError{}, source.Changed, "another one"},
		{broken("x"), source.Broken, "x"},
	} {
		if e := p.trouble(c.err); e.Trouble != c.trouble || !strings.Contains(e.Error(), c.says) || strings.Contains(e.Error(), "SECRET") {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
	cloud := inMemory(nil)
	for status, want := range map[int]source.Trouble{401: source.Refused, 403: source.Refused, 404: source.Gone, 412: source.Changed, 416: source.Changed, 429: source.Busy,
		500: source.Busy, 503: source.Busy, 301: source.Refused, 400: source.Refused} {
		cloud.Answer = func(error) Answer { return Answer{Status: status, After: "7"} }
		p.cloud = cloud
		e := p.trouble(errors.New("x"))
		if e.Trouble != want || e.Remedy == "" || e.Trouble == source.Busy && e.After.Seconds() != 7 {
			t.Errorf("%d: %+v", status, e)
		}
	}
	for _, c := range []struct {
		tag     string
		said    Said
		changed bool
		ok      bool
	}{
		{"a", Said{Tag: "a", Range: "bytes 5-9/20"}, false, true}, {"", Said{Range: "bytes 5-9/20"}, false, true}, {"", Said{Range: "bytes 5-9/*"}, false, true},
		{"a", Said{Tag: "b", Range: "bytes 5-9/20"}, true, false}, {"a", Said{Range: "bytes 5-9/20"}, false, false},
		{"a", Said{Tag: "a", Range: "bytes 0-9/20"}, false, false}, {"a", Said{Tag: "a"}, false, false},
		{"", Said{Range: "bytes 5-9/21"}, true, false}, {"", Said{Range: "bytes 5-9/20", Modified: time.Unix(8, 0)}, true, false},
		{"", Said{Range: "bytes 5-9/20", Modified: time.Unix(7, 0)}, false, true},
	} {
		err := Proven(files.Object{Tag: c.tag, Size: 20, MTime: 7_900_000_000}, c.said, 5)
		if (err == nil) != c.ok || errors.As(err, new(*ChangedError)) != c.changed {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
