import { describe, expect, test } from 'vitest';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { readJsonRecord } from '../../data/records/record-json.js';
import { readSgf } from '../../data/records/sgf-reading.js';
import { CodedError } from '../../env/errors.js';
import { createGame } from '../../env/games.js';
import { createReplayAnswerer } from '../../env/replay/replay-requests.js';
import { spaceFromJson } from '../../env/spaces/space-json.js';
import { parseRunConfig } from '../../training/config/config-file.js';
import { checkRefusal } from './refusal.js';

/** Approximate number of characters of an input. Code with quadratic time exceeds the limit of a test. */
const LENGTH = Number(process.env['FUZZ_LENGTH'] ?? 2 ** 16);

/** `text`, repeated. */
function many(text: string, share = 1): string {
  return text.repeat(Math.ceil((LENGTH * share) / text.length));
}

const gess = createGame('gess');
const quess = createGame('quess');
const START = gess.formatPosition(gess.initialState());
const numbered = (write: (i: number) => string): string =>
  Array.from({ length: LENGTH / 8 }, (_, i) => write(i)).join(',');

/** Reads an SGF game that contains `text`. */
const sgf = (text: string) => () => readSgf(`(;FF[4]GM[20]SZ[20]${text}`);
const json = (moves: string) => () =>
  readJsonRecord(`{"format":"gess-zero-record","version":1,"game":"gess","moves":[${moves}]}`);
const batch = (request: object) => () => {
  const answer = JSON.parse(createReplayAnswerer()(JSON.stringify(request))) as {
    error?: { message: string };
  };
  expect(answer.error?.message.length ?? 0).toBeLessThan(5000);
};

/** Inputs that repeat, nest or branch, and whether they are accepted. */
const INPUTS: Readonly<Record<string, readonly [read: () => unknown, isTaken: boolean]>> = {
  'SGF, one comment': [sgf(`C[${many('a')}])`), true],
  'SGF, escapes': [sgf(`C[${many('\\\\')}])`), true],
  'SGF, a value without end': [sgf(`C[${many('a')}`), false],
  'SGF, many values without end': [sgf(many('C[')), false],
  'SGF, open games': [sgf(many('(;')), false],
  'SGF, open parentheses': [() => readSgf(many('( ')), false],
  'SGF, a parenthesis and blanks': [() => readSgf(`(${many(' ')}`), false],
  'SGF, empty nodes': [sgf(`${many(';', 0.5)})`), true],
  'SGF, a long name': [sgf(`${many('A')}[x])`), true],
  'SGF, rectangles': [sgf(`AB${many('[bb:ss]', 0.1)})`), true],
  'SGF, one property repeated': [sgf(`${many('C[]')})`), true],
  'SGF, moves': [sgf(`${many(';B[fo:fn];W[fg:fh]')})`), true],
  'SGF, variations side by side': [sgf(`;B[fo:fn]${many('(;W[fg:fh])')})`), true],
  'SGF, nested variations': [sgf(`${many('(;B[fo:fn](;W[fg:fh])')})`), false],
  'SGF, words before the game': [() => readSgf(`${many('x\n')}(;GM[20])`), true],
  'JSON, nested lists': [() => readJsonRecord(many('[')), false],
  'JSON, nested closed lists': [() => readJsonRecord(many('[') + many(']')), false],
  'JSON, nested variations': [
    json(many('{"move":"f6-f7","variations":[["f6-f8",') + '1' + many(']]}', 0.1)),
    false,
  ],
  'JSON, moves that are numbers': [json(`${many('1,', 0.25)}1`), false],
  'JSON, moves': [json(`${many('"f6-f7",')}"f6-f7"`), true],
  'JSON, keys': [() => readJsonRecord(`{${numbered((i) => `"k${i}":1`)}}`), false],
  'a space, members': [
    () => spaceFromJson({ kind: 'Tuple', spaces: Array(LENGTH / 64).fill({ kind: 'Discrete', n: 2 }) }),
    true,
  ],
  'a space, a huge shape': [
    () => spaceFromJson({ kind: 'Box', low: 0, high: 1, shape: [2 ** 31 - 1], dtype: 'float64' }),
    true,
  ],
  'a space, many axes': [
    () => spaceFromJson({ kind: 'MultiBinary', shape: Array(LENGTH / 2).fill(1) }),
    true,
  ],
  'an agent, one option repeated': [() => parseAgentSpec(`mcts:${many('leaves=1,')}`), false],
  'an agent, options': [() => parseAgentSpec(`mcts:${numbered((i) => `k${i}=1`)}`), false],
  'an agent, a long number': [() => parseAgentSpec(`mcts:simulations=${many('1')}`), false],
  'an agent, a long path': [() => parseAgentSpec(`policy:model=${many('%2C')}`), true],
  'a position, ranks': [() => gess.parsePosition(many('18/')), false],
  'a position, a long number': [() => gess.parsePosition(many('1')), false],
  'a position, blanks': [() => gess.parsePosition(START.replace(' b', `${many(' ')}b`)), true],
  'a position, a long ply': [() => gess.parsePosition(START.replace(/0$/, many('9'))), false],
  'a position of Quess': [() => quess.parsePosition(many('1/')), false],
  'a position of Connect Four': [() => createGame('connect-four').parsePosition(many('......./')), false],
  'rules, one setting repeated': [() => createGame('gess', `eureka${many(',ko=none')}`), false],
  'rules, settings': [() => createGame('gess', `eureka,${numbered((i) => `k${i}=1`)}`), false],
  'a move, blanks': [() => gess.parseAction(`f6${many(' ')}-f7`), true],
  'a move, blanks without end': [() => gess.parseAction(`f6${many(' ')}`), false],
  'a move, a long number': [() => gess.parseAction(`a${many('1')}-a1`), false],
  'a move of Quess': [() => quess.parseAction(many('-x')), false],
  'a configuration, agents': [
    () => parseRunConfig({ evaluation: { opponents: Array(LENGTH / 32).fill('x') } }, 'the text'),
    false,
  ],
  'a request, moves': [batch({ moves: many('f6-f7 ') }), true],
  'a request, forced moves': [batch({ moves: many('f6-f7 ', 0.25), force: true }), true],
  'a request, an invalid move': [batch({ moves: many('x') }), true],
};

describe('inputs of many thousands of characters', () => {
  test.each(Object.entries(INPUTS))('%s', (_name, [read, isTaken]) => {
    let error: unknown;
    try {
      read();
    } catch (thrown) {
      error = thrown;
    }
    if (error !== undefined) checkRefusal(error);
    expect(error instanceof CodedError).toBe(!isTaken);
  });
});
