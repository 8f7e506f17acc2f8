/** A script's function that adds an element with a text, never HTML, and with a class. */
export const ADD_SCRIPT = `
function add(parent, tag, text = '', name = '') {
  const child = parent.appendChild(document.createElement(tag));
  child.textContent = text;
  if (name) child.className = name;
  return child;
}
`;

/** Buttons that step through a game: what a script does (`data-go`), the sign, the name. */
const STEPS = [
  ['first', '|◀', 'first position'],
  ['back', '◀', 'back'],
  ['next', '▶', 'next'],
  ['last', '▶|', 'last position'],
] as const;

/** The buttons that step through a game, and further ones. */
export function stepButtons(further: readonly (readonly [string, string, string])[] = []): string {
  const buttons = [...STEPS, ...further].map(
    ([go, sign, name]) =>
      `<button type="button" data-go="${go}" aria-label="${name}" title="${name}">${sign}</button>`,
  );
  return `<div class="steps">${buttons.join('')}</div>`;
}
