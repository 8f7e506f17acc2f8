import type { Candidate, Thought } from '../../agents/thinking/thinking.js';
import { type Game, opponentOf, type Player } from '../../env/game.js';
import { countOf } from '../../env/text/count-of.js';

/** The value of a candidate for a player: `wins in 3 plies`, or the expected share of a win, `58%`. */
function describeWorth({ value, pliesToEnd }: Candidate): string {
  if (value === undefined) return '';
  if (pliesToEnd !== undefined) return `${value > 0 ? 'wins' : 'loses'} in ${pliesToEnd}`;
  return `${Math.round(50 * (1 + value))}%`;
}

/** The expected result in words: `black 58%`, for the player who is ahead; empty if the agent has no opinion. */
export function describeBalance(game: Game<unknown>, player: Player, { candidates }: Thought): string {
  const [best] = candidates;
  if (best?.value === undefined) return '';
  const isAhead = best.value >= 0;
  const ahead = game.playerNames[isAhead ? player : opponentOf(player)];
  if (best.pliesToEnd !== undefined) return `${ahead} wins in ${countOf(best.pliesToEnd, 'ply')}`;
  return `${ahead} ${Math.round(50 * (1 + Math.abs(best.value)))}%`;
}

/** How much work went into a thought: `depth 4`, `1,200 simulations`. */
export function describeWork({ depth, nodes, simulations }: Thought): string {
  if (simulations !== undefined) return `${simulations.toLocaleString('en')} simulations`;
  if (depth !== undefined) return `depth ${depth}`;
  return nodes === undefined ? '' : `${nodes.toLocaleString('en')} positions`;
}

/** A line for each candidate: its worth to the player to move, and the moves that are expected. */
export function candidateLines(game: Game<unknown>, thought: Thought, plies = 6): readonly string[] {
  return thought.candidates.map((candidate, index) => {
    const line = candidate.principalVariation.slice(0, plies).map((action) => game.formatAction(action));
    return [`${index + 1}.`, describeWorth(candidate).padStart(4), line.join(' ')].join(' ');
  });
}
