// The layout for others: an event file that TensorBoard reads, or words for a training script.
'use strict';
(() => {
  const L = globalThis.tbLayout, { make } = tbKit, { button, dialog } = L, utf8 = new TextEncoder();

  // Protocol buffers: field(n, …) is a field of bytes, flag one of a number below 128.
  const varint = n => {
    const out = [];
    for (; n > 127; n = Math.floor(n / 128)) out.push(n % 128 | 128);
    return [...out, n];
  };
  const join = parts => {
    const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of parts) { out.set(p, at); at += p.length; }
    return out;
  };
  const field = (n, value) => {
    const b = typeof value === 'string' ? utf8.encode(value) : value;
    return join([varint(n << 3 | 2), varint(b.length), b]);
  };
  const flag = (n, v) => Uint8Array.of(n << 3, v);

  // encode makes a Layout of tensorboard/plugins/custom_scalar/layout.proto.
  L.encode = categories => join(categories.map(c => field(2, join([field(1, c.title),
    ...c.charts.map(k => field(2, join([field(1, k.title), k.margins?.length
      ? field(3, join(k.margins.map(m => field(1, join([field(1, m.value), field(2, m.lower), field(3, m.upper)])))))
      : field(2, join((k.lines ?? []).map(t => field(1, t))))]))),
    c.closed ? flag(3, 1) : new Uint8Array()]))));

  // Records as event files have them, with masked CRC-32C of length and payload.
  const table = Uint32Array.from({ length: 256 },
    (_, i) => { for (let k = 0; k < 8; k++) i = i & 1 ? i >>> 1 ^ 0x82f63b78 : i >>> 1; return i; });
  const masked = bytes => {
    let c = 0xffffffff;
    for (const b of bytes) c = table[(c ^ b) & 255] ^ c >>> 8;
    c = ~c >>> 0;
    return (c >>> 15 | c << 17) + 0xa282ead8 >>> 0;
  };
  const u32 = n => Uint8Array.of(n, n >>> 8, n >>> 16, n >>> 24);
  const record = payload => {
    const size = join([u32(payload.length), u32(0)]);
    return join([size, u32(masked(size)), payload, u32(masked(payload))]);
  };
  const seconds = now => {
    const b = new Uint8Array(9);
    b[0] = 1 << 3 | 1;
    new DataView(b.buffer).setFloat64(1, now, true);
    return b;
  };

  // file is an event file with the layout, written at a time in seconds since 1970.
  L.file = (categories, now) => join([
    record(join([seconds(now), field(3, 'brain.Event:2')])),
    record(join([seconds(now), field(5, field(1, join([
      field(1, 'custom_scalars__config__'),
      field(8, join([flag(1, 7), field(2, new Uint8Array()), field(8, L.encode(categories))])), // a string
      field(9, field(1, field(1, 'custom_scalars')))])))])),
  ]);

  // texts stand in quotes that Python and text protos read alike.
  const quoted = s => '"' +
    s.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/[\u0000-\u001f\u007f]/g,
      c => '\\' + c.charCodeAt(0).toString(8).padStart(3, '0')) + '"';

  L.pbtxt =
    categories =>
    categories.map(
      c => `category {\n  title: ${quoted(c.title)}\n` +
      c.charts.map(k => `  chart {\n    title: ${quoted(k.title)}\n` + (k.margins?.length
    ? '    margin {\n' +
      k.margins.map(
        m => `      series { value: ${quoted(m.value)} lower: ${quoted(m.lower)} upper: ${quoted(m.upper)} }\n`)
        .join('') + '    }\n'
    : '    multiline {\n' + (k.lines ?? []).map(t => `      tag: ${quoted(t)}\n`).join('') + '    }\n') + '  }\n')
      .join('') + (c.closed ? '  closed: true\n' : '') + '}\n').join('');

  L.python = categories => {
    const chart = k => `        layout_pb2.Chart(title=${quoted(k.title)}, ` + (k.margins?.length
      ? 'margin=layout_pb2.MarginChartContent(series=[\n' +
        k.margins.map(
          m => `            layout_pb2.MarginChartContent.Series(value=${quoted(m.value)}, lower=${quoted(m.lower)}, ` +
            `upper=${quoted(m.upper)}),\n`).join('') + '        ])),\n'
      : `multiline=layout_pb2.MultilineChartContent(tag=[${(k.lines ?? []).map(quoted).join(', ')}])),\n`);
    return 'import tensorflow as tf\nfrom tensorboard.plugins.custom_scalar import layout_pb2, summary\n\nlayout = ' +
      'layout_pb2.Layout(category=[\n' +
      categories.map(
        c => `    ` +
        `layout_pb2.Category(title=${quoted(c.title)}, ${c.closed ? 'closed=True, ' : ''}chart=[\n` +
          `${c.charts.map(chart).join('')}    ]),\n`).join('') +
      '])\nwith tf.compat.v1.Graph().as_default(), tf.compat.v1.summary.FileWriter("logs/layout") as writer:\n    ' +
        'writer.add_summary(summary.pb(layout))\n';
  };

  // export is the dialog in which an editor's layout goes out.
  L.export = (editor, ended) => {
    const categories = editor.edit.categories.map(c => ({ ...c, charts: c.charts.filter(k => !k.hidden) }))
      .filter(c => c.charts.length);
    const forms = { python: L.python, pbtxt: L.pbtxt }, said = make('p', { className: 'said', role: 'status' });
    const text = make('textarea',
      { className: 'text-field', readOnly: true, spellcheck: false, 'aria-label': 'The layout as a text' });
    const form = make('select', { className: 'select', 'aria-label': 'Form of the text', onchange: () => draw() },
      make('option', { value: 'python' }, 'Python'), make('option', { value: 'pbtxt' }, 'Text proto'));
    const draw = () => { text.value = forms[form.value](categories); };
    draw();
    const n = categories.reduce((n, c) => n + c.charts.length, 0);
    return dialog('Export the layout', ended, make('div', { className: 'settings-board' },
      make('p', {},
        `${n} ${n === 1 ? 'chart' : 'charts'} in ` +
          `${categories.length} ${categories.length === 1 ? 'category' : 'categories'}; ` +
          'hidden ones are left out. Put the event file into a folder of its own in the logdir: ' +
          `TensorBoard shows the layouts of all runs together.`),
      make('div', { className: 'lay-bar' },
        button('Event file', () => {
          const now = Date.now() / 1000;
          tbKit.download(`events.out.tfevents.${Math.floor(now)}.layout`, '', L.file(categories, now));
        }, { className: 'button primary', disabled: !n }),
        form,
        button('Copy',
          () => (navigator.clipboard?.writeText(text.value) ?? Promise.reject()).then(
            () => { said.textContent = 'Copied'; },
            () => { text.select(); said.textContent = 'Press Ctrl C to copy it'; }), { disabled: !n })),
      text, said));
  };
})();
