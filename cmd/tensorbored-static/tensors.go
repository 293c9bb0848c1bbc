package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/projector"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// besidePort reads files beside event files for the projector.
type besidePort struct {
	ctx  context.Context
	from source.Logdir
}

// Read implements projector.Port.
func (p besidePort) Read(path string, from, n int64) (b []byte, err error) {
	results, err := p.from.Read(p.ctx, []source.Range{{Path: path, Offset: from, Length: n}})
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		b, err = append(b, r.Data...), r.Err
	}
	return b, err
}

// companions are the files beside event files.
func companions(listing *api.Listing) (files []projector.Listed) {
	for _, f := range listing.Files {
		if f.Kind == api.Companion {
			files = append(files, projector.Listed{Path: f.Path, Size: f.Size, MTime: float64(f.MTime) / 1e6, Version: f.Version})
		}
	}
	return files
}

// writeTensors lists the tensors of a logdir, a line each, and what is wrong with them.
func writeTensors(ctx context.Context, w io.Writer, from source.Logdir, listing *api.Listing) error {
	list, problems, err := projector.Inventory(besidePort{ctx, from}, companions(listing))
	if err != nil {
		return err
	}
	for _, t := range list {
		shape := []string{}
		for _, n := range t.Shape {
			shape = append(shape, fmt.Sprint(n))
		}
		what := t.DType
		if len(shape) > 0 {
			what += " " + strings.Join(shape, " × ")
		}
		if t.Step >= 0 {
			what += fmt.Sprintf(", step %d", t.Step)
		}
		if t.Error != nil {
			what += fmt.Sprintf(", not readable: %q", t.Error.Error())
		}
		fmt.Fprintf(w, "  %q in run %q: %s, from %q\n", t.Name, t.Run, strings.TrimSpace(what), t.Path)
	}
	for _, p := range problems {
		fmt.Fprintf(w, "  wrong: %q\n", p.Error())
	}
	return nil
}
