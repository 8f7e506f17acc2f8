import { quote } from '../../env/text/quoted-text.js';
import { AgentError } from '../agent-error.js';

/** The value of an option in an agent's text. */
export type OptionValue = string | number | boolean;

/** Options whose values are texts; all others are numbers, `true`, `false` or one of a few words. */
const TEXT_OPTIONS: readonly string[] = ['model', 'network', 'cmd'];
/** Those of `TEXT_OPTIONS` that are always quoted, because they contain spaces and commas. */
const QUOTED_OPTIONS: readonly string[] = ['cmd'];

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** `name="value"` at the front of a list, with the rest of the list. */
const QUOTED_PAIR = /^([^=,"]+)="([^"\\]*(?:\\.[^"\\]*)*)"(?:,([^]*))?$/;

/** Escapes a text without quotes: commas, which separate options, as `%2C`, and percent signs as `%25`. */
function escapeOption(value: string): string {
  return value.replaceAll('%', '%25').replaceAll(',', '%2C');
}

function unescapeOption(value: string): string {
  return value.replaceAll(/%2C/gi, ',').replaceAll('%25', '%');
}

/** `name=value` in canonical form. */
function formatOption(name: string, value: OptionValue): string {
  const text = String(value);
  if (QUOTED_OPTIONS.includes(name) || text.startsWith('"'))
    return `${name}="${text.replaceAll(/["\\]/g, '\\$&')}"`;
  return `${name}=${escapeOption(text)}`;
}

function parseValue(name: string, value: string): OptionValue {
  if (TEXT_OPTIONS.includes(name)) return unescapeOption(value);
  if (value === 'true' || value === 'false') return value === 'true';
  // Adding 0 turns -0 into 0; -0 would be formatted as 0 and not round-trip.
  return NUMBER.test(value) ? Number(value) + 0 : value;
}

/** The first option of a list, and what follows its comma; undefined at the end of the list. */
interface FirstOption {
  readonly name: string;
  readonly value: OptionValue;
  readonly rest: string | undefined;
}

/** @throws AgentError `agent-syntax`. */
function firstOption(text: string, list: string): FirstOption {
  const quoted = /^[^=,"]+="/.test(list) ? QUOTED_PAIR.exec(list) : undefined;
  if (quoted === null) {
    const expected = "a text in quotes to end with '\"', and a comma or nothing after it";
    throw new AgentError('agent-syntax', `expected ${expected}; found ${quote(list)} in ${quote(text)}`);
  }
  if (quoted !== undefined) {
    const [, name = '', value = '', rest] = quoted;
    if (TEXT_OPTIONS.includes(name)) return { name, value: value.replaceAll(/\\(.)/g, '$1'), rest };
  }
  const comma = list.indexOf(',');
  const pair = comma < 0 ? list : list.slice(0, comma);
  const equals = pair.indexOf('=');
  if (equals < 1) {
    throw new AgentError(
      'agent-syntax',
      `expected KIND:option=value,… but found ${quote(pair)} in ${quote(text)}`,
    );
  }
  const name = pair.slice(0, equals);
  const value = parseValue(name, pair.slice(equals + 1));
  return { name, value, rest: comma < 0 ? undefined : list.slice(comma + 1) };
}

/**
 * Parses `name=value,…`; a text may be in quotes, with `\"` and `\\` for `"` and `\`.
 *
 * @param text the agent's whole text, for messages.
 * @throws AgentError `agent-syntax`.
 */
export function parseOptions(text: string, list: string): ReadonlyMap<string, OptionValue> {
  const options = new Map<string, OptionValue>();
  for (let left: string | undefined = list; left !== undefined;) {
    const { name, value, rest } = firstOption(text, left);
    if (options.has(name)) {
      throw new AgentError('agent-syntax', `expected option ${quote(name)} once in agent ${quote(text)}`);
    }
    options.set(name, value);
    left = rest;
  }
  return options;
}

/** The kind of an agent's text, `mcts`, and the list of its options; undefined if it has none. */
export function splitAgentText(text: string): {
  readonly kind: string;
  readonly list: string | undefined;
} {
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: text, list: undefined };
  return { kind: text.slice(0, colon), list: text.slice(colon + 1) };
}

/** The text of an agent; undefined options are omitted. */
export function formatAgentText(
  kind: string,
  options: Readonly<Record<string, OptionValue | undefined>>,
): string {
  const pairs = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [formatOption(name, value)],
  );
  return pairs.length === 0 ? kind : `${kind}:${pairs.join(',')}`;
}
