// The dialogs in which the layout of custom scalars is edited. What the layout is, which
// tags a chart shows, and where it is kept, is Go's (wasm/card/customscalars): ask(name, what)
// asks for it or says what the user made. Texts become text nodes, never HTML.
'use strict';
(() => {
  const open = (name, ask, ended) => {
    const answer = tbKit.asks(ask), about = answer('about'), editor = new Editor(about, answer);
    if (name === 'hide' || name === 'delete') {
      editor.act(name, about.at);
      ended();
      return { remove() {} };
    }
    return name === 'chart' ? editor.chart(about.at, ended) : name === 'export' ? L.export(editor, ended)
      : editor.outline(ended);
  };

  const { make, iconButton } = tbKit;
  const button = (text, onclick, more = {}) => make('button',
    { className: 'button', type: 'button', onclick, ...more }, text);
  const focus = e => /** @type {HTMLElement} */ (e)?.focus();
  const check = (label, checked, onchange, name) => make('label', { className: 'check' },
    make('input', { type: 'checkbox', checked, onchange, 'aria-label': name }), make('span', {}, label));
  const field = (name, ...kids) => make('div', { className: 'field' }, make('span', { className: 'field-name' }, name),
    ...kids);

  const dialog = (title, ended, ...kids) => {
    const d = make('dialog', { className: 'dialog lay', 'aria-label': title },
      make('div', { className: 'dialog-head' }, make('h2', {}, title), iconButton('x', 'Close', () => d.close())),
      ...kids);
    d.addEventListener('close', () => { d.remove(); ended?.(); });
    // On the backdrop, not on the edge, and not where a text was selected from.
    const beside = e => {
      const b = d.getBoundingClientRect(), { target, clientX: x, clientY: y } = e;
      return target === d && (x < b.left || x >= b.right || y < b.top || y >= b.bottom);
    };
    let began = false;
    d.addEventListener('pointerdown', e => { began = beside(e); });
    d.addEventListener('click', e => { if (began && beside(e)) d.close(); });
    document.body.append(d);
    d.showModal();
    return d;
  };

  const NAMED = 6;   // tags that a preview names
  const LISTED = 50; // tags that are offered at a time
  const named = title => title.trim() || 'Untitled';
  const exactly = tag => tag.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';

  // Editor is one opening of a dialog, and of those that it opens.
  class Editor {
    constructor(about, ask) {
      this.ask = ask;
      this.tags = about.tags ?? [];
      this.before = []; // edits to go back to
      this.take(about.edit);
      this.edited = about.edited;
    }

    take(edit) {
      this.edit = { categories: edit.categories ?? [], gone: edit.gone ?? [] };
      for (const c of this.edit.categories) c.charts ??= [];
      this.ids = this.idsOf();
      this.saved = JSON.stringify(this.edit);
    }

    // idsOf are the names of all charts' cards, which are Go's.
    idsOf() {
      const ids = this.ask('ids', { Edit: this.edit });
      return new Map(this.edit.categories.flatMap((c, i) => c.charts.map((chart, k) => [chart, ids[i][k]])));
    }

    // save hands on what was changed, and which cards have other names now.
    save(Text) {
      const text = JSON.stringify(this.edit), ids = this.idsOf(), Moved = [];
      if (text === this.saved) return;
      for (const [chart, id] of ids) {
        if (this.ids.has(chart) && this.ids.get(chart) !== id) Moved.push([this.ids.get(chart), id]);
      }
      this.before.push([this.saved, Moved.map(([a, b]) => [b, a]), this.edited]);
      this.ask('save', { Edit: this.edit, Moved, Text });
      this.ids = ids;
      this.saved = text;
      this.edited = true;
      this.drawn?.();
    }

    // act hides or deletes a chart.
    act(name, at) {
      const c = at && this.edit.categories[at[0]], chart = c?.charts[at[1]];
      if (!chart) return;
      if (name === 'hide') chart.hidden = true; else this.remove(c, chart);
      this.save((name === 'hide' ? 'Hidden: ' : 'Deleted: ') + named(chart.title));
    }

    undo() {
      const [text, Moved, edited] = this.before.pop();
      const edit = JSON.parse(text);
      this.ask('save', { Edit: edited ? edit : {}, Moved });
      this.take(edit);
      this.edited = edited;
      this.drawn?.();
    }

    // remove takes a chart out, for good if it was logged.
    remove(c, chart) {
      c.charts.splice(c.charts.indexOf(chart), 1);
      if (chart.from) this.edit.gone.push(chart.from);
    }

    // chart is the dialog about one chart, [its category, its number], or a new one.
    chart(at, ended, into = 0) {
      const all = this.edit.categories, old = at && all[at[0]].charts[at[1]], category = at ? all[at[0]] : all[into];
      const lines = [...old?.lines ?? []], margins = (old?.margins ?? []).map(m => ({ ...m }));
      let bands = margins.length > 0;
      const input = (label, value, more = {}) => make('input',
        { className: 'text-field', type: 'text', value, 'aria-label': label, autocomplete: 'off', spellcheck: false,
          ...more });
      const title = input('Title', old?.title ?? '', { placeholder: 'Title' });
      const group = input('Category', category?.title ?? '', { placeholder: 'Mine', list: 'lay-categories' });
      const parts = make('div', { className: 'lay-parts' }),
        said = make('div', { className: 'lay-said', role: 'status' });
      const save = button(old ? 'Save' : 'Make the chart', null, { className: 'button primary' });
      const content = () => bands ? { lines: [], margins: margins.filter(m => m.value) }
        : { lines: lines.filter(t => t), margins: [] };
      const shown = chart => this.ask('shown', { Chart: { title: 'x', ...chart } });
      const list = tags => tags.slice(0, NAMED).join(', ') +
        (tags.length > NAMED ? ` and ${tags.length - NAMED} more` : '');
      // preview says what the chart would show.
      const preview = () => {
        const what = content(), none = what.lines.length + what.margins.length === 0,
          s = none ? { Tags: [], Problems: [] } : shown(what), tags = s.Tags ?? [];
        said.replaceChildren(make('b', {},
          none ? 'Nothing chosen yet' : `${tags.length} ${tags.length === 1 ? 'tag' : 'tags'}`),
          tags.length ? ': ' + list(tags) : '',
          ...(s.Problems ?? []).map(text => make('p', { className: 'said wrong' }, text)));
        save.disabled = none;
      };
      const row = (kids, remove, name) => make('div', { className: 'pair' }, ...kids,
        iconButton('trash', name, () => { remove(); draw(); focus(parts.querySelector('input,button')); }));
      const drawLines = () => {
        const rows = lines.map((text, i) => {
          const in_ = input(`Expression ${i + 1}`, text,
            { placeholder: 'loss/(train|eval)', oninput: () => { lines[i] = in_.value; note(); preview(); pick(); } });
          const why = make('p', { className: 'said' });
          const note = () => {
            const s = lines[i] ? shown({ lines: [lines[i]], margins: [] }) : null, bad = s && !(s.Tags ?? []).length;
            why.textContent = !s ? '' : bad ? s.Problems.join(' ')
              : `${s.Tags.length} ${s.Tags.length === 1 ? 'tag' : 'tags'}: ${list(s.Tags)}`;
            why.classList.toggle('wrong', !!bad);
            if (bad) in_.setAttribute('aria-invalid', 'true'); else in_.removeAttribute('aria-invalid');
          };
          note();
          return make('div', {}, row([in_], () => lines.splice(i, 1), `Remove expression ${i + 1}`), why);
        });
        const found = make('div', { className: 'tag-list' }),
          find = input('Find tags', '', { type: 'search', placeholder: 'Find tags', oninput: () => pick() });
        const pick = () => {
          const word = find.value.toLowerCase(), hits = this.tags.filter(t => t.toLowerCase().includes(word)),
            held = /** @type {HTMLElement} */ (document.activeElement)?.dataset.tag;
          found.replaceChildren(...hits.slice(0, LISTED).map(tag => {
            const c = check(tag, lines.includes(exactly(tag)), e => {
              const i = lines.indexOf(exactly(tag));
              if (e.target.checked && i < 0) lines.push(exactly(tag)); else if (i >= 0) lines.splice(i, 1);
              const blank = lines.indexOf('');
              if (blank >= 0) lines.splice(blank, 1);
              const word = find.value;
              draw();
              /** @type {HTMLInputElement} */
              const again = parts.querySelector('[type=search]');
              again.value = word;
              again.dispatchEvent(new Event('input'));
              focus(parts.querySelector(`[data-tag=${CSS.escape(tag)}]`));
            });
            c.querySelector('input').dataset.tag = tag;
            return c;
          }), hits.length > LISTED ? make('p', { className: 'said' }, `${hits.length - LISTED} more match`) : '');
          if (held !== undefined) focus(found.querySelector(`[data-tag=${CSS.escape(held)}]`));
        };
        parts.replaceChildren(
          field('Tags that begin with what an expression says (Python\u2019s re.match)', ...rows,
            button('Add an expression',
              () => { lines.push(''); draw(); focus(parts.querySelectorAll('.pair input')[lines.length - 1]); })),
          field('Or chosen tags', find, found));
        pick();
      };
      const drawMargins = () => {
        const known = new Set(this.tags);
        const rows = margins.map((m, i) => {
          const of = (key, label) => input(`${label} of margin ${i + 1}`, m[key],
              { placeholder: label, list: 'lay-tags', oninput: e => {
            m[key] = e.target.value;
            if (key === 'value' && known.has(m.value)) {
              for (const edge of ['lower', 'upper']) {
                const guess = [`${m.value}_${edge}`, `${m.value}/${edge}`, m.value.replace(/value$/, edge)].find(
                  t => t !== m.value && known.has(t));
                if (!m[edge] && guess) {
                  m[edge] = guess;
                  e.target.parentNode.querySelector(`[data-edge=${edge}]`).value = guess;
                }
              }
            }
            preview();
          }, 'data-edge': key });
          return row([of('value', 'Value'), of('lower', 'Lower'), of('upper', 'Upper')], () => margins.splice(i, 1),
            `Remove margin ${i + 1}`);
        });
        parts.replaceChildren(field('Curves with a band, each of three tags of the same steps', ...rows,
          button('Add a margin',
            () => {
              margins.push({ value: '', lower: '', upper: '' });
              draw();
              focus(parts.querySelectorAll('.pair')[margins.length - 1].firstElementChild);
            })));
      };
      const draw = () => {
        if (bands && !margins.length) margins.push({ value: '', lower: '', upper: '' });
        if (!bands && !lines.length) lines.push('');
        if (bands) drawMargins(); else drawLines();
        preview();
      };
      const kind = make('div', { className: 'choice', role: 'radiogroup', 'aria-label': 'Kind of chart' },
        ...[{ label: 'Lines', on: false }, { label: 'Values with margins', on: true }].map(({ label, on }) =>
        make('label', {},
          make('input',
            { type: 'radio', name: 'lay-kind', checked: bands === on, onchange: () => { bands = on; draw(); } }),
            make('span', {}, label))));
      const d = dialog(old ? 'Change the chart' : 'New chart', ended,
        make('datalist', { id: 'lay-categories' }, ...all.map(c => make('option', { value: c.title }))),
        make('datalist', { id: 'lay-tags' }, ...this.tags.slice(0, 2000).map(t => make('option', { value: t }))),
        make('div', { className: 'settings-board' },
          make('div', { className: 'lay-two' }, field('Title', title), field('Category', group)), kind, parts, said,
          make('div', { className: 'buttons' }, save)));
      save.addEventListener('click', () => {
        const { lines, margins } = content();
        const chart = old ?? { title: '' };
        const before = JSON.stringify([chart.lines ?? [], chart.margins ?? []]);
        chart.title = title.value.trim() || (old ? '' : lines[0] ?? margins[0].value);
        chart.lines = lines;
        chart.margins = margins;
        if (chart.from && JSON.stringify([lines, margins]) !== before) chart.own = true;
        const name = group.value.trim() || (old ? category.title : 'Mine');
        let to = name === category?.title ? category : all.find(c => c.title === name);
        if (!to) all.push(to = { title: name, charts: [] });
        if (to !== category || !old) {
          if (old) category.charts.splice(category.charts.indexOf(old), 1);
          to.charts.push(chart);
        }
        this.save();
        d.close();
        // It stands below all others of its category.
        if (!old) this.ask('visit', { Text: to.title, Chart: { title: chart.title } });
      });
      draw();
      (old ? title : parts.querySelector('input')).focus();
      return d;
    }

    // outline is the dialog about all of the layout.
    outline(ended) {
      const list = make('div', { className: 'lay-list' }),
        said = make('p', { className: 'visually-hidden', role: 'status' });
      const all = () => this.edit.categories;
      const total = all().reduce((n, c) => n + c.charts.length, 0);
      const shut = new Set(total > 300 ? all() : []); // so many lines are made when they are wanted
      const undo = button('Undo', () => this.undo()), reset = button('As logged', () => {
        this.before.push([this.saved, [], this.edited]);
        this.ask('save', { Edit: {} });
        this.take(JSON.parse(JSON.stringify(this.ask('about', {}).edit)));
        this.edited = false;
        this.drawn();
      }, { title: 'Drop all of your changes' });
      const change = then => { then(); this.save(); };
      // move puts a chart, or a category, before another one, or at the end.
      const move = (from, item, to, before) => change(() => {
        if (item === before) return;
        from.splice(from.indexOf(item), 1);
        to.splice(before ? to.indexOf(before) : to.length, 0, item);
        said.textContent = `${named(item.title)} is now ${to.indexOf(item) + 1} of ${to.length}`;
      });
      // byKeys moves what a grip is of; a chart goes on into the next category.
      const byKeys = (e, c, chart) => {
        const way = { ArrowUp: -1, ArrowDown: 1 }[e.key], cats = all(), ci = cats.indexOf(c);
        if (!way) return;
        e.preventDefault();
        if (!chart) {
          const to = ci + way;
          if (to < 0 || to >= cats.length) return;
          move(cats, c, cats, way < 0 ? cats[to] : cats[to + 1]);
        } else {
          const i = c.charts.indexOf(chart), to = i + way;
          if (to >= 0 && to < c.charts.length)
            move(c.charts, chart, c.charts, way < 0 ? c.charts[to] : c.charts[to + 1]);
          else {
            const next = cats[ci + way];
            if (!next) return;
            shut.delete(next);
            move(c.charts, chart, next.charts, way > 0 ? next.charts[0] : undefined);
          }
        }
        grips.get(chart ?? c)?.focus();
      };
      let grips = new Map(), drag = null;
      const grip = (c, chart) => {
        const g = iconButton('grip', `Move ${named((chart ?? c).title)}`, null, {
          onkeydown: e => byKeys(e, c, chart),
          onpointerdown: e => {
            g.setPointerCapture(e.pointerId);
            drag = { c, chart, line: g.closest('.lay-line') };
            drag.line.classList.add('dragged');
          },
          onpointermove: e => {
            if (!drag) return;
            const line = document.elementFromPoint(e.clientX, e.clientY)?.closest('.lay-line');
            list.querySelectorAll('.lay-over').forEach(x => x.classList.remove('lay-over'));
            drag.over = line && line !== drag.line && (drag.chart || !line.lay.chart) ? line : null;
            drag.over?.classList.add('lay-over');
          },
          onpointerup: () => {
            const { c: from, chart: item, over, line } = drag ?? {};
            drag = null;
            line?.classList.remove('dragged');
            list.querySelectorAll('.lay-over').forEach(x => x.classList.remove('lay-over'));
            if (!over) return;
            const to = over.lay.c;
            if (!item) move(all(), from, all(), to);
            else move(from.charts, item, to.charts, over.lay.chart ?? to.charts[0]);
          },
          onpointercancel: () => { drag?.line.classList.remove('dragged'); drag = null; },
        });
        g.classList.add('grip');
        grips.set(chart ?? c, g);
        return g;
      };
      const name = (of, label) => make('input',
        { className: 'text-field', type: 'text', value: of.title, 'aria-label': label, placeholder: 'Untitled',
          onchange: e => change(() => { of.title = e.target.value.trim(); }) });
      const chartLine = (c, ci, chart, k) => {
        const line = make('div', { className: 'lay-line lay-chart' + (chart.hidden ? ' lay-hidden' : '') },
          grip(c, chart), name(chart, `Title of ${named(chart.title)}`),
          make('span', { className: 'quiet' },
            (chart.lines?.length ? chart.lines : (chart.margins ?? []).map(m => m.value)).join('  ')),
          check('Shown', !chart.hidden,
            e => change(() => { if (e.target.checked) delete chart.hidden; else chart.hidden = true; }),
            `Show ${named(chart.title)}`),
          iconButton('edit', `Change ${named(chart.title)}`, () => this.chart([ci, k])),
          iconButton('trash', `Delete ${named(chart.title)}`, () => change(() => this.remove(c, chart))));
        line.lay = { c, chart };
        return line;
      };
      this.drawn = () => {
        grips = new Map();
        const top = list.scrollTop, held = document.activeElement?.getAttribute('aria-label'),
          inside = list.contains(document.activeElement);
        list.replaceChildren(...all().flatMap((c, ci) => {
          const open = !shut.has(c);
          const line = make('div', { className: 'lay-line lay-category' }, grip(c),
            name(c, `Title of category ${named(c.title)}`),
            make('button',
              { className: 'text-button', type: 'button', 'aria-expanded': String(open),
                onclick: () => { if (!shut.delete(c)) shut.add(c); this.drawn(); } },
                `${c.charts.length} ${c.charts.length === 1 ? 'chart' : 'charts'}`),
            check('Folded', !!c.closed, e => change(() => { c.closed = e.target.checked; }), `Fold ${named(c.title)}`),
            iconButton('trash', `Delete category ${named(c.title)}`,
              () => change(
                () => {
                  for (const chart of [...c.charts]) this.remove(c, chart);
                  all().splice(all().indexOf(c), 1);
                })));
          line.lay = { c };
          return [line, ...open ? c.charts.map((chart, k) => chartLine(c, ci, chart, k)) : []];
        }));
        if (!all().length) list.append(make('p', { className: 'quiet' }, 'No charts yet.'));
        list.scrollTop = top;
        undo.disabled = !this.before.length;
        reset.disabled = !this.edited;
        if (inside && held) focus(list.querySelector(`[aria-label=${CSS.escape(held)}]`));
      };
      const d = dialog('Layout', ended,
        make('div', { className: 'lay-bar' }, button('New chart…', () => this.chart(null, null)),
            button('New category', () => change(() => {
          let title = 'New category';
          for (let n = 2; all().some(c => c.title === title); n++) title = `New category ${n}`;
          all().push({ title, charts: [] });
        })), undo, reset, button('Export…', () => L.export(this, null))),
        list, said,
        make('p', { className: 'said' },
          'Drag by the dots, or move with ↑ ↓ on them. What you change is part of your profile.'));
      this.drawn();
      return d;
    }
  }
  const L = globalThis.tbLayout = Object.assign(open, { button, dialog, export: null });

  const css = new CSSStyleSheet();
  css.replaceSync(`
.dialog.lay { width: min(720px, calc(100vw - 24px)); }
.lay .text-field { min-width: 60px; text-overflow: ellipsis; }
.lay .field > .button { justify-self: start; }
.lay-bar, .lay .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 10px; }
.lay .buttons { justify-content: flex-end; margin: 0; }
.lay-list { display: grid; gap: 2px; max-height: min(60vh, 560px); overflow: auto; }
.lay-line { display: flex; align-items: center; gap: 6px; padding: 2px 4px; border-radius: 6px; min-width: 0; }
.lay-line .grip { margin: 0; flex: none; }
.lay-line .text-field { height: 28px; border-color: transparent; background: transparent; }
.lay-line .text-field:hover, .lay-line .text-field:focus { border-color: var(--edge); background: var(--field); }
.lay-category .text-field { font-weight: 600; }
.lay-category:not(:first-child) { margin-top: 10px; }
.lay-chart { padding-left: 26px; }
.lay-chart .quiet {
  flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 12px;
}
.lay-hidden .text-field, .lay-hidden .quiet { opacity: .7; text-decoration: line-through; }
.lay-line .check { flex: none; }
.lay-over { box-shadow: 0 -3px 0 0 var(--accent); }
.lay-two { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.lay-two .text-field, .lay-parts [type=search] { width: 100%; }
.lay-parts { display: grid; gap: 14px; }
.lay-parts .pair { margin-bottom: 4px; }
.lay-parts .tag-list { max-height: 24vh; margin-top: 4px; }
.lay-said { overflow-wrap: anywhere; }
.lay textarea {
  width: 100%; height: 220px; font: 12px/1.5 var(--mono, monospace); padding: 8px 10px; resize: vertical;
  white-space: pre;
}
@media (max-width: 600px) {
  .lay-two { grid-template-columns: 1fr; }
  .lay-chart .quiet { display: none; }
  .lay-chart { padding-left: 10px; }
  .lay-parts .pair { flex-wrap: wrap; }
}
`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, css];
})();
