// Command volumes is a whole back end for the pages of a published plug-in, tensorboard-plugin-3d
// 1.0.3, whose own is Python (tensorboard_plugin_3d/plugin.py): volumes and their labels, as
// nested lists of the numbers in pictures. Its pages come from its wheel:
//
//	tensorbored-static plugin import tensorboard_plugin_3d-1.0.3-py3-none-any.whl
//
// then its plugin.json is the one beside this file.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	_ "image/jpeg" // what pictures may be
	_ "image/png"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/tensorbored/tensorbored-static/shared/tbplugin"
)

// volumes keeps which run is shown, and what the page saves of its state.
type volumes struct {
	mu      sync.Mutex
	current int
	state   map[string]any
}

// Routes implements tbplugin.Plugin.
func (v *volumes) Routes() map[string]tbplugin.Handler {
	return map[string]tbplugin.Handler{
		"/images/current": v.show, "/images/count": v.count, "/tags": v.tags, "/saveState": v.save, "/fetchState": v.fetch,
	}
}

// IsActive implements tbplugin.Activer: there are images or labels.
func (v *volumes) IsActive(_ context.Context, data *tbplugin.Data) (bool, error) {
	_, runs, err := pictures(data)
	for _, run := range runs {
		for tag := range run {
			if strings.HasPrefix(tag, "image") || strings.HasPrefix(tag, "label") {
				return true, err
			}
		}
	}
	return false, err
}

// pictures lists the runs with images, by name, and the tags of each.
func pictures(data *tbplugin.Data) (names []string, runs []map[string]tbplugin.Facts, err error) {
	all, err := data.ListBlobs(tbplugin.Query{Plugin: "images"})
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, n := range names {
		runs = append(runs, all[n])
	}
	return names, runs, err
}

func (v *volumes) tags(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	names, runs, err := pictures(r.Data)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for i, run := range runs {
		for tag := range run {
			out[names[i]] = append(out[names[i]], tag)
		}
		sort.Strings(out[names[i]])
	}
	return tbplugin.JSON(out)
}

func (v *volumes) count(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	names, _, err := pictures(r.Data)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return tbplugin.JSON(map[string]int{"current": v.current + 1, "total": len(names)})
}

// show answers the pictures of a run: those of its tags that begin with "image" and "label".
func (v *volumes) show(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	names, runs, err := pictures(r.Data)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	put := func(run, tag string) error {
		key := ""
		switch {
		case strings.HasPrefix(tag, "image"):
			key = "image"
		case strings.HasPrefix(tag, "label"):
			key = "label"
		default:
			return nil
		}
		numbers, err := last(r.Data, run, tag)
		if err == nil && numbers != nil {
			out[key] = numbers
		}
		return err
	}
	if run, tag := r.Get("run"), r.Get("tag"); run != "" && tag != "" {
		if err := put(run, tag); err != nil {
			return nil, err
		}
		return tbplugin.JSON(out)
	}
	if len(names) == 0 {
		return tbplugin.JSON(out)
	}
	number := 1
	if text := r.Get("idx"); text != "" {
		if number, err = strconv.Atoi(text); err != nil {
			return nil, tbplugin.Errorf(400, "idx must be a number")
		}
	}
	v.mu.Lock()
	v.current = ((number-1)%len(names) + len(names)) % len(names)
	at := v.current
	v.mu.Unlock()
	for tag := range runs[at] {
		if err := put(names[at], tag); err != nil {
			return nil, err
		}
	}
	return tbplugin.JSON(out)
}

// last decodes the last picture of a tag to nested lists.
func last(data *tbplugin.Data, run, tag string) (any, error) {
	all, err := data.ReadBlobSequences(tbplugin.Query{Plugin: "images", Runs: []string{run}, Tags: []string{tag}, Downsample: 1})
	if err != nil {
		return nil, err
	}
	list := all[run][tag]
	if len(list) == 0 || len(list[len(list)-1].Keys) == 0 {
		return nil, nil
	}
	keys := list[len(list)-1].Keys
	encoded, err := data.ReadBlob(keys[len(keys)-1])
	if err != nil {
		return nil, err
	}
	return numbers(encoded)
}

// numbers are a picture's, by row, column and channel; of an animation the first channel, by
// picture, row and column.
func numbers(encoded []byte) (any, error) {
	if bytes.HasPrefix(encoded, []byte("GIF8")) {
		g, err := gif.DecodeAll(bytes.NewReader(encoded))
		if err != nil {
			return nil, err
		}
		out := make([][][]int, len(g.Image))
		for i, p := range g.Image {
			for y := range g.Config.Height {
				row := make([]int, g.Config.Width)
				for x := range row {
					red, _, _, _ := p.At(x, y).RGBA()
					row[x] = int(red >> 8)
				}
				out[i] = append(out[i], row)
			}
		}
		return out, nil
	}
	p, _, err := image.Decode(bytes.NewReader(encoded))
	if err != nil {
		return nil, tbplugin.Errorf(415, "a picture is of a form that is not known here: %v", err)
	}
	b, channels := p.Bounds(), 3
	switch p.ColorModel() {
	case color.GrayModel, color.Gray16Model:
		channels = 1
	case color.NRGBAModel, color.NRGBA64Model:
		channels = 4
	}
	out := make([][][]int, b.Dy())
	for y := range out {
		out[y] = make([][]int, b.Dx())
		for x := range out[y] {
			c := color.NRGBAModel.Convert(p.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			out[y][x] = []int{int(c.R), int(c.G), int(c.B), int(c.A)}[:channels]
		}
	}
	return out, nil
}

// save adds to the state that the page keeps.
func (v *volumes) save(_ context.Context, r *tbplugin.Request) (*tbplugin.Response, error) {
	var in map[string]any
	if err := json.Unmarshal(r.Body, &in); err != nil {
		return nil, tbplugin.Errorf(400, "the state is no JSON object")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	merge(v.state, in)
	return tbplugin.JSON(v.state)
}

// merge puts values over others, those of "actorContext" one by one.
func merge(to, from map[string]any) {
	for k, value := range from {
		inner, ok := value.(map[string]any)
		if k != "actorContext" || !ok {
			to[k] = value
			continue
		}
		of, ok := to[k].(map[string]any)
		if !ok {
			of = map[string]any{}
			to[k] = of
		}
		merge(of, inner)
	}
}

func (v *volumes) fetch(context.Context, *tbplugin.Request) (*tbplugin.Response, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return tbplugin.JSON(v.state)
}

func init() { tbplugin.Register(&volumes{state: map[string]any{}}) }

func main() { tbplugin.Serve() }
