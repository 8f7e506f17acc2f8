import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { defineEngine } from '../../../scripts/commands/serving/engine-command.js';
import { AnalysisEngine } from '../../../scripts/engine/analysis/analysis-engine.js';
import { captureOutput, runGessJson } from '../captured-output.js';

interface Answer {
  readonly id: string | number | null;
  readonly turn?: number;
  readonly isDuringSearch?: boolean;
  readonly noResults?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly policy?: readonly { readonly move: string; readonly prior: number }[] | null;
  readonly [name: string]: unknown;
}

/** An analysis engine in this process, and its answers. */
class AnalysisClient {
  readonly answers: Answer[] = [];
  private readonly engine: AnalysisEngine;
  private onAnswer: (() => void) | undefined;

  /** @param onEnd receives the function that closes the engine; by default it runs at the end of the test. */
  constructor(
    agent: string | undefined = 'greedy',
    onEnd: (close: () => Promise<void>) => void = onTestFinished,
  ) {
    const defaults = { game: 'connect-four', rules: 'default', agent, seed: 1 };
    this.engine = new AnalysisEngine(defaults, (line) => {
      this.answers.push(JSON.parse(line) as Answer);
      this.onAnswer?.();
      return Promise.resolve();
    });
    onEnd(async () => {
      await this.send({ id: 'end', action: 'terminate_all' });
      await this.engine.finish();
      await this.engine.close();
    });
  }

  /** Sends lines: strings unchanged, other values as JSON. */
  async send(...lines: unknown[]): Promise<void> {
    for (const line of lines)
      await this.engine.receive(typeof line === 'string' ? line : JSON.stringify(line));
  }

  /** Sends lines; returns the answers from then on when all queries have been answered. */
  async ask(...lines: unknown[]): Promise<Answer[]> {
    const from = this.answers.length;
    await this.send(...lines);
    await this.engine.finish();
    return this.answers.slice(from);
  }

  /** Waits for an answer. */
  async until(isWanted: (answer: Answer) => boolean): Promise<void> {
    while (!this.answers.some(isWanted)) {
      await new Promise<void>((resolve) => {
        this.onAnswer = resolve;
      });
    }
  }
}

/** A search that runs until it is terminated. */
const ENDLESS = { agent: 'mcts:simulations=1000000,rollouts=100' };

test.each(['alphabeta:depth=3', 'mcts:simulations=60,rollouts=2', 'greedy'])(
  'an answer of %s has the fields of gess analyze',
  async (agent) => {
    const words = [
      '--game',
      'connect-four',
      '--agent',
      agent,
      '--moves',
      '3 3 2',
      '--lines',
      '2',
      '--seed',
      '5',
    ];
    const analysis = (await runGessJson('analyze', ...words)) as Answer;
    const client = new AnalysisClient();
    const query = { agent, moves: '3 3 2', lines: 2, seed: 5 };
    // The second search is independent of the first.
    const answers = await client.ask({ id: 'one', ...query }, { id: 2, ...query });
    for (const [index, id] of ['one', 2].entries()) {
      const { milliseconds, ...answer } = answers[index]!;
      expect(milliseconds).toBeTypeOf('number');
      expect(answer).toEqual({
        ...(JSON.parse(JSON.stringify({ ...analysis, milliseconds: undefined })) as object),
        ...{ id, turn: 3, isDuringSearch: false },
      });
    }
  },
);

test('the example of the documents is what the engine prints', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/reference/engine.md'), 'utf8');
  const [, query, agent] = /^\$ echo '(.*)' \| .* --agent (\S+)$/m.exec(page)!;
  const [, json] = /^```json\n([^]*?)^```/m.exec(page)!;
  const [answer] = await new AnalysisClient(agent).ask(query);
  const shown = JSON.parse(json!) as Answer;
  expect(Object.keys(answer!)).toEqual(Object.keys(shown));
  // The last digits depend on the processor.
  const { id, turn, position, move, simulations, visits } = shown;
  expect(answer).toMatchObject({ id, turn, position, move, simulations, visits });
  expect(answer!['prior']).toBeCloseTo(shown['prior'] as number, 3);
});

