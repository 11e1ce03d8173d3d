// A grid to paint where a mask is True, with the rule of the right mask and the rules of known mistakes.
// A rule gets the row i, the column j and the sizes s. A mistake has the same name as in its exercise, and its
// sentence begins the same; if two mistakes make the same mask, the first one is named.
const SWAPPED = 'True and False are swapped: grey is True, and True means masked';
const KINDS = {
  create_causal_mask: {
    shape: s => [s.T_q, s.T_k], row: i => `query ${i}`, column: 'key', own: i => i,
    right: (i, j) => j > i, done: 'query i may attend to key i and to the keys before it. Later ones are grey.',
    open: 'a key of its future is open', grey: 'a key that it may attend to is grey',
    known: {
      nothing_masked: [() => false, 'nothing is masked: a query must not see the keys of its future'],
      diagonal_masked: [(i, j) => j >= i, 'the diagonal is masked too: a token may always attend to itself. Look at query 0: what is left for it?'],
      past_masked: [(i, j) => j < i, 'the past is masked instead of the future: rows are queries, and columns are keys'],
      inverted: [(i, j) => j <= i, SWAPPED],
      off_by_one_late: [(i, j) => j > i + 1, 'each token sees one token ahead: the one right of the diagonal'],
      diagonal_only: [(i, j) => j !== i, 'everything but the diagonal is masked: the past stays visible'],
      bottom_right: [(i, j, s) => j > i + s.T_k - s.T_q, 'the mask is aligned to the bottom right corner: queries and keys both count their positions from 0'],
    },
  },
  create_padding_mask: {
    shape: s => [s.B, s.max_len], row: (i, s) => `example ${i}, length ${s[`length_${i}`]}`, column: 'position', own: () => null,
    right: (i, j, s) => j >= s[`length_${i}`], done: 'the real tokens come first, and position `length` is the first that is grey.',
    open: 'a position of padding is open', grey: 'a real token is grey',
    known: {
      off_by_one_late: [(i, j, s) => j > s[`length_${i}`], 'the padding starts one position too late: positions count from 0, so position `length` is padding already'],
      off_by_one_early: [(i, j, s) => j >= s[`length_${i}`] - 1, 'the padding starts one position too early: the last real token is masked too'],
      only_the_length: [(i, j, s) => j === s[`length_${i}`], 'only the position `length` itself is marked: all that comes after it is padding, too'],
      inverted: [(i, j, s) => j < s[`length_${i}`], SWAPPED],
      inverted_off_by_one: [(i, j, s) => j <= s[`length_${i}`], 'True and False are swapped, and the boundary is off by one: grey is True, and True means padding'],
      left_padding: [(i, j, s) => j < s.max_len - s[`length_${i}`], 'the padding is put on the left: here the real tokens come first'],
      padding_on_the_left_inverted: [(i, j, s) => j >= s.max_len - s[`length_${i}`], 'the last `length` positions are True: a length counts real tokens, and these come first'],
      first_length_for_all: [(i, j, s) => j >= s.length_0, 'every row uses the first sequence\'s length: each has its own'],
      max_length_for_all: [(i, j, s) => j >= Math.max(...[0, 1, 2].slice(0, s.B).map(b => s[`length_${b}`])), 'every row uses the longest length: each has its own'],
    },
  },
  create_causal_mask_with_cache: {
    shape: s => [s.T_q, s.cache_len + s.T_q], row: (i, s) => `query ${i}, position ${s.cache_len + i}`, column: 'key', own: (i, s) => s.cache_len + i,
    right: (i, j, s) => j > s.cache_len + i, done: 'query i is at position cache_len + i, and only later keys are grey. Cached keys never are.',
    open: 'a key of its future is open', grey: 'a key that it may attend to is grey',
    known: {
      nothing_masked: [() => false, 'nothing is masked: a new token must not see the new tokens after it'],
      cache_ignored: [(i, j) => j > i, 'the mask ignores the cache: query 0 is not at position 0. Read the names of the rows'],
      diagonal_masked: [(i, j, s) => j >= s.cache_len + i, 'each new token is hidden from itself: a token may always attend to itself'],
      all_new_masked: [(i, j, s) => j >= s.cache_len, 'every new key is masked: a new token may attend to itself and to new tokens before it'],
      cached_keys_masked: [(i, j, s) => j > s.cache_len + i || j < s.cache_len, 'cached keys are masked: they lie in the past of every new token'],
      past_masked: [(i, j, s) => j < s.cache_len + i, 'the past is masked instead of the future: later keys are the ones to hide'],
      inverted: [(i, j, s) => j <= s.cache_len + i, SWAPPED],
      off_by_one_late: [(i, j, s) => j > s.cache_len + i + 1, 'each new token sees one token ahead: the key right of its own position'],
      offset_by_new: [(i, j, s) => j > i + s.T_q, 'the queries are shifted by the number of new tokens: it is the number of cached ones that counts'],
      new_before_old: [(i, j, s) => j > i && j < s.T_q, 'the columns of the new keys come before those of the cached ones: the cached keys come first'],
    },
  },
  create_attention_mask: {
    shape: s => [s.T, s.T], row: i => `query ${i}`, column: 'key', own: i => i,
    right: (i, j, s) => j > i || j >= s.length, done: 'a key is grey when it lies in the future or is padding. The rows of padded queries stay as they are.',
    open: 'a key that lies in the future or is padding is open', grey: 'a key that it may attend to is grey',
    known: {
      padding_dropped_when_causal: [(i, j) => j > i, 'the padding is dropped when the mask is causal: keys from position `length` on are padding'],
      causal_dropped_when_padded: [(i, j, s) => j >= s.length, 'the future is no longer masked as soon as there is padding: both are'],
      joined_with_and: [(i, j, s) => j > i && j >= s.length, 'the masks are combined with AND: a key is masked when it is in the future OR padding'],
      joined_with_xor: [(i, j, s) => j > i !== j >= s.length, 'a position that is both in the future and padding comes out unmasked: it is masked twice over'],
      padding_on_queries: [(i, j, s) => j > i || i >= s.length, 'the padding masks query rows: it must mask keys, the columns. A row that is all grey would become NaN'],
      padding_both_sides: [(i, j, s) => j > i || j >= s.length || i >= s.length, 'padded query rows are masked too: padding masks keys only. A row that is all grey would become NaN'],
      diagonal_masked: [(i, j, s) => j >= i || j >= s.length, 'the diagonal is masked too: a token may always attend to itself'],
      past_masked: [(i, j, s) => j < i || j >= s.length, 'the past is masked instead of the future: rows are queries, and columns are keys'],
      padding_off_by_one: [(i, j, s) => j > i || j > s.length, 'the padding starts one position too late: positions count from 0, so position `length` is padding already'],
      padding_early: [(i, j, s) => j > i || j >= s.length - 1, 'the padding starts one position too early: the last real key is masked too'],
      inverted: [(i, j, s) => j <= i && j < s.length, SWAPPED],
    },
  },
};
const LABELS = { length_0: 'length of example 0', length_1: 'length of example 1', length_2: 'length of example 2' };

