// An editor tab that shows a logdir: a viewer (the program tensorbored-static) for each tab, and its page
// in a frame. The viewer runs where the files are, which over SSH, in a container or in code-server is
// another machine than the window's; the editor brings its port to the window (asExternalUri).
//
// A viewer has a path that nobody guesses, another one each time, and answers to any name below it: at
// which name the window finds it the program does not know, and nobody else is to. It ends when its
// standard input does, and so with its tab, and with the editor however that ends.
"use strict";
const vscode = require("vscode");
const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const VIEW = "tensorbored.viewer", FILE = "tensorbored.eventFile";
const PATIENCE = 60_000; // for the viewer's address, in ms

/**
 * The program to run: the user's, the extension's own, or that of the path.
 * @param {string} folder the extension's
 * @param {string} wanted
 */
const programOf = (folder, wanted) => {
  const name = process.platform === "win32" ? "tensorbored-static.exe" : "tensorbored-static";
  const own = path.join(folder, "bin", name);
  return wanted || (fs.existsSync(own) ? own : name);
};

/**
 * Starts a viewer of a logdir, or of one event file.
 * @param {string} program
 * @param {string[]} flags
 * @param {string} logdir
 * @returns {Promise<{port: number, path: string, end: () => void, ended: Promise<string>}>} ended is what it said last
 */
