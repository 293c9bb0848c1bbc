// Numbers as text, and where an axis has its ticks. TensorBoard's formats, so
// that a value reads the same here and there. Pure functions.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // trim drops zeros behind the point: "1.20e+4" -> "1.2e+4", "0.500" -> "0.5".
  const trim = s => s.includes('.') ? s.replace(/\.?0+(?=e|$)/, '') : s;

  // group sets thousands apart: "1234.5" -> "1,234.5".
  const group = s => s.replace(/^(-?)(\d{4,})/, (_, sign, digits) => sign + digits.replace(/\B(?=(\d{3})+$)/g, ','));

  // num writes a value with at most `digits` significant digits. With four, as an axis
  // has them at first, it is scientific outside 0.001…10,000, as in TensorBoard; with
  // more, only where the digits would not fill the places.
  P.num = (v, digits = 4) => {
    if (v === 0) return '0';
    if (Number.isNaN(v)) return 'NaN';
    if (!Number.isFinite(v)) return v > 0 ? '∞' : '-∞';
    const a = Math.abs(v);
    if (a >= 10000 && digits > 4 && a < 10 ** Math.min(digits + 3, 15)) {
      return group(trim(v.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(a))))));
    }
    if (a >= 10000 || a < 0.001) return trim(v.toExponential(digits <= 4 ? 2 : digits - 1));
    return group(String(+v.toPrecision(digits)));
  };

  // exact writes every digit that a value has: the fewest that a reader turns back into
  // the same number, in the precision in which it was logged.
  P.exact = v => {
    if (!Number.isFinite(v) || Number.isInteger(v) && Math.abs(v) < 1e15 || Math.fround(v) !== v) {
      return Number.isFinite(v) ? String(v) : P.num(v);
    }
    for (let d = 1; d < 9; d++) { const t = +v.toPrecision(d); if (Math.fround(t) === v) return String(t); }
    return String(+v.toPrecision(9));
  };
  const length = v => { // significant digits of exact(v)
    const t = P.exact(Math.abs(v)).replace(/e.*$/, '').replace('.', '').replace(/^0+/, '');
    return Math.max(1, t.length);
  };

  // values writes numbers that are compared: with as many digits as tell each from those
  // that it is compared with, but never more than it has. beside(i) lists further ones
  // that number i must not look like. Whole numbers are written whole.
  P.values = (list, beside = i => []) => {
    const fine = list.filter(Number.isFinite).sort((a, b) => a - b);
    let digits = 4;
    const apart = (a, b) => {
      while (digits < 17 && a !== b && Number.isFinite(b) && a.toPrecision(digits) === b.toPrecision(digits)) digits++;
    };
    for (let i = 1; i < fine.length; i++) apart(fine[i - 1], fine[i]);
    list.forEach((v, i) => { if (Number.isFinite(v)) for (const b of beside(i)) apart(v, b); });
    return list.map(v => {
      if (!Number.isFinite(v)) return P.num(v);
      const own = length(v), whole = Number.isInteger(v) && Math.abs(v) < 1e15;
      return P.num(v, whole ? Math.max(5, String(Math.abs(v)).length) : Math.max(4, Math.min(digits, own)));
    });
  };

  // pads are what numbers of a column have less than others behind their points: it is drawn
  // unseen after them, so that the points stand below each other. Where not all have so much
  // room, in characters, none has any.
  P.pads = (texts, room = Infinity) => {
    const own = texts.map(t => t.split('.')[1]?.length ?? -1), most = Math.max(...own),
      whole = Math.max(...texts.map(t => t.split('.')[0].length));
    if (most < 0 || most > 8 || whole + 1 + most > room || !texts.every(t => /^[-+≈ \d.,]*$/.test(t))) {
      return texts.map(() => '');
    }
    return own.map((n, i) => n === most || !texts[i] ? '' : (n < 0 ? '.' : '') + '0'.repeat(most - Math.max(n, 0)));
  };

  // beside are the values before and behind the one at i.
  P.beside = (ys, i) => [ys[i - 1], ys[i + 1]].filter(v => v !== undefined);

  // short makes names fit into `most` characters so that what differs looks different, by
  // shared/names, which Go calls for it. The same names are asked for at each move.
  const shorts = new Map();
  P.short = (names, most) => {
    if (!names.some(n => n.length > most) || !P.shorten) return names;
    const key = most + JSON.stringify(names);
    if (!shorts.has(key)) {
      if (shorts.size > 50) shorts.clear();
      const texts = JSON.parse(P.shorten(JSON.stringify(names), most));
      texts.common = texts.pop(); // what all have, which was left out
      shorts.set(key, texts);
    }
    return shorts.get(key);
  };

  // step writes a step with its thousands apart and at most four decimals.
  P.step = v => Math.abs(v) < 1e21 ? group(trim(v.toFixed(4))) : P.num(v);

  // stepTick is short: 1,500 but 12k and 1.23M. Seven digits tell most ticks apart, and come
  // out short for round ones; tickStep has as many more as it is asked for beyond four. most
  // is the greatest on the axis, whose unit all of them have.
  P.tickStep = (v, digits, most = Math.abs(v)) => {
    const a = Math.abs(v);
    if (most < 10000 && (a >= 0.001 || a === 0)) return group(trim(v.toFixed(digits - 1)));
    if (a < 0.001 && most < 10000) return trim(v.toExponential(digits - 2));
    if (v === 0) return '0';
    const e = Math.min(4, Math.floor(Math.log10(most) / 3 + 1e-12));
    return group(String(+(v / 10 ** (3 * e)).toPrecision(digits + 3))) + ['', 'k', 'M', 'G', 'T'][e];
  };
  P.stepTick = v => P.tickStep(v, 4);

  // tickNum writes numbers of an axis, all in one form: as they are, or as powers of ten
  // where the greatest or the least that is not 0 would be long, and not all of its digits count.
  P.tickNum = (v, digits, most = Math.abs(v), least = Math.abs(v)) => {
    if (!Number.isFinite(v) || v === 0) return P.num(v);
    if (most >= 1e6 && !(digits > 5 && most < 1e15) || least < 0.999e-4) {
      return trim(
        v.toExponential(Math.max(2,
          Math.min(15, digits - 1 - Math.floor(Math.log10(most)) + Math.floor(Math.log10(Math.abs(v)))))));
    }
    const a = Math.abs(v),
      places = Math.max(0, Math.min(17, digits - 1 - Math.floor(Math.log10(Math.min(most, a * 1e9)))));
    return group(trim(v.toFixed(Math.max(places, a < 1 ? Math.min(17, 1 - Math.floor(Math.log10(a))) : 0))));
  };

  /** @type {[name: string, seconds: number][]} */
  const units = [['ms', 0.001], ['s', 1], ['min', 60], ['h', 3600], ['d', 86400], ['yr', 31557600]];
  const unitOf = s => {
    const a = Math.abs(s);
    if (a === 0) return units[1];
    let u = units[0];
    for (const x of units) if (a >= x[1]) u = x;
    return u;
  };
  // duration writes seconds: "0.4 s", "1 h 12 min". tickDuration has a further unit for each
  // digit that it is asked for beyond four, and then decimals of a second.
  P.tickDuration = (s, digits) => {
    if (!Number.isFinite(s)) return P.num(s);
    const [name, len] = unitOf(s), first = ['d', 'h', 'min'].indexOf(name);
    if (first < 0) return P.num(s / len, digits) + ' ' + name;
    const last = first + digits - 3, parts = ['d', 'h', 'min', 's'].slice(first, last + 1),
      part = 10 ** Math.max(0, last - 3);
    const size = [86400, 3600, 60, 1], least = size[Math.min(last, 3)] / part;
    let total = Math.round(Math.abs(s) / least);
    const texts = parts.map((unit, i) => {
      const each = Math.round(size[first + i] / least), n = unit === 's' ? total / part : Math.floor(total / each);
      total -= Math.floor(total / each) * each;
      return n || i === 0 ? String(+n.toFixed(9)) + ' ' + unit : '';
    });
    return (s < 0 ? '-' : '') + texts.filter(Boolean).join(' ');
  };
  P.duration = s => P.tickDuration(s, 4);

  /**
   * A browser's first such format takes it 10 ms, so none is made before it writes something.
   * @param {Intl.DateTimeFormatOptions} options
   */
  const times = options => {
    let format;
    return s => (format ??= new Intl.DateTimeFormat(undefined, options)).format(s * 1000);
  };
  const timeText = times({ dateStyle: 'medium', timeStyle: 'medium' });
  // time writes seconds since 1970 in the reader's own zone.
  P.time = s => Math.abs(s) <= 8.64e12 ? timeText(s) : P.num(s);
  // warm makes that format when charts have been on the screen for a while: the first move of a
  // pointer over one need not wait for it.
  let warm;
  P.warm = () => { warm ??= setTimeout(P.time, 1000, 0); };

  // clockText writes them as a field for date and time has it, in the reader's zone;
  // clockTime reads that.
  P.clockText = s => {
    const d = new Date(s * 1000);
    return Number.isNaN(+d) ? '' : new Date(+d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
  };
  P.clockTime = text => +new Date(text) / 1000;

  const dayText = times({ month: 'short', day: 'numeric' }), yearText = times({ month: 'short', year: 'numeric' });
  /** @type {Intl.DateTimeFormatOptions} */
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const minuteText = times(clock), secondText = times({ ...clock, second: '2-digit' });
  // timeTicks writes calendar ticks, `step` seconds apart: the time, and the day
  // below the first and wherever it changes, with the year the first time and where that does.
  P.timeTicks = (at, step) => {
    let day = '', year = 0;
    return at.map(s => {
      if (step >= 28 * 86400) return yearText(s);
      const now = new Date(s * 1000).getFullYear(), other = now !== year;
      year = now;
      if (step >= 86400) return dayText(s) + (other ? '\n' + now : '');
      const today = dayText(s) + (other ? ', ' + now : '');
      const time = step < 1 ? P.num(s % 60, 5) + ' s' : (step < 60 ? secondText : minuteText)(s);
      const text = !other && today === day ? time : time + '\n' + today;
      day = dayText(s);
      return text;
    });
  };

  // increment is d3's: 1, 2 or 5 times a power of ten, about `count` of them in
  // the range; negative n stands for 1/-n, to keep decimals exact.
  P.increment = (lo, hi, count) => {
    const raw = (hi - lo) / Math.max(1, count), power = Math.floor(Math.log10(raw)), err = raw / 10 ** power;
    const f = err >= Math.sqrt(50) ? 10 : err >= Math.sqrt(10) ? 5 : err >= Math.SQRT2 ? 2 : 1;
    return power >= 0 ? f * 10 ** power : -(10 ** -power) / f;
  };

  // ticks lists d3's linear ticks in lo…hi. Adding 0 turns -0, which would be
  // written so, into 0.
  P.ticks = (lo, hi, count) => {
    if (!(hi > lo) || !Number.isFinite(hi - lo)) return [lo];
    const inc = P.increment(lo, hi, count), out = [];
    if (inc === 0 || !Number.isFinite(inc)) return [lo];
    if (inc > 0) for (let i = Math.ceil(lo / inc), n = Math.floor(hi / inc); i <= n; i++) out.push(i * inc + 0);
    else for (let i = Math.ceil(lo * -inc), n = Math.floor(hi * -inc); i <= n; i++) out.push(i / -inc + 0);
    return out;
  };

  // nice widens lo…hi to whole ticks, as d3's scales do.
  P.nice = (lo, hi, count = 10) => {
    let last = NaN;
    for (let k = 0; k < 10 && hi > lo; k++) {
      const inc = P.increment(lo, hi, count);
      if (inc === last || inc === 0 || !Number.isFinite(inc)) break;
      if (inc > 0) { lo = Math.floor(lo / inc) * inc; hi = Math.ceil(hi / inc) * inc; }
      else { lo = Math.floor(lo * -inc) / -inc; hi = Math.ceil(hi * -inc) / -inc; }
      last = inc;
    }
    return [lo, hi];
  };

  // tickDigits is how many significant digits tell neighbouring ticks apart.
  P.tickDigits = ticks => {
    if (ticks.length < 2) return 4;
    const d = Math.abs(ticks[1] - ticks[0]), m = Math.max(Math.abs(ticks[0]), Math.abs(ticks[ticks.length - 1]));
    if (!(d > 0) || !(m > 0)) return 4;
    return Math.min(15, Math.max(4, Math.floor(Math.log10(m)) - Math.floor(Math.log10(d) + 1e-9) + 1));
  };

  // logTicks lists values for lo…hi given as powers of ten: every decade, then
  // 2 and 5 while there is room, and plain ticks within one decade.
  P.logTicks = (lo, hi, count) => {
    const span = hi - lo;
    // 10 ** log10(20) is more than 20
    if (span < 1.2) return P.ticks(10 ** lo * (1 - 1e-12), 10 ** hi * (1 + 1e-12), count).filter(v => v > 0);
    const out = [], every = Math.max(1, Math.ceil(span / count)), steps = span * 3 <= count * 1.6 ? [1, 2, 5] : [1];
    for (let e = Math.floor(lo / every) * every; e <= hi; e += every)
      for (const s of steps) {
        const v = s * 10 ** e, m = Math.log10(v);
        if (m >= lo - 1e-9 && m <= hi + 1e-9) out.push(v);
      }
    return out;
  };

  // durationTicks lists seconds that are round as minutes, hours or days.
  P.durationTicks = (lo, hi, count) => {
    const raw = (hi - lo) / Math.max(1, count);
    const inc = raw < 1 ? 0
      : [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]
      .find(s => s >= raw * 0.75);
    if (!inc) return raw < 1 ? P.ticks(lo, hi, count) : P.ticks(lo / 86400, hi / 86400, count).map(d => d * 86400);
    const out = [];
    for (let i = Math.ceil(lo / inc); i * inc <= hi; i++) out.push(i * inc + 0);
    return out;
  };
})();
