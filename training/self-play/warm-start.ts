import type { Agent } from '../../agents/agent.js';
import { drawCarefulAction } from '../../agents/careful-agent.js';
import type { Tactics } from '../../env/definition/evaluation.js';
import { createEvaluation } from '../../env/games.js';
import type { Action, Game } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import type { WarmStartConfig } from '../config/warm-start-config.js';
import { GameRecord, type Decision, type FinishedGame } from './game-record.js';
import { chooseForAll } from '../play/choices.js';
import { drawOpening } from '../play/opening.js';
import type { GameRange } from './game-range.js';

/** Games played side by side, so that agents with a network evaluate their positions together. */
const CONCURRENT_GAMES = 32;

interface WarmStartGame<State> {
  readonly record: GameRecord<State>;
  /** Decides what is random. */
  readonly rng: Rng;
  /** The agent's own stream. */
  readonly agentRng: Rng;
  /** Decides which positions become rows, whatever is played. */
  readonly sampleRng: Rng;
}

/** All legal actions, with the whole policy on `action`. */
function oneHot<State>(
  game: Game<State>,
  state: State,
  action: Action,
): Pick<Decision, 'actions' | 'policy'> {
  const buffer = new Int32Array(game.maxLegalActions);
  const actions = Uint16Array.from(buffer.subarray(0, game.legalActions(state, buffer)));
  return { actions, policy: Float32Array.from(actions, (candidate) => (candidate === action ? 1 : 0)) };
}

function startGame<State>(
  game: Game<State>,
  options: WarmStartOptions,
  gameId: number,
): WarmStartGame<State> {
  const rng = createRng(options.seed, 'warmStart', gameId);
  const record = new GameRecord(game, gameId);
  const plies = rng.integer(options.config.randomPlies + 1);
  for (const action of drawOpening(game, rng, plies)) record.play(action);
  return {
    record,
    rng,
    agentRng: createRng(options.seed, 'warmStart', gameId, 'agent'),
    sampleRng: createRng(options.seed, 'warmStart', gameId, 'sample'),
  };
}

/** Decides which positions become rows: neighbours of one game say much the same. */
class RowSampling<State> {
  private readonly game: Game<State>;
  private readonly config: WarmStartConfig;
  /** What captures are; absent: none are known. */
  private readonly tactics: Tactics<State> | undefined;
  private readonly captures: Int32Array;

  constructor(game: Game<State>, config: WarmStartConfig) {
    this.game = game;
    this.config = config;
    this.tactics = createEvaluation(game).tactics;
    this.captures = new Int32Array(game.maxLegalActions);
  }

  /** Plays a move, whose position becomes a row or does not. */
  play({ record, sampleRng }: WarmStartGame<State>, action: Action, decision: Decision): void {
    const { sampleShare, quietOnly } = this.config;
    // Drawn for each move, so that the rows of quiet positions are among those of all.
    const isDrawn = sampleRng.float() < sampleShare;
    if (isDrawn && (!quietOnly || this.isQuiet(record.state, action))) record.playDecision(action, decision);
    else record.play(action);
  }

  /**
   * Whether the move wins neither material nor the game: elsewhere a value says what it will be after the captures.
   *
   * @see `--smart-fen-skipping` of Stockfish's nnue-pytorch, which leaves out positions whose move captures.
   */
  private isQuiet(state: State, action: Action): boolean {
    const { game, tactics, captures } = this;
    if (tactics !== undefined && captures.subarray(0, tactics.captures(state, captures)).includes(action)) {
      return false;
    }
    game.apply(state, action);
    const isOver = game.outcome(state) !== null;
    game.undo(state);
    return !isOver;
  }
}

/** One ply in each game: random in some, the agent's in the others. */
async function playPly<State>(
  agent: Agent<State>,
  running: readonly WarmStartGame<State>[],
  { randomMoveShare }: WarmStartConfig,
  sampling: RowSampling<State>,
): Promise<void> {
  const { game } = agent;
  const thinking: WarmStartGame<State>[] = [];
  for (const entry of running) {
    if (entry.rng.float() >= randomMoveShare) {
      thinking.push(entry);
      continue;
    }
    const { state } = entry.record;
    const action = drawCarefulAction(game, state, entry.rng);
    const unlearnt = { policyWeight: 0, rootValue: null, searchSize: 0, surprise: null };
    sampling.play(entry, action, { ...oneHot(game, state, action), ...unlearnt });
  }
  if (thinking.length === 0) return;
  const turns = thinking.map(({ record, agentRng }) => ({ state: record.state, rng: agentRng }));
  const choices = await chooseForAll(agent, turns);
  for (const [index, entry] of thinking.entries()) {
    const { action, value } = choices[index]!;
    const decision = {
      ...oneHot(game, entry.record.state, action),
      policyWeight: 1,
      rootValue: value ?? null,
      searchSize: 0,
      surprise: null,
    };
    sampling.play(entry, action, decision);
  }
}

/** How the games of a warm start are played. */
export interface WarmStartOptions {
  readonly config: WarmStartConfig;
  readonly seed: number;
}

/**
 * Games of a hand-written agent against itself: the first moves and a share of the later ones by `careful`,
 * so that games differ. Rows: each position in which the agent moved, with its move as the policy and its
 * value; and those of later random moves, for the game's result only (policy weight 0). Of all these a share is drawn
 * (`sampleShare`), or of the quiet ones among them (`quietOnly`).
 *
 * The same seed and numbers give the same games, unless the agent looks at the clock.
 *
 * @param onGame called with each game as it ends.
 * @returns the games by number.
 */
export async function playWarmStartGames<State>(
  agent: Agent<State>,
  options: WarmStartOptions,
  range: GameRange,
  onGame?: (game: FinishedGame) => void,
): Promise<readonly FinishedGame[]> {
  const end = range.firstGame + range.games;
  const sampling = new RowSampling(agent.game, options.config);
  const finished: FinishedGame[] = [];
  let nextGame = range.firstGame;
  let running: WarmStartGame<State>[] = [];
  while (running.length > 0 || nextGame < end) {
    while (running.length < CONCURRENT_GAMES && nextGame < end) {
      running.push(startGame(agent.game, options, nextGame++));
    }
    await playPly(agent, running, options.config, sampling);
    for (const { record } of running.filter((entry) => entry.record.isOver)) {
      finished.push(record.finish(0));
      onGame?.(finished.at(-1)!);
    }
    running = running.filter((entry) => !entry.record.isOver);
  }
  return finished.sort((a, b) => a.gameId - b.gameId);
}
