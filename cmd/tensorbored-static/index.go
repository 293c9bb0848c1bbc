package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/digest"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

type indexFlags struct {
	out, shard string
	merge      bool
	noFollow   bool
	points     int64
	jobs       int
}

func newIndex() *cobra.Command {
	c := &cobra.Command{
		Use:   "index LOGDIR",
		Short: "write digests of finished runs, with which they open at once",
		Args:  oneArg("index", "logdir"),
	}
	var f indexFlags
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.out, "out", "", "`DIR`: write there; serve --digest DIR finds it")
	flags.StringVar(&f.shard, "shard", "", "`K/N`: only the K-th of N parts, 1/N to N/N")
	flags.BoolVar(&f.merge, "merge", false, "read nothing, join what the parts have written")
	flags.Int64Var(&f.points, "points", 4096, "`N`: about how many of each series")
	flags.IntVar(&f.jobs, "jobs", 0, "`N`: files at a time; as many as processors unless given")
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	c.RunE = action(func(rest []string, stdout, stderr io.Writer) int {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return indexCommand(ctx, rest[0], f, stdout, stderr)
	})
	return c
}

// part reads --shard: part k, from 0, of n.
func (f *indexFlags) part() (k, n int, err error) {
	if f.shard == "" {
		return 0, 1, nil
	}
	a, b, _ := strings.Cut(f.shard, "/")
	k, err = strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if err != nil || err2 != nil || k < 1 || k > n {
		return 0, 0, fmt.Errorf("--shard %s: write K/N, from 1/N to N/N", f.shard)
	}
	return k - 1, n, nil
}

// wholeDigest is the digest of all files, and the name of what is merged.
const wholeDigest = "runs" + digest.Suffix

// indexCommand writes a digest of a logdir, or of a part of it. It returns 1 if it could not be
// written, or if no file could be read.
func indexCommand(ctx context.Context, logdir string, f indexFlags, stdout, stderr io.Writer) int {
	k, n, err := f.part()
	if err == nil && f.merge && f.shard != "" {
		err = errors.New("--merge and --shard exclude each other: merge when all parts have been written")
	}
	if err == nil && f.points < 16 {
		err = errors.New("--points: give a number from 16")
	}
	if err == nil && isAddress(logdir) && f.out == "" {
		err = errors.New("nothing is written to object stores: give --out DIR, and open it with serve --logdir " + bare(logdir) + " --digest DIR")
	}
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	base := expandHome(cmp.Or(f.out, logdir))
	dir := filepath.Join(base, digest.Dir)
	if f.merge {
		return mergeDigests(dir, stdout, stderr)
	}
	store, err := openOne(logdir, !f.noFollow)
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer store.Close()
	listing, err := store.List(ctx, "")
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	name := wholeDigest
	if n > 1 {
		name = fmt.Sprintf("runs-%d-of-%d%s", k+1, n, digest.Suffix)
	}
	before := openDigest(filepath.Join(dir, name))
	if before == nil && n > 1 {
		before = openDigest(filepath.Join(dir, wholeDigest))
	}
	defer before.Close()
	var mine []api.File
	for _, file := range listing.Files {
		h := fnv.New32a()
		io.WriteString(h, file.Path)
		if file.Kind == api.Event && source.HasData(file.Path) && int(h.Sum32()%uint32(n)) == k {
			mine = append(mine, file)
		}
	}
	to, err := newDigestFile(dir, name)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	done, kept, size := 0, 0, int64(0)
	var mu sync.Mutex
	next := make(chan api.File)
	var wait sync.WaitGroup
	if f.jobs <= 0 {
		f.jobs = runtime.GOMAXPROCS(0)
	}
	for range f.jobs {
		dir := store.Source()
		wait.Go(func() {
			for file := range next {
				item := digest.Item{Path: file.Path, Size: file.Size, MTime: file.MTime, Version: file.Version}
				entry, old := before.unchanged(item), true
				var err error
				if entry == nil {
					old = false
					entry, err = reader.Digest(ctx, dir, wire.File{Path: file.Path, Size: file.Size, MTime: file.MTime, Version: file.Version}, f.points)
				}
				mu.Lock()
				switch {
				case ctx.Err() != nil:
				case err != nil:
					fmt.Fprintf(stderr, "tensorbored-static: left out, it is read when it is opened: %v: %q\n", err, file.Path)
				default:
					to.add(item, entry)
					done, size = done+1, size+file.Size
					if old {
						kept++
					}
				}
				mu.Unlock()
			}
		})
	}
	for _, file := range mine {
		select {
		case next <- file:
		case <-ctx.Done():
		}
	}
	close(next)
	wait.Wait()
	if ctx.Err() != nil {
		to.abort()
		return fail(stderr, exitFailed, errors.New("interrupted: nothing was written"))
	}
	if err := to.close(); err != nil {
		return fail(stderr, exitFailed, err)
	}
	fmt.Fprintf(stdout, "%s: %d files of %d, %d MB in %d MB; %d as they were\n", to.name, done, len(mine), size/1e6, to.size()/1e6, kept)
	if done == 0 && len(mine) > 0 {
		return exitFailed
	}
	return 0
}

