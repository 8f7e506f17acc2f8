import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { playerOf } from '../../../data/shards/shard-columns.js';
import type { Game } from '../../../env/game.js';
import { policyLogits } from '../policy-layers.js';
import { ActionColumns } from './action-columns.js';
import { actionLoss, writeActions } from './action-targets.js';
import type { AuxiliaryHead, TargetWriter } from './head.js';
import { nextRow, type RowSource } from './placed-row.js';

const NAME = 'reply';

/** The greatest number of legal moves of the positions after `rows`. */
function longestReply(source: RowSource, rows: Uint32Array): number {
  let longest = 0;
  for (const row of rows) {
    const { columns } = source.shard(row);
    const next = nextRow(columns, source.index(row));
    if (next === null) continue;
    longest = Math.max(longest, columns.actionStart[next + 1]! - columns.actionStart[next]!);
  }
  return longest;
}

/**
 * The opponent's search policy in the next position over its legal moves, where it was recorded for learning, as the
 * row's mover sees the board.
 */
function targets<State>(game: Game<State>): TargetWriter<ActionColumns> {
  return {
    begin: (columns, source, rows) => {
      columns.reset(rows.length, longestReply(source, rows));
    },
    write: (columns, row, { shard, index, symmetry }) => {
      const next = nextRow(shard.columns, index);
      if (next === null || shard.columns.policyWeights[next] === 0) return;
      const place = { row, player: playerOf(shard.columns, index), symmetry };
      writeActions(game, columns, place, shard.content(next));
      columns.weights[row] = shard.columns.policyWeights[next]!;
    },
  };
}

/**
 * `[B, numActions]` logits of the opponent's next move, by policy index from the view of the player to move.
 *
 * @see Wu 2019, "Accelerating self-play learning in Go", section 3.4, the auxiliary policy target.
 */
export const replyHead = {
  name: NAME,
  label: NAME,
  title: 'reply',
  meaning:
    "logits of the opponent's next move, numbered as the policy is, the board as the player to move sees it",
  setting: z.boolean().default(false).meta({
    description: "a head that predicts the opponent's next move; for learning only",
  }),
  learnerSettings: {
    replyWeight: lossWeight.default(0.15).meta({
      description: "weight of the loss of the opponent's reply",
    }),
  },
  measures: [],
  unsupported: () => null,
  outputShape: ({ numActions }) => [numActions],
  output: (builder, shape, { features }) => policyLogits(builder, shape, { name: NAME, features }),
  columns: (_shape, capacity, maxLegalActions) => new ActionColumns(capacity, maxLegalActions),
  targets,
  loss: actionLoss(NAME),
} as const satisfies AuxiliaryHead;
