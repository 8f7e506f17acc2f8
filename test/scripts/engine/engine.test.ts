import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { EngineClient } from './engine-client.js';

describe('the protocol', () => {
  test('uci names the engine and its options', async () => {
    const lines = await new EngineClient('greedy').ask('uciok', 'uci');
    expect(lines[0]).toMatch(/^id name gess-zero \d/);
    expect(lines.filter((line) => line.startsWith('option name '))).toEqual([
      'option name Game type combo default connect-four var gess var quess var connect-four',
      'option name Rules type string default default',
      'option name Agent type string default greedy',
      'option name MultiPV type spin default 1 min 1 max 64',
      'option name Seed type spin default 1 min 0 max 2147483647',
    ]);
    expect(lines.at(-1)).toBe('uciok');
  });

  test('isready is answered when the player is loaded', async () => {
    const client = new EngineClient('alphabeta:depth=1');
    expect(await client.ask('readyok', 'isready')).toEqual(['readyok']);
    client.send('isready');
    expect(client.lines).toEqual(['readyok', 'readyok']);
  });

  test('go answers with lines of information and one move', async () => {
    const client = new EngineClient('alphabeta:depth=3');
    const lines = await client.ask('bestmove', 'position start moves 3 3', 'go depth 2');
    expect(lines.at(-1)).toMatch(/^bestmove [0-6]$/);
    expect(lines.slice(0, -1)).not.toEqual([]);
    for (const line of lines.slice(0, -1)) {
      expect(line).toMatch(
        /^info depth [12] multipv 1 score value -?\d\.\d{4} nodes \d+ nps \d+ time \d+ pv [0-6 ]+$/,
      );
    }
    const facts = lines.map((line) => line.replace(/nodes.*pv/, ''));
    expect(new Set(facts).size).toBe(facts.length);
  });

  test('a limit that the agent does not support leaves those in its text', async () => {
    const client = new EngineClient('alphabeta:depth=2');
    const lines = await client.ask('bestmove', 'go simulations 5');
    expect(lines.at(-2)).toMatch(/^info depth 2 /);
    const search = new EngineClient('mcts:simulations=20,rollouts=1');
    expect((await search.ask('bestmove', 'go depth 3')).at(-2)).toContain(' simulations 20 ');
  });

  test('without limits, those in the text of the agent apply', async () => {
    const client = new EngineClient('alphabeta:depth=3');
    const lines = await client.ask('bestmove', 'go');
    expect(lines.at(-2)).toMatch(/^info depth 3 /);
  });

  test('a won position has a score in plies', async () => {
    const client = new EngineClient('alphabeta:depth=4');
    const lines = await client.ask('bestmove', 'position start moves 0 1 0 1 0 6', 'go');
    expect(lines.at(-2)).toContain(' score win 1 ');
    expect(lines.at(-1)).toBe('bestmove 0');
  });

  test('MultiPV asks for several lines', async () => {
    const client = new EngineClient('mcts:simulations=50,rollouts=1');
    const lines = await client.ask('bestmove', 'setoption name MultiPV value 3', 'go');
    expect(lines.slice(-4, -1).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'info multipv 1',
      'info multipv 2',
      'info multipv 3',
    ]);
  });

  test('a finished game has no move', async () => {
    const client = new EngineClient('greedy');
    expect(await client.ask('bestmove', 'position start moves 0 1 0 1 0 1 0', 'go')).toEqual([
      'info string the game is over: red',
      'bestmove none',
    ]);
  });

  test('positions and games are set by text and by option', async () => {
    const client = new EngineClient(undefined);
    client.send('setoption name Game value quess', 'setoption name agent value greedy');
    const lines = await client.ask('bestmove', 'position start', 'go');
    expect(lines.at(-1)).toMatch(/^bestmove [A-Z]\d+-[A-Z]\d+$/);
  });

  test('quit ends the input', () => {
    const client = new EngineClient('greedy');
    expect(client.send('quit')).toBe(false);
  });
});

