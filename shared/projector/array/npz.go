package array

import (
	"archive/zip"
	"io"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// readerAt reads a file for archive/zip, which reads little at a time, by windows of 64 KiB.
type readerAt struct {
	f      tensor.File
	window []byte
	at     int64
	err    error // of the file's own, which zip does not hand on
}

const zipWindow = 64 << 10

func (r *readerAt) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at < 0 || at >= r.f.Size() {
			return n, io.EOF
		}
		if at < r.at || at >= r.at+int64(len(r.window)) {
			want := max(int64(zipWindow), min(int64(len(p)-n), tensor.Window))
			if r.window, err = r.f.Read(at, want); err != nil {
				r.window, r.err = nil, err
				return n, err
			}
			r.at = at
			if len(r.window) == 0 {
				return n, io.ErrUnexpectedEOF
			}
		}
		k := copy(p[n:], r.window[at-r.at:])
		n += k
		at += int64(k)
	}
	return n, nil
}

// mostArrays bounds the members of an archive whose headers are read.
const mostArrays = 10000

// NPZ opens a .npz file: an archive of .npy files, packed or not. Members that cannot be read are
// left out.
func NPZ(f tensor.File) (list []tensor.Stored, err error) {
	r := &readerAt{f: f}
	z, err := zip.NewReader(r, f.Size())
	if r.err != nil {
		return nil, r.err
	}
	if err != nil {
		return nil, tensor.Damaged(f.Path(), "This is no .npz file: %v.", err)
	}
	for _, m := range z.File {
		name, ok := strings.CutSuffix(m.Name, ".npy")
		if !ok || len(list) >= mostArrays {
			continue
		}
		body, err := m.Open()
		if err != nil {
			continue
		}
		head, err := io.ReadAll(io.LimitReader(body, 4096))
		h, more, wrong := parseNPY(f.Path(), head)
		if more > 0 && more < longestHead {
			rest, _ := io.ReadAll(io.LimitReader(body, more-int64(len(head))))
			h, _, wrong = parseNPY(f.Path(), append(head, rest...))
		}
		body.Close()
		if r.err != nil {
			return nil, r.err
		}
		if err != nil && err != io.ErrUnexpectedEOF || wrong != nil {
			continue
		}
		n, _ := tensor.Elements(h.info.Shape)
		h.info.Name, h.info.Bytes = name, int64(m.CompressedSize64)
		list = append(list, &packed{f: f, name: m.Name, head: h, whole: n*h.info.DType.Size() <= int64(m.UncompressedSize64)-h.data})
	}
	if len(list) == 0 {
		return nil, tensor.Wrong("nothing-there", f.Path(), "", "The archive holds no arrays.")
	}
	return list, nil
}

// packed is an array in an archive.
type packed struct {
	f     tensor.File
	name  string
	head  npyHead
	whole bool // the archive says that the numbers are all there
}

// Info implements tensor.Stored.
func (p *packed) Info() tensor.Info { return p.head.info }

// mostPacked is how many times its size deflate may unpack bytes to (RFC 1951: 1032).
const mostPacked = 1040

// Load implements tensor.Stored.
func (p *packed) Load(rows int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	want, bytes := amount(p.head, rows)
	if !p.whole || p.head.info.DType.Size() == 0 || bytes/mostPacked > p.head.info.Bytes {
		return nil, nil, tensor.Damaged(p.f.Path(), "The array %s is said to have %d bytes, and has not so many.", p.name, bytes)
	}
	r := &readerAt{f: p.f}
	z, err := zip.NewReader(r, p.f.Size())
	if err != nil {
		return nil, nil, tensor.Damaged(p.f.Path(), "This is no .npz file any more: %v.", err)
	}
	for _, m := range z.File {
		if m.Name != p.name {
			continue
		}
		body, err := m.Open()
		if err != nil {
			return nil, nil, tensor.Damaged(p.f.Path(), "The array %s cannot be unpacked: %v.", p.name, err)
		}
		defer body.Close()
		if _, err := io.CopyN(io.Discard, body, p.head.data); err != nil {
			return nil, nil, tensor.Damaged(p.f.Path(), "The array %s is not whole: %v.", p.name, err)
		}
		d := newDecoder(p.head, want)
		buffer := make([]byte, zipWindow)
		for at := int64(0); at < bytes; {
			n, err := io.ReadFull(body, buffer[:min(bytes-at, int64(len(buffer)))])
			d.take(buffer[:n])
			at += int64(n)
			if r.err != nil {
				return nil, nil, r.err
			}
			if err != nil {
				return nil, nil, tensor.Damaged(p.f.Path(), "The array %s is not whole: %v.", p.name, err)
			}
			if err := turn(at, bytes); err != nil {
				return nil, nil, err
			}
		}
		if _, err := io.Copy(io.Discard, io.LimitReader(body, zipWindow)); err != nil && rows < 0 { // at its end the checksum is held against the bytes
			return nil, nil, tensor.Damaged(p.f.Path(), "The array %s is damaged: %v.", p.name, err)
		}
		return d.out, nil, nil
	}
	return nil, nil, tensor.Wrong("missing", p.f.Path(), "", "The array %s is not in the file any more.", p.name)
}
