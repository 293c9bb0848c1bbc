package runtable

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

// called are the names of runs whose hyperparameters are given; extra runs lie below them.
func called(params map[string][]hparams.Param, extra ...string) map[string]string {
	d := &Data{Sessions: map[string]*hparams.Session{}}
	runs := append(slices.Sorted(maps.Keys(params)), extra...)
	for run, list := range params {
		if list != nil {
			d.Sessions[run] = &hparams.Session{Params: list}
		}
	}
	d.SetRuns(runs)
	return d.Called(&hparams.Experiment{})
}

func params(values ...any) (list []hparams.Param) {
	for i := 0; i < len(values); i += 2 {
		v := Value{Kind: hparams.Text, Text: fmt.Sprint(values[i+1])}
		if x, ok := values[i+1].(float64); ok {
			v = Value{Kind: hparams.Number, Num: x}
		}
		list = append(list, hparams.Param{Name: values[i].(string), Value: v})
	}
	slices.SortFunc(list, func(a, b hparams.Param) int { return slices.Compare([]byte(a.Name), []byte(b.Name)) })
	return list
}

// What tells runs apart is said; what is the same in all, or follows from the rest, is not.
func TestCalled(t *testing.T) {
	for name, c := range map[string]struct {
		params map[string][]hparams.Param
		extra  []string
		want   map[string]string
	}{
		"nothing is logged": {map[string][]hparams.Param{"a": nil, "b": nil}, nil, nil},
		"all the same":      {map[string][]hparams.Param{"a": params("lr", 0.1), "b": params("lr", 0.1)}, nil, nil},
		"one differs": {map[string][]hparams.Param{"a": params("lr", 0.1, "opt", "sgd"), "b": params("lr", 3e-4, "opt", "sgd")}, nil,
			map[string]string{"a": "lr=0.1", "b": "lr=0.0003"}},
		"one follows from another": {map[string][]hparams.Param{"a": params("depth", 2.0, "model", "small"), "b": params("depth", 8.0, "model", "large")}, nil,
			map[string]string{"a": "depth=2", "b": "depth=8"}},
		"two are needed": {map[string][]hparams.Param{"a": params("lr", 0.1, "opt", "sgd"), "b": params("lr", 0.1, "opt", "adam"), "c": params("lr", 0.2, "opt", "adam")}, nil,
			map[string]string{"a": "lr=0.1, opt=sgd", "b": "lr=0.1, opt=adam", "c": "lr=0.2, opt=adam"}},
		"some lack it": {map[string][]hparams.Param{"a": params("lr", 0.1, "warm", 5.0), "b": params("lr", 0.1)}, nil,
			map[string]string{"a": "warm=5"}},
		"two are alike": {map[string][]hparams.Param{"s0": params("lr", 0.1), "s1": params("lr", 0.1), "t": params("lr", 0.2)}, nil,
			map[string]string{"s0": "lr=0.1 · s0", "s1": "lr=0.1 · s1", "t": "lr=0.2"}},
		"runs below": {map[string][]hparams.Param{"x/1": params("lr", 0.1), "x/2": params("lr", 0.2)}, []string{"x/1/eval", "x/2/eval", "other"},
			map[string]string{"x/1": "lr=0.1", "x/1/eval": "lr=0.1 · eval", "x/2": "lr=0.2", "x/2/eval": "lr=0.2 · eval"}},
		"texts of many lines": {map[string][]hparams.Param{"a": params("cmd", "train\n  --lr 1"), "b": params("cmd", strings.Repeat("ü", 100)), "c": params("cmd", strings.Repeat("ü", 101))}, nil,
			map[string]string{"a": "cmd=train --lr 1", "b": "cmd=" + strings.Repeat("ü", 40) + "… · b", "c": "cmd=" + strings.Repeat("ü", 40) + "… · c"}},
		"digits alone would be alike": {map[string][]hparams.Param{"a": params("lr", 0.123456789), "b": params("lr", 0.123456788)}, nil,
			map[string]string{"a": "lr=0.12346 · a", "b": "lr=0.12346 · b"}},
	} {
		if got := called(c.params, c.extra...); !maps.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// Whatever the values, no two runs are called the same.
func FuzzCalled(f *testing.F) {
	f.Add([]byte("abcabcabd"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all := map[string][]hparams.Param{}
		for i := 0; i+3 <= len(data); i += 3 {
			all[fmt.Sprintf("r%d", i)] = params("p", float64(data[i]%4), "q", string(rune('a'+data[i+1]%4)), "·", string(data[i+2:i+3]))
		}
		seen := map[string]string{}
		for run, name := range called(all) {
			if seen[name] != "" {
				t.Fatalf("%s and %s are both called %q", run, seen[name], name)
			}
			seen[name] = run
		}
	})
}
