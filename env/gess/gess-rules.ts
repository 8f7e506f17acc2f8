import { NotationError } from '../errors.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

/** The settings in which published rules of Gess differ (docs/reference/rules.md, 4.1). */
export interface GessRules {
  /** Whether a piece's centre may start a move on the outer ring of squares (2.7). */
  readonly startOffBoard: boolean;
  /** Whether a piece's centre may end a move on the outer ring of squares (2.7). */
  readonly endOffBoard: boolean;
  /**
   * Which step ends a move at the edge (2.6). `free`: none. `enter`: the first one that takes the footprint
   * further off the board, on any side. `stone`: the first one that pushes a stone of the piece off.
   * `strict`: the first one whose footprint is partly off.
   */
  readonly edge: 'free' | 'enter' | 'stone' | 'strict';
  /** Whether a player who breaks their own last ring loses, or may not make the move (2.8). */
  readonly suicide: 'loss' | 'illegal';
  /** Which earlier boards a move may not repeat: none, the one two plies before, or any of the game (4.4). */
  readonly ko: 'none' | 'simple' | 'superko';
}

const EUREKA: GessRules = {
  startOffBoard: true,
  endOffBoard: true,
  edge: 'free',
  suicide: 'loss',
  ko: 'none',
};
const SGF: GessRules = { ...EUREKA, startOffBoard: false, endOffBoard: false };

/** The rules by name (4.2); the first is the default. */
const NAMED_RULES: Readonly<Record<string, GessRules>> = {
  eureka: EUREKA,
  wikipedia: { ...EUREKA, edge: 'enter' },
  gach: { ...EUREKA, edge: 'stone' },
  sgf: SGF,
  osu: { ...SGF, suicide: 'illegal' },
};

/** The words for each setting in the text of rules. */
const WORDS = {
  startOffBoard: ['yes', 'no'],
  endOffBoard: ['yes', 'no'],
  edge: ['free', 'enter', 'stone', 'strict'],
  suicide: ['loss', 'illegal'],
  ko: ['none', 'simple', 'superko'],
} as const satisfies Record<keyof GessRules, readonly string[]>;

type Setting = keyof typeof WORDS;

/** Rules as the words of their text. */
type RulesWords = { readonly [Name in Setting]: (typeof WORDS)[Name][number] };

const SETTINGS = Object.keys(WORDS) as Setting[];

function toWords(rules: GessRules): RulesWords {
  const { startOffBoard, endOffBoard } = rules;
  return {
    ...rules,
    startOffBoard: startOffBoard ? 'yes' : 'no',
    endOffBoard: endOffBoard ? 'yes' : 'no',
  };
}

function fromWords(words: RulesWords): GessRules {
  return {
    startOffBoard: words.startOffBoard === 'yes',
    endOffBoard: words.endOffBoard === 'yes',
    edge: words.edge,
    suicide: words.suicide,
    ko: words.ko,
  };
}

/** Reads `setting=word`. */
function parseSetting(pair: string, text: string): [Setting, string] {
  const [name = '', ...rest] = pair.split('=');
  const setting = SETTINGS.find((known) => known === name);
  if (setting === undefined) {
    const expected = `a setting of ${SETTINGS.join(', ')}`;
    throw new NotationError(
      'rules-unknown',
      `rules ${quote(text)}: expected ${expected}; got ${quote(name)}${suggestName(name, SETTINGS)}`,
    );
  }
  const value = rest.join('=');
  const word = WORDS[setting].find((known) => known === value);
  if (word === undefined) {
    const expected = `${setting}=${WORDS[setting].join('|')}`;
    throw new NotationError(
      'rules-unknown',
      `rules ${quote(text)}: expected ${expected}, got ${quote(pair)}${suggestName(value, WORDS[setting])}`,
    );
  }
  return [setting, word];
}

/**
 * Reads `NAME[,setting=value…]`, such as `wikipedia,edge=strict`; `default` is `eureka`.
 *
 * @throws NotationError `rules-unknown`.
 */
export function parseRules(text: string): GessRules {
  const [name = '', ...pairs] = text.split(',');
  const named =
    name === 'default' ? EUREKA : Object.hasOwn(NAMED_RULES, name) ? NAMED_RULES[name] : undefined;
  if (named === undefined) {
    const known = Object.keys(NAMED_RULES);
    throw new NotationError(
      'rules-unknown',
      `expected rules named ${known.join(', ')}; got ${quote(name)}${suggestName(name, known)}`,
    );
  }
  const settings = new Map(pairs.map((pair) => parseSetting(pair, text)));
  if (settings.size !== pairs.length) {
    throw new NotationError('rules-unknown', `expected each setting once, got ${quote(text)}`);
  }
  return fromWords({ ...toWords(named), ...(Object.fromEntries(settings) as Partial<RulesWords>) });
}

/** The canonical text: the named rules that differ least (the first of several) and the settings that differ. */
export function formatRules(rules: GessRules): string {
  const words = toWords(rules);
  const texts = Object.entries(NAMED_RULES).map(([name, named]) => {
    const namedWords = toWords(named);
    const different = SETTINGS.filter((setting) => words[setting] !== namedWords[setting]);
    return [name, ...different.map((setting) => `${setting}=${words[setting]}`)];
  });
  return texts.reduce((best, text) => (text.length < best.length ? text : best)).join(',');
}