test('a query has an answer for each of its turns, of its game', async () => {
  const query = {
    id: 'q',
    game: 'quess',
    moves: 'F3-E3',
    turns: [1, 0],
    agent: 'alphabeta:depth=1',
  };
  const answers = await new AnalysisClient().ask(query);
  expect(answers.map(({ turn, game, player }) => [turn, game, player])).toEqual([
    [1, 'quess', 'dark'],
    [0, 'quess', 'light'],
  ]);
});

test('the policy has the priors of all legal moves', async () => {
  const query = { moves: '3', policy: true };
  const answers = await new AnalysisClient().ask(
    { id: 'network', agent: 'policy:model=connect-four', lines: 3, ...query },
    { id: 'search', agent: 'mcts:model=connect-four,simulations=10', ...query },
    { id: 'no priors', ...query },
  );
  for (const { policy, id } of answers.slice(0, 2)) {
    const priors = policy!.map(({ prior }) => prior);
    expect([id, policy!.map(({ move }) => move).toSorted()]).toEqual([
      id,
      ['0', '1', '2', '3', '4', '5', '6'],
    ]);
    expect(priors).toEqual(priors.toSorted((one, other) => other - one));
    expect(priors.reduce((sum, prior) => sum + prior)).toBeCloseTo(1, 4);
  }
  const [network] = answers;
  expect(network).toMatchObject({ move: network!.policy![0]!.move, value: expect.any(Number) as number });
  expect(network!['lines']).toMatchObject(network!.policy!.slice(0, 3));
  expect(answers[2]!.policy).toBeNull();
});

describe('limits', () => {
  test('are those of the query, or of the agent', async () => {
    const agent = 'alphabeta:depth=3';
    const answers = await new AnalysisClient().ask(
      { id: 'own', agent },
      { id: 'query', agent, limits: { depth: 2 } },
      { id: 'not supported', agent, limits: { simulations: 5 } },
    );
    expect(answers.map(({ depth }) => depth)).toEqual([3, 2, 3]);
  });

  test('end a tree search', async () => {
    const [answer] = await new AnalysisClient().ask({
      id: 1,
      ...ENDLESS,
      limits: { simulations: 7, depth: 3 },
    });
    expect(answer).toMatchObject({ simulations: 7 });
  });
});

describe('one engine', () => {
  const client = new AnalysisClient('greedy', afterAll);

  test.each([
    ['garbage', 'request-syntax', null],
    ['[]', 'request-syntax', null],
    ['{}', 'request-syntax', null],
    ['null', 'request-syntax', null],
    ['{"id": {}}', 'request-syntax', null],
    ['{"id": "q", "id": "q"}', 'request-syntax', null],
    ['{"id": "q", "__proto__": {}}', 'request-syntax', null],
    ['{"id": "q", "maxVisits": 3}', 'request-syntax', 'q'],
    ['{"id": "q", "moves": ["3"]}', 'request-syntax', 'q'],
    ['{"id": "q", "lines": 65}', 'request-syntax', 'q'],
    ['{"id": "q", "limits": {}}', 'request-syntax', 'q'],
    ['{"id": "q", "limits": {"nodes": 0}}', 'request-syntax', 'q'],
    ['{"id": "q", "turns": [1]}', 'request-syntax', 'q'],
    ['{"id": "q", "turns": []}', 'request-syntax', 'q'],
    ['{"id": "q", "action": "terminator"}', 'request-syntax', 'q'],
    ['{"id": "q", "action": 3}', 'request-syntax', 'q'],
    ['{"id": "q", "action": "terminate"}', 'request-syntax', 'q'],
    ['{"id": "q", "moves": "9"}', 'action-syntax', 'q'],
    ['{"id": "q", "moves": "3 3 3 3 3 3 3"}', 'illegal-action', 'q'],
    ['{"id": "q", "position": "nonsense"}', 'position-syntax', 'q'],
    ['{"id": "q", "game": "chess"}', 'game-unknown', 'q'],
    ['{"id": "q", "rules": "odd"}', 'rules-unknown', 'q'],
    ['{"id": "q", "agent": "nobody"}', 'agent-unknown', 'q'],
    ['{"id": "q", "agent": "engine:cmd=\\"true\\""}', 'engine-option', 'q'],
    ['{"id": "q", "agent": "mcts:model=missing.onnx"}', 'model-missing', 'q'],
    ['{"id": "q", "game": "gess", "agent": "solver"}', 'agent-game', 'q'],
    ['{"id": "q", "moves": "0 1 0 1 0 1 0"}', 'game-over', 'q'],
  ])('the line %s is answered by %s, and the next one is executed', async (line, code, id) => {
    const answers = await client.ask(line, { id: 'next' });
    expect(answers).toHaveLength(2);
    expect(answers[0]).toMatchObject({ id, error: { code } });
    expect(answers[1]).toMatchObject({ id: 'next', isDuringSearch: false });
  });
});

