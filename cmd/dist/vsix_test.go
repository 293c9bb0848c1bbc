package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"
)

func TestEditorVersion(t *testing.T) {
	for describe, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-4-gabc123-dirty": "1.2.3", "v0.1-5-gabc123": "0.1.5", "v0.1": "0.1.0", "abc123": "0.0.0", "v1": "0.0.0", "v1.2.3.4": "0.0.0",
	} {
		if got := editorVersion(describe); got != want {
			t.Errorf("%s: %s, want %s", describe, got, want)
		}
	}
}

// The extension has its manifest, its script and the program, which can be run; the marketplace's manifest
// says the same of it as its own.
func TestVSIX(t *testing.T) {
	source := os.DirFS("../../vscode")
	for target, platform := range editors {
		name, data, err := vsix("v0.3-7-gabc123", target, []byte("program"), []byte("license"), source)
		if err != nil {
			t.Fatal(err)
		}
		if name != "tensorbored-static-0.3.7-"+platform+".vsix" {
			t.Errorf("name %s", name)
		}
		if _, again, _ := vsix("v0.3-7-gabc123", target, []byte("program"), []byte("license"), source); !bytes.Equal(again, data) {
			t.Error("two extensions differ")
		}
		program := "extension/bin/tensorbored-static"
		if strings.HasPrefix(platform, "win32") {
			program += ".exe"
		}
		files := unpacked(t, data, program)
		if files[program] != "program" || files["extension/LICENSE.txt"] != "license" || len(files) != 7 {
			t.Errorf("%s: %d files, the program is %q", platform, len(files), files[program])
		}
		var about struct{ Name, Version, Publisher, Main string }
		if err := json.Unmarshal([]byte(files["extension/package.json"]), &about); err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Metadata struct {
				Identity struct {
					ID             string `xml:"Id,attr"`
					Version        string `xml:",attr"`
					Publisher      string `xml:",attr"`
					TargetPlatform string `xml:",attr"`
				}
			}
			Assets struct {
				Asset []struct {
					Path string `xml:",attr"`
				}
			}
		}
		if err := xml.Unmarshal([]byte(files["extension.vsixmanifest"]), &manifest); err != nil {
			t.Fatal(err)
		}
		if id := manifest.Metadata.Identity; id.ID != about.Name || id.Version != about.Version || id.Publisher != about.Publisher || id.TargetPlatform != platform || about.Version != "0.3.7" {
			t.Errorf("the manifest has %+v, the extension %+v", id, about)
		}
		for _, a := range manifest.Assets.Asset {
			if files[a.Path] == "" {
				t.Errorf("there is no %s", a.Path)
			}
		}
		if files["extension/"+strings.TrimPrefix(about.Main, "./")] == "" {
			t.Errorf("there is no %s", about.Main)
		}
		if err := xml.Unmarshal([]byte(files["[Content_Types].xml"]), new(struct{})); err != nil {
			t.Error(err)
		}
	}
}
