import { alignTable } from '../../text/columns.js';
import { END_WORDS } from './game-ends.js';
import type { GameStory } from './game-story.js';

function rowOf({ row, plies, result, end, stones, rings, worst }: GameStory): readonly string[] {
  const winner = result === 1 ? 'black' : result === -1 ? 'white' : 'nobody';
  return [
    String(row),
    String(plies),
    winner,
    END_WORDS[end],
    stones.join(':'),
    rings.map((each) => String(each.length)).join(':'),
    worst === null ? '' : worst.toFixed(2),
  ];
}

/** A line for each game. */
export function describeStory(games: readonly GameStory[]): string {
  const head = ['row', 'plies', 'winner', 'end', 'stones', 'new rings', "winner's worst"];
  return alignTable([head, ...games.map(rowOf)]);
}
