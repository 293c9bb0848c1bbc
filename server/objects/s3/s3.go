// Package s3 makes logdirs of places in S3, and in stores that speak as it does.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	"github.com/aws/smithy-go/middleware"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // registers s3://

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/objects"
)

// Open opens s3://bucket/folder. Options are those of gocloud: region, endpoint,
// use_path_style, profile, anonymous, ….
func Open(ctx context.Context, address string) (files.Origin, error) {
	return objects.New(ctx, address, cloud)
}

var cloud = objects.Cloud{
	Scheme: "s3",
	Open: func(ctx context.Context, address *url.URL) (*blob.Bucket, error) {
		return blob.OpenBucket(ctx, address.String())
	},
	BeforeList: func(prefix string) func(func(any) bool) error {
		return func(as func(any) bool) error {
			var in *s3.ListObjectsV2Input
			var options *[]func(*s3.Options)
			if as(&in) && prefix != "" {
				in.Prefix = aws.String(prefix)
			}
			if as(&options) {
				*options = append(*options, once, func(o *s3.Options) { o.APIOptions = append(o.APIOptions, judged) })
			}
			return nil
		}
	},
	Object: func(o *blob.ListObject) (key, tag string) {
		var of types.Object
		if !o.As(&of) {
			return o.Key, ""
		}
		return aws.ToString(of.Key), strings.Trim(aws.ToString(of.ETag), `"`)
	},
	Read:   read,
	Answer: answer,
	Renew:  "renew them as for the AWS command line (aws sso login, aws configure, or the environment); AWS_PROFILE and AWS_REGION choose others",
}

// once has the library make a request once: package objects tries again.
func once(o *s3.Options) {
	o.Retryer = aws.NopRetryer{}
	o.Logger = logging.Nop{}                                                  // what matters is an error
	o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired // parts of objects have none
}

// judged refuses what is no listing. The library takes every document, and also a page of a
// proxy, for one in which there is nothing.
func judged(stack *middleware.Stack) error {
	judge := func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
		middleware.InitializeOutput, middleware.Metadata, error,
	) {
		out, meta, err := next.HandleInitialize(ctx, in)
		if l, ok := out.Result.(*s3.ListObjectsV2Output); err == nil && ok {
			switch {
			case l.Name == nil && l.MaxKeys == nil:
				err = errors.New("the answer is no listing of a bucket")
			case aws.ToBool(l.IsTruncated) && aws.ToString(l.NextContinuationToken) == "":
				err = errors.New("the listing breaks off")
			}
		}
		return out, meta, err
	}
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("judged", judge), middleware.Before)
}

func read(ctx context.Context, b *blob.Bucket, bucket string, of files.Object, offset, length int64) (io.ReadCloser, error) {
	var client *s3.Client
	if !b.As(&client) {
		return nil, errors.New("no client of S3")
	}
	in := &s3.GetObjectInput{
		Bucket: aws.String(bucket), Key: aws.String(of.Key),
		Range: aws.String(fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)),
	}
	if of.Tag != "" {
		in.IfMatch = aws.String(`"` + of.Tag + `"`)
	}
	out, err := client.GetObject(ctx, in, once)
	if err != nil {
		return nil, err
	}
	said := objects.Said{
		Tag:   strings.Trim(aws.ToString(out.ETag), `"`),
		Range: aws.ToString(out.ContentRange), Modified: aws.ToTime(out.LastModified),
	}
	if err := objects.Proven(of, said, offset); err != nil {
		out.Body.Close()
		return nil, err
	}
	return out.Body, nil
}

func answer(err error) (a objects.Answer) {
	var r *awshttp.ResponseError
	if errors.As(err, &r) {
		a.Status = r.HTTPStatusCode()
		if r.Response != nil {
			a.After = r.Response.Header.Get("Retry-After")
		}
	}
	var e smithy.APIError
	if errors.As(err, &e) {
		a.Code, a.Words = e.ErrorCode(), e.ErrorMessage()
	}
	var broken *smithy.DeserializationError
	if errors.As(err, &broken) && a.Status == 200 {
		a = objects.Answer{} // an answer that broke off
	}
	return a
}
