// Arrows that are dragged (mode "drag"), and weights while d_head grows (mode "width").
touch.picture((root, data, touch) => (data.mode === 'drag' ? dragQuery : dragWidth)(root, data, touch));

const COLOURS = ['#0072b2', '#009e73', '#a6611a'];
const readable = colour => `color-mix(in srgb,${colour} 62%,currentColor)`;

function dragQuery(root, data, { svg, el, set, number }) {
  const SIDE = 320, UNIT = 84, MIDDLE = 130, LIMIT = 1.9; // pixels; the origin is to the lower left of the middle
  const toX = x => MIDDLE + x * UNIT, toY = y => SIDE - MIDDLE - y * UNIT;
  const clamp = value => Math.max(-1.4, Math.min(LIMIT, value));
  const round = value => Math.round(value * 20) / 20; // steps of 0.05
  const state = { keys: data.keys.map(key => [...key]), query: [...data.query], masked: [...data.masked], times: 1,
    subtract: true };
  const redraw = touch.frames(draw);

  // the plane
  const plane = svg('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, width: SIDE, height: SIDE, role: 'group',
    'aria-label': 'Plane with the query and three keys' });
  plane.append(svg('rect', { x: 1, y: 1, width: SIDE - 2, height: SIDE - 2, rx: 8, fill: 'none', stroke: 'var(--line)' }));
  for (const unit of [-1, 0, 1]) plane.append(
    svg('line', { x1: toX(unit), x2: toX(unit), y1: 1, y2: SIDE - 1, stroke: 'var(--line)', 'stroke-width': unit ? 1 : 2 }),
    svg('line', { y1: toY(unit), y2: toY(unit), x1: 1, x2: SIDE - 1, stroke: 'var(--line)', 'stroke-width': unit ? 1 : 2 }));
  const arrow = (name, colour, ring, get, put) => {
    const line = svg('line', { stroke: colour, 'stroke-width': ring ? 3 : 4, 'stroke-dasharray': ring ? '7 5' : 'none' });
    const grip = svg('circle', { r: 20, fill: 'transparent' }); // a finger needs more room than the dot
    const head = svg('circle', ring ? { r: 13, fill: 'none', stroke: colour, 'stroke-width': 3 } : { r: 8, fill: colour });
    const text = svg('text', { style: `fill:${readable(colour)};font-weight:600;pointer-events:none` }, name);
    const handle = svg('g', {}, grip, head);
    touch.handle(handle, { label: name,
      move: (x, y) => { put([round(clamp((x - MIDDLE) / UNIT)), round(clamp((SIDE - MIDDLE - y) / UNIT))]); redraw(); },
      nudge: (dx, dy) => { put([round(clamp(get()[0] + dx * .1)), round(clamp(get()[1] + dy * .1))]); redraw(); },
      describe: () => get().map(value => number(value)).join(', ') });
    plane.append(line, handle, text);
    return place => {
      const [x, y] = [toX(get()[0]), toY(get()[1])];
      set(line, { x1: toX(0), y1: toY(0), x2: x, y2: y });
      for (const circle of [grip, head]) set(circle, { cx: x, cy: y });
      set(text, { x: Math.min(x + 17, SIDE - 8 - text.getComputedTextLength()), y: y + place });
    };
  };
  const arrows = data.words.map((word, k) =>
    arrow(`key ${word}`, COLOURS[k], false, () => state.keys[k], value => { state.keys[k] = value; }));
  arrows.push(arrow('query', 'currentColor', true, () => state.query, value => { state.query = value; }));

  // the table
  const rows = data.words.map((word, k) => {
    const score = el('button', { type: 'button', style: 'min-width:92px;text-align:right',
      onclick: () => { state.masked[k] = !state.masked[k]; draw(); } });
    const bar = el('div', { style: `height:16px;border-radius:3px;background:${COLOURS[k]}` });
    const weight = el('span', { style: 'font-variant-numeric:tabular-nums' });
    const line = el('div', { style: 'display:grid;grid-template-columns:40px 100px minmax(90px,190px) 46px;gap:10px;align-items:center;margin:7px 0' },
      el('b', { style: `color:${readable(COLOURS[k])}` }, word), score, bar, weight);
    return { score, bar, weight, line };
  });
  const mixed = el('div', { style: 'margin-top:10px' }), sayer = touch.sayer();
  const head = el('div', { class: 'note', style: 'display:grid;grid-template-columns:40px 100px 1fr;gap:10px' },
    el('span'), el('span', { style: 'text-align:right;padding-right:10px' }, 'score = q·k'), el('span', {}, 'weight'));
  const buttons = el('div', { class: 'row' }, touch.button('reset', () => {
    Object.assign(state, { keys: data.keys.map(key => [...key]), query: [...data.query], masked: [...data.masked] });
    if (data.big) { big.put(false, true); careful.put(true, true); }
    draw();
  }));
  const big = touch.toggle('scores × 10 000', false, on => { state.times = on ? 10000 : 1; draw(); });
  const careful = touch.toggle('subtract the maximum', true, on => { state.subtract = on; draw(); });
  if (data.big) buttons.prepend(big, careful);
  root.append(el('div', { class: 'caption' }, 'Drag the query or a key (or use the arrow keys). Click a score to mask it.'),
    el('div', { class: 'side' }, plane, el('div', { style: 'flex:1 1 330px' }, head, rows.map(row => row.line), mixed, buttons)), sayer);

  // exp in float32, as in the lessons
  const power = x => Math.fround(Math.exp(x));
  function draw() {
    const plain = state.keys.map(key => touch.dot(key, state.query) * state.times);
    const scores = plain.map((score, k) => state.masked[k] ? -Infinity : score);
    const most = state.subtract ? Math.max(...scores) : 0;
    const powers = scores.map(score => power(score - most)), total = powers.reduce((a, b) => a + b, 0);
    const weights = powers.map(value => value / total);
    const result = [0, 1].map(f => weights.reduce((sum, w, k) => sum + w * data.values[k][f], 0));
    arrows.forEach((place, k) => place(k === 3 ? 27 : -12));
    rows.forEach((row, k) => {
      const masked = state.masked[k], weight = weights[k];
      row.score.textContent = masked ? '−inf' : number(scores[k]);
      row.score.setAttribute('aria-pressed', masked);
      row.score.setAttribute('aria-label', `${data.words[k]}: ${masked ? 'masked, score minus infinity' : `score ${number(scores[k])}`}; press to ${masked ? 'unmask' : 'mask'}`);
      row.score.style.background = masked ? `repeating-linear-gradient(135deg,${touch.looks.masked} 0 3px,${touch.looks.hatch} 3px 4px)` : '';
      row.score.style.color = masked ? touch.looks.ink : '';
      row.bar.style.width = `${Number.isNaN(weight) ? 0 : 100 * weight}%`;
      row.weight.textContent = number(weight);
      row.weight.style.color = Number.isNaN(weight) ? readable(touch.looks.emphasis) : '';
    });
    const sum = weights.map((w, k) => `${number(w)}·[${data.values[k]}]`).join(' + ');
    mixed.textContent = `mixed value = ${sum} = [${result.map(value => number(value)).join(', ')}]`;
    const empty = state.masked.every(Boolean), broken = weights.some(Number.isNaN);
    sayer.say(empty ? 'All keys are masked: the weights are 0 divided by 0, which is NaN.'
      : broken ? 'e to the power of such a score is too large for float32: infinity divided by infinity is NaN.'
        : `weights: ${data.words.map((word, k) => `${word} ${number(weights[k])}`).join(', ')}; they sum to 1`);
    root.dataset.weights = weights.map(w => w.toFixed(4)).join(' ');
    root.dataset.mixed = result.map(w => w.toFixed(4)).join(' ');
  }
  draw();
}

