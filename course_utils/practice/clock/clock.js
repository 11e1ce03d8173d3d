(()=>{
// when the newest card of each session was drawn: it stops the clocks of older ones
const newest = window.newestCards ??= {}, drawn = DRAWN;
newest['SESSION'] = Math.max(newest['SESSION'] ?? 0, drawn);
const clock = document.getElementById('NAME'), end = END, whole = WHOLE;
if (!clock || clock.dataset.live) return;
clock.dataset.live = 'true';
const [time, bar, voice] = ['time', 'bar', 'voice'].map(part => clock.querySelector(`[data-part=${part}]`));
const two = number => String(number).padStart(2, '0');
let said = '';
const say = text => { if (text !== said) { said = voice.textContent = text; } };
const show = () => {
  if (!clock.isConnected) return;
  if (newest['SESSION'] > drawn) {
    time.textContent = 'A newer card replaces this one';
    bar.parentElement.remove();
    return;
  }
  const left = Math.min(Math.max(end - Date.now(), 0), whole), seconds = Math.ceil(left / 1000);
  const until = new Date(end);
  time.textContent = left ? `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s left, until `
    + `${two(until.getHours())}:${two(until.getMinutes())}` : 'Time is up';
  bar.style.width = `${100 * left / whole}%`;
  say(!left ? 'Time is up.' : seconds <= 60 ? 'One minute left.'
    : seconds <= 300 ? 'Five minutes left.' : '');
  if (left) setTimeout(show, left % 1000 || 1000);
};
show();
})()
