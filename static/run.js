// Runs the Go program in one of its roles. Stands behind Go's wasm_exec.js, in the
// page and in the workers.
"use strict";

// tbRun starts the compiled module with role as its only argument and resolves,
// when the program ends, with its exit code and the last lines that it printed: a
// panic's message is among them. It rejects when the module can not be started.
globalThis.tbRun = async (module, role) => {
  const kept = 4000; // characters: a panic with the first goroutine's stack
  const decoder = new TextDecoder();
  let output = "";
  const write = fs.writeSync;
  fs.writeSync = (fd, bytes) => {
    output = (output + decoder.decode(bytes, { stream: true })).slice(-kept);
    return write.call(fs, fd, bytes);
  };
  const go = new Go();
  go.argv = [role];
  let code = 0;
  go.exit = (c) => {
    code = c;
  };
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  return { code, output };
};
