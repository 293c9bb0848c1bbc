// What python/tensorbored_static/notebook.py says of a viewer, and what Colab's outputs have.
interface NotebookViewer {
  id: string; // of the element that the output has for it
  host: string; // the kernel's machine
  port: number;
  path: string; // of the viewer's page, with a slash at both ends
  query: string; // "" or "?…"
  height: number; // in pixels
  proxy: string; // by which a browser comes there, with %PORT%; ""
  instead: string; // the magic that makes a report
}
declare var google: { colab?: { kernel?: { proxyPort?: (port: number, options: { cache: boolean }) => Promise<string> } } };
