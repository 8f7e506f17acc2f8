import { describe, expect, test } from 'vitest';
import { connectFour } from '../../env/connect-four/connect-four.js';
import { make } from '../../env/environments/make.js';
import { createRng } from '../../env/random.js';
import {
  createEvaluation,
  createGame,
  evaluationNames,
  GAME_IDS,
  gameDefinition,
  registerGame,
} from '../../env/games.js';

const definition = {
  id: 'another-four',
  create: () => ({ ...connectFour, id: 'another-four' }),
  environments: { 'test/AnotherFour-v0': {} },
};

test('every built-in game has a definition with a matching game and environments', () => {
  for (const id of GAME_IDS) {
    expect(createGame(id).id).toBe(id);
    for (const environment of Object.keys(gameDefinition(id).environments!)) {
      expect(make(environment).spec?.id).toBe(environment);
    }
  }
});

test.each([
  ['toString', /gess, quess, connect-four.*--game \.\/my-game\.mjs/],
  ['', /gess, quess, connect-four.*--game \.\/my-game\.mjs/],
  ['chess', /gess, quess, connect-four.*did you mean 'gess'\?/],
])('the unknown game %j is an error that names the known ones, and the nearest or --game', (id, message) => {
  expect(() => createGame(id)).toThrow(message);
  expect(() => createGame(id)).toThrow(expect.objectContaining({ code: 'game-unknown' }));
});

test.each([undefined, 5, {}])('%j is no id of a game and no rules', (value) => {
  const notText = value as unknown as string;
  expect(() => createGame(notText)).toThrow(expect.objectContaining({ code: 'game-unknown' }));
  if (value === undefined) return;
  expect(() => createGame('gess', notText)).toThrow(expect.objectContaining({ code: 'rules-unknown' }));
});

test('a registered game is known by its id and by those of its environments', () => {
  registerGame(definition);
  registerGame(definition);
  expect(createGame('another-four').id).toBe('another-four');
  const env = make('test/AnotherFour');
  env.reset();
  expect(env.spec?.id).toBe('test/AnotherFour-v0');
  expect(() => make('test/AnotherFour', { rules: 'default' })).toThrow(
    expect.objectContaining({ code: 'kwargs' }),
  );
});

test('the first evaluation of a game is its default; a game without any is even everywhere', () => {
  expect(evaluationNames('gess')).toEqual(['fitted', 'guessed']);
  const gess = createGame('gess');
  const state = gess.initialState();
  const rng = createRng(1);
  const actions = new Int32Array(gess.maxLegalActions);
  for (let ply = 0; ply < 30 && gess.outcome(state) === null; ply++) {
    gess.apply(state, actions[rng.integer(gess.legalActions(state, actions))]!);
  }
  const [usual, fitted, guessed] = [undefined, 'fitted', 'guessed'].map((name) =>
    createEvaluation(gess, name).evaluate(state),
  );
  expect(usual).toBe(fitted);
  expect(usual).not.toBe(guessed);
  expect(createEvaluation({ ...gess, id: 'unknown' }).evaluate(state)).toBe(0);
});

describe('a definition is refused', () => {
  const four = (changes: object): object => ({
    ...definition,
    id: 'test-four',
    create: () => ({ ...connectFour, id: 'test-four', ...changes }),
    environments: {},
  });
  test.each([
    ['numActions', NaN],
    ['numActions', 2 ** 31],
    ['numActions', 6.5],
    ['maxLegalActions', 2 ** 40],
    ['packedSize', -1],
    ['plyLimit', 0],
    ['playerNames', []],
    ['playerNames', ['red', 3]],
    ['playerNames', { 0: 'red', 1: 'yellow', length: 2 }],
  ])('whose %s is %j', (name, value) => {
    expect(() => {
      registerGame(four({ [name]: value }) as typeof definition);
    }).toThrow(
      expect.objectContaining({ code: 'game-invalid', message: expect.stringContaining(name) as string }),
    );
  });

  const cases: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['that is undefined', undefined, 'game-invalid', /got nothing/],
    [
      'with an id that has a capital letter and a sign',
      { ...definition, id: 'Four!' },
      'game-invalid',
      /'Four!'/,
    ],
    ['without create', { id: 'x' }, 'game-invalid', /expected a function as create, got nothing/],
    ['whose game has another id', { ...definition, id: 'y' }, 'game-invalid', /'y', got 'another-four'/],
    ['whose game lacks a member', four({ undo: undefined }), 'game-invalid', /undo is of type function/],
    [
      'whose encoding lacks a plane',
      four({ encoding: { ...connectFour.encoding, planes: ['one'] } }),
      'game-invalid',
      /each of the 3 planes/,
    ],
    [
      'whose create fails',
      {
        id: 'z',
        create: () => {
          throw new Error('no board');
        },
      },
      'game-invalid',
      /default rules: no board/,
    ],
    [
      'with an environment without a version',
      { ...definition, id: 'w', environments: { 'test/W': {} } },
      'game-invalid',
      /with a version.*'test\/W'/,
    ],
    [
      'with an evaluation that is not a function',
      { ...definition, evaluations: { a: 1 } },
      'game-invalid',
      /function as a/,
    ],
    [
      'with the id of a built-in game',
      { ...definition, id: 'gess', create: () => createGame('gess') },
      'game-exists',
      /built in/,
    ],
    [
      'with an environment that is registered already',
      { ...(four({}) as typeof definition), environments: { 'gess/Gess-v0': {} } },
      'game-exists',
      /gess\/Gess-v0/,
    ],
  ];

  test.each(cases)('%s', (_name, value, code, message) => {
    const register = (): void => {
      registerGame(value as typeof definition);
    };
    expect(register).toThrow(message);
    expect(register).toThrow(expect.objectContaining({ code }));
  });
});
