import type { Agent } from '../../../agents/agent.js';
import { nextTask } from '../../../agents/next-task.js';
import { listShardsOfDatasets } from '../../../data/datasets/dataset-folder.js';
import { GameRegister } from '../../../data/datasets/game-register.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { contentOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { type ListingObserver, readShard } from '../../../data/shards/shard.js';
import { type Game, NO_ACTION, type Outcome } from '../../../env/game.js';
import { figureCode, formatFigureCode, ownFigure } from '../../../env/gess/diagrams/figure-code.js';
import { startSquare } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { type EndSummary, type GameEnd, summarizeEnds } from './game-ends.js';
import { type FigureShare, FigureUse } from './figure-use.js';
import { type GameStory, StoryTeller } from './game-story.js';
import { PositionSample } from './position-sample.js';
import { ringThreats } from './ring-threats.js';
import { type RingStage, RingStages } from './ring-stages.js';
import { judgeRemovals, type RemovedStone } from './stone-removal.js';
import { type StoneWorth, StoneWorths } from './stone-worth.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';

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
  /** Of one open position of each game, by the agent; absent without an agent. */
  readonly removals?: readonly RemovedStone[];
  /** Each game in turn. */
  readonly games: readonly GameStory[];
}

/** Collects the facts row by row. */
class StudyCollector {
  readonly ends: GameEnd[] = [];
  readonly stories: GameStory[] = [];
  readonly figures = new FigureUse();
  readonly stages = new RingStages();
  readonly worths = new StoneWorths();
  readonly sample: PositionSample;
  positions = 0;
  private readonly game: Game<GessPosition>;
  private readonly position: GessPosition;
  private story = new StoryTeller(0);
  /** Game numbers start again in each dataset. */
  private shards = 0;

  constructor(game: Game<GessPosition>) {
    this.game = game;
    this.position = game.initialState();
    this.sample = new PositionSample(game);
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
    const value = columns.rootValues[row]!;
    const gameId = this.shards * 2 ** 32 + columns.gameIds[row]!;
    this.stages.add(position);
    this.story.add(position, value);
    if (columns.policyWeights[row]! > 0) this.figures.add(gameId, position, actions, policy);
    if (result !== NO_RESULT) this.worths.add(gameId, position, result);
    this.sample.add(gameId, packed, value);
    this.positions += 1;
    const isLast = row + 1 === columns.rows || columns.gameIds[row + 1] !== columns.gameIds[row];
    if (isLast) this.addEnd(columns, row, finalPosition);
  }

  /** @param row the last of its game; `position` is its position, which is overwritten. */
  private addEnd(columns: ShardColumns, row: number, finalPosition: Uint8Array): void {
    const { game, position } = this;
    const { player } = position;
    const played = columns.played[row]!;
    const isKnown = played !== NO_ACTION && columns.pliesLeft[row] === 1;
    const isProvenLoss = isKnown && columns.rootValues[row] === -1;
    const lastFigure = isKnown
      ? formatFigureCode(ownFigure(figureCode(position, startSquare(played), player), player))
      : null;
    const threats = isProvenLoss ? ringThreats(game, position) : [];
    const result = columns.results[row]!;
    const toBlack = player === 0 ? result : -result;
    game.unpack(finalPosition, 0, position);
    const end: GameEnd = {
      plies: columns.plies[row]! + columns.pliesLeft[row]!,
      ruled: game.outcome(position),
      result: result === NO_RESULT ? null : (toBlack as Outcome),
      nextPlayer: position.player,
      isProvenLoss,
      lastFigure,
      threats,
    };
    this.ends.push(end);
    this.stories.push(this.story.end(position, end));
    this.story = new StoryTeller(this.positions);
  }
}

/** The agent of a study, and its observer. */
export interface StudyOptions extends ListingObserver {
  /** Judges positions without each stone in turn; none: they are not judged. */
  readonly agent?: Agent<GessPosition> | undefined;
  readonly progress?: StudyProgress | undefined;
}

/** Told of the stages of a study: shards, positions that the agent judges, fits for the intervals. */
export interface StudyProgress {
  start(stage: string): void;
  update(done: number, all: number): void;
}

/**
 * Studies datasets of Gess.
 *
 * @param game Gess, under the rules of the datasets.
 * @throws DataError for shards that cannot be used, such as those of other rules, and for games that occur twice;
 *   errors of the agent.
 */
export async function studyGess(
  data: readonly string[],
  game: Game<GessPosition>,
  { agent, progress, onUnfinished }: StudyOptions = {},
): Promise<GessStudy> {
  const collector = new StudyCollector(game);
  const games = new GameRegister();
  const shards = await listShardsOfDatasets(data, { onUnfinished });
  progress?.start('gess study: reading shards');
  for (const [index, path] of shards.entries()) {
    const shard = await readShard(path, game);
    checkShardRows(path, shard);
    games.add(path, shard);
    collector.addShard(shard.columns);
    progress?.update(index + 1, shards.length);
    await nextTask();
  }
  const onStep = progress?.update.bind(progress);
  if (agent !== undefined) progress?.start('gess study: judging positions');
  const positions = collector.sample.positions();
  const removals = agent && (await judgeRemovals(agent, positions, onStep));
  progress?.start('gess study: fitting the worth of stones');
  return {
    rules: game.rules,
    positions: collector.positions,
    ends: summarizeEnds(collector.ends),
    figures: collector.figures.most(MOST_FIGURES),
    stages: collector.stages.summary(),
    stones: await collector.worths.fit(onStep),
    ...(removals && { removals }),
    games: collector.stories,
  };
}
