//go:build !js

package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/objects/s3"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// bucket is a folder of a fake store with 22 runs, and what a reader must find in it.
type bucket struct {
	*storetest.S3
	*logs
}

func newBucket(t *testing.T) *bucket {
	b := &bucket{storetest.NewS3(t), newLogs(t)}
	for i := range 22 {
		b.run(fmt.Sprintf("run %02d", i), map[string][]point{"x": curve(i, 0, 30)})
	}
	for i := range 1200 { // more than a page of a listing, and nothing to see
		b.Put(fmt.Sprintf("exp/checkpoints/%04d.pt", i), []byte("weights"))
	}
	b.fill()
	return b
}

// fill puts the folder's files into the bucket.
func (b *bucket) fill() {
	err := fs.WalkDir(os.DirFS(b.dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b.Put("exp/"+p, b.read(path.Join(b.dir, p)))
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bucket) open(o files.Options) *files.Store {
	b.t.Helper()
	origin, err := s3.Open(context.Background(), b.Address("exp"))
	if err != nil {
		b.t.Fatal(err)
	}
	o.Name = "s3://logs/exp"
	store, err := files.OpenRoots([]files.Root{{Dir: o.Name, Origin: origin}}, o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { store.Close() })
	return store
}

// linked is a server that gives out signed addresses of the bucket, of which nothing is had without.
func (b *bucket) linked() (*files.Store, http.Handler) {
	b.t.Helper()
	b.CORS()
	b.Allow("key")
	store := b.open(files.Options{Links: true, Page: api.Page{Reload: 300}})
	origins, err := store.LinkOrigins(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	h, err := server.New(server.Config{Site: browsertest.Dist(b.t), Logdir: store, Guard: guard.Config{Connect: origins}})
	if err != nil {
		b.t.Fatal(err)
	}
	return store, h
}

// grow appends to a run of the bucket, as a writer does that writes its object anew.
func (b *bucket) grow(from int) {
	p := b.path("run 03", "1700000000.host.1.0")
	b.add(p, more("x", 3, from, 5))
	b.expect("run 03", "x", curve(3, from, 5)...)
	b.fill()
}

// isRead checks that a page has all of the bucket, nothing lost, and sees what grows.
func (b *bucket) isRead(v view, look func()) {
	b.t.Helper()
	points := 0
	for _, tags := range b.want {
		points += len(tags["x"])
	}
	v.Wait(fmt.Sprintf(`tensorbored.status().phase === "exact" && tensorbored.status().points === %d`, points))
	equal(b.t, v.all(), b.want)
	if st := v.status(); st.Error != "" || len(st.Lost) > 0 {
		b.t.Errorf("status %+v", st)
	}
	b.Requests()
	if look != nil {
		look()
	}
}

// listings is how many listings a page has got.
const listings = `performance.getEntriesByType("resource").filter((e) => /listing.json/.test(e.name)).length`

// A bucket through our server: read by the page, and beside the server. The store is asked
// once for its list and once for each file, however many look, and once for a list at a
// reload that brings nothing.
func TestBucketThroughServer(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBucket(t)
			lists := 2 // pages of the list
			ask := func(v view, store *files.Store) {
				t.Helper()
				var before int
				v.Eval(listings, &before)
				store.Look()
				v.Eval(`tensorbored.reload()`, nil)
				v.Wait(fmt.Sprintf(`%s > %d`, listings, before))
			}
			store := b.open(files.Options{Every: time.Hour, Page: api.Page{Reload: api.Never}})
			h, err := server.New(server.Config{Site: browsertest.Dist(t), Logdir: store})
			if err != nil {
				t.Fatal(err)
			}
			s := &host{t: t, handler: h}
			s.start()
			t.Cleanup(s.stop)
			v := open(t, kind, s.URL)
			v.Wait(`tensorbored.status().phase === "exact"`)
			asked := b.Requests()
			if len(asked) > lists+22 {
				t.Errorf("%d requests on the first load: %q", len(asked), asked)
			}
			b.isRead(v, func() { ask(v, store) })
			if asked := b.Requests(); len(asked) != lists {
				t.Errorf("%d requests when nothing has changed: %q", len(asked), asked)
			}
			b.grow(30)
			ask(v, store)
			b.isRead(v, nil)

			v.Allow("503")
			v.Allow("Failed to load resource")
			b.Allow("renewed") // the credentials have ended
			ask(v, store)
			v.Wait(`/refused, or have ended.*aws sso login/.test(tensorbored.status().error)`)
			equal(t, v.all(), b.want)
			b.Allow("")
			b.grow(35)
			v.Eval(`tensorbored.reload()`, nil)
			b.isRead(v, nil)

			store = b.open(files.Options{Every: time.Hour, Page: api.Page{NearAlways: true, Near: server.NearPath, Reload: api.Never}})
			near := serveNearStore(t, store, nil)
			b.Requests()
			first, second := open(t, kind, near.URL), open(t, kind, near.URL)
			for _, v := range []view{first, second} {
				v.Wait(`tensorbored.status().phase === "exact" && tensorbored.status().reader === "the node"`)
			}
			if asked := b.Requests(); len(asked) > lists+22 {
				t.Errorf("%d requests for two pages: %q", len(asked), asked)
			}
			b.isRead(first, nil)
			b.isRead(second, nil)
			b.Requests()
			b.grow(40)
			store.Look()
			first.Eval(`tensorbored.reload()`, nil)
			b.isRead(first, nil)
		})
	}
}

