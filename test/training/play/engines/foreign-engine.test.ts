import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent, Turn } from '../../../../agents/agent.js';
import { isLong } from '../../../long-tests.js';
import { createGame } from '../../../../env/games.js';
import { createRng } from '../../../../env/random.js';
import { positionAfter } from '../../../../env/replay/replay.js';
import type { MatchGame } from '../../../../training/matches/match-game.js';
import { gameOfRecord, recordOfMatchGame } from '../../../../training/matches/match-record.js';
import { playMatchJob } from '../../../../training/matches/match-job.js';
import { planGames } from '../../../../training/matches/openings-of-match.js';
import { openAgent, openThinker } from '../../../../training/export/open-agent.js';
import { processesWith } from '../../../env/processes/running.js';
import { LAUNCHER } from '../../../scripts/usage/launcher.js';

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..');
const PYTHON_ENGINE = join(ROOT, 'test', 'fixtures', 'connect-four-engine.py');
const FAULTY_ENGINE = join(ROOT, 'test', 'fixtures', 'faulty-engine.mjs');
const connectFour = createGame('connect-four');

/** The text of an agent with a command whose file names may have any character. */
function engineText(words: readonly string[], options = ''): string {
  const command = words.map((word) => `'${word}'`).join(' ');
  return `engine:cmd="${command.replaceAll(/["\\]/g, '\\$&')}"${options}`;
}

function faulty(fault: string, options = '', ply = 2): string {
  return engineText([process.execPath, FAULTY_ENGINE, fault, String(ply)], options);
}

/** Opens a faulty engine for one test, with a mark in the command line of its processes. */
async function openMarked(fault: string, mark: string, options = ''): Promise<Agent<unknown>> {
  const text = engineText([process.execPath, FAULTY_ENGINE, fault, '0', mark], options);
  const agent = await openAgent(text, connectFour);
  onTestFinished(() => agent.dispose());
  return agent;
}

/** The first turn of a new game. */
function firstTurns(): readonly [Turn<unknown>] {
  return [{ state: connectFour.initialState(), rng: createRng(1, 'test') }];
}

function ownEngine(game: string, agent: string): string {
  return engineText([process.execPath, LAUNCHER, 'engine', '--game', game, '--agent', agent]);
}

async function playMatch(
  id: string,
  agent: string,
  opponent: string,
  pairs: number,
): Promise<readonly MatchGame[]> {
  const game = createGame(id);
  const plans = planGames(game, { plies: 4 }, { pairs, seed: 5 });
  const games: MatchGame[] = [];
  const job = { game: { id, rules: game.rules }, agent, opponent, seed: 5, timeMarginMs: 500, plans };
  await playMatchJob(job, (played) => games.push(played));
  return games;
}

/** The part of a game that does not depend on the clock. */
function withoutTimes(games: readonly MatchGame[]): unknown {
  return games
    .map(({ moves, ...game }) => ({ ...game, moves: moves.map(({ action, side }) => ({ action, side })) }))
    .sort((one, other) => one.pair - other.pair || one.agentPlayer - other.agentPlayer);
}

/** With LONG_TESTS=1 a match in each game, otherwise only in the one with short games. */
const MATCHES = [
  ['connect-four', 'mcts:simulations=30,rollouts=1', 'alphabeta:depth=2', isLong ? 3 : 1],
  ['quess', 'mcts:simulations=12', 'alphabeta:depth=1', 1],
  ['gess', 'alphabeta:depth=1', 'alphabeta:nodes=300', 1],
] as const;

test.each(isLong ? MATCHES : MATCHES.slice(0, 1))(
  'a match in %s of %s over the protocol has the same games as in this process',
  { timeout: 120_000 },
  async (id, agent, opponent, pairs) => {
    const inside = await playMatch(id, agent, opponent, pairs);
    const over = await playMatch(id, ownEngine(id, agent), ownEngine(id, opponent), pairs);
    expect(withoutTimes(over)).toEqual(withoutTimes(inside));
  },
);

test('an engine in Python plays a match against ours', { timeout: 60_000 }, async () => {
  const games = await playMatch(
    'connect-four',
    engineText(['python3', PYTHON_ENGINE]),
    'alphabeta:depth=4',
    4,
  );
  expect(games).toHaveLength(8);
  expect(games.every(({ end }) => end === 'rules')).toBe(true);
  expect(games.reduce((sum, { points }) => sum + points, 0)).toBeLessThan(2);
});

