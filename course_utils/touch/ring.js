// A cache that never grows: a ring of slots, in which a new token takes the place of the oldest, beside the sinks.
touch.picture((root, data, touch) => {
  const { el, svg, set } = touch, SIDE = 240, MIDDLE = SIDE / 2, OUT = 112, IN = 56;
  const state = { at: data.first, window: data.window, sinks: data.sinks }, sayer = touch.sayer();
  sayer.firstChild.style.minHeight = '3em';
  const ring = svg('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, width: SIDE, role: 'img' });
  const beside = el('div', {}), line = el('div', { class: 'row', style: 'gap:3px' });
  const range = count => Array.from({ length: count }, (_, k) => k);
  const box = (text, look) => el('span', { style: 'display:inline-block;min-width:30px;padding:2px 4px;text-align:center;border-radius:5px;'
    + `border:1px ${look ? 'solid' : 'dashed'} var(--line);${colours(look)}` }, text);
  const colours = look => look ? `background:${data[look]};color:${look === 'computed' ? '#fff' : touch.looks.ink}` : '';
  const cells = range(data.tokens).map(() => el('span', {}));
  line.append(...cells);
  const redraw = touch.frames(draw);
  const player = touch.player({ label: 'token', last: data.tokens - 1, value: state.at, wait: 900, change: at => { state.at = at; redraw(); } });
  const sliders = ['window', 'sinks'].map((name, k) => touch.slider({ label: name, min: k ? 0 : 1, max: data.most[k], value: state[name],
    change: value => { state[name] = value; redraw(); } }));
  root.append(el('div', { class: 'row' }, player, sliders),
    el('div', { class: 'note' }, 'the text: dashed tokens are no longer, or not yet, in the cache'), line,
    el('div', { class: 'side', style: 'margin-top:8px' }, el('div', {}, el('div', { class: 'caption' }, 'sinks'), beside),
      el('div', {}, el('div', { class: 'caption' }, 'ring, slots numbered inside'), ring)), sayer);
  const place = (angle, length) => [MIDDLE + length * Math.sin(angle), MIDDLE - length * Math.cos(angle)];
  function draw() {
    const { at, window, sinks } = state, look = token => token === at ? 'computed' : 'old';
    const held = range(at + 1).filter(token => token < sinks || token > at - window);
    cells.forEach((cell, token) => cell.replaceChildren(box(String(token), held.includes(token) ? look(token) : '')));
    beside.replaceChildren(...range(sinks).map(token => el('div', { style: 'margin:3px 0' }, box(token > at ? '–' : String(token), token > at ? '' : look(token)))));
    if (!sinks) beside.textContent = 'none';
    ring.replaceChildren(...range(window).flatMap(slot => {
      const token = held.find(held => held >= sinks && (held - sinks) % window === slot), empty = token === undefined;
      const [from, to] = [slot, slot + 1 - (window === 1 ? 1e-4 : 0)].map(edge => 2 * Math.PI * edge / window), half = (from + to) / 2;
      const corners = [place(from, IN), place(from, OUT), place(to, OUT), place(to, IN)].map(corner => corner.join(','));
      const large = to - from > Math.PI ? 1 : 0;
      const path = `M${corners[0]}L${corners[1]}A${OUT},${OUT} 0 ${large} 1 ${corners[2]}L${corners[3]}A${IN},${IN} 0 ${large} 0 ${corners[0]}Z`;
      const [[x, y], [slotX, slotY]] = [place(half, 86), place(half, 42)];
      return [svg('path', { d: path, fill: empty ? 'none' : data[look(token)], stroke: 'currentColor', 'stroke-dasharray': empty ? '4 3' : 'none' }),
        svg('text', { x, y: y + 5, 'text-anchor': 'middle', style: empty ? '' : `fill:${token === at ? '#fff' : touch.looks.ink};font-weight:600` }, empty ? '' : token),
        svg('text', { x: slotX, y: slotY + 4, 'text-anchor': 'middle', style: 'font-size:12px;opacity:.75' }, slot)];
    }));
    const slot = (at - sinks) % window, gone = at - window;
    const where = at < sinks ? `Token ${at} is a sink: it keeps place ${at}.`
      : `Token ${at} goes into slot (${at} − ${sinks}) mod ${window} = ${slot}${gone >= sinks ? `, and token ${gone} is gone` : ''}.`;
    const words = `${where} In the order of positions the cache returns ${held.join(', ')}.`;
    ring.setAttribute('aria-label', words);
    sayer.say(words);
    Object.assign(root.dataset, { held: held.join(' '), slot: at < sinks ? '' : slot });
  }
  draw();
});
