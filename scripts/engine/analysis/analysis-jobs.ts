import type { SearchJob } from '../../../agents/thinking/search-job.js';
import { expectOwnAgent, type EngineSettings } from '../engine-options.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { defaultAgent } from '../../../training/export/shipped-models.js';
import { loadedGameModules } from '../../../training/games/game-module.js';
import { RequestError, type RequestId } from '../../line-protocol/json-requests.js';
import { knownLimits } from '../known-limits.js';
import type { SearchPlayer } from '../search-messages.js';
import type { AnalysisQuery } from './analysis-queries.js';

/** A position that waits for its search. */
export interface AnalysisJob {
  readonly id: RequestId;
  /** Number of moves before the position. */
  readonly turn: number;
  readonly priority: number;
  readonly reportsDuringSearch: boolean;
  readonly player: SearchPlayer;
  /** The moves of the whole query, of which the first `turn` lead to the position: a text that its positions share. */
  readonly moves: string;
  readonly search: Omit<SearchJob, 'moves'>;
  /** Length of the line of the whole query: no text of the job is longer, whether of its agent or of its moves. */
  readonly characters: number;
}

/** Settings for queries that omit them. */
export type AnalysisDefaults = Omit<EngineSettings, 'multiPv'>;

function splitMoves(moves: string): readonly string[] {
  return moves.split(/\s+/).filter((text) => text !== '');
}

/** The moves that lead to the position of a job. */
export function movesTo({ moves, turn }: AnalysisJob): string {
  return splitMoves(moves).slice(0, turn).join(' ');
}

/** The agent of a query. The default agent only plays the default game. */
function agentOf(query: AnalysisQuery, defaults: AnalysisDefaults, game: Game<unknown>): string {
  if (query.agent !== undefined) {
    expectOwnAgent(query.agent);
    return query.agent;
  }
  return game.id === defaults.game && defaults.agent !== undefined ? defaults.agent : defaultAgent(game);
}

/**
 * The positions of a query, in the order in which it names them.
 *
 * @param characters length of the line of the query.
 * @throws RequestError `request-syntax`; NotationError for its game, rules, position or moves; IllegalActionError for
 *   its moves; AgentError and EngineError for its agent.
 */
export function jobsOf(
  query: AnalysisQuery,
  defaults: AnalysisDefaults,
  characters: number,
): readonly AnalysisJob[] {
  const { id, priority, position, moves, lines, policy } = query;
  const isDefaultGame = query.game === undefined || query.game === defaults.game;
  const rules = query.rules ?? (isDefaultGame ? defaults.rules : 'default');
  const game = createGame(query.game ?? defaults.game, rules);
  const count = splitMoves(moves).length;
  const { turns = [count] } = query;
  const beyond = turns.find((turn) => turn > count);
  if (beyond !== undefined)
    throw new RequestError('request-syntax', `expected turns from 0 to ${count}, got ${beyond}`);
  // Rejects the whole query before its first position is searched.
  positionAfter(game, { position, moves });
  const agent = agentOf(query, defaults, game);
  const seed = query.seed ?? defaults.seed;
  const limits = knownLimits(agent, query.limits ?? {});
  const player = { game: game.id, rules: game.rules, agent, seed: 0, gameModules: loadedGameModules() };
  const search = { position, limits, lines, withPolicy: policy, freshSeed: seed };
  const job = {
    id,
    priority,
    reportsDuringSearch: query.reportDuringSearch,
    player,
    moves,
    search,
    characters,
  };
  return turns.map((turn) => ({ ...job, turn }));
}
