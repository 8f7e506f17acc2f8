import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { createAgent } from '../../agents/create-agent.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { positionAfter } from '../../env/replay/replay.js';
import { openModelFile } from '../../training/export/model-file.js';

/** A position, given by the moves to it, and the move that an agent with a shipped model plays there. */
interface ModelMove {
  readonly game: string;
  readonly rules: string;
  readonly agent: string;
  readonly moves: string;
  readonly move: string;
}

/** Without LONG_TESTS=1, one move in three is compared. */
const STRIDE = isLong ? 1 : 3;

const lines = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'model-moves.jsonl'), 'utf8');
const expected = lines
  .trimEnd()
  .split('\n')
  .filter((_line, index) => index % STRIDE === 0)
  .map((line) => JSON.parse(line) as ModelMove);

test.each([...new Set(expected.map(({ agent }) => agent))])(
  '%s plays the moves of the fixture',
  async (name) => {
    const rows = expected.filter(({ agent }) => agent === name);
    const game = createGame(rows[0]!.game, rows[0]!.rules);
    const agent = await createAgent(name, game, openModelFile);
    try {
      for (const { moves, move } of rows) {
        const state = positionAfter(game, { moves, position: undefined });
        // A search without noise uses no random numbers.
        const [choice] = await agent.chooseAll([{ state, rng: createRng(1, 'none') }]);
        expect({ moves, move: game.formatAction(choice!.action) }).toEqual({ moves, move });
      }
    } finally {
      await agent.dispose();
    }
  },
);
