import { listShardsOfDatasets } from '../../../data/datasets/dataset-folder.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { contentOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { readShard } from '../../../data/shards/shard.js';
import { type Game, NO_ACTION, type Outcome } from '../../../env/game.js';
import { figureCode, formatFigureCode, ownFigure } from '../../../env/gess/diagrams/figure-code.js';
import { startSquare } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createGess } from '../../../env/gess/gess.js';
import { type EndSummary, type GameEnd, summariseEnds } from './game-ends.js';
import { type FigureShare, FigureUse } from './figure-use.js';
import { type RingStage, RingStages } from './ring-stages.js';
import { type StoneWorth, StoneWorths } from './stone-worth.js';

/** Most figures that are listed. */
const MOST_FIGURES = 16;

/** Facts about played games of Gess, for players. */
export interface GessStudy {
  readonly rules: string;
  readonly positions: number;
  readonly ends: EndSummary;
  /** Of rows that are learnt. */
  readonly figures: readonly FigureShare[];
  readonly stages: readonly RingStage[];
  /** Of games with a result. */
  readonly stones: readonly StoneWorth[];
}

/** Collects the facts row by row. */
class StudyCollector {
  readonly ends: GameEnd[] = [];
  readonly figures = new FigureUse();
  readonly stages = new RingStages();
  readonly worths = new StoneWorths();
  positions = 0;
  private readonly game: Game<GessPosition>;
  private readonly position: GessPosition;
  /** The numbers of games begin again in each dataset. */
  private shards = 0;

  constructor(game: Game<GessPosition>) {
    this.game = game;
    this.position = game.initialState();
  }

  addShard(columns: ShardColumns): void {
    for (let row = 0; row < columns.rows; row++) this.addRow(columns, row);
    this.shards += 1;
  }

  private addRow(columns: ShardColumns, row: number): void {
    const { game, position } = this;
    const { position: packed, actions, policy, finalPosition } = contentOf(columns, row);
    game.unpack(packed, 0, position);
    const result = columns.results[row]!;
    const gameId = columns.gameIds[row]!;
    this.positions += 1;
    this.stages.add(position);
    if (columns.policyWeights[row]! > 0) this.figures.add(position, actions, policy);
    if (result !== NO_RESULT) this.worths.add(this.shards * 2 ** 32 + gameId, position, result);
    const isLast = row + 1 === columns.rows || columns.gameIds[row + 1] !== gameId;
    if (isLast) this.addEnd(columns, row, finalPosition);
  }

  /** @param row the last of its game; `position` is its position, which is overwritten. */
  private addEnd(columns: ShardColumns, row: number, finalPosition: Uint8Array): void {
    const { game, position } = this;
    const { player } = position;
    const played = columns.played[row]!;
    const isKnown = played !== NO_ACTION && columns.pliesLeft[row] === 1;
    const lastFigure = isKnown
      ? formatFigureCode(ownFigure(figureCode(position, startSquare(played), player), player))
      : null;
    const result = columns.results[row]!;
    const toBlack = player === 0 ? result : -result;
    game.unpack(finalPosition, 0, position);
    this.ends.push({
      plies: columns.plies[row]! + columns.pliesLeft[row]!,
      ruled: game.outcome(position),
      result: result === NO_RESULT ? null : (toBlack as Outcome),
      nextPlayer: position.player,
      lastFigure,
    });
  }
}

/**
 * Studies datasets of Gess.
 *
 * @param onShard called after each shard with the number done and of all.
 * @throws DataError for shards that cannot be used, such as those of other rules; NotationError for `rules`.
 */
export async function studyGess(
  data: readonly string[],
  rules: string,
  onShard?: (done: number, all: number) => void,
): Promise<GessStudy> {
  const game = createGess({ rules });
  const collector = new StudyCollector(game);
  const shards = await listShardsOfDatasets(data);
  for (const [index, path] of shards.entries()) {
    const { columns } = await readShard(path, game);
    collector.addShard(columns);
    onShard?.(index + 1, shards.length);
  }
  return {
    rules: game.rules,
    positions: collector.positions,
    ends: summariseEnds(collector.ends),
    figures: collector.figures.most(MOST_FIGURES),
    stages: collector.stages.summary(),
    stones: collector.worths.fit(),
  };
}
