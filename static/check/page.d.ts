// What our scripts have of each other, of the program, and of libraries: the names that a script
// finds in the page without making them. For the checker alone (static/check/README.md).

/** What boot.js leaves for the program and the scripts that come later; its head tells more. */
interface Boot {
  module: WebAssembly.Module;
  /** Loads a script of static/lazy, once; rejects when it can't be had. */
  load(name: string): Promise<void>;
  /** Starts a worker of such a script. */
  worker(name: string): Worker;
  /** A worker's program, as its first message wants it. */
  program(name: string): Promise<{ program?: string; module?: WebAssembly.Module }>;
  /** The address of what stands in data-lazy, "" in a report. */
  address(name: string): string;
  /** The address of the list of plug-ins, "" if the site has none. */
  plugins: string;
  dropped: boolean;
  [more: string]: unknown;
}
declare var tbBoot: Boot;
/** A ResizeObserver that tells also of a screen of other pixels (element.js). */
interface Sizes {
  observe(e: Element): void;
  disconnect(): void;
}
declare var tbSizes: (told: ResizeObserverCallback) => Sizes;
declare var tbBooted: unknown;
declare var tbReport: Promise<any> | undefined;
declare var tbRun: (module: WebAssembly.Module, role: string) => Promise<{ code: number; output: string }>;

/** A child of an element: none, or a node, or a text. */
type Kid = Node | string | number | null | undefined;
/** Properties, attributes (with a "-", "role", "list"), listeners ("on…"), "style" as an object. */
type Props = Record<string, any>;

/** A line of a menu: its words, and what it does. */
type MenuItem = [text: string, act: () => unknown];

/** What the scripts of dashboards have in common: static/kit. */
interface Kit {
  /** An element with properties and children, which may be null. */
  make<T extends keyof HTMLElementTagNameMap>(tag: T, props?: Props, ...kids: Kid[]): HTMLElementTagNameMap[T];
  /** One of our pictures, by its name in static/kit/dom.js. */
  icon(name: string): SVGSVGElement;
  iconButton(icon: string, name: string, onclick?: (e: MouseEvent) => void, more?: Props): HTMLButtonElement;
  button(text: string, title?: string, onclick?: (e: MouseEvent) => void): HTMLButtonElement;
  /** Shows a dialog under an element; it is gone when it closes. */
  popup(under: Element, name: string, className: string,
    fill: (el: HTMLDivElement, close: () => void) => void): HTMLDivElement;
  /** Shows lines [text, what it does] under an element; null is none. */
  menu(under: Element, name: string, items: (MenuItem | null)[]): HTMLDivElement;
  /** Asks for a text: null if it is closed without one. */
  question(under: Element, name: string, label: string, act: string, value: string,
    field?: Props): Promise<string | null>;
  copy(text: string, said: string): void;
  /** Tells a screen reader and whoever looks, for six seconds. */
  say(text: string): void;
  /** Says something below an element until it is called again; null: no more. */
  tell(under: Element | null, text?: string): void;
  /** What the program answers to a script, as values. */
  asks(ask: (name: string, wish: string, ...more: any[]) => any): (name: string, wish?: object, ...more: any[]) => any;
  /** The bytes of a text in base64. */
  bytes(text: string): Uint8Array<ArrayBuffer>;
  downloadPicture(name: string, canvas: HTMLCanvasElement, remedy?: string): void;
  download(name: string, type: string, ...parts: BlobPart[]): void;
  /** Starts the worker of a folder with a Go program of its own. */
  work?(folder: string, called: string, died: (why: string) => void,
    need?: (data: any) => Promise<any[]>): WorkerLink;
  [more: string]: any;
}
declare var tbKit: Kit;
/** The page's turn between pieces of work: static/kit/turn.js. */
declare var tbTurn: () => Promise<void>;
/** A sum over bytes, by a polynomial: static/kit/crc.js. */
declare var tbCrc: (polynomial: number) => (sum: number, bytes: Uint8Array) => number;
type Parts = Uint8Array[];
/** Event files as they are written: static/kit/event.js. */
declare var tbEvents: {
  number(field: number, n: number): Parts;
  double(field: number, v: number): Parts;
  float(field: number, v: number): Parts;
  bytes(field: number, data: Uint8Array): Parts;
  text(field: number, s: string): Parts;
  message(field: number, parts: Parts): Parts;
  join(parts: Parts): Uint8Array<ArrayBuffer>;
  record(parts: Parts): Uint8Array<ArrayBuffer>;
  version(wall: number): Uint8Array<ArrayBuffer>;
  layout(categories: any[]): Parts;
};

