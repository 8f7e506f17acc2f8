import type { Command } from '@commander-js/extra-typings';
import type { Agent } from '../../../agents/agent.js';
import { nextTask } from '../../../agents/next-task.js';
import { createAgent } from '../../../agents/create-agent.js';
import { claimOutputFile, writeOutputFile } from '../../../data/files/output-file.js';
import { countOf } from '../../../env/text/count-of.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { problemsOfGame, type WinningProblem } from '../../../session/winning-problems.js';
import { MAX_OPENING_PLIES } from '../../../training/config/groups/setting-limits.js';
import { FILE_OPENERS } from '../../../training/export/open-agent.js';
import { TrainingError } from '../../../training/training-error.js';
import { positiveNumber, seedNumber, wholeNumberFrom } from '../../options/numbers.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listenForStop } from '../../stopping/stop-signal.js';

/** Longest game. */
const MAX_PLIES = 200;
/** Games in a row without a problem after which the search gives up: some games and agents have none. */
const MAX_VAIN_GAMES = 500;

/** The moves of a game of `agent` against itself, after `opening` plies of `careful`; fewer if `signal` is aborted. */
async function playGame(
  game: Game<unknown>,
  players: { readonly opening: Agent<unknown>; readonly agent: Agent<unknown> },
  { seed, number, openingPlies }: { seed: number; number: number; openingPlies: number },
  signal: AbortSignal,
): Promise<unknown> {
  const rng = createRng(seed, 'problems', number);
  const state = game.initialState();
  while (game.countLegalActions(state) > 0 && game.historyLength(state) < MAX_PLIES && !signal.aborted) {
    const { opening, agent } = players;
    const player = game.historyLength(state) < openingPlies ? opening : agent;
    const [choice] = await player.chooseAll([{ state, rng }]);
    game.apply(state, choice!.action);
    await nextTask();
  }
  return state;
}

const declareFlags = (command: Command) =>
  command
    .requiredOption('--out <file>', 'the problems, as JSON')
    .addOption(overwriteOption)
    .option('--count <n>', 'number of problems', positiveNumber, 60)
    .option('--agent <text>', 'agent that plays the games', 'alphabeta:depth=2')
    .option(
      '--opening-plies <n>',
      'careful random plies at the beginning of each game',
      wholeNumberFrom(1, MAX_OPENING_PLIES),
      6,
    )
    .option('--seed <n>', 'seed of the games', seedNumber, 1)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type ProblemsOptions = OptionsOf<typeof declareFlags>;

/** The result of a search for problems. */
interface FoundProblems {
  /** Name of the agent that played the games. */
  readonly agent: string;
  /** Fewer than wanted if a signal ended the search or it gave up. */
  readonly problems: readonly WinningProblem[];
  readonly gaveUp: boolean;
}

async function findProblems(
  output: Output,
  game: Game<unknown>,
  { count, agent: text, openingPlies, seed }: ProblemsOptions,
): Promise<FoundProblems> {
  const opening = await createAgent('careful', game);
  const agent = await createAgent(text, game, FILE_OPENERS);
  const stop = listenForStop(output, {
    hint: 'The problems found so far are written.',
    action: 'ending the game in progress',
  });
  const progress = createProgress(output, 'problems');
  progress.start(`gess problems: games of ${agent.name}`);
  const problems: WinningProblem[] = [];
  let vainGames = 0;
  const isOpen = (): boolean => problems.length < count && vainGames < MAX_VAIN_GAMES;
  try {
    for (let number = 0; isOpen() && !stop.signal.aborted; number++) {
      const state = await playGame(game, { opening, agent }, { seed, number, openingPlies }, stop.signal);
      const found = problemsOfGame(game, state);
      vainGames = found.length === 0 ? vainGames + 1 : 0;
      problems.push(...found.slice(0, count - problems.length));
      progress.update(problems.length, count);
      await nextTask();
    }
    if (problems.length === count) stop.done();
  } finally {
    progress.stop();
    stop.dispose();
    await agent.dispose();
  }
  return { agent: agent.name, problems, gaveUp: vainGames === MAX_VAIN_GAMES };
}

function noFurtherProblems(agent: string, wanted: number, found: number): TrainingError {
  const reason = `${MAX_VAIN_GAMES} games of ${agent} in a row had none`;
  return new TrainingError(
    'problems-few',
    `expected ${countOf(wanted, 'problem')}, found ${found}: ${reason}`,
  );
}

/** `gess problems`: positions of self-play games with one move that wins by force. */
export function defineProblems(command: Command, output: Output): void {
  declareFlags(command).action(async (options) => {
    const { out, seed, json } = options;
    const lock = await claimOutputFile(out, options.overwrite);
    try {
      const game = createGame(options.game, options.rules);
      const { agent, problems, gaveUp } = await findProblems(output, game, options);
      const content = { game: game.id, rules: game.rules, agent, seed, problems };
      await writeOutputFile(out, `${JSON.stringify(content, null, 2)}\n`, options.overwrite);
      const result = { ...content, problems: problems.length, path: out };
      const text = `gess problems: ${countOf(problems.length, 'problem')} in ${out}`;
      output.result(json === true ? JSON.stringify(result) : text);
      if (gaveUp) throw noFurtherProblems(agent, options.count, problems.length);
    } finally {
      lock.release();
    }
  });
}
