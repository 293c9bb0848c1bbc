// The globals of a service worker (static/plugin/worker.js), which the checker's library has of self alone.
declare var clients: Clients;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: "fetch", listener: (e: FetchEvent) => any): void;
declare function addEventListener(type: "install" | "activate", listener: (e: ExtendableEvent) => any): void;
declare function addEventListener(type: "message", listener: (e: ExtendableMessageEvent) => any): void;
