//go:build !js

package plugin

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const good = `{"manifest_version":1,"name":"demo","frontend_metadata":{"es_module_path":"/index.js"},"routes":["/tags","/a/*"],
	"data_plugin_names":["greeting"],"backend":{"type":"wasip1","path":"/backend.wasm"},
	"flags":[{"name":"demo_limit","type":"int","default":1000,"minimum":1,"maximum":5000},{"name":"demo_mode","type":"string","enum":["a","b"],"default":"a"},{"name":"demo-re","type":"string","pattern":"x+"},{"name":"demo_on","type":"bool"}]}`

// A manifest that is wrong is refused with the name of the field.
func TestRefused(t *testing.T) {
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for field, text := range map[string]string{
		"plugin.json":                      `[]`,
		"surprise":                         `{"manifest_version":1,"name":"a","surprise":1}`,
		"manifest_version":                 `{"manifest_version":2,"name":"a"}`,
		"name":                             `{"manifest_version":1,"name":"a/b"}`,
		"frontend_metadata.es_module_path": `{"manifest_version":1,"name":"a","frontend_metadata":{"es_module_path":"/../x.js"}}`,
		"frontend_metadata.element_name":   `{"manifest_version":1,"name":"a","frontend_metadata":{"element_name":"x-a"}}`,
		"frontend_metadata.tab_name":       `{"manifest_version":1,"name":"a","frontend_metadata":{"es_module_path":"/i.js","tab_name":7}}`,
		"routes[1]":                        strings.Replace(good, `"/a/*"`, `"/a*/b"`, 1),
		"routes[0]":                        strings.Replace(good, `"/tags"`, `"tags"`, 1),
		"backend":                          `{"manifest_version":1,"name":"a","frontend_metadata":{"es_module_path":"/i.js"},"routes":["/t"]}`,
		"backend.type":                     strings.Replace(good, `wasip1`, `python`, 1),
		"backend.path":                     strings.Replace(good, `"/backend.wasm"`, `"/c:/backend.wasm"`, 1),
		"backend.exec":                     strings.Replace(good, `wasip1`, `go-js`, 1),
		"backend.sha256":                   strings.Replace(good, `"/backend.wasm"`, `"/backend.wasm","sha256":"AB"`, 1),
		"isolation":                        strings.Replace(good, `"routes"`, `"isolation":"same","routes"`, 1),
		"flags[0].name":                    strings.Replace(good, `demo_limit`, `limit`, 1),
		"flags[1].name":                    strings.Replace(good, `demo_mode`, `demo-limit`, 1),
		"flags[0].default":                 strings.Replace(good, `"default":1000`, `"default":0`, 1),
		"flags[2].pattern":                 strings.Replace(good, `x+`, `(`, 1),
		"data_plugin_names[0]":             strings.Replace(good, `"greeting"`, `""`, 1),
		"flags[0].minimum":                 strings.Replace(good, `"maximum":5000`, `"maximum":0`, 1),
		"flags[0].type":                    strings.Replace(good, `"type":"int"`, `"type":"list"`, 1),
		"version":                          strings.Replace(good, `"routes"`, `"version":"a\u0007","routes"`, 1),
		"description":                      strings.Replace(good, `"routes"`, `"description":"\u202eevil","routes"`, 1),
	} {
		_, err := Parse([]byte(text))
		var fe *FieldError
		if !errors.As(err, &fe) || fe.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, b := range append(Boards, "TimeSeries") {
		if _, err := Parse([]byte(strings.ReplaceAll(good, "demo", b))); err == nil || !strings.HasPrefix(err.Error(), "name:") {
			t.Errorf("a plug-in may be called %s: %v", b, err)
		}
	}
}

// Flags have their defaults and their limits.
func TestFlags(t *testing.T) {
	m, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Values(map[string]string{"demo_limit": "7", "demo-re": "xx"})
	if err != nil || v["demo_limit"] != int64(7) || v["demo_mode"] != "a" || v["demo-re"] != "xx" || v["demo_on"] != nil {
		t.Error(v, err)
	}
	for name, value := range map[string]string{"demo_limit": "0", "demo_mode": "c", "demo-re": "xy", "demo_on": "maybe"} {
		if _, err := m.Values(map[string]string{name: value}); err == nil || !strings.HasPrefix(err.Error(), "--"+name+" \""+value+"\": must ") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	m.Flags[2].Required = true
	if _, err := m.Values(nil); err == nil {
		t.Error("a required flag is not missed")
	}
}

// What is taken is whole and safe, whatever the text; and is taken again after it was written.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add(`{"manifest_version":1,"name":"a","frontend_metadata":{"es_module_path":"/index.js"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse([]byte(text))
		if err != nil {
			var fe *FieldError
			if !errors.As(err, &fe) || fe.Field == "" || fe.Why == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if !Name(m.Name) || pathWrong(m.Frontend.ESModulePath) != "" || m.Title() == "" {
			t.Fatalf("%+v", m)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(again); err != nil && len(again) <= MaxManifest {
			t.Fatalf("%s is refused the second time: %v", again, err)
		}
	})
}

// Paths stay in the folder.
func TestFilePath(t *testing.T) {
	for p, ok := range map[string]bool{"a/b.js": true, "é.js": true, "": false, "/a": false, "../a": false, "a/../b": false, "a//b": false, `a\b`: false, "a?b": false,
		"c:/x": false, "a%2fb": false, "./a": false, "a/": false, "a\x00": false} {
		if FilePath(p) != ok {
			t.Errorf("%q: %v", p, !ok)
		}
	}
}