/** What charts on two canvases have in common: static/kit/layers.js. */
interface Layers {
  host: HTMLElement; base: HTMLCanvasElement; over: HTMLCanvasElement; sizes: Sizes;
  frame: number; dirty: boolean; zoom: any; drag: any;
  /** Of the plot in the host, CSS pixels; y0 is above. */
  box: { x0: number; x1: number; y0: number; y1: number; [more: string]: number } | null;
  paint(): void;
  move(p: { x: number; y: number }): void;
  leave(): void;
  grab(p: { x: number; y: number }): any;
  drop(): void;
  back(): void;
  zoomBy(f: number, px?: number, py?: number): void;
  close(): void;
  soon(all?: boolean): void;
  where(e: MouseEvent): { x: number; y: number };
  sheet(): { ctx: CanvasRenderingContext2D; w: number; h: number } | null;
  cleared(canvas: HTMLCanvasElement): CanvasRenderingContext2D;
  shade(ctx: CanvasRenderingContext2D, color: string, x0: number, x1: number, y0: number, y1: number): void;
}
declare var tbLayers: new (host: HTMLElement, className: string) => Layers;

interface WorkerLink {
  /** Asks the worker; move is handed over with the question, progress hears how far it is. */
  call(name: string, what?: object, how?: { move?: Transferable[]; progress?: (data: any) => void }):
    Promise<any> & { id: number };
  busy(): boolean;
  end(): void;
}

/** The data API, as strangers have it: docs/API.md. */
interface Tensorbored {
  ask(query: object): Promise<{ chunks: { parts: any[]; buffer: ArrayBuffer }[]; [more: string]: any }>;
  runs(): Promise<any[]>;
  tags(plugin?: string): Promise<any>;
  scalars(run: string, tag: string): Promise<any>;
  status(): any;
  /** Hears of changes until what it returns is called. */
  on(event: string, callback: (what: any) => void): () => void;
  port(): MessagePort;
  reload(): void;
  ready: Promise<void>;
}
declare var tensorbored: Tensorbored;

/** A scale of an axis: to maps a value, from maps back, ok says what it can show; zone is symlog's. */
interface Scale { to(v: number): number; from(m: number): number; ok(v: number): boolean; zone?: number; }
/** The painter: runs, colours, and the class Chart (static/paint*.js). */
declare var tbPaint: any;
/** How late what workers say comes in a test that wishes so, in ms (wasm/browsertest). */
declare var tbLate: number | undefined;
/** Scenes of points and meshes (static/lazy/scene). */
declare var tbScene: any;
/** Plug-ins: what hosts one (static/lazy/plugin), and which there are (static/lazy/plugins). */
declare var tbPlug: any;
declare var tbPlugins: any;
declare var tbHparams: any;
/** Dashboards by the name of their folder, as wasm/board/drawn calls them. */
declare var tbDrawn: Record<string, (root: HTMLElement, ask: (name: string, what?: any, more?: any) => any) => any>;

// Libraries, as far as we use them.
declare var uPlot: any;
declare var marked: any;
declare var DOMPurify: (page: Window) => any;
declare var Prism: any;
declare var Diff: any;
declare var FFT: new (size: number) => any;
declare var clientZip: { makeZip(files: any): ReadableStream };
declare var unzipit: { unzipRaw(file: any): Promise<{ entries: any[] }> };
declare var modernTar: { createTarDecoder(options: { strict: boolean }): ReadableWritablePair<any, Uint8Array> };
// Go's wasm_exec.js.
declare var Go: new () => any;
declare var fs: { writeSync(fd: number, bytes: Uint8Array): number };

// What browsers have and the checker's library has not.
declare function showSaveFilePicker(options: object): Promise<FileSystemFileHandle>;
interface DataTransferItem { getAsFileSystemHandle?(): Promise<FileSystemHandle>; }

// What becomes text in a document may be a number, or true or false.
interface Element { setAttribute(name: string, value: string | number | boolean): void; }

// What we keep at elements and workers, by its script.
interface Element {
  tbChart?: any; tbShow?: any; tbExact?: () => any; // paint
  tbOptions?: string; tbPane?: any; tbStates?: any; // projector
  lay?: { c: any; chart?: any }; // layout
  due?: ReturnType<typeof setTimeout>; // of what is typed
}
interface Worker { tbEarly?: any[]; }
