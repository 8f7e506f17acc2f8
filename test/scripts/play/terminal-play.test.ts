import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { builtModule } from '../../package/built-module.js';

/** The variables that determine colours and characters. Node shows no colours where CI is set, even in a terminal. */
const TERMINAL_VARIABLES =
  /^(CI|TF_BUILD|TEAMCITY_VERSION|TMUX|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|LC_.*|COLORTERM|TERM_PROGRAM|WT_SESSION)$/;
const NEUTRAL_ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !TERMINAL_VARIABLES.test(name)),
);
/** A sequence that changes colours. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`);
const LEAVES_SCREEN = '\u001b[?1049l';

/** A step of a script of keys (pseudo-terminal.py). */
interface Step {
  readonly expect?: string;
  readonly send?: string;
  readonly resize?: readonly [columns: number, lines: number];
  readonly signal?: number;
}

interface TerminalRun {
  readonly text: string;
  readonly status: number;
  readonly isSane: boolean;
}

interface TerminalJob {
  readonly words: readonly string[];
  readonly steps: readonly Step[];
  readonly size?: readonly [columns: number, lines: number];
  readonly environment?: Readonly<Record<string, string>>;
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'play-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Runs `gess play` in a pseudo-terminal, with `folder` as its working directory. */
async function runInTerminal({
  words,
  steps,
  size = [80, 24],
  environment = {},
}: TerminalJob): Promise<TerminalRun> {
  const job = {
    command: [process.execPath, builtModule('scripts/main.js'), 'play', ...words],
    columns: size[0],
    lines: size[1],
    environment: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...environment },
    steps,
  };
  return new Promise((finish, fail) => {
    const child = execFile(
      'python3',
      [join(import.meta.dirname, 'pseudo-terminal.py')],
      { cwd: folder, env: NEUTRAL_ENVIRONMENT, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (error === null) finish(JSON.parse(stdout) as TerminalRun);
        else fail(new Error(stderr, { cause: error }));
      },
    );
    child.stdin!.end(JSON.stringify(job));
  });
}

/** Enters lines one after another, each once its prompt appears. */
function enter(prompts: readonly (readonly [prompt: string, line: string])[]): Step[] {
  return prompts.map(([prompt, line]) => ({ expect: prompt, send: `${line}\r` }));
}

const PEOPLE = ['--game', 'connect-four', '--side', 'both', '--save', 'game.json'];
const COLUMNS = ['3', '4', '3', '4', '3', '4', '3'];
const WHOLE_GAME = [
  ...enter(COLUMNS.map((column, index) => [index % 2 === 0 ? 'red> ' : 'yellow> ', column])),
  { expect: 'red has won', send: 'quit\r' },
];

async function savedMoves(name = 'game.json'): Promise<unknown> {
  return (JSON.parse(await readFile(join(folder, name), 'utf8')) as { moves: unknown }).moves;
}

describe('a whole game', () => {
  const TERMINALS = [
    [80, 24, { NO_COLOR: '1' }],
    [30, 12, { LANG: 'C' }],
    [80, 24, {}],
    [160, 50, {}],
    [80, 24, { LANG: 'C' }],
    [30, 12, {}],
  ] as const;

  test.each(isLong ? TERMINALS : TERMINALS.slice(0, 2))('%d x %d %j', async (columns, lines, environment) => {
    const run = await runInTerminal({
      words: PEOPLE,
      steps: WHOLE_GAME,
      size: [columns, lines],
      environment,
    });
    expect([run.status, run.isSane]).toEqual([0, true]);
    expect(run.text).toContain(LEAVES_SCREEN);
    expect(run.text).toContain('gess play: saved as game.json');
    expect(await savedMoves()).toEqual(COLUMNS);
    if ('NO_COLOR' in environment) expect(run.text).not.toMatch(COLOUR);
  });
});

