//go:build stores

package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
	"github.com/tensorbored/tensorbored-static/server/objects/azure"
	"github.com/tensorbored/tensorbored-static/server/objects/gcs"
	"github.com/tensorbored/tensorbored-static/server/objects/s3"
	"github.com/tensorbored/tensorbored-static/server/objects/storetest"
	"github.com/tensorbored/tensorbored-static/server/ports"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
)

const bucket = "logs"

// real is a store's real server, behind a proxy that counts requests and makes faults.
// Clients speak with the proxy; what a test writes goes to the server.
type real struct {
	t     *testing.T
	proxy *httptest.Server
	host  string // of the server
	store

	asked atomic.Int64
	mu    sync.Mutex
	fault func(*http.Request) storetest.Fault
}

// store is what differs between them.
type store interface {
	put(ctx context.Context, key string, data []byte) error
	get(ctx context.Context, key string) ([]byte, error)
	remove(ctx context.Context, key string) error
	// say answers with an error as the store does.
	say(w http.ResponseWriter, status int, code string)
	// free takes the condition from a request for an object, and from its signature.
	free(r *http.Request) error
}

// kind is a kind of server.
type kind struct {
	name    string
	renew   string
	folders bool // keys are paths of files: no empty parts, no ".."
	coy     bool // what is gone is said to have changed
	// command runs it on an address, with a folder of its own; public is the address that
	// clients know.
	command func(address, public, folder string) *exec.Cmd
	// connect opens it for writing, and makes a bucket.
	connect func(ctx context.Context, address string) (store, error)
	// open opens a folder of a bucket through an address.
	open func(ctx context.Context, address, bucket, folder string) (files.Origin, error)
}

// tools is where .ci/install-stores.sh has put the servers.
func tools(name string) string {
	path, err := filepath.Abs(filepath.Join("../../bin/stores", name))
	if err != nil {
		return name
	}
	return path
}

var kinds = []kind{
	{
		name: "versitygw", renew: "aws sso login", folders: true,
		command: func(address, _, folder string) *exec.Cmd {
			return exec.Command(tools("versitygw"), "--port", address, "--access", "key", "--secret", "secretsecret", "--quiet", "posix", folder)
		},
		connect: connectS3,
		open: func(ctx context.Context, address, bucket, folder string) (files.Origin, error) {
			return s3.Open(ctx, "s3://"+bucket+"/"+folder+s3Options+address)
		},
	},
	{
		name: "fake-gcs-server", renew: "gcloud auth application-default login",
		command: func(address, public, _ string) *exec.Cmd {
			host, port, _ := strings.Cut(address, ":")
			return exec.Command(tools("fake-gcs-server"), "-scheme", "http", "-host", host, "-port", port, "-public-host", public,
				"-backend", "memory", "-log-level", "error")
		},
		connect: connectGCS,
		open: func(ctx context.Context, address, bucket, folder string) (files.Origin, error) {
			os.Setenv("STORAGE_EMULATOR_HOST", address)
			return gcs.Open(ctx, "gs://"+bucket+"/"+folder)
		},
	},
	{
		name: "azurite", renew: "az login", coy: true,
		command: func(address, _, folder string) *exec.Cmd {
			host, port, _ := strings.Cut(address, ":")
			return exec.Command(tools("azurite/node_modules/.bin/azurite-blob"), "--blobHost", host, "--blobPort", port, "--location", folder,
				"--silent", "--disableTelemetry", "--skipApiVersionCheck")
		},
		connect: connectAzure,
		open: func(ctx context.Context, address, bucket, folder string) (files.Origin, error) {
			return azure.Open(ctx, "azblob://"+bucket+"/"+folder+azureOptions+address)
		},
	},
}

// start starts a server, which ends with the test.
func start(t *testing.T, k kind) *real {
	t.Helper()
	r := &real{t: t}
	r.proxy = httptest.NewServer(r)
	t.Cleanup(r.proxy.Close)
	l, err := ports.Listen()
	if err != nil {
		t.Fatal(err)
	}
	r.host = l.Addr().String()
	l.Close()
	cmd := k.command(r.host, r.address(), t.TempDir())
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: run .ci/install-stores.sh, as make stores does", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended, its words say
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
		if t.Failed() {
			t.Logf("%s said: %s", k.name, said.String())
		}
	})
	for up := false; !up; {
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", k.name, said.String())
		case <-time.After(20 * time.Millisecond):
		}
		c, err := net.Dial("tcp", r.host)
		if up = err == nil; up {
			c.Close()
		}
	}
	if r.store, err = k.connect(t.Context(), r.host); err != nil {
		t.Fatal(err)
	}
	return r
}

// address is that of the proxy.
func (r *real) address() string { return strings.TrimPrefix(r.proxy.URL, "http://") }

