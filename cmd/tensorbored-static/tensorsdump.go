package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/dump"
	"github.com/tensorbored/tensorbored-static/shared/projector"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// tensorsDump is the document's section "projector": for each run and tensor what TensorBoard's plug-in says of
// it (route info), and SHA-256 hashes of what it answers: of the tensor as float32s, of the files of metadata and bookmarks.
// It has what embeddings are made of: what configs name, and other tensors of rank 2 that are no optimiser's.
func tensorsDump(ctx context.Context, from source.Logdir, listing *api.Listing) dump.Section {
	return dump.Section{Name: "projector", Write: func(w answer.Writer) error {
		port := besidePort{ctx, from}
		list, _, err := projector.Inventory(port, companions(listing))
		if err != nil {
			return err
		}
		sizes := map[string]int64{}
		for _, f := range listing.Files {
			sizes[f.Path] = f.Size
		}
		type sprite struct {
			Path string  `json:"imagePath"`
			Dim  []int64 `json:"singleImageDim,omitempty"`
		}
		type line struct {
			Shape     []int64 `json:"tensorShape,omitempty"`
			Tensor    string  `json:"tensor,omitempty"`
			Metadata  string  `json:"metadata,omitempty"`
			Bookmarks string  `json:"bookmarks,omitempty"`
			Sprite    *sprite `json:"sprite,omitempty"`
			Step      *int64  `json:"step,omitempty"`
			Error     string  `json:"error,omitempty"`
		}
		runs := map[string]map[string]line{}
		for _, t := range list {
			if !t.Main {
				continue
			}
			l := line{Shape: t.Shape}
			rows, dims, points, err := projector.Points(port, companions(listing), t.ID)
			if err == nil {
				l.Shape = []int64{rows, dims}
				h := sha256.New()
				floats(h, points)
				l.Tensor = hex.EncodeToString(h.Sum(nil))
			} else {
				l.Error = err.Error()
			}
			if l.Metadata, err = hashed(port, t.Metadata, sizes); err == nil {
				l.Bookmarks, err = hashed(port, t.Bookmarks, sizes)
			}
			if err != nil {
				l.Error = err.Error()
			}
			if s := t.Sprite; s != nil {
				l.Sprite = &sprite{Path: s.Path}
				if s.Width > 0 {
					l.Sprite.Dim = []int64{s.Width, s.Height}
				}
			}
			if t.Step >= 0 {
				l.Step = &t.Step
			}
			if runs[t.Run] == nil {
				runs[t.Run] = map[string]line{}
			}
			name := t.Name
			if _, ok := runs[t.Run][name]; ok { // the same tensor at another step
				name = t.ID
			}
			runs[t.Run][name] = l
		}
		b, err := json.MarshalIndent(runs, "", " ")
		w.Raw(string(b))
		return err
	}}
}

// floats writes numbers as the plug-in sends them: little-endian.
func floats(h hash.Hash, list []float32) {
	b := make([]byte, 0, 4096)
	for i, x := range list {
		if b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x)); len(b) == cap(b) || i == len(list)-1 {
			h.Write(b)
			b = b[:0]
		}
	}
}

// hashed is the hash of a file; "" if there is none.
func hashed(p besidePort, path string, sizes map[string]int64) (string, error) {
	if path == "" {
		return "", nil
	}
	h := sha256.New()
	const piece = 4 << 20
	for at, size := int64(0), sizes[path]; at < size; at += piece {
		b, err := p.Read(path, at, min(piece, size-at))
		if err != nil {
			return "", err
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
