import { isSaturated } from '../saturation.js';
import type { Ladder, LadderMatch, LadderPlayer } from './ladder-file.js';

/** Two players of a match, by their indices; `first` is the newer checkpoint. */
export interface LadderPair {
  readonly first: number;
  readonly second: number;
}

type Place = LadderPlayer & { readonly place: number };

/** Players in the order of play: fixed agents, then checkpoints by generation. */
function inOrder(players: readonly LadderPlayer[]): readonly Place[] {
  return players
    .map((player, place) => ({ ...player, place }))
    .sort((a, b) => (a.generation ?? -1) - (b.generation ?? -1) || a.place - b.place);
}

/** The opponents of a checkpoint in a gauntlet: the fixed agents, and the checkpoints of its run just before it. */
function gauntletOf(player: Place, before: readonly Place[], neighbours: number): readonly Place[] {
  const fixed = before.filter(({ generation }) => generation === null);
  if (player.generation === null) return fixed;
  const own = before.filter(({ series, generation }) => series === player.series && generation !== null);
  return [...fixed, ...own.slice(Math.max(0, own.length - neighbours))];
}

/** All pairs of a ladder's format, in the order of play. */
export function pairsOf({ players, format, neighbours }: Ladder): readonly LadderPair[] {
  const ordered = inOrder(players);
  return ordered.flatMap((player, index) => {
    const before = ordered.slice(0, index);
    const opponents = format === 'gauntlet' ? gauntletOf(player, before, neighbours) : before;
    return opponents.map((opponent) => ({ first: player.place, second: opponent.place }));
  });
}

function isMatchOf({ first, second }: LadderPair): (match: LadderMatch) => boolean {
  return (match) =>
    (match.first === first && match.second === second) || (match.first === second && match.second === first);
}

/** Whether a gauntlet skips the pair, because earlier checkpoints of the run have saturated the fixed agent. */
function isDropped({ format, players, matches }: Ladder, { first, second }: LadderPair): boolean {
  const { series, generation } = players[first]!;
  if (format !== 'gauntlet' || generation === null || players[second]!.generation !== null) return false;
  const results = matches.flatMap((match) => {
    const player = players[match.first]!;
    if (match.second !== second || player.series !== series || player.generation === null) return [];
    return [{ generation: player.generation, score: match.result.score, games: match.games }];
  });
  return isSaturated(results, generation);
}

/** The pairs that have not played yet, in order. Later results may saturate an opponent, which removes some of them. */
export function missingPairs(ladder: Ladder): readonly LadderPair[] {
  return pairsOf(ladder).filter((pair) => {
    const match = ladder.matches.find(isMatchOf(pair));
    return match === undefined ? !isDropped(ladder, pair) : match.games < ladder.games;
  });
}

/** A copy of the ladder with a finished match, which replaces an earlier one of the same players. */
export function withMatch(ladder: Ladder, match: LadderMatch): Ladder {
  const others = ladder.matches.filter((each) => !isMatchOf(match)(each));
  return { ...ladder, matches: [...others, match] };
}
