//go:build !js

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// kernel stands for a notebook's: Python with our package, and what of IPython that asks for. It says
// what its outputs are, a line for each.
const kernel = `
import json, sys, types
def display(data, raw):
    print(json.dumps(data), flush=True)
shown = types.ModuleType("IPython.display")
shown.display = display
ipython = types.ModuleType("IPython")
ipython.display = shown
sys.modules.update({"IPython": ipython, "IPython.display": shown})
sys.stdout, ours = sys.stderr, sys.stdout
print = lambda *args, **more: ours.write(args[0] + "\n") or ours.flush()
from tensorbored_static import notebook
for line in sys.stdin:
    exec(line)
`

// spoken is a program that does what the lines of its input say, and says a line of JSON for what comes of it.
type spoken struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Reader
}

// speak starts a program with variables of its own beside ours.
func speak(t *testing.T, environment []string, name string, args ...string) *spoken {
	t.Helper()
	s := &spoken{t: t, cmd: exec.Command(name, args...)}
	s.cmd.Env = append(os.Environ(), environment...)
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.out = in, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})
	return s
}

// say has it do something.
func (s *spoken) say(statement string) { fmt.Fprintln(s.in, statement) }

// hear takes what it says next.
func (s *spoken) hear(into any) {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), into)
	}
	if err != nil {
		s.t.Fatal(err, line)
	}
}

type running struct{ *spoken }

func startKernel(t *testing.T) running {
	t.Helper()
	return running{speak(t, []string{"PYTHONPATH=" + filepath.Join(sources(t), "python"), "PYTHONDONTWRITEBYTECODE=1",
		"TENSORBOARD_PROXY_URL=", "TENSORBORED_STATIC_BINARY=" + browsertest.Binary(t)}, "python3", "-c", kernel)}
}