// With signed addresses the bytes go from the store to the browser, and not through the
// server.
func TestBucketSigned(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBucket(t)
			store, h := b.linked()
			s := &host{t: t, handler: h}
			s.start()
			t.Cleanup(s.stop)
			v := open(t, kind, s.URL)
			b.isRead(v, nil)
			b.grow(30)
			store.Look()
			b.isRead(v, nil)
			if n := s.sent(); n > 0 {
				t.Errorf("%d bytes of files went through the server", n)
			}
		})
	}
}

// A browser that has the page from a server of other logs at the same address reads a bucket, too:
// the script of the workers, which it keeps, came with a policy that lets them read nothing else.
func TestBucketAfterFolder(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("local", map[string][]point{"loss": curve(1, 0, 5)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBucket(t)
			_, later := b.linked()
			s := serve(t, l.dir)
			v := open(t, kind, s.URL)
			if names := v.names(); len(names) != 1 {
				t.Fatalf("the folder has the runs %q", names)
			}
			s.handler = later
			v.Open(s.URL)
			v.Wait(`window.tensorbored`)
			v.Eval(`tensorbored.ready`, nil)
			b.isRead(v, nil)
		})
	}
}

// A bucket that is open to everybody is read by the page alone: it lists it as the store
// does, in pages, sees what grows, and knows the same files as the server.
func TestBucketDirectly(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBucket(t)
			b.CORS()
			h, err := server.New(server.Config{Site: browsertest.Dist(t), Guard: guard.Config{Connect: []string{b.S3.URL}}})
			if err != nil {
				t.Fatal(err)
			}
			s := &host{t: t, handler: h}
			s.start()
			t.Cleanup(s.stop)
			for _, list := range []string{"?prefix=exp/", "?list-type=2&prefix=exp/&encoding-type=url"} {
				v := open(t, kind, s.URL+"?logdir="+url.QueryEscape(b.S3.URL+"/"+storetest.Bucket+list))
				b.isRead(v, nil)
				b.grow(len(b.want["run 03"]["x"]))
				v.Eval(`tensorbored.reload()`, nil)
				b.isRead(v, nil)
				// One that breaks off does not make runs vanish.
				v.Allow("503")
				v.Allow("Failed to load")
				v.Allow("CORS")
				b.Faults(func(r *http.Request) storetest.Fault {
					if q := r.URL.Query(); q.Get("continuation-token") != "" || q.Get("marker") != "" {
						return storetest.SlowDown
					}
					return storetest.None
				})
				v.Eval(`tensorbored.reload()`, nil)
				v.Wait(`tensorbored.status().error`)
				equal(t, v.all(), b.want)
				b.Faults(nil)
				v.Eval(`tensorbored.reload()`, nil)
				v.Wait(`!tensorbored.status().error`)
				b.isRead(v, nil)
			}
			v := visit(t, kind, s.URL)
			v.Eval(`tbBoot.load("bucket")`, nil)
			for _, name := range strings.Fields(`events.out.tfevents.1 x.profile-empty hparams.yaml checkpoint a.tsv a.bytes a.index a.npy a.npz a.safetensors
				model.ckpt-7 m.data-00000-of-00001 graph.pb g.PBTXT projector_config.pbtxt m.onnx model.json Keras.json architecture.json other.json
				p.tbdigest a.txt a.csv a.bin a.png sprite.png sprite.JPEG a.jpg none noext. .json`) {
				for _, dir := range []string{"", "run", ".tensorboard"} {
					for _, beside := range []bool{false, true} {
						var got string
						v.Eval(fmt.Sprintf(`tbBucket.kind(%q, %q, %v)`, dir, name, beside), &got)
						if want := string(api.KindOf(dir, name, beside)); got != want {
							t.Errorf("%s/%s beside a configuration: %v: %q, the server says %q", dir, name, beside, got, want)
						}
					}
				}
			}
		})
	}
}
