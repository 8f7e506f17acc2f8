import { type Action, NO_ACTION, opponentOf, type Player } from '../../game.js';
import { isLegalMove, listLegalCaptures } from '../gess-move-generation.js';
import { createMasks, createMovement, type Movement, prepareMasks } from '../movement.js';
import { applyMove, undoMove } from '../gess-moves.js';
import type { GessPosition } from '../gess-position.js';
import { PLAYER_HASH_HIGH, PLAYER_HASH_LOW } from '../board-hash.js';
import { parseRules } from '../gess-rules.js';
import {
  type Evaluation,
  MAX_PROMISE,
  type QuietTactics,
  type Tactics,
} from '../../definition/evaluation.js';
import { keepGains, meetsRing, stonesWon } from './gess-captures.js';
import { RingAttack } from './gess-ring-attack.js';
import {
  countEscapes,
  countRings,
  countShield,
  GessForces,
  type GessWeights,
  type TermName,
} from './gess-terms.js';
import { GESS_WEIGHTS } from './gess-weights.js';

/** Counts at most this many moves against a ring: one is nearly as bad as ten. */
const MOST_ATTACKS = 3;
/** With fewer stones than this, all moves may be bad. */
const FEW_STONES = 14;

/** One side of a position: its pieces, and its moves against the other's ring. */
class Side {
  readonly masks = createMasks();
  readonly forces = new GessForces();
  readonly attack: RingAttack;
  shield = 0;
  escapes = 0;
  /** 1 with two rings or more, else 0. */
  spareRing = 0;
  /** The weighted sum of the side's terms, without its moves against the other's ring. */
  worth = 0;
  /** The hash of the board that `masks` and `attack` are of, 0 for none yet. */
  hashLow = 0;
  hashHigh = 0;
  /** Whether the rest is of the same board. */
  isMeasured = false;

  constructor(movement: Movement) {
    this.attack = new RingAttack(movement);
  }
}

/**
 * Hand-written evaluation of Gess, for one set of rules. Caches the analysis of the last position, as a
 * search asks several questions about each.
 */