// sources is the root of the source tree.
func sources(t *testing.T) string {
	t.Helper()
	root, err := browsertest.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// run runs a statement and returns its output.
func (k running) run(statement string) string {
	k.t.Helper()
	k.say(statement)
	var data map[string]string
	k.hear(&data)
	return data["text/html"]
}

// notebook is a host that shows an output, and hands on what stands below /hub/proxy/PORT/ as Jupyter's
// proxy does, if it has one.
func notebook(t *testing.T, output string, proxy bool) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	proxied := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, "/hub/proxy/")
		port, path, _ := strings.Cut(rest, "/")
		switch {
		case r.URL.Path == "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		case ok && proxy:
			proxied.Add(1)
			(&httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(p *httputil.ProxyRequest) {
				p.Out.URL = &url.URL{Scheme: "http", Host: "127.0.0.1:" + port, Path: "/" + path, RawQuery: r.URL.RawQuery}
				p.Out.Host = "hub.example.org"
				if origin := r.Header.Get("Origin"); origin != "" {
					p.Out.Header.Set("Origin", "http://hub.example.org")
				}
			}}).ServeHTTP(w, r)
		case ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><title>Notebook</title><body data-jp-theme-light="%t"><script id="jupyter-config-data" type="application/json">{"baseUrl": "/hub/"}</script>%s`,
				r.URL.Path != "/dark", output)
		}
	}))
	t.Cleanup(s.Close)
	return s, proxied
}

// tells has a viewer in a frame tell the page around it what it shows.
const tells = `if (self === top) addEventListener("message", (m) => { if (m.data?.viewer) globalThis.viewer = m.data.viewer; });
	else setInterval(() => { if (globalThis.tensorbored) top.postMessage({ viewer: { ...tensorbored.status(), at: location.href, dark: matchMedia("(prefers-color-scheme: dark)").matches } }, "*"); }, 50);`

const allRead = `globalThis.viewer?.phase === "exact" && viewer.points === 600`

// A cell of a notebook shows the viewer: at its port where the notebook is of this machine, by the
// notebook's own proxy elsewhere, and else it says what to do, and shows it when that is done. It ends
// with the kernel.
func TestNotebook(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a/train", map[string][]point{"loss": curve(1, 0, 300), "acc": curve(2, 0, 300)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			k := startKernel(t)
			port := freePort(t)
			output := k.run(fmt.Sprintf("notebook.start('--logdir %s --port %d --height 500')", l.dir, port))
			v := startWith(t, kind, browsertest.Settings{})
			for _, text := range []string{"Failed to load resource", "404", "Cross-Origin Request Blocked", "net::ERR"} {
				v.Allow(text)
			}
			v.Before(tells)
			v.Before(`if (location.pathname === "/cut") {
				const ask = fetch;
				globalThis.fetch = (...more) => (globalThis.reached ? ask(...more) : Promise.reject(new TypeError("cut")));
			}`)

			near, _ := notebook(t, output, true)
			v.Open(near.URL)
			v.Wait(allRead)
			var at, link string
			v.Eval(`viewer.at`, &at)
			v.Eval(`document.querySelector("a").href`, &link)
			if !strings.HasPrefix(at, fmt.Sprintf("http://127.0.0.1:%d/", port)) || !strings.HasPrefix(at, link) || len(link) < 50 {
				t.Errorf("shown is %s, with a link to %s", at, link)
			}
			var high float64
			if v.Eval(`document.querySelector("iframe").getBoundingClientRect().height`, &high); high != 500 {
				t.Errorf("it is %v pixels high", high)
			}

			// The notebook's theme is the viewer's, whatever the browser prefers.
			v.Wait(`viewer.dark === false`)
			v.Open(near.URL + "/dark")
			v.Wait(allRead + ` && viewer.dark === true`)

			hub, proxied := notebook(t, output, true)
			v.Open(strings.Replace(hub.URL, "127.0.0.1", "nb.localhost", 1))
			v.Wait(allRead)
			if v.Eval(`viewer.at`, &at); !strings.Contains(at, fmt.Sprintf("nb.localhost:%s/hub/proxy/%d/", hub.URL[strings.LastIndexByte(hub.URL, ':')+1:], port)) || proxied.Load() == 0 {
				t.Errorf("shown is %s", at)
			}

			v.Open(near.URL + "/cut")
			v.Wait(`document.body.innerText.includes("does not reach it")`)
			v.Wait(fmt.Sprintf(`document.body.innerText.includes(%q) && document.body.innerText.includes("pip install jupyter-server-proxy")`,
				fmt.Sprintf("ssh -N -L %d:127.0.0.1:%d ", port, port)))
			var says string
			if v.Eval(`document.body.innerText`, &says); !strings.Contains(says, "%tensorbored_report --logdir "+l.dir) {
				t.Errorf("it says %s", says)
			}
			v.Eval(`void (globalThis.reached = true, document.querySelector("button").click())`, nil)
			v.Wait(allRead)

			// With the kernel the viewer ends, however that does.
			if err := k.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			untilGone(t, fmt.Sprintf("127.0.0.1:%d", port), "the viewer goes on without its kernel")
		})
	}
}

// A report in a cell needs no kernel: it is in the notebook, and in the page that is made of a notebook
// and opened from disk. Its view, and what the browser keeps of it, is of its own frame.
func TestNotebookReport(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a/<b>", map[string][]point{"loss": curve(1, 0, 300), "acc": curve(2, 0, 300), "</script>": curve(3, 0, 7)})
	k := startKernel(t)
	output := k.run(fmt.Sprintf("notebook.report('--logdir %s --tag loss --tag \"</*\" --height 450')", l.dir))
	file := filepath.Join(t.TempDir(), "notebook.html")
	if err := os.WriteFile(file, []byte("<!doctype html><title>Notebook</title>"+output), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := startWith(t, kind, browsertest.Settings{})
			v.Before(tells)
			s, _ := notebook(t, output, false)
			v.Open(s.URL + "/a?b#c")
			v.Wait(`globalThis.viewer?.phase === "exact" && viewer.points === 307`)
			v.Eval(`void (globalThis.framed = document.querySelector("iframe").contentWindow)`, nil)
			v.Wait(`framed.document.querySelectorAll(".card canvas").length > 0`)
			v.Eval(`[...framed.document.querySelectorAll("[role=tab], nav a, nav button")].find((e) => e.textContent === "Hyperparameters").click()`, nil)
			v.Wait(`framed.location.hash.startsWith("#hparams") && /^blob:/.test(framed.location.href)`)
			var at string
			if v.Eval(`location.href`, &at); at != s.URL+"/a?b#c" {
				t.Errorf("the notebook is at %s", at)
			}
			// There a frame is another origin's, and in Chromium another process's, so it is looked at: before
			// it shows something all of it is grey.
			v.Open("file://" + filepath.ToSlash(file))
			var part browsertest.Box
			v.Eval(`(({ x, y, width, height }) => ({ X: x, Y: y, Width: width, Height: height }))(document.querySelector("iframe").getBoundingClientRect())`, &part)
			for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
				coloured := 0
				for pixels := v.PictureOf(part).Pix; len(pixels) > 0; pixels = pixels[4:] {
					if max(pixels[0], pixels[1], pixels[2])-min(pixels[0], pixels[1], pixels[2]) > 80 {
						coloured++
					}
				}
				if coloured > 1000 {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("%d pixels have a colour", coloured)
				}
			}
		})
	}
}

// untilGone waits until nobody listens at an address.
func untilGone(t *testing.T, address, why string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		c.Close()
		if time.Now().After(end) {
			t.Fatal(why)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
