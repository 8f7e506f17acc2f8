import type { Command } from '@commander-js/extra-typings';
import { parseAgentSpec } from '../../../agents/agent-spec.js';
import { MAX_DEPTH } from '../../../agents/alpha-beta/search-values.js';
import { MAX_NODES, MAX_TIME_MS } from '../../../agents/search-defaults.js';
import type { ThinkingLimits } from '../../../agents/thinking/thinking.js';
import { claimOutputFiles, expectPlaceForFile, writeOutputFile } from '../../../data/files/output-file.js';
import { writeRecordFile } from '../../../data/records/record-file.js';
import { NotationError } from '../../../env/errors.js';
import type { Game } from '../../../env/game.js';
import { expectMoveToMake } from '../../../env/replay/replay.js';
import { quote } from '../../../env/text/quoted-text.js';
import { loadedGameModules } from '../../../training/games/game-module.js';
import { ThreadThinker } from '../../engine/thread-thinker.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import {
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
} from '../../options/game-options.js';
import { expectNoIdleOptions } from '../../options/idle-options.js';
import { positiveNumber, seedNumber, wholeNumber, wholeNumberFrom } from '../../options/numbers.js';
import { expectEnding } from '../../options/output-endings.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import { openRecordFile, writtenFormat } from '../../options/record-options.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { watchSearch } from '../../progress/search-progress.js';
import { gameJson } from '../../report/game-analysis/analysis-json.js';
import { analysisPage } from '../../report/game-analysis/analysis-page.js';
import { describeGame } from '../../report/game-analysis/analysis-words.js';
import { annotateRecord } from '../../report/game-analysis/annotated-record.js';
import { analyzeGame, type GameAnalysis } from '../../report/game-analysis/game-analysis.js';
import {
  boardTitle,
  describePosition,
  describeSearch,
  type FoundPosition,
  mainLineOf,
  positionAlong,
  positionJson,
} from '../../report/game-analysis/position-text.js';
import { describeTree } from '../../report/game-analysis/tree-text.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { UsageError } from '../../usage/usage-error.js';
import { MAX_LINES } from '../../../training/play/engines/engine-limits.js';

/** Depth of the search without an option that limits it. */
const DEFAULT_DEPTH = 4;
/** Greatest depth of a tree, and greatest number of its lines of moves, by `--lines` and `--tree`. */
const MAX_TREE_PLIES = 8;
const MAX_TREE_MOVES = 10_000;

const treePlies = wholeNumberFrom(1, MAX_TREE_PLIES);

const declareFlags = (command: Command) =>
  command
    .option(
      '--agent <text>',
      `agent such as mcts:model=gess,simulations=400 (default: alphabeta:depth=${DEFAULT_DEPTH})`,
    )
    .option(
      '--depth <n>',
      `search depth of alphabeta in plies, up to ${MAX_DEPTH}`,
      wholeNumberFrom(1, MAX_DEPTH),
    )
    .option('--nodes <n>', 'positions that alphabeta may visit', wholeNumberFrom(1, MAX_NODES))
    .option('--time-ms <n>', 'milliseconds that alphabeta may search', wholeNumberFrom(1, MAX_TIME_MS))
    .option('--lines <n>', 'number of best lines', wholeNumberFrom(1, MAX_LINES), 1)
    .option(
      '--tree <plies>',
      'print the tree of an mcts search: the best lines of moves at each ply',
      treePlies,
    )
    .option('--seed <n>', 'seed of agents that play at random', seedNumber, 1)
    .option('--svg <file>', 'draw the end of the principal variation as SVG to a file')
    .option('--plies <n>', 'draw the board after this many moves of the variation instead', wholeNumber(1000))
    .option('--sgf <file>', 'judge every move of a game of Gess, recorded in SGF')
    .option('--record <file>', 'judge every move of a game, recorded in JSON (docs/reference/formats.md)')
    .option('--number <n>', 'number of the game in an SGF file with several, from 1', positiveNumber)
    .option('--force', 'with a record: also play illegal moves that the game can play')
    .option(
      '--write <file>',
      'with a record: write it with comments, as SGF or JSON by the ending of the name',
    )
    .option('--html <file>', 'with a record: write a page with the curve of the values and the boards')
    .addOption(overwriteOption)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addOption(positionOption)
    .addOption(movesOption);

