// Needs Node: the main module of a process of `ProcessVectorEnv`.
import type { GameDefinition } from '../../definition/game-definition.js';
import { registerGame } from '../../games.js';
import { packError } from '../../processes/packed-error.js';
import { serveRequests } from '../../processes/process-server.js';
import type { Environment, EnvState } from '../environment.js';
import type { OpponentMaker } from '../opponent.js';
import { planVector } from './make-vec.js';
import type { Made, Reply, Request } from './process-requests.js';
import { sparseBatch } from './sparse-arrays.js';
import { type Answers, type Failure, SubEnvironments } from './sub-environments.js';

let parts: SubEnvironments<unknown> | null = null;
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

async function make({ id, kwargs, modules }: Extract<Request, { kind: 'make' }>): Promise<Made> {
  let createOpponent: OpponentMaker | undefined;
  for (const url of modules) {
    const loaded = (await import(url)) as Exports;
    createOpponent = loaded.createOpponent ?? createOpponent;
    if (loaded.default !== undefined) registerGame(loaded.default);
  }
  const { create, numEnvs, autoreset } = planVector(id, kwargs, { createOpponent });
  const envs = Array.from({ length: numEnvs }, create);
  parts = new SubEnvironments(envs, autoreset === 'same-step');
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

function restore(held: SubEnvironments<unknown>, states: readonly EnvState[]): Reply {
  const { failures, undo } = held.restore(states);
  undoRestore = undo;
  return reply(null, failures);
}

async function answer(request: Request): Promise<Reply> {
  if (request.kind === 'make') return reply(await make(request));
  if (parts === null) throw new Error('expected environments to be made first');
  switch (request.kind) {
    case 'follow': {
      const { failures, observations, ...results } = parts.follow(request.orders);
      return reply({ ...results, observations: sparseBatch(observations) }, failures);
    }
    case 'render':
      return replyAnswers(parts.render());
    case 'call':
      return replyAnswers(parts.call(request.name, request.args));
    case 'save':
      return replyAnswers(parts.save());
    case 'restore':
      return restore(parts, request.states);
    case 'undo-restore':
      undoRestore();
      return reply(null);
    case 'close':
      return replyAnswers(parts.close());
  }
}

serveRequests(answer);
