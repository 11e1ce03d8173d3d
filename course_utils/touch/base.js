// Shared by all pictures. A picture's own script calls touch.picture(draw); draw(root, data, touch) fills root.
const touch = { looks: {} };

// ---- elements

touch.element = (space, tag, attributes, children) => {
  const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
};
touch.el = (tag, attributes, ...children) => touch.element(null, tag, attributes, children);
touch.svg = (tag, attributes, ...children) =>
  touch.element('http://www.w3.org/2000/svg', tag, attributes, children);
touch.set = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

// ---- numbers and colours

// A number as text, with a minus sign instead of a hyphen, and without −0.
touch.number = (value, decimals = 2) => {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '−inf';
  const text = Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
};
touch.mix = (stops, share) => {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1), low = Math.floor(place);
  const high = Math.min(low + 1, stops.length - 1), part = place - low;
  return stops[low].map((value, k) => Math.round(value + (stops[high][k] - value) * part));
};
touch.css = rgb => `rgb(${rgb.join(',')})`;
touch.weightColour = weight => touch.css(touch.mix(touch.looks.weights, weight));
touch.signedColour = (value, most) => touch.css(touch.mix(touch.looks.signed, .5 + value / (2 * (most || 1))));
// Black or white text, whichever is easier to read on this rgb(r,g,b).
touch.inkOn = colour => {
  const [r, g, b] = colour.match(/\d+/g).map(Number);
  return .299 * r + .587 * g + .114 * b > 140 ? '#111' : '#fff';
};
touch.dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
// scores -> weights; masked scores are -Infinity. A row with every score masked gives NaN, as in torch.
touch.softmax = scores => {
  const most = Math.max(...scores), powers = scores.map(score => Math.exp(score - most));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map(power => power / total);
};
// Normal random numbers, the same in every browser for a seed (mulberry32, then Box-Muller).
touch.normals = seed => {
  const uniform = () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
};

// ---- controls

// At most one redraw per animation frame, however often it is requested.
touch.frames = draw => {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
};
touch.slider = ({ label, min, max, step = 1, value, text = String, change }) => {
  const shown = touch.el('output', {}, text(value));
  const input = touch.el('input', { type: 'range', min, max, step, value, 'aria-label': label,
    'aria-valuetext': text(value) });
  const take = () => {
    shown.textContent = text(+input.value);
    input.setAttribute('aria-valuetext', text(+input.value));
  };
  input.oninput = () => { take(); change(+input.value); };
  const node = touch.el('label', {}, label, input, shown);
  node.input = input;
  node.put = wanted => { input.value = wanted; take(); };
  return node;
};
touch.button = (label, press, attributes) =>
  touch.el('button', { type: 'button', onclick: press, ...attributes }, label);
// A button that is on or off.
touch.toggle = (label, on, change) => {
  const node = touch.button(label, () => node.put(!node.on, true));
  node.put = (wanted, tell) => {
    node.on = wanted;
    node.setAttribute('aria-pressed', wanted);
    if (tell) change(wanted);
  };
  node.put(on);
  return node;
};
touch.choice = (label, options, value, change) => {
  const select = touch.el('select', { 'aria-label': label, onchange: () => change(select.value) },
    options.map(([key, text]) => touch.el('option', { value: key, selected: String(key) === String(value) }, text)));
  const node = touch.el('label', {}, label, select);
  node.select = select;
  return node;
};
// A slider over steps 0 to last, with a button that plays them.
touch.player = ({ label, last, value = 0, wait = 120, text = String, change }) => {
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; play.textContent = '▶ play'; };
  const slider = touch.slider({ label, min: 0, max: last, value, text, change: at => { stop(); change(at); } });
  const go = at => { slider.put(at); change(at); };
  const play = touch.button('▶ play', () => {
    if (timer) return stop();
    play.textContent = '⏸ pause';
    if (+slider.input.value >= last) go(0);
    timer = setInterval(() => {
      const next = +slider.input.value + 1;
      if (!play.isConnected || next > last) return stop();
      go(next);
      if (next === last) stop();
    }, wait);
  });
  const node = touch.el('div', { class: 'row' }, play, slider);
  node.go = go;
  node.input = slider.input;
  return node;
};
// Make an SVG element a handle: drag it with a mouse, a finger or the arrow keys. move(x, y) gets coordinates of
// the SVG, nudge(dx, dy) whole steps, positive to the right and up; describe() returns its position in words.
touch.handle = (node, { label, move, nudge, describe }) => {
  touch.set(node, { tabindex: 0, role: 'slider', 'aria-label': label, class: 'handle',
    'aria-valuemin': -9, 'aria-valuemax': 9, 'aria-valuenow': 0, 'aria-valuetext': describe() });
  const tell = () => node.setAttribute('aria-valuetext', describe());
  const at = event => {
    const frame = node.ownerSVGElement, point = frame.createSVGPoint();
    [point.x, point.y] = [event.clientX, event.clientY];
    return point.matrixTransform(frame.getScreenCTM().inverse());
  };
  node.onpointerdown = event => {
    event.preventDefault();
    node.focus();
    node.setPointerCapture(event.pointerId);
    node.onpointermove = moved => { const point = at(moved); move(point.x, point.y); tell(); };
  };
  node.onpointerup = node.onpointercancel = () => { node.onpointermove = null; };
  node.onkeydown = event => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    nudge(...step);
    tell();
  };
  node.tell = tell;
  return node;
};
// Arrow keys move the focus between cells. rows: a list of lists of elements, or null where there is no cell.
// enter(row, column) is called on pointer or focus, press(row, column) on a click, space or Enter.
touch.cells = (rows, { enter, leave, press }) => {
  rows.forEach((row, i) => row.forEach((cell, j) => {
    if (!cell) return;
    cell.setAttribute('tabindex', i + j ? -1 : 0);
    if (enter) cell.onpointerenter = cell.onfocus = () => enter(i, j);
    if (leave) cell.onpointerleave = cell.onblur = () => leave(i, j);
    if (press) cell.onclick = () => press(i, j);
    cell.onkeydown = event => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (press && (event.key === 'Enter' || event.key === ' ')) {
        event.preventDefault();
        press(i, j);
      } else if (step) {
        event.preventDefault();
        const next = (rows[i + step[0]] || [])[j + step[1]];
        if (!next) return;
        cell.setAttribute('tabindex', -1);
        next.setAttribute('tabindex', 0);
        next.focus();
      }
    };
  }));
};
// A line of text that a screen reader reads out once it has not changed for 0.4 seconds.
touch.sayer = () => {
  const seen = touch.el('div', { class: 'say' }), heard = touch.el('div', { 'aria-live': 'polite', style:
    'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)' });
  let timer = null;
  const node = touch.el('div', { style: 'position:relative' }, seen, heard);
  seen.setAttribute('aria-hidden', 'true');
  node.say = text => {
    seen.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => { heard.textContent = text; }, 400);
  };
  return node;
};

// ---- start

touch.picture = draw => { touch.draw = draw; };
touch.start = (name, data, looks) => {
  touch.looks = looks;
  for (const root of document.querySelectorAll(`[data-touch="${name}"]:not([data-live])`)) {
    root.setAttribute('data-live', '');
    root.setAttribute('data-lm-suppress-shortcuts', 'true'); // no JupyterLab shortcuts in here
    root.addEventListener('keydown', event => event.stopPropagation());
    const live = touch.el('div', { class: 'live' });
    root.append(live);
    touch.draw(live, data, touch);
    root.querySelector('.touch-still').classList.add('hidden'); // only now, so that the still stays after an error
  }
};
