import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { make } from '../../../env/environments/make.js';
import { makeVec } from '../../../env/environments/vector/make-vec.js';
import { createRng } from '../../../env/random.js';
import { createOpponent } from '../../../agents/environment-opponent.js';
import {
  ANSWER_KIND,
  createFrame,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  REQUEST_KIND,
  textFrame,
} from '../../../scripts/env-server/frames/frame-format.js';
import { EnvSession, serveEnvironments } from '../../../scripts/env-server/server.js';
import { captureOutput } from '../captured-output.js';

const page = readFileSync(
  resolve(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'envs', 'protocol.md'),
  'utf8',
);
const HELLO = Buffer.from('{"id": 0, "method": "hello", "params": {"frames": 1}}\n');

interface Answer {
  readonly kind: number;
  readonly id: number;
  readonly payload: Buffer;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The frames with which a server answers a stream, after the line that switches to frames. */
async function serve(chunks: Iterable<Uint8Array>): Promise<Answer[]> {
  const output = captureOutput();
  const written: Buffer[] = [];
  const write = (bytes: Buffer): Promise<void> => {
    written.push(Buffer.from(bytes));
    return Promise.resolve();
  };
  await serveEnvironments(new EnvSession(), Readable.from(chunks), { output, write });
  expect(JSON.parse(output.results[0]!)).toMatchObject({ id: 0, result: { protocol: 1, frames: 1 } });
  return written.map((frame) => {
    const payload = frame.subarray(HEADER_BYTES);
    expect(frame.readUInt32LE(0)).toBe(payload.length);
    return { kind: frame.readUInt32LE(4), id: frame.readUInt32LE(8), payload };
  });
}

function call(id: number, method: string, params: object): Buffer {
  return textFrame(REQUEST_KIND.call, id, JSON.stringify({ id, method, params }));
}

function numbers(kind: number, id: number, values: readonly number[]): Buffer {
  const frame = createFrame(kind, id, 4 * values.length);
  for (const [i, value] of values.entries()) frame.writeInt32LE(value, HEADER_BYTES + 4 * i);
  return frame;
}

const step = (id: number, env: number, ...actions: number[]): Buffer =>
  numbers(REQUEST_KIND.step, id, [env, actions.length, ...actions]);
const reset = (id: number, options: object): Buffer =>
  textFrame(REQUEST_KIND.reset, id, JSON.stringify(options));

function failure({ kind, payload }: Answer): Failure {
  expect(kind).toBe(ANSWER_KIND.error);
  return JSON.parse(payload.toString()) as Failure;
}

/** Reads a batch as docs/reference/envs/protocol.md describes it. */
function readBatch({ kind, payload }: Answer, size: number, planesBytes: 1 | 4) {
  expect(kind).toBe(ANSWER_KIND.batch);
  let at = 0;
  const u32 = (): number => payload.readUInt32LE((at += 4) - 4);
  const list = <Value>(count: number, read: () => Value): Value[] => Array.from({ length: count }, read);
  const number = (): number => {
    at += planesBytes;
    return planesBytes === 4 ? payload.readFloatLE(at - 4) : payload[at - 1]!;
  };
  const [env, count, , finals] = list(4, u32) as [number, number, number, number];
  const rewards = list(count, () => payload.readFloatLE((at += 4) - 4));
  const plies = list(count, u32);
  const legalActions = list(count, u32).map((length) => list(length, u32));
  const finalPlies = list(finals, u32);
  const planes = list(count * size, number);
  const finalPlanes = list(finals * size, number);
  const flags = list(count, () => payload[at++]!);
  const players = list(count, () => payload[at++]!);
  expect(at).toBe(payload.length);
  return { env, rewards, plies, legalActions, finalPlies, planes, finalPlanes, flags, players };
}

const SIZE = 6 * 7 * planesOfConnectFour();

function planesOfConnectFour(): number {
  const env = make('gess/ConnectFour');
  env.reset();
  return env.observe(env.agentSelection).observation.length / 42;
}

describe('frames', () => {
  test('show an environment for agents in turn unchanged, until the last agent leaves', async () => {
    const env = make('gess/ConnectFour');
    const moves = [0, 1, 0, 1, 0, 1, 0];
    const actions = [...moves, -1, -1];
    const frames = actions.map((action, i) => step(10 + i, 1, action));
    const answers = await serve([
      HELLO,
      call(1, 'make', { id: 'gess/ConnectFour' }),
      reset(2, { env: 1, seed: 3 }),
      ...frames,
    ]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, ...actions.map((_, i) => 10 + i)]);
    env.reset({ seed: 3 });
    for (const [i, answer] of answers.slice(1).entries()) {
      const batch = readBatch(answer, SIZE, 4);
      const agent = env.agentSelection;
      expect(batch.planes).toEqual(Array.from(env.observe(agent).observation));
      expect(batch.players).toEqual([env.possibleAgents.indexOf(agent)]);
      expect(batch.rewards).toEqual([env.rewards['red'] ?? 0]);
      expect(batch.flags).toEqual([env.terminations[agent] === true ? 1 : 0]);
      expect(batch.legalActions[0]).toEqual(Array.from(env.infos[agent]?.legalActions ?? []));
      expect(batch.plies).toEqual([Math.min(i, moves.length)]);
      const action = actions[i];
      if (action !== undefined) env.step(action === -1 ? null : action);
    }
    expect(env.agents).toEqual([]);
  });

  test.each(['next-step', 'same-step'] as const)('show a vector unchanged, reset by %s', (autoreset) => {
    const options = { numEnvs: 3, opponent: 'greedy', side: 'first', autoreset } as const;
    const envs = makeVec('gess/ConnectFour', options, { createOpponent });
    const session = new EnvSession();
    const ask = (frame: Buffer): Answer => {
      const input = {
        kind: frame.readUInt32LE(4),
        id: frame.readUInt32LE(8),
        payload: frame.subarray(HEADER_BYTES),
      };
      const answer = session.frame(input);
      return { kind: answer.readUInt32LE(4), id: input.id, payload: answer.subarray(HEADER_BYTES) };
    };
    const { numEnvs: count, ...others } = options;
    ask(call(1, 'makeVector', { id: 'gess/ConnectFour', count, planes: 'uint8', ...others }));
    let seen = readBatch(ask(reset(2, { env: 1, seed: 5 })), SIZE, 1);
    let { observations, infos } = envs.reset({ seed: 5 });
    const rng = createRng(1);
    let ends = 0;
    for (let i = 0; i < 40; i++) {
      expect(seen.planes).toEqual(Array.from(observations.observation, (value) => Math.round(255 * value)));
      expect(seen.legalActions).toEqual(infos.legalActions.map((legal) => Array.from(legal)));
      expect(seen.plies).toEqual(Array.from(infos.ply));
      const actions = seen.legalActions.map((legal) =>
        legal.length === 0 ? 0 : legal[rng.integer(legal.length)]!,
      );
      seen = readBatch(ask(step(3, 1, ...actions)), SIZE, 1);
      const result = envs.step(actions);
      ({ observations, infos } = result);
      expect(seen.rewards).toEqual(Array.from(result.rewards));
      const finals = infos.finalObservation ?? [];
      expect(seen.flags).toEqual(
        Array.from(result.terminations, (ended, at) => {
          const isFinal = (finals[at] ?? null) !== null;
          return ended + 2 * result.truncations[at]! + (isFinal ? 4 : 0);
        }),
      );
      const last = finals.filter((final) => final !== null) as { readonly observation: Float32Array }[];
      expect(seen.finalPlanes).toEqual(
        last.flatMap(({ observation }) => Array.from(observation, (value) => Math.round(255 * value))),
      );
      expect(seen.finalPlies).toHaveLength(last.length);
      ends += result.terminations.reduce((sum, ended) => sum + ended, 0);
    }
    expect(ends).toBeGreaterThan(2);
  });

  test('arrive in any pieces', async () => {
    const stream = Buffer.concat([
      HELLO,
      call(1, 'make', { id: 'gess/ConnectFour' }),
      reset(2, { env: 1 }),
      step(3, 1, 4),
      createFrame(REQUEST_KIND.call, 4, 0),
    ]);
    const whole = await serve([stream]);
    expect(whole.map(({ kind }) => kind)).toEqual([1, 2, 2, 1]);
    expect(await serve(Array.from(stream, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  test.each<[string, Buffer, string]>([
    ['an unknown kind', numbers(99, 3, [1]), 'frame-syntax'],
    ['a header without its zeros', Buffer.from('000000000201000003000000', 'hex'), 'frame-syntax'],
    ['a step without actions', numbers(REQUEST_KIND.step, 3, [1]), 'frame-syntax'],
    ['a step with too many actions', step(3, 1, 0, 0), 'frame-syntax'],
    ['a step with a forged count', numbers(REQUEST_KIND.step, 3, [1, 1 << 30, 0]), 'frame-syntax'],
    ['an environment that does not exist', step(3, 7, 0), 'env-closed'],
    ['an illegal action', step(3, 1, 7), 'illegal-action'],
    ['a player that does not exist', numbers(REQUEST_KIND.look, 3, [1, 2]), 'frame-syntax'],
    ['a reset that is not JSON', textFrame(REQUEST_KIND.reset, 3, '{'), 'request-syntax'],
    ['a reset that is not UTF-8', Buffer.concat([numbers(REQUEST_KIND.reset, 3, [-1])]), 'frame-syntax'],
    ['a reset of a vector', reset(3, { env: 1, resetMask: [1] }), 'request-syntax'],
    ['a seed out of range', reset(3, { env: 1, seed: -1 }), 'request-syntax'],
  ])('answer %s with a code and change nothing', async (_, bad, code) => {
    const look = numbers(REQUEST_KIND.look, 9, [1, -1]);
    const [, before, failed, after] = await serve([
      HELLO,
      call(1, 'make', { id: 'gess/ConnectFour' }),
      reset(9, { env: 1, moves: '3 4' }),
      bad,
      look,
    ]);
    expect(failure(failed!).code).toBe(code);
    expect(failed!.id).toBe(3);
    expect(after).toEqual(before);
    expect(page).toContain(`\`${code}\``);
  });

  test('skip a frame that is too long without storing it, and continue', async () => {
    const size = MAX_PAYLOAD_BYTES + 1;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(size, 0);
    header.writeUInt32LE(REQUEST_KIND.call, 4);
    const [failed, next] = await serve([HELLO, header, Buffer.alloc(size), call(5, 'hello', {})]);
    expect(failure(failed!).code).toBe('request-size');
    expect(next).toMatchObject({ kind: ANSWER_KIND.call, id: 5 });
  });

  test('answer the greatest forged length at once, and a stream that ends within a frame', async () => {
    const forged = Buffer.from('ffffffff0200000007000000', 'hex');
    const [failed, ...others] = await serve([HELLO, forged]);
    expect(failure(failed!)).toMatchObject({ code: 'request-size' });
    expect(others).toEqual([]);
    const [cut] = await serve([HELLO, step(8, 1, 0).subarray(0, 15)]);
    expect(failure(cut!).code).toBe('frame-syntax');
    expect(cut!.id).toBe(8);
  });

  test('keep vectors and environments for agents in turn apart, and bound their number', async () => {
    const vector = { id: 'gess/ConnectFour', count: 2 };
    const answers = await serve([
      HELLO,
      call(1, 'makeVector', vector),
      call(2, 'last', { env: 1 }),
      numbers(REQUEST_KIND.look, 3, [1, -1]),
      call(4, 'makeVector', { ...vector, count: 1023 }),
      call(5, 'makeVector', { ...vector, opponent: 'policy:model=quess' }),
      call(6, 'makeVector', { ...vector, count: 0 }),
      reset(7, { env: 1, seed: [1, null] }),
      step(8, 1, 0, 9),
      call(9, 'render', { env: 1, index: 2 }),
    ]);
    const codes = answers.map(({ payload, kind }) => {
      if (kind === ANSWER_KIND.batch) return 'batch';
      const { code, error } = JSON.parse(payload.toString()) as { code?: string; error?: Failure };
      return code ?? error?.code ?? 'result';
    });
    expect(codes).toEqual([
      'result',
      'env-kind',
      'env-kind',
      'env-count',
      'agent-unknown',
      'request-syntax',
      'batch',
      'illegal-action',
      'request-syntax',
    ]);
    for (const code of ['env-kind', 'frame-syntax', 'agent-unknown']) expect(page).toContain(`\`${code}\``);
  });
});
