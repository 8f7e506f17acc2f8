import * as z from 'zod';
import { explained, validate } from '../env/problems-text.js';
import { AgentError } from './agent-error.js';
import { MAX_DEPTH } from './alpha-beta/search-values.js';
import { type GivenOptions, playOptionsFor, withSimulations } from './text/given-options.js';
import { formatAgentText, parseOptions, splitAgentText } from './text/option-list.js';
import {
  evaluatorOptions,
  hasModelFor,
  hasOneEvaluator,
  MODEL_MEANING,
  networkOptions,
} from './evaluators/evaluator-options.js';
import { leavesOption, type PlayOptions } from './play-options.js';
import { GumbelSearchConfig, PuctSearchConfig } from './search-config.js';
import { MAX_NODES, MAX_SIMULATIONS, MAX_TIME_MS, MCTS_DEFAULTS, TIMED_LEAVES } from './search-defaults.js';
import { describeValue } from '../env/text/described-value.js';
import { suggestName } from '../env/text/nearest-name.js';
import { quote } from '../env/text/quoted-text.js';

/** Maximum number of edges of a search's tree: about 2 GB. */
const MAX_EDGES = 64_000_000;

const depthLimit = z
  .int()
  .min(1)
  .max(MAX_DEPTH)
  .optional()
  .meta({ description: 'greatest depth of a search, in plies' });
const nodeLimit = z
  .int()
  .min(1)
  .max(MAX_NODES)
  .optional()
  .meta({ description: 'positions searched per move' });
const timeLimit = z
  .number()
  .positive()
  .max(MAX_TIME_MS)
  .optional()
  .meta({ description: 'milliseconds per move' });

const SimpleOptions = z.strictObject({});

const AlphaBetaOptions = z
  .strictObject({
    depth: depthLimit,
    nodes: nodeLimit,
    timeMs: timeLimit,
    weights: z
      .string()
      .regex(/^[\w-]+$/)
      .optional()
      .meta({ description: "hand-written evaluation; Gess's: fitted, guessed" }),
    network: z.string().min(1).optional().meta({
      description:
        'folder of a pattern network that evaluates positions instead, or gess for the shipped one',
    }),
  })
  .refine(({ weights, network }) => weights === undefined || network === undefined, {
    error: 'expected weights or network, not both',
  })
  .refine(({ depth, nodes, timeMs }) => (depth ?? nodes ?? timeMs) !== undefined, {
    error: 'expected at least one of depth, nodes and timeMs',
  });

const leaves = leavesOption.default(MCTS_DEFAULTS.leaves).meta({
  description: `positions of one game evaluated together; ${TIMED_LEAVES} by default with model and timeMs`,
});
const limits = {
  nodes: nodeLimit.meta({ description: 'positions evaluated per move' }),
  timeMs: timeLimit,
  maxEdges: z.int().min(100_000).max(MAX_EDGES).optional().meta({
    description: 'moves that the tree holds, of 29 bytes each',
  }),
};

const PuctOptions = z.strictObject({
  ...evaluatorOptions,
  ...PuctSearchConfig.shape,
  // Without simulations=, the other limits alone bound the search.
  simulations: PuctSearchConfig.shape.simulations.unwrap().optional(),
  ...limits,
  leaves,
  temperature: z
    .number()
    .min(0)
    .max(100)
    .default(MCTS_DEFAULTS.temperature)
    .meta({ description: 'temperature of the choice by visits' }),
});

const GumbelOptions = z.strictObject({
  ...evaluatorOptions,
  ...GumbelSearchConfig.shape,
  ...limits,
  leaves,
  gumbelScale: z.number().min(0).max(100).default(0).meta({ description: 'factor of the Gumbel noise' }),
});

const MctsOptions = z.discriminatedUnion('root', [PuctOptions, GumbelOptions]);

const PolicyOptions = z.strictObject({
  model: z.string('expected a model, such as gess').min(1).meta({ description: MODEL_MEANING }),
  ...networkOptions,
});

/** Longest wait for an engine: a day. */
const MAX_WAIT_MS = 86_400_000;
/** Longest command line of an engine. */
const MAX_COMMAND_LENGTH = 10_000;

/** Accepts `movetime`, the protocol's word for `timeMs`, too. */
function withTimeMs(options: unknown): unknown {
  const { movetime, ...rest } = options as Readonly<Record<string, unknown>>;
  return movetime === undefined || 'timeMs' in rest ? options : { ...rest, timeMs: movetime };
}

const EngineOptions = z.preprocess(
  withTimeMs,
  z.strictObject({
    cmd: z
      .string()
      .min(1)
      .max(MAX_COMMAND_LENGTH)
      // eslint-disable-next-line no-control-regex -- a command line is one line
      .regex(/^[^\0-\x1f]*$/, { error: 'expected one line without control characters' })
      .meta({ description: 'shell command of an engine' }),
    depth: depthLimit,
    nodes: nodeLimit,
    simulations: z
      .int()
      .min(1)
      .max(MAX_SIMULATIONS)
      .optional()
      .meta({ description: 'simulations of a tree search per move' }),
    timeMs: z
      .number()
      .min(1)
      .max(MAX_TIME_MS)
      .optional()
      .meta({ description: 'milliseconds per move, also as `movetime`' }),
    startMs: z.int().min(1).max(MAX_WAIT_MS).default(60_000).meta({
      description: 'longest wait for its start',
    }),
    waitMs: z.int().min(1).max(MAX_WAIT_MS).default(60_000).meta({
      description: 'longest wait for a move, beyond timeMs',
    }),
  }),
);

