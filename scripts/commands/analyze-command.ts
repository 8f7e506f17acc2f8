import type { Command } from '@commander-js/extra-typings';
import type { Choice } from '../../agents/agent.js';
import { createAgent } from '../../agents/create-agent.js';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { IllegalActionError, NotationError } from '../../env/errors.js';
import { type Action, type Game, opponentOf } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { nameOutcome } from '../../env/replay/replay.js';
import { openModelFile } from '../../training/export/model-file.js';
import type { OptionsOf } from '../lazy-commands.js';
import {
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
} from '../options/game-options.js';
import { positiveNumber, seedNumber, wholeNumber } from '../options/numbers.js';
import type { Output } from '../output.js';
import { UsageError } from '../usage/usage-error.js';

/** Depth of the search without an option that limits it. */
const DEFAULT_DEPTH = 4;

const declareFlags = (command: Command) =>
  command
    .option(
      '--agent <text>',
      `agent such as mcts:model=FILE.onnx,simulations=400 (default: alphabeta:depth=${DEFAULT_DEPTH})`,
    )
    .option('--depth <n>', 'search depth of alphabeta in plies, up to 64', positiveNumber)
    .option('--nodes <n>', 'positions that alphabeta may visit', positiveNumber)
    .option('--time-ms <n>', 'milliseconds that alphabeta may search', positiveNumber)
    .option('--seed <n>', 'seed of agents that play at random', seedNumber, 1)
    .option('--svg <file>', 'draw the end of the principal variation as SVG to a file, which is overwritten')
    .option('--plies <n>', 'draw the board after this many moves of the variation instead', wholeNumber(1000))
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addOption(positionOption)
    .addOption(movesOption);

type AnalyzeOptions = OptionsOf<typeof declareFlags>;

/** An agent's evaluation of a position. */
interface Analysis {
  readonly game: Game<unknown>;
  readonly state: unknown;
  readonly agent: string;
  readonly choice: Choice;
  readonly line: readonly Action[];
  readonly milliseconds: number;
}

/** The text of the agent that the options select. */
function agentOf(command: Command, { agent, depth, nodes, timeMs }: AnalyzeOptions): string {
  const limits = Object.entries({ depth, nodes, timeMs }).filter(([, limit]) => limit !== undefined);
  if (agent === undefined) {
    if (limits.length === 0) return `alphabeta:depth=${DEFAULT_DEPTH}`;
    return `alphabeta:${limits.map(([name, limit]) => `${name}=${limit!}`).join(',')}`;
  }
  if (limits.length > 0)
    throw new UsageError(
      command,
      'option-conflict',
      'expected --agent, or --depth, --nodes and --time-ms without it',
    );
  return agent;
}

async function analyze(text: string, options: AnalyzeOptions): Promise<Analysis> {
  const { game, state } = openPosition(options);
  if (game.countLegalActions(state) === 0) {
    const result = nameOutcome(game, state) ?? 'nobody';
    throw new IllegalActionError(
      'game-over',
      `expected a position with a move to make; the game is over: ${result}`,
    );
  }
  const agent = await createAgent(text, game, openModelFile);
  try {
    const start = performance.now();
    const [choice] = await agent.chooseAll([{ state, rng: createRng(options.seed, 'analyze') }]);
    const milliseconds = Math.round(performance.now() - start);
    const line = choice!.principalVariation ?? [choice!.action];
    return { game, state, agent: agent.name, choice: choice!, line, milliseconds };
  } finally {
    await agent.dispose();
  }
}

/** The position after the first `plies` moves of the line. */
function positionAlong({ game, state, line }: Analysis, plies: number): unknown {
  const end = game.clone(state);
  for (const action of line.slice(0, plies)) game.apply(end, action);
  return end;
}

function summarise(analysis: Analysis): Readonly<Record<string, unknown>> {
  const { game, state, agent, choice, line, milliseconds } = analysis;
  return {
    game: game.id,
    rules: game.rules,
    position: game.formatPosition(state),
    player: game.playerNames[game.currentPlayer(state)],
    agent,
    move: game.formatAction(choice.action),
    value: choice.value ?? null,
    ...choice.statistics,
    milliseconds,
    principalVariation: line.map((action) => game.formatAction(action)),
    endPosition: game.formatPosition(positionAlong(analysis, line.length)),
  };
}

/** `value +0.250 to black`, or the number of plies to the win. */
function describeValue({ game, state, choice }: Analysis): string {
  const { value, statistics } = choice;
  const player = game.currentPlayer(state);
  const plies = statistics?.['pliesToEnd'];
  if (plies !== undefined) {
    const winner = game.playerNames[value === 1 ? player : opponentOf(player)];
    return `${winner} wins in ${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  }
  if (value === undefined) return 'no opinion';
  return `value ${value < 0 ? '' : '+'}${value.toFixed(3)} to ${game.playerNames[player]}`;
}

function describe(analysis: Analysis): string {
  const { game, state, agent, choice, line, milliseconds } = analysis;
  const figures = Object.entries(choice.statistics ?? {}).map(([name, figure]) => `${name} ${figure}`);
  return [
    `${agent}: ${describeValue(analysis)}`,
    [...figures, `${milliseconds} ms`].join(', '),
    `${game.playerNames[game.currentPlayer(state)]} plays ${game.formatAction(choice.action)}`,
    `line ${line.map((action) => game.formatAction(action)).join(' ')}`,
  ].join('\n');
}

/** `gess analyze`: an agent's evaluation of a position. */
export function defineAnalyze(command: Command, output: Output): void {
  declareFlags(command).action(async (options) => {
    const analysis = await analyze(agentOf(command, options), options);
    const { game, line } = analysis;
    const shown = positionAlong(analysis, options.plies ?? line.length);
    if (options.svg !== undefined) {
      const svg = game.renderSvg?.(shown);
      if (svg === undefined)
        throw new NotationError('no-diagram', `expected a game that draws SVG, got '${game.id}'`);
      await writeFileAtomic(options.svg, svg);
      output.message(`gess analyze: wrote ${options.svg}`);
    }
    if (options.json === true) output.result(JSON.stringify(summarise(analysis)));
    else output.result(`${describe(analysis)}\n\n${game.render(shown, { paint: output.paint })}`);
  });
}
