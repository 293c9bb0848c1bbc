// The layout for others: an event file that TensorBoard reads, or words for a training script.
'use strict';
(() => {
  const L = globalThis.tbLayout, { make } = tbKit, { button, dialog } = L;

  // file is an event file with the layout, written at a time in seconds since 1970.
  L.file = (categories, now) => {
    const { double, text, message, join, record, version, layout } = tbEvents, plugin = 'custom_scalars';
    return join([version(now), record([...double(1, now), ...message(5, message(1, [
      ...text(1, plugin + '__config__'), ...layout(categories), ...message(9, message(1, text(1, plugin)))]))])]);
  };

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
