// What the scripts of workers find without making it; see page.d.ts.

/** Messages that came before the program listened. */
declare var tbQueue: any[];
declare var tbRun: (module: WebAssembly.Module, role: string) => Promise<{ code: number; output: string }>;
// The worker of graphs: dagre, our order within ranks, the layout, and what its program answers.
declare var dagre: any;
declare var tbOrder: any;
declare var tbLayout: any;
declare var tbGraphOpen: (key: string, bytes: Uint8Array, name: string, metadata: Uint8Array | null, tensor: boolean) => string;
declare var tbGraphCompare: (key: string, before: string, after: string, by: string) => string;
declare var tbGraphClose: (key: string) => void;
declare var tbGraphAsk: (key: string, question: string) => string;
// The projector's.
declare var tbProjAsk: (question: string, arrays: Record<string, ArrayBufferView | string>) => void;
// Go's wasm_exec.js.
declare var Go: new () => any;
declare var fs: { writeSync(fd: number, bytes: Uint8Array): number };