// mergeDigests joins all digests of a directory into one. Of a file that stands in several the
// newest digest counts.
func mergeDigests(dir string, stdout, stderr io.Writer) int {
	names, err := filepath.Glob(filepath.Join(dir, "*"+digest.Suffix))
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("there are no digests in %s: write them with tensorbored-static index LOGDIR --shard K/N", dir)
	}
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	type of struct {
		*openedDigest
		item digest.Item
	}
	all := map[string]of{}
	var opened []*openedDigest
	for _, name := range names {
		d := openDigest(name)
		if d == nil {
			return fail(stderr, exitFailed, fmt.Errorf("%s cannot be read: %w", name, digest.ErrDigest))
		}
		defer d.Close()
		opened = append(opened, d)
	}
	slices.SortStableFunc(opened, func(a, b *openedDigest) int { return a.at.Compare(b.at) })
	for _, d := range opened {
		for _, i := range d.items {
			all[i.Path] = of{d, i}
		}
	}
	to, err := newDigestFile(dir, wholeDigest)
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	var paths []string
	for p := range all {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if b := all[p].load(all[p].item); b != nil {
			to.add(all[p].item, b)
		}
	}
	if err := to.close(); err != nil {
		return fail(stderr, exitFailed, err)
	}
	for _, name := range names {
		if filepath.Base(name) != wholeDigest {
			_ = os.Remove(name) // what is left is merged again
		}
	}
	fmt.Fprintf(stdout, "%s: %s, %d MB\n", to.name, counted(len(paths), "file"), to.size()/1e6)
	return 0
}

// digestFile is a digest that is being written: under another name until it is whole.
type digestFile struct {
	name string
	f    *os.File
	b    *bufio.Writer
	w    *digest.Writer
	err  error
	n    int64
}

func newDigestFile(dir, name string) (*digestFile, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("the digest cannot be written there (%w): name another directory with --out DIR", err)
	}
	f, err := os.CreateTemp(dir, ".tensorbored-static.*.part")
	if err != nil {
		return nil, fmt.Errorf("the digest cannot be written there (%w): name another directory with --out DIR", err)
	}
	d := &digestFile{name: filepath.Join(dir, name), f: f, b: bufio.NewWriterSize(f, 1<<20)}
	d.w = digest.NewWriter(d.b)
	return d, nil
}

func (d *digestFile) add(i digest.Item, entry []byte) {
	if d.err == nil {
		d.err = d.w.Add(i, entry)
	}
}

func (d *digestFile) abort() {
	d.f.Close()
	os.Remove(d.f.Name())
}

func (d *digestFile) close() error {
	err := d.err
	if err == nil {
		err = d.w.Close()
	}
	if err == nil {
		err = d.b.Flush()
	}
	if err == nil {
		d.n, err = d.f.Seek(0, io.SeekEnd)
	}
	if err == nil {
		err = errors.Join(d.f.Chmod(0o644), d.f.Sync())
	}
	if err = errors.Join(err, d.f.Close()); err == nil {
		err = os.Rename(d.f.Name(), d.name)
	}
	if err != nil {
		os.Remove(d.f.Name())
		return fmt.Errorf("the digest could not be written: %w", err)
	}
	return nil
}

func (d *digestFile) size() int64 { return d.n }

// openedDigest is a digest that was written before; nil is none.
type openedDigest struct {
	*os.File
	items map[string]digest.Item
	at    time.Time // when it was written
}

func openDigest(name string) *openedDigest {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	d := &openedDigest{File: f, items: map[string]digest.Item{}}
	if err := d.read(); err != nil {
		f.Close()
		return nil
	}
	return d
}

func (d *openedDigest) read() error {
	fi, err := d.Stat()
	if err != nil || fi.Size() < digest.Footer {
		return digest.ErrDigest
	}
	d.at = fi.ModTime()
	footer := make([]byte, digest.Footer)
	if _, err := d.ReadAt(footer, fi.Size()-digest.Footer); err != nil {
		return err
	}
	offset, length, sum, err := digest.Place(footer, fi.Size())
	if err != nil {
		return err
	}
	b := make([]byte, length) // of a file that has so many
	if _, err := d.ReadAt(b, offset); err != nil {
		return err
	}
	index, err := digest.Parse(b, offset, sum)
	for _, i := range index {
		d.items[i.Path] = i
	}
	return err
}

// Close closes it.
func (d *openedDigest) Close() {
	if d != nil {
		d.File.Close()
	}
}

// load returns an entry; nil if it cannot be read, or is damaged.
func (d *openedDigest) load(i digest.Item) []byte {
	b := make([]byte, i.Length)
	if _, err := d.ReadAt(b, i.Offset); err != nil {
		return nil
	}
	if _, err := reader.ParseEntry(b); err != nil {
		return nil
	}
	return b
}

// unchanged returns what there is of a file that is as it was; nil if that is nothing.
func (d *openedDigest) unchanged(is digest.Item) []byte {
	if d == nil || is.Version == "" {
		return nil
	}
	i, ok := d.items[is.Path]
	if !ok || i.Size != is.Size || i.MTime != is.MTime || i.Version != is.Version {
		return nil
	}
	return d.load(i)
}
