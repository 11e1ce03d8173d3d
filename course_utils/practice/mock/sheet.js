const line = document.getElementById('line');
const write = () => {
  const groups = [...document.querySelectorAll('[data-part]')].map(part =>
    [...part.querySelectorAll('[data-mark]')].map(mark =>
      (mark.querySelector(':checked') || {value: '-'}).value).join(''));
  line.textContent = `mock_interview.rate("${groups.join(' ')}")`;
};
document.addEventListener('change', write);
write();
