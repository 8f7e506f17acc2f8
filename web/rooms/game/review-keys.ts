import { ROOT_NODE } from '../../../session/game-tree.js';
import type { Match } from './match.svelte.js';

/** Elements in which keys have other meanings. */
const TAKEN = 'input, textarea, select, dialog, [role="grid"], .moves';

/** Keys and their effects, for the page's list of keys. */
export const KEY_LIST: readonly (readonly [key: string, does: string])[] = [
  ['← →', 'previous and next move'],
  ['Home End', 'first and last position'],
  ['U', 'takes the last move back, in a game'],
  ['F', 'turns the board'],
  ['Space', 'starts and stops the analysis'],
  ['R', 'reviews the game, or stops the review'],
];

/** The room's own keys, in lower case. */
export type RoomKeys = Readonly<Record<string, () => void>>;

/** Steps through a game with the arrow keys, Home and End, unless the focus is where they have another meaning. */
export function followKey(event: KeyboardEvent, match: Match, keys: RoomKeys): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const focus = target instanceof Element ? target : document.body;
  if (ctrlKey || metaKey || altKey || focus.closest(TAKEN) !== null) return;
  const { tree, view } = match;
  const line = tree.lineThrough(view.node);
  const at = line.indexOf(view.node);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(line.length - 1, at + 1),
    Home: 0,
    End: line.length - 1,
  };
  const step = steps[key];
  const act = keys[key.toLowerCase()];
  if (step === undefined && act === undefined) return;
  // The space bar presses a focused button or link.
  if (key === ' ' && focus.closest('button, a') !== null) return;
  event.preventDefault();
  if (step === undefined) act!();
  else if (step !== at) match.goTo(line[step] ?? ROOT_NODE);
}
