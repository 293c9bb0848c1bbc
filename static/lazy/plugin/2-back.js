// A plug-in's back end: a worker in a hidden frame of opaque origin (static/plugin), started with
// the plug-in's tab, at the latest when something is first asked of it. It can be ended at any
// moment, whatever it does: it shares no thread with the page. After a request that took too long
// it is ended, and a new one begun for the next.
"use strict";
{
  const HELLO = "tensorbored.plugin";
  const COMING = 30_000, PATIENCE = 60_000; // ms until it must run, and until a request must be answered
  const CALLS = 5000; // calls of one back end that wait for data

  // greeting waits for a frame's document to say hello, and gives its port. A hello that
  // comes after that one is somebody else's.
  tbPlug.greeting = (frame, got) => {
    const hear = (e) => {
      if (e.source !== frame.contentWindow || e.data !== HELLO || !e.ports[0]) return;
      e.stopImmediatePropagation();
      deaf();
      got(e.ports[0]);
    };
    const deaf = () => removeEventListener("message", hear);
    addEventListener("message", hear);
    return deaf;
  };
  // sealed is a frame of opaque origin that may do nothing but run scripts.
  tbPlug.sealed = (props) => tbKit.make("iframe", {
    sandbox: "allow-scripts", referrerPolicy: "no-referrer",
    allow: ["camera", "microphone", "geolocation", "clipboard-read", "clipboard-write", "display-capture", "fullscreen",
      "payment", "usb", "serial", "hid", "midi"].map((n) => n + " 'none'").join("; "),
    ...props,
  });

  // back is the back end of a plug-in. file(path) gives the bytes of one of its files; methods
  // answer its calls.
  tbPlug.back = (plugin, file, methods) => {
    const spec = plugin.backend;
    let frame = null, port = null, coming = null, next = 1, deaf = null, calls = 0;
    let broken = (e) => {}; // tells those who wait for a start that there will be none
    const waiting = new Map();
    const end = (why = "the back end was ended") => {
      deaf?.();
      frame?.remove();
      port?.close();
      frame = port = coming = deaf = null;
      calls = 0;
      broken(new Error(why));
      for (const w of waiting.values()) w(null, why);
      waiting.clear();
    };
    const answer = async (id, { method, args }) => {
      const to = port, say = (a) => to === port && to.postMessage({ id, answer: a });
      if (!Object.hasOwn(methods, method)) return say({ error: `there is no method ${method}` });
      if (++calls > CALLS) {
        calls--;
        return say({ error: "too many questions wait for an answer" });
      }
      try { say({ result: await methods[method](args ?? {}) }); } catch (e) { say({ error: String(e?.message ?? e) }); }
      calls--;
    };
    // The program is fetched while its frame and its worker start: each takes some 20 ms.
    const programmed = async () => {
      const get = (path) => path ? file(path.slice(1)) : null;
      const [program, exec] = await Promise.all([get(spec.path), get(spec.exec)]);
      if (spec.sha256 && globalThis.crypto?.subtle) {
        const sum =
          [...new Uint8Array(await crypto.subtle.digest("SHA-256", program))].map(
            (b) => b.toString(16).padStart(2, "0")).join("");
        if (sum !== spec.sha256) {
          throw new Error(
            `${spec.path} is not the file of which the manifest says the SHA-256: build or install the plug-in again`);
        }
      }
      const text = (bytes) => bytes && new TextDecoder().decode(bytes);
      return { kind: spec.type, program: spec.type === "module" ? text(program) : program, exec: text(exec) };
    };
    const start = () => (coming ??= /** @type {Promise<void>} */ (new Promise((yes, no) => {
      const late = setTimeout(() => end(`the back end did not start within ${COMING / 1000} s`), COMING);
      broken = (e) => {
        clearTimeout(late);
        no(e);
      };
      const src = tbBoot.address("frame.html");
      const mine = tbPlug.sealed({ hidden: true, title: "Back end of " + plugin.name, src });
      frame = mine;
      const program = programmed();
      program.catch((e) => { if (mine === frame) end(String(e.message ?? e)); });
      deaf = tbPlug.greeting(frame, (to) => {
        const channel = new MessageChannel();
        to.postMessage({ do: "back", port: channel.port2 }, [channel.port2]);
        port = channel.port1;
        program.then((begin) => {
          if (mine === frame) port.postMessage({ begin }, begin.program instanceof ArrayBuffer ? [begin.program] : []);
        }, () => {});
        port.onmessage = to.onmessage = ({ data: m }) => {
          if (m.ready) {
            clearTimeout(late);
            yes();
          } else if (m.failed !== undefined) {
            if (mine === frame) end([m.failed, ...(m.said ?? [])].join("\n"));
          } else if (m.call) answer(m.id, m.call);
          else if (m.response) {
            const w = waiting.get(m.id);
            waiting.delete(m.id);
            w?.(m.response);
          }
        };
      });
      document.body.append(frame);
    })));
    return {
      // begin starts it for what will be asked; what goes wrong is said to who asks.
      begin: () => { start().catch(() => {}); },
      // request gives {status, headers, body} or, of op "is_active" and "fix_flags", {result}.
      async request(r, patience = PATIENCE) {
        await start();
        const id = next++;
        return new Promise((yes, no) => {
          const late = setTimeout(() => {
            waiting.delete(id);
            end("the back end was ended, since another request took too long");
            no(
              new Error(
                `the back end has not answered within ${patience / 1000} s; it was ended, and starts anew with the ` +
                `next request`));
          }, patience);
          waiting.set(id, (a, why) => {
            clearTimeout(late);
            const odd = r.op === "request" && !(Number.isInteger(a?.status) && a.status >= 200 && a.status <= 599);
            if (why !== undefined || a?.error !== undefined) no(new Error(why ?? String(a.error)));
            else if (odd || typeof a !== "object" || a === null)
              no(new Error("the back end's answer has no status from 200 to 599"));
            else yes(a);
          });
          port.postMessage({ id, request: { ...r, values: plugin.values ?? {} } });
        });
      },
      busy: () => waiting.size,
      running: () => Boolean(port),
      end,
    };
  };
}