/** Processor time after which a search must have begun. */
const BEGUN_MICROSECONDS = 20_000;

describe('one engine', () => {
  const client = new EngineClient('alphabeta:depth=1', afterAll);

  test.each([
    ['xyzzy', 'engine-command'],
    ['go depth', 'engine-syntax'],
    ['go depth 0', 'engine-syntax'],
    ['go depth 1e3', 'engine-syntax'],
    ['go wtime 5', 'engine-syntax'],
    ['go infinite depth 3', 'engine-syntax'],
    ['go depth 3 depth 4', 'engine-syntax'],
    ['position', 'engine-syntax'],
    ['position moves 3', 'engine-syntax'],
    ['position nonsense', 'position-syntax'],
    ['position start moves 9', 'action-syntax'],
    ['position start moves 3 3 3 3 3 3 3', 'illegal-action'],
    ['setoption MultiPV 3', 'engine-syntax'],
    ['setoption name Threads value 3', 'engine-option'],
    ['setoption name MultiPV value 0', 'engine-option'],
    ['setoption name Agent value nobody', 'agent-unknown'],
    ['setoption name Game value chess', 'game-unknown'],
    ['setoption name Rules value odd', 'rules-unknown'],
    ['quit now', 'engine-syntax'],
    ['\u0000\u001B[31m', 'engine-command'],
    ['x'.repeat(100_000), 'engine-command'],
  ])('the line %# is answered by one error line and changes nothing', (line, code) => {
    const from = client.lines.length;
    client.send('position start moves 3', line);
    expect(client.lines).toHaveLength(from + 1);
    expect(client.lines[from]).toContain(`info string error [${code}] `);
    expect(client.lines[from]!.length).toBeLessThan(5000);
    client.send('d');
    expect(client.lines[from + 1]).toContain('...r...');
  });

  test.each([
    ['connect-four', 'solver'],
    ['connect-four', 'mcts:timeMs=100000,rollouts=3'],
    ['gess', 'alphabeta:depth=60'],
    ['gess', 'mcts:simulations=1000000'],
    ['gess', 'mcts:model=gess,simulations=1000000,leaves=8'],
    ['gess', 'mcts:model=gess,simulations=1000000,root=gumbel'],
    ['gess', 'policy:model=gess'],
    ['gess', 'careful'],
    ['gess', 'greedy'],
    ['gess', 'random'],
    ['quess', 'mcts:model=quess,simulations=1000000'],
  ])('in %s, a search of %s is stopped within 50 ms', async (game, agent) => {
    client.send(`setoption name Game value ${game}`, `setoption name Agent value ${agent}`);
    await client.ask('readyok', 'isready');
    const delays: number[] = [];
    for (let search = 0; search < 5; search++) {
      const from = client.lines.length;
      const before = process.cpuUsage();
      client.send('go infinite');
      // Not every search reports before it ends, but each one takes processor time, and this thread takes hardly any.
      const hasBegun = (): boolean =>
        client.lines.length > from || process.cpuUsage(before).user > BEGUN_MICROSECONDS;
      await vi.waitUntil(hasBegun, { interval: 1, timeout: 30_000 });
      const start = performance.now();
      const lines = await client.ask('bestmove', 'stop');
      delays.push(performance.now() - start);
      expect(lines.at(-1)).not.toBe('bestmove none');
    }
    // The median counts, because the machine may be busy.
    delays.sort((one, other) => one - other);
    expect(delays[2]).toBeLessThan(50);
  });
});

test('an infinite search that is done waits for stop', async () => {
  const client = new EngineClient('greedy');
  client.send('go infinite');
  await client.until(() => client.lines.some((line) => line.startsWith('info')));
  expect(await client.ask('readyok', 'isready')).toEqual(['readyok']);
  const lines = await client.ask('bestmove', 'stop');
  expect(lines).toHaveLength(1);
});

