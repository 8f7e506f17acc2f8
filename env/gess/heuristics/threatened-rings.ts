import { opponentOf, type Player } from '../../game.js';
import { isLegalMove } from '../gess-move-generation.js';
import { clonePosition, type GessPosition } from '../gess-position.js';
import { createMasks, type Movement, prepareMasks } from '../movement.js';
import { allRings } from '../rings.js';
import { RingAttack } from './gess-ring-attack.js';

/** The rings of `player` that a legal move of the opponent would break, were it the opponent's turn. */
export function threatenedRings(
  position: GessPosition,
  movement: Movement,
  player: Player,
): readonly number[] {
  // The hash, which includes the player to move, and the history are not needed: a move that captures repeats no board.
  const attacker = clonePosition(position);
  attacker.player = opponentOf(player);
  const freeOfKo: Movement = { ...movement, ko: 'none' };
  const own = position.stones[player];
  const other = position.stones[attacker.player];
  const masks = createMasks();
  prepareMasks(masks, movement, other, own);
  const attack = new RingAttack(movement);
  return allRings(own, other).filter((ring) => {
    attack.find(masks, other, ring);
    return attack.actions.subarray(0, attack.count).some((move) => isLegalMove(attacker, freeOfKo, move));
  });
}
