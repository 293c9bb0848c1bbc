// Runs the Go program in one of its roles. Stands behind Go's wasm_exec.js, in the
// page and in the workers.
"use strict";

// tbRun starts the compiled module with role as its only argument and resolves,
// when the program ends, with its exit code and the last lines that it printed, or a
// panic's message and the beginning of its stack. It rejects when the module can not be
// started.
globalThis.tbRun = async (module, role) => {
  const kept = 4000; // characters: a panic with the first goroutine's stack
  const decoder = new TextDecoder();
  let output = "";
  let ended = false; // the output begins with a panic
  const write = fs.writeSync;
  fs.writeSync = (fd, bytes) => {
    output += decoder.decode(bytes, { stream: true });
    if (!ended) {
      const at = output.search(/^(panic|fatal error): /m);
      ended = at >= 0;
      output = ended ? output.slice(at) : output.slice(-kept);
    }
    output = output.slice(0, kept);
    return write.call(fs, fd, bytes);
  };
  const go = new Go();
  go.argv = [role];
  // The program has no names of functions: each frame of a stack says its place, from
  // which the symbol file of the release knows name and line.
  go.env = { GOTRACEBACK: "system" };
  let code = 0;
  go.exit = (c) => {
    code = c;
  };
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  return { code, output };
};

// tbScript gives the code points of one of Unicode's scripts as flat ranges [first, last,
// …], null if the browser knows no such script. flags are those of a regular expression:
// "iu" for all that match where upper and lower case are one. Go's regular expressions ask
// (static/pack/overlay.go); scripts lie on the planes 0 to 3 and on 14.
globalThis.tbScript = (name, flags) => {
  let script;
  try {
    script = new RegExp(`\\p{Script=${name}}`, flags);
  } catch {
    return null;
  }
  const ends = [];
  let inside = false;
  for (let c = 0; c <= 0xf0000; c++) {
    if (c === 0x40000) c = 0xe0000;
    if (script.test(String.fromCodePoint(c)) === inside) continue;
    ends.push(inside ? c - 1 : c);
    inside = !inside;
  }
  return ends;
};
