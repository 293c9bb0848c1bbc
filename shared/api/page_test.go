package api

import (
	"reflect"
	"testing"
)

// What the page is asked to do comes through, and nothing is said where nothing is
// asked.
func TestPage(t *testing.T) {
	for text, want := range map[string]Page{
		``: Page{},
		`"title":"Runs \"of\" <b>","reload":2500,"saveProfile":"profile","profile":"a/b.json","kept":"0a1b","samples":{"images":10,"scalars":0},`: {
			`Runs "of" <b>`, 2500, "profile", "a/b.json", "", false, "0a1b", []Samples{{"images", 10}, {"scalars", 0}}},
		`"near":"near","nearAlways":1,`:   {Near: "near", NearAlways: true},
		`"near":"near",`:                  {Near: "near"},
		`"reload":-7,"samples":{},`:       {Reload: Never},
		`"reload":1.5e3,`:                 {Reload: 1500},
		`"samples":{"b":2,"a":1,"b":-3},`: {Samples: []Samples{{"a", 1}, {"b", 2}}},
		`"samples":{"b":2,"a":1,"b":3},`:  {Samples: []Samples{{"a", 1}, {"b", 3}}},
	} {
		l, err := Parse([]byte(`{` + text + `"files":[{"path":"tfevents"}]}`))
		if err != nil || !reflect.DeepEqual(l.Page, want) || len(l.Files) != 1 {
			t.Errorf("%s: %+v, %v", text, l, err)
			continue
		}
		again, err := Parse(l.Append(nil))
		if err != nil || !reflect.DeepEqual(again, l) {
			t.Errorf("%s: written and read: %+v, %v", text, again, err)
		}
	}
	if got, want := string((&Listing{Logdir: "x", ETag: "e"}).Append(nil)), `{"version":1,"logdir":"x","base":"","etag":"e","files":[],"problems":[]}`+"\n"; got != want {
		t.Errorf("asking nothing: %s", got)
	}
	for _, text := range []string{`{"title":1}`, `{"reload":"5"}`, `{"samples":[1]}`, `{"samples":{"a":"b"}}`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}
