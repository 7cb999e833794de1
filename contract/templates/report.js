'use strict';
const cards = [...document.querySelectorAll('.card')];
const chips = [...document.querySelectorAll('.chip')];
const text = document.getElementById('text');
const part = document.getElementById('part');
const shown = document.getElementById('shown');

function filter() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const levels = chips.filter(chip => chip.getAttribute('aria-pressed') === 'true').map(chip => chip.dataset.level);
  let count = 0;
  for (const card of cards) {
    const said = card.textContent.toLowerCase();
    const fits = (levels.length === 0 || levels.includes(card.dataset.level))
      && (part.value === '' || part.value === card.dataset.part)
      && words.every(word => said.includes(word));
    card.hidden = !fits;
    if (fits) count += 1;
  }
  shown.textContent = count === cards.length ? String(count) : count + ' of ' + cards.length;
}

for (const chip of chips) {
  chip.addEventListener('click', () => {
    chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
    filter();
  });
}
text.addEventListener('input', filter);
part.addEventListener('change', filter);
document.getElementById('clear').addEventListener('click', () => {
  text.value = '';
  part.value = '';
  for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
  filter();
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== text) {
    event.preventDefault();
    text.focus();
  }
});
filter();
