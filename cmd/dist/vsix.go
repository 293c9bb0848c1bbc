package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"strings"
)

// A VSIX is a zip of the Open Packaging Conventions (ECMA-376, part 2): a list of content types, a
// manifest for the marketplace, and the extension below extension/. It has the program for one
// platform, so that the editor needs nothing else.

// editors are the names of platforms in a VSIX, by GOOS/GOARCH.
var editors = map[string]string{
	"linux/amd64": "linux-x64", "linux/arm64": "linux-arm64", "darwin/amd64": "darwin-x64", "darwin/arm64": "darwin-arm64",
	"windows/amd64": "win32-x64", "windows/arm64": "win32-arm64",
}

const (
	contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".exe" ContentType="application/octet-stream"/><Override PartName="/extension/bin/tensorbored-static" ContentType="application/octet-stream"/></Types>
`
	vsixManifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
	<Metadata>
		<Identity Language="en-US" Id="%s" Version="%s" Publisher="%s" TargetPlatform="%s"/>
		<DisplayName>%s</DisplayName>
		<Description xml:space="preserve">%s</Description>
		<Categories>%s</Categories>
		<Properties>
			<Property Id="Microsoft.VisualStudio.Code.Engine" Value="%s"/>
			<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
		</Properties>
		<License>extension/LICENSE.txt</License>
	</Metadata>
	<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
	<Dependencies/>
	<Assets>
		<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
		<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
		<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
	</Assets>
</PackageManifest>
`
)

// editorVersion makes the three numbers that editors understand of what `git describe --tags --always
// --dirty` says: the tag's, and, where it has two, the commits since; 0.0.0 without a tag of two or three.
func editorVersion(describe string) string {
	m := described.FindStringSubmatch(describe)
	if m == nil {
		return "0.0.0"
	}
	switch strings.Count(m[1], ".") {
	case 1:
		return m[1] + "." + cmp.Or(m[2], "0")
	case 2:
		return m[1]
	}
	return "0.0.0"
}

// vsix returns the file's name and its bytes, the same ones for the same input, of an extension for a
// platform of editors. extension has the files below vscode/. The error is about one of them.
func vsix(version, target string, program, license []byte, extension fs.FS) (string, []byte, error) {
	text, err := fs.ReadFile(extension, "package.json")
	if err != nil {
		return "", nil, err
	}
	var about struct {
		Name, DisplayName, Description, Publisher string
		Categories                                []string
		Engines                                   struct{ VSCode string }
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return "", nil, fmt.Errorf("vscode/package.json: %w", err)
	}
	const unset = `"version": "0.0.0"`
	if bytes.Count(text, []byte(unset)) != 1 {
		return "", nil, fmt.Errorf("vscode/package.json: no %s", unset)
	}
	version = editorVersion(version)
	text = bytes.Replace(text, []byte(unset), fmt.Appendf(nil, `"version": %q`, version), 1)
	escaped := func(s string) string {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
		return b.String()
	}
	platform := editors[target]
	manifest := fmt.Sprintf(vsixManifest, escaped(about.Name), version, escaped(about.Publisher), platform, escaped(about.DisplayName),
		escaped(about.Description), escaped(strings.Join(about.Categories, ",")), escaped(about.Engines.VSCode))
	script, err := fs.ReadFile(extension, "extension.js")
	if err != nil {
		return "", nil, err
	}
	readme, err := fs.ReadFile(extension, "README.md")
	if err != nil {
		return "", nil, err
	}
	name := "tensorbored-static"
	if strings.HasPrefix(target, "windows/") {
		name += ".exe"
	}
	data, err := archive([]entry{
		{"[Content_Types].xml", 0o644, []byte(contentTypes)},
		{"extension.vsixmanifest", 0o644, []byte(manifest)},
		{"extension/package.json", 0o644, text},
		{"extension/extension.js", 0o644, script},
		{"extension/README.md", 0o644, readme},
		{"extension/LICENSE.txt", 0o644, license},
		{"extension/bin/" + name, 0o755, program},
	})
	return fmt.Sprintf("tensorbored-static-%s-%s.vsix", version, platform), data, err
}
