import type { Candidate, Thought } from '../../agents/thinking/thinking.js';
import type { Game } from '../../env/game.js';

/**
 * `score value 0.250`, or `score win 5`, `score loss 4` with the plies to the end; from the view of the player to move.
 */
function scoreWords({ value, pliesToEnd }: Candidate): readonly string[] {
  if (value === undefined) return [];
  if (pliesToEnd !== undefined) return ['score', value > 0 ? 'win' : 'loss', String(pliesToEnd)];
  return ['score', 'value', value.toFixed(4)];
}

/** A name and a number, or nothing if there is no number. */
function numberWords(name: string, number: number | undefined, digits = 0): readonly string[] {
  return number === undefined ? [] : [name, number.toFixed(digits)];
}

/** The `info` lines of a thought, one for each candidate. */
export function infoLines(game: Game<unknown>, thought: Thought, milliseconds: number): readonly string[] {
  const { candidates, depth, nodes, simulations } = thought;
  const work = nodes ?? simulations;
  const perSecond = work === undefined ? undefined : Math.round((1000 * work) / Math.max(1, milliseconds));
  return candidates.map((candidate, index) =>
    [
      'info',
      ...numberWords('depth', depth),
      'multipv',
      String(index + 1),
      ...scoreWords(candidate),
      ...numberWords('visits', candidate.visits),
      ...numberWords('prior', candidate.prior, 4),
      ...numberWords('nodes', nodes),
      ...numberWords('simulations', simulations),
      ...numberWords('nps', perSecond),
      ...numberWords('time', milliseconds),
      'pv',
      ...candidate.principalVariation.map((action) => game.formatAction(action)),
    ].join(' '),
  );
}
