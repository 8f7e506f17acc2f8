import { cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { networkOfAgent } from '../../../agents/agent-spec.js';
import { fixedPlayer } from '../../../scripts/options/ladder-players.js';
import { modelDigest } from '../../../training/matches/ladder/model-digest.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const PATTERNS = join(import.meta.dirname, '../../../models/gess/patterns');

test('a player names its pattern network by an absolute path, whatever characters it has', async () => {
  const folder = join(temporaryFolder(), 'a, b%');
  cpSync(PATTERNS, folder, { recursive: true });
  const path = relative(process.cwd(), folder);
  for (const option of [`network="${path}"`, `network=${path.replace('%', '%25').replace(',', '%2C')}`]) {
    const { name, agent, modelSha256 } = await fixedPlayer(`alphabeta:${option},nodes=100`);
    expect(name).toBe(`alphabeta:${option},nodes=100`);
    expect(networkOfAgent(agent)).toBe(folder);
    expect(agent).toMatch(/,nodes=100$/);
    expect(modelSha256).toBe(await modelDigest('alphabeta:network=gess,nodes=100'));
  }
  const { agent } = await fixedPlayer('alphabeta:network=gess,nodes=100');
  expect(agent).toBe('alphabeta:network=gess,nodes=100');
});

test('a shipped network keeps its name, also in int8', async () => {
  for (const name of ['gess', 'gess-int8']) {
    expect((await fixedPlayer(`mcts:model=${name},simulations=4`)).agent).toBe(
      `mcts:model=${name},simulations=4`,
    );
  }
});

test('a pattern network that is gone is a missing model, whose player a ladder skips', async () => {
  const missing = join(temporaryFolder(), 'nowhere');
  await expect(modelDigest(`alphabeta:network=${missing},nodes=100`)).rejects.toMatchObject({
    code: 'model-missing',
  });
});
