package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
)

func newPlugin() *cobra.Command {
	c := &cobra.Command{Use: "plugin COMMAND", Short: "begin, check, serve a plug-in, or import a Python one's pages"}
	one := func(what string) cobra.PositionalArgs {
		return func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("give %s: %s", what, c.UseLine())
			}
			return nil
		}
	}
	begin := &cobra.Command{Use: "new DIR", Short: "write the beginning of a plug-in to a new directory", Args: one("one directory")}
	begin.RunE = action(func(args []string, stdout, stderr io.Writer) int { return pluginNew(args[0], stdout, stderr) })

	check := &cobra.Command{Use: "check DIR", Short: "say what is wrong with a plug-in", Args: one("the plug-in's directory")}
	check.RunE = action(func(args []string, stdout, stderr io.Writer) int { return pluginCheck(args[0], stdout, stderr) })

	var out string
	importing := &cobra.Command{Use: "import WHEEL", Short: "make plug-ins of the pages in a Python wheel", Args: one("one wheel (.whl)")}
	importing.Flags().StringVar(&out, "out", ".", "`DIR`: where a directory of the plug-in's name is made")
	importing.RunE = action(func(args []string, stdout, stderr io.Writer) int { return pluginImport(args[0], out, stdout, stderr) })

	f := serveFlags{port: portFlag{port: defaultPort}}
	serving := &cobra.Command{Use: "serve DIR", Short: "show a plug-in, anew whenever a file of it changes", Args: one("the plug-in's directory")}
	serving.Flags().StringArrayVar(&f.logdirs, "logdir", nil, "`DIR`: the runs")
	serving.Flags().Var(&f.port, "port", "`N`: without it 6006, or the next free; 0 takes any")
	serving.Flags().BoolVar(&f.open, "open", false, "open the page in a browser")
	serving.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		f.plugins.dirs, f.plugins.live = []string{args[0]}, true
		if code := pluginCheck(args[0], io.Discard, stderr); code != 0 {
			return code
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return serve(ctx, f, stdout, stderr)
	})
	c.AddCommand(begin, check, importing, serving)
	return c
}

// pluginCheck says what is wrong with the plug-in in dir; the exit code is 1 if anything is.
func pluginCheck(dir string, stdout, stderr io.Writer) int {
	dir = expandHome(dir)
	if _, err := os.Stat(filepath.Join(dir, plugin.FileName)); err != nil {
		return fail(stderr, exitFailed, fmt.Errorf("%s has no %s: give a plug-in's directory, or begin one with tensorbored-static plugin new", dir, plugin.FileName))
	}
	s, err := plugins.Open([]string{dir})
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	defer s.Close()
	for _, p := range s.Problems {
		fmt.Fprintln(stderr, "tensorbored-static:", p)
	}
	if len(s.Problems) > 0 {
		return exitFailed
	}
	p := s.Plugins[0]
	files, err := p.Files()
	if err != nil {
		return fail(stderr, exitFailed, err)
	}
	fmt.Fprintf(stdout, "%s is a plug-in with %s, %s and %s.\n", p.Name, counted(len(files), "file"), counted(len(p.Routes), "route"), counted(len(p.Flags), "flag"))
	return 0
}

