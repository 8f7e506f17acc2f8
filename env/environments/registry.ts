import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { EnvError } from '../errors.js';
import type { Game } from '../game.js';
import { connectFour } from '../connect-four/connect-four.js';
import { createGess } from '../gess/gess.js';
import { createQuess } from '../quess/quess.js';

/** What a game is made from: `plyLimit`, and whatever the entry has names for. */
export type GameKwargs = Readonly<Record<string, unknown>> & { readonly plyLimit?: number | undefined };

/** An environment that can be made by its id. */
export interface EnvEntry {
  /** Checks, and fills in, what the game can be made from besides `plyLimit`: by default nothing. */
  readonly kwargs?: z.ZodRawShape | undefined;
  /**
   * The game of the environment.
   *
   * @param kwargs those of `kwargs`, checked, and `plyLimit` where it was given.
   * @throws NotationError for rules that it does not know.
   */
  createGame(kwargs: GameKwargs): Game<unknown>;
}

/** The parts of an id. */
export interface EnvId {
  /** `gess`; null where there is none. */
  readonly namespace: string | null;
  readonly name: string;
  /** Null where none is named. */
  readonly version: number | null;
}

const ID = /^(?:([\w:-]+)\/)?([\w:.-]+?)(?:-v(\d+))?$/;

/** What Gess and Quess are made from: the text of the rules. */
function rulesKwargs(rules: string): z.ZodRawShape {
  return { rules: z.string().default(rules) };
}

const Rules = z.object({ rules: z.string(), plyLimit: z.int().optional() });

function gessEntry(rules: string): EnvEntry {
  return {
    kwargs: rulesKwargs(rules),
    createGame: (kwargs) => createGess(withoutUndefined(Rules.parse(kwargs))),
  };
}

/** Drops absent members, which options that are exact do not take as undefined. */
function withoutUndefined({ rules, plyLimit }: z.infer<typeof Rules>): { rules: string; plyLimit?: number } {
  return plyLimit === undefined ? { rules } : { rules, plyLimit };
}

const entries = new Map<string, EnvEntry>([
  ['gess/Gess-v0', gessEntry('default')],
  ['gess/Gach-v0', gessEntry('gach')],
  [
    'gess/Quess-v0',
    {
      kwargs: rulesKwargs('default'),
      createGame: (kwargs) => createQuess(withoutUndefined(Rules.parse(kwargs))),
    },
  ],
  ['gess/ConnectFour-v0', { createGame: () => connectFour }],
]);

/**
 * Takes an id apart: `[namespace/]name[-vVERSION]`, as in Gymnasium.
 *
 * @throws EnvError `env-id`.
 */
export function parseEnvId(id: string): EnvId {
  const [, namespace, name, version] = ID.exec(id) ?? [];
  if (name === undefined)
    throw new EnvError('env-id', `expected an id [namespace/]name[-vVERSION], got '${id}'`);
  return { namespace: namespace ?? null, name, version: version === undefined ? null : Number(version) };
}

/** Inverse of `parseEnvId`. */
export function formatEnvId({ namespace, name, version }: EnvId): string {
  return `${namespace === null ? '' : `${namespace}/`}${name}${version === null ? '' : `-v${version}`}`;
}

/**
 * Makes an environment known to `make` by its id, which must name a version: `acme/TicTacToe-v0`.
 *
 * @throws EnvError `env-id`, `env-exists`.
 */
export function register(id: string, entry: EnvEntry): void {
  const parts = parseEnvId(id);
  if (parts.version === null)
    throw new EnvError('env-id', `expected an id with a version, ${id}-v0, got '${id}'`);
  const canonical = formatEnvId(parts);
  if (entries.has(canonical)) throw new EnvError('env-exists', `expected a new id, got '${canonical}'`);
  entries.set(canonical, entry);
}

/** The ids that `make` knows, in the order in which they were registered. */
export function registeredIds(): readonly string[] {
  return [...entries.keys()];
}

/**
 * The whole id that a text means, the highest version where none is named, and what it stands for.
 *
 * @throws EnvError `env-id`, `env-unknown`, which names the nearest id.
 */
export function findEntry(id: string): { readonly id: string; readonly entry: EnvEntry } {
  const { namespace, name, version } = parseEnvId(id);
  const versions = registeredIds()
    .map(parseEnvId)
    .filter((known) => known.namespace === namespace && known.name === name)
    .map((known) => known.version!);
  const highest = Math.max(...versions);
  if (versions.length > 0) {
    const found = formatEnvId({ namespace, name, version: version ?? highest });
    const entry = entries.get(found);
    if (entry !== undefined) return { id: found, entry };
    const known = versions.map((number) => `v${number}`).join(', ');
    throw new EnvError(
      'env-unknown',
      `expected a version ${known} of ${formatEnvId({ namespace, name, version: null })}, got '${id}'`,
    );
  }
  throw new EnvError('env-unknown', `expected a registered environment, got '${id}'${suggestion(id)}`);
}

function suggestion(id: string): string {
  const ids = registeredIds();
  const byLower = new Map(ids.map((known) => [known.replace(/-v\d+$/, '').toLowerCase(), known]));
  const text = id.replace(/-v\d+$/, '').toLowerCase();
  const nearest = closest(text, [...byLower.keys()]);
  const isNear = distance(text, nearest) <= Math.max(2, text.length / 2);
  return isNear ? `; did you mean '${byLower.get(nearest)!}'?` : `; there are ${ids.join(', ')}`;
}
