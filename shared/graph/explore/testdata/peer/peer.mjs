// Makes golden.json: what TensorBoard's own page makes of the graphs of ../../../testdata: what is
// in each scope, how that is joined, what it takes out of the picture, which scopes are alike.
//
//	npm install esbuild lodash dagre graphlib d3
//	node peer.mjs TENSORBOARD_CHECKOUT FOLDER_OF_PBTXT > golden.json
//
// The folder has each GraphDef as text, NAME.pbtxt, as TensorBoard's server gives it to its page
// (google.protobuf.text_format over the bytes). The functions are those of
// tensorboard/plugins/graph/tf_graph_common, bundled with their types left out; only reports
// to analytics are cut off.
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const [checkout, folder] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'x.js'));
const esbuild = require('esbuild');
const common = path.resolve(checkout, 'tensorboard/plugins/graph/tf_graph_common');
const out = path.join(process.cwd(), 'peer-bundle.cjs');
await esbuild.build({
  stdin: {
    contents: ['graph', 'hierarchy', 'render', 'parser', 'template'].map(m => `export * as ${m} from '${common}/${m}';`)
    .join('\n'), resolveDir: process.cwd(), loader: 'ts'},
  bundle: true, platform: 'node', format: 'cjs', outfile: out, logLevel: 'error',
  nodePaths: [path.join(process.cwd(), 'node_modules')],
  plugins: [{name: 'quiet', setup(b) {
    b.onResolve({filter: /tb_debug/}, () => ({path: 'tb_debug', namespace: 'quiet'}));
    b.onLoad({filter: /.*/, namespace: 'quiet'},
      () =>
      ({
        contents: 'export const notifyActionEventFromPolymer = () => {}; export const GraphDebugEventId = {}; export ' +
        'const GRAPH_DEBUG_ACTION_EVENT_CATEGORY = ""; export const GRAPH_DEBUG_TIMING_EVENT_CATEGORY = "";',
        loader: 'ts'}));
  }}],
});
globalThis.window = globalThis;
globalThis.document = {createElement: () => ({getContext: () => ({measureText: () => ({width: 0})})})};
globalThis.FileReader = class { readAsText(b) { b.text().then(t => this.onload({target: {result: t}})); } };
console.log = console.warn = () => {};
const {graph, hierarchy, render, parser, template} = require(out);
const tracker = {setMessage() {}, updateProgress() {}, reportError(m, e) { throw e; }};

const golden = {};
for (const file of fs.readdirSync(folder).filter(f => f.endsWith('.pbtxt')).sort()) {
  const bytes = fs.readFileSync(path.join(folder, file));
  const def = await parser.parseGraphPbTxt(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const slim = await graph.build(def, graph.DefaultBuildParams, tracker);
  const h = await hierarchy.build(slim, {...hierarchy.DefaultHierarchyParams, seriesMap: new Map()}, tracker);
  const templates = template.detect(h, true);
  const r = new render.RenderGraphInfo(h, false, true);
  const library = n => n.startsWith('__function_library__');
  const scopes = {};
  const walk = name => {
    r.buildSubhierarchy(name);
    const info = r.getRenderNodeByName(name), m = info.node.metagraph;
    const names = m.nodes().filter(n => !library(n)).sort();
    scopes[name === '__root__' ? '' : name] = {
      ops: info.node.cardinality -
        (name === '__root__' ? names.length && m.nodes().filter(library).reduce((s, n) => s + m.node(n).cardinality, 0)
          : 0),
      nodes: names,
      edges: m.edges()
        .map(
          e => [names.indexOf(e.v), names.indexOf(e.w), m.edge(e).baseEdgeList.length, m.edge(e).numControlEdges,
            m.edge(e).numRefEdges]).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
      in: info.isolatedInExtract.map(x => x.node.name).filter(n => !library(n)).sort(),
      out: info.isolatedOutExtract.map(x => x.node.name).filter(n => !library(n)).sort(),
    };
    for (const n of names) if (m.node(n).isGroupNode && !m.node(n).associatedFunction) walk(n);
  };
  walk('__root__');
  golden[file.replace(/txt$/, '')] = {scopes,
    templates: Object.values(templates).map(t => t.nodes.filter(n => !library(n)).sort()).filter(t => t.length > 1)
    .sort()};
}
process.stdout.write(JSON.stringify(golden).replaceAll('},"', '},\n"') + '\n');
