// What a plug-in's document has of the shim (static/plugin/shim.js); docs/PLUGINS.md.
declare var tbPlugin: any;
declare var tensorbored: { readonly data: any; [more: string]: any };
interface Element { due?: ReturnType<typeof setTimeout>; }
