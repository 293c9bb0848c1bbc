package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

func tell(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// A plug-in that was begun is right; one that was spoilt is refused by field; its flags are
// flags of the command line, and a wrong value ends the program as TensorBoard does.
func TestPluginCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if code, out, errs := tell("plugin", "new", dir); code != 0 || !strings.Contains(out, "plugin serve "+dir) {
		t.Fatal(code, out, errs)
	}
	if code, out, errs := tell("plugin", "check", dir); code != 0 || out != "mine is a plug-in with 2 files, 1 route and 0 flags.\n" {
		t.Fatal(code, out, errs)
	}
	if code, _, errs := tell("plugin", "new", dir); code != exitFailed || errs == "" {
		t.Error("one that is there was written over", code)
	}
	if code, _, errs := tell("plugin", "new", filepath.Join(t.TempDir(), "scalars")); code != exitUsage || !strings.Contains(errs, "name of a dashboard") {
		t.Error(code, errs)
	}
	path := filepath.Join(dir, plugin.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flags := strings.Replace(string(text), `"routes"`, `"flags": [{"name": "mine_limit", "type": "int", "default": 5, "minimum": 1, "help": "most points"}, {"name": "mine_on", "type": "bool", "help": "show it"}], "routes"`, 1)
	if err := os.WriteFile(path, []byte(flags), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--plugin_dir", dir, "--mine_limit", "0"}, {"--plugin_dir=" + dir, "--mine-limit=0"}, {"pages", filepath.Join(t.TempDir(), "site"), "--plugin-dir", dir, "--mine_limit=0"}} {
		if code, _, errs := tell(args...); code != exitFailed || errs != "Error: --mine_limit \"0\": must be 1 or more\n" {
			t.Errorf("%v: %d %q", args, code, errs)
		}
	}
	// Its flags are in the help, under its name, where --plugin_dir is; elsewhere the help says how to see them.
	for _, args := range [][]string{{"serve", "--plugin_dir", dir, "--help"}, {"--plugin_dir=" + dir, "--help"}, {"pages", "--help", "--plugin_dir", dir}} {
		code, said, errs := tell(args...)
		_, of, ok := strings.Cut(said, "\nflags of the plug-in mine:\n")
		if code != 0 || !ok || strings.Join(strings.Fields(of), " ") != "--mine-limit INT most points (1 or more; 5 unless given) --mine-on show it" {
			t.Errorf("%v: %d %q %q", args, code, said, errs)
		}
		if args[0] == "serve" && !strings.Contains(said, "--plugin-origin URL") {
			t.Error(said)
		}
	}
	if _, said, _ := tell("serve", "--help"); strings.Contains(said, "flags of the plug-in") || !strings.Contains(said, "with --help: their flags") {
		t.Error(said)
	}
	if code, _, errs := tell("serve", "--mine_limit", "3"); code != exitUsage || !strings.Contains(errs, "unknown flag --mine_limit") {
		t.Error(code, errs)
	}
	if code, _, errs := tell("serve", "--plugin_dir", dir, "--plugin_dir", dir); code != exitUsage || !strings.Contains(errs, "two plug-ins are called mine") {
		t.Error(code, errs)
	}
	for want, args := range map[string][]string{
		"a report shows no plug-ins":             {"report", "x.html", "--logdir", dir, "--plugin_dir", dir},
		"--plugin_origin is about plug-ins":      {"serve", "--plugin_origin", "own"},
		"--plugin_port is about --plugin_origin": {"serve", "--plugin_dir", dir, "--plugin_port", "0"},
		"is no origin of plug-ins":               {"serve", "--port", "0", "--plugin_dir", dir, "--plugin_origin", "https://plugins.example.org"},
	} {
		if code, _, errs := tell(args...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %q", args, code, errs)
		}
	}
	if _, err := pageArgs([]string{"--plugin_dir", dir}); err == nil || !strings.Contains(err.Error(), "viewers of a hub serve no plug-ins") {
		t.Error(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(`"module"`), []byte(`"python"`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := tell("plugin", "check", dir); code != exitFailed || !strings.Contains(errs, "backend.type: must be") {
		t.Error(code, errs)
	}
}

// The pages of a wheel become a plug-in, with what its Python says of itself.
func TestPluginImport(t *testing.T) {
	wheel := filepath.Join(t.TempDir(), "x.whl")
	pack := func(files ...string) {
		t.Helper()
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			w, _ := z.Create(files[i])
			w.Write([]byte(files[i+1]))
		}
		z.Close()
		if err := os.WriteFile(wheel, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const points = "[console_scripts]\nx = y:z\n\n[tensorboard_plugins]\nentry = mypkg.plugin:Mine\n"
	pack("mypkg-1.dist-info/entry_points.txt", points, "mypkg/plugin.py", "class Mine:\n    plugin_name = \"my_plugin\"\n    def f(self):\n        return base_plugin.FrontendMetadata(es_module_path=\"/index.js\", tab_name=\"Mine!\", disable_reload=True)\n",
		"mypkg/static/index.js", "js", "mypkg/static/sub/a.html", "<p>")
	out := t.TempDir()
	if code, said, errs := tell("plugin", "import", wheel, "--out", out); code != 0 || !strings.Contains(said, "Python, which does not run here") {
		t.Fatal(code, said, errs)
	}
	dir := filepath.Join(out, "my_plugin")
	text, err := os.ReadFile(filepath.Join(dir, plugin.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := plugin.Parse(text)
	if err != nil || m.Frontend != (plugin.Frontend{ESModulePath: "/index.js", TabName: "Mine!", DisableReload: true}) {
		t.Errorf("%+v %v", m, err)
	}
	if code, _, errs := tell("plugin", "check", dir); code != 0 {
		t.Error(errs)
	}
	pack("mypkg-1.dist-info/entry_points.txt", points, "mypkg/static/index.js", "js", "mypkg/static/../../../evil.js", "js")
	if code, _, errs := tell("plugin", "import", wheel, "--out", t.TempDir()); code != exitFailed || !strings.Contains(errs, "outside its folder") {
		t.Error(code, errs)
	}
	pack("mypkg-1.dist-info/entry_points.txt", "[console_scripts]\nx = y:z\n")
	if code, _, errs := tell("plugin", "import", wheel); code != exitFailed || !strings.Contains(errs, "declares no tensorboard_plugins") {
		t.Error(code, errs)
	}
}

// A site has the plug-ins, with the shim and a policy in their documents; the next one without
// them has none.
func TestPagesPlugins(t *testing.T) {
	dir, site := filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "site")
	if code, _, errs := tell("plugin", "new", dir); code != 0 {
		t.Fatal(errs)
	}
	built := smallSite()
	f := pagesFlags{noDemo: true, plugins: pluginFlags{dirs: []string{dir}}}
	var out, errs bytes.Buffer
	if code := pages(t.Context(), site, f, built, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(site, name))
		return string(text)
	}
	var l plugin.Listing
	if err := json.Unmarshal([]byte(read(plugin.IndexPath)), &l); err != nil || len(l.Plugins) != 1 {
		t.Error(l, err)
	}
	entry := read("plugins/mine/" + plugin.Entry)
	if !strings.Contains(entry, "Content-Security-Policy") || !strings.Contains(entry, "tbPlugin.start") || !strings.Contains(read("index.html"), ` data-plugins="plugins/index.json"`) {
		t.Error(entry)
	}
	f.plugins.dirs = nil
	if code := pages(t.Context(), site, f, built, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	if read(plugin.IndexPath) != "" || strings.Contains(read("index.html"), "data-plugins") {
		t.Error("the plug-ins stayed")
	}
}