describe('an engine', () => {
  test.each([
    ['illegal', 'illegal', /got 'bestmove 9'/],
    ['wordless', 'illegal', /got 'bestmove'/],
    ['dies', 'disconnect', /exit code 3/],
    ['hangs', 'stall', /within 300 ms/],
  ])('that %s forfeits the game and plays the next', async (fault, end, message) => {
    const text = faulty(fault, fault === 'hangs' ? ',waitMs=300' : '', 6);
    const games = await playMatch('connect-four', text, 'random', 1);
    expect(games).toHaveLength(2);
    for (const game of games) {
      expect(game).toMatchObject({ end, points: 0, fault: expect.stringMatching(message) as string });
      expect(game.moves.length).toBeGreaterThan(0);
      const record = recordOfMatchGame(connectFour, game, [text, 'random']);
      expect(gameOfRecord(connectFour, record)).toEqual(game);
    }
  });

  test('that has a time limit and hangs forfeits too', async () => {
    const games = await playMatch('connect-four', faulty('hangs', ',timeMs=50,waitMs=200'), 'random', 1);
    expect(games.map(({ end }) => end)).toEqual(['stall', 'stall']);
  });

  test('that ends between two moves loses the game, and is started again for the next', async () => {
    const mark = `mark-${process.pid}-leaves`;
    const agent = await openMarked('leaves', mark);
    for (let game = 0; game < 2; game++) {
      const turns = firstTurns();
      expect(await agent.chooseAll(turns)).toMatchObject([{ action: 0 }]);
      await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([]);
      await expect(agent.chooseAll(turns)).rejects.toMatchObject({ code: 'engine-ended' });
    }
  });

  test('that has ended is started again before the clock of its next move runs', async () => {
    const mark = `mark-${process.pid}-restarts`;
    const agent = await openMarked('leaves', mark);
    await agent.chooseAll(firstTurns());
    await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([]);
    const turns = firstTurns();
    await agent.prepare!(turns);
    const started = processesWith(mark);
    expect(started).not.toEqual([]);
    await agent.prepare!(turns);
    expect(processesWith(mark)).toEqual(started);
  });

  test('that does not get ready for a game is killed', async () => {
    const mark = `mark-${process.pid}-deaf`;
    const agent = await openMarked('deaf', mark, ',startMs=2000');
    await expect(agent.chooseAll(firstTurns())).rejects.toMatchObject({ code: 'engine-silent' });
    await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([]);
  });

  const REFUSALS: [string, number, RegExp][] = [
    ['never-uciok', 300, /expected a line 'uciok'/],
    ['never-ready', 3000, /expected a line 'readyok'/],
    ['other-game', 3000, /expected an engine for connect-four; .* plays 'chess'/],
  ];

  // The second waits as long as a slow machine needs to start the engine.
  test.each(isLong ? REFUSALS : REFUSALS.filter(([fault]) => fault !== 'never-ready'))(
    'that is %s is refused, and leaves no process',
    async (fault, startMs, message) => {
      const mark = `mark-${process.pid}-${fault}`;
      await expect(openMarked(fault, mark, `,startMs=${startMs}`)).rejects.toMatchObject({
        code: 'engine-start',
        message: expect.stringMatching(message) as string,
      });
      await expect.poll(() => processesWith(mark)).toEqual([]);
    },
  );

  test('that does not exist is refused with the message of the shell', async () => {
    await expect(openAgent('engine:cmd="no-such-program-here"', connectFour)).rejects.toMatchObject({
      code: 'engine-start',
      message: expect.stringMatching(/no-such-program-here/) as string,
    });
  });

  test('that prints garbage continues to play, and its garbage is not kept', async () => {
    const games = await playMatch('connect-four', faulty('garbage'), 'random', 1);
    expect(games.every(({ end }) => end === 'rules')).toBe(true);
    const before = process.memoryUsage.rss();
    const agent = await openAgent(faulty('floods'), connectFour);
    onTestFinished(() => agent.dispose());
    const state = positionAfter(connectFour, { moves: '3 3' });
    const [choice] = await agent.chooseAll([{ state, rng: createRng(1, 'test') }]);
    expect(choice!.action).toBe(0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6);
  });

  test.each(['stays', 'leaves-child'])('that %s no longer runs after the match', async (fault) => {
    const mark = `mark-${process.pid}-${fault}`;
    const text = engineText([process.execPath, FAULTY_ENGINE, fault, '99', mark]);
    await playMatch('connect-four', text, 'random', 1);
    // A killed process ends when it next runs. Without the kill, neither would ever end.
    await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([]);
  });

  test('searches for several lines, and stops on request', async () => {
    const thinker = await openThinker(
      ownEngine('connect-four', 'mcts:simulations=40,rollouts=1'),
      connectFour,
    );
    onTestFinished(() => thinker.dispose());
    const state = positionAfter(connectFour, { moves: '3' });
    thinker.newGame(createRng(1, 'test'));
    const thought = await thinker.think(state, { limits: thinker.limits, lines: 3, shouldStop: () => false });
    expect(thought.candidates).toHaveLength(3);
    for (const { visits, prior, value } of thought.candidates) {
      expect(visits).toBeGreaterThan(0);
      expect(prior).toBeGreaterThan(0);
      expect(Math.abs(value!)).toBeLessThanOrEqual(1);
    }
    let simulations = 0;
    const stopped = await thinker.think(state, {
      limits: {},
      shouldStop: () => simulations > 40,
      onThought: (soFar) => (simulations = soFar.simulations ?? 0),
    });
    expect(stopped.simulations).toBeGreaterThan(40);
  });
});