export class GessEvaluation
  implements Evaluation<GessPosition>, Tactics<GessPosition>, QuietTactics<GessPosition>
{
  readonly scale = 470;
  readonly margin = 150;
  readonly dependsOnHistory: boolean;
  readonly tactics: Tactics<GessPosition> = this;
  readonly quiet?: QuietTactics<GessPosition>;
  private readonly movement: Movement;
  private readonly weights: GessWeights;
  private readonly sides: readonly [Side, Side];

  /** @param rules in the notation of `parseRules`. */
  constructor(rules: string, weights: GessWeights = GESS_WEIGHTS) {
    const settings = parseRules(rules);
    this.movement = createMovement(settings);
    this.weights = weights;
    this.sides = [new Side(this.movement), new Side(this.movement)];
    // Ko rules depend on the order of moves, which passing would break.
    this.dependsOnHistory = settings.ko !== 'none';
    if (!this.dependsOnHistory) this.quiet = this;
  }

  evaluate(position: GessPosition): number {
    const { sides, weights } = this;
    this.measure(position);
    const mover = sides[position.player];
    const opponent = sides[opponentOf(position.player)];
    const attacked = Math.min(opponent.attack.count, MOST_ATTACKS);
    const attacking = Math.min(mover.attack.count, MOST_ATTACKS);
    const value = mover.worth - opponent.worth + weights.attacked * attacked + weights.attacking * attacking;
    return Math.round(value) + 0;
  }

  /** The amount of each term, for the player to move: `evaluate` is their weighted sum, rounded. */
  termsOf(position: GessPosition): Readonly<Record<TermName, number>> {
    this.measure(position);
    const mover = this.sides[position.player];
    const opponent = this.sides[opponentOf(position.player)];
    return {
      stones: mover.forces.stones - opponent.forces.stones,
      longPieces: mover.forces.longPieces - opponent.forces.longPieces,
      longRays: mover.forces.longRays - opponent.forces.longRays,
      shortRays: mover.forces.shortRays - opponent.forces.shortRays,
      spareRing: mover.spareRing - opponent.spareRing,
      shield: mover.shield - opponent.shield,
      // The exposure of a ring is computed with the other side's moves against it.
      exposure: opponent.attack.exposure - mover.attack.exposure,
      escape: mover.escapes - opponent.escapes,
      advance: mover.forces.advance - opponent.forces.advance,
      attacked: Math.min(opponent.attack.count, MOST_ATTACKS),
      attacking: Math.min(mover.attack.count, MOST_ATTACKS),
    };
  }

  promise(position: GessPosition, action: Action): number {
    if (meetsRing(position, action)) return MAX_PROMISE;
    return Math.max(0, stonesWon(position, action)) * 50;
  }

  winningAction(position: GessPosition): Action {
    const { player } = position;
    const { actions, count } = this.prepare(position, player).attack;
    const win = player === 0 ? 1 : -1;
    for (let i = 0; i < count; i++) {
      const action = actions[i]!;
      if (!isLegalMove(position, this.movement, action)) continue;
      applyMove(position, action);
      const { outcome } = position;
      undoMove(position);
      if (outcome === win) return action;
    }
    return NO_ACTION;
  }

  captures(position: GessPosition, out: Int32Array): number {
    return keepGains(position, out, listLegalCaptures(position, this.movement, out), 1);
  }

  gainOf(position: GessPosition, action: Action): number {
    return stonesWon(position, action) * this.weights.stones;
  }

  isThreatened(position: GessPosition): boolean {
    if (this.prepare(position, opponentOf(position.player)).attack.count === 0) return false;
    this.pass(position);
    const action = this.winningAction(position);
    this.unpass(position);
    return action !== NO_ACTION;
  }

  maySuffer(position: GessPosition): boolean {
    this.measure(position);
    return this.sides[position.player].forces.stones < FEW_STONES;
  }

  pass(position: GessPosition): void {
    position.player = opponentOf(position.player);
    position.hashLow ^= PLAYER_HASH_LOW;
    position.hashHigh ^= PLAYER_HASH_HIGH;
  }

  unpass(position: GessPosition): void {
    this.pass(position);
  }

  /** The side of `player`, with its moves against the other's ring, which are found unless they are of the last board. */
  private prepare(position: GessPosition, player: Player): Side {
    const side = this.sides[player];
    const isSecond = position.player === 1;
    const low = position.hashLow ^ (isSecond ? PLAYER_HASH_LOW : 0);
    const high = position.hashHigh ^ (isSecond ? PLAYER_HASH_HIGH : 0);
    if (low === side.hashLow && high === side.hashHigh) return side;
    side.hashLow = low;
    side.hashHigh = high;
    side.isMeasured = false;
    const other = opponentOf(player);
    const own = position.stones[player];
    prepareMasks(side.masks, this.movement, own, position.stones[other]);
    side.attack.find(side.masks, own, position.rings[other]!);
    return side;
  }

  /** Computes all terms of the evaluation. */
  private measure(position: GessPosition): void {
    const first = this.prepare(position, 0);
    const second = this.prepare(position, 1);
    if (!first.isMeasured) this.measureSide(position, 0);
    if (!second.isMeasured) this.measureSide(position, 1);
  }

  private measureSide(position: GessPosition, player: Player): void {
    const side = this.sides[player];
    side.isMeasured = true;
    const other = opponentOf(player);
    const own = position.stones[player];
    const ring = position.rings[player]!;
    side.forces.measure(own, side.masks.pieces, player === 0);
    side.shield = countShield(own, ring);
    side.escapes = countEscapes(side.masks, ring);
    side.spareRing = countRings(own, position.stones[other]) > 1 ? 1 : 0;
    const { forces } = side;
    const { weights } = this;
    side.worth =
      weights.stones * forces.stones +
      weights.longPieces * forces.longPieces +
      weights.longRays * forces.longRays +
      weights.shortRays * forces.shortRays +
      weights.advance * forces.advance +
      weights.shield * side.shield +
      weights.exposure * this.sides[other].attack.exposure +
      weights.escape * side.escapes +
      weights.spareRing * side.spareRing;
  }
}
