import { ADD_SCRIPT } from '../page-parts.js';

/**
 * The script of a report: values of charts under the pointer or by the arrow keys, and the boards of sample games. It
 * reads `charts` and `drawn` of `reportPage`, whose texts are put into the page as text, never as HTML.
 */
export const REPORT_SCRIPT = `
'use strict';
${ADD_SCRIPT}
for (const plot of document.querySelectorAll('.plot')) {
  const { curves, sizes, axis } = charts[Number(plot.dataset.chart)];
  const places = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  let at = -1;
  let cursor, tip;
  const shownSize = () => sizes[getComputedStyle(plot.querySelector('.wide')).display === 'none' ? 0 : 1];
  const hide = () => {
    cursor?.remove();
    tip?.remove();
    cursor = tip = undefined;
    at = -1;
  };
  const show = (index) => {
    hide();
    at = Math.min(Math.max(index, 0), places.length - 1);
    const x = places[at];
    const { width, x: [offset, scale] } = shownSize();
    const share = (offset + scale * x) / width;
    cursor = add(plot, 'div', '', 'cursor');
    cursor.style.left = 100 * share + '%';
    tip = add(plot, 'div', '', 'tip');
    tip.style[share > 0.5 ? 'right' : 'left'] = 100 * (share > 0.5 ? 1 - share : share) + 2 + '%';
    add(tip, 'p', axis + ' ' + Number(x.toPrecision(4)), 'soft');
    for (const { name, color, points } of curves) {
      const point = points.find(([place]) => place === x);
      if (!point) continue;
      const line = add(tip, 'p');
      add(line, 'i').style.background = color;
      const interval = point.length > 2 ? ' [' + point[2] + ', ' + point[3] + ']' : '';
      line.append(name + ': ' + point[1] + interval);
    }
    tip.setAttribute('role', 'status');
  };
  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    const size = shownSize();
    const wanted = (((clientX - left) / width) * size.width - size.x[0]) / size.x[1];
    const distances = places.map((place) => Math.abs(place - wanted));
    show(distances.indexOf(Math.min(...distances)));
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const next = { ArrowLeft: at < 0 ? places.length - 1 : at - 1, ArrowRight: at + 1, Home: 0, End: places.length - 1 }[event.key];
    if (event.key === 'Escape') hide();
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(next);
  });
}

const board = document.getElementById('board');
if (board) {
  const choice = document.getElementById('game');
  const range = document.getElementById('ply');
  const say = document.getElementById('position');
  let ply = 0;
  const NAMESPACE = 'http://www.w3.org/2000/svg';
  const shape = (parent, tag, attributes) => {
    const child = parent.appendChild(document.createElementNS(NAMESPACE, tag));
    for (const [name, value] of Object.entries(attributes)) child.setAttribute(name, value);
    return child;
  };
  const drawPiece = (svg, letter, [x, y]) => {
    const fill = drawn.board.pieces[letter === letter.toLowerCase() ? 0 : 1];
    const ink = { fill, stroke: '#0006', 'stroke-width': 0.05 };
    const kind = letter.toLowerCase();
    if (kind === 'd') shape(svg, 'circle', { cx: x + 0.5, cy: y + 0.5, r: 0.4, ...ink });
    else if (kind === 's') shape(svg, 'rect', { x: x + 0.18, y: y + 0.18, width: 0.64, height: 0.64, ...ink });
    else shape(svg, 'path', { d: 'M' + (x + 0.5) + ' ' + (y + 0.12) + 'l0.4 0.72h-0.8z', ...ink });
  };
  const draw = (text, before) => {
    board.replaceChildren();
    if (!drawn.board) return void add(board, 'pre', text);
    const { rows, columns, fills, colors, hole, rowNames, columnNames } = drawn.board;
    const svg = document.createElementNS(NAMESPACE, 'svg');
    const margin = rowNames.some((name) => name) ? 1 : 0;
    svg.setAttribute('viewBox', -margin + ' 0 ' + (columns + margin) + ' ' + (rows + 1));
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-labelledby', 'position');
    for (let square = 0; square < rows * columns; square++) {
      const place = [square % columns, Math.floor(square / columns)];
      const [x, y] = place;
      shape(svg, 'rect', { x, y, width: 1.02, height: 1.02, fill: colors[fills[square]] });
      if (before && before[square] !== text[square]) shape(svg, 'rect', { x, y, width: 1, height: 1, fill: '#0ea5e9', opacity: 0.45 });
      if (text[square] !== '.') drawPiece(svg, text[square], place);
      else if (hole) shape(svg, 'circle', { cx: x + 0.5, cy: y + 0.5, r: 0.4, fill: hole });
    }
    const label = (text, x, y) => shape(svg, 'text', { x, y, 'font-size': 0.6, 'text-anchor': 'middle' }).append(text);
    rowNames.forEach((name, row) => label(name, -0.5, row + 0.7));
    columnNames.forEach((name, column) => label(name, column + 0.5, rows + 0.7));
    board.append(svg);
  };
  const show = (next) => {
    const game = drawn.games[Number(choice.value)];
    const last = game.boards.length - 1;
    ply = Math.min(Math.max(next, 0), last);
    range.max = last;
    range.value = ply;
    draw(game.boards[ply], ply > 0 ? game.boards[ply - 1] : undefined);
    const move = ply === 0 ? 'first position' : 'after ' + (game.moves[ply - 1] ?? 'a move');
    say.textContent = ply + ' of ' + last + ', ' + move + (ply === last ? ': ' + game.end : '');
  };
  const go = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => Infinity };
  for (const button of document.querySelectorAll('[data-go]')) button.addEventListener('click', () => show(go[button.dataset.go]()));
  range.addEventListener('input', () => show(Number(range.value)));
  choice.addEventListener('change', () => show(0));
  show(0);
}
`;
