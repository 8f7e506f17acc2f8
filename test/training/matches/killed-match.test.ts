import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { MatchFolder } from '../../../training/matches/match-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { withoutTimes } from './match-fixtures.js';
import { builtModule } from '../../package/built-module.js';

const MAIN = builtModule('scripts/main.js');
const MATCH = [
  ...['--game', 'connect-four', '--games', '200', '--seed', '7'],
  ...['--agent', 'mcts:simulations=100', '--opponent', 'alphabeta:depth=4'],
];

function evaluate(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, 'evaluate', ...words], { stdio: 'ignore' });
}

async function finishedGames(out: string): Promise<number> {
  return (await readdir(join(out, 'games')).catch(() => [])).length;
}

/** Plays until ten more games are on disk, then kills the match. */
async function playAndKill(out: string, ...words: readonly string[]): Promise<void> {
  const before = await finishedGames(out);
  const match = evaluate('--out', out, ...words);
  const closed = once(match, 'close');
  await expect.poll(() => finishedGames(out), { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 10);
  match.kill('SIGKILL');
  await closed;
}

async function gamesOf(out: string): Promise<ReturnType<typeof withoutTimes>> {
  const folder = await MatchFolder.open(out, await MatchFolder.readSettings(out));
  return withoutTimes(await folder.finishedGames());
}

test.skipIf(!isLong)(
  '200 games by one process equal those by two, killed three times and resumed',
  { timeout: 300_000 },
  async () => {
    const [whole, killed] = [join(temporaryFolder(), 'whole'), join(temporaryFolder(), 'killed')];
    await once(evaluate('--out', whole, ...MATCH, '--processes', '1'), 'close');
    await playAndKill(killed, ...MATCH, '--processes', '2');
    await playAndKill(killed, '--resume', '--processes', '1');
    await playAndKill(killed, '--resume', '--processes', '2');
    expect(await finishedGames(killed)).toBeLessThan(200);
    await once(evaluate('--out', killed, '--resume'), 'close');
    expect(await finishedGames(whole)).toBe(200);
    expect(await gamesOf(killed)).toEqual(await gamesOf(whole));
  },
);
