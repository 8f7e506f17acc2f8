import type { DatasetSummary } from '../../data/datasets/dataset-summary.js';
import { type HistogramName, HISTOGRAMS, type ResultCounts } from '../../data/datasets/shard-summary.js';
import { countOf } from '../../env/text/count-of.js';
import type { Inspection, InspectionOf } from './inspection.js';
import { formatElo } from '../text/elo-text.js';
import { alignPairs, alignTable } from '../text/columns.js';
import { drawHistogram } from '../text/histogram-text.js';
import { formatNumber } from '../text/number-text.js';
import { formatPart, formatPercent } from '../../env/text/percent.js';

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function formatResults({ won, drawn, lost, none }: ResultCounts): string {
  return `${won} won, ${drawn} drawn, ${lost} lost, ${none} without a result`;
}

/** At most four values and the number of the rest. */
function listSome(values: readonly (string | number)[]): string {
  const rest = values.length - 4;
  return `${values.slice(0, 4).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeRow(row: NonNullable<DatasetSummary['row']>): string {
  const moves = row.policy.map(({ move, probability }) => `${move} ${formatPercent(probability)}`);
  const pairs: readonly (readonly [string, string])[] = [
    ['position', row.position],
    ['to move', `${row.player}, ply ${row.ply} of game ${row.gameId}, ${row.pliesLeft} plies left`],
    ['policy', `${moves.join(', ')} (of ${row.legalActions} moves)`],
    ['weight', formatNumber(row.policyWeight)],
    [
      'root value',
      row.rootValue === null ? 'none' : `${formatNumber(row.rootValue)}, ${row.searchSize} simulations`,
    ],
    ['result', row.result === null ? 'none' : String(row.result)],
  ];
  return `row ${row.row}, in ${row.shard}\n${row.diagram}\n${alignPairs(pairs)}`;
}

function describeShards(found: InspectionOf<'shard' | 'dataset'>): string {
  const { histograms, generations, schema, row } = found;
  const pairs: readonly (readonly [string, string])[] = [
    ['format', `shard version ${found.shardVersion}, encoding version ${found.encodingVersion}`],
    ['game', `${found.game}, rules ${found.rules} (version ${found.rulesVersion})`],
    ['seeds', listSome(found.seeds)],
    [
      'made by',
      `gess-zero ${listSome(found.softwareVersions)}, ${countOf(found.configDigests, 'combination')} of settings and network`,
    ],
    ['shards', `${found.shards}, ${formatBytes(found.bytes)}`],
    ['rows', `${found.rows}: ${found.policyRows} with a policy to learn, ${found.searchedRows} searched`],
    ['positions', `${found.distinctPositions} distinct (${formatPart(found.distinctPositions, found.rows)})`],
    ['results', `of rows ${formatResults(found.rowResults)} (to the player to move)`],
    ['games', `${found.games}: ${formatResults(found.gameResults)} (to the first player)`],
    ['legal actions', String(found.actions)],
  ];
  const table = [
    ['played by generation', 'shards', 'games', 'rows'],
    ...generations.map(({ generation, shards, games, rows }) => [
      // A shard does not say whether a bot or a network that was not trained yet has played.
      generation === 0 ? 'no network, or 0' : String(generation),
      ...[shards, games, rows].map(String),
    ]),
  ];
  const columns = schema.map(
    ({ name, type, nullable }) => [name, `${type}${nullable ? ' or null' : ''}`] as const,
  );
  return [
    alignPairs(pairs),
    alignTable(table),
    `columns\n${alignPairs(columns.map(([name, type]) => [`  ${name}`, type]))}`,
    ...Object.entries(HISTOGRAMS).map(([name, { title }]) =>
      drawHistogram(title, histograms[name as HistogramName]),
    ),
    ...(row === null ? [] : [describeRow(row)]),
  ].join('\n\n');
}

function describeCheckpoint(found: InspectionOf<'checkpoint'>): string {
  const settings = Object.entries(found.network).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const pairs: readonly (readonly [string, string])[] = [
    ['format', `checkpoint version ${found.checkpointVersion}, encoding version ${found.encodingVersion}`],
    ['game', `${found.game}, rules ${found.rules} (version ${found.rulesVersion})`],
    ['made by', `gess-zero ${found.softwareVersion}`],
    ['generation', String(found.generation)],
    ['network', settings.join(', ')],
    ['parameters', `${found.parameters}${found.averaged ? ', averaged for play' : ''}`],
    ['multiply-accumulates', `${found.multiplyAccumulates.toLocaleString('en-US')} a position`],
    ['optimiser', found.optimizerSteps === null ? 'not kept' : `${found.optimizerSteps} steps`],
    ['configuration', found.configDigest ?? 'of no run'],
    ...Object.entries(found.files).map(([name, bytes]) => [name, formatBytes(bytes)] as const),
  ];
  const weights = [
    ['weights', 'shape', 'mean', 'deviation', 'least', 'greatest'],
    ...found.weights.map(({ name, shape, mean, deviation, min, max }) => [
      name,
      shape.join(' x '),
      ...[mean, deviation, min, max].map((value) => value.toFixed(4)),
    ]),
  ];
  return `${alignPairs(pairs)}\n\n${alignTable(weights)}`;
}

function describeMemory(memory: NonNullable<InspectionOf<'run'>['memory']>): string {
  const growth = (share: number): string => `${share < 0 ? '' : '+'}${formatPercent(share)}`;
  const [least, most] = memory.tensors;
  return [
    `${formatBytes(memory.residentBytes)}, ${growth(memory.growth)} from generation ${memory.from} to ${memory.to}`,
    ...(memory.workerGrowth === null ? [] : [`processes ${growth(memory.workerGrowth)}`]),
    `window ${growth(memory.windowGrowth)}`,
    `${least === most ? least : `${least} to ${most}`} tensors: ${memory.isFlat ? 'flat' : 'not flat'}`,
  ].join(', ');
}

function describeRun(found: InspectionOf<'run'>): string {
  const versions = Object.entries(found.versions).map(([name, version]) => `${name} ${version}`);
  const pairs: readonly (readonly [string, string])[] = [
    ['format', `run version ${found.runVersion}`],
    ['game', `${found.game}, rules ${found.rules}`],
    ['seed', String(found.seed)],
    ['configuration', found.configDigest],
    ['begun with', versions.join(', ')],
    [
      'generations',
      `${found.generationsPlanned} planned, newest checkpoint ${found.newestCheckpoint ?? 'none'}`,
    ],
    ...(found.gates.length === 0 ? [] : [['plays self-play', `generation ${found.playing}`] as const]),
    ...(found.memory === null ? [] : [['memory', describeMemory(found.memory)] as const]),
  ];
  const table = [
    ['generation', 'shards', 'games', 'rows', 'plies per game', 'steps', 'checkpoint'],
    ...found.generations.map(({ generation, shards, games, hasCheckpoint, removed, metrics }) => [
      String(generation),
      removed.includes('data') ? 'removed' : String(shards),
      ...[games.games, games.positions].map(String),
      games.games === 0 ? '-' : (games.plies / games.games).toFixed(1),
      metrics === null ? '-' : String(metrics.learning.steps),
      removed.includes('checkpoint') ? 'removed' : hasCheckpoint ? 'yes' : 'no',
    ]),
  ];
  const matches = [
    ['generation', 'opponent', 'won', 'drawn', 'lost', 'Elo [95 %]'],
    ...found.evaluations.map((record) => [
      String(record.generation),
      record.key,
      ...[record.wins, record.draws, record.losses].map(String),
      formatElo(record),
    ]),
  ];
  const gates = [
    ['generation', 'played self-play', 'score', 'Elo [95 %]', 'plays it now'],
    ...found.gates.map((record) => [
      ...[record.generation, record.opponent].map(String),
      record.score.toFixed(3),
      formatElo(record),
      String(record.passed ? record.generation : record.opponent),
    ]),
  ];
  const filled = [table, gates, matches].filter((each, index) => index === 0 || each.length > 1);
  const tables = filled.map((rows) => alignTable(rows, { leftColumns: rows === matches ? 2 : 1 }));
  return [alignPairs(pairs), ...tables].join('\n\n');
}

function describeEpisodes(found: InspectionOf<'episodes'>): string {
  const { histograms, environment } = found;
  const optional: readonly (readonly [string, string | null])[] = [
    ['author', found.author],
    ['algorithm', found.algorithmName],
    ['description', found.description],
  ];
  const pairs: readonly (readonly [string, string])[] = [
    ['format', `episodes version ${found.episodeVersion}`],
    ['dataset', found.datasetId],
    ...optional.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])),
    ['made by', `gess-zero ${found.softwareVersion}`],
    [
      'environment',
      environment === null
        ? 'not made from a spec'
        : `${environment.id} ${JSON.stringify(environment.kwargs)}`,
    ],
    ['agents', found.agents.join(', ')],
    ['observations', found.hasObservations ? JSON.stringify(found.observationSpace) : 'not recorded'],
    ['actions', JSON.stringify(found.actionSpace)],
    ['episodes', `${found.episodes}: ${found.terminated} terminated, ${found.truncated} truncated`],
    ['steps', String(found.steps)],
  ];
  return [
    alignPairs(pairs),
    drawHistogram('steps of episodes', histograms.steps),
    ...Object.entries(histograms.returns).map(([agent, returns]) =>
      drawHistogram(`return of ${agent}`, returns),
    ),
  ].join('\n\n');
}

/** An inspection as text. */
export function describeInspection(found: Inspection): string {
  return `${found.kind} ${found.path}\n\n${bodyOf(found)}`;
}

function bodyOf(found: Inspection): string {
  switch (found.kind) {
    case 'shard':
    case 'dataset':
      return describeShards(found);
    case 'checkpoint':
      return describeCheckpoint(found);
    case 'run':
      return describeRun(found);
    case 'episodes':
      return describeEpisodes(found);
  }
}