function dragWidth(root, data, { svg, el, set, number }) {
  let seed = 1, width = 16, features;
  const WIDTH = 300, LINE = 22, redraw = touch.frames(draw);
  const roll = () => {
    const normal = touch.normals(seed), row = () => Array.from({ length: data.widest }, normal);
    features = { query: row(), keys: Array.from({ length: data.keys }, row) };
  };
  const panel = title => {
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${data.keys * LINE + 4}`, width: WIDTH, role: 'img' });
    const bars = Array.from({ length: data.keys }, (_, k) => {
      const bar = svg('rect', { x: 52, y: k * LINE + 3, height: 15, rx: 3, fill: COLOURS[0] });
      const text = svg('text', { y: k * LINE + 16 });
      picture.append(svg('text', { x: 0, y: k * LINE + 16 }, `key ${k}`), bar, text);
      return { bar, text };
    });
    const below = el('div', { class: 'note' });
    return { node: el('div', { style: 'flex:1 1 280px' }, el('div', { class: 'caption' }, title), picture, below), bars, below, picture };
  };
  const panels = [panel('softmax(q·k)'), panel('softmax(q·k / √d_head)')], sayer = touch.sayer();
  root.append(el('div', { class: 'row' },
    touch.slider({ label: 'd_head', min: 1, max: data.widest, value: width, change: value => { width = value; redraw(); } }),
    touch.button('draw another q and keys', () => { seed += 1; roll(); draw(); })),
  el('div', { class: 'side' }, panels.map(one => one.node)), sayer);
  function draw() {
    const scores = features.keys.map(key => touch.dot(key.slice(0, width), features.query.slice(0, width)));
    const both = [scores, scores.map(score => score / Math.sqrt(width))].map((row, p) => {
      const weights = touch.softmax(row), { bars, below, picture } = panels[p];
      weights.forEach((weight, k) => {
        set(bars[k].bar, { width: Math.max(.5, weight * (WIDTH - 110)) });
        bars[k].text.textContent = number(weight);
        set(bars[k].text, { x: 58 + weight * (WIDTH - 110) });
      });
      below.textContent = `scores from ${number(Math.min(...row))} to ${number(Math.max(...row))}`;
      picture.setAttribute('aria-label', `weights ${weights.map(weight => number(weight)).join(', ')}`);
      return Math.max(...weights);
    });
    sayer.say(`largest weight at d_head ${width}: ${number(both[0])} without the root, ${number(both[1])} with it`);
    root.dataset.largest = both.map(value => value.toFixed(4)).join(' ');
  }
  roll();
  draw();
}
