// Package shared_test holds the rules on who may import whom, each with its
// reason. The rooms and the direction of their imports are in
// docs/ARCHITECTURE.md.
package shared_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/tensorbored/tensorbored-static/"

// platform is what packages are built for.
type platform struct{ os, arch string }

var (
	browser = platform{"js", "wasm"}
	native  = platform{"linux", "amd64"}
)

// rule forbids imports. Paths of our own packages are relative to the module;
// "/..." behind one stands for those below it too.
type rule struct {
	who    string
	except []string // packages of who that the rule is not for
	on     []platform
	never  []string
	// direct forbids only what the packages import themselves. Otherwise nothing
	// that they reach through others, the standard library's own imports
	// included, may be one of never.
	direct bool
	why    string
}

var both = []platform{browser, native}

var rules = []rule{
	{
		who: "shared/...", except: []string{"shared/tbplugin"}, on: both, direct: true,
		never: []string{"syscall/js"},
		why:   "shared runs natively too: in tests, in the dump command, in the server; what authors of plug-ins build for the browser is no part of it",
	},
	{
		who: "shared/...", on: both,
		never: []string{"net/http"},
		why:   "it costs 1.4 MB of download; bytes come through shared/source, whoever fetches them",
	},
	{
		who: "shared/...", on: both,
		never: []string{"wasm/...", "server/...", "static/...", "cmd/..."},
		why:   "shared is the ground that the other rooms stand on",
	},
	{
		who: "shared/...", except: []string{"shared/summary/...", "shared/demo", "shared/tbplugin/..."}, on: both, direct: true,
		never: []string{"os"},
		why:   "the viewer has no files, only sources; what writes logs for users and tests has",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"shared/tbplugin/..."},
		why:   "it is for back ends of plug-ins, which are programs of their own",
	},
	{
		who: "cmd/...", on: []platform{native},
		never: []string{"github.com/tetratelabs/wazero/..."},
		why:   "the runtime is for tests of plug-ins; in the program it would be 5 MB",
	},
	{
		who: "cmd/...", on: []platform{native},
		never: []string{"gocloud.dev/...", "cloud.google.com/...", "github.com/aws/...", "github.com/Azure/..."},
		why:   "object stores are 8 to 37 MB of the program, and come in by build tags alone",
	},
	{
		who: "server/...", except: []string{"server/objects/..."}, on: []platform{native},
		never: []string{"gocloud.dev/...", "cloud.google.com/...", "github.com/aws/...", "github.com/Azure/..."},
		why:   "what serves a logdir knows no cloud, only an Origin",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"net/http"},
		why:   "it costs 1.4 MB of download; call fetch",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"net/url"},
		why:   "it brings network addresses along, 15 KB of download; see shared/internal/query",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"google.golang.org/protobuf/proto"},
		why:   "generated messages cost 0.6 MB of download and read ten times slower than protowire",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"github.com/spf13/..."},
		why:   "the command line is the native program's",
	},
	{
		who: "wasm/...", on: []platform{browser},
		never: []string{"shared/summary/...", "shared/demo", "server/...", "static/...", "cmd/..."},
		why:   "the page reads and shows; writing and serving belong to the commands",
	},
	{
		who: "server/...", on: []platform{native},
		never: []string{"wasm/...", "shared/catalog", "shared/event", "shared/series"},
		why:   "the server hands out bytes; whatever it understood of them would be a second reader to keep right",
	},
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

// list runs `go list -deps` over all packages for a platform.
func list(t *testing.T, p platform) map[string]listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	all := map[string]listed{}
	for d := json.NewDecoder(out); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[l.ImportPath] = l
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return all
}

// ours turns a path in a rule into an import path.
func ours(path string) string {
	for _, room := range []string{"shared", "wasm", "server", "static", "cmd"} {
		if strings.HasPrefix(path, room+"/") {
			return module + path
		}
	}
	return path
}

// matches reports whether an import path is named by a path of a rule.
func matches(rule, path string) bool {
	rule = ours(rule)
	if below, ok := strings.CutSuffix(rule, "/..."); ok {
		return path == below || strings.HasPrefix(path, below+"/")
	}
	return path == rule
}

func matchesAny(rules []string, path string) bool {
	for _, r := range rules {
		if matches(r, path) {
			return true
		}
	}
	return false
}

func TestImports(t *testing.T) {
	touchSources(t)
	all := map[platform]map[string]listed{browser: list(t, browser), native: list(t, native)}
	for _, r := range rules {
		checked := 0
		for _, p := range r.on {
			for path, l := range all[p] {
				if !matches(r.who, path) || matchesAny(r.except, path) {
					continue
				}
				checked++
				reached := l.Deps
				if r.direct {
					reached = l.Imports
				}
				for _, dep := range reached {
					if matchesAny(r.never, dep) {
						t.Errorf("%s must not reach %s (%s/%s): %s\n%s", path, dep, p.os, p.arch, r.why, way(all[p], path, dep))
					}
				}
			}
		}
		if checked == 0 {
			t.Errorf("no package is %s: correct the rule %q", r.who, r.why)
		}
	}
}

// Every name in the rules is a package; a rule about one that was renamed would
// hold for ever.
func TestRulesNamePackages(t *testing.T) {
	touchSources(t)
	known := map[string]bool{}
	for _, p := range both {
		for path := range list(t, p) {
			known[path] = true
		}
	}
	// Forbidden packages that nothing uses are not among the dependencies.
	for _, path := range []string{"syscall/js", "net/http", "google.golang.org/protobuf/proto"} {
		if out, err := exec.Command("go", "list", "-e", "-f", "{{if .Error}}{{.Error}}{{end}}", path).Output(); err == nil &&
			(len(strings.TrimSpace(string(out))) == 0 || path == "syscall/js") {
			known[path] = true
		}
	}
	for _, r := range rules {
		for _, name := range append(append([]string{r.who}, r.except...), r.never...) {
			found := false
			for path := range known {
				found = found || matches(name, path)
			}
			if !found {
				t.Errorf("%s is no package: correct the rule %q", name, r.why)
			}
		}
	}
}

// way is a chain of imports from one package to another.
func way(all map[string]listed, from, to string) string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range all[queue[0]].Imports {
			if _, seen := before[next]; seen {
				continue
			}
			before[next] = queue[0]
			if next != to {
				queue = append(queue, next)
				continue
			}
			text := to
			for p := queue[0]; p != ""; p = before[p] {
				text = p + " → " + text
			}
			return text
		}
	}
	return ""
}

// touchSources looks at every source file, so that the test's cached result is
// dropped when one changes: what `go list` reads does not count for that.
func touchSources(t *testing.T) {
	t.Helper()
	for _, room := range []string{"shared", "wasm", "server", "static", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", room), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".go") {
				_, err = os.Stat(p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
