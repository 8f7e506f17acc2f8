import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { halfWritten } from '../../training/whole-runs/calm-run.js';
import { start, TINY_CONFIG } from '../../training/whole-runs/tiny-run.js';
import { hasNatsServer, NatsServer } from '../../training/workers/pool/nats-server.js';
import { runGess } from '../captured-output.js';
import { LAUNCHER } from '../usage/launcher.js';

/**
 * Longest time from the signal to the end: of the games in progress, or of a measurement. It is measured, because nothing
 * that a command prints or writes tells whether it began anything else after the signal.
 */
const STOP_MS = 10_000;

const AGAIN = 'run the same command again to finish';
const ANEW = 'Nothing was kept; run the command again to start over.';
const RESUME = 'Run the same command to resume.';
const GAMES = join(import.meta.dirname, '..', '..', '..', 'examples', 'records');
const SOLVED = join(import.meta.dirname, '..', '..', 'fixtures', 'connect-four-solved.jsonl');

/** A command that would take minutes. `@/` in its words is the folder of these tests. */
interface LongCommand {
  readonly words: string;
  /** The message after which it is interrupted; the greeting of a command that works at once. */
  readonly once: string;
  /** Part of the message that says how to go on. */
  readonly says: string;
  /** Part of the result. */
  readonly result?: RegExp;
  /** Files that it leaves behind. */
  readonly keeps?: readonly string[];
  /** Files that it must not leave behind. */
  readonly drops?: readonly string[];
  /** Runs in the short form, too. */
  readonly isShort?: boolean;
}

const SLOW = 'alphabeta:timeMs=300';

const COMMANDS: readonly LongCommand[] = [
  {
    words:
      'selfplay --game connect-four --agent alphabeta:depth=4 --games 100000 --processes 1 --out @/selfplay --set selfPlay.gamesPerShard=8',
    once: 'gess: 100000 games',
    says: RESUME,
    result: /of 100000 games/,
    keeps: ['selfplay/shard-000000.arrow', 'selfplay/shard-000000.json'],
    isShort: true,
  },
  {
    words: 'train --config @/config.json --out @/run',
    once: 'generation 1, self-play',
    says: 'gess train --out @/run --resume',
    result: /^stopped after generation 0/,
    keeps: ['run/run.json'],
  },
  {
    words: 'quickstart --config @/config.json --out @/quickstart',
    once: 'generation 1, self-play',
    says: 'Resume with: the same command',
    result: /^stopped; run the same command to resume/,
    keeps: ['quickstart/run.json'],
  },
  {
    words: 'learn --config @/config.json --data @/four --steps 1000000 --out @/learnt',
    once: 'learning',
    says: '--from @/learnt continues from it',
    result: /wrote @\/learnt/,
    keeps: ['learnt/manifest.json', 'learnt/model.onnx'],
  },
  {
    words: `evaluate --agent ${SLOW} --opponent random --games 40 --out @/match`,
    once: SLOW,
    says: 'gess evaluate --out @/match --resume',
    keeps: ['match/match.json'],
  },
  {
    words: `ladder --out @/ladder --player ${SLOW} --anchor random --games 40`,
    once: 'more matches',
    says: 'gess ladder --out @/ladder',
    keeps: ['ladder/ladder.json'],
  },
  {
    words: `analyze --sgf ${GAMES}/eureka-53.sgf --force --agent alphabeta:timeMs=3000 --json`,
    once: 'gess analyze',
    says: 'ending the search with its best result so far',
    result: /"complete":false/,
  },
  {
    words: `accuracy --solved ${SOLVED} --game connect-four --agent alphabeta:timeMs=3000`,
    once: 'gess: alphabeta',
    says: AGAIN,
  },
  {
    words: `accuracy --solved ${SOLVED} --run @/tiny --simulations 100000`,
    once: 'gess: generation 0, 100000 simulations',
    says: AGAIN,
    keeps: ['tiny/accuracy.jsonl'],
  },
  {
    words: 'distill --data @/many --out @/patterns',
    once: 'gess distill',
    says: 'Nothing is written; run the same command to begin again.',
  },
  { words: 'tune --data @/many', once: 'gess tune', says: AGAIN },
  { words: 'study @/many', once: 'gess study', says: ANEW },
  {
    words: 'openings make --out @/book.json --judge alphabeta:timeMs=500 --processes 1',
    once: 'gess: making @/book.json',
    says: RESUME,
    result: /^\d+ of 512 openings found/,
    drops: ['book.json'],
  },
  {
    words: 'problems --out @/problems.json --agent alphabeta:timeMs=300',
    once: 'gess problems',
    says: 'The problems found so far are written.',
    result: /problems in @\/problems\.json/,
    keeps: ['problems.json'],
    isShort: true,
  },
  {
    words: 'regret --model gess --data @/games --search root=gumbel,simulations=64 --positions 100000',
    once: 'gess: ',
    says: 'The figures of the positions so far follow.',
  },
  {
    words: 'data reanalyze @/games --model gess --search root=gumbel,simulations=512 --out @/reanalyzed',
    once: 'gess data',
    says: AGAIN,
    drops: ['reanalyzed'],
    isShort: true,
  },
  { words: 'data convert @/many --out @/converted', once: 'gess data', says: AGAIN, drops: ['converted'] },
  { words: 'data merge @/many --out @/merged', once: 'gess data', says: AGAIN, drops: ['merged'] },
  {
    words: 'data rescore @/games --agent alphabeta:timeMs=300 --out @/rescored',
    once: 'gess data',
    says: AGAIN,
    drops: ['rescored'],
  },
  { words: 'data verify --deep @/many', once: 'gess: verifying', says: AGAIN },
  { words: 'bench search', once: 'measuring search', says: AGAIN, result: /^signature: \d+/ },
  { words: 'perft 7', once: 'gess perft', says: ANEW, isShort: true },
  {
    words: 'export --checkpoint @/tiny/checkpoints/gen-000001 --out @/export',
    once: 'gess export',
    says: AGAIN,
  },
];