describe('the queue', () => {
  test('terminate ends the running search with its best result so far, and drops waiting ones', async () => {
    const client = new AnalysisClient();
    await client.send({ id: 'a', ...ENDLESS, turns: [0, 0], reportDuringSearch: true }, { id: 'b' });
    await client.until(({ isDuringSearch }) => isDuringSearch === true);
    await client.ask({ id: 't', action: 'terminate', terminateId: 'a' });
    const answers = client.answers.filter(({ isDuringSearch }) => isDuringSearch !== true);
    expect(answers).toEqual([
      { id: 't', action: 'terminate', terminateId: 'a' },
      { id: 'a', turn: 0, noResults: true },
      expect.objectContaining({ id: 'a', isDuringSearch: false, visits: expect.any(Number) as number }),
      expect.objectContaining({ id: 'b', isDuringSearch: false }),
    ]);
  });

  test('terminate_all ends everything, even a search whose agent is being loaded', async () => {
    const answers = await new AnalysisClient().ask(
      { id: 'a', ...ENDLESS },
      { id: 'b' },
      { id: 't', action: 'terminate_all' },
    );
    expect(answers.map(({ id, noResults }) => [id, noResults])).toEqual([
      ['t', undefined],
      ['b', true],
      ['a', true],
    ]);
  });

  test('greater priorities come first', async () => {
    const answers = await new AnalysisClient().ask(
      { id: 'first' },
      { id: 'low', priority: -1 },
      { id: 'normal' },
      { id: 'high', priority: 7 },
    );
    expect(answers.map(({ id }) => id)).toEqual(['first', 'high', 'normal', 'low']);
  });

  test('no line is taken while too many positions wait', async () => {
    const client = new AnalysisClient();
    const query = { id: 'many', turns: Array<number>(1000).fill(0) };
    for (let i = 0; i < 11; i++) await client.send(query);
    expect(client.answers.length).toBeGreaterThan(900);
  });

  test.each([
    ['moves', { moves: ' '.repeat(2 ** 22) }],
    ['an agent', { agent: `alphabeta:depth=2,weights=${'w'.repeat(2 ** 22)}` }],
  ])('no line is taken while too long texts of %s wait', async (_name, query) => {
    const client = new AnalysisClient();
    for (let i = 0; i < 9; i++) await client.send({ id: i, ...query });
    expect(client.answers.length).toBeGreaterThan(0);
  });
});

test('the end of the input waits for all answers', async () => {
  const output = captureOutput();
  const command = new Command('engine');
  const lines = ['{"id": 1, "turns": [0, 1], "moves": "3"}', '\u00ff', '{"id": 2}', '{"id": 3}'];
  // eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous, but its chunks are ready
  defineEngine(command, output, async function* () {
    yield Buffer.from(lines.join('\n'), 'latin1');
  });
  await command.parseAsync(['--json', '--agent', 'alphabeta:depth=2', '--game', 'connect-four'], {
    from: 'user',
  });
  const answers = output.results.map((line) => JSON.parse(line) as Answer);
  expect(answers.map(({ id, turn, error }) => [id, turn, error?.code])).toEqual([
    [null, undefined, 'request-syntax'],
    [1, 0, undefined],
    [1, 1, undefined],
    [2, 0, undefined],
    [3, 0, undefined],
  ]);
});

test('query_version has the version', async () => {
  const [answer] = await new AnalysisClient().ask({ id: 'v', action: 'query_version' });
  expect(answer).toEqual({
    id: 'v',
    action: 'query_version',
    version: expect.stringMatching(/^\d/) as string,
  });
});