type AnalyzeCommand = ReturnType<typeof declareFlags>;
type AnalyzeOptions = OptionsOf<typeof declareFlags>;

/** Options for a record, and options for a position; the two kinds exclude each other. */
const RECORD_OPTIONS = ['number', 'force', 'write', 'html'] as const;
const POSITION_OPTIONS = ['svg', 'plies', 'position', 'moves', 'tree'] as const;

/** The text of the agent that the options select. */
function agentOf(command: AnalyzeCommand, { agent, depth, nodes, timeMs }: AnalyzeOptions): string {
  const limits = Object.entries({ depth, nodes, timeMs }).filter(([, limit]) => limit !== undefined);
  if (agent === undefined) {
    if (limits.length === 0) return `alphabeta:depth=${DEFAULT_DEPTH}`;
    return `alphabeta:${limits.map(([name, limit]) => `${name}=${limit!}`).join(',')}`;
  }
  if (limits.length === 0) return agent;
  throw new UsageError(command, 'option-conflict', 'expected --depth, --nodes and --time-ms without --agent');
}

/** @throws UsageError for options that do not go together. */
function expectOptionsThatFit(command: AnalyzeCommand, options: AnalyzeOptions): void {
  const { sgf, record, number, svg, json, tree } = options;
  if (svg === undefined && (json === true || tree !== undefined))
    expectNoIdleOptions(command, ['plies'], 'with --svg, or without --json and --tree');
  if (sgf !== undefined && record !== undefined)
    throw new UsageError(command, 'option-conflict', 'expected one of --sgf and --record');
  if (number !== undefined && sgf === undefined)
    throw new UsageError(command, 'option-conflict', 'expected --number with --sgf only');
  const hasRecord = sgf !== undefined || record !== undefined;
  const stray = (hasRecord ? POSITION_OPTIONS : RECORD_OPTIONS).find((name) => options[name] !== undefined);
  if (stray === undefined) return;
  const where = hasRecord ? 'without --sgf and --record' : 'with --sgf or --record';
  throw new UsageError(command, 'option-conflict', `expected --${stray} ${where}`);
}

/** @throws UsageError for a tree that the agent does not have, or that is too large. */
function expectTreeThatFits(command: AnalyzeCommand, agent: string, { tree, lines }: AnalyzeOptions): void {
  if (tree === undefined) return;
  if (parseAgentSpec(agent).kind !== 'mcts')
    throw new UsageError(
      command,
      'option-conflict',
      `expected --tree with an mcts agent, got ${quote(agent)}`,
    );
  if (lines ** tree > MAX_TREE_MOVES) {
    const most = `expected --lines and --tree of at most ${MAX_TREE_MOVES} lines of moves`;
    throw new UsageError(command, 'option-value', `${most}, got ${lines} at each of ${tree} plies`);
  }
}

/** The limits that the agent's text sets. */
function limitsOf(agent: string): ThinkingLimits {
  const { options } = parseAgentSpec(agent);
  const limits: Readonly<Record<string, unknown>> = options;
  const numberOf = (name: string): number | undefined =>
    typeof limits[name] === 'number' ? limits[name] : undefined;
  return { simulations: numberOf('simulations'), nodes: numberOf('nodes'), timeMs: numberOf('timeMs') };
}

