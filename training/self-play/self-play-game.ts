import type { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { temperedWeight } from '../../agents/mcts/root-policy.js';
import { Search } from '../../agents/mcts/search.js';
import type { Action, Game } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import type { SelfPlayConfig } from '../config/groups/self-play-config.js';
import { noiselessMove } from '../play/noiseless-move.js';
import { readTargets } from '../play/search-targets.js';
import { TrainingGame, type FinishedGame } from './training-game.js';
import { adjudicateIfQuiet, QuietWatch } from './quiet-watch.js';
import { ResignationWatch } from './resignation.js';
import type { Teacher } from './teacher.js';

/**
 * Share of random moves that are sampled uniformly; the others are sampled by the policy. Both occur in search trees: a
 * first visit may go to any move, the later ones go to likely moves.
 */
const UNIFORM_SHARE = 0.5;

/** Everything shared by the games of a job. */
export interface SelfPlayRules<State> {
  readonly game: Game<State>;
  readonly config: SelfPlayConfig;
  /** Seed of the run; with a game's number, it seeds the game's stream. */
  readonly seed: number;
  /** Moves of games that are replayed, which replace the searches' choices. */
  readonly recorded?: RecordedMoves | undefined;
  /** Replaces the targets of the searches. */
  readonly teacher?: Teacher | undefined;
}

/** Returns the recorded move of a game at a ply; null if there is none. */
export type RecordedMoves = (gameId: number, ply: number) => Action | null;

/** A copy of the priors of the evaluation at `index`, by legal action. */
function priorsAt({ priors, start }: EvaluationBatch, index: number): Float32Array {
  return priors.slice(start[index], start[index + 1]);
}

/** The weights of probabilities at a temperature; at 1 the probabilities themselves. */
function temperedWeights(probabilities: Float32Array, temperature: number): Float32Array {
  if (temperature === 1) return probabilities;
  const greatest = probabilities.reduce((most, probability) => Math.max(most, probability), 0);
  return probabilities.map((probability) => temperedWeight(probability, greatest, temperature));
}

/**
 * One game of the network against itself. Call `advance` and `receive` in turn until `advance` returns false: the
 * first requests an evaluation, the second delivers it. The game depends only on the evaluations, the seed and its
 * number.
 */
export class SelfPlayGame<State> {
  private readonly rules: SelfPlayRules<State>;
  private readonly record: TrainingGame<State>;
  private readonly rng: Rng;
  private readonly search: Search<State>;
  /** `[L]` scratch. */
  private readonly policy: Float32Array;
  /** Number of opening moves still to be sampled from the policy without search. */
  private openingLeft: number;
  /** Whether the next move is a random one after the opening. */
  private isRandom = false;
  /** Whether the current search is a full one, whose policy is a target. */
  private isFull = true;
  private readonly resignation: ResignationWatch;
  /** Null if quiet games continue to the ply limit. */
  private readonly quiet: QuietWatch<State> | null;
  private evaluations = 0;
  private readonly gameId: number;

  constructor(rules: SelfPlayRules<State>, gameId: number) {
    const { game, config } = rules;
    this.rules = rules;
    this.gameId = gameId;
    this.record = new TrainingGame(game, gameId);
    this.rng = createRng(rules.seed, 'selfPlay', gameId);
    const { search, dirichletScale, noiseFraction, gumbelScale } = config;
    const noise = { dirichletScale, fraction: noiseFraction };
    this.search = new Search(game, { config: search, noise, gumbelScale }, this.rng);
    this.policy = new Float32Array(game.maxLegalActions);
    this.openingLeft = this.rng.integer(config.randomPlies + 1);
    this.resignation = new ResignationWatch(config, this.rng);
    this.quiet = config.quietPlies === 0 ? null : new QuietWatch(game, this.record.state);
    if (this.openingLeft === 0) this.beginMove();
  }

  /**
   * Plays until an evaluation is needed, and adds that position to `batch`, which must have room. The next call must be
   * `receive`.
   *
   * @returns false if the game is over, in which case nothing was added.
   */
  advance(batch: EvaluationBatch): boolean {
    while (!this.record.isOver) {
      if (this.openingLeft > 0 || this.isRandom) batch.add(this.rules.game, this.record.state);
      else if (!this.search.advance(batch)) {
        this.playSearched();
        continue;
      }
      this.evaluations += 1;
      return true;
    }
    return false;
  }

  /** Receives the evaluation at `index` of `batch`, for the position that `advance` added. */
  receive(batch: EvaluationBatch, index: number): void {
    if (this.openingLeft > 0) this.playOpening(batch, index);
    else if (this.isRandom) this.playRandom(batch, index);
    else this.search.receive(batch, index);
  }

  /** The finished game. */
  finish(): FinishedGame {
    return this.record.finish(this.evaluations, this.resignation);
  }

  /** Plays a move of the opening, or ends the opening if every move ends the game. */
  private playOpening(batch: EvaluationBatch, index: number): void {
    const { openingTemperature } = this.rules.config;
    const isPlayed = this.playSampled(temperedWeights(priorsAt(batch, index), openingTemperature));
    this.openingLeft = isPlayed ? this.openingLeft - 1 : 0;
    if (this.openingLeft === 0 && !this.record.isOver) this.beginMove();
  }

  /** Plays a random move, unless every move ends the game, and begins a full search. */
  private playRandom(batch: EvaluationBatch, index: number): void {
    const priors = priorsAt(batch, index);
    const isUniform = this.rng.float() < UNIFORM_SHARE;
    if (this.playSampled(isUniform ? priors.fill(1) : priors)) {
      this.quiet?.note(this.record.state);
      this.resignation.restart();
    }
    this.isRandom = false;
    if (!this.record.isOver) this.beginSearch({ isFull: true });
  }

  /** Plays a move sampled by `weights`, which are changed; returns false if every move with a weight ends the game. */
  private playSampled(weights: Float32Array): boolean {
    const { game } = this.rules;
    const actions = new Int32Array(game.maxLegalActions);
    game.legalActions(this.record.state, actions);
    const action = this.drawLasting(actions, weights);
    if (action !== null) this.record.playRandom(action);
    return action !== null;
  }

  /** Samples by `weights`, which are changed, a move that does not end the game; null if none with a weight does so. */
  private drawLasting(actions: Int32Array, weights: Float32Array): Action | null {
    const { game } = this.rules;
    const { state } = this.record;
    for (let left = weights.length; left > 0; left--) {
      const index = drawIndex(weights, this.rng);
      if (index === null) return null;
      game.apply(state, actions[index]!);
      const { isOver } = this.record;
      game.undo(state);
      if (!isOver) return actions[index]!;
      weights[index] = 0;
    }
    return null;
  }

  /**
   * Begins a random move, a full search or a cheap one, which lets more games be played with the same effort.
   *
   * @see Wu 2019, "Accelerating self-play learning in Go", section 3.1, playout cap randomisation.
   */
  private beginMove(): void {
    const { fullSearchShare, randomMoveShare = 0 } = this.rules.config;
    this.isRandom = randomMoveShare > 0 && this.rng.float() < randomMoveShare;
    if (this.isRandom) return;
    this.beginSearch({ isFull: fullSearchShare === 1 || this.rng.float() < fullSearchShare });
  }

  private beginSearch({ isFull }: { isFull: boolean }): void {
    this.isFull = isFull;
    const { cheapSimulations } = this.rules.config;
    const effort = isFull ? {} : { simulations: cheapSimulations, explores: false };
    this.search.begin(this.record.state, effort);
  }

  /** Plays the move that the finished search chose and begins the next search, or resigns. */
  private playSearched(): void {
    const targets = readTargets(this.search, this.policy);
    const recorded = this.recordedMove();
    const player = this.rules.game.currentPlayer(this.record.state);
    if (this.resignation.resigns(player, targets.rootValue) && recorded === null) {
      this.record.resign();
      return;
    }
    const weights = this.isFull ? { policyWeight: 1 } : { policyWeight: 0, surprise: null };
    // Called even if its result is not used, because the choice draws from the game's stream.
    const chosen = this.chooseAction();
    this.record.playDecision(recorded ?? chosen, { ...targets, ...weights });
    adjudicateIfQuiet(this.record, this.quiet, this.rules.config.quietPlies);
    if (!this.record.isOver) this.beginMove();
  }

  /** The recorded move of this ply, if it is legal here: the recorded game may have another opening. */
  private recordedMove(): Action | null {
    const { game, recorded } = this.rules;
    const { state } = this.record;
    const action = recorded?.(this.gameId, game.ply(state)) ?? null;
    return action !== null && game.isLegal(state, action) ? action : null;
  }

  /** Chooses the move of the finished search, whose root and policy have been read. */
  private chooseAction(): Action {
    const { config, game } = this.rules;
    const { search, policy } = this;
    const isEarly = game.ply(this.record.state) < config.temperaturePlies;
    // Visits kept from earlier searches outnumber those of a cheap one, which has no noise: its own choice counts.
    if (config.search.root === 'gumbel' && !isEarly && this.isFull) return noiselessMove(search.root, policy);
    const temperature = isEarly ? config.temperature : config.finalTemperature;
    return search.chooseAction(policy, temperature);
  }
}

/** An index sampled by weight; null if all weights are 0. */
function drawIndex(weights: Float32Array, rng: Rng): number | null {
  let left = rng.float() * weights.reduce((sum, weight) => sum + weight, 0);
  let last: number | null = null;
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue;
    last = index;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}
