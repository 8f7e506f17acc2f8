import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Observation, TurnEnvironment } from '../../env/environments/environment.js';
import { make } from '../../env/environments/make.js';
import { registeredIds } from '../../env/environments/registry.js';
import type { EncodedObservation, Status } from '../../scripts/env-server/answers.js';
import { createEnvServer } from '../../scripts/env-server/server.js';

const page = readFileSync(
  resolve(import.meta.dirname, '..', '..', 'docs', 'reference', 'envs', 'protocol.md'),
  'utf8',
);

interface Answer {
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The answer of each method. */
interface Results {
  readonly hello: { readonly protocol: number };
  readonly make: { readonly env: number; readonly spec: unknown };
  readonly reset: Status;
  readonly last: Status;
  readonly observe: EncodedObservation;
  readonly step: Status;
  readonly render: { readonly text: string | null };
  readonly save: { readonly state: object };
  readonly restore: Status;
  readonly close: object;
}

/** A server whose lines and methods are sent as functions, which return the parsed answers. */
function createClient() {
  const serve = createEnvServer();
  let requests = 0;
  const send = (line: string): Answer => {
    const answer = serve(line);
    expect(answer).not.toContain('\n');
    return JSON.parse(answer) as Answer;
  };
  const ask = (method: string, params: object = {}): Answer => {
    const answer = send(JSON.stringify({ id: ++requests, method, params }));
    expect(answer.id).toBe(requests);
    return answer;
  };
  const call = <M extends keyof Results>(method: M, params: object = {}): Results[M] => {
    const { result, error } = ask(method, params);
    expect(error).toBeUndefined();
    return result as Results[M];
  };
  return { send, call, code: (method: string, params?: object) => ask(method, params).error?.code };
}

function decode({ observation, legalActions }: EncodedObservation, env: TurnEnvironment): Observation {
  const bytes = new Uint8Array(Buffer.from(observation.base64, 'base64'));
  const view = new DataView(bytes.buffer);
  const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
  const actionMask = new Uint8Array(env.actionSpace(env.agentSelection).n);
  for (const action of legalActions) actionMask[action] = 1;
  return { observation: numbers, actionMask };
}

/** Compares tens of thousands of numbers much faster than `toEqual`. */
function expectEqualBytes(seen: Observation, expected: Observation): void {
  for (const name of ['observation', 'actionMask'] as const) {
    const [left, right] = [seen[name], expected[name]].map((array) => Buffer.from(array.buffer));
    expect(left!.equals(right!), name).toBe(true);
  }
}

/** The status of the environment itself. */
function statusOf(env: TurnEnvironment): unknown {
  const { agents, agentSelection, rewards, cumulativeRewards, terminations, truncations } = env;
  const infos = Object.fromEntries(
    Object.entries(env.infos).map(([agent, info]) => [
      agent,
      { ...info, legalActions: Array.from(info.legalActions) },
    ]),
  );
  return { agents, agentSelection, rewards, cumulativeRewards, terminations, truncations, infos };
}

describe('the environment server', () => {
  test.each(registeredIds())('plays %s like the environment itself', (id) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), fc.nat(), (picks, seed) => {
        const { call } = createClient();
        const env = make(id, { plyLimit: 30 });
        const made = call('make', { id, kwargs: { plyLimit: 30 } });
        expect(made.spec).toEqual(env.spec);
        env.reset({ seed });
        let status = call('reset', { env: made.env, seed, observe: true });
        for (const pick of picks) {
          const { observation, ...rest } = status;
          expect(rest).toEqual(statusOf(env));
          expectEqualBytes(decode(observation!, env), env.observe(env.agentSelection));
          if (env.agents.length === 0) break;
          const { legalActions } = env.last().info;
          const action = legalActions.length === 0 ? null : legalActions[pick % legalActions.length]!;
          env.step(action);
          status = call('step', { env: made.env, action, observe: true });
        }
      }),
      { numRuns: 5 },
    );
  });

  test('keeps several environments apart, and closes them', () => {
    const { call, code } = createClient();
    call('make', { id: 'gess/Quess' });
    call('make', { id: 'gess/ConnectFour' });
    call('reset', { env: 1 });
    const quess = call('last', { env: 1 });
    call('reset', { env: 2, moves: '3 3' });
    expect(call('last', { env: 1 })).toEqual(quess);
    expect(call('last', { env: 2 }).infos).toMatchObject({ red: { ply: 2 } });
    call('close', { env: 1 });
    expect(code('last', { env: 1 })).toBe('env-closed');
    expect(call('make', { id: 'gess/Quess' }).env).toBe(3);
  });

  test('saves and restores', () => {
    const { call } = createClient();
    call('make', { id: 'gess/Quess' });
    call('reset', { env: 1, seed: 3 });
    const [action] = call('observe', { env: 1, agent: 'light' }).legalActions;
    const before = call('step', { env: 1, action });
    const { state } = call('save', { env: 1 });
    call('reset', { env: 1 });
    expect(call('restore', { env: 1, state })).toEqual(before);
  });

  test('deducts the seconds of a move from the clock', () => {
    const { call } = createClient();
    call('make', { id: 'gess/Quess', kwargs: { rules: 'standard,clock=10' } });
    call('reset', { env: 1 });
    const [action] = call('observe', { env: 1, agent: 'light' }).legalActions;
    expect(call('step', { env: 1, action, seconds: 11 }).rewards).toEqual({ light: -1, dark: 1 });
  });

  test('renders in the requested mode', () => {
    const { call } = createClient();
    call('make', { id: 'gess/ConnectFour', renderMode: 'svg' });
    call('make', { id: 'gess/ConnectFour', renderMode: 'ansi' });
    call('make', { id: 'gess/ConnectFour' });
    for (const env of [1, 2, 3]) call('reset', { env });
    expect(call('render', { env: 1 }).text).toMatch(/^<svg /);
    expect(call('render', { env: 2 }).text).toContain('0123456');
    expect(call('render', { env: 3 })).toEqual({ text: null });
  });

  test.each([
    ['jump', {}, 'request-syntax'],
    ['make', {}, 'request-syntax'],
    ['make', { id: 'gess/Ches' }, 'env-unknown'],
    ['make', { id: 'gess/Gess', renderMode: 'human' }, 'request-syntax'],
    ['make', { id: 'gess/Gess', kwargs: { opponent: 'random' } }, 'request-syntax'],
    ['make', { id: 'gess/Gess', kwargs: { rules: 'house' } }, 'rules-unknown'],
    ['make', { id: 'gess/Gess', kwargs: { plyLimit: 0 } }, 'kwargs'],
    ['reset', { env: 2 }, 'env-closed'],
    ['reset', { env: 1, seed: -1 }, 'request-syntax'],
    ['reset', { env: 1, position: 'x' }, 'position-syntax'],
    ['reset', { env: 1, moves: '0 0 0 0 0 0 0' }, 'illegal-action'],
    ['reset', { env: 1, speed: 1 }, 'request-syntax'],
    ['step', { env: 1 }, 'request-syntax'],
    ['step', { env: 1, action: 7 }, 'illegal-action'],
    ['step', { env: 1, action: null }, 'illegal-action'],
    ['step', { env: 1, action: 0.5 }, 'request-syntax'],
    ['step', { env: 1, action: 0, seconds: 1 }, 'no-clock'],
    ['observe', { env: 1, agent: 'black' }, 'agent-unknown'],
    ['restore', { env: 1, state: { version: 1 } }, 'state-mismatch'],
  ])('answers %s %j with %s and changes nothing', (method, params, expected) => {
    const { call, code } = createClient();
    call('make', { id: 'gess/ConnectFour' });
    call('reset', { env: 1, moves: '3 4' });
    const before = call('last', { env: 1 });
    expect(code(method, params)).toBe(expected);
    expect(call('last', { env: 1 })).toEqual(before);
    expect(page).toContain(`\`${expected}\``);
  });

  test('limits the number of open environments', () => {
    const { call, code } = createClient();
    for (let i = 0; i < 1024; i++) call('make', { id: 'gess/ConnectFour' });
    expect(code('make', { id: 'gess/ConnectFour' })).toBe('env-count');
  });

  test('answers any line with a line that has a result or a code', () => {
    const methods = [
      'make',
      'reset',
      'last',
      'observe',
      'step',
      'render',
      'save',
      'restore',
      'close',
      'spec',
    ];
    const request = fc.record({
      id: fc.oneof(fc.integer(), fc.string()),
      method: fc.constantFrom(...methods),
      params: fc.record(
        {
          id: fc.constantFrom('gess/Quess', 'gess/Quess-v9', ''),
          env: fc.constantFrom(0, 1, 2, 1.5, '1'),
          action: fc.oneof(fc.integer(), fc.constant(null), fc.jsonValue()),
          agent: fc.constantFrom('light', 'dark', '__proto__'),
          seed: fc.oneof(fc.nat(), fc.double()),
          seconds: fc.double({ noNaN: true }),
          moves: fc.string(),
          position: fc.string(),
          state: fc.dictionary(fc.string(), fc.jsonValue()),
          observe: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    });
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      request.map((value) => JSON.stringify(value)),
    );
    const { send, call } = createClient();
    call('make', { id: 'gess/Quess' });
    fc.assert(
      fc.property(line, (text) => {
        const { result, error } = send(text);
        if (error === undefined) expect(result).toBeTypeOf('object');
        else
          expect(error).toEqual({
            code: expect.any(String) as string,
            message: expect.any(String) as string,
          });
      }),
    );
  });

  test('answers as docs/reference/envs/protocol.md shows', () => {
    const { send } = createClient();
    const lines = /```\n([^]*?)```/.exec(page)![1]!.trim().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (let i = 0; i < lines.length; i += 2) {
      const answer = JSON.stringify(send(lines[i]!.slice('> '.length)));
      // An ellipsis stands for anything.
      const shown = lines[i + 1]!.slice('< '.length).replaceAll(/([:,]) /g, '$1');
      const parts = shown.split('…').map((part) => part.replace(/,$/, ''));
      let at = 0;
      for (const part of parts) {
        const found = answer.replaceAll(/([:,]) /g, '$1').indexOf(part, at);
        expect(found, `${part} in ${answer}`).toBeGreaterThanOrEqual(at);
        at = found + part.length;
      }
    }
  });
});
