// Makes golden.json: what TensorBoard's own page makes of the scalars that its server read.
//
//	node peer.mjs TENSORBOARD_CHECKOUT > golden.json
//
// It takes the functions by their names from the sources of a checkout, leaves out their
// types, and runs them on ../../../../shared/dump/testdata/NAME.json.
import fs from 'node:fs';
import path from 'node:path';

const [checkout] = process.argv.slice(2), here = path.dirname(new URL(import.meta.url).pathname);
const webapp = f => fs.readFileSync(path.join(checkout, 'tensorboard/webapp', f), 'utf8');

// take cuts a function out of a source: from its head to the brace in the first column.
const take = (source, name) => {
  const at = source.search(new RegExp(`(export )?(async )?function ${name}\\(`)), end = source.indexOf('\n}\n', at);
  if (at < 0 || end < 0) throw new Error('no function ' + name);
  return source.slice(at, end + 3).replace(/^export /, '');
};
// bare leaves out the types that these functions have.
const bare = code => {
  code = code
    .replace(/\)\s*: (Promise<DataSeries\[\]>|PartitionedSeries\[\]|number|boolean|\{x: .*?; y: .*?\}) \{/g, ') {')
    .replace(/isXSafeNumber: \(x: number\) => boolean,\s*isYSafeNumber: \(x: number\) => boolean/,
      'isXSafeNumber, isYSafeNumber')
    .replace(/(let|const) (\w+): [\s\S]*? = /g, '$1 $2 = ')
    .replace(
      /([(,]\s*)(\w+): (DataSeriesMetadataMap|DataSeries\[\]|PartialSeries\[\]|boolean|number|string)(?=[,)\s])/g,
      '$1$2')
    .replace(/enum State \{[^}]*\}/, 'const State = {NATURAL: 0, REAL: 1, EXPONENT_SIGN: 2, EXPONENT: 3};')
    .replaceAll(']!.', '].').replace('yPoints.sort(d3.ascending)', 'yPoints.sort((a, b) => a - b)');
  return code;
};
const of = (file, ...names) => names.map(n => bare(take(webapp(file), n))).join('\n');
const code = of('widgets/line_chart_v2/data_transformer.ts', 'classicSmoothing')
  + of('widgets/line_chart_v2/line_chart_internal_utils.ts', 'computeDataSeriesExtent')
  + of('metrics/views/card_renderer/utils.ts', 'partitionSeries')
  + of('metrics/utils.ts', 'compareTagNames', 'consumeNumber', 'isDigit', 'isBreak');
const peer = new Function(code +
  '; return {classicSmoothing, computeDataSeriesExtent, partitionSeries, compareTagNames};')();

const SMOOTHING = 0.6; // TensorBoard's
const short = v => Number(v.toPrecision(9));
const golden = {};
for (const name of ['pytorch', 'tensorflow', 'demo']) {
  const { scalars } = JSON.parse(fs.readFileSync(path.join(here, '../../../../shared/dump/testdata', name + '.json'),
    'utf8'));
  const tags = [...new Set(Object.values(scalars).flatMap(Object.keys))].sort(peer.compareTagNames);
  const cards = {};
  for (const tag of tags) {
    const partial = Object.keys(scalars).filter(r => scalars[r][tag]).map(runId => ({
      runId,
      points: scalars[runId][tag].map(([wall, step, y]) => ({ x: step, step, wallTime: wall * 1000, y: Number(y) })),
    }));
    const parts = peer.partitionSeries(partial).map(s => ({ ...s, id: s.seriesId }));
    const smoothed = await peer.classicSmoothing(parts, SMOOTHING);
    const shown = Object.fromEntries(parts.map(s => [s.id, { visible: true }]));
    const { y } = peer.computeDataSeriesExtent(smoothed, shown, true, Number.isFinite, Number.isFinite);
    cards[tag] = { extent: y?.map(short) ?? null, runs: {} };
    parts.forEach((s, k) => {
      // A run that begins anew has several parts; each is told by itself.
      (cards[tag].runs[s.runId] ??= []).push(
        s.points.map(
          (p, i) => [p.step, Number.isFinite(smoothed[k].points[i].y) ? short(smoothed[k].points[i].y) : null,
            Math.round(p.wallTime - s.points[0].wallTime)]));
    });
  }
  golden[name] = { tags, cards };
}
process.stdout.write(
  JSON.stringify(golden).replaceAll('"cards":', '\n"cards":').replaceAll('{"extent"', '\n{"extent"') + '\n');