describe('a signal ends a long command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gess-stopped-'));
  const inFolder = (text: string): string => text.replaceAll('@', folder);

  beforeAll(async () => {
    const config = { ...TINY_CONFIG, generations: 1, evaluation: { every: 0 } };
    const long = { ...TINY_CONFIG, selfPlay: { ...TINY_CONFIG.selfPlay, games: 4000 } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(long));
    writeFileSync(join(folder, 'short.json'), JSON.stringify(config));
    const agent = ['--agent', 'careful'];
    await runGess('selfplay', ...agent, '--games', isLong ? '64' : '4', '--out', join(folder, 'games'));
    if (!isLong) return;
    await runGess('selfplay', ...agent, '--games', '1280', '--out', join(folder, 'many'));
    const four = ['--game', 'connect-four', '--games', '64', '--out', join(folder, 'four')];
    await runGess('selfplay', ...agent, ...four);
    await runGess('train', '--config', join(folder, 'short.json'), '--out', join(folder, 'tiny'));
  }, 240_000);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function expectEnd(
    words: string,
    { once, says, result, keeps = [], drops = [] }: Omit<LongCommand, 'words'>,
    code: number,
  ): Promise<void> {
    const { child, ended, onceSaid } = start(process.execPath, [LAUNCHER, ...words.split(' ')]);
    let signalledMs = 0;
    onceSaid(inFolder(once), () => {
      signalledMs = performance.now();
      child.kill('SIGINT');
    });
    const end = await ended;
    const stopMs = performance.now() - signalledMs;
    expect(end, end.stderr).toMatchObject({ code, signal: null });
    expect(signalledMs).toBeGreaterThan(0);
    expect(stopMs).toBeLessThan(STOP_MS);
    expect(end.stderr).toContain(inFolder(says));
    if (result !== undefined) expect(end.stdout.replaceAll(folder, '@')).toMatch(result);
    for (const name of keeps) expect(existsSync(join(folder, name)), `${name} is kept`).toBe(true);
    for (const name of drops) expect(existsSync(join(folder, name)), `${name} is dropped`).toBe(false);
    expect(halfWritten(folder).map((path) => basename(path))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  }

  test.each(COMMANDS.filter(({ isShort }) => isLong || isShort))(
    'gess $words',
    { timeout: 60_000 },
    async ({ words, ...expected }) => {
      await expectEnd(inFolder(words), expected, 130);
    },
  );

  describe.runIf(isLong && hasNatsServer)('that uses a NATS server', { timeout: 60_000 }, () => {
    let server: NatsServer;
    beforeAll(async () => {
      server = await NatsServer.start();
    });
    afterAll(() => server.remove());

    test('gess worker ends with 0: this is its usual end', async () => {
      const says = 'Its games are not lost.';
      const result = /^played 0 games in 0 jobs/;
      await expectEnd(`worker --pool ${server.url} --processes 1`, { once: 'gess: ', says, result }, 0);
    });

    test('gess pool simulate', async () => {
      const words = `pool simulate --pool ${server.url} --recordings 100 --games 8`;
      await expectEnd(words, { once: 'gess: playing', says: AGAIN }, 130);
    });
  });
});