// templates of a new plug-in; NAME stands for its name.
var templates = map[string]string{
	plugin.FileName: `{
  "manifest_version": 1,
  "name": "NAME",
  "version": "0.1.0",
  "frontend_metadata": {"es_module_path": "/index.js", "tab_name": "NAME"},
  "data_plugin_names": ["scalars"],
  "routes": ["/last"],
  "backend": {"type": "module", "path": "/backend.js"}
}
`,
	"index.js": `// The front end: render is called once. Requests below ./ are answered by the back end.
export async function render() {
  const table = document.createElement("table");
  document.body.append(table);
  const draw = async () => {
    const last = await (await fetch("./last")).json();
    table.replaceChildren();
    for (const [run, tags] of Object.entries(last)) {
      for (const [tag, value] of Object.entries(tags)) {
        const row = table.insertRow();
        for (const text of [run, tag, String(value)]) row.insertCell().textContent = text;
      }
    }
  };
  tensorbored.on("reloaded", draw);
  await draw();
}
`,
	"backend.js": `// The back end: answers the routes of plugin.json. data is the data API, with TensorBoard's
// names: docs/PLUGINS.md.
export async function request({path}, data) {
  const all = await data.read_last_scalars({plugin_name: "scalars"});
  const last = {};
  for (const [run, tags] of Object.entries(all)) {
    last[run] = Object.fromEntries(Object.entries(tags).map(([tag, p]) => [tag, p.value]));
  }
  return {status: 200, headers: {"content-type": "application/json"}, body: new TextEncoder().encode(JSON.stringify(last)).buffer};
}
`,
}

func pluginNew(dir string, stdout, stderr io.Writer) int {
	dir = expandHome(dir)
	name := filepath.Base(dir)
	m := plugin.Manifest{ManifestVersion: 1, Name: name, Frontend: plugin.Frontend{ESModulePath: "/index.js"}}
	if err := m.Check(); err != nil {
		return fail(stderr, exitUsage, fmt.Errorf("the directory's name becomes the plug-in's: %w", err))
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fail(stderr, exitFailed, err)
	}
	for file, text := range templates {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(text, "NAME", name)), 0o666); err != nil {
			return fail(stderr, exitFailed, err)
		}
	}
	fmt.Fprintf(stdout, "%s is a plug-in now. To see it while you write: tensorbored-static plugin serve %s --logdir DIR\n", dir, dir)
	return 0
}

// pluginImport makes plug-ins of the static files in a wheel. What answers their routes is
// Python and stays behind.
func pluginImport(wheel, out string, stdout, stderr io.Writer) int {
	z, err := zip.OpenReader(expandHome(wheel))
	if err != nil {
		return fail(stderr, exitFailed, fmt.Errorf("%s is no wheel: %w", wheel, err))
	}
	defer z.Close()
	names, err := entryPoints(&z.Reader)
	if err != nil {
		return fail(stderr, exitFailed, fmt.Errorf("%s: %w", wheel, err))
	}
	for _, e := range names {
		dir, n, err := importOne(&z.Reader, e, expandHome(out))
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		fmt.Fprintf(stdout, "%s has the pages of %s (%s). Its routes are answered by Python, which does not run here: name them in %s with a back end of your own (docs/PLUGINS.md).\n",
			dir, e.name, counted(n, "file"), plugin.FileName)
	}
	return 0
}

// entryPoint is a TensorBoard plug-in that a wheel declares.
type entryPoint struct{ name, module string }

var section = regexp.MustCompile(`(?m)^\[([^\]]+)\]\s*$`)

func entryPoints(z *zip.Reader) ([]entryPoint, error) {
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".dist-info/entry_points.txt") {
			continue
		}
		text, err := readZip(f, 1<<20)
		if err != nil {
			return nil, err
		}
		var out []entryPoint
		inside := false
		for line := range strings.SplitSeq(string(text), "\n") {
			if m := section.FindStringSubmatch(line); m != nil {
				inside = m[1] == "tensorboard_plugins"
			} else if name, what, ok := strings.Cut(line, "="); ok && inside {
				module, _, _ := strings.Cut(strings.TrimSpace(what), ":")
				out = append(out, entryPoint{strings.TrimSpace(name), module})
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, errors.New("it declares no tensorboard_plugins: it is not a plug-in of TensorBoard")
}

func readZip(f *zip.File, most int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s is longer than %d bytes", f.Name, most)
	}
	return b, err
}

