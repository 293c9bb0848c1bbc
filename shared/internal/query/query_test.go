package query

import (
	"net/url"
	"reflect"
	"testing"
)

// FuzzQuery compares all of it with net/url.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "a b+c%20d", "tag=x%2Fy&run=&tag=z", "%", "%4", "%zz", "100%", "é/ü?#[]{}|", "a;b=c&d", "=x&&y", "-_.~!*'()", "%e4%F6", "k=v=w"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Escape(s), url.QueryEscape(s); got != want {
			t.Errorf("%q is escaped as %q, not as %q", s, got, want)
		}
		for name, of := range map[string][2]func(string) (string, error){"query": {Unescape, url.QueryUnescape}, "path": {PathUnescape, url.PathUnescape}} {
			got, err := of[0](s)
			want, bad := of[1](s)
			if got != want || (err != nil) != (bad != nil) {
				t.Errorf("%s: %q is read as %q, %v, not as %q, %v", name, s, got, err, want, bad)
			}
		}
		got, err := Parse(s)
		want, bad := url.ParseQuery(s)
		if !reflect.DeepEqual(got, map[string][]string(want)) || (err != nil) != (bad != nil) {
			t.Errorf("%q is %v, %v, not %v, %v", s, got, err, want, bad)
		}
	})
}
