// Numbers that move from one shape to the next. Mode "steps": x to the heads and back, by the right view or the
// wrong one. Mode "yours": a learner's arrangement, next to the expected one.
// A stage is { code, shape, order, wanted, layout }: order[place] is the number at this place.
touch.picture((root, data, touch) => {
  const { svg, el, set } = touch;
  const WIDTH = 440, HEIGHT = 460, CELL = 34, GAP = .9, LEFT = 64, TOP = 24, STEPS = 24, LAG = .8;
  const yours = data.mode === 'yours', range = n => Array.from({ length: n }, (_, k) => k);
  const product = shape => shape.reduce((a, b) => a * b, 1);
  const written = shape => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const state = { sizes: { T: data.T, H: data.H, d_head: data.d_head }, wrong: false, at: 0, followed: null };
  let stages, places, bands, tokens, cells, unit, player;

  // ---- the stages

  // The order of a tensor (a, b, c) after its first two axes are exchanged.
  const exchanged = (order, a, b, c) => order.map((_, place) => {
    const f = place % c, j = Math.floor(place / c) % a, i = Math.floor(place / (a * c));
    return order[(j * b + i) * c + f];
  });
  function stepStages({ T, H, d_head: d }) {
    const counted = range(T * H * d), heads = exchanged(counted, T, H, d), D = H * d;
    bands = counted.map(n => Math.floor(n % D / d));
    tokens = counted.map(n => Math.floor(n / D));
    const begin = { code: 'x', shape: [T, D], order: counted, layout: 'rows' };
    if (!state.wrong) return [begin,
      { code: `.view(${T}, ${H}, ${d})`, shape: [T, H, d], order: counted, layout: 'bands' },
      { code: '.transpose(0, 1)', shape: [H, T, d], order: heads, wanted: heads, layout: 'heads' },
      { code: '.transpose(0, 1)', shape: [T, H, d], order: counted, layout: 'bands' },
      { code: `.reshape(${T}, ${D})`, shape: [T, D], order: counted, wanted: counted, layout: 'rows' }];
    const back = exchanged(counted, H, T, d);
    return [begin,
      { code: `.view(${H}, ${T}, ${d})`, shape: [H, T, d], order: counted, wanted: heads, layout: 'heads' },
      { code: '.transpose(0, 1)', shape: [T, H, d], order: back, layout: 'bands' },
      { code: `.reshape(${T}, ${D})`, shape: [T, D], order: back, wanted: counted, layout: 'rows' }];
  }
  function yoursStages() {
    ({ bands, tokens } = data);
    const end = state.wrong ? data.yours : data.wanted, same = written(end.shape) === written(data.wanted.shape);
    return [{ code: 'x', ...data.given, layout: 'tables' },
      { code: state.wrong ? `your ${data.name}` : 'what is expected', ...end, layout: 'tables',
        wanted: same ? data.wanted.order : null }];
  }

  // ---- where each place of a stage is drawn, in cells

  function lay({ shape, layout, tables }, across) {
    const columns = shape[shape.length - 1], rows = shape.length > 1 ? shape[shape.length - 2] : 1;
    const count = product(shape) / (rows * columns), labels = [];
    if (layout === 'rows' || layout === 'bands') {
      const [lines, wide, d] = layout === 'rows' ? [shape[0], shape[1], shape[1]] : [shape[0], shape[1] * shape[2], shape[2]];
      const spots = range(lines * wide).map(p => [p % wide + Math.floor(p % wide / d) * GAP * .6, Math.floor(p / wide)]);
      for (const t of range(lines)) labels.push({ x: -.3, y: t + .5, text: `token ${t}`, end: true });
      if (layout === 'bands') for (const h of range(wide / d))
        labels.push({ x: h * (d + GAP * .6) + d / 2, y: -.3, text: d > 1 ? `band ${h}` : h });
      return { spots, labels, width: wide + (wide / d - 1) * GAP * .6, height: lines };
    }
    const apart = rows + (layout === 'heads' ? GAP / 2 : GAP);
    const spots = range(product(shape)).map(p => {
      const table = Math.floor(p / (rows * columns)), inside = p % (rows * columns);
      return [table % across * (columns + GAP) + inside % columns,
        Math.floor(table / across) * apart + Math.floor(inside / columns)];
    });
    for (const table of range(count)) {
      const x = table % across * (columns + GAP), y = Math.floor(table / across) * apart;
      if (layout === 'heads') labels.push({ x: -.3, y: y + rows / 2, text: `head ${table}`, end: true });
      else if (count > 1) labels.push({ x: x + columns / 2, y: y - .3,
        text: tables ? `${tables} ${table}` : `[${indexOf(table, shape.slice(0, -2))}]` });
    }
    return { spots, labels, width: across * (columns + GAP) - GAP, height: count / across * apart - (apart - rows) };
  }
  function layBest(stage) { // choose the number of tables per row that makes the cells largest
    if (stage.layout !== 'tables') return lay(stage, 1);
    const count = product(stage.shape.slice(0, -2));
    const ways = range(count).filter(k => count % (k + 1) === 0).map(k => lay(stage, k + 1));
    const fit = way => Math.min(CELL, WIDTH / way.width, HEIGHT / way.height);
    return ways.reduce((best, way) => fit(way) > fit(best) + .01 ? way : best);
  }
  const indexOf = (place, shape) => shape.map((size, k) => Math.floor(place / product(shape.slice(k + 1))) % size).join(', ');

  // ---- drawing

  const picture = svg('svg', { width: WIDTH, role: 'group', 'aria-label': 'The numbers. Arrow keys go from number to number' });
  const lines = el('div', { style: 'display:grid;gap:3px' }), count = el('div', { style: 'margin-top:8px;font-weight:600' });
  const about = el('div', { style: 'min-height:3.2em' }), sayer = touch.sayer(), scrub = el('div', {});
  const redraw = touch.frames(draw);
  const colourOf = n => {
    const hue = touch.looks.heads[bands[n] % touch.looks.heads.length], last = Math.max(...tokens);
    const rgb = [1, 3, 5].map(k => parseInt(hue.slice(k, k + 2), 16));
    return touch.css(touch.mix([[255, 255, 255], rgb], .3 + .45 * (last ? tokens[n] / last : .5)));
  };
  const origin = n => (data.examples > 1 ? `example ${Math.floor(n * data.examples / bands.length)}, ` : '')
    + `token ${tokens[n]}, band ${bands[n]}`;
  const follow = n => { state.followed = n; redraw(); };

  function build() {
    stages = yours ? yoursStages() : stepStages(state.sizes);
    const layouts = stages.map(layBest), left = yours ? 2 : LEFT;
    unit = Math.min(CELL, ...layouts.map(one => Math.min((WIDTH - left - 4) / one.width, (HEIGHT - TOP - 4) / one.height)));
    const high = yours ? TOP + 4 + unit * Math.max(...layouts.map(one => one.height)) : HEIGHT;
    const corner = one => yours ? [left, TOP] : [left + (WIDTH - left - one.width * unit) / 2, TOP];
    places = layouts.map((one, s) => {
      const [x0, y0] = corner(one), found = [];
      one.spots.forEach(([x, y], place) => { found[stages[s].order[place]] = [x0 + x * unit, y0 + y * unit]; });
      return found;
    });
    const names = layouts.map(one => svg('g', {}, one.labels.map(({ x, y, text, end }) => svg('text', {
      x: corner(one)[0] + x * unit, y: corner(one)[1] + y * unit + (end ? 5 : 0), 'text-anchor': end ? 'end' : 'middle',
      style: 'font-size:13px;opacity:.85' }, text))));
    const size = unit * (bands.length + (data.first || 0) > 100 ? .38 : .44);
    cells = range(bands.length).map(n => {
      const fill = colourOf(n), value = n + (data.first || 0);
      const box = svg('rect', { width: unit - 2, height: unit - 2, x: 1, y: 1, rx: 3, fill });
      const text = svg('text', { x: unit / 2, y: unit / 2 + size * .36, 'text-anchor': 'middle',
        style: `font-size:${size}px;fill:${touch.inkOn(fill)};pointer-events:none` }, value);
      const node = svg('g', { role: 'img', 'aria-label': `${value}: ${origin(n)}`, style: 'outline:none' }, box, text);
      return { node, box };
    });
    const ring = svg('g', { style: 'pointer-events:none' },
      svg('rect', { width: unit, height: unit, rx: 4, stroke: 'currentColor', 'stroke-width': 3 }),
      svg('text', { x: unit / 2, y: unit / 2 + size * .36, 'text-anchor': 'middle', style: `font-size:${size}px` }));
    const wide = data.given ? data.given.shape[data.given.shape.length - 1] : state.sizes.H * state.sizes.d_head;
    touch.cells(range(cells.length / wide).map(r => range(wide).map(c => cells[r * wide + c].node)),
      { enter: (r, c) => follow(r * wide + c) });
    set(picture, { viewBox: `0 0 ${WIDTH} ${high}` });
    picture.replaceChildren(...names, ...cells.map(cell => cell.node), ring);
    picture.names = names;
    picture.ring = ring;
    lines.replaceChildren(...stages.map((stage, s) => el('button', { type: 'button', onclick: () => player.go(s * STEPS),
      style: 'display:flex;justify-content:space-between;gap:18px;text-align:left;border-color:transparent' },
    el('code', { style: 'color:inherit;background:none' }, stage.code), el('span', {}, written(stage.shape)))));
    const last = (stages.length - 1) * STEPS;
    state.at = Math.min(state.at, last);
    if (state.followed >= cells.length) state.followed = null;
    player = touch.player({ label: 'stage', last, value: state.at, wait: 40, text: stepText,
      change: at => { state.at = at; redraw(); } });
    player.querySelector('output').style.display = 'none'; // the highlighted line shows it
    scrub.replaceChildren(player);
    draw();
  }
  function stepText(at) {
    const s = Math.floor(at / STEPS), here = stages[s];
    return at % STEPS ? `between ${here.code} and ${stages[s + 1].code}` : `${here.code} ${written(here.shape)}`;
  }

  function draw() {
    const s = Math.floor(state.at / STEPS), part = state.at % STEPS / STEPS, stage = stages[s], resting = !part;
    const N = cells.length, right = stage.wanted ? stage.order.filter((n, place) => n === stage.wanted[place]).length : null;
    const home = stage.wanted && stage.wanted.reduce((found, n, place) => { found[n] = place; return found; }, []);
    const at = stage.order.reduce((found, n, place) => { found[n] = place; return found; }, []);
    cells.forEach(({ node, box }, n) => {
      const [x, y] = places[s][n], [X, Y] = places[resting ? s : s + 1][n];
      const own = Math.min(1, Math.max(0, part * (1 + LAG) - LAG * n / N)), ease = own * own * (3 - 2 * own);
      set(node, { transform: `translate(${x + (X - x) * ease},${y + (Y - y) * ease})` });
      const off = resting && right && home[n] !== at[n];
      set(box, { stroke: off ? touch.looks.emphasis : 'none', 'stroke-width': Math.min(3, unit / 9) });
      if (n === state.followed) { // drawn again, on top of the numbers that it crosses
        const [ground, text] = picture.ring.children, fill = box.getAttribute('fill');
        set(picture.ring, { transform: node.getAttribute('transform') });
        set(ground, { fill });
        text.style.fill = touch.inkOn(fill);
        text.textContent = n + (data.first || 0);
      }
    });
    picture.ring.style.display = state.followed === null ? 'none' : '';
    picture.names.forEach((group, k) => { group.style.opacity = Math.max(0, 1 - 4 * Math.abs(state.at / STEPS - k)); });
    [...lines.children].forEach((line, k) => line.setAttribute('aria-pressed', resting && k === s));
    const counted = right === null ? '' : `${right} of ${N} numbers in place (${Math.round(100 * right / N)}%)`;
    const shape = yours && s === 1 && !stage.wanted ? `The expected shape is ${written(data.wanted.shape)}` : '';
    count.textContent = resting ? counted || shape || '\u00a0' : '\u00a0';
    const n = state.followed;
    about.textContent = n === null ? 'Point at a number to follow it.' : `${n + (data.first || 0)} is of ${origin(n)}.`
      + (!resting ? '' : ` It is at [${indexOf(at[n], stage.shape)}]`
        + (!home ? '.' : home[n] === at[n] ? ', its place.' : `; its place is [${indexOf(home[n], stage.shape)}].`));
    const said = [resting ? stepText(state.at) : '', resting ? counted || shape : '', n === null ? '' : about.textContent];
    sayer.say(said.filter(Boolean).join('. '));
    root.dataset.order = stage.order.map(k => k + (data.first || 0)).join(' ');
    root.dataset.placed = right === null ? '' : right;
    root.dataset.at = state.at / STEPS;
  }

  // ---- controls

  if (yours) state.wrong = true;
  const ways = yours ? ['yours', 'wanted'] : ['wrong view', 'right view'];
  const toggles = ways.map((label, k) => touch.toggle(label, state.wrong === !k, () => {
    const changes = state.wrong !== !k;
    state.wrong = !k;
    if (!yours && state.at && changes) state.at = Math.max(0, state.at + (k ? STEPS : -STEPS)); // the right way has one stage more before the heads
    toggles.forEach((one, j) => one.put(state.wrong === !j));
    build();
  }));
  const sizes = yours ? [] : Object.keys(state.sizes).map(name => touch.slider({ label: name, min: 1, max: data.largest[name],
    value: state.sizes[name], change: value => { state.sizes[name] = value; build(); } }));
  for (const one of sizes) {
    one.input.style.width = '62px';
    one.querySelector('output').style.minWidth = '1em';
  }
  const title = yours ? `Where your ${data.name} puts each number${data.about ? ` (${data.about})` : ''}`
    : 'One example x, without the axis B. Read each table row by row: that is the tensor’s order.';
  root.append(el('div', { class: 'caption' }, title), el('div', { class: 'side' },
    el('div', { style: `flex:1 1 300px;max-width:${WIDTH}px` }, picture),
    el('div', { style: 'flex:1 1 300px' }, el('div', { class: 'row' }, yours ? toggles : [...toggles].reverse()), sizes.length ? el('div', { class: 'row' }, sizes) : null,
      scrub, lines, count, about,
      el('div', { class: 'note' }, 'Colour: band. From light to strong: token 0 to the last. Outlined: misplaced.'))), sayer);
  sayer.firstChild.classList.add('hidden'); // already visible next to the numbers
  state.at = yours || state.wrong ? STEPS : 2 * STEPS; // the heads, or the result
  build();
});