const startViewer = (program, flags, logdir) => new Promise((done, failed) => {
  const below = `/${randomBytes(16).toString("hex")}/`;
  const child = spawn(program, ["serve", "--logdir", logdir, ...flags, "--port", "0", "--path-prefix", below,
    "--allowed-host", "*", "--allow-frame", "*", "--allow-frame", "vscode-webview:", "--end-with-stdin"],
  { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  let said = "", out = "";
  const late = setTimeout(() => child.kill(), PATIENCE);
  child.stdin.on("error", () => {}); // it has ended, which is heard of below
  child.stderr.on("data", (data) => { said = (said + data).slice(-4000); });
  const ended = new Promise((over) => {
    child.on("error", (e) => over(e.code === "ENOENT" ? `There is no program ${program}. Install it, or name it in ` +
      "the setting tensorbored.program." : e.message));
    child.on("close", (code) => over(said.trim() || `The viewer ended with ${code}.`));
  });
  child.stdout.on("data", (data) => {
    out += data;
    const port = /^http:\/\/[^\n]*:(\d+)\/[^\n]*\n/.exec(out)?.[1];
    if (!port) return;
    clearTimeout(late);
    done({ port: Number(port), path: below, end: () => child.stdin.end(), ended });
  });
  ended.then((why) => {
    clearTimeout(late);
    failed(new Error(why)); // which is of no account if the address came
  });
});

const literal = (/** @type {any} */ value) => JSON.stringify(value).replace(/</g, "\\u003c");
const escaped = (/** @type {string} */ text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * A tab's document, which loads nothing but what the policy adds.
 * @param {string} policy
 * @param {string} style
 * @param {string} body
 * @param {string} script
 */
const documentOf = (policy, style, body, script) => {
  const nonce = randomBytes(16).toString("hex");
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` +
    `default-src 'none'; ${policy}style-src 'unsafe-inline'; script-src 'nonce-${nonce}'"><style>${style}</style>` +
    `</head><body>${body}<script nonce="${nonce}">${script}</script></body></html>`;
};

/**
 * The document of a tab with a viewer's page in it. The page finds out by its frame whether the editor is
 * dark; the editor keeps what a tab shows, for the next window.
 * @param {string} address
 * @param {string} logdir
 */
const framed = (address, logdir) => documentOf("frame-src http: https:; ",
  "html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; } " +
    "iframe { display: block; width: 100%; height: 100%; border: 0; }",
  `<iframe title="tensorbored-static" allow="clipboard-read; clipboard-write; fullscreen"></iframe>`,
  `const frame = document.querySelector("iframe");
const look = () => { frame.style.colorScheme = /vscode-light/.test(document.body.className) ? "light" : "dark"; };
look();
new MutationObserver(look).observe(document.body, { attributes: true, attributeFilter: ["class"] });
frame.src = ${literal(address)};
acquireVsCodeApi().setState(${literal({ logdir })});`);

/**
 * The document of a tab without a viewer, and a button to start it again.
 * @param {string} why
 * @param {string} logdir
 */
const without = (why, logdir) => documentOf("",
  "body { padding: 2em; } pre { white-space: pre-wrap; } button { padding: 0.4em 1em; border: 0; cursor: pointer; " +
    "color: var(--vscode-button-foreground); background: var(--vscode-button-background); }",
  `<h2>The viewer does not run</h2><pre>${escaped(why)}</pre><button type="button">Start again</button>`,
  `const editor = acquireVsCodeApi();
editor.setState(${literal({ logdir })});
document.querySelector("button").onclick = () => editor.postMessage("again");`);

/** @param {import("vscode").ExtensionContext} context */
exports.activate = (context) => {
  /** @type {Map<string, import("vscode").WebviewPanel>} the tabs by their logdirs */
  const tabs = new Map();

  /**
   * Fills a tab with a viewer of a logdir.
   * @param {import("vscode").WebviewPanel} tab
   * @param {string} logdir
   */
  const fill = async (tab, logdir) => {
    let closed = false, turn = 0;
    /** @type {Awaited<ReturnType<typeof startViewer>> | undefined} */
    let viewer;
    tab.webview.options = { enableScripts: true };
    const run = async () => {
      const mine = ++turn, over = () => closed || turn !== mine;
      viewer?.end();
      viewer = undefined;
      const settings = vscode.workspace.getConfiguration("tensorbored");
      try {
        const begun = await startViewer(programOf(context.extensionPath, settings.get("program", "")),
          settings.get("flags", []), logdir);
        if (over()) {
          begun.end();
          return;
        }
        viewer = begun;
        begun.ended.then((why) => { if (!over()) tab.webview.html = without(why, logdir); });
        const outside = await vscode.env.asExternalUri(vscode.Uri.parse(`http://localhost:${begun.port}/`));
        const address = outside.toString(true).replace(/\/?$/, () => begun.path);
        if (!over()) tab.webview.html = framed(address, logdir);
      } catch (e) {
        if (!over()) tab.webview.html = without(e.message, logdir);
      }
    };
    tab.onDidDispose(() => {
      closed = true;
      viewer?.end();
    });
    tab.webview.onDidReceiveMessage((m) => { if (m === "again") return run(); });
    await run();
  };

  /** @param {string} logdir */
  const open = (logdir) => {
    const there = tabs.get(logdir);
    if (there) {
      there.reveal();
      return undefined;
    }
    const tab = vscode.window.createWebviewPanel(VIEW, path.basename(logdir) || logdir, vscode.ViewColumn.Active,
      { enableScripts: true, retainContextWhenHidden: true });
    return keep(tab, logdir);
  };
  /**
   * @param {import("vscode").WebviewPanel} tab
   * @param {string} logdir
   */
  const keep = (tab, logdir) => {
    tabs.set(logdir, tab);
    tab.onDidDispose(() => { if (tabs.get(logdir) === tab) tabs.delete(logdir); });
    return fill(tab, logdir);
  };

  const choose = async () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false,
      openLabel: "Open Logdir", title: "A folder with event files, or with folders of them",
      defaultUri: folders[0]?.uri });
    if (chosen?.[0]) await open(chosen[0].fsPath);
  };

  context.subscriptions.push(
    vscode.commands.registerCommand("tensorbored.open", choose),
    vscode.commands.registerCommand("tensorbored.openFolder", (uri) => (uri ? open(uri.fsPath) : choose())),
    // A tab that was there when the window was closed, or loaded anew.
    vscode.window.registerWebviewPanelSerializer(VIEW, {
      deserializeWebviewPanel: async (tab, state) => {
        if (typeof state?.logdir === "string") await keep(tab, state.logdir);
        else tab.dispose();
      },
    }),
    vscode.window.registerCustomEditorProvider(FILE, {
      openCustomDocument: (uri) => ({ uri, dispose: () => {} }),
      resolveCustomEditor: (document, tab) => fill(tab, document.uri.fsPath),
    }, { webviewOptions: { retainContextWhenHidden: true } }),
  );
};
