// Online softmax: keys are read in blocks; what was summed is rescaled when the maximum grows.
touch.picture((root, data, touch) => {
  const { el, number } = touch, names = Object.keys(data.scores), LAST = data.values.length, sayer = touch.sayer();
  const state = { name: names[0], block: data.block, at: 0 };
  sayer.firstChild.style.minHeight = '4.5em';
  const board = el('div', { style: 'overflow-x:auto' }), result = el('div', { style: 'overflow-x:auto;margin:8px 0' }), turn = el('div', {});
  const redraw = touch.frames(draw), range = count => Array.from({ length: count }, (_, k) => k);
  const blocks = () => Math.ceil(LAST / state.block), three = value => number(value, 3);
  function rebuild() {
    state.at = Math.min(state.at, blocks());
    turn.replaceChildren(touch.player({ label: 'blocks read', last: blocks(), value: state.at, wait: 1500, change: at => { state.at = at; redraw(); } }));
    draw();
  }
  root.append(el('div', { class: 'row' }, turn,
    touch.slider({ label: 'keys in a block', min: 1, max: LAST, value: state.block, change: block => { state.block = block; rebuild(); } }),
    touch.choice('scores', names.map(name => [name, name]), state.name, name => { state.name = name; draw(); })), board, result, sayer);
  // (m, factor, l, o) after each block that has been read
  function states() {
    let [m, l, o] = [-Infinity, 0, 0];
    return range(state.at).map(k => {
      const keys = range(LAST).slice(k * state.block, (k + 1) * state.block), scores = data.scores[state.name];
      const old = m;
      m = Math.max(m, ...keys.map(key => scores[key]));
      const factor = Math.exp(old - m), power = key => Math.exp(scores[key] - m);
      l = l * factor + keys.reduce((sum, key) => sum + power(key), 0);
      o = o * factor + keys.reduce((sum, key) => sum + power(key) * data.values[key], 0);
      return { old, m, factor, l, o };
    });
  }
  function draw() {
    const read = states(), now = read.at(-1), scores = data.scores[state.name], end = state.at * state.block, begin = end - state.block;
    const look = key => now && key < end ? (key >= begin ? `background:${data.computed};color:#fff` : `background:${data.old};color:${touch.looks.ink}`) : '';
    const head = text => el('th', { scope: 'row', style: 'text-align:left;white-space:nowrap' }, text);
    const row = (name, cell) => el('tr', {}, head(name), scores.map((_, key) => el('td', {
      style: `min-width:52px;${look(key)};${key && key % state.block === 0 ? 'border-left:4px solid currentColor' : ''}` }, cell(key))));
    board.replaceChildren(el('table', { 'aria-label': 'Keys in blocks' }, row('score', key => String(scores[key])), row('value', key => String(data.values[key])),
      row('exp(score − m)', key => now && key < end ? three(Math.exp(scores[key] - now.m)) : '')));
    const columns = ['block', 'm', 'rescaled by', 'l', 'o', 'o / l'];
    result.replaceChildren(el('table', { 'aria-label': 'What is carried' }, el('tr', {}, columns.map(name => el('th', { scope: 'col' }, name))),
      range(blocks()).map(k => el('tr', {}, (read[k] ? [k + 1, read[k].m, three(read[k].factor), three(read[k].l), three(read[k].o), number(read[k].o / read[k].l)]
        : [k + 1, '', '', '', '', '']).map(text => el('td', {}, String(text)))))));
    sayer.say(!now ? 'Nothing is read yet: m = −inf, l = 0, o = 0. Press play.'
      : `Block ${state.at}: m ${now.m > now.old ? `grows from ${number(now.old, 0)} to ${now.m}` : `stays ${now.m}`}, so l and o are multiplied by ${three(now.factor)}; `
        + `then the new block is added. ${state.at === blocks() ? `All keys are read: o / l = ${number(now.o / now.l)} is the output.` : 'Its scores are forgotten now.'}`);
    Object.assign(root.dataset, { m: now ? now.m : '', l: now ? now.l.toFixed(4) : '0', o: now ? now.o.toFixed(4) : '0', at: state.at });
  }
  rebuild();
});
