import type { Game } from '../../env/game.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { PlayError } from './play-error.js';
import type { Seat } from './play-session.js';

/** Stands for two people. */
const BOTH = 'both';

/**
 * The seats if a person plays the named side: the name of a player, `first`, `second`, or `both`.
 *
 * @throws PlayError `play-side`.
 */
export function parseSeats(game: Game<unknown>, name: string): readonly [Seat, Seat] {
  const [first, second] = game.playerNames;
  const word = name.toLowerCase();
  if (word === BOTH) return ['person', 'person'];
  if (word === first || word === 'first') return ['person', 'agent'];
  if (word === second || word === 'second') return ['agent', 'person'];
  const known = [first, second, BOTH];
  throw new PlayError(
    'play-side',
    `expected a side of ${known.join(', ')}, or first, second; got ${quote(name)}${suggestName(name, known)}`,
  );
}
