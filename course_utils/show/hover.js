// A card's two tables: pointing at an entry highlights it in both, and a line below shows both values. Every card
// carries this script, which sets up only new pairs of tables. Without it the card is the same, but for that line.
for (const pair of document.querySelectorAll('[data-pair]:not([data-live])')) {
  pair.dataset.live = pair.dataset.lmSuppressShortcuts = 'true'; // JupyterLab's keys are not meant here
  const tables = [...pair.querySelectorAll('table')], line = document.createElement('div');
  const at = (table, row, column) => table.rows[row]?.cells[column];
  const isEntry = cell => cell?.tagName === 'TD' && /[^…]/.test(cell.textContent);
  let lit = [];
  const light = event => {
    const cell = event.target.closest('td');
    if (!isEntry(cell)) return;
    const [row, column] = [cell.parentNode.rowIndex, cell.cellIndex];
    lit.forEach(one => { one.style.boxShadow = ''; });
    lit = tables.map(table => at(table, row, column));
    lit.forEach(one => { one.style.boxShadow = 'inset 0 0 0 2px'; });
    const [yours, wanted] = lit.map(one => one.textContent.replace('≠', '')), off = lit[0].dataset.off;
    const [down, right] = [at(tables[0], row, 0), at(tables[0], 0, column)].map(head => head.textContent);
    line.textContent = `row ${down}, column ${right}: yours ${yours}, expected ${wanted}`
      + (off === undefined ? ', correct' : off && `: ${off}`);
  };
  pair.onpointerover = light;
  pair.addEventListener('focusin', light); // which has no property of its own
  pair.onkeydown = event => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const cell = event.target, table = cell.closest('table');
    const next = at(table, cell.parentNode.rowIndex + step[0], cell.cellIndex + step[1]);
    if (!isEntry(next)) return;
    [cell.tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  };
  const entry = pair.querySelector('[data-off]') || [...pair.querySelectorAll('td')].find(isEntry);
  if (entry) entry.tabIndex = 0;
  line.setAttribute('aria-live', 'polite');
  line.setAttribute('aria-atomic', 'true');
  line.style.cssText = 'opacity:.85;font-size:90%';
  line.textContent = 'Point at an entry, or use Tab and the arrow keys, to read both.';
  pair.after(line);
}
