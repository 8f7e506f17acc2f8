import { EntryState } from '../../board/entry-state.svelte.js';
import type { Settings } from '../../settings/settings.svelte.js';
import type { Match } from './match.svelte.js';

/**
 * The entry of moves in a match; a change of position or the end of the game clears it. Call it during the
 * initialisation of a component.
 *
 * @param match returns the room's current match: rooms outlive their matches.
 */
export function matchEntry(match: () => Match, settings: Settings): EntryState {
  const entry = new EntryState({
    view: () => match().view,
    isOpen: () => match().isOpen,
    needsConfirm: () => settings.needsConfirm(match().table.board.columns),
    zooms: () => settings.values.zooms,
    onMove: (action) => {
      match().play(action);
    },
  });
  // Before the board is drawn: a square of one game need not be on the board of another.
  $effect.pre(() => {
    match().view;
    match().isOpen;
    entry.clear();
  });
  return entry;
}
