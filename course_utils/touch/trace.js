// The stages of attention as tables; pressing a cell highlights the cells from which it is computed.
touch.picture((root, data, touch) => {
  const { el, number } = touch;
  const [, H, T, width] = data.sizes, tokens = Math.min(T, data.stages.Q[0][0].length);
  const features = data.stages.Q[0][0][0].length, heads = data.stages.Q[0].length;
  const cutTokens = tokens < T, cutFeatures = features < width, outputs = data.stages.output[0][0].length;
  const wide = heads * features > 12; // then merged shows the columns of the chosen head alone
  const state = { batch: 0, head: data.head, cell: ['heads', tokens - 1, features - 1] };
  const KINDS = { tokens: 0, heads: 1, tables: 2 }; // colours of the diagram at the top of the lesson
  const ABOUT = {
    Q: ['heads', 'query', 'feature'], K: ['heads', 'key', 'feature'], V: ['heads', 'key', 'feature'],
    scores: ['tables', 'query', 'key'], masked_scores: ['tables', 'query', 'key'],
    weights: ['tables', 'query', 'key'], heads: ['heads', 'query', 'feature'],
    merged: ['tokens', 'token', 'feature'], output: ['tokens', 'token', 'feature'],
  };
  const LINES = [['Q', 'K', 'V'], ['scores', 'masked_scores', 'weights'], ['heads', 'merged'], ['output']];
  const range = count => Array.from({ length: count }, (_, k) => k);

  // A column of merged is identified by head * features + feature, within the part that is shown.
  const columnsOf = name => name === 'output' ? range(outputs)
    : name === 'merged' ? range(heads * features).filter(c => !wide || headOf(c) === state.head)
      : ABOUT[name][0] === 'tables' ? range(tokens) : range(features);
  const headOf = column => Math.floor(column / features);
  const value = (name, i, j) => {
    const stage = data.stages[name][state.batch];
    if (name === 'output') return stage[i][j];
    return name === 'merged' ? stage[headOf(j)][i][j % features] : stage[state.head][i][j];
  };
  const labelOf = (name, j) => name === 'merged' ? headOf(j) * width + j % features : j;
  const isMasked = (i, j) => value('masked_scores', i, j) === null;
  const openKeys = i => range(tokens).filter(j => !isMasked(i, j));
  const say = x => x === null ? '−inf' : number(x);
  const row = (name, i) => columnsOf(name).map(j => [name, i, j]);

  // How a cell is computed: its direct inputs, the cells behind these, and the arithmetic in words.
  const back = i => [...row('Q', i), ...openKeys(i).flatMap(j => row('K', j))];
  const products = pairs => pairs.map(([a, b]) => `${say(a)}·${b < 0 ? `(${say(b)})` : say(b)}`).join(' + ');
  const total = pairs => pairs.reduce((sum, [a, b]) => sum + a * b, 0);
  // " = result", with a note if the table has another number; rest: the terms that are not shown.
  const equals = (sum, held, rest) => rest ? ` + … (${rest}) = ${say(held)}`
    : Math.abs(sum - held) > .006 + .001 * Math.abs(held) ? ` = ${say(sum)}, but the table holds ${say(held)}` : ` = ${say(held)}`;
  const sources = {
    Q: projected, K: projected, V: projected,
    scores: (i, j) => {
      const pairs = range(features).map(f => [value('Q', i, f), value('K', j, f)]), root = Math.sqrt(width);
      const rest = cutFeatures && `${width - features} more features, over √${width}`;
      return { near: [...row('Q', i), ...row('K', j)], far: [],
        words: `Q row ${i} times K row ${j}, over √d_head: (${products(pairs)}) / ${number(root)}`
          + equals(total(pairs) / root, value('scores', i, j), rest) };
    },
    masked_scores: (i, j) => ({ near: [['scores', i, j]], far: [...row('Q', i), ...row('K', j)],
      words: !isMasked(i, j) ? `key ${j} is open for query ${i}: the score stays ${say(value('scores', i, j))}`
        : `key ${j} ${j > i ? `comes after query ${i}` : 'is masked'}: minus infinity instead of ${say(value('scores', i, j))}` }),
    weights: (i, j) => {
      const near = row('masked_scores', i), far = [...row('scores', i), ...back(i)];
      if (isMasked(i, j)) return { near, far, words: `key ${j} is masked: e^−inf = 0, so the weight is 0` };
      const scores = openKeys(i).map(k => value('masked_scores', i, k)), most = Math.max(...scores);
      const less = Math.max(...scores.map(Math.abs)) > 12 ? most : 0; // like the softmax of lesson 1
      const power = k => Math.exp(value('masked_scores', i, k) - less), sum = scores.reduce((s, x) => s + Math.exp(x - less), 0);
      const named = openKeys(i).map(k => `e^${say(value('masked_scores', i, k) - less)}`);
      return { near, far, words: `softmax of row ${i}${less ? `, its maximum ${say(most)} subtracted` : ''}: e^${say(value('masked_scores', i, j) - less)} / (${named.join(' + ')}`
        + (cutTokens ? ' + …)' : `) = ${number(power(j))} / ${number(sum)}`) + equals(power(j) / sum, value('weights', i, j), false) };
    },
    heads: (i, f) => {
      const pairs = openKeys(i).map(j => [value('weights', i, j), value('V', j, f)]);
      const seen = total(row('weights', i).map(([, , j]) => [value('weights', i, j), 1]));
      return { near: [...row('weights', i), ...range(tokens).map(j => ['V', j, f])],
        far: [...row('masked_scores', i), ...row('scores', i), ...back(i)],
        words: `weights row ${i} times V column ${f}: ${products(pairs)}`
          + equals(total(pairs), value('heads', i, f), seen < .99 && `${T - tokens} more keys`)
          + (pairs.length < tokens ? ' (masked keys have weight 0)' : '') };
    },
    merged: (i, c) => ({ near: [['heads', i, c % features]], far: [...row('weights', i), ...range(tokens).map(j => ['V', j, c % features]), ...back(i)],
      words: `feature ${c % features} of head ${headOf(c)}, beside the features of the other heads: ${say(value('merged', i, c))}` }),
    output: (i, f) => {
      const near = row('merged', i), far = [...row('heads', i), ...row('weights', i), ...range(tokens).flatMap(j => row('V', j)), ...back(i)];
      const start = `merged row ${i} times W_O column ${f}`;
      if (!data.W_O) return { near, far, words: `${start} = ${say(value('output', i, f))}` };
      const pairs = near.map(([, , c]) => [value('merged', i, c), data.W_O[headOf(c)][c % features][f]]);
      const rest = near.length < H * width && `${H * width - near.length} more features`;
      return { near, far, words: `${start}: ${products(pairs)}` + equals(total(pairs), value('output', i, f), rest) };
    },
  };
  function projected(i, f) {
    const name = state.cell[0], column = state.head * width + f;
    return { near: [], far: [], words: `row ${i} of X times column ${column} of W_${name}: feature ${f} of head ${state.head} = ${say(value(name, i, f))}` };
  }

  // ---- the page
  const STYLE = 'padding:2px 3px;min-width:39px;font-size:12px;';
  const cells = {}, places = {}, captions = {};
  const above = el('div', {}), below = el('div', {}), sayer = touch.sayer(), info = el('div', { class: 'note', style: 'min-height:3em' });
  sayer.firstChild.setAttribute('style', 'min-height:4.4em');
  const middle = el('div', { style: 'background:var(--soft);border-radius:6px;padding:6px 10px;margin-bottom:14px' }, sayer, info);
  const shapeOf = name => ABOUT[name][0] === 'tokens' ? `(B, T, d_model) = (${data.sizes[0]}, ${T}, ${H * width})`
    : ABOUT[name][0] === 'heads' ? `(B, H, T, d_head) = (${data.sizes.join(', ')})` : `(B, H, T, T) = (${data.sizes[0]}, ${H}, ${T}, ${T})`;
  const HINT = 'Rest on a table’s name for its shape' + (Object.keys(data.lines).length ? ' and the line of code that made it.' : '.');
  const tell = name => {
    info.replaceChildren(name ? `${name} ${shapeOf(name)}` : HINT);
    if (name && data.lines[name]) info.append(el('br'), el('code', { style: 'white-space:pre-wrap;color:inherit' }, data.lines[name]));
    root.dataset.told = name || '';
  };
  const most = name => Math.max(...[].concat(...data.stages[name].flat(2)).map(x => Math.abs(x || 0)), 1e-9);
  // One scale for scores and masked scores, and one for V and the mixed values.
  const scales = { Q: most('Q'), K: most('K'), V: most('V'), heads: most('V'), merged: most('V'), scores: most('scores'), masked_scores: most('scores'), output: Math.max(...data.stages.output.flat(2).map(Math.abs), 1e-9) };

  function build() {
    const lines = LINES.map(names => el('div', { class: 'side', style: 'margin-bottom:14px;gap:12px 14px' }, names.map(table)));
    above.replaceChildren(...lines.slice(0, 2));
    below.replaceChildren(...lines.slice(2));
  }
  function table(name) {
    const [kind, across, down] = ABOUT[name], columns = columnsOf(name);
    const border = j => name === 'merged' && j % features === 0 && j ? 'border-left:2px solid currentColor;' : '';
    places[name] = columns;
    cells[name] = range(tokens).map(i => columns.map(j => el('td', { role: 'gridcell', 'data-cell': `${name} ${i} ${j}` })));
    const bands = name === 'merged' && el('tr', {}, el('th', { style: STYLE }), [...new Set(columns.map(headOf))].map(h =>
      el('th', { colspan: features, style: `${STYLE}text-align:center;${h && !wide ? 'border-left:2px solid currentColor;' : ''}` }, `head ${h}`)));
    const head = el('tr', {}, el('th', { style: STYLE + 'min-width:16px' }), columns.map(j =>
      el('th', { scope: 'col', style: STYLE + (border(j) && 'border-left:2px solid currentColor;') }, String(labelOf(name, j)))));
    const body = range(tokens).map(i => el('tr', {}, el('th', { scope: 'row', style: STYLE + 'min-width:16px' }, String(i)), cells[name][i]));
    cells[name].forEach((line, i) => line.forEach((cell, k) => {
      const j = columns[k], x = value(name, i, j), masked = name === 'masked_scores' && x === null || name === 'weights' && isMasked(i, j);
      const colour = masked ? null : name === 'weights' ? touch.weightColour(x) : touch.signedColour(x, scales[name]);
      cell.textContent = name === 'masked_scores' && masked ? '−inf' : say(x);
      cell.classList.toggle('masked', masked);
      cell.setAttribute('style', STYLE + border(j) + (colour ? `background:${colour};color:${touch.inkOn(colour)}` : ''));
      cell.setAttribute('aria-label', `${name}, ${across} ${i}, ${down} ${labelOf(name, j)}: ${cell.textContent}${masked ? ', masked' : ''}`);
    }));
    touch.cells(cells[name], { press: (i, k) => choose(name, i, columns[k]) });
    const caption = captions[name] = touch.button(name.replace('_', ' '), () => tell(name), {
      style: `font-weight:600;border:0;border-bottom:3px solid ${touch.looks.heads[KINDS[kind]]};border-radius:0;padding:0 2px;min-height:26px;margin:0 0 3px 20px`,
      onpointerenter: () => tell(name), onpointerleave: () => tell(), onfocus: () => tell(name), onblur: () => tell() });
    return el('div', { style: 'overflow-x:auto;max-width:100%;padding:2px' }, caption,
      el('table', { role: 'grid', 'aria-label': `${name}: rows are ${across === 'query' ? 'queries' : `${across}s`}, columns are ${down}s` }, bands || null, head, body));
  }
  function choose(name, i, j) {
    state.cell = [name, i, j];
    const other = name === 'merged' && headOf(j) !== state.head;
    if (other) { state.head = headOf(j); headChoice.select.value = state.head; build(); }
    light();
    if (other) at(...state.cell).focus();
  }
  const at = (name, i, j) => (cells[name][i] || [])[places[name].indexOf(j)];
  function light() {
    const [name, i, j] = state.cell, made = sources[name](i, j);
    for (const lines of Object.values(cells)) for (const cell of lines.flat()) {
      cell.classList.remove('lit');
      cell.style.outline = cell.style.boxShadow = '';
      cell.setAttribute('aria-selected', 'false');
    }
    for (const place of made.far) at(...place).style.outline = `2px dashed ${touch.looks.emphasis}`;
    for (const place of [...made.far, ...made.near]) at(...place).style.outlineOffset = '-2px';
    for (const place of made.near) { const cell = at(...place); cell.style.outline = ''; cell.classList.add('lit'); }
    const cell = at(name, i, j);
    Object.assign(cell.style, { outline: '2px solid #fff', outlineOffset: '0px', boxShadow: 'inset 0 0 0 3px #111' });
    cell.setAttribute('aria-selected', 'true');
    sayer.say(`${name}[${i}, ${labelOf(name, j)}]: ${made.words}`);
    root.dataset.chosen = state.cell.join(' ');
    root.dataset.near = made.near.map(place => place.join(' ')).join(';');
    root.dataset.far = made.far.map(place => place.join(' ')).join(';');
  }
  const again = () => { if (wide && state.cell[0] === 'merged') state.cell[2] = state.head * features; build(); light(); };
  const options = count => range(count).map(k => [k, String(k)]);
  const headChoice = touch.choice('head', options(heads), state.head, chosen => { state.head = +chosen; again(); });
  const batchChoice = touch.choice('example', options(data.stages.Q.length), state.batch, chosen => { state.batch = +chosen; again(); });
  const cuts = [cutTokens && `the first ${tokens} of ${T} tokens`, cutFeatures && `the first ${features} of ${width} features of a head`,
    outputs < H * width && `the first ${outputs} of ${H * width} features of the output`, heads < H && `the first ${heads} of ${H} heads`,
    data.stages.Q.length < data.sizes[0] && `the first ${data.stages.Q.length} of ${data.sizes[0]} examples`].filter(Boolean);
  root.append(el('div', { class: 'row' }, el('span', { class: 'caption', style: 'margin:0' }, 'Click a number: what is it made of?'),
    heads > 1 ? headChoice : null, data.stages.Q.length > 1 ? batchChoice : null), above, middle, below,
  el('div', { class: 'note' }, 'Outlined: what the number is made of. Dashed: what that was made of. All numbers are rounded to two decimals.'
    + (cuts.length ? ` Shown: ${cuts.join(', ')}.` : '')));
  tell();
  build();
  light();
});
