import * as z from 'zod';
import { describeProblems, EXPLAINED } from '../env/problems-text.js';
import { AgentError } from './agent-error.js';
import { leavesOption, type PlayOptions, symmetriesOption } from './play-options.js';
import { GumbelSearchConfig, PuctSearchConfig } from './search-config.js';
import { suggestName } from '../env/text/nearest-name.js';
import { quote } from '../env/text/quoted-text.js';

const SimpleOptions = z.strictObject({});

const AlphaBetaOptions = z
  .strictObject({
    depth: z.int().min(1).max(64).optional(),
    nodes: z.int().min(1).optional(),
    timeMs: z.number().positive().optional(),
    weights: z
      .string()
      .regex(/^[\w-]+$/)
      .optional()
      .meta({ description: "a hand-written evaluation of the game; Gess's: fitted, guessed" }),
  })
  .refine(({ depth, nodes, timeMs }) => (depth ?? nodes ?? timeMs) !== undefined, {
    error: 'expected at least one of depth, nodes and timeMs',
  });

const model = z.string().min(1).optional().meta({ description: 'ONNX file of the network; none: uniform' });
const leaves = leavesOption.default(1).meta({ description: 'positions of one game evaluated together' });

const symmetries = symmetriesOption.optional().meta({
  description: 'number of board symmetries over which the network is averaged',
});
const rollouts = z.int().min(1).max(10_000).optional().meta({
  description: 'random games that evaluate a position, in place of a network',
});
const limits = {
  nodes: z.int().min(1).optional().meta({ description: 'positions evaluated per move' }),
  timeMs: z.number().positive().optional().meta({ description: 'time per move' }),
};

const MctsOptions = z.discriminatedUnion('root', [
  z.strictObject({
    model,
    symmetries,
    rollouts,
    ...PuctSearchConfig.shape,
    // Without simulations=, the other limits alone bound the search.
    simulations: PuctSearchConfig.shape.simulations.unwrap().optional(),
    ...limits,
    leaves,
    temperature: z
      .number()
      .min(0)
      .max(100)
      .default(0)
      .meta({ description: 'temperature of the move choice by visits' }),
  }),
  z.strictObject({
    model,
    symmetries,
    rollouts,
    ...GumbelSearchConfig.shape,
    ...limits,
    leaves,
    gumbelScale: z.number().min(0).max(100).default(0).meta({ description: 'factor of the Gumbel noise' }),
  }),
]);

type EvaluatorOptions = Readonly<{
  model?: string | undefined;
  symmetries?: number | undefined;
  rollouts?: number | undefined;
}>;

function hasOneEvaluator({ model, rollouts }: EvaluatorOptions): boolean {
  return model === undefined || rollouts === undefined;
}

function averagesNetworkOnly({ model, symmetries }: EvaluatorOptions): boolean {
  return symmetries === undefined || model !== undefined;
}

/** Adds the default number of simulations if nothing else limits a search. */
function withSimulations(options: unknown): unknown {
  const { simulations, nodes, timeMs } = options as Readonly<Record<string, unknown>>;
  const isLimited = (simulations ?? nodes ?? timeMs) !== undefined;
  return isLimited
    ? options
    : { ...(options as object), simulations: PuctSearchConfig.parse({}).simulations };
}

const PolicyOptions = z.strictObject({
  model: z.string().min(1).meta({ description: 'ONNX file of the network' }),
  symmetries,
});

/** The options of each kind of agent. */
const OPTIONS = {
  random: SimpleOptions,
  careful: SimpleOptions,
  greedy: SimpleOptions,
  alphabeta: AlphaBetaOptions,
  solver: SimpleOptions,
  mcts: z.preprocess(
    withSimulations,
    MctsOptions.refine(hasOneEvaluator, { error: 'expected model or rollouts, not both' }).refine(
      averagesNetworkOnly,
      { error: 'expected a model for symmetries to average' },
    ),
  ),
  policy: PolicyOptions,
} as const;

type Kind = keyof typeof OPTIONS;

