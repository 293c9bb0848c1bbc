// Package storetest has a store that speaks S3 for tests: a fake one (gofakes3, in memory)
// and what stands before it, which counts requests, knows conditions, which the fake does
// not, and makes what stores, lines and proxies make now and then.
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Bucket is the one bucket of a store.
const Bucket = "logs"

// S3 is a store.
type S3 struct {
	URL string // without a slash at the end

	t       *testing.T
	backend gofakes3.Backend
	fake    http.Handler

	file    string // of credentials; "" = those of the environment
	mu      sync.Mutex
	asked   []string // method, path and query of each request, and its condition
	fault   func(*http.Request) Fault
	allowed string // access key that is let in; "" for all
	blind   bool   // conditions are not known
	cors    bool
}

// Fault is what happens to a request.
type Fault string

// What can happen: the store is overloaded; a connection breaks before the answer, in the
// middle of its body; the credentials have ended; a proxy answers with a page of its own;
// the whole object comes where a part was asked for; another object comes.
const (
	None     Fault = ""
	SlowDown Fault = "503"
	Reset    Fault = "reset"
	Short    Fault = "short body"
	Expired  Fault = "403"
	Page     Fault = "page"
	Whole    Fault = "whole"
	Other    Fault = "another object"
)

// environment has the credentials that clients of all stores find, once for all tests of a
// program, which may run at once.
var environment = sync.OnceValue(func() (err error) {
	for k, v := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_CONFIG_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true"} {
		err = errors.Join(err, os.Setenv(k, v))
	}
	return err
})

// NewS3 starts a store with an empty bucket. Clients find the credentials "key".
func NewS3(t *testing.T) *S3 {
	t.Helper()
	if err := environment(); err != nil {
		t.Fatal(err)
	}
	s := &S3{t: t, backend: s3mem.New()}
	if err := s.backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	s.fake = gofakes3.New(s.backend, gofakes3.WithTimeSkewLimit(0), gofakes3.WithoutVersioning()).Server()
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Credentials has clients find others from now on, until the test ends: in a file, as the
// AWS command line keeps them. Other tests must not run meanwhile.
func (s *S3) Credentials(key string) {
	s.t.Helper()
	if s.file == "" {
		s.file = filepath.Join(s.t.TempDir(), "credentials")
		s.t.Setenv("AWS_SHARED_CREDENTIALS_FILE", s.file)
		for _, k := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
			s.t.Setenv(k, "") // as if there was none
		}
	}
	text := fmt.Sprintf("[default]\naws_access_key_id = %s\naws_secret_access_key = secret\n", key)
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// Address is the logdir's address of a folder of the bucket.
func (s *S3) Address(folder string) string {
	return "s3://" + Bucket + "/" + folder + "?region=us-east-1&use_path_style=true&endpoint=" + s.URL
}

// Put writes an object.
func (s *S3) Put(key string, data []byte) {
	s.t.Helper()
	if _, err := s.backend.PutObject(Bucket, key, map[string]string{}, bytes.NewReader(data), int64(len(data)), &gofakes3.PutConditions{}); err != nil {
		s.t.Fatal(err)
	}
}

// Get returns an object's bytes.
func (s *S3) Get(key string) []byte {
	s.t.Helper()
	o, err := s.backend.GetObject(Bucket, key, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer o.Contents.Close()
	b, err := io.ReadAll(o.Contents)
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// Remove deletes an object.
func (s *S3) Remove(key string) {
	s.t.Helper()
	if _, err := s.backend.DeleteObject(Bucket, key); err != nil {
		s.t.Fatal(err)
	}
}

// Faults has f say what happens to each request; nil: nothing.
func (s *S3) Faults(f func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Allow lets only clients with this access key in; "" lets all.
func (s *S3) Allow(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allowed = key
}

// Blind makes a store that knows no conditions, as some that speak S3 do.
func (s *S3) Blind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blind = true
}

// CORS lets pages of all sites read, as a bucket's CORS rules do.
func (s *S3) CORS() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cors = true
}

// Requests returns what was asked for since the last call.
func (s *S3) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// Lists reports whether a request asks for a listing.
func Lists(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Trim(r.URL.Path, "/") == Bucket
}

func (s *S3) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	said := r.Method + " " + r.URL.RequestURI()
	if match := r.Header.Get("If-Match"); match != "" {
		said += " if " + match
	}
	s.asked = append(s.asked, said)
	fault, allowed, blind, cors := s.fault, s.allowed, s.blind, s.cors
	s.mu.Unlock()
	if cors && r.Header.Get("Origin") != "" {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "ETag, Content-Range, Content-Length")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET")
			h.Set("Access-Control-Allow-Headers", "range")
			w.WriteHeader(http.StatusOK)
			return
		}
	}
	happens := None
	if fault != nil {
		happens = fault(r)
	}
	key := r.Header.Get("Authorization") + r.URL.Query().Get("X-Amz-Credential")
	if allowed != "" && !strings.Contains(key, allowed+"/") {
		happens = Expired
	}
	say := func(status int, code, words string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s</Message></Error>", code, words)
	}
	if Spoil(w, happens, func(status int, code string) { say(status, code, "An error of a test.") }) {
		return
	}
	switch happens {
	case Whole:
		r.Header.Del("Range")
	case Other:
		r.Header.Del("If-Match")
	}
	if match := r.Header.Get("If-Match"); match != "" && !blind {
		head := httptest.NewRecorder()
		q := &http.Request{Method: http.MethodHead, URL: &url.URL{Path: r.URL.Path}, Header: http.Header{}, Host: r.Host, Body: http.NoBody}
		if s.fake.ServeHTTP(head, q); head.Code == http.StatusOK && head.Header().Get("ETag") != match {
			say(http.StatusPreconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
			return
		}
	}
	if happens != Short {
		s.fake.ServeHTTP(w, r)
		return
	}
	all := httptest.NewRecorder()
	s.fake.ServeHTTP(all, r)
	for k, v := range all.Header() {
		w.Header()[k] = v
	}
	Send(w, all.Code, all.Body.Bytes(), happens)
}
