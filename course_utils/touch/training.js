// The heads of a model during training, and the loss: a slider that plays moves through the saved steps.
touch.picture((root, data, touch) => {
  Promise.all(data.runs.map(run => unpack(run.packed, data)))
    .then(runs => scrub(root, data, runs, touch))
    .catch(error => { // a browser that cannot inflate keeps the still
      root.parentNode.querySelector('.touch-still').classList.remove('hidden');
      root.remove();
      if (!(error instanceof ReferenceError)) throw error;
    });
});

// Unpacks what training.py packs: {frames: a table of bytes for each step, losses}.
async function unpack(text, { steps, heads, tokens }) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = heads * tokens.length * (tokens.length + 1) / 2, end = steps.length * size, losses = [];
  for (let k = size; k < end; k += 1) all[k] += all[k - size];
  for (let k = end; k < all.length; k += 2) losses.push((all[k] + 256 * all[k + 1]) / 1000);
  return { frames: steps.map((_, f) => all.subarray(f * size, (f + 1) * size)), losses };
}

function scrub(root, data, runs, { svg, el, set, number }) {
  const T = data.tokens.length, EDGE = 15, SIDE = 176, CELL = SIDE / T, H = data.heads;
  const BLUE = '#4a86cf'; // visible on light and on dark pages
  const name = root.parentNode.dataset.touch, last = data.steps.length - 1;
  const state = { run: 0, at: last, row: null, key: null }; // at: which of the saved steps
  const redraw = touch.frames(draw);
  const place = (head, row, key) => (head * T * (T + 1) + row * (row + 1)) / 2 + key;
  const weight = (head, row, key) => runs[state.run].frames[state.at][place(head, row, key)] / 255;
  const token = i => `${data.tokens[i]} ${i}`;
  const short = data.tokens.every(text => text.length <= 2), label = i => (short ? data.tokens[i] : String(i));
  const left = short ? EDGE : 44; // room for words beside the rows
  const blues = Array.from({ length: 256 }, (_, level) => touch.weightColour(level / 255));

  // ---- the heads

  const hatch = svg('svg', { width: 0, height: 0, style: 'position:absolute', 'aria-hidden': true },
    svg('pattern', { id: `${name}-hatch`, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('rect', { width: 5, height: 5, fill: touch.looks.masked }),
      svg('rect', { width: 1, height: 5, fill: touch.looks.hatch })));
  // the border between open keys and the future: one step per row
  const stairs = Array.from({ length: T }, (_, i) => `V${(i + 1) * CELL}${i < T - 1 ? `H${(i + 2) * CELL}` : ''}`).join('');
  const heads = Array.from({ length: H }, (_, h) => {
    const cells = data.tokens.map((_, i) => data.tokens.slice(0, i + 1).map((_, j) =>
      svg('rect', { x: j * CELL, y: i * CELL, width: CELL, height: CELL, role: 'img',
        'shape-rendering': 'crispEdges', 'aria-label':
        `head ${h}, query ${token(i)}, key ${token(j)}` })));
    const size = Math.min(11, CELL + 1);
    const write = (i, x, y, anchor = 'middle', text = label(i)) =>
      svg('text', { x, y, 'text-anchor': anchor, style: `font-size:${size}px` }, text);
    const rows = data.tokens.map((_, i) => short
      ? write(i, -8, (i + .5) * CELL + size / 3) : write(i, -3, (i + .5) * CELL + size / 3, 'end', token(i)));
    const keys = data.tokens.map((_, j) => write(j, (j + .5) * CELL, SIDE + 12));
    const lit = svg('rect', { width: CELL, height: CELL, fill: 'none', stroke: touch.looks.emphasis,
      'stroke-width': 2.5, 'pointer-events': 'none' });
    const table = svg('svg', { viewBox: `${-left} 0 ${left + SIDE + 1} ${SIDE + EDGE}`, width: '100%', role: 'group',
      'aria-label': `head ${h}: rows are queries, columns are keys; arrow keys move from cell to cell` },
    svg('path', { d: `M${CELL} 0${stairs}H${SIDE}V0Z`, fill: `url(#${name}-hatch)` }), cells.flat(),
    svg('rect', { width: SIDE, height: SIDE, fill: 'none', stroke: 'currentColor', 'stroke-opacity': .4 }), rows, keys, lit);
    touch.cells(cells, { enter: (i, j) => { [state.row, state.key] = [i, j]; redraw(); } });
    const title = el('div', { class: 'caption' });
    const jobs = data.jobs.map(job => {
      const bar = el('div', { style: `height:9px;border-radius:2px;background:${BLUE}` }), share = el('span');
      const line = el('div', { style: 'font-size:13px;line-height:1.35;display:grid;grid-template-columns:5.6em 1fr 2.2em;gap:6px;align-items:center' },
        el('span', {}, job.name), bar, share);
      return { line, bar, share };
    });
    return { cells, rows, keys, lit, title, jobs, node: el('div', {}, title, table, el('div', { style: 'height:5px' }), jobs.map(job => job.line)) };
  });
  const shareOf = (head, job) => {
    const rows = data.tokens.map((_, i) => i).filter(i => i >= data.firstRow && job.keys[i] !== null);
    return rows.reduce((sum, i) => sum + weight(head, i, job.keys[i]), 0) / rows.length;
  };

  // ---- the loss

  const total = data.runs[0].steps, most = Math.max(...runs.flatMap(run => run.losses));
  const toX = step => step / total * (SIDE - 12), toY = loss => 8 + (1 - loss / most) * (SIDE - 8);
  const lossAt = step => { const { losses } = runs[state.run]; return losses[Math.min(step, losses.length - 1)]; };
  const path = upTo => 'M' + runs[state.run].losses.slice(0, upTo + 1).map((loss, step) =>
    `${toX(step).toFixed(1)} ${toY(loss).toFixed(1)}`).join('L');
  const whole = svg('path', { fill: 'none', stroke: 'currentColor', 'stroke-opacity': .35 });
  const done = svg('path', { fill: 'none', stroke: BLUE, 'stroke-width': 2.5 });
  const dot = svg('circle', { r: 6, fill: BLUE, stroke: '#fff', 'stroke-width': 1.5 });
  const every = most > 8 ? 5 : most > 3 ? 1 : most > 1 ? .5 : most / 2; // distance between tick marks
  const marks = Array.from({ length: Math.floor(most / every) + 1 }, (_, k) => k * every);
  const curve = svg('svg', { viewBox: `${-EDGE - 12} 0 ${EDGE + SIDE + 13} ${SIDE + EDGE}`, width: '100%', role: 'img',
    style: 'touch-action:none;cursor:pointer' },
  svg('path', { d: `M0 0V${SIDE}H${SIDE}`, fill: 'none', stroke: 'currentColor', 'stroke-opacity': .4 }),
  marks.map(mark => svg('text', { x: -5, y: toY(mark) + 4, 'text-anchor': 'end', style: 'font-size:11px' }, number(mark, every < 1 ? 1 : 0))),
  [0, total / 2, total].map(step => svg('text', { x: toX(step), y: SIDE + 16, 'text-anchor': 'middle', style: 'font-size:11px' }, Math.round(step))),
  whole, done, dot);
  const jump = event => { // to the saved step nearest to the pointer
    const box = curve.getBoundingClientRect(), across = (event.clientX - box.left) / box.width * (EDGE + SIDE + 13) - EDGE - 12;
    const far = data.steps.map(step => Math.abs(toX(step) - across));
    player.go(far.indexOf(Math.min(...far)));
  };
  curve.onpointerdown = event => { curve.setPointerCapture(event.pointerId); jump(event); };
  curve.onpointermove = event => { if (event.buttons) jump(event); };

  // ---- putting it together

  const player = touch.player({ label: 'training step', last, value: last, wait: 150,
    text: at => String(data.steps[at]), change: at => { state.at = at; redraw(); } });
  if (runs.length > 1) player.prepend(touch.choice('run', data.runs.map((run, k) => [k, run.name]), 0,
    chosen => { state.run = +chosen; redraw(); }));
  const sayer = touch.sayer(), lossTitle = el('div', { class: 'caption' });
  root.append(hatch, player, el('div', { style: 'display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px 16px' },
    heads.map(head => head.node), el('div', {}, lossTitle, curve)), sayer,
    el('div', { class: 'note' }, 'White 0, dark 1, hatched: the future. Click the curve to jump.' + (data.jobs.length ? ' Bars: '
      + `mean weight on what a job asks for, from row ${data.firstRow} on; a head is named when that is ${number(data.namedFrom)} or more.` : '')));

  function draw() {
    const step = data.steps[state.at], loss = number(lossAt(step), 3), named = [], shares = [];
    heads.forEach((head, h) => {
      head.cells.forEach((row, i) => row.forEach((cell, j) =>
        cell.setAttribute('fill', blues[Math.round(weight(h, i, j) * 255)])));
      const found = data.jobs.map(job => shareOf(h, job)), best = found.indexOf(Math.max(...found));
      found.forEach((share, k) => {
        head.jobs[k].bar.style.width = `${100 * share}%`;
        head.jobs[k].share.textContent = number(share);
      });
      const job = found[best] >= data.namedFrom ? data.jobs[best].name : '';
      head.title.textContent = `head ${h}${job ? `: ${job}` : ''}`;
      if (found.length) named.push(`head ${h}: ${job ? `${job} ${number(found[best])}` : 'no job of its own'}`);
      shares.push(...found);
      head.lit.style.display = state.row === null ? 'none' : '';
      if (state.row !== null) set(head.lit, { x: state.key * CELL, y: state.row * CELL });
      head.rows.forEach((text, i) => { text.style.fontWeight = i === state.row ? 700 : 400; });
      head.keys.forEach((text, j) => { text.style.fontWeight = j === state.key ? 700 : 400; });
    });
    set(whole, { d: path(total) });
    set(done, { d: path(step) });
    set(dot, { cx: toX(step), cy: toY(lossAt(step)) });
    lossTitle.textContent = `step ${step}: loss ${loss}`;
    curve.setAttribute('aria-label', `loss ${loss} at step ${step} of ${total}`);
    const here = heads.map((_, h) => state.row === null ? 0 : weight(h, state.row, state.key));
    sayer.say(state.row === null ? [`after ${step} steps: loss ${loss}`, ...named].join('; ')
      : `after ${step} steps, query ${token(state.row)} gives key ${token(state.key)}: ${here.map((value, h) => `${number(value)} in head ${h}`).join(', ')}`);
    Object.assign(root.dataset, { step, loss: lossAt(step), shares: shares.map(share => share.toFixed(4)).join(' '),
      cell: here.map(value => value.toFixed(4)).join(' ') });
  }
  draw();
}
