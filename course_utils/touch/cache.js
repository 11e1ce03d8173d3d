// A text is read in steps. Each step has three moments: q, k and v of the new tokens are computed; the queries
// read the keys; the queries are dropped, and keys and values stay.
touch.picture((root, data, touch) => {
  const { svg, el, set } = touch;
  const LEFT = 34, CELL = 36, ROWS = { q: 48, k: 132, v: 174 }, HEIGHT = 238;
  const COMPUTE = 1, LOOK = 2, KEEP = 3;
  const state = { run: data.runs[0], moment: 1, cached: true, kv: data.kv_heads, room: data.max_len };
  const range = n => Array.from({ length: n }, (_, k) => k), sum = list => list.reduce((a, b) => a + b, 0);
  const many = (n, name = 'token') => `${n} ${name}${n === 1 ? '' : 's'}`;
  const D = data.heads * data.head_dim, words = data.words;
  // A static cache may get more room than the text needs.
  const columns = data.max_len ? Math.min(data.most, Math.max(words.length, data.max_len) + 1) : words.length;
  const wide = Math.min(84, 500 / columns), WIDTH = LEFT + columns * wide + 6;
  let player;

  // ---- counting

  const projections = T_q => data.layers * (2 * T_q * D * D + 2 * T_q * D * state.kv * data.head_dim);
  const attentionOps = (T_q, T_k) => data.layers * 2 * T_q * T_k * D;
  const bytesOf = tokens => 2 * data.layers * state.kv * data.head_dim * tokens * data.bytes;
  const grouped = value => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
  const bytesText = bytes => {
    const unit = bytes >= 2 ** 30 ? 3 : bytes >= 2 ** 20 ? 2 : bytes >= 2 ** 10 ? 1 : 0;
    return `${Number((bytes / 1024 ** unit).toFixed(2))} ${['bytes', 'KiB', 'MiB', 'GiB'][unit]}`;
  };
  // The current step, its new tokens, the tokens cached before, and whether the step fits.
  function where() {
    let step = Math.max(0, Math.ceil(state.moment / 3) - 1), phase = state.moment && state.moment - 3 * step;
    const before = s => sum(state.run.slice(0, s));
    const refused = state.room ? state.run.findIndex((_, s) => before(s + 1) > state.room) : -1;
    const ended = refused >= 0 && state.moment > 3 * refused;
    if (ended) [step, phase] = [refused, COMPUTE];
    return { step, phase, ended, old: before(step), fresh: state.run[step] };
  }
  // Counts for one step up to a moment: multiply-adds [with the cache, without it], or for a static cache the bytes
  // written [in place, by cat], from the moment when keys and values are computed.
  const ofStep = (fresh, T_k, phase) => (data.max_len ? [fresh, T_k].map(tokens => phase ? bytesOf(tokens) : 0)
    : [fresh, T_k].map(T_q => (phase >= COMPUTE ? projections(T_q) : 0) + (phase >= LOOK ? attentionOps(T_q, T_k) : 0)));
  function counts({ step, phase, ended, old, fresh }) { // of this step, and of all so far
    const now = ofStep(fresh, old + fresh, phase);
    if (ended) now[0] = 0;
    const before = range(step).map(s => ofStep(state.run[s], sum(state.run.slice(0, s + 1)), KEEP));
    return { now, all: now.map((value, k) => value + sum(before.map(pair => pair[k]))) };
  }

  // ---- the stage

  const stage = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, role: 'img' });
  const frame = svg('rect', { x: LEFT - 2, y: ROWS.k - 7, height: 92, rx: 8, fill: 'none', stroke: 'currentColor',
    'stroke-dasharray': '5 4' });
  const frameName = svg('text', { y: ROWS.v + CELL + 26, style: 'font-size:13px' });
  const links = svg('g', { stroke: 'currentColor', 'stroke-width': 1.4, opacity: .6 });
  stage.append(frame, frameName, links);
  for (const name of 'qkv') stage.append(svg('text', { x: 4, y: ROWS[name] + 24, style: 'font-weight:600' }, name.toUpperCase()));
  const middle = j => LEFT + j * wide + wide / 2, letters = Math.floor(wide / 8.4);
  const cells = range(columns).map(j => {
    const word = words[j] === undefined ? '' : words[j];
    const short = word.length > letters ? `${word.slice(0, letters - 1)}…` : word;
    const title = svg('text', { x: middle(j), y: 18, 'text-anchor': 'middle', style: 'font-weight:600' }, short);
    title.append(svg('title', {}, word));
    const place = svg('text', { x: middle(j), y: 36, 'text-anchor': 'middle', style: 'font-size:12px;opacity:.75' }, word ? j : '');
    stage.append(title, place);
    const found = { title, place };
    for (const name of 'qkv') {
      const box = { x: LEFT + j * wide + 3, width: wide - 6, rx: 5 };
      const slot = svg('rect', { ...box, y: ROWS[name], height: CELL, fill: 'none', stroke: 'var(--line)' });
      const fill = svg('rect', { ...box, style: 'transition:opacity .35s,fill .35s' });
      const text = svg('text', { x: middle(j), 'text-anchor': 'middle', style: 'transition:opacity .35s' }, `${name}${j}`);
      stage.append(slot, fill, text);
      found[name] = { slot, fill, text };
    }
    return found;
  });
  // The filled part of a cell is the share of kv heads; its name is drawn on top.
  function show(name, j, look, lit) {
    const { slot, fill, text } = cells[j][name], share = name === 'q' ? 1 : state.kv / data.heads;
    const colour = look === 'computed' ? data.computed : data.old, high = Math.max(2, CELL * share);
    set(fill, { y: ROWS[name] + CELL - high, height: high, fill: colour });
    set(slot, { stroke: lit ? 'currentColor' : 'var(--line)', 'stroke-width': lit ? 4 : 1,
      'stroke-dasharray': look ? 'none' : '3 3' });
    set(text, { y: ROWS[name] + (share > .6 ? 23 : 14) });
    fill.style.opacity = text.style.opacity = look ? 1 : 0;
    text.style.fill = share > .6 ? (look === 'computed' ? '#fff' : touch.looks.ink) : 'currentColor';
  }

  // ---- next to the stage

  const values = {}, row = (name, label) => {
    values[name] = ['with', 'without'].map(() => el('td', {}));
    return el('tr', {}, el('th', { scope: 'row', style: 'text-align:left' }, label), values[name]);
  };
  const head = label => el('th', { scope: 'col' }, label);
  const counted = data.max_len ? 'written' : 'multiply-adds';
  const table = el('table', {}, el('tr', {}, el('td', { style: 'border-color:transparent' }),
    data.max_len ? [head('static'), head('growing (cat)')] : [head('with a cache'), head('without')]),
    row('now', `${counted}, now`), row('all', `${counted}, so far`), row('kept', 'kept for the next step'),
    data.max_len ? row('room', 'reserved') : null, data.shares ? row('long', `kept for ${data.long} tokens`) : null);
  const sayer = touch.sayer(), note = el('div', { class: 'note', style: 'margin-top:8px' });
  sayer.firstChild.style.cssText = 'min-height:3em;font-weight:600';

  function draw() {
    const at = where(), { step, phase, ended, old, fresh } = at, T = old + fresh, { now, all } = counts(at);
    const begin = state.cached ? old : 0; // the first token that this step computes
    const kept = ended ? old : phase === KEEP ? T : old;
    for (const j of range(columns)) {
      const computed = !ended && phase && phase < KEEP && j >= begin && j < T;
      const cached = state.cached && j < (phase === KEEP ? T : old);
      show('q', j, computed && 'computed', computed && phase === LOOK);
      for (const name of 'kv') show(name, j, computed ? 'computed' : cached && 'old');
      const come = phase && j < T, refused = ended && j >= old && j < T;
      cells[j].title.style.opacity = cells[j].place.style.opacity = come ? 1 : .35;
      cells[j].title.style.textDecoration = refused ? 'line-through' : '';
    }
    links.replaceChildren(...(phase === LOOK ? range(T).slice(begin).flatMap(i => range(i + 1).map(j =>
      svg('line', { x1: middle(i), y1: ROWS.q + CELL, x2: middle(j), y2: ROWS.k - 3 }))) : []));
    const slots = state.room || kept;
    set(frame, { width: Math.max(0, slots * wide + 4), opacity: state.cached && slots ? 1 : 0 });
    set(frameName, { x: LEFT });
    frameName.textContent = !state.cached || !slots ? '' : state.room ? `room for ${state.room}, ${kept} used` : `the cache, ${many(kept)}`;
    const said = text({ ...at, T, kept });
    stage.setAttribute('aria-label', said);
    sayer.say(said);
    const grown = bytesOf(phase === KEEP || ended ? T : old);
    const rows = { now, all, kept: [bytesOf(kept), data.max_len ? grown : 0], room: [bytesOf(state.room), grown],
      long: [bytesOf(data.long), 0] };
    for (const name of Object.keys(values)) rows[name].forEach((value, n) => {
      values[name][n].textContent = data.max_len || !['now', 'all'].includes(name) ? bytesText(value) : grouped(value);
    });
    const matrices = data.shares ? '(2 + 2 · kv heads / heads) · D²' : '4 D²';
    const sizes = `${many(data.layers, 'layer')}, ${many(data.heads, 'head')}, ${many(state.kv, 'kv head')}, d_head = ${data.head_dim}`;
    const kinds = `2 (K and V) · layers · kv heads · d_head · tokens · ${data.bytes} (bfloat16)`;
    note.textContent = data.max_len ? `Bytes: ${kinds}; ${sizes}. In place the new tokens are written, by cat the old ones too.`
      : `Multiply-adds of a step: layers · (T_q · ${matrices} + 2 · T_q · T_k · D), for T_q tokens that are computed and`
        + ` T_k keys; masked scores are computed, too. Bytes: ${kinds}. Here: ${sizes}, D = ${D}.`;
    Object.assign(root.dataset, { now: now.join(' '), all: all.join(' '), kept, bytes: bytesOf(kept), long: bytesOf(data.long),
      moment: state.moment, refused: ended });
  }
  function text({ step, phase, ended, old, fresh, T, kept }) {
    const names = words.slice(old, T).join(' ');
    const kind = old === 0 ? 'prefill' : fresh > 1 ? 'a chunk' : 'decode', begin = `Step ${step}, ${kind}: `;
    if (!phase) return 'Nothing is read yet. Press play.';
    if (ended) return `ValueError: ${many(fresh)} after ${old} ${fresh > 1 ? 'do' : 'does'} not fit into ${state.room}.`
      + ' Nothing has changed.';
    if (phase === COMPUTE) return state.cached ? `${begin}q, k and v of “${names}” are computed.`
      : `Step ${step}: “${names}” is new, and q, k and v of all ${many(T)} are computed.`;
    if (phase === LOOK) return `${begin}each ${state.cached ? 'new ' : ''}query reads the keys up to its own token.`;
    return state.cached ? `${begin}the ${fresh > 1 ? 'queries are' : 'query is'} gone. Keys and values of ${many(kept)} stay.`
      : `Step ${step}: everything is dropped. The next step starts over.`;
  }

  // ---- controls

  const turn = el('div', {}), redraw = touch.frames(draw);
  function rebuild() {
    state.moment = Math.min(state.moment, 3 * state.run.length);
    player = touch.player({ label: 'moment', last: 3 * state.run.length, value: state.moment, wait: 900,
      change: moment => { state.moment = moment; redraw(); }, text: moment => `${moment} of ${3 * state.run.length}` });
    player.querySelector('output').style.minWidth = '4.5em';
    turn.replaceChildren(player);
    draw();
  }
  const controls = [turn];
  if (data.runs.length > 1) controls.push(touch.choice('steps of', data.runs.map((run, k) => [k, run.join(' + ')]), 0,
    k => { state.run = data.runs[k]; rebuild(); }));
  if (!data.max_len) controls.push(touch.toggle('keep K and V', true, on => { state.cached = on; draw(); }));
  if (data.shares) controls.push(touch.slider({ label: 'kv heads', min: 0, max: data.shares.length - 1,
    value: data.shares.indexOf(state.kv), text: k => String(data.shares[k]),
    change: k => { state.kv = data.shares[k]; redraw(); } }));
  if (data.max_len) controls.push(touch.slider({ label: 'max_len', min: 1, max: columns, value: state.room,
    change: room => { state.room = room; redraw(); } }));
  root.append(el('div', { class: 'row' }, controls), sayer, el('div', { class: 'side' },
    el('div', { style: `flex:1 1 320px;max-width:${WIDTH}px` }, stage),
    el('div', { style: 'flex:1 1 300px;overflow-x:auto' }, table)), note);
  rebuild();
});
