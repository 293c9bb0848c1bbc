package testing

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// floats puts arrays behind each other, as the host does.
func floats(raw *[]byte, list ...float64) map[string]any {
	ref := map[string]any{"$": []any{"f8", len(*raw), len(list)}}
	for _, v := range list {
		*raw = binary.LittleEndian.AppendUint64(*raw, math.Float64bits(v))
	}
	return ref
}

func words(raw *[]byte, list ...string) map[string]any {
	ref := map[string]any{"$": []any{"s", len(*raw), len(list)}}
	for _, w := range list {
		*raw = append(binary.LittleEndian.AppendUint32(*raw, uint32(len(w))), w...)
	}
	return ref
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	var g, w any
	if json.Unmarshal([]byte(got), &g) != nil || json.Unmarshal([]byte(want), &w) != nil || !reflect.DeepEqual(g, w) {
		t.Errorf("%s is %s, and TensorBoard's is %s", what, got, want)
	}
}

// The example answers as TensorBoard 2.21's example_basic answered of the same data.
func TestGreetings(t *testing.T) {
	t.Parallel()
	b := Build(t, "../examples/greetings", func(method string, args map[string]any) (any, []byte, error) {
		if args["plugin_name"] != "example_basic" {
			return nil, nil, errors.New("other data")
		}
		var raw []byte
		switch method {
		case "list_tensors":
			return map[string]any{"demo": map[string]any{"guestbook": map[string]any{"max_step": 1, "max_wall_time": "NaN", "description": "names of guestbook"}}}, nil, nil
		case "read_tensors":
			if !reflect.DeepEqual(args["run_tag_filter"], map[string]any{"runs": []any{"demo"}, "tags": []any{"guestbook"}}) || args["downsample"] != 1000.0 && args["downsample"] != 7.0 {
				return map[string]any{}, nil, nil
			}
			list := []any{}
			for i, w := range []string{"Hello, Alice!", "Hello, Bob!"} {
				list = append(list, map[string]any{"step": i, "wall_time": 1.5, "dtype": "string", "shape": []int{}, "data": words(&raw, w)})
			}
			return map[string]any{"demo": map[string]any{"guestbook": list}}, raw, nil
		}
		return nil, nil, errors.New("no method " + method)
	})
	for range 3 { // a reactor answers again and again
		status, body := b.Get("/tags")
		if status != 200 {
			t.Fatal(status, body)
		}
		same(t, "/tags", body, `{"demo": {"guestbook": {"description": "names of guestbook"}}}`)
	}
	_, body := b.Get("/greetings?run=demo&tag=guestbook")
	same(t, "/greetings", body, `["Hello, Alice!", "Hello, Bob!"]`)
	if status, body := b.Get("/greetings?run=demo"); status != 400 || body != "Must specify run and tag" {
		t.Error(status, body)
	}
	if status, _ := b.Get("/greetings/?run=x&tag=y"); status != 404 {
		t.Error(status)
	}
	if status, body := b.Get("/other"); status != 404 || body != "Not found" {
		t.Error(status, body)
	}
	if a := b.Do(map[string]any{"op": "is_active"}, nil); a.Result != true {
		t.Errorf("%+v", a)
	}
	a := b.Do(map[string]any{"op": "fix_flags", "values": map[string]any{"example_basic_limit": 13}}, nil)
	if !strings.Contains(a.Error, "choose another") {
		t.Errorf("%+v", a)
	}
}

// The example answers as TensorBoard 2.21's example_raw_scalars.
func TestRawScalars(t *testing.T) {
	t.Parallel()
	b := Build(t, "../examples/rawscalars", func(method string, args map[string]any) (any, []byte, error) {
		var raw []byte
		one := map[string]any{"step": floats(&raw, 0, 5), "wall_time": floats(&raw, 1700000000, 1700000001.5), "value": floats(&raw, 0.25, math.Inf(1))}
		if f, _ := args["run_tag_filter"].(map[string]any); f != nil && !reflect.DeepEqual(f["runs"], []any{"train"}) {
			return map[string]any{}, nil, nil
		}
		if method == "list_scalars" {
			one = map[string]any{"max_step": 5}
		}
		return map[string]any{"train": map[string]any{"loss": one}}, raw, nil
	})
	_, body := b.Get("/tags")
	same(t, "/tags", body, `{"train": {"loss": {}}}`)
	_, body = b.Get("/scalars?run=train&tag=loss")
	same(t, "/scalars", body, `[[1700000000.0, 0, 0.25], [1700000001.5, 5, "Infinity"]]`)
	if status, body := b.Get("/scalars?run=x&tag=y"); status != 404 || body != "Not found: No scalar data for run='x', tag='y'" {
		t.Error(status, body)
	}
	if _, body := b.Get("/scalars?run=train&tag=loss&format=csv"); !strings.HasPrefix(body, "Wall time,Step,Value\r\n1.7e+09,0,0.25\r\n") {
		t.Errorf("%q", body)
	}
}

// What a request with one read costs natively.
func BenchmarkRoute(b *testing.B) {
	back := Build(b, "../examples/rawscalars", func(string, map[string]any) (any, []byte, error) {
		var raw []byte
		one := map[string]any{"step": floats(&raw, 0, 5), "wall_time": floats(&raw, 1, 2), "value": floats(&raw, 0.25, 1)}
		return map[string]any{"train": map[string]any{"loss": one}}, raw, nil
	})
	for b.Loop() {
		back.Get("/scalars?run=train&tag=loss")
	}
}
