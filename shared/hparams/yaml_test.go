package hparams

import (
	"strings"
	"testing"
)

func TestYAML(t *testing.T) {
	for _, k := range []struct{ file, want string }{
		// What Lightning wrote of a module's and a data module's arguments.
		{"batch_size: 32\nlr: 0.001\noptimizer: adam\ndropout: null\nbidirectional: true\n", "batch_size=32 bidirectional=true dropout=None lr=0.001 optimizer=adam"},
		{"lr: 1.0e-05\nsmall: 1e-5\nname: '1e-5'\nneg: -3\nbig: .inf\nbad: .nan\n", "bad=NaN big=+Inf lr=1e-05 name=1e-5 neg=-3 small=1e-05"},
		{"model:\n  width: 128\n  act: relu\n  head:\n    layers: 2\noptim:\n  name: sgd\nseed: 7\n", "model/act=relu model/head/layers=2 model/width=128 optim/name=sgd seed=7"},
		{"hidden:\n- 128\n- 64\nbetas: !!python/tuple\n- 0.9\n- 0.999\nafter: x\n", "after=x betas=[0.9, 0.999] hidden=[128, 64]"},
		{"flow: [1, 2]\nempty: {}\nurl: http://a:80/b\n", "empty={} flow=[1, 2] url=http://a:80/b"},
		{"path: 'it''s: here'\n\"quoted key\": \"a\\tb\"\n# a comment\nx: y # and one behind\nhash: a#b\n", "hash=a#b path=it's: here quoted key=a\tb x=y"},
		{"---\r\na: 1\r\n...\r\n", "a=1"},
		{"text: this goes\n  on and on\nlines: |-\n  one\n  two\nz: 1\n", "lines=one\ntwo text=this goes on and on z=1"},
		{"obj: !!python/object:my.Config\n  a: 1\n  b: 2\nref: *id001\nanchor: &id001 5\n", "anchor=5 obj=a: 1 b: 2 ref=*id001"},
		{"", ""}, {"\n\n", ""}, {"just words", ""}, {"- a\n- b\n", ""}, {"a: 1\na: 2\n", "a=2"}, {"x: <script>\xff</script>\n", "x=<script>\uFFFD</script>"}, {"{a: 1}", ""}, {"'a", ""},
	} {
		var got []string
		for _, p := range FromYAML(k.file) {
			got = append(got, p.Name+"="+p.Value.String())
		}
		if strings.Join(got, " ") != k.want {
			t.Errorf("%q is %q, want %q", k.file, strings.Join(got, " "), k.want)
		}
	}
	deep := ""
	for i := range 1000 {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	FromYAML(deep)
	s := &Session{Params: []Param{{"lr", Value{Kind: Number, Num: 1}}}}
	s.Complete([]Param{{"lr", Value{Kind: Number, Num: 2}}, {"act", Value{Kind: Text, Text: "relu"}}})
	if len(s.Params) != 2 || s.Params[0].Name != "act" || s.Params[1].Value.Num != 1 {
		t.Errorf("%+v: what was logged counts", s.Params)
	}
}

func FuzzYAML(f *testing.F) {
	f.Add("model:\n  width: 128\n- a\n'b': \"c\n")
	f.Fuzz(func(t *testing.T, s string) { FromYAML(s) })
}
