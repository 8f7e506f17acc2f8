import { EntryState } from '../board/entry-state.svelte.js';
import type { Settings } from '../settings/settings.svelte.js';
import type { Match } from './match.svelte.js';

/**
 * The entry of moves in a match; what was entered is cleared in another position, and when the game ends. To be called where a component starts.
 *
 * @param match the room's current one: rooms outlive their matches.
 */
export function matchEntry(match: () => Match, settings: Settings): EntryState {
  const entry = new EntryState({
    view: () => match().view,
    isOpen: () => match().isOpen,
    needsConfirm: () => settings.needsConfirm(match().table.board.columns),
    onMove: (action) => {
      match().play(action);
    },
  });
  $effect(() => {
    match().view;
    match().isOpen;
    entry.clear();
  });
  return entry;
}
