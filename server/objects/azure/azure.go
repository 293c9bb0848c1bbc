// Package azure makes logdirs of places in Azure's Blob Storage.
package azure

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azblob "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // registers azblob://

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
)

// Open opens azblob://container/folder. Options are those of gocloud: storage_account,
// domain, protocol, ….
func Open(ctx context.Context, address string) (files.Origin, error) {
	return objects.New(ctx, address, cloud)
}

var cloud = objects.Cloud{
	Scheme: "azblob",
	Open: func(ctx context.Context, address *url.URL) (*blob.Bucket, error) {
		return blob.OpenBucket(ctx, address.String())
	},
	BeforeList: func(prefix string) func(func(any) bool) error {
		return func(as func(any) bool) error {
			var o *container.ListBlobsHierarchyOptions
			if as(&o) && prefix != "" {
				o.Prefix = &prefix
			}
			return nil
		}
	},
	Object: func(o *blob.ListObject) (key, tag string) {
		var of container.BlobItem
		if !o.As(&of) || of.Name == nil {
			return o.Key, ""
		}
		if of.Properties != nil && of.Properties.ETag != nil {
			tag = strings.Trim(string(*of.Properties.ETag), `"`)
		}
		return *of.Name, tag
	},
	Once: func(ctx context.Context) context.Context {
		return policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1})
	},
	Read:   read,
	Answer: answer,
	Renew:  "renew them with: az login, or set AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN",
}

func read(ctx context.Context, b *blob.Bucket, bucket string, of files.Object, offset, length int64) (io.ReadCloser, error) {
	var client *container.Client
	if !b.As(&client) {
		return nil, errors.New("no client of Blob Storage")
	}
	o := &azblob.DownloadStreamOptions{Range: azblob.HTTPRange{Offset: offset, Count: length}}
	if of.Tag != "" {
		match := azcore.ETag(`"` + of.Tag + `"`)
		o.AccessConditions = &azblob.AccessConditions{ModifiedAccessConditions: &azblob.ModifiedAccessConditions{IfMatch: &match}}
	}
	out, err := client.NewBlobClient(of.Key).DownloadStream(ctx, o)
	if err != nil {
		return nil, err
	}
	var said objects.Said
	if out.ContentRange != nil {
		said.Range = *out.ContentRange
	}
	if out.ETag != nil {
		said.Tag = strings.Trim(string(*out.ETag), `"`)
	}
	if err := objects.Proven(of, said, offset); err != nil {
		out.Body.Close()
		return nil, err
	}
	return out.Body, nil
}

func answer(err error) (a objects.Answer) {
	var e *azcore.ResponseError
	if errors.As(err, &e) {
		a.Status, a.Code = e.StatusCode, e.ErrorCode
		if e.RawResponse != nil {
			a.After = e.RawResponse.Header.Get("Retry-After")
		}
	}
	return a
}