test('stop before the player is loaded ends the search at once', async () => {
  const client = new EngineClient('mcts:simulations=1000000');
  const lines = await client.ask('bestmove', 'go infinite', 'stop');
  expect(lines.at(-1)).toMatch(/^bestmove [0-6]$/);
});

test('the end of the input waits for a limited search and stops an infinite one', async () => {
  for (const go of ['go depth 2', 'go infinite']) {
    const client = new EngineClient('alphabeta:depth=2');
    client.send(go);
    await client.finish();
    expect(client.lines.at(-1)).toMatch(/^bestmove [0-6]$/);
  }
});

test('commands that need an idle engine are refused during a search', async () => {
  const client = new EngineClient('mcts:simulations=1000000');
  await client.ask('readyok', 'isready');
  client.send('go infinite', 'go', 'position start', 'ucinewgame', 'setoption name MultiPV value 2');
  expect(client.lines.filter((line) => line.includes('[engine-busy]'))).toHaveLength(4);
  await client.ask('bestmove', 'stop');
});

test('an agent that cannot be loaded is an error line, and the engine continues', async () => {
  const client = new EngineClient('mcts:model=missing.onnx');
  const lines = await client.ask('bestmove', 'go');
  expect(lines[0]).toContain('[model-missing]');
  expect(lines.at(-1)).toBe('bestmove none');
  expect((await client.ask('bestmove', 'setoption name Agent value greedy', 'go')).at(-1)).toMatch(
    /^bestmove [0-6]$/,
  );
});

test('another seed opens no network again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gess-engine-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  cpSync('models/gess/patterns', folder, { recursive: true });
  const agent = `alphabeta:network=${folder},depth=1`;
  const client = new EngineClient('greedy');
  client.send('setoption name Game value gess', `setoption name Agent value ${agent}`);
  await client.ask('readyok', 'isready');
  rmSync(folder, { recursive: true });
  const lines = await client.ask('bestmove', 'setoption name Seed value 2', 'ucinewgame', 'isready', 'go');
  expect(lines[0]).toBe('readyok');
  expect(lines.at(-1)).toMatch(/^bestmove [a-t]/);
  const failure = await client.ask('readyok', `setoption name Agent value ${agent}0`, 'isready');
  expect(failure[0]).toContain('info string error');
});

test('a search with a time limit remembers the search before, until a new game begins', async () => {
  const client = new EngineClient('greedy');
  client.send(
    'setoption name Game value gess',
    'setoption name Agent value alphabeta:network=gess,depth=4,timeMs=600000',
  );
  const nodes = async (...lines: string[]): Promise<number> =>
    Number(/ nodes (\d+) /.exec((await client.ask('bestmove', ...lines, 'go')).at(-2)!)![1]);
  const position = 'position start moves f6-f7 p15-m12';
  const first = await nodes(position);
  expect(await nodes()).toBeLessThan(first / 2);
  expect(await nodes('ucinewgame', position)).toBe(first);
});

test('an agent with an unknown option is refused at the start', () => {
  expect(() => new EngineClient('alphabeta:dept=3')).toThrow('dept');
});

test.each(['mcts:simulations=60,rollouts=1', 'alphabeta:depth=3'])(
  '%s plays the game that it plays inside',
  async (text) => {
    const state = connectFour.initialState();
    const [inside, client] = [await createAgent(text, connectFour), new EngineClient(text)];
    const rng = createRng(1, 'engine', 1);
    const moves: string[] = [];
    while (connectFour.outcome(state) === null && moves.length < 14) {
      const [choice] = await inside.chooseAll([{ state, rng }]);
      const lines = await client.ask('bestmove', `position start moves ${moves.join(' ')}`, 'go');
      expect(lines.at(-1)).toBe(`bestmove ${connectFour.formatAction(choice!.action)}`);
      connectFour.apply(state, choice!.action);
      moves.push(connectFour.formatAction(choice!.action));
    }
  },
);
