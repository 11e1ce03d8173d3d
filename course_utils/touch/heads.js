// All heads at a glance, one enlarged for each source; the weight under the pointer is read out, a click pins it.
// The still picture is the data: its pixels are levels of weights (course_utils/touch/atlas.py).
const STEP = .007, UP = .438, MASKED = 254, LONGEST_TABLE = 400, LABELS_UP_TO = 32;

touch.picture((root, data, touch) => {
  const still = root.parentNode.querySelector('.touch-still');
  exploreHeads(root, data, touch, still.querySelector('img').src).catch(problem => {
    root.remove();
    still.classList.remove('hidden');
    throw problem;
  });
});

const levelOf = weight => Math.floor(weight / STEP + UP); // as in atlas.py

// A palette PNG with unfiltered rows -> its levels. They are decoded from the bytes, not read from a canvas, whose
// pixels some browsers change against fingerprinting.
async function levelsOf(uri) {
  const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), letter => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer), parts = {};
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    (parts[name] ||= []).push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const stream = new Blob(parts.IDAT).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(stream).arrayBuffer());
  const stride = 1 + view.getUint32(16); // each row begins with a filter byte
  return (x, y) => rows[y * stride + 1 + x];
}

async function exploreHeads(root, data, touch, picture) {
  const { el, svg, set } = touch, { layers: L, heads: H, names, atlas } = data, several = names.length > 1;
  const weightOf = level => Math.min(1, level * STEP);
  const written = level => level === MASKED ? 'masked' : level === 0 ? '< 0.004' : weightOf(level).toFixed(3);
  const shades = Array.from({ length: 144 }, (_, level) => touch.mix(touch.looks.weights, weightOf(level)));
  const grey = touch.looks.masked.match(/\w\w/g).map(part => parseInt(part, 16));
  const rgb = level => level === MASKED ? grey : shades[level];
  const opaque = Uint32Array.from({ length: 256 }, (_, level) => { // a pixel of each level, as ImageData holds it
    const [r, g, b] = rgb(level) || [0, 0, 0];
    return new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0];
  });

  // ---- the tables: tables[source][layer * H + head] is { cells, n }, n × n levels
  let tokens = data.tokens, T = tokens.length;
  const pixel = await levelsOf(picture);
  const cut = (left, top) => ({ n: T, cells: Uint8Array.from({ length: T * T }, (_, k) =>
    pixel(left + k % T * atlas.scale, top + Math.floor(k / T) * atlas.scale)) });
  let tables = names.map((_, s) => Array.from({ length: L * H }, (_, k) =>
    cut(atlas.left + k % H * atlas.step, atlas.top + (s * L + Math.floor(k / H)) * atlas.step)));
  const levelAt = (table, [i, j]) => table.cells[i * table.n + j];
  // The largest level in a square of cells, for pictures smaller than the table: thin lines stay visible.
  const largest = ({ cells, n }, top, left, size) => {
    let best = [-1, top, left];
    for (let i = top; i < Math.min(n, top + size); i++) for (let j = left; j < Math.min(n, left + size); j++) {
      const level = cells[i * n + j];
      if (level !== MASKED && level > best[0]) best = [level, i, j];
    }
    return best;
  };
  const imageOf = (table, most) => {
    const size = Math.ceil(table.n / most), n = Math.ceil(table.n / size);
    const canvas = el('canvas', { width: n, height: n }), pixels = new ImageData(n, n);
    const words = new Uint32Array(pixels.data.buffer);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
      const level = size > 1 ? largest(table, i * size, j * size, size)[0] : table.cells[i * n + j];
      words[i * n + j] = opaque[level < 0 ? MASKED : level];
    }
    canvas.getContext('2d').putImageData(pixels, 0, 0);
    return { canvas, size, n };
  };

  // ---- the selected weight: a pinned one stays, a pointed-at one goes with the pointer
  const pinned = { head: 0, cell: [0, 0] }, pointed = { head: null, cell: null };
  let answersAt = () => {}, order = [...Array(L * H).keys()], sorted = '', scores = data.scores;
  const head = () => pointed.head ?? pinned.head, cell = () => pointed.cell ?? pinned.cell;
  const bestKey = (k, i) => {
    const table = tables.at(-1)[k];
    let best = 0;
    for (let j = 1; j < table.n; j++) {
      const [level, before] = [levelAt(table, [i, j]), levelAt(table, [i, best])];
      if (level !== MASKED && (before === MASKED || level > before)) best = j;
    }
    return best;
  };
  const nameOf = k => `layer ${Math.floor(k / H)}, head ${k % H}`;
  const token = place => `${place} “${tokens[place].replace(/\n/g, '↵')}”`;
  const redraw = touch.frames(draw);

  // ---- the overview
  const sharp = Math.min(2, window.devicePixelRatio || 1);
  const prepare = (canvas, width, height) => {
    Object.assign(canvas, { width: width * sharp, height: height * sharp });
    canvas.style.cssText = `width:${width}px;height:auto;touch-action:manipulation;cursor:pointer`;
  };
  const room = Math.min(840, root.clientWidth || 840), most = Math.min(LONGEST_TABLE, room >= 640 ? room / 2 - 12 : room);
  const GAP = 4, LINE = 20, roomy = H <= 6 && L <= 6, EDGE = roomy ? 52 : 24;
  const thumb = Math.max(12, Math.min(112, Math.floor((most - EDGE) / H) - GAP, Math.floor(440 / L) - GAP));
  const corner = place => [EDGE + place % H * (thumb + GAP), LINE + Math.floor(place / H) * (thumb + GAP)];
  let thumbs, ink, dark;
  const drawOverview = ({ overview, s }) => {
    const pen = overview.getContext('2d');
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, overview.width, overview.height);
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = ink;
    pen.font = '11px system-ui,sans-serif';
    if (sorted) pen.fillText('row by row, from the first to the last', EDGE, 14);
    else {
      pen.textAlign = 'center';
      for (let h = 0; h < H; h++) if (thumb >= 18 || h % 4 === 0)
        pen.fillText(roomy ? `head ${h}` : h, corner(h)[0] + thumb / 2, 14);
      pen.textAlign = 'right';
      for (let l = 0; l < L; l++) if (thumb >= 12 || l % 4 === 0)
        pen.fillText(roomy ? `layer ${l}` : l, EDGE - 7, corner(l * H)[1] + thumb / 2 + 4);
      pen.textAlign = 'left';
    }
    order.forEach((k, place) => pen.drawImage(thumbs[s][k], ...corner(place), thumb, thumb));
    for (const [k, colour, wide] of [[pointed.head, ink, 2], [pinned.head, touch.looks.emphasis, 3]]) {
      if (k === null) continue;
      const [x, y] = corner(order.indexOf(k));
      pen.strokeStyle = colour;
      pen.lineWidth = wide;
      pen.strokeRect(x - 1, y - 1, thumb + 2, thumb + 2);
    }
  };
  const headAt = ({ overview }, event) => {
    const box = overview.getBoundingClientRect(), scale = overview.width / sharp / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - EDGE) / (thumb + GAP));
    const row = Math.floor(((event.clientY - box.top) * scale - LINE) / (thumb + GAP));
    return column >= 0 && column < H && row >= 0 && row < L ? order[row * H + column] : null;
  };
  const pinHead = k => {
    pinned.head = k;
    pointed.head = null;
    redraw();
  };
  const makeOverview = panel => {
    const overview = el('canvas', { tabindex: 0, role: 'application' });
    prepare(overview, Math.max(EDGE + H * (thumb + GAP), 150), LINE + L * (thumb + GAP));
    overview.onpointermove = event => { pointed.head = headAt(panel, event); redraw(); };
    overview.onpointerleave = () => { pointed.head = null; redraw(); };
    overview.onclick = event => pinHead(headAt(panel, event) ?? pinned.head);
    overview.onkeydown = event => {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: H, ArrowUp: -H }[event.key];
      if (!step) return;
      event.preventDefault();
      pinHead(order[order.indexOf(pinned.head) + step] ?? pinned.head);
    };
    panel.overview = overview;
  };

  // ---- the panels: the head enlarged, and arcs from the query that is read
  const panels = names.map((name, s) => {
    const title = el('div', { class: 'caption', style: 'margin-top:8px' }), told = el('div', { class: 'note' });
    const canvas = el('canvas', { tabindex: 0, role: 'application' });
    const line = svg('svg', { role: 'img', style: 'max-width:none' });
    const strip = el('div', { style: 'overflow-x:auto;max-width:100%;margin-top:8px' }, line);
    const panel = { s, name, title, told, canvas, line, strip };
    const cellAt = event => {
      const { table, image, left, top, wide } = panel, box = canvas.getBoundingClientRect();
      const scale = canvas.width / sharp / box.width;
      const [i, j] = [(event.clientY - box.top) * scale - top, (event.clientX - box.left) * scale - left]
        .map(place => Math.floor(place / wide));
      if (i < 0 || j < 0 || i >= image.n || j >= image.n) return null;
      return largest(table, i * image.size, j * image.size, image.size).slice(1);
    };
    canvas.onpointermove = event => { pointed.cell = cellAt(event); redraw(); };
    canvas.onpointerleave = () => { pointed.cell = null; redraw(); };
    canvas.onclick = event => pinCell(cellAt(event) ?? pinned.cell);
    canvas.onkeydown = event => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      pinCell(pinned.cell.map((place, axis) => Math.max(0, Math.min(T - 1, place + step[axis]))));
      followQuery();
    };
    makeOverview(panel);
    return panel;
  });
  const pinCell = place => {
    pinned.cell = place;
    pointed.cell = null;
    redraw();
  };
  const pen0 = el('canvas').getContext('2d');
  const measure = (text, font = '13px system-ui,sans-serif') => { pen0.font = font; return pen0.measureText(text).width; };
  const short = text => {
    const plain = text.replace(/\n/g, '↵').replace(/ /g, '␣');
    return plain.length > 12 ? `${plain.slice(0, 11)}…` : plain;
  };

  const enlarge = panel => {
    const table = tables[panel.s][head()];
    if (panel.table === table && panel.dark === dark) return;
    const image = imageOf(table, most), labelled = T <= LABELS_UP_TO;
    const widest = labelled ? Math.max(...tokens.map(text => measure(short(text)))) : 0, upright = widest > 16;
    const left = labelled ? Math.ceil(widest) + 10 : 0, top = labelled ? (upright ? Math.ceil(widest) + 10 : 20) : 0;
    const wide = Math.max(1, Math.min(36, Math.floor((most - left - 2) / image.n)));
    Object.assign(panel, { table, image, left, top, wide, labelled, upright, dark });
    prepare(panel.canvas, left + wide * image.n + 2, top + wide * image.n + 2);
    // hatching of masked cells
    const back = el('canvas', { width: wide * image.n * sharp, height: wide * image.n * sharp });
    const pen = back.getContext('2d');
    pen.scale(sharp, sharp);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(image.canvas, 0, 0, wide * image.n, wide * image.n);
    pen.beginPath();
    if (image.size === 1) for (let i = 0; i < image.n; i++) for (let j = 0, end; j < image.n; j = end) {
      const masked = table.cells[i * image.n + j] === MASKED; // a run of masked or of open keys
      for (end = j + 1; end < image.n && (table.cells[i * image.n + end] === MASKED) === masked;) end++;
      if (masked) pen.rect(j * wide, i * wide, (end - j) * wide, wide);
    }
    pen.clip();
    pen.strokeStyle = touch.looks.hatch;
    pen.beginPath();
    for (let at = 0; at < 2 * wide * image.n; at += 6) { pen.moveTo(at, 0); pen.lineTo(0, at); }
    if (image.size === 1) pen.stroke();
    panel.back = back;
  };
  const drawPanel = panel => {
    enlarge(panel);
    const { canvas, image, left, top, wide, back, labelled, upright } = panel, pen = canvas.getContext('2d');
    const [row, column] = cell().map(place => Math.floor(place / image.size));
    const [query, key] = cell(), span = wide * image.n;
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(back, left, top, span, span);
    if (labelled) tokens.forEach((text, place) => {
      const lit = which => { pen.font = `${place === which ? '700 ' : ''}13px system-ui,sans-serif`; };
      pen.fillStyle = ink;
      pen.textBaseline = 'middle';
      pen.textAlign = 'right';
      lit(query);
      pen.fillText(short(text), left - 5, top + (place + .5) * wide);
      lit(key);
      pen.save();
      pen.translate(left + (place + .5) * wide, upright ? top - 5 : top - 9);
      if (upright) pen.rotate(-Math.PI / 2);
      pen.textAlign = upright ? 'left' : 'center';
      pen.fillText(short(text), 0, 0);
      pen.restore();
    });
    pen.strokeStyle = touch.looks.emphasis;
    pen.lineWidth = 2;
    pen.strokeRect(left + 1, top + row * wide - 1, span - 2, wide + 2);
    pen.strokeStyle = touch.looks.ink;
    pen.lineWidth = Math.min(2, wide / 4 + 1);
    pen.strokeRect(left + column * wide, top + row * wide, wide, wide);
    const found = Object.entries(scores[panel.s] || {}).map(([name, values]) =>
      `${data.titles[name]} ${values[Math.floor(head() / H)][head() % H].toFixed(2)}`);
    panel.title.textContent = nameOf(head());
    panel.told.textContent = found.join(' · ');
    panel.overview.setAttribute('aria-label', `All ${L * H} heads${panel.name ? `, ${panel.name}` : ''}. `
      + `Arrow keys choose one: ${nameOf(head())}.`);
    canvas.setAttribute('aria-label', `${panel.name ? `${panel.name}, ` : ''}${nameOf(head())}, rows are queries, columns keys. `
      + `Arrow keys read. ${sentence()}`);
  };
  const sentence = () => {
    const [i, j] = cell(), k = head();
    const parts = tables.map((heads, s) =>
      `${names[s] ? `${names[s]} ` : ''}${written(levelAt(heads[k], [i, j]))}`);
    return `${nameOf(k)}: query ${token(i)} → key ${token(j)}: ${parts.join(', ')}`;
  };

  // ---- tokens in a line, arcs from the query to its keys
  const SKY = 74, CHIP = 26;
  const layLine = panel => {
    let x = 4;
    panel.chips = tokens.map((text, place) => {
      const width = Math.max(20, Math.ceil(measure(short(text))) + 8), middle = x + width / 2;
      const box = svg('rect', { x, y: SKY, width, height: CHIP, rx: 4 });
      const word = svg('text', { x: middle, y: SKY + 18, 'text-anchor': 'middle', style: 'font-size:13px' }, short(text));
      const chip = svg('g', { style: 'cursor:pointer' }, box, word);
      const at = () => [place, bestKey(head(), place)];
      chip.onpointerenter = () => { pointed.cell = at(); redraw(); };
      chip.onpointerleave = () => { pointed.cell = null; redraw(); };
      chip.onclick = () => pinCell(at());
      x += width + 3;
      return { chip, box, word, middle };
    });
    panel.arcs = svg('g', { fill: 'none', stroke: 'color-mix(in srgb,#2171b5 70%,currentColor)' });
    panel.line.replaceChildren(panel.arcs, ...panel.chips.map(one => one.chip));
    set(panel.line, { width: x + 2, height: SKY + CHIP + 4, viewBox: `0 0 ${x + 2} ${SKY + CHIP + 4}` });
  };
  const drawLine = panel => {
    const { table, chips } = panel, [query, key] = cell();
    const row = Array.from(table.cells.subarray(query * T, query * T + T));
    chips.forEach(({ box, word }, place) => {
      const masked = row[place] === MASKED, colour = touch.css(rgb(row[place]));
      set(box, { fill: colour, stroke: place === query ? touch.looks.emphasis : place === key ? 'currentColor' : 'none',
        'stroke-width': place === query ? 3 : 2 });
      word.style.fill = masked ? '#555' : touch.inkOn(colour);
    });
    const start = chips[query].middle;
    const keys = row.map((level, place) => [level, place]).filter(([level]) => level > 0 && level !== MASKED);
    panel.arcs.replaceChildren(...keys.sort((a, b) => b[0] - a[0]).slice(0, 48).map(([level, place]) => {
      const end = chips[place].middle, high = Math.min(SKY - 6, 14 + Math.abs(start - end) / 3), weight = weightOf(level);
      const path = place === query ? `M${start - 6} ${SKY}c-8 -26 20 -26 12 0`
        : `M${start} ${SKY}C${start} ${SKY - high * 1.3} ${end} ${SKY - high * 1.3} ${end} ${SKY}`;
      return svg('path', { d: path, 'stroke-width': .8 + 6 * weight, 'stroke-opacity': .25 + .7 * weight });
    }));
    panel.line.setAttribute('aria-label', `query ${token(query)} attends most to ${keys.slice(0, 3)
      .map(([level, place]) => `${token(place)} ${written(level)}`).join(', ')}`);
  };
  const followQuery = () => { // keep the query in view if the line is longer than the page
    for (const { strip, chips } of panels) {
      const x = chips[pinned.cell[0]].middle;
      if (x < strip.scrollLeft + 30 || x > strip.scrollLeft + strip.clientWidth - 30)
        strip.scrollLeft = x - strip.clientWidth / 2;
    }
  };

  // ---- sorted by a score of the last source
  const kinds = data.models ? Object.keys(data.titles) : Object.keys(scores.at(-1));
  const sort = kind => {
    sorted = kind;
    const table = kind && scores.at(-1)[kind], values = table ? table.flat() : [], sign = kind === 'entropy' ? 1 : -1;
    order = [...Array(L * H).keys()].sort((a, b) => table ? sign * (values[a] - values[b]) || a - b : a - b);
    ranking.textContent = kind && !table ? 'This text has no such score.' : table ? `${kind === 'entropy' ? 'Lowest' : 'Highest'}: ${order.slice(0, 4)
      .map(k => `${nameOf(k)} (${values[k].toFixed(2)})`).join('; ')}` : '';
    root.dataset.order = order.join(' ');
    draw();
  };
  const chooser = touch.choice('sort the heads by', [['', 'layer and head'], ...kinds.map(kind =>
    [kind, data.titles[kind] + (kind === 'entropy' ? ', sharpest first' : '')])], '', kind => {
    sort(kind);
    if (kind) pinHead(order[0]);
  });
  const ranking = el('span', { class: 'note' }), sayer = touch.sayer();

  function draw() {
    ink = getComputedStyle(root).color;
    dark = touch.inkOn(ink) === '#111';
    for (const panel of panels) { drawOverview(panel); drawPanel(panel); drawLine(panel); }
    sayer.say(sentence());
    root.dataset.head = `${Math.floor(head() / H)} ${head() % H}`;
    root.dataset.cell = cell().join(' ');
    answersAt(cell()[0]);
    root.dataset.read = tables.map(heads => written(levelAt(heads[head()], cell()))).join(' | ');
  }
  // Show other tables and tokens, after a text is typed or a head is switched off.
  const show = (newTables, newTokens, newScores, query) => {
    [tables, tokens, T, scores] = [newTables, newTokens, newTokens.length, newScores];
    paint();
    pointed.cell = null;
    pinned.cell = [query, bestKey(pinned.head, query)];
    panels.forEach(layLine);
    sort(sorted);
  };
  const paint = () => {
    const size = Math.ceil(thumb * sharp);
    thumbs = tables.map(heads => heads.map(table => imageOf(table, size).canvas));
  };

  const column = { style: `flex:0 1 ${most}px` };
  root.append(el('div', { class: 'caption' }, 'Point at a head, then at a weight or a token; a click pins it.'),
    el('div', { class: 'row' }, kinds.length && L * H > 1 ? chooser : null, ranking),
    el('div', { class: 'side' }, panels.flatMap(({ name, overview, title, canvas, told, strip }) => several
      ? el('div', column, el('div', { class: 'caption' }, name), overview, title, canvas, told, strip)
      : [el('div', column, overview), el('div', column, title, canvas, told)])),
    ...(several ? [] : [panels[0].strip]), sayer,
    el('div', { class: 'note' }, 'Rows are queries, columns keys; grey is masked. Weights are read to within 1/254; '
      + '< 0.004 is an allowed key with less than that.'));
  pinned.cell = [T - 1, bestKey(pinned.head, T - 1)];
  paint();
  panels.forEach(layLine);
  answersAt = data.models ? modelControls(root, data, touch, { show, pin: query => pinCell([query, bestKey(head(), query)]) })
    : () => {};
  sort('');
  followQuery();
}
