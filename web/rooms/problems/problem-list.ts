import address from './gess-problems.json?url';

/** A position in which one move wins. */
export interface Problem {
  /** Text of the position. */
  readonly position: string;
  readonly move: string;
  /** Own moves to the end: 1 or 2. */
  readonly moves: number;
}

/** The problems of a game, as `gess problems` writes them. */
export interface ProblemList {
  readonly game: string;
  readonly rules: string;
  readonly problems: readonly Problem[];
}

/** Loads the page's problems. */
export async function loadProblems(): Promise<ProblemList> {
  const response = await fetch(new URL(address, import.meta.url));
  return (await response.json()) as ProblemList;
}
