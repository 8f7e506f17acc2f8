import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of a `.perft` file. */
export interface PerftCase {
  readonly id: string;
  readonly game: string;
  readonly rules: string;
  /** Defaults to the game's initial position. */
  readonly position: string | undefined;
  /** Moves to play first, separated by white space; may be empty. */
  readonly moves: string;
  readonly counts: readonly { readonly depth: number; readonly nodes: number }[];
}

/**
 * Reads `test/fixtures/<file>`: blocks with empty lines between them, of the lines `id`, `game`, `rules`,
 * `pos`, `moves` and, one a depth, `perft <depth> <nodes>`; lines that begin with `#` are remarks.
 */
export function readPerftCases(file: string): PerftCase[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'fixtures', file), 'utf8').replace(
    /^#.*\n/gm,
    '',
  );
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.trim().split('\n');
      const values = (word: string): string[] =>
        lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length).trim());
      const [[id], [game], [rules], [position], [moves = '']] = [
        values('id'),
        values('game'),
        values('rules'),
        values('pos'),
        values('moves'),
      ];
      const counts = values('perft').map((line) => {
        const [depth = NaN, nodes = NaN] = line.split(' ').map(Number);
        return { depth, nodes };
      });
      if (
        id === undefined ||
        game === undefined ||
        rules === undefined ||
        counts.some(({ nodes }) => isNaN(nodes))
      ) {
        throw new Error(`${file}: expected id, game, rules and perft lines in:\n${block}`);
      }
      return { id, game, rules, position, moves, counts };
    });
}
