// Package objects makes logdirs of places in object stores, through gocloud.dev/blob:
// what is listed and read there is handed on as a files.Origin. Each store has a package
// of its own below, with what differs between them, so that a program has only those that
// it was built with.
//
//	s3://bucket/folder?region=eu-west-1   gs://bucket/folder   azblob://container/folder
//
// # What can be relied on
//
// One flat listing tells everything: key, size, time, and the tag by which the store
// knows the bytes. It is told page by page, so that none of it must be in memory at once
// here; a page that does not come is asked for again, and a listing that does not come to
// its end is an error, never a shorter listing.
//
// An object is read as the one that was listed or not at all: each request is conditional
// on its tag, and what the answer says of itself is held against it, since not every
// server that speaks S3 knows conditions. An answer that breaks off is asked for again
// from where it broke off, on the same condition.
//
// A store that asks for patience, or does not answer, is asked again after pauses that
// double. Credentials that are refused are read again, as the store's own tools find them,
// and tried once more: so when they are renewed nothing need be started anew.
package objects

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Cloud is what differs between stores.
type Cloud struct {
	// Scheme is that of its addresses.
	Scheme string
	// Open opens a bucket with the credentials that there are now. The address has the
	// bucket as its host and gocloud's options as its query, and no path.
	Open func(ctx context.Context, address *url.URL) (*blob.Bucket, error)
	// BeforeList asks for what a listing needs: all below a prefix, and no tries of its
	// own. nil: nothing.
	BeforeList func(prefix string) func(as func(any) bool) error
	// Once has requests with the context made once: this package tries again. nil: they are.
	Once func(context.Context) context.Context
	// Object returns an object's key and tag as the store has them.
	Object func(o *blob.ListObject) (key, tag string)
	// Read reads bytes of an object if it is the one that was listed; Key is that of the
	// store. It tries once. The error is a *ChangedError where it sees by itself that it is
	// another one.
	Read func(ctx context.Context, b *blob.Bucket, bucket string, o files.Object, offset, length int64) (io.ReadCloser, error)
	// Answer says what a store answered, of an error; status 0 if it did not.
	Answer func(err error) Answer
	// Renew says how its credentials are renewed, for the user.
	Renew string
}

// Answer is a store's answer to a request that failed.
type Answer struct {
	Status int    // HTTP
	Code   string // the store's own
	Words  string
	After  string // Retry-After
}

// ChangedError says that another object has taken the listed one's place.
type ChangedError struct{}

func (*ChangedError) Error() string { return "the object has another tag than was listed" }

// AddressError says what is wrong with an address.
type AddressError struct {
	Address string
	Reason  string
	Remedy  string
}

// Error names address, reason and remedy.
func (e *AddressError) Error() string {
	return "logdir " + e.Address + " " + e.Reason + ": " + e.Remedy
}

// place is a part of a bucket. It implements files.Origin.
type place struct {
	cloud   Cloud
	address *url.URL // of the bucket
	bucket  string
	prefix  string // of the keys, without a slash at the end
	shown   string

	turns chan struct{} // of requests

	mu     sync.Mutex
	open   *blob.Bucket
	opened time.Time
	links  map[files.Object]link
}

// requests is how many requests to a place wait for their answer at a time.
const requests = 64

// New opens the place at an address. Nothing is asked of the store for it. The error is an
// *AddressError.
func New(ctx context.Context, address string, c Cloud) (files.Origin, error) {
	shown, _, _ := strings.Cut(address, "?")
	p := &place{cloud: c, shown: shown, turns: make(chan struct{}, requests), links: map[files.Object]link{}}
	wrong := func(reason, remedy string) error { return &AddressError{shown, reason, remedy} }
	rest, ok := strings.CutPrefix(address, c.Scheme+"://")
	if !ok {
		return nil, wrong("is no address of "+c.Scheme, "write "+c.Scheme+"://bucket/folder")
	}
	// Keys are taken as they are written, as the stores' own tools take them: a space is a
	// space, and %20 is no space.
	rest, query, _ := strings.Cut(rest, "?")
	p.bucket, p.prefix, _ = strings.Cut(rest, "/")
	options, err := url.ParseQuery(query)
	if err != nil {
		return nil, wrong("has options that cannot be read", "write them as a query: ?region=eu-west-1&endpoint=https://host")
	}
	if inside := options.Get("prefix"); inside != "" {
		p.prefix = strings.Trim(inside, "/") + "/" + p.prefix
		options.Del("prefix")
	}
	p.prefix = strings.TrimSuffix(p.prefix, "/")
	if p.bucket == "" {
		return nil, wrong("names no bucket", "write "+c.Scheme+"://bucket/folder")
	}
	p.address = &url.URL{Scheme: c.Scheme, Host: p.bucket, RawQuery: options.Encode()}
	if p.open, err = c.Open(ctx, p.address); err != nil {
		return nil, wrong("cannot be opened ("+err.Error()+")", "look at the options after the question mark; "+c.Renew)
	}
	p.opened = time.Now()
	return p, nil
}

