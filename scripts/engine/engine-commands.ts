import type { ThinkingLimits } from '../../agents/thinking/thinking.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { EngineError } from './engine-error.js';
import { GREATEST_LIMITS } from './known-limits.js';

/** Commands of one word. */
const PLAIN_COMMANDS = ['uci', 'isready', 'ucinewgame', 'stop', 'quit', 'd'] as const;
type PlainCommand = (typeof PLAIN_COMMANDS)[number];

/** A line of input, parsed (docs/reference/engine.md). */
export type EngineCommand =
  | { readonly [K in PlainCommand]: { readonly name: K } }[PlainCommand]
  | { readonly name: 'setoption'; readonly option: string; readonly value: string }
  | {
      readonly name: 'position';
      /** Text of the position; undefined for the start. */
      readonly position: string | undefined;
      /** Moves from there, separated by spaces. */
      readonly moves: string;
    }
  | {
      readonly name: 'go';
      /** Limits of this search; those of the agent's text if there is none and `infinite` is false. */
      readonly limits: ThinkingLimits;
      readonly infinite: boolean;
    };

/** Limits that `go` takes, and their names in `ThinkingLimits`. */
const GO_LIMITS = {
  depth: 'depth',
  nodes: 'nodes',
  simulations: 'simulations',
  movetime: 'timeMs',
} as const;

function isLimit(word: string): word is keyof typeof GO_LIMITS {
  return Object.hasOwn(GO_LIMITS, word);
}

function parseLimit(name: keyof typeof GO_LIMITS, text: string | undefined): number {
  const most = GREATEST_LIMITS[GO_LIMITS[name]];
  const number = Number(text);
  if (text !== undefined && /^\d{1,15}$/.test(text) && number >= 1 && number <= most) return number;
  const found = text === undefined ? 'the end of the line' : quote(text);
  throw new EngineError(
    'engine-syntax',
    `expected 'go ${name}' with a number from 1 to ${most}, got ${found}`,
  );
}

function parseGo(words: readonly string[]): EngineCommand {
  const limits: { -readonly [K in keyof ThinkingLimits]: ThinkingLimits[K] } = {};
  let infinite = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === 'infinite') infinite = true;
    else if (isLimit(word)) {
      const name = GO_LIMITS[word];
      if (limits[name] !== undefined)
        throw new EngineError('engine-syntax', `expected 'go' with each limit once, got '${word}' twice`);
      limits[name] = parseLimit(word, words[++i]);
    } else {
      const known = [...Object.keys(GO_LIMITS), 'infinite'];
      throw new EngineError(
        'engine-syntax',
        `expected 'go' with ${known.join(', ')}; got ${quote(word)}${suggestName(word, known)}`,
      );
    }
  }
  if (infinite && Object.keys(limits).length > 0) {
    throw new EngineError('engine-syntax', "expected 'go infinite' without limits");
  }
  return { name: 'go', limits, infinite };
}

function parsePosition(words: readonly string[]): EngineCommand {
  const at = words.indexOf('moves');
  const text = (at < 0 ? words : words.slice(0, at)).join(' ');
  if (text === '') {
    throw new EngineError('engine-syntax', "expected 'position start' or 'position' with a position's text");
  }
  const position = text === 'start' || text === 'startpos' ? undefined : text;
  return { name: 'position', position, moves: at < 0 ? '' : words.slice(at + 1).join(' ') };
}

/** `name OPTION value VALUE`; both may contain spaces. */
function parseSetOption(words: readonly string[]): EngineCommand {
  const at = words.indexOf('value');
  const option = (at < 0 ? words.slice(1) : words.slice(1, at)).join(' ');
  if (words[0] !== 'name' || option === '') {
    throw new EngineError('engine-syntax', "expected 'setoption name OPTION value VALUE'");
  }
  return { name: 'setoption', option, value: at < 0 ? '' : words.slice(at + 1).join(' ') };
}

/** Commands with further words, and their parsers. */
const PARSERS: ReadonlyMap<string, (words: readonly string[]) => EngineCommand> = new Map([
  ['setoption', parseSetOption],
  ['position', parsePosition],
  ['go', parseGo],
]);

function isPlain(name: string): name is PlainCommand {
  return (PLAIN_COMMANDS as readonly string[]).includes(name);
}

/**
 * Parses a line that is not empty.
 *
 * @throws EngineError `engine-command`, `engine-syntax`.
 */
export function parseEngineCommand(line: string): EngineCommand {
  const [name = '', ...words] = line.trim().split(/\s+/);
  if (isPlain(name)) {
    if (words.length === 0) return { name };
    throw new EngineError('engine-syntax', `expected '${name}' alone on its line, got ${quote(words[0]!)}`);
  }
  const parse = PARSERS.get(name);
  if (parse !== undefined) return parse(words);
  const known = [...PLAIN_COMMANDS, ...PARSERS.keys()];
  throw new EngineError(
    'engine-command',
    `expected a command of ${known.join(', ')}; got ${quote(name)}${suggestName(name, known)}`,
  );
}
