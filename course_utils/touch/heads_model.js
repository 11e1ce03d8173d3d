// A small model of the course, run in the page: other texts can be typed, and heads switched off.

// The numbers of a TinyModel -> run(ids, off) -> { weights: [layer * H + head][query][key], logits: [place] }.
// off: the heads that add nothing.
function tinyModel({ numbers, width: D, layers, heads: H, longest, vocabulary }) {
  const values = new Float32Array(Uint8Array.from(atob(numbers), letter => letter.charCodeAt(0)).buffer);
  let at = 0;
  const matrix = rows => Array.from({ length: rows }, () => values.subarray(at, at += D)); // rows × D
  const embedding = matrix(vocabulary.length), positions = matrix(longest);
  const blocks = Array.from({ length: layers }, () => ({ q: matrix(D), k: matrix(D), v: matrix(D), o: matrix(D) }));
  const readout = matrix(vocabulary.length), size = D / H;
  const dot = (a, b, from = 0, to = a.length) => {
    let sum = 0;
    for (let k = from; k < to; k++) sum += a[k] * b[k];
    return sum;
  };
  const times = (rows, W) => rows.map(row => W.map(column => dot(row, column))); // x @ W.T
  return (ids, off) => {
    let stream = ids.map((id, place) => Array.from(embedding[id], (value, k) => value + positions[place][k]));
    const weights = [];
    blocks.forEach((W, layer) => {
      const [q, k, v] = [times(stream, W.q), times(stream, W.k), times(stream, W.v)];
      const mixed = ids.map(() => new Float64Array(D));
      for (let head = 0; head < H; head++) {
        const [from, to] = [head * size, (head + 1) * size];
        const table = ids.map((_, i) => touch.softmax(ids.map((_, j) =>
          j > i ? -Infinity : dot(q[i], k[j], from, to) / Math.sqrt(size))));
        weights.push(table);
        if (!off.has(layer * H + head)) table.forEach((row, i) => row.forEach((weight, j) => {
          for (let f = from; f < to; f++) mixed[i][f] += weight * v[j][f];
        }));
      }
      const added = times(mixed, W.o);
      stream = stream.map((row, i) => row.map((value, f) => value + added[i][f]));
    });
    return { weights, logits: times(stream, readout) };
  };
}

// The scores of lesson 05 for one text, as course_utils/touch/heads.py computes them: { name: [layer][head] }.
function scoresOf(weights, tokens, layers, heads) {
  const mean = list => list.reduce((sum, value) => sum + value, 0) / list.length;
  const later = tokens.map((_, i) => i).slice(2);
  const followers = tokens.map((token, i) => tokens.map((_, j) => j).filter(j => j > 0 && j <= i && tokens[j - 1] === token));
  const copies = followers.map((_, i) => i).filter(i => followers[i].length);
  const kinds = {};
  if (later.length) Object.assign(kinds, { previous: w => mean(later.map(i => w[i][i - 1])),
    first: w => mean(later.map(i => w[i][0])), self: w => mean(later.map(i => w[i][i])) });
  if (copies.length) kinds.induction = w => mean(copies.map(i => followers[i].reduce((sum, j) => sum + w[i][j], 0)));
  if (tokens.length > 1) kinds.entropy = w => mean(w.slice(1).map((row, i) =>
    row.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0) / Math.log(i + 2)));
  return Object.fromEntries(Object.entries(kinds).map(([name, score]) => [name, Array.from({ length: layers },
    (_, l) => Array.from({ length: heads }, (_, h) => score(weights[l * heads + h])))]));
}