// Close implements files.Origin.
func (p *place) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open.Close()
}

func (p *place) now() *blob.Bucket {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// renewEvery is how often credentials that are refused are read again. Tests set it.
var renewEvery = 5 * time.Second

// renew opens the bucket anew, with the credentials of now, unless that has just been done
// since old was in use. It reports whether there is another bucket to try.
func (p *place) renew(ctx context.Context, old *blob.Bucket) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open != old {
		return true
	}
	if time.Since(p.opened) < renewEvery {
		return false
	}
	b, err := p.cloud.Open(ctx, p.address)
	if err != nil {
		return false
	}
	// What is under way through the old one may come to its end.
	time.AfterFunc(time.Minute, func() { old.Close() })
	p.open, p.opened = b, time.Now()
	return true
}

// pageSize is how many objects a page of a listing has at most: what all stores allow.
const pageSize = 1000

// List implements files.Origin.
func (p *place) List(ctx context.Context, each func(files.Object) error) error {
	prefix := p.prefix
	// A place that is named as an event file may be one, or a folder of that name.
	if prefix != "" && api.KindOf("", prefix[strings.LastIndexByte(prefix, '/')+1:], false) != api.Event {
		prefix += "/"
	}
	options := &blob.ListOptions{Prefix: prefix}
	if p.cloud.BeforeList != nil {
		options.BeforeList = p.cloud.BeforeList(prefix)
	}
	for token := blob.FirstPageToken; ; {
		var page []*blob.ListObject
		var next []byte
		err := p.try(ctx, func(ctx context.Context, b *blob.Bucket) (err error) {
			ctx, cancel := context.WithTimeout(ctx, pagePatience)
			defer cancel()
			defer func() { // azureblob trusts answers to be listings
				if x := recover(); x != nil {
					err = broken(fmt.Sprintf("the answer is no listing of a bucket (%v)", x))
				}
			}()
			page, next, err = b.ListPage(ctx, token, pageSize, options)
			return err
		})
		if err != nil {
			return p.listing(err)
		}
		for _, o := range page {
			if o.IsDir {
				continue
			}
			key, tag := p.cloud.Object(o)
			below, ok := p.below(key)
			if !ok {
				continue
			}
			if err := each(files.Object{Key: below, Size: o.Size, MTime: o.ModTime.UnixNano(), Tag: tag}); err != nil {
				return err
			}
		}
		if len(next) == 0 {
			return nil
		}
		if string(next) == string(token) {
			return broken("the store names the same page of its listing again and again")
		}
		token = next
	}
}

// below returns a key relative to the place; ok is false for keys that only begin alike.
func (p *place) below(key string) (string, bool) {
	if p.prefix == "" {
		return key, true
	}
	if key == p.prefix {
		return key[strings.LastIndexByte(key, '/')+1:], true
	}
	return strings.CutPrefix(key, p.prefix+"/")
}

// key is the reverse of below.
func (p *place) key(o files.Object) string {
	if p.prefix == "" {
		return o.Key
	}
	if name := p.prefix[strings.LastIndexByte(p.prefix, '/')+1:]; o.Key == name && api.KindOf("", name, false) == api.Event {
		return p.prefix
	}
	return p.prefix + "/" + o.Key
}

// A link is a signed address, which is used as long as who gets it has time to follow it.
type link struct {
	url   string
	until time.Time
}

const (
	linkFor   = 15 * time.Minute
	linkAgain = 10 * time.Minute // it is given out again
	mostLinks = 10_000
)

// Link implements files.Origin.
func (p *place) Link(ctx context.Context, o files.Object) (string, error) {
	key := p.key(o)
	if strange(key) {
		return "", nil
	}
	p.mu.Lock()
	l, ok := p.links[o]
	p.mu.Unlock()
	if ok && time.Now().Before(l.until) {
		return l.url, nil
	}
	u, err := p.now().SignedURL(ctx, key, &blob.SignedURLOptions{Expiry: linkFor})
	if err != nil {
		return "", p.trouble(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.links) >= mostLinks {
		clear(p.links)
	}
	p.links[o] = link{u, time.Now().Add(linkAgain)}
	return u, nil
}

// strange reports whether gocloud would write a key in another way than it stands in the
// store, or a browser an address with it: those the server hands out itself.
func strange(key string) bool {
	return strings.Contains(key, "//") || strings.Contains(key, "./") || strings.HasSuffix(key, ".") || strings.Contains(key, "__0x") ||
		strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune("\"#%?\\", r) })
}

// LinkOrigin implements files.Origin.
func (p *place) LinkOrigin(ctx context.Context) (string, error) {
	signed, err := p.now().SignedURL(ctx, "events.out.tfevents", &blob.SignedURLOptions{Expiry: linkFor})
	if err != nil {
		return "", fmt.Errorf("addresses of %s cannot be signed (%w): that needs credentials that hold a key, and not a token alone", p.shown, err)
	}
	u, err := url.Parse(signed)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + u.Host, nil
}
