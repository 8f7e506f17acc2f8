import { join } from 'node:path';
import type { Sample } from '../../data/shards/sample.js';
import { columnsOf } from '../../data/shards/shard-columns.js';
import type { DecodedShard } from '../../data/shards/shard-encoding.js';
import { createGame } from '../../env/games.js';

/** A small shard, as this program writes it; `WRITE_FIXTURES=1 npx vitest run test/data/shards` writes it again. */
export const FIXTURE_SHARD = join(import.meta.dirname, '..', 'fixtures', 'shard.arrow');

const game = createGame('connect-four');

/** The rows of one game. The first row is not searched, the others have all columns. */
function rowsOf(gameId: number, moves: readonly number[], result: 1 | null): Sample[] {
  const state = game.initialState();
  const positions = moves.map((move) => {
    const position = new Uint8Array(game.packedSize);
    game.pack(state, position, 0);
    game.apply(state, move);
    return position;
  });
  const finalPosition = new Uint8Array(game.packedSize);
  game.pack(state, finalPosition, 0);
  return moves.map((move, ply): Sample => {
    const isSearched = ply > 0;
    const player = ply % 2 === 0 ? 0 : 1;
    return {
      position: positions[ply]!,
      player,
      ply,
      actions: Uint16Array.from({ length: 7 }, (_, action) => action),
      policy: Float32Array.from({ length: 7 }, (_, action) => (action === move ? 10 : 1) / 16),
      policyWeight: isSearched ? 1 : 0,
      rootValue: isSearched ? (ply - 4) / 8 : null,
      result: result === null || player === 0 ? result : -1,
      pliesLeft: moves.length - ply,
      searchSize: isSearched ? 64 : 0,
      gameId,
      played: move,
      finalPosition,
      surprise: isSearched ? ply / 4 : null,
    };
  });
}

/**
 * The content of `FIXTURE_SHARD`: a game of Connect Four that the first player won, and one truncated after
 * five plies.
 */
export function fixtureShard(): DecodedShard {
  const samples = [...rowsOf(640, [3, 4, 3, 4, 3, 4, 3], 1), ...rowsOf(641, [0, 0, 0, 0, 0], null)];
  // A row whose move is not known.
  samples[7] = { ...samples[7]!, played: null, finalPosition: null };
  const metadata = {
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    seed: 20,
    generation: 3,
    configDigest: '5e'.repeat(32),
    softwareVersion: '0.1.0',
  };
  return { columns: columnsOf(samples, game.packedSize), metadata };
}