/** Drops the retired option `varianceScale` where it is 0 (off): texts of version 1.0.0 contain it. */
function withoutRetiredOption(options: GivenOptions): GivenOptions {
  const { varianceScale, ...rest } = options as GivenOptions & { readonly varianceScale?: unknown };
  return varianceScale === 0 ? rest : options;
}

/** The schema of the options of each kind of agent. */
export const AGENT_OPTIONS = {
  random: SimpleOptions,
  careful: SimpleOptions,
  greedy: SimpleOptions,
  alphabeta: AlphaBetaOptions,
  solver: SimpleOptions,
  mcts: z.preprocess(
    (options) => withSimulations(withoutRetiredOption(options as GivenOptions)),
    MctsOptions.refine(hasOneEvaluator, { error: 'expected model or rollouts, not both' })
      .refine(hasModelFor('symmetries'), { error: 'expected symmetries only together with model' })
      .refine(hasModelFor('precision'), { error: 'expected precision only together with model' })
      .refine(hasModelFor('network'), {
        error: 'expected network only together with model',
      }),
  ),
  policy: PolicyOptions,
  engine: EngineOptions,
} as const;

type Kind = keyof typeof AGENT_OPTIONS;

/** An agent's text, parsed, with defaults filled in. */
export type AgentSpec = {
  [K in Kind]: { readonly kind: K; readonly options: Readonly<z.infer<(typeof AGENT_OPTIONS)[K]>> };
}[Kind];

/** The root that an option of `mcts` applies to, if it is not one of both. */
function rootOf(name: string): string | undefined {
  const [hasPuct, hasGumbel] = [PuctOptions, GumbelOptions].map(({ shape }) => Object.hasOwn(shape, name));
  if (hasPuct === hasGumbel) return undefined;
  return hasPuct ? 'puct' : 'gumbel';
}

/** Messages name the nearest option; of an option for the other root, that root. */
const EXPLAINED_OPTIONS = explained((_path, name, siblings) => {
  const root = siblings.includes('root') ? rootOf(name) : undefined;
  return root === undefined ? suggestName(name, siblings) : `, which applies with root=${root} only`;
});

function isKind(name: string): name is Kind {
  return Object.hasOwn(AGENT_OPTIONS, name);
}

/**
 * Parses the text of an agent: `random`, `careful`, `greedy`, `alphabeta:depth=3`, `alphabeta:timeMs=1000`,
 * `alphabeta:nodes=10000`, `alphabeta:network=gess,depth=3`, `solver`, `mcts:simulations=64`,
 * `mcts:model=PATH,simulations=64`, `mcts:timeMs=1000`, `mcts:root=gumbel,simulations=16`, `mcts:rollouts=1`,
 * `policy:model=PATH`, `engine:cmd="COMMAND",nodes=1000`. A text value is quoted, with `\"` and `\\` for `"` and `\`,
 * or is written with `%2C` for `,` and `%25` for `%`.
 *
 * @param playOptions of the model that the text of an `mcts` agent names: the defaults of options missing from the
 *   text.
 * @throws AgentError `agent-syntax`; `agent-unknown` for an unknown kind; `agent-option` for an unknown option or a
 *   value out of range.
 */
export function parseAgentSpec(text: string, playOptions: PlayOptions = {}): AgentSpec {
  const value: unknown = text;
  if (typeof value !== 'string') {
    throw new AgentError('agent-syntax', `expected the text of an agent, got ${describeValue(value)}`);
  }
  const { kind, list } = splitAgentText(text);
  if (!isKind(kind)) {
    const kinds = Object.keys(AGENT_OPTIONS);
    throw new AgentError(
      'agent-unknown',
      `expected one of the agents ${kinds.join(', ')}; got ${quote(text)}${suggestName(kind, kinds)}`,
    );
  }
  const given = Object.fromEntries(list === undefined ? [] : parseOptions(text, list));
  const options = validate(
    AGENT_OPTIONS[kind],
    { ...(kind === 'mcts' && playOptionsFor(given, playOptions)), ...given },
    (problems) => new AgentError('agent-option', `agent ${quote(text)}: ${problems}`),
    EXPLAINED_OPTIONS,
  );
  return { kind, options } as AgentSpec;
}

/** Options of an agent in another program. */
export type EngineOptions = Extract<AgentSpec, { kind: 'engine' }>['options'];

/** Whether a text, of any kind of agent, names another program, which runs with the user's rights. */
export function namesProgram(text: string): boolean {
  return parseAgentSpec(text).kind === 'engine';
}

/** Path or name of the model that a text names; null for an agent without one. */
export function modelOfAgent(text: string): string | null {
  const { options } = parseAgentSpec(text);
  return 'model' in options ? (options.model ?? null) : null;
}

/** The pattern network that a text names, by its folder or as a shipped one; null for an agent without one. */
export function networkOfAgent(text: string): string | null {
  const { options } = parseAgentSpec(text);
  return 'network' in options ? (options.network ?? null) : null;
}

/** The canonical text: `parseAgentSpec` returns an equal specification. */
export function formatAgentSpec(spec: AgentSpec): string {
  return formatAgentText(spec.kind, spec.options);
}
