import type { OpponentKind } from '../../../session/levels.js';
import { levelsOf } from '../../../session/levels.js';
import { type GameSetup, PERSON, type Seat } from './game-setup.js';

/** The games to choose from: Gach is Gess by its own rules. */
export const GAME_CHOICES = {
  gess: { game: 'gess', rules: 'eureka', name: 'Gess', about: 'Chess on a Go board. Break the last ring.' },
  gach: {
    game: 'gess',
    rules: 'gach',
    name: 'Gach',
    about: 'Gess as it is played under its German name: a move ends when it pushes a stone off the edge.',
  },
  quess: {
    game: 'quess',
    rules: 'standard',
    name: 'Quess',
    about: 'A small, fast game of three shapes. Bring two pieces into the opponent’s corner.',
  },
  'connect-four': {
    game: 'connect-four',
    rules: 'standard',
    name: 'Four',
    about: 'Connect Four: four in a line, in any direction.',
  },
} as const;
/** See `GAME_CHOICES`. */
export type GameChoice = keyof typeof GAME_CHOICES;

/** The rules of Gess to choose from (docs/reference/rules.md, 4.2). */
export const RULES_CHOICES = [
  { rules: 'eureka', name: 'Eureka 53, 1994: the first article' },
  { rules: 'wikipedia', name: 'Wikipedia: moves end at the edge' },
  { rules: 'sgf', name: 'SGF: centres stay on the grid' },
  { rules: 'osu', name: 'OSU: no move may break your own last ring' },
  { rules: 'eureka,ko=superko', name: 'Eureka, without repetitions' },
] as const;

/** The fields of the dialog of a new game. */
export interface SetupForm {
  choice: GameChoice;
  opponent: OpponentKind | 'person';
  /** Index of the level; beyond the last one, the strongest. */
  level: number;
  side: '0' | '1' | 'any';
  rules: string;
  /** Seconds per player; 0: no clock. */
  clock: number;
  position: string;
}

/** The fields for a first visitor. */
export const FIRST_FORM: Readonly<SetupForm> = {
  choice: 'gess',
  opponent: 'network',
  level: 3,
  side: '0',
  rules: 'eureka',
  clock: 0,
  position: '',
};

function rulesOf({ choice, rules, clock }: SetupForm): string {
  if (choice === 'gess') return rules;
  if (choice === 'quess' && clock > 0) return `standard,clock=${clock}`;
  return GAME_CHOICES[choice].rules;
}

function seatsOf({ opponent, level, side }: SetupForm, coin: () => boolean): readonly [Seat, Seat] {
  if (opponent === 'person') return [PERSON, PERSON];
  const computer: Seat = {
    kind: 'computer',
    opponent,
    level: Math.min(level, levelsOf(opponent).length - 1),
  };
  const isFirst = side === 'any' ? coin() : side === '0';
  return isFirst ? [PERSON, computer] : [computer, PERSON];
}

/** The form with the game and rules that an address names; unchanged if the page does not offer them. */
export function formOfQuery(form: SetupForm, query: URLSearchParams): SetupForm {
  const [game, rules] = [query.get('game'), query.get('rules')];
  const choices = Object.entries(GAME_CHOICES) as [GameChoice, (typeof GAME_CHOICES)[GameChoice]][];
  const offered = choices.filter(([, choice]) => choice.game === game);
  const [choice] = offered.find(([, each]) => each.rules === rules) ?? offered[0] ?? [form.choice];
  return { ...form, choice, ...(choice === 'gess' && rules !== null && { rules }) };
}

/**
 * The set-up of a form.
 *
 * @param coin decides who begins if the person chose either side.
 */
export function setupOf(form: SetupForm, coin = (): boolean => Math.random() < 0.5): GameSetup {
  const position = form.position.trim();
  return {
    game: GAME_CHOICES[form.choice].game,
    rules: rulesOf(form),
    ...(position !== '' && { position }),
    seats: seatsOf(form, coin),
  };
}