/** Runs `work` with the agent in a thread of its own; the first Ctrl-C ends the search with its best result so far. */
async function withThinker<T>(
  output: Output,
  { game, agent, seed }: { readonly game: Game<unknown>; readonly agent: string; readonly seed: number },
  work: (thinker: ThreadThinker, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Rejects an invalid text before a thread starts.
  parseAgentSpec(agent);
  const player = { game: game.id, rules: game.rules, agent, seed, gameModules: loadedGameModules() };
  const thinker = new ThreadThinker(player);
  const stop = listenForStop(output, { hint: '', action: 'ending the search with its best result so far' });
  stop.signal.addEventListener('abort', () => {
    thinker.stop();
  });
  try {
    return await work(thinker, stop.signal);
  } finally {
    stop.dispose();
    await thinker.close();
  }
}

async function analyzePosition(
  output: Output,
  agent: string,
  options: AnalyzeOptions,
): Promise<FoundPosition> {
  const { seed, lines, tree } = options;
  const { game, state } = openPosition(options);
  expectMoveToMake(game, state);
  const { position, moves = '' } = options;
  return withThinker(output, { game, agent, seed }, async (thinker) => {
    const name = await thinker.ready();
    const progress = watchSearch(output, limitsOf(agent));
    const start = performance.now();
    try {
      const job = { position, moves, limits: undefined, lines, treePlies: tree, freshSeed: seed };
      const thought = await thinker.think(job, progress.update);
      return { game, state, agent: name, thought, milliseconds: Math.round(performance.now() - start) };
    } finally {
      progress.stop();
    }
  });
}

async function runPosition(output: Output, agent: string, options: AnalyzeOptions): Promise<void> {
  if (options.svg !== undefined) await expectPlaceForFile(options.svg, options.overwrite);
  const found = await analyzePosition(output, agent, options);
  const { game } = found;
  const plies = options.plies ?? mainLineOf(found).length;
  const shown = positionAlong(found, plies);
  if (options.json === true) output.result(JSON.stringify(positionJson(found)));
  else if (options.tree !== undefined)
    output.result(`${describeSearch(found)}\n\n${describeTree(game, found.thought.candidates)}`);
  else {
    const board = game.render(shown, { paint: output.paint });
    output.result(`${describePosition(found)}\n\n${boardTitle(found, plies)}\n${board}`);
  }
  // After the result, which a full disk must not take away.
  if (options.svg !== undefined) {
    const svg = game.renderSvg?.(shown);
    if (svg === undefined)
      throw new NotationError('no-diagram', `expected a game that draws SVG, got '${game.id}'`);
    await writeOutputFile(options.svg, svg, options.overwrite);
    output.message(`gess analyze: wrote ${options.svg}`);
  }
}

async function analyzeRecord(
  command: AnalyzeCommand,
  output: Output,
  agent: string,
  options: AnalyzeOptions,
): Promise<GameAnalysis> {
  const { seed, lines, force } = options;
  const [game, record] = await openRecordFile(command, options);
  return withThinker(output, { game, agent, seed }, async (thinker, signal) => {
    const progress = createProgress(output, 'positions');
    try {
      const search = {
        agent: await thinker.ready(),
        ...{ lines, seed, signal, limits: undefined },
        think: (job: Parameters<typeof thinker.think>[0]) => thinker.think(job),
        onPosition: (done: number, total: number) => {
          progress.update(done, total);
        },
      };
      progress.start(`gess analyze: ${search.agent}`);
      return await analyzeGame(game, record, force === true, search);
    } finally {
      progress.stop();
    }
  });
}

async function runRecord(
  command: AnalyzeCommand,
  output: Output,
  agent: string,
  options: AnalyzeOptions,
): Promise<void> {
  const { write, html, overwrite, json } = options;
  const format = writtenFormat(command, write);
  expectEnding(command, '--html', html, '.html');
  const lock = await claimOutputFiles([write, html], overwrite);
  try {
    const analysis = await analyzeRecord(command, output, agent, options);
    // Before the files: a full disk must not take the analysis away.
    output.result(json === true ? JSON.stringify(gameJson(analysis)) : describeGame(analysis));
    if (write !== undefined && format !== undefined) {
      await writeRecordFile(write, annotateRecord(analysis), { format, overwrite: overwrite === true });
      output.message(`gess analyze: wrote ${write}`);
    }
    if (html !== undefined) {
      await writeOutputFile(html, analysisPage(analysis), overwrite);
      output.message(`gess analyze: wrote ${html}`);
    }
  } finally {
    lock.release();
  }
}

/** `gess analyze`: an agent's evaluation of a position, or of all positions of a game. */
export function defineAnalyze(command: Command, output: Output): void {
  const analyze = declareFlags(command);
  analyze.action(async (options) => {
    expectOptionsThatFit(analyze, options);
    expectEnding(analyze, '--svg', options.svg, '.svg');
    const agent = agentOf(analyze, options);
    expectTreeThatFits(analyze, agent, options);
    const isGame = options.sgf !== undefined || options.record !== undefined;
    await (isGame ? runRecord(analyze, output, agent, options) : runPosition(output, agent, options));
  });
}
