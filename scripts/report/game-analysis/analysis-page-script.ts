import { ADD_SCRIPT } from '../page-parts.js';

/**
 * The script of the page: shows the position of a ply, by buttons, keys, the curve, the list of moves and the address
 * (`#12`). It reads `data` of `analysisPage`, whose texts are put into the page as text, never as HTML; only boards,
 * which this program has drawn, are HTML.
 */
export const PAGE_SCRIPT = `
'use strict';
const element = (id) => document.getElementById(id);
const last = data.positions.length - 1;
let ply = -1;

${ADD_SCRIPT}
function showText({ title, mark, verdict, details, comment }) {
  const box = element('text');
  box.replaceChildren();
  const head = add(box, 'p', '');
  add(head, 'strong', title + ' ');
  if (mark) add(head, 'strong', mark, verdict);
  for (const detail of details) add(box, 'p', detail);
  if (comment) add(box, 'p', comment, 'comment');
}

function show(next, scrolls = true) {
  const wanted = Math.min(Math.max(next, 0), last);
  if (wanted === ply) return;
  ply = wanted;
  const position = data.positions[ply];
  element('board').innerHTML = position.board.map((line) => data.lines[line]).join('\\n');
  showText(position);
  element('here').style.left = (100 * ply) / Math.max(1, last) + '%';
  const curve = element('curve');
  curve.setAttribute('aria-valuenow', ply);
  curve.setAttribute('aria-valuetext', position.title);
  for (const button of document.querySelectorAll('#moves [aria-current]')) button.removeAttribute('aria-current');
  const current = document.querySelector('#moves button[data-ply="' + ply + '"]');
  current?.setAttribute('aria-current', 'true');
  const list = element('moves');
  if (current && scrolls) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  history.replaceState(null, '', '#' + ply);
}

const marked = (from, step) => {
  let at = from + step;
  while (at > 0 && at <= last && !data.positions[at].mark) at += step;
  return at > 0 && at <= last ? at : from;
};
const go = {
  first: () => show(0),
  back: () => show(ply - 1),
  next: () => show(ply + 1),
  last: () => show(last),
  mark: () => show(marked(ply, 1)),
  markBefore: () => show(marked(ply, -1)),
};
const keys = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ArrowDown: 'mark', ArrowUp: 'markBefore' };
document.addEventListener('keydown', (event) => {
  if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go[keys[event.key]]();
});
for (const button of document.querySelectorAll('.steps button')) button.addEventListener('click', go[button.dataset.go]);
element('moves').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) show(Number(button.dataset.ply), false);
});
element('curve').addEventListener('click', (event) => {
  const { left, width } = element('curve').getBoundingClientRect();
  show(Math.round((last * (event.clientX - left)) / width));
});
const ofAddress = () => Number(/^#(\\d{1,6})$/.exec(location.hash)?.[1] ?? 0);
window.addEventListener('hashchange', () => show(ofAddress()));
show(ofAddress());
`;