// The text, the switches and the answers below the heads. view: { show(tables, tokens, scores), pin(query) }.
// Returns a function that shows the answers at a query.
function modelControls(root, data, touch, view) {
  const { el } = touch, { vocabulary, longest, answer, heads: H, layers: L } = data.models[0];
  const ofWords = vocabulary.some(entry => entry.length > 1), [unit, gap] = ofWords ? ['word', ' '] : ['letter', ''];
  const words = `Its words: ${vocabulary.join(', ')}.`;
  const models = data.models.map(tinyModel), off = new Set(), start = data.tokens.join(gap);
  let text = data.tokens, query = text.length - 1, whole, now; // text: a list of tokens

  const field = el('input', { type: 'text', maxlength: ofWords ? null : longest, value: start, spellcheck: 'false', autocapitalize: 'off',
    'aria-label': `your text, up to ${longest} ${ofWords ? 'words' : 'letters from a to z'}`,
    style: `width:${ofWords ? 'min(32em,60vw)' : `${longest * .68 + 2}em`}`,
    oninput: () => { take(field.value); } });
  const take = typed => {
    const parts = ofWords ? typed.toLowerCase().replaceAll('.', ' . ').split(' ').filter(Boolean) : [...typed.toLowerCase()];
    const unknown = parts.filter(part => !vocabulary.includes(part));
    const known = parts.filter(part => vocabulary.includes(part)), plain = known.slice(0, longest);
    hint.textContent = unknown.length ? ofWords ? `This model does not know “${unknown[0]}”. ${words}` : 'Only the letters a to z are read.'
      : !plain.length ? `Type at least one ${unit}.` : known.length > longest ? `Only ${longest} ${unit}s are read.` : '';
    if (!plain.length) return;
    if (plain.join(gap) !== text.join(gap)) query = plain.length - 1;
    text = plain;
    compute();
  };
  const hint = el('span', { class: 'note', role: 'status' });
  const switches = Array.from({ length: L * H }, (_, k) => {
    const name = `layer ${Math.floor(k / H)}, head ${k % H}`;
    const button = touch.toggle(`${name}: on`, true, on => {
      button.textContent = `${name}: ${on ? 'on' : 'off'}`;
      if (on) off.delete(k); else off.add(k);
      compute();
    });
    return button;
  });
  const reset = touch.button('reset', () => {
    off.clear();
    switches.forEach((button, k) => {
      button.put(true);
      button.textContent = `layer ${Math.floor(k / H)}, head ${k % H}: on`;
    });
    field.value = start;
    take(start);
  });
  const boards = data.names.map(() => el('div', { style: 'overflow-x:auto' })), sayer = touch.sayer();
  const detail = el('div', { class: 'note' });
  const most = list => list.reduce((best, value, k) => value > list[best] ? k : best, 0);

  const compute = () => {
    const ids = text.map(token => vocabulary.indexOf(token));
    whole = models.map(run => run(ids, new Set()));
    now = models.map(run => run(ids, off));
    root.logits = now.map(one => one.logits); // for tests
    root.dataset.text = text.join(gap);
    const levels = table => ({ cells: Uint8Array.from(table.flatMap((row, i) => row.map((weight, j) =>
      j > i ? MASKED : levelOf(weight)))), n: text.length });
    view.show(now.map(one => one.weights.map(levels)), text,
      now.map(one => scoresOf(one.weights, text, L, H)), query);
    drawBoards();
    tell();
  };
  const drawBoards = () => boards.forEach((board, s) => {
    const cells = text.map((_, place) => {
      const logits = now[s].logits[place], best = most(logits), before = most(whole[s].logits[place]);
      const share = touch.softmax(logits)[best], colour = touch.weightColour(share);
      return el('td', { class: best === before ? null : 'lit', style:
        `background:${colour};color:${touch.inkOn(colour)};text-align:center;min-width:22px;padding:2px 5px`,
      'aria-label': `${answer} at ${place} ${text[place]}: ${vocabulary[best]}, ${share.toFixed(2)}${best === before ? ''
        : `; with all heads on ${vocabulary[before]}`}` }, vocabulary[best]);
    });
    touch.cells([cells], { press: (_, place) => view.pin(place) });
    const corner = el('th', { scope: 'row', style: 'text-align:left' }, 'text');
    board.replaceChildren(
      el('div', { class: 'caption' }, `${data.names[s] ? `${data.names[s]}: ` : ''}the model's answer at each ${unit}`),
      el('table', {}, el('tr', {}, corner, text.map(token => el('th', { scope: 'col', style: 'text-align:center' }, token))),
        el('tr', {}, el('th', { scope: 'row', style: 'text-align:left' }, answer), cells)));
  });
  const tell = () => {
    const changed = now.map((one, s) =>
      one.logits.filter((logits, place) => most(logits) !== most(whole[s].logits[place])).length);
    root.dataset.changed = changed.join(' ');
    sayer.say(off.size ? `Without ${[...off].sort((a, b) => a - b).map(k => `layer ${Math.floor(k / H)}, head ${k % H}`)
      .join('; ')}, these answers differ: ${changed.map((count, s) => (data.names[s] ? `${data.names[s]}, ` : '')
      + `${answer} ${count} of ${text.length}`).join('; ')}.`
      : 'All heads are on. Switch one off: answers that change are outlined.');
  };

  root.append(el('hr', { style: 'border:0;border-top:1px solid var(--line);margin:12px 0' }),
    el('div', { class: 'row' }, el('label', {}, 'your text', field), hint, reset),
    el('div', { class: 'row', role: 'group', 'aria-label': 'Heads that are on' }, switches),
    el('div', { class: 'side' }, boards), sayer, detail);
  return at => {
    query = Math.min(at, text.length - 1);
    if (!now) return compute();
    boards.forEach(board => board.querySelectorAll('th[scope=col]').forEach((node, place) => {
      node.style.cssText += `;font-weight:${place === query ? 700 : 400};text-decoration:${place === query ? 'underline' : 'none'}`;
    }));
    detail.replaceChildren(...now.map((one, s) => {
      const shares = touch.softmax(one.logits[query]), order = shares.map((_, k) => k).sort((x, y) => shares[y] - shares[x]);
      const before = touch.softmax(whole[s].logits[query])[order[0]];
      return el('div', {}, `${data.names[s] ? `${data.names[s]}, ` : ''}at ${query} “${text[query]}”: ${answer}: `
        + order.slice(0, 3).map(k => `${vocabulary[k]} ${touch.number(shares[k])}`).join(', ')
        + (off.size ? ` (${vocabulary[order[0]]} with all heads on: ${touch.number(before)})` : ''));
    }));
  };
}