describe('keys', () => {
  test('Tab completes a move, and shows several continuations', async () => {
    const run = await runInTerminal({
      words: ['--side', 'both', '--save', 'game.sgf'],
      steps: [
        { expect: 'black> ', send: 'f6-\t' },
        { expect: 'f6-f7 f6-f8', send: '7\t\r' },
        { expect: 'white> ', send: 'quit\r' },
      ],
    });
    expect([run.status, run.isSane]).toEqual([0, true]);
    expect(await readFile(join(folder, 'game.sgf'), 'utf8')).toMatch(/;B\[fo:fn\]\s*\)/);
  });

  test('Esc lets a thinking opponent move, and text typed meanwhile is kept', async () => {
    const words = ['--game', 'connect-four', '--opponent', 'alphabeta:timeMs=600000', '--save', 'game.json'];
    const steps = [
      { expect: 'red> ', send: '3\r' },
      { expect: 'yellow thinks', send: 'undo\u001b' },
      { expect: 'Your move', send: '\r' },
      { expect: 'took back 2 moves', send: 'quit\r' },
    ];
    const run = await runInTerminal({ words, steps });
    expect([run.status, run.isSane]).toEqual([0, true]);
    expect(await savedMoves()).toEqual([]);
  });

  const ENDS = [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ];

  test.each(isLong ? ENDS : ENDS.slice(0, 1))(
    '%s during a search ends the game, which is saved',
    async (_name, key) => {
      const words = [
        '--game',
        'connect-four',
        '--opponent',
        'alphabeta:timeMs=600000',
        '--save',
        'game.json',
      ];
      const steps = [
        { expect: 'red> ', send: '3\r' },
        { expect: 'yellow thinks', send: key },
      ];
      const run = await runInTerminal({ words, steps });
      expect([run.status, run.isSane]).toEqual([0, true]);
      expect(run.text).toContain(LEAVES_SCREEN);
      expect(await savedMoves()).toEqual(['3']);
    },
  );

  test('garbage, escape codes and long lines are refused', async () => {
    const garbage = [
      `${'x'.repeat(5000)}\r`,
      '\u001b[200~\u001b]0;title\u0007\u001b[201~\r',
      '\u0000\u0001\u0007\r',
      '🙂é\r',
    ];
    const run = await runInTerminal({
      words: PEOPLE,
      steps: [
        { expect: 'red> ' },
        ...garbage.map((send) => ({ send })),
        { send: '3\r' },
        { expect: 'yellow> ', send: '4\r' },
        { expect: 'red> ', send: 'quit\r' },
      ],
    });
    expect([run.status, run.isSane]).toEqual([0, true]);
    expect(await savedMoves()).toEqual(['3', '4']);
  });

  test('the board follows the size of the terminal', async () => {
    const run = await runInTerminal({
      words: ['--side', 'both'],
      steps: [
        { expect: 'black> ', resize: [20, 8] },
        { expect: 'The board does', resize: [160, 50] },
        { expect: '▗██▖', resize: [80, 24] },
        { expect: '●', send: 'quit\r' },
      ],
    });
    expect([run.status, run.isSane]).toEqual([0, true]);
  });
});

test('Ctrl-Z gives the terminal back, and the game goes on with the process', async () => {
  // The process has no shell that could continue it, so the system lets it go on at once.
  const run = await runInTerminal({
    words: PEOPLE,
    steps: [
      { expect: 'red> ', send: '\u001a' },
      ...enter([
        ['red> ', '3'],
        ['yellow> ', 'quit'],
      ]),
    ],
  });
  expect([run.status, run.isSane]).toEqual([0, true]);
  expect(run.text.split(LEAVES_SCREEN)).toHaveLength(3);
  expect(await savedMoves()).toHaveLength(1);
});

test('a game survives kill -9 with all its moves, and is resumed', async () => {
  const run = await runInTerminal({
    words: ['--game', 'connect-four', '--level', '2', '--save', 'game.json'],
    steps: [
      { expect: 'red> ', send: '3\r' },
      { expect: '1\\. 3 +\\d', send: '3\r' },
      { expect: '2\\. 3 +\\d', signal: 9 },
    ],
  });
  expect(run.status).toBe(-9);
  const moves = await savedMoves();
  expect(moves).toHaveLength(4);
  const resumed = await runInTerminal({
    words: ['--resume', 'game.json'],
    steps: [{ expect: '2\\. 3', send: 'quit\r' }],
  });
  expect([resumed.status, resumed.isSane]).toEqual([0, true]);
  expect(await savedMoves()).toEqual(moves);
});

test('a bad opponent ends before the screen changes, with one line', async () => {
  const run = await runInTerminal({ words: ['--opponent', 'mcts:model=missing.onnx'], steps: [] });
  expect([run.status, run.isSane]).toEqual([2, true]);
  expect(run.text).toMatch(/^gess: .*model-missing.*\[play-agent\]\r\n$/);
});