const maskBy = (rule, kind, sizes) => {
  const [rows, columns] = kind.shape(sizes);
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => rule(i, j, sizes)));
};
const same = (a, b) => String(a) === String(b);
// {verdict, words}: "right", the name of a known mistake, or "other" with the first row that is wrong.
const judge = (drawn, kind, sizes) => {
  const right = maskBy(kind.right, kind, sizes);
  if (same(drawn, right)) return { verdict: 'right', words: `Right: ${right.flat().some(Boolean) ? kind.done : 'here nothing is masked.'}` };
  for (const [verdict, [rule, words]] of Object.entries(kind.known)) {
    if (same(drawn, maskBy(rule, kind, sizes))) return { verdict, words: `Not yet: ${words}.` };
  }
  const wrong = right.map((row, i) => !same(row, drawn[i])), i = wrong.indexOf(true);
  const faults = [right[i].some((masked, j) => masked && !drawn[i][j]) && kind.open, right[i].some((masked, j) => !masked && drawn[i][j]) && kind.grey];
  return { verdict: 'other', words: `Not yet: right rows, ${wrong.filter(bad => !bad).length} of ${right.length}. Look at ${kind.row(i, sizes)}: ${faults.filter(Boolean).join(', and ')}.` };
};

touch.picture((root, data, touch) => {
  const { el } = touch, kind = KINDS[data.name], sizes = { ...data.sizes };
  let drawn, cells, brush = null, last = null, solved = false;
  const board = el('div', { style: 'overflow-x:auto;padding:2px;container-type:inline-size' }), sayer = touch.sayer();
  sayer.firstChild.setAttribute('style', 'min-height:3em');
  const sliders = data.sliders.map(([size, min, max]) => touch.slider({ label: LABELS[size] || size, min, max, value: sizes[size],
    change: value => { sizes[size] = value; clear(); } }));
  for (const slider of sliders) slider.style.whiteSpace = 'nowrap';
  const over = data.mine && touch.toggle(`lay ${data.name} over it`, false, () => { show(); compare(); });
  const theirs = () => {
    const text = data.mine[data.sliders.map(([size]) => sizes[size]).join(',')], columns = kind.shape(sizes)[1];
    return drawn.map((row, i) => row.map((_, j) => text[i * columns + j] === '1'));
  };
  const painted = () => drawn.flat().filter(Boolean).length;

  function clear() {
    drawn = maskBy(() => false, kind, sizes);
    solved = false;
    build();
    if (over && over.on) compare();
    else sayer.say('Which cells are masked? Paint them grey, then check.');
    root.dataset.verdict = '';
  }
  function build() {
    const columns = drawn[0].length, cache = sizes.cache_len;
    const side = `min(38px,calc((100cqw - ${cache === undefined && !sizes.B ? 74 : 148}px) / ${columns}))`;
    const look = `width:${side};min-width:${side};height:${side};padding:0;text-align:center;touch-action:none;border-color:#b8b8b8`;
    cells = drawn.map(row => row.map((_, j) => el('td', { role: 'gridcell', style: look,
      'data-open': cache === undefined ? '#fff' : data.colours[+(j >= cache)] })));
    const group = (name, count, colour) => count ? el('th', { colspan: count, style: `text-align:center;border:0;border-bottom:4px solid ${colour}` }, name) : null;
    const heads = [el('tr', {}, el('th', { style: 'border:0' }, kind.column), drawn[0].map((_, j) => el('th', { scope: 'col', style: 'text-align:center;padding:0;border:0' }, String(j))))];
    if (cache !== undefined) heads.unshift(el('tr', {}, el('th', { style: 'border:0' }), group(cache > 1 ? 'cached' : '', cache, data.colours[0]), group('new', sizes.T_q, data.colours[1])));
    const table = el('table', { role: 'grid', 'aria-label': `Mask: rows are ${sizes.B ? 'examples' : 'queries'}, columns are ${kind.column}s`, style: 'user-select:none' },
      heads, cells.map((row, i) => el('tr', {}, el('th', { scope: 'row', style: 'white-space:nowrap;padding-left:0;border:0' }, kind.row(i, sizes)), row)));
    board.replaceChildren(table);
    touch.cells(cells, { press: (i, j) => { paint(i, j, !drawn[i][j]); tell(i, j); } });
    for (const cell of cells.flat()) { // for screen readers, which click without a pointer; pointers paint below
      const press = cell.onclick;
      cell.onclick = event => { if (event.detail === 0) press(); };
    }
    listen(table);
    show();
  }
  // Paint with a pointer: the first cell decides whether cells become masked or open.
  function listen(table) {
    const at = event => {
      const first = cells[0][0].getBoundingClientRect(), end = cells.at(-1).at(-1).getBoundingClientRect();
      const share = (value, low, high, count) => Math.max(0, Math.min(count - 1, Math.floor((value - low) / (high - low) * count)));
      return [share(event.clientY, first.top, end.bottom, cells.length), share(event.clientX, first.left, end.right, cells[0].length)];
    };
    table.onpointerdown = event => {
      if (event.button || !event.target.closest('td')) return;
      table.setPointerCapture(event.pointerId);
      last = at(event);
      brush = !drawn[last[0]][last[1]];
      paint(...last, brush);
    };
    table.onpointermove = event => {
      if (brush === null) return;
      const next = at(event), steps = Math.max(Math.abs(next[0] - last[0]), Math.abs(next[1] - last[1]));
      for (let k = 1; k <= steps; k += 1) paint(...[0, 1].map(a => Math.round(last[a] + (next[a] - last[a]) * k / steps)), brush);
      last = next;
    };
    table.onpointerup = table.onpointercancel = () => {
      if (brush !== null) tell(...last);
      brush = null;
    };
  }
  function paint(i, j, grey) {
    if (drawn[i][j] === grey) return;
    drawn[i][j] = grey;
    solved = false;
    root.dataset.verdict = '';
    show();
  }
  const tell = (i, j) => over && over.on ? compare()
    : sayer.say(`${kind.row(i, sizes)}, ${kind.column} ${j}: ${drawn[i][j] ? 'grey' : 'white'}. ${painted()} grey in all.`);
  function show() {
    const other = over && over.on ? theirs() : null;
    cells.forEach((row, i) => row.forEach((cell, j) => {
      const grey = drawn[i][j], differs = other && painted() > 0 && other[i][j] !== grey;
      cell.classList.toggle('masked', grey);
      cell.classList.toggle('lit', Boolean(differs));
      cell.style.background = grey ? '' : cell.dataset.open;
      cell.style.color = '#111';
      cell.style.boxShadow = solved && kind.own(i, sizes) === j ? 'inset 0 0 0 2px #111' : '';
      cell.textContent = other ? 'FT'[+other[i][j]] : '';
      cell.setAttribute('aria-label', `${kind.row(i, sizes)}, ${kind.column} ${j}: ${grey ? 'masked' : 'open'}${other ? `; ${data.name} gives ${other[i][j] ? 'True' : 'False'}` : ''}`);
    }));
    root.dataset.painted = drawn.map(row => row.map(Number).join('')).join(' ');
  }
  function check() {
    const { verdict, words } = judge(drawn, kind, sizes);
    solved = verdict === 'right';
    show();
    sayer.say(words);
    root.dataset.verdict = verdict;
  }
  function compare() {
    if (!over.on) return sayer.say('Which cells are masked? Paint them grey, then check.');
    const other = theirs(), count = drawn.flat().filter((grey, k) => grey !== other.flat()[k]).length;
    root.dataset.differ = painted() ? count : '';
    if (!painted()) return sayer.say(`The letters are what ${data.name} gives: T for True, which is masked.`);
    if (!count) return sayer.say(`${data.name} and your drawing agree in all ${other.flat().length} cells.`);
    const of = judge(other, kind, sizes), whose = judge(drawn, kind, sizes).verdict === 'right' ? 'The drawing is right.'
      : of.verdict === 'right' ? 'The function is right.' : 'Neither is right yet.';
    sayer.say(`${data.name} and your drawing differ in ${count} cell${count > 1 ? 's' : ''}, outlined. ${whose}`);
  }
  root.append(el('div', { class: 'caption' }, 'Paint the cells that are masked: click, or drag over them (or arrow keys and space).'),
    sliders.length ? el('div', { class: 'row' }, sliders) : '', board,
    el('div', { class: 'row' }, touch.button('check my drawing', check), touch.button('clear', clear), over || null), sayer);
  clear();
});