// Put implements storetest.Store.
func (r *real) Put(key string, data []byte) {
	r.t.Helper()
	if err := r.put(r.t.Context(), key, data); err != nil {
		r.t.Fatalf("%q: %v", key, err)
	}
}

// Faults implements storetest.Store.
func (r *real) Faults(f func(*http.Request) storetest.Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = f
}

// direct is the way to the server: bodies come as they are.
var direct = &http.Transport{DisableCompression: true}

// ServeHTTP is the proxy.
func (r *real) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	r.asked.Add(1)
	r.mu.Lock()
	fault := r.fault
	r.mu.Unlock()
	happens := storetest.None
	if fault != nil {
		happens = fault(in)
	}
	if storetest.Spoil(w, happens, func(status int, code string) { r.say(w, status, code) }) {
		return
	}
	out := in.Clone(in.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host = "http", r.host
	if happens == storetest.Other {
		if err := r.free(out); err != nil {
			panic(err)
		}
	}
	answer, err := direct.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for k, v := range answer.Header {
		w.Header()[k] = v
	}
	storetest.Send(w, answer.StatusCode, body, happens)
}

// logdir opens a folder as a logdir.
func (r *real) logdir(k kind, bucket, folder string) *files.Store {
	r.t.Helper()
	origin, err := k.open(r.t.Context(), r.address(), bucket, folder)
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := files.OpenRoots([]files.Root{{Dir: folder, Origin: origin}}, files.Options{Name: "logs"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { s.Close() })
	return s
}

// paths has a store that keeps keys as paths of files say so.
type paths struct{ *real }

// Refuses implements storetest.Refuser.
func (paths) Refuses(key string) bool {
	return strings.Contains(key, "//") || strings.Contains("/"+key+"/", "/../")
}

// What fakes of our own tell of stores is held against servers of others.
func TestRealStores(t *testing.T) {
	objects.Quick()
	for k, v := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secretsecret", "AWS_CONFIG_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
		"AZURE_STORAGE_ACCOUNT": "devstoreaccount1",
		// Azurite's own, which its documentation names.
		"AZURE_STORAGE_KEY":     "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
		"STORAGE_EMULATOR_HOST": "",
	} {
		t.Setenv(k, v)
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			r := start(t, k)
			t.Run("store", func(t *testing.T) {
				var s storetest.Store = r
				if k.folders {
					s = paths{r}
				}
				storetest.Check(t, s, func(folder string) files.Origin {
					o, err := k.open(t.Context(), r.address(), bucket, folder)
					if err != nil {
						t.Fatal(err)
					}
					return o
				}, k.renew)
			})
			t.Run("source", func(t *testing.T) { checkSource(t, r, k) })
			t.Run("many objects", func(t *testing.T) { checkMany(t, r, k) })
			t.Run("no bucket", func(t *testing.T) {
				_, err := r.logdir(k, "nosuchbucket", "exp").List(t.Context(), "")
				if err == nil || !strings.Contains(err.Error(), "there is no such bucket") || !strings.Contains(err.Error(), "check the bucket's name") {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// checkSource goes through the suite of all origins.
func checkSource(t *testing.T, r *real, k kind) {
	for path, b := range sourcetest.Files() {
		r.Put("folder/"+path, b)
	}
	r.Put("folder2/tfevents.not", []byte("x")) // begins alike
	s := r.logdir(k, bucket, "folder")
	o := &sourcetest.Origin{
		Logdir: s.Source(), Lists: true, Grows: true, Coy: k.coy,
		Append: func(path string, data []byte) error {
			old, err := r.get(t.Context(), "folder/"+path)
			if err == nil {
				err = r.put(t.Context(), "folder/"+path, append(old, data...))
			}
			if err != nil {
				return err
			}
			s.Look()
			_, err = s.List(context.Background(), "") // what it says is what is read
			return err
		},
		Remove: func(path string) error { return r.remove(t.Context(), "folder/"+path) },
	}
	for _, c := range sourcetest.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkMany lists more than two pages.
func checkMany(t *testing.T, r *real, k kind) {
	const n = 2001
	var all sync.WaitGroup
	work := make(chan string)
	for range 8 {
		all.Go(func() {
			for key := range work {
				if err := r.put(t.Context(), key, []byte("x")); err != nil {
					t.Errorf("%s: %v", key, err)
				}
			}
		})
	}
	for i := range n {
		work <- fmt.Sprintf("many/run%04d/tfevents", i)
	}
	close(work)
	all.Wait()
	s := r.logdir(k, bucket, "many")
	r.asked.Store(0)
	l, err := s.List(t.Context(), "")
	if err != nil || len(l.Files) != n || len(l.Problems) > 0 {
		t.Fatalf("listed %+v, %v", l, err)
	}
	if got := r.asked.Load(); got > 3 {
		t.Errorf("%d requests", got)
	}
}

const s3Options = "?region=us-east-1&use_path_style=true&endpoint=http://"

// inS3 writes to a server that speaks S3.
type inS3 struct{ *awss3.Client }

func connectS3(ctx context.Context, address string) (store, error) {
	b, err := blob.OpenBucket(ctx, "s3://"+bucket+s3Options+address)
	if err != nil {
		return nil, err
	}
	var s inS3
	if !b.As(&s.Client) {
		return nil, errors.New("no client of S3")
	}
	_, err = s.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: aws.String(bucket)})
	return s, err
}

func (s inS3) put(ctx context.Context, key string, data []byte) error {
	_, err := s.PutObject(ctx, &awss3.PutObjectInput{Bucket: aws.String(bucket), Key: aws.String(key), Body: bytes.NewReader(data)})
	return err
}

func (s inS3) get(ctx context.Context, key string) ([]byte, error) {
	out, err := s.GetObject(ctx, &awss3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	if err != nil {
		return nil, err
	}
	defer out.Body.Close()
	return io.ReadAll(out.Body)
}

func (s inS3) remove(ctx context.Context, key string) error {
	_, err := s.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	return err
}

func (inS3) say(w http.ResponseWriter, status int, code string) { sayXML(w, status, code) }

func sayXML(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>an error of a test</Message></Error>", code)
}

func (s inS3) free(r *http.Request) error {
	key, ok := strings.CutPrefix(r.URL.Path, "/"+bucket+"/")
	if !ok {
		return nil // a listing
	}
	signed, err := awss3.NewPresignClient(s.Client).PresignGetObject(r.Context(), &awss3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	if err != nil {
		return err
	}
	return signedAs(r, signed.URL)
}

// signedAs makes of a request one for a signed address, with nothing but its range.
func signedAs(r *http.Request, address string) (err error) {
	h := http.Header{}
	for _, k := range []string{"Range", "X-Ms-Range"} {
		if v := r.Header.Get(k); v != "" {
			h.Set(k, v)
		}
	}
	r.Header, r.Host = h, ""
	r.URL, err = url.Parse(address)
	return err
}

// inGCS writes to a server that speaks as Google's does.
type inGCS struct{ *storage.BucketHandle }

func connectGCS(ctx context.Context, address string) (store, error) {
	os.Setenv("STORAGE_EMULATOR_HOST", address)
	c, err := storage.NewClient(ctx, storage.WithJSONReads()) // the other way is open to the proxy's address alone
	if err != nil {
		return nil, err
	}
	s := inGCS{c.Bucket(bucket)}
	return s, s.Create(ctx, "project", nil)
}

func (s inGCS) put(ctx context.Context, key string, data []byte) error {
	w := s.Object(key).NewWriter(ctx)
	w.ChunkSize = 0 // in one request
	_, err := w.Write(data)
	return errors.Join(err, w.Close())
}

func (s inGCS) get(ctx context.Context, key string) ([]byte, error) {
	r, err := s.Object(key).NewReader(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func (s inGCS) remove(ctx context.Context, key string) error { return s.Object(key).Delete(ctx) }

func (inGCS) say(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":"an error of a test","errors":[{"reason":%q}]}}`, status, code)
}

func (inGCS) free(r *http.Request) error {
	r.Header.Del("X-Goog-If-Generation-Match")
	return nil
}

const azureOptions = "?protocol=http&domain="

// inAzure writes to a server that speaks as Azure's does.
type inAzure struct{ *container.Client }

func connectAzure(ctx context.Context, address string) (store, error) {
	b, err := blob.OpenBucket(ctx, "azblob://"+bucket+azureOptions+address)
	if err != nil {
		return nil, err
	}
	var s inAzure
	if !b.As(&s.Client) {
		return nil, errors.New("no client of Blob Storage")
	}
	_, err = s.Create(ctx, nil)
	return s, err
}

func (s inAzure) put(ctx context.Context, key string, data []byte) error {
	_, err := s.NewBlockBlobClient(key).UploadBuffer(ctx, data, nil)
	return err
}

func (s inAzure) get(ctx context.Context, key string) ([]byte, error) {
	out, err := s.NewBlobClient(key).DownloadStream(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer out.Body.Close()
	return io.ReadAll(out.Body)
}

func (s inAzure) remove(ctx context.Context, key string) error {
	_, err := s.NewBlobClient(key).Delete(ctx, nil)
	return err
}

func (inAzure) say(w http.ResponseWriter, status int, code string) {
	w.Header().Set("x-ms-error-code", code)
	sayXML(w, status, code)
}

func (s inAzure) free(r *http.Request) error {
	key, ok := strings.CutPrefix(r.URL.Path, "/devstoreaccount1/"+bucket+"/")
	if !ok {
		return nil // a listing
	}
	signed, err := s.NewBlobClient(key).GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil)
	if err != nil {
		return err
	}
	return signedAs(r, signed)
}