/** An agent's text, parsed, with defaults filled in. */
export type AgentSpec = {
  [K in Kind]: { readonly kind: K; readonly options: Readonly<z.infer<(typeof OPTIONS)[K]>> };
}[Kind];

/** Options whose values are texts; all others are numbers, `true` or `false`. */
const TEXT_OPTIONS: readonly string[] = ['model'];
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function isKind(name: string): name is Kind {
  return Object.hasOwn(OPTIONS, name);
}

/** Escapes a value: commas, which separate options, as `%2C`, and percent signs as `%25`. */
export function escapeOption(value: string): string {
  return value.replaceAll('%', '%25').replaceAll(',', '%2C');
}

function unescapeValue(value: string): string {
  return value.replaceAll(/%2C/gi, ',').replaceAll('%25', '%');
}

function parseValue(name: string, value: string): string | number | boolean {
  if (TEXT_OPTIONS.includes(name)) return unescapeValue(value);
  if (value === 'true' || value === 'false') return value === 'true';
  // Adding 0 turns -0 into 0; -0 would be formatted as 0 and not round-trip.
  return NUMBER.test(value) ? Number(value) + 0 : value;
}

/**
 * Parses `name=value,…`.
 *
 * @throws AgentError `agent-syntax`.
 */
function parseOptions(text: string, list: string): Map<string, string | number | boolean> {
  const options = new Map<string, string | number | boolean>();
  for (const pair of list.split(',')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (equals < 1) {
      throw new AgentError(
        'agent-syntax',
        `expected KIND:option=value,… but found ${quote(pair)} in ${quote(text)}`,
      );
    }
    if (options.has(name)) {
      throw new AgentError('agent-syntax', `expected option ${quote(name)} once in agent ${quote(text)}`);
    }
    options.set(name, parseValue(name, pair.slice(equals + 1)));
  }
  return options;
}

/** Those of a model's options that an agent with this root has. */
function playOptionsFor(root: unknown, { symmetries, leaves, ...ofPuct }: PlayOptions): PlayOptions {
  return {
    ...(symmetries !== undefined && { symmetries }),
    ...(leaves !== undefined && { leaves }),
    ...(root !== 'gumbel' && ofPuct),
  };
}

/**
 * Parses the text of an agent: `random`, `careful`, `greedy`, `alphabeta:depth=3`, `alphabeta:timeMs=1000`,
 * `alphabeta:nodes=10000`, `solver`, `mcts:simulations=64`, `mcts:model=PATH,simulations=64`, `mcts:timeMs=1000`,
 * `mcts:root=gumbel,simulations=16`, `mcts:rollouts=1`, `policy:model=PATH`. In a path, `,` is written `%2C` and `%` is written
 * `%25`.
 *
 * @param playOptions of the model that the text of an `mcts` agent names: defaults of options that the text does not have.
 * @throws AgentError `agent-syntax`; `agent-unknown` for an unknown kind; `agent-option` for an unknown option or a value
 *   out of range.
 */
export function parseAgentSpec(text: string, playOptions: PlayOptions = {}): AgentSpec {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  if (!isKind(kind)) {
    const kinds = Object.keys(OPTIONS);
    throw new AgentError(
      'agent-unknown',
      `expected an agent of ${kinds.join(', ')}; got ${quote(text)}${suggestName(kind, kinds)}`,
    );
  }
  const given = Object.fromEntries(colon < 0 ? [] : parseOptions(text, text.slice(colon + 1)));
  const parsed = OPTIONS[kind].safeParse(
    { ...(kind === 'mcts' && playOptionsFor(given['root'], playOptions)), ...given },
    EXPLAINED,
  );
  if (!parsed.success) {
    throw new AgentError('agent-option', `agent ${quote(text)}: ${describeProblems(parsed.error)}`);
  }
  return { kind, options: parsed.data } as AgentSpec;
}

/** The canonical text: `parseAgentSpec` returns an equal specification. */
export function formatAgentSpec(spec: AgentSpec): string {
  const pairs = Object.entries(spec.options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeOption(String(value))}`);
  return pairs.length === 0 ? spec.kind : `${spec.kind}:${pairs.join(',')}`;
}
