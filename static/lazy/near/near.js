// The line to a server that reads the files itself: see server/near for what is said on it, and
// shared/near/frame.go for the frames. A WebSocket, and where something on the way forbids
// those, plain requests.
//
// tbNear(url, up, heard, down) begins to make one and returns {send(ArrayBuffer), close()}.
//   up(host)                     both sides have greeted
//   heard(header, head, buffer)  a frame: Uint8Array, string or undefined, ArrayBuffer
//   down(why)                    it has ended: "version", "absent", "refused", "" for all else.
//                                Nothing is called after it, nor after close
//
// tbNear.begin(url) begins one that the first call of tbNear for this url takes over, if it has
// not failed by then: a page that has yet to start its program need not wait for the line after it.
"use strict";
(() => {
  const patience = 20_000; // for an answer to the first word, in ms
  /** @type {HTMLScriptElement} */
  const script = document.querySelector("script[data-program]"), program = script.dataset.program.split("/").pop();
  const greeting = `tensorbored ${program}\n`;
  let plain = false; // WebSockets do not come through, and requests do
  let through = false; // one has come through: one that does not says that nothing does

  const greeted = (text) => {
    const [, version, host] = /^tensorbored ([^\n]*)\n([^\n]*)/.exec(text) ?? [];
    return version === program ? host : undefined;
  };

  // Columns of curves come in planes: see there why.
  const whole = (planes) => {
    const n = planes.length / 4, all = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      all[i] = (planes[i] | planes[n + i] << 8 | planes[2 * n + i] << 16 | planes[3 * n + i] << 24) +
        (i < 2 ? 0 : all[i - 2]);
    }
    return all.buffer;
  };

  const cut = (frame, heard) => {
    const lengths = new DataView(frame), header = 12 + lengths.getUint32(0, true),
      head = header + lengths.getUint32(4, true), rest = Math.ceil(head / 8) * 8;
    const text = head > header ? new TextDecoder().decode(new Uint8Array(frame, header, head - header)) : undefined;
    const buffer = lengths.getUint32(8, true) ? whole(new Uint8Array(frame, rest)) : frame.slice(rest);
    heard(new Uint8Array(frame, 12, header - 12), text, buffer);
  };

  const dial = (url) => {
    const s = new WebSocket(url.replace(/^http/, "ws"));
    s.binaryType = "arraybuffer";
    s.onopen = () => s.send(greeting);
    return s;
  };

  let begun; // {url, s, said}: what has come over a line that nobody has taken over yet
  const begin = (url) => {
    const s = dial(url), said = [];
    s.onmessage = (m) => {
      through = true;
      said.push(m);
    };
    const forget = () => {
      if (begun?.s !== s) return;
      begun = undefined;
      s.close();
    };
    s.onclose = forget;
    setTimeout(forget, patience);
    begun = { url, s, said };
  };

  const tbNear = (url, up, heard, down) => {
    /** @type {(frame: ArrayBuffer) => void} */
    let send = () => {};
    let stop = () => {}, over = false;
    const end = (why) => {
      if (over) return;
      over = true;
      stop();
      down(why);
    };

    const socket = () => {
      const first = begun?.url === url ? begun : undefined, s = first?.s ?? dial(url);
      begun = first ? undefined : begun;
      let there = false;
      const late = setTimeout(() => s.close(), patience);
      stop = () => {
        clearTimeout(late);
        s.onmessage = s.onclose = null;
        s.close();
      };
      s.onclose = () => {
        clearTimeout(late);
        if (there) end("");
        else if (through) end("");
        else if (!over) requests();
      };
      const hear = ({ data }) => {
        if (over) return;
        if (there) {
          cut(data, heard);
          return;
        }
        clearTimeout(late);
        const host = greeted(data);
        if (host === undefined) {
          end("version");
          return;
        }
        there = through = true;
        send = (frame) => s.send(frame);
        up(host);
      };
      if (!first) {
        s.onmessage = hear;
        return;
      }
      // What has come already is said when the caller has its line, and what comes until then after it.
      setTimeout(() => {
        if (over || s.readyState !== WebSocket.OPEN && s.readyState !== WebSocket.CONNECTING) return;
        s.onmessage = hear;
        for (const m of first.said) hear(m);
      });
    };

    // Each request is made again where its answer did not come: its number says which it is.
    const requests = async () => {
      const gone = new AbortController();
      let session, sent = 0, queue = [], sending = false;
      stop = () => {
        gone.abort();
        if (session) {
          fetch(`${session}&end=1`, { method: "POST", credentials: "same-origin", keepalive: true }).catch(() => {});
        }
      };
      const ask = async (address, options) => {
        for (let tries = 0; ; tries++) {
          try {
            const answer = await fetch(address,
              { ...options, credentials: "same-origin", cache: "no-store", signal: gone.signal });
            const body = await answer.arrayBuffer();
            if (answer.status < 500 || tries > 2) return { status: answer.status, body };
          } catch (e) {
            if (gone.signal.aborted || tries > 2 || !session) throw e;
          }
          await new Promise((done) => setTimeout(done, 200 << tries));
        }
      };
      send = async (frame) => {
        queue.push(frame);
        if (sending) return;
        sending = true;
        while (queue.length > 0 && !over) {
          const parts = queue.flatMap((f) => [new Uint32Array([f.byteLength]), f]);
          queue = [];
          try {
            const { status } = await ask(`${session}&n=${sent}`, { method: "POST", body: new Blob(parts) });
            if (status !== 204) throw new Error(`${status}`);
            sent++;
          } catch {
            end("");
          }
        }
        sending = false;
      };
      try {
        const { status, body } = await ask(url, { method: "POST", body: greeting });
        if (over) return;
        if (status === 409) return end("version");
        if (status === 401 || status === 403) return end("refused");
        if (status === 404 || status === 405) return end("absent");
        const text = new TextDecoder().decode(body), host = greeted(text);
        if (status !== 200 || host === undefined) return end("");
        plain = true;
        session = `${url}?s=${encodeURIComponent(text.split("\n")[2])}`;
        up(host);
        for (let n = 0; !over;) {
          const { status, body } = await ask(`${session}&n=${n}`, {});
          if (status !== 200 && status !== 204) return end("");
          if (status === 204) continue;
          n++;
          for (let at = 0; at < body.byteLength && !over;) {
            const size = new DataView(body).getUint32(at, true);
            cut(body.slice(at + 4, at + 4 + size), heard);
            at += 4 + size;
          }
        }
      } catch {
        end("");
      }
    };

    if (plain) requests();
    else socket();
    return {
      send: (frame) => send(frame),
      close() {
        over = true;
        stop();
      },
    };
  };
  globalThis.tbNear = Object.assign(tbNear, { begin });
})();
