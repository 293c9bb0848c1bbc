// Package gcs makes logdirs of places in Google Cloud Storage.
package gcs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"
	"google.golang.org/api/googleapi"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
)

// Open opens gs://bucket/folder. Options are those of gocloud: anonymous, access_id, ….
func Open(ctx context.Context, address string) (files.Origin, error) {
	return objects.New(ctx, address, cloud)
}

var cloud = objects.Cloud{
	Scheme: "gs",
	Open:   open,
	BeforeList: func(prefix string) func(func(any) bool) error {
		return func(as func(any) bool) error {
			var q *storage.Query
			if as(&q) {
				q.Prefix = prefix
				return q.SetAttrSelection([]string{"Name", "Size", "Updated", "Generation"})
			}
			return nil
		}
	},
	Object: func(o *blob.ListObject) (key, tag string) {
		var of storage.ObjectAttrs
		if !o.As(&of) {
			return o.Key, ""
		}
		return of.Name, strconv.FormatInt(of.Generation, 10)
	},
	Read:   read,
	Answer: answer,
	Renew:  "renew them with: gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS",
}

// open is what gocloud does for gs://, but it reads the credentials each time, and says
// what is wrong with them instead of writing it to the standard output.
func open(ctx context.Context, address *url.URL) (*blob.Bucket, error) {
	q := address.Query()
	o := &gcsblob.URLOpener{}
	if q.Get("anonymous") == "true" || q.Get("access_id") == "-" || os.Getenv("STORAGE_EMULATOR_HOST") != "" {
		o.Client = gcp.NewAnonymousHTTPClient(gcp.DefaultTransport())
	} else {
		creds, err := gcp.DefaultCredentials(ctx)
		if err != nil {
			return nil, err
		}
		var key struct {
			Email string `json:"client_email"`
			Key   string `json:"private_key"`
		}
		if json.Unmarshal(creds.JSON, &key) == nil {
			o.Options.GoogleAccessID, o.Options.PrivateKey = key.Email, []byte(key.Key)
		}
		if o.Client, err = gcp.NewHTTPClient(gcp.DefaultTransport(), creds.TokenSource); err != nil {
			return nil, err
		}
	}
	b, err := o.OpenBucketURL(ctx, address)
	if err != nil {
		return nil, err
	}
	var client *storage.Client
	if b.As(&client) {
		client.SetRetry(storage.WithPolicy(storage.RetryNever)) // package objects tries again
	}
	return b, nil
}

func read(ctx context.Context, b *blob.Bucket, bucket string, of files.Object, offset, length int64) (io.ReadCloser, error) {
	var client *storage.Client
	if !b.As(&client) {
		return nil, errors.New("no client of Cloud Storage")
	}
	o := client.Bucket(bucket).Object(of.Key).ReadCompressed(true)
	generation, err := strconv.ParseInt(of.Tag, 10, 64)
	if err == nil {
		o = o.If(storage.Conditions{GenerationMatch: generation})
	}
	r, err := o.NewRangeReader(ctx, offset, length)
	if err != nil {
		return nil, err
	}
	switch {
	case generation != 0 && r.Attrs.Generation <= 0:
		err = errors.New("the answer does not say which object it is of")
	case generation != 0 && r.Attrs.Generation != generation:
		err = &objects.ChangedError{}
	case r.Attrs.StartOffset != offset:
		err = fmt.Errorf("it sent the object from %d on", r.Attrs.StartOffset)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func answer(err error) (a objects.Answer) {
	var e *googleapi.Error
	if errors.As(err, &e) {
		a.Status, a.Words, a.After = e.Code, e.Message, e.Header.Get("Retry-After")
		if len(e.Errors) > 0 {
			a.Code = e.Errors[0].Reason
		}
		return a
	}
	if errors.Is(err, storage.ErrObjectNotExist) || errors.Is(err, storage.ErrBucketNotExist) {
		a.Status = 404
	}
	return a
}
