import type { Action, Game } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import { TrainingError } from '../training-error.js';
import { drawOpening } from '../play/opening.js';
import { type ArchivedRow, archiveRows, type ArchiveShard, readArchiveRows } from './archive.js';
import type { GameRange } from './game-range.js';
import type { StartKind, StartsConfig } from '../config/starts-config.js';

/** The start of one game; `state` becomes the state of that game. */
export interface GameStart<State> {
  readonly kind: StartKind;
  readonly state: State;
}

/** Everything that determines the starts of a job's games. */
export interface StartPlan {
  readonly config: StartsConfig;
  readonly archive: readonly ArchiveShard[];
  /** Seed of the run; with a game's number, it seeds the stream of that game's start. */
  readonly seed: number;
  /** Generation of the network that plays. */
  readonly generation: number;
}

/** Whether any game may begin at a position other than the initial one. */
export function variesStarts(config: StartsConfig): boolean {
  const { carefulShare, archiveShare, forkShare, reducedShare } = config;
  return carefulShare + archiveShare + forkShare + reducedShare > 0;
}

/** Share of each colour's stones missing in the reduced armies of a generation. */
function reducedStones({ reducedStones: share, reducedDecay }: StartsConfig, generation: number): number {
  return share * reducedDecay ** generation;
}

/** The kind of start at `place`, uniform in [0, 1). */
function kindAt(config: StartsConfig, place: number): StartKind {
  const shares = [
    ['careful', config.carefulShare],
    ['archive', config.archiveShare],
    ['fork', config.forkShare],
    ['reduced', config.reducedShare],
  ] as const;
  let end = 0;
  for (const [kind, share] of shares) {
    end += share;
    if (place < end) return kind;
  }
  return 'initial';
}

function carefulStart<State>(game: Game<State>, config: StartsConfig, rng: Rng): GameStart<State> {
  const state = game.initialState();
  const plies = 1 + rng.integer(config.carefulPlies);
  for (const action of drawOpening(game, rng, plies)) game.apply(state, action);
  return { kind: 'careful', state };
}

function initialStart<State>(game: Game<State>): GameStart<State> {
  return { kind: 'initial', state: game.initialState() };
}

function reduced<State>(game: Game<State>, plan: StartPlan, rng: Rng): GameStart<State> {
  if (game.reducedStart === undefined) {
    throw new TrainingError(
      'config-invalid',
      `selfPlay.starts.reducedShare: ${game.id} has no armies to reduce`,
    );
  }
  const text = game.reducedStart(reducedStones(plan.config, plan.generation), rng);
  return text === null ? initialStart(game) : { kind: 'reduced', state: game.parsePosition(text) };
}

/** The row's actions by descending policy; ties in random order. */
function byPolicy({ actions, policy }: ArchivedRow, rng: Rng): readonly Action[] {
  return Array.from(actions, (action, index) => ({ action, policy: policy[index]!, order: rng.float() }))
    .sort((a, b) => b.policy - a.policy || a.order - b.order)
    .map(({ action }) => action);
}

/** Plays the best move other than the one played that does not end the game; false if there is none. */
function playOther<State>(game: Game<State>, state: State, row: ArchivedRow, rng: Rng): boolean {
  const ordered = byPolicy(row, rng);
  const played = row.played ?? ordered[0];
  for (const action of ordered) {
    if (action === played) continue;
    game.apply(state, action);
    if (game.outcome(state) === null && game.ply(state) < game.plyLimit) return true;
    game.undo(state);
  }
  return false;
}

/** A game that begins at a row of the archive. */
interface ArchiveDraw {
  readonly gameId: number;
  readonly kind: 'archive' | 'fork';
  readonly row: number;
  readonly rng: Rng;
}

function archivedStart<State>(game: Game<State>, row: ArchivedRow, draw: ArchiveDraw): GameStart<State> {
  const state = game.initialState();
  game.unpack(row.position, 0, state);
  const isFork = draw.kind === 'fork' && playOther(game, state, row, draw.rng);
  return { kind: isFork ? 'fork' : 'archive', state };
}

/**
 * The start of each game, by number; it depends on the plan and the game's number alone. Without an archive, its games
 * begin at the initial position; a fork without another move that continues the game begins at its row.
 *
 * @see Trudeau and Bowling 2023, "Targeted search control in AlphaZero for effective policy improvement", for starts
 *   from an archive; KataGo's cpp/program/play.cpp, `maybeForkGame`, for forks.
 * @throws TrainingError `opening-too-long`, `archive-changed`, `config-invalid` for reduced armies of another game than
 *   Gess; DataError for shards of the archive.
 */
export async function prepareStarts<State>(
  game: Game<State>,
  plan: StartPlan,
  { firstGame, games }: GameRange,
): Promise<ReadonlyMap<number, GameStart<State>>> {
  const starts = new Map<number, GameStart<State>>();
  const draws: ArchiveDraw[] = [];
  const rows = archiveRows(plan.archive);
  for (let gameId = firstGame; gameId < firstGame + games; gameId++) {
    const rng = createRng(plan.seed, 'starts', gameId);
    const kind = kindAt(plan.config, rng.float());
    if (kind === 'careful') starts.set(gameId, carefulStart(game, plan.config, rng));
    else if (kind === 'reduced') starts.set(gameId, reduced(game, plan, rng));
    else if (kind === 'initial' || rows === 0) starts.set(gameId, initialStart(game));
    else draws.push({ gameId, kind, row: rng.integer(rows), rng });
  }
  const wanted = draws.map(({ row }) => row);
  await readArchiveRows(plan.archive, game, wanted, (row, index) => {
    const draw = draws[index]!;
    starts.set(draw.gameId, archivedStart(game, row, draw));
  });
  return starts;
}
