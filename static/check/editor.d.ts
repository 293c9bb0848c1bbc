// What vscode/extension.js has of Node and of the editor, as far as it is used.
declare function require(name: string): any;
declare var exports: any;
declare var process: { readonly platform: string };
declare module "node:child_process" { const spawn: any; }
declare module "node:crypto" { function randomBytes(n: number): { toString(form: string): string }; }
declare module "node:fs" { function existsSync(path: string): boolean; }
declare module "node:path" {
  function basename(path: string): string;
  function join(...parts: string[]): string;
}
declare module "vscode" {
  const workspace: any, env: any, window: any, commands: any, Uri: any, ViewColumn: any;
  interface Event<T> { (listener: (value: T) => any): void; }
  interface Webview { html: string; options: { enableScripts?: boolean }; onDidReceiveMessage: Event<any>; }
  interface WebviewPanel { readonly webview: Webview; readonly onDidDispose: Event<void>; reveal(): void; dispose(): void; }
  interface ExtensionContext { readonly extensionPath: string; readonly subscriptions: { dispose(): any }[]; }
}
