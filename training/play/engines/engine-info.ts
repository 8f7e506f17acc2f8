import type { Candidate } from '../../../agents/thinking/thinking.js';
import type { Action, Game } from '../../../env/game.js';
import { MAX_LINES } from './engine-limits.js';

/** Greatest number of moves of a line that are read. */
const MAX_LINE_MOVES = 1000;

/** An engine's report of a search: its candidates, best first, and its work. Numbers out of range are left out. */
export interface EngineInfo {
  readonly candidates: readonly Candidate[];
  readonly depth?: number | undefined;
  readonly nodes?: number | undefined;
  readonly simulations?: number | undefined;
}

/** The word after `name`; undefined without one. */
function wordAfter(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(name);
  return at < 0 ? undefined : words[at + 1];
}

function numberAfter(words: readonly string[], name: string, most: number): number | undefined {
  const number = Number(wordAfter(words, name) ?? NaN);
  return number >= 0 && number <= most ? number : undefined;
}

/** Reads `score value 0.25`, `score win 3` or `score loss 4`. */
function readScore(words: readonly string[]): Pick<Candidate, 'value' | 'pliesToEnd'> {
  const at = words.indexOf('score');
  const [kind, text] = at < 0 ? [] : words.slice(at + 1, at + 3);
  const number = Number(text ?? NaN);
  // Adding 0 turns -0 into 0.
  if (kind === 'value' && Math.abs(number) <= 1) return { value: number + 0 };
  if ((kind !== 'win' && kind !== 'loss') || !Number.isSafeInteger(number) || number < 1) return {};
  return { value: kind === 'win' ? 1 : -1, pliesToEnd: number };
}

/** The legal moves at the front of a line from `state`. */
function readVariation<State>(game: Game<State>, state: State, words: readonly string[]): readonly Action[] {
  const at = words.indexOf('pv');
  const end = game.clone(state);
  const line: Action[] = [];
  for (const word of at < 0 ? [] : words.slice(at + 1, at + 1 + MAX_LINE_MOVES)) {
    const action = actionOf(game, word);
    if (action === undefined || !game.isLegal(end, action)) break;
    game.apply(end, action);
    line.push(action);
  }
  return line;
}

/** The action that a text names; undefined if it names none. */
export function actionOf<State>(game: Game<State>, text: string): Action | undefined {
  try {
    return game.parseAction(text);
  } catch {
    return undefined;
  }
}

/** Collects the `info` lines of a search (docs/reference/engine.md): the last one for each `multipv` number. */
export class InfoLines<State> {
  private readonly game: Game<State>;
  private readonly state: State;
  private readonly last = new Map<number, readonly string[]>();

  /** @param state the searched position. */
  constructor(game: Game<State>, state: State) {
    this.game = game;
    this.state = state;
  }

  /** Adds a line; lines other than `info` lines with moves are ignored. */
  add(line: string): void {
    const words = line.trim().split(/\s+/);
    if (words[0] !== 'info' || !words.includes('pv')) return;
    const number = numberAfter(words, 'multipv', MAX_LINES) ?? 1;
    if (Number.isInteger(number)) this.last.set(number, words);
  }

  /** Whether no line was added. */
  get isEmpty(): boolean {
    return this.last.size === 0;
  }

  /**
   * The candidates in the lines. Lines without a legal move, and lines with the move of an earlier line, are
   * left out: a stopped search leaves lines of its last depth behind.
   */
  read(): EngineInfo {
    const numbers = [...this.last.keys()].sort((one, other) => one - other);
    const seen = new Set<Action>();
    const candidates = numbers.flatMap((number): Candidate[] => {
      const words = this.last.get(number)!;
      const principalVariation = readVariation(this.game, this.state, words);
      const [action] = principalVariation;
      if (action === undefined || seen.has(action)) return [];
      seen.add(action);
      return [
        {
          action,
          ...readScore(words),
          visits: numberAfter(words, 'visits', Number.MAX_SAFE_INTEGER),
          prior: numberAfter(words, 'prior', 1),
          principalVariation,
        },
      ];
    });
    const first = this.last.get(numbers[0] ?? 1) ?? [];
    return {
      candidates,
      depth: numberAfter(first, 'depth', 1000),
      nodes: numberAfter(first, 'nodes', Number.MAX_SAFE_INTEGER),
      simulations: numberAfter(first, 'simulations', Number.MAX_SAFE_INTEGER),
    };
  }
}
