import * as z from 'zod';
import { validate } from '../../../env/problems-text.js';
import { suggestName } from '../../../env/text/nearest-name.js';
import { quote } from '../../../env/text/quoted-text.js';
import { RequestError, RequestId } from '../../line-protocol/json-requests.js';
import { MAX_LINES, MAX_SEED } from '../../../training/play/engines/engine-limits.js';
import { GREATEST_LIMITS } from '../known-limits.js';

/** Greatest number of positions of one query. */
const MAX_TURNS = 1000;
const MAX_PRIORITY = 1e9;

const limitFrom1 = (most: number) => z.int().min(1).max(most).optional();

const Limits = z
  .strictObject({
    depth: limitFrom1(GREATEST_LIMITS.depth),
    nodes: limitFrom1(GREATEST_LIMITS.nodes),
    simulations: limitFrom1(GREATEST_LIMITS.simulations),
    timeMs: z.number().min(1).max(GREATEST_LIMITS.timeMs).optional(),
  })
  .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
    error: 'expected at least one of depth, nodes, simulations and timeMs',
  });

const Query = z.strictObject({
  id: RequestId,
  game: z.string().optional(),
  rules: z.string().optional(),
  /** Text of the first position; by default the start of the game. */
  position: z.string().optional(),
  /** Moves from there, with white space between them. */
  moves: z.string().default(''),
  /** Numbers of moves after which to search; by default all of them. */
  turns: z.array(z.int().min(0)).min(1).max(MAX_TURNS).optional(),
  agent: z.string().optional(),
  limits: Limits.optional(),
  lines: z.int().min(1).max(MAX_LINES).default(1),
  policy: z.boolean().default(false),
  seed: z.int().min(0).max(MAX_SEED).optional(),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY).default(0),
  reportDuringSearch: z.boolean().default(false),
});

/** A query for positions to be searched, defaults filled in. */
export type AnalysisQuery = z.infer<typeof Query>;

const ACTIONS = {
  terminate: z.strictObject({ id: RequestId, action: z.literal('terminate'), terminateId: RequestId }),
  terminate_all: z.strictObject({ id: RequestId, action: z.literal('terminate_all') }),
  query_version: z.strictObject({ id: RequestId, action: z.literal('query_version') }),
} as const;

/** A line that requests something other than a search. */
export type AnalysisAction = {
  [K in keyof typeof ACTIONS]: z.infer<(typeof ACTIONS)[K]>;
}[keyof typeof ACTIONS];

function schemaOf(json: unknown): z.ZodType<AnalysisQuery | AnalysisAction> {
  if (typeof json !== 'object' || json === null || !('action' in json)) return Query;
  const { action } = json;
  const names = Object.keys(ACTIONS);
  if (typeof action === 'string' && Object.hasOwn(ACTIONS, action))
    return ACTIONS[action as keyof typeof ACTIONS];
  const found = typeof action === 'string' ? `${quote(action)}${suggestName(action, names)}` : 'another type';
  throw new RequestError('request-syntax', `expected an action of ${names.join(', ')}; got ${found}`);
}

/**
 * Validates the form of a query or an action, but not its game, position, moves and agent.
 *
 * @throws RequestError `request-syntax`.
 */
export function parseQuery(json: unknown): AnalysisQuery | AnalysisAction {
  return validate(
    schemaOf(json),
    json,
    (problems) => new RequestError('request-syntax', `not a query: ${problems}`),
  );
}
