// A query and a key, rotated by their positions: two hands in each pair of features, and the score.
touch.picture((root, data, touch) => {
  const { el, svg, set, number } = touch, SIDE = 150, MIDDLE = SIDE / 2, LONG = 52;
  const state = { query: data.query, key: data.key }, redraw = touch.frames(draw), sayer = touch.sayer();
  const readable = colour => `color-mix(in srgb,${colour} 62%,currentColor)`;
  const looks = { key: [readable(data.colours[1]), 'none', 'k'], query: [readable(data.colours[0]), '6 4', 'q'] };
  const pairs = data.speeds.map((speed, j) => {
    const picture = svg('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, width: SIDE, role: 'img' },
      svg('circle', { cx: MIDDLE, cy: MIDDLE, r: LONG, fill: 'none', stroke: 'var(--line)', 'stroke-width': 2 }));
    const wedge = svg('path', { fill: 'var(--soft)' }), hands = {};
    picture.append(wedge);
    for (const [name, [colour, dash, letter]] of Object.entries(looks)) {
      const line = svg('line', { x1: MIDDLE, y1: MIDDLE, style: `stroke:${colour}`, 'stroke-width': 4, 'stroke-dasharray': dash });
      const text = svg('text', { 'text-anchor': 'middle', style: `fill:${colour};font-weight:600` }, letter);
      picture.append(line, text);
      hands[name] = { line, text };
    }
    const below = el('div', { style: 'text-align:center;font-variant-numeric:tabular-nums' });
    return { picture, wedge, hands, below, speed,
      node: el('div', { style: `width:${SIDE}px` }, el('div', { class: 'caption', style: 'text-align:center' }, `pair ${j}`), picture, below) };
  });
  const sliders = ['query', 'key'].map(name => touch.slider({ label: `${name} at`, min: 0, max: data.farthest, value: state[name],
    change: value => { state[name] = value; redraw(); } }));
  const both = step => {
    const moved = ['query', 'key'].map(name => state[name] + step);
    if (Math.min(...moved) < 0 || Math.max(...moved) > data.farthest) return;
    [state.query, state.key] = moved;
    sliders.forEach((slider, k) => slider.put(moved[k]));
    draw();
  };
  root.append(el('div', { class: 'caption' }, 'Move the query or the key, or both together.'),
    el('div', { class: 'row' }, sliders, el('span', {}, touch.button('both back', () => both(-1)), ' ', touch.button('both on', () => both(1)))),
    el('div', { class: 'side' }, pairs.map(pair => pair.node)), sayer);
  const point = (angle, length) => [MIDDLE + length * Math.cos(angle), MIDDLE - length * Math.sin(angle)];
  const degrees = angle => ((Math.round(angle * 180 / Math.PI) % 360) + 360) % 360;
  function draw() {
    const distance = state.query - state.key;
    const parts = pairs.map(({ picture, wedge, hands, below, speed }) => {
      for (const name of ['query', 'key']) {
        const angle = speed * state[name], [x, y] = point(angle, LONG), [textX, textY] = name === 'query' ? point(angle, LONG + 13) : point(angle - .34, LONG - 15);
        set(hands[name].line, { x2: x, y2: y });
        set(hands[name].text, { x: textX, y: textY + 5 });
      }
      const between = Math.acos(Math.max(-1, Math.min(1, Math.cos(speed * distance))));
      const from = speed * (Math.sin(speed * distance) >= 0 ? state.key : state.query);
      const [[x, y], [endX, endY]] = [point(from, 26), point(from + between, 26)];
      set(wedge, { d: `M${MIDDLE},${MIDDLE}L${x},${y}A26,26 0 0 0 ${endX},${endY}Z` });
      const product = Math.cos(speed * distance);
      below.textContent = `${Math.round(between * 180 / Math.PI)}° apart: ${number(product)}`;
      picture.setAttribute('aria-label', `query at ${degrees(speed * state.query)} degrees, key at ${degrees(speed * state.key)}; product ${number(product)}`);
      return product;
    });
    const score = parts.reduce((sum, part) => sum + part, 0);
    sayer.say(`query at ${state.query}, key at ${state.key}, distance ${number(distance, 0)}: score = ${parts.map(part => number(part)).join(' + ').replace(/\+ −/g, '− ')} = ${number(score)}`);
    root.dataset.score = score.toFixed(4);
    root.dataset.positions = `${state.query} ${state.key}`;
  }
  draw();
});
