// The line to a server that reads the files itself: see server/near for what is said on it, and
// shared/near/frame.go for the frames. A WebSocket, and where something on the way forbids
// those, plain requests.
//
// tbNear(url, up, heard, down) begins to make one and returns {send(ArrayBuffer), close()}.
//   up(host)                     both sides have greeted
//   heard(header, head, buffer)  a frame: Uint8Array, string or undefined, ArrayBuffer
//   down(why)                    it has ended: "version", "absent", "refused", "old" where the browser
//                                cannot inflate, "" for all else.
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
  let vain = 0; // lines in a row that were greeted and ended before anything else came: something breaks them

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

  // inflated are deflated bytes as they were. What they are taken from stays whole meanwhile.
  const inflated = async (bytes) => {
    const stream = new DecompressionStream("deflate-raw"), to = stream.writable.getWriter();
    to.write(bytes).catch(() => {}); // who reads is told
    to.close().catch(() => {});
    return new Uint8Array(await new Response(stream.readable).arrayBuffer());
  };

  // IN_PLANES, TIGHT_REST and TIGHT_HEADER are flags of a frame.
  const IN_PLANES = 1, TIGHT_REST = 2, TIGHT_HEADER = 4;

  // ear hears the frames of a line in the order in which they come, whatever has to be inflated
  // first. wrong is told of one that cannot be.
  const ear = (heard, wrong) => {
    let waiting = 0, last = Promise.resolve();
    const say = (header, rest, length, flags) => {
      const head = length > 0 ? new TextDecoder().decode(rest.subarray(0, length)) : undefined;
      // The rest of what is not tight begins at a multiple of eight.
      const tail = rest.subarray(flags & TIGHT_REST ? length : Math.min(rest.length,
        Math.ceil((rest.byteOffset + length) / 8) * 8 - rest.byteOffset));
      heard(header, head, flags & IN_PLANES ? whole(tail)
        : tail.buffer.slice(tail.byteOffset, tail.byteOffset + tail.byteLength));
    };
    return (frame) => {
      const [headerSize, headSize, flags] = new Uint32Array(frame, 0, 3);
      const header = new Uint8Array(frame, 12, headerSize), rest = new Uint8Array(frame, 12 + headerSize);
      if (!waiting && !(flags & (TIGHT_REST | TIGHT_HEADER))) {
        say(header, rest, headSize, flags);
        return;
      }
      waiting++;
      const parts = Promise.all([flags & TIGHT_HEADER ? inflated(header) : header,
        flags & TIGHT_REST ? inflated(rest) : rest]);
      parts.catch(() => {}); // it is looked at when its turn comes
      last = last.then(async () => {
        const [header, rest] = await parts;
        waiting--;
        say(header, rest, headSize, flags);
      }).catch(wrong);
    };
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
    const take = ear((...frame) => { if (!over) heard(...frame); }, () => end(""));

    const socket = () => {
      const first = begun?.url === url ? begun : undefined, s = first?.s ?? dial(url);
      begun = first ? undefined : begun;
      let there = false, took = false;
      const late = setTimeout(() => s.close(), patience);
      stop = () => {
        clearTimeout(late);
        s.onmessage = s.onclose = null;
        s.close();
      };
      s.onclose = () => {
        catchUp();
        clearTimeout(late);
        if (there && !over && !took && ++vain === 3) plain = true;
        if (through) end("");
        else if (!over) requests();
      };
      const hear = ({ data }) => {
        if (over) return;
        if (there) {
          took = true;
          vain = 0;
          take(data);
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
      // What has come already is said when the caller has its line, and what comes until then after it.
      let behind = Boolean(first);
      const catchUp = () => {
        if (!behind) return;
        behind = false;
        if (!over) s.onmessage = hear;
        for (const m of first.said) hear(m);
      };
      if (first) setTimeout(catchUp); else s.onmessage = hear;
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
            take(body.slice(at + 4, at + 4 + size));
            at += 4 + size;
          }
        }
      } catch {
        end("");
      }
    };

    if (!globalThis.DecompressionStream) setTimeout(() => end("old"));
    else if (plain) requests();
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