// Words of a plug-in's Python that say how it is called, by the usual ways of writing.
var (
	pluginName  = regexp.MustCompile(`(?m)^\s*(?:plugin_name|PLUGIN_NAME|_PLUGIN_NAME)\s*=\s*["']([A-Za-z0-9_-]+)["']`)
	modulePath  = regexp.MustCompile(`es_module_path\s*=\s*["'](/[^"']+)["']`)
	tabName     = regexp.MustCompile(`tab_name\s*=\s*["']([^"']+)["']`)
	noReload    = regexp.MustCompile(`disable_reload\s*=\s*True`)
	removeDOM   = regexp.MustCompile(`remove_dom\s*=\s*True`)
	wheelStatic = "static"
)

// importOne writes a plug-in of the files below the module's folder "static", under the paths
// by which its module asks for them.
func importOne(z *zip.Reader, e entryPoint, out string) (dir string, n int, err error) {
	top, _, _ := strings.Cut(e.module, ".")
	m := plugin.Manifest{ManifestVersion: plugin.Version, Name: e.name, Frontend: plugin.Frontend{ESModulePath: "/index.js"}}
	var files []*zip.File
	var sum uint64
	prefix := ""
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, top+"/") || strings.HasSuffix(f.Name, "/") {
			continue
		}
		if strings.HasSuffix(f.Name, ".py") && path.Dir(f.Name) == top {
			text, err := readZip(f, 4<<20)
			if err != nil {
				return "", 0, err
			}
			set := func(to *string, re *regexp.Regexp) {
				if g := re.FindSubmatch(text); g != nil {
					*to = string(g[1])
				}
			}
			set(&m.Name, pluginName)
			set(&m.Frontend.ESModulePath, modulePath)
			set(&m.Frontend.TabName, tabName)
			m.Frontend.DisableReload = m.Frontend.DisableReload || noReload.Match(text)
			m.Frontend.RemoveDOM = m.Frontend.RemoveDOM || removeDOM.Match(text)
			continue
		}
		i := strings.Index(f.Name, "/"+wheelStatic+"/")
		if i < 0 {
			continue
		}
		if sum += f.UncompressedSize64; sum > plugin.MaxBytes || len(files) >= plugin.MaxFiles {
			return "", 0, fmt.Errorf("%s has more than %d MB or %d files: a plug-in may have so much", e.name, plugin.MaxBytes>>20, plugin.MaxFiles)
		}
		prefix = f.Name[:i+len("/"+wheelStatic+"/")]
		files = append(files, f)
	}
	if len(files) == 0 {
		return "", 0, fmt.Errorf("%s has no pages of its own (no folder %s/%s)", e.name, top, wheelStatic)
	}
	// The module says whether its files are asked for below /static/.
	under := ""
	if strings.HasPrefix(m.Frontend.ESModulePath, "/"+wheelStatic+"/") {
		under = wheelStatic
	}
	if !slices.ContainsFunc(files, func(f *zip.File) bool { return path.Join("/", under, f.Name[len(prefix):]) == m.Frontend.ESModulePath }) {
		return "", 0, fmt.Errorf("%s has no %s among its pages: its front end is made by its Python code", e.name, m.Frontend.ESModulePath)
	}
	if err := m.Check(); err != nil {
		return "", 0, err
	}
	dir = filepath.Join(out, m.Name)
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", 0, err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", 0, err
	}
	defer root.Close()
	left := int64(plugin.MaxBytes)
	for _, f := range files {
		name := path.Join(under, f.Name[len(prefix):])
		if !plugin.FilePath(name) {
			return "", 0, fmt.Errorf("a file in the wheel has the name %q, which would lie outside its folder", f.Name)
		}
		data, err := readZip(f, left)
		if err != nil {
			return "", 0, err
		}
		left -= int64(len(data))
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return "", 0, err
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			return "", 0, err
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return "", 0, err
	}
	return dir, len(files), root.WriteFile(plugin.FileName, text.Bytes(), 0o666)
}
