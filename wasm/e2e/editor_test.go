//go:build !js

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// editor stands for Visual Studio Code: it loads our extension, does what the lines of its input say, and
// says a line for each document that a tab gets.
const editor = `
const { Module } = require("node:module"), lines = require("node:readline");
const processes = require("node:child_process"), spawn = processes.spawn, children = [];
processes.spawn = (...more) => {
  children.push(spawn(...more));
  return children.at(-1);
};
const commands = {}, tabs = [];
let custom, serializer, settings = { program: process.env.PROGRAM, flags: [] };
class Tab {
  constructor(title) {
    this.title = title;
    this.gone = [];
    this.told = [];
    const tab = this;
    this.webview = { onDidReceiveMessage: (f) => tab.told.push(f), set html(text) { console.log(JSON.stringify({ tab: tabs.indexOf(tab), title: tab.title, html: text })); } };
    this.onDidDispose = (f) => this.gone.push(f);
    tabs.push(this);
  }
  reveal() { console.log(JSON.stringify({ tab: tabs.indexOf(this), title: "revealed" })); }
  dispose() { for (const f of this.gone) f(); }
}
const vscode = {
  workspace: { getConfiguration: () => ({ get: (k, other) => settings[k] ?? other }), workspaceFolders: undefined },
  env: { asExternalUri: async (uri) => ({ toString: () => uri.replace("localhost", "127.0.0.1") }) },
  Uri: { parse: (text) => text },
  ViewColumn: { Active: -1 },
  commands: { registerCommand: (name, f) => { commands[name] = f; return { dispose() {} }; } },
  window: {
    createWebviewPanel: (_, title) => new Tab(title),
    showOpenDialog: async () => [{ fsPath: process.env.CHOSEN }],
    registerWebviewPanelSerializer: (_, s) => { serializer = s; },
    registerCustomEditorProvider: (_, s) => { custom = s; },
  },
};
const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
require(process.env.EXTENSION).activate({ extensionPath: "/nowhere", subscriptions: [] });
const act = (line) => eval(line); // it is the test's
lines.createInterface({ input: process.stdin }).on("line", act).on("close", () => process.exit());
`

type document struct {
	Tab         int
	Title, HTML string
}

type editing struct{ *spoken }

func startEditor(t *testing.T, chosen string) editing {
	t.Helper()
	return editing{speak(t, []string{"EXTENSION=" + filepath.Join(sources(t), "vscode", "extension.js"), "PROGRAM=" + browsertest.Binary(t),
		"CHOSEN=" + chosen}, "node", "-e", editor)}
}

// next is what a tab shows next.
func (e editing) next() (d document) {
	e.t.Helper()
	e.hear(&d)
	return d
}

// The extension shows a folder, or one event file, in a tab, says why it cannot and starts again, and its
// viewers end with their tabs and with the editor.
func TestEditor(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	file := l.run("a/train", map[string][]point{"loss": curve(1, 0, 300)})
	l.run("b", map[string][]point{"loss": curve(2, 0, 300)})
	e := startEditor(t, l.dir)
	var shown string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, shown)
	}))
	t.Cleanup(s.Close)
	v := start(t, browsertest.Chromium)
	v.Allow("net::ERR")
	v.Allow("Failed to load resource")
	v.Before(tells)
	v.Before(`globalThis.acquireVsCodeApi = () => ({ setState: (s) => { globalThis.kept = s.logdir; }, postMessage: (m) => { globalThis.posted = m; } })`)
	sees := func(d document, condition string) (address string) {
		t.Helper()
		shown = strings.Replace(d.HTML, "<body>", `<body class="vscode-dark">`, 1)
		v.Open(s.URL)
		v.Wait(condition)
		v.Eval(`globalThis.viewer?.at`, &address)
		return address
	}

	e.say(`commands["tensorbored.open"]()`)
	first := e.next()
	address := sees(first, allRead+` && viewer.dark === true`)
	if first.Title != filepath.Base(l.dir) {
		t.Errorf("the tab is called %q", first.Title)
	}
	var kept string
	if v.Eval(`kept`, &kept); kept != l.dir {
		t.Errorf("the editor keeps %q", kept)
	}
	v.Eval(`void (document.body.className = "vscode-high-contrast-light vscode-light")`, nil)
	v.Wait(`viewer.dark === false`)

	// The same folder is shown where it is; a file has a tab of its own.
	e.say(fmt.Sprintf(`commands["tensorbored.openFolder"]({ fsPath: %q })`, l.dir))
	if d := e.next(); d.Title != "revealed" || d.Tab != 0 {
		t.Errorf("tab %d %s", d.Tab, d.Title)
	}
	e.say(fmt.Sprintf(`custom.resolveCustomEditor(custom.openCustomDocument({ fsPath: %q }), new Tab("file"))`, file))
	second := e.next()
	sees(second, `globalThis.viewer?.phase === "exact" && viewer.points === 300`)

	// The viewer ends with its tab.
	gone := func(address, what string) {
		t.Helper()
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		untilGone(t, u.Host, what)
	}
	e.say(`tabs[0].dispose()`)
	gone(address, "the viewer of a tab that was closed goes on")

	// What cannot be started is said, and is started again when that is wanted.
	e.say(`settings.program = "/nowhere/<b>tensorbored-static"; serializer.deserializeWebviewPanel(new Tab("again"), { logdir: process.env.CHOSEN })`)
	third := e.next()
	sees(third, `document.body.innerText.includes("There is no program /nowhere/<b>tensorbored-static.")`)
	v.Eval(`document.querySelector("button").click()`, nil)
	v.Wait(`posted === "again"`)
	e.say(`settings.program = process.env.PROGRAM; settings.flags = ["--nonsense"]; tabs[2].told[0]("again")`)
	sees(e.next(), `document.body.innerText.includes("unknown flag --nonsense")`)
	e.say(`settings.flags = ["--read=browser"]; tabs[2].told[0]("again")`)
	address = sees(e.next(), allRead)

	// A viewer that dies says so; with the editor all end.
	e.say(`children.at(-1).kill()`)
	sees(e.next(), `document.body.innerText.includes("The viewer does not run")`)
	e.say(`tabs[2].told[0]("again")`)
	address = sees(e.next(), allRead)
	if err := e.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	gone(address, "the viewer goes on without its editor")
}
