import { z } from 'zod';
import { NotationError } from '../errors.js';
import { describeProblems } from '../problems-text.js';

/** In what the sources of the rules differ (docs/rules.md, 4.1). */
export interface GessRules {
  /** Whether a piece's centre may be on the outer ring of squares before it moves (2.7). */
  readonly startOffBoard: boolean;
  /** Whether a piece's centre may be on the outer ring of squares after it moved (2.7). */
  readonly endOffBoard: boolean;
  /**
   * What ends a move at the edge (2.6). `free`: nothing. `enter`: the first step that takes the footprint further
   * off the board, at any side, than the step before. `stone`: the first step that pushes a stone of the
   * piece off. `strict`: the first step whose footprint is partly off.
   */
  readonly edge: 'free' | 'enter' | 'stone' | 'strict';
  /** Whether breaking one's last ring loses, or may not be done (2.8). */
  readonly suicide: 'loss' | 'illegal';
  /** Which earlier boards a move may not bring back: none, that of two plies before, all of the game's (4.4). */
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

const YesOrNo = z.enum(['yes', 'no']).transform((word) => word === 'yes');
const Settings = z
  .strictObject({
    startOffBoard: YesOrNo,
    endOffBoard: YesOrNo,
    edge: z.enum(['free', 'enter', 'stone', 'strict']),
    suicide: z.enum(['loss', 'illegal']),
    ko: z.enum(['none', 'simple', 'superko']),
  })
  .partial();

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
    const known = Object.keys(NAMED_RULES).join(', ');
    throw new NotationError('rules-unknown', `expected rules named ${known}; got '${name}'`);
  }
  const entries = pairs.map((pair): [string, string] => {
    const [setting = '', ...value] = pair.split('=');
    return [setting, value.join('=')];
  });
  if (new Set(entries.map(([setting]) => setting)).size !== entries.length) {
    throw new NotationError('rules-unknown', `expected each setting once, got '${text}'`);
  }
  const settings = Settings.safeParse(Object.fromEntries(entries));
  if (!settings.success) {
    throw new NotationError('rules-unknown', `rules '${text}': ${describeProblems(settings.error)}`);
  }
  const { startOffBoard, endOffBoard, edge, suicide, ko } = settings.data;
  return {
    startOffBoard: startOffBoard ?? named.startOffBoard,
    endOffBoard: endOffBoard ?? named.endOffBoard,
    edge: edge ?? named.edge,
    suicide: suicide ?? named.suicide,
    ko: ko ?? named.ko,
  };
}

function differences(rules: GessRules, named: GessRules): string[] {
  return (['startOffBoard', 'endOffBoard', 'edge', 'suicide', 'ko'] as const)
    .filter((setting) => rules[setting] !== named[setting])
    .map((setting) => {
      const value = rules[setting];
      return `${setting}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`;
    });
}

/** Canonical: the named rules that differ least, the first of them, and the settings that differ. */
export function formatRules(rules: GessRules): string {
  const texts = Object.entries(NAMED_RULES).map(([name, named]) => [name, ...differences(rules, named)]);
  return texts.reduce((best, text) => (text.length < best.length ? text : best)).join(',');
}
