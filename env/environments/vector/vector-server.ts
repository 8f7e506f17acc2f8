// Needs Node: answers the requests of a `ProcessVectorEnv`, in a process or a thread of its own.
import type { GameDefinition } from '../../definition/game-definition.js';
import type { EnvError } from '../../errors.js';
import { registerGame } from '../../games.js';
import { importWithin } from '../../processes/limited-import.js';
import { packError } from '../../processes/packed-error.js';
import { quote } from '../../text/quoted-text.js';
import type { Environment, EnvState } from '../environment.js';
import type { OpponentMaker } from '../opponent.js';
import { planVector } from './make-vec.js';
import { packInfos } from './packed-infos.js';
import {
  expectSendable,
  type FollowValue,
  type Made,
  type Reply,
  type Request,
  unloadable,
  unpackOrders,
} from './process-requests.js';
import { type SharedResults, storeFields } from './shared-batch.js';
import { sparseBatch } from './sparse-arrays.js';
import { type Answers, type Failure, type Order, SubEnvironments } from './sub-environments.js';

let createOpponent: OpponentMaker | undefined;
let envs: readonly Environment<unknown>[] = [];
let resetsAtOnce = false;
let parts: SubEnvironments<unknown> | null = null;
let shared: SharedResults | null = null;
let undoRestore = (): void => undefined;

/** A value, and the environments that failed. */
function reply(value: unknown, failures: readonly Failure[] = []): Reply {
  return { value, failures: failures.map(({ index, error }) => ({ index, error: packError(error) })) };
}

function replyAnswers({ values, failures }: Answers<unknown>): Reply {
  return reply(values, failures);
}

/** The exports of a module that a process loads. */
interface Exports {
  readonly default?: GameDefinition;
  readonly createOpponent?: OpponentMaker;
}

async function load(url: string, loadMs: number): Promise<void> {
  const loaded = (await importWithin(url, loadMs).catch((error: unknown) => {
    throw unloadable(url, error);
  })) as Exports;
  createOpponent = loaded.createOpponent ?? createOpponent;
  if (loaded.default !== undefined) registerGame(loaded.default);
}

function make({ id, kwargs }: Extract<Request, { kind: 'make' }>): Made {
  const { create, numEnvs, autoreset } = planVector(id, kwargs, { createOpponent });
  envs = Array.from({ length: numEnvs }, create);
  resetsAtOnce = autoreset === 'same-step';
  parts = new SubEnvironments(envs, resetsAtOnce);
  return describe(envs[0]!);
}

function describe({ spec, metadata, observationSpace, actionSpace }: Environment<unknown>): Made {
  return {
    spec: JSON.parse(JSON.stringify(spec)) as Made['spec'],
    metadata,
    observationSpace: observationSpace.toJSON(),
    actionSpace: actionSpace.toJSON(),
  };
}

/** Makes all later results go to memory that the vector reads. */
function share(results: SharedResults): Reply {
  shared = results;
  parts = new SubEnvironments(envs, resetsAtOnce, results);
  return reply(null);
}

function follow(held: SubEnvironments<unknown>, orders: readonly Order[]): Reply {
  const { failures, observations, infos, ...results } = held.follow(orders);
  const change = shared === null ? (value: unknown): unknown => value : storeFields(shared);
  const value: FollowValue = {
    ...results,
    infos: packInfos(infos, change),
    observations: shared === null ? sparseBatch(observations) : null,
  };
  return reply(value, failures);
}

function call(held: SubEnvironments<unknown>, name: string, args: readonly unknown[]): Reply {
  const { values, failures } = held.call(name, args);
  const unsendable = values.flatMap((value, index): Failure[] => {
    try {
      expectSendable(`a value of ${quote(name)}`, value);
      return [];
    } catch (error) {
      return [{ index, error: error as EnvError }];
    }
  });
  return unsendable.length === 0 ? reply(values, failures) : reply(null, [...failures, ...unsendable]);
}

function restore(held: SubEnvironments<unknown>, states: readonly EnvState[]): Reply {
  const { failures, undo } = held.restore(states);
  undoRestore = undo;
  return reply(null, failures);
}

/** Answers a request; those but `start` and `load` must follow `make`. */
export async function answerVectorRequest(request: Request): Promise<Reply> {
  if (request.kind === 'start') return reply(null);
  if (request.kind === 'load') {
    await load(request.url, request.loadMs);
    return reply(null);
  }
  if (request.kind === 'make') return reply(make(request));
  if (parts === null) throw new Error('expected environments to be made first');
  return answerMade(parts, request);
}

function answerMade(
  held: SubEnvironments<unknown>,
  request: Exclude<Request, { kind: 'start' | 'load' | 'make' }>,
): Reply {
  switch (request.kind) {
    case 'share':
      return share(request.results);
    case 'follow':
      return follow(held, unpackOrders(request.orders));
    case 'render':
      return replyAnswers(held.render());
    case 'call':
      return call(held, request.name, request.args);
    case 'save':
      return replyAnswers(held.save());
    case 'restore':
      return restore(held, request.states);
    case 'undo-restore':
      undoRestore();
      return reply(null);
    case 'close':
      return replyAnswers(held.close());
  }
}
