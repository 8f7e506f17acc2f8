import type { Agent } from '../../agents/agent.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import type { Action, Game } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import type { WarmStartConfig } from '../config/groups/warm-start-config.js';
import { TrainingGame, type Decision, type FinishedGame } from './training-game.js';
import { moveTargets } from '../play/agent-targets.js';
import { chooseForAll } from '../play/choices.js';
import { drawOpening } from '../play/opening.js';
import type { GameRange } from './game-range.js';
import { adjudicateIfQuiet, QuietWatch } from './quiet-watch.js';

/** Games played concurrently, so that agents with a network evaluate their positions in batches. */
const CONCURRENT_GAMES = 32;

interface WarmStartGame<State> {
  readonly record: TrainingGame<State>;
  /** Null if quiet games continue to the ply limit. */
  readonly quiet: QuietWatch<State> | null;
  /** Random stream of openings and random moves. */
  readonly rng: Rng;
  /** Random stream of the agent. */
  readonly agentRng: Rng;
}

/** The decision for an agent's move, with its value; null without one. */
function decisionOf<State>(game: Game<State>, state: State, action: Action, value: number | null): Decision {
  const buffer = new Int32Array(game.maxLegalActions);
  const actions = Uint16Array.from(buffer.subarray(0, game.legalActions(state, buffer)));
  return { actions, ...moveTargets({ actions }, action), rootValue: value };
}

function startGame<State>(
  game: Game<State>,
  options: WarmStartOptions,
  gameId: number,
): WarmStartGame<State> {
  const rng = createRng(options.seed, 'warmStart', gameId);
  const record = new TrainingGame(game, gameId);
  const plies = rng.integer(options.config.randomPlies + 1);
  for (const action of drawOpening(game, rng, plies)) record.playRandom(action);
  return {
    record,
    quiet: options.config.quietPlies === 0 ? null : new QuietWatch(game, record.state),
    rng,
    agentRng: createRng(options.seed, 'warmStart', gameId, 'agent'),
  };
}

/** Plays a move, and ends the game if it is quiet. */
function playMove<State>(
  { record, quiet }: WarmStartGame<State>,
  { quietPlies }: WarmStartConfig,
  action: Action,
  decision: Decision,
): void {
  record.playDecision(action, decision);
  adjudicateIfQuiet(record, quiet, quietPlies);
}

/** Plays one ply in each game: a random one in some games, the agent's in the others. */
async function playPly<State>(
  agent: Agent<State>,
  running: readonly WarmStartGame<State>[],
  config: WarmStartConfig,
): Promise<void> {
  const { game } = agent;
  const thinking: WarmStartGame<State>[] = [];
  for (const entry of running) {
    if (entry.rng.float() >= config.randomMoveShare) {
      thinking.push(entry);
      continue;
    }
    const { state } = entry.record;
    const action = drawCarefulAction(game, state, entry.rng);
    playMove(entry, config, action, { ...decisionOf(game, state, action, null), policyWeight: 0 });
  }
  if (thinking.length === 0) return;
  const turns = thinking.map(({ record, agentRng }) => ({ state: record.state, rng: agentRng }));
  const choices = await chooseForAll(agent, turns);
  for (const [index, entry] of thinking.entries()) {
    const { action, value } = choices[index]!;
    playMove(entry, config, action, decisionOf(game, entry.record.state, action, value ?? null));
  }
}

/** Settings of the games of a warm start. */
export interface WarmStartOptions {
  readonly config: WarmStartConfig;
  readonly seed: number;
}

/**
 * Plays games of a hand-written agent against itself. `careful` plays the opening and a share of the later moves, so
 * that games differ. Rows are the positions in which the agent moved, with its move as the policy and with its value,
 * and the positions of later random moves, which only teach the game's result (policy weight 0).
 *
 * The same seed and game numbers produce the same games, unless the agent depends on the clock.
 *
 * @param onGame called with each game as it ends.
 * @returns the games, ordered by number.
 */
export async function playWarmStartGames<State>(
  agent: Agent<State>,
  options: WarmStartOptions,
  range: GameRange,
  onGame?: (game: FinishedGame) => void,
): Promise<readonly FinishedGame[]> {
  const end = range.firstGame + range.games;
  const finished: FinishedGame[] = [];
  let nextGame = range.firstGame;
  let running: WarmStartGame<State>[] = [];
  while (running.length > 0 || nextGame < end) {
    while (running.length < CONCURRENT_GAMES && nextGame < end) {
      running.push(startGame(agent.game, options, nextGame++));
    }
    await playPly(agent, running, options.config);
    for (const { record } of running.filter((entry) => entry.record.isOver)) {
      finished.push(record.finish(0));
      onGame?.(finished.at(-1)!);
    }
    running = running.filter((entry) => !entry.record.isOver);
  }
  return finished.sort((a, b) => a.gameId - b.gameId);
}
