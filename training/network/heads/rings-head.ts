import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { playerOf } from '../../../data/shards/shard-columns.js';
import { type Game, NO_ACTION } from '../../../env/game.js';
import { zeroLayer } from '../layer-builder.js';
import { targetLoss, type AuxiliaryHead, type TargetWriter } from './head.js';
import { PositionObserver, type PlacedRow } from './placed-row.js';
import { TargetColumns } from './target-columns.js';

const NAME = 'rings';
/** Rings of the player to move, of the opponent. */
const SIDES = 2;

const learnerSettings = {
  ringsWeight: lossWeight.default(0.1).meta({
    description: 'weight of the loss of surviving rings, a mean over squares of rings',
  }),
  ringPlies: z.int().min(1).max(64).default(8).meta({ description: 'plies that a ring is to survive' }),
};

/**
 * The packed position `plies` after a row, or the final position if the game ended earlier; null if neither is known.
 * Reads a later row of the same game if there is one.
 */
function positionLater({ shard, index, content }: PlacedRow, plies: number): Uint8Array | null {
  const { columns } = shard;
  const ply = columns.plies[index]! + plies;
  // Some plies, such as random moves, have no row: the wanted row is then fewer than `plies` rows ahead.
  for (let later = Math.min(index + plies, columns.rows - 1); later > index; later--) {
    if (columns.gameIds[later] !== columns.gameIds[index] || columns.plies[later]! > ply) continue;
    if (columns.plies[later] === ply) return shard.content(later).position;
    break;
  }
  const isOver = columns.pliesLeft[index]! <= plies && columns.results[index] !== NO_RESULT;
  return isOver && columns.played[index] !== NO_ACTION ? content.finalPosition : null;
}

/**
 * For each ring on the board, whether it is still at its place `ringPlies` later, or at the end of the game if that is
 * earlier.
 */
function targets<State>(
  game: Game<State>,
  { ringPlies }: { readonly ringPlies: number },
): TargetWriter<TargetColumns> {
  const observer = new PositionObserver(game);
  const { own, opponent } = game.encoding.rings!;
  const sides = [own, opponent];
  const [rows, columns, planes] = game.observationShape;
  const { numPlanes } = observer;
  return {
    write: (out, row, at) => {
      const targetsOfRow = out.targetsOf(row).fill(0);
      const weights = out.weightsOf(row).fill(0);
      const position = positionLater(at, ringPlies);
      if (position === null) return;
      const seen = observer.observe(position, playerOf(at.shard.columns, at.index));
      let squares = 0;
      for (let square = 0; square < rows * columns; square++) {
        const to = at.symmetry.squares[square]!;
        for (const [side, plane] of sides.entries()) {
          if (at.observation[to * planes + plane] === 0) continue;
          weights[to * SIDES + side] = 1;
          targetsOfRow[to * SIDES + side] = seen[square * numPlanes + plane]! > 0 ? 1 : 0;
          squares += 1;
        }
      }
      if (squares === 0) return;
      for (let i = 0; i < weights.length; i++) weights[i]! /= squares;
    },
  };
}

const output: AuxiliaryHead['output'] = (builder, { config }, { features }) =>
  builder.squareOutput(zeroLayer(NAME, [1, 1, config.channels, SIDES]), features);

/** `[B, R, C, 2]` logits that a ring of the player to move, or of the opponent, at a square survives the next plies. */
export const ringsHead = {
  name: NAME,
  label: NAME,
  title: 'rings',
  meaning:
    'logits (sigmoid) that a ring of the player to move, of the opponent at this square is still there some plies later; only meaningful on squares of rings',
  setting: z.boolean().default(false).meta({
    description: 'Gess: a head that predicts whether the rings survive the next plies; for learning only',
  }),
  learnerSettings,
  measures: [],
  unsupported: ({ id, encoding }) => (encoding.rings === undefined ? `${id} has no rings` : null),
  outputShape: ({ observation: [rows, columns] }) => [rows, columns, SIDES],
  output,
  columns: ({ observation: [rows, columns] }, capacity) => {
    const shape = [rows, columns, SIDES];
    return new TargetColumns(capacity, shape, shape);
  },
  targets,
  loss: targetLoss(output, (gradients, logits, data) =>
    gradients.weightedBinaryCrossEntropy(logits, data.targets, data.weights),
  ),
} as const satisfies AuxiliaryHead;
