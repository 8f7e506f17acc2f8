import { type Command, Option } from '@commander-js/extra-typings';
import { parseAgentSpec } from '../../../agents/agent-spec.js';
import { DataError } from '../../../data/data-error.js';
import { exists } from '../../../data/files/atomic-file.js';
import { expectPlaceForFile } from '../../../data/files/output-file.js';
import { formatOfName } from '../../../data/records/record-file.js';
import { ansiPaint } from '../../../env/environments/ansi-paint.js';
import { defaultAgent } from '../../../training/export/shipped-models.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { inputLines, NOT_UTF8, OVERLONG } from '../../../env/processes/input-lines.js';
import { standardInput } from '../../line-protocol/standard-input.js';
import {
  expectOwnGame,
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
  moduleFlag,
} from '../../options/game-options.js';
import { seedNumber, wholeNumberFrom } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { agentOfLevel, levelsOfGame } from '../../play/opponent-level.js';
import { MAX_ENTRY_LENGTH } from '../../play/move-entry.js';
import { PlainView } from '../../play/plain-view.js';
import { PlaySession } from '../../play/play-session.js';
import { factsOfToday, PlayTable } from '../../play/play-table.js';
import { Prompt } from '../../play/prompt.js';
import { newestGame, type ResumedGame, resumeGame } from '../../play/resumed-game.js';
import { SavedGame } from '../../play/saved-game.js';
import { ScreenPlay } from '../../play/screen/screen-play.js';
import { colorDepthOf } from '../../terminal/color-depth.js';
import { factsOf, isScreen } from '../../terminal/terminal-facts.js';
import { parseSeats } from '../../play/seats.js';
import { quote } from '../../../env/text/quoted-text.js';
import { UsageError } from '../../usage/usage-error.js';
import { shellWord } from '../../text/shell-word.js';
import { exitCodeOf, SIGNALS } from '../../stopping/signals.js';

/** Time limit of an analysis that no key can stop. */
const ANALYSIS_MS = 3000;
/** The highest level; games without a network have fewer. */
const MOST_LEVEL = 8;

const declareFlags = (command: Command) =>
  command
    .option(
      '--opponent <agent>',
      'agent such as alphabeta:depth=2 (default: the best that the package ships, a second per move)',
    )
    .addOption(
      new Option('--level <n>', `an opponent from 1, for beginners, to ${MOST_LEVEL}`)
        .argParser(wholeNumberFrom(1, MOST_LEVEL))
        .conflicts('opponent'),
    )
    .option('--side <name>', 'side to play: the name of a player, such as white; first, second, or both')
    .addOption(
      new Option('--resume [file]', 'resume a saved game (default: the newest in games/)').conflicts([
        'position',
        'moves',
      ]),
    )
    .option('--save <file>', 'save the game to this new file, .sgf or .json (default: one in games/)')
    .option('--seed <n>', 'seed of opponents that play at random', seedNumber, 1)
    .option('--ascii', 'draw with ASCII characters only')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addOption(positionOption)
    .addOption(movesOption)
    .addHelpText('after', '\nDuring a game, help lists the commands at the prompt.');

type PlayCommand = ReturnType<typeof declareFlags>;
type PlayOptions = OptionsOf<typeof declareFlags>;

/** The game that the options describe, with the moves played. */
function newGame(options: PlayOptions): ResumedGame {
  const { game, state } = openPosition(options);
  const start =
    options.position === undefined ? undefined : game.formatPosition(game.parsePosition(options.position));
  const seats = parseSeats(game, options.side ?? 'first');
  const session = new PlaySession(game, { seats, start });
  for (let index = 0; index < game.historyLength(state); index++)
    session.play(game.historyAction(state, index));
  return { session, saved: new SavedGame(options.save), facts: factsOfToday() };
}

/** @throws UsageError for a name without the ending of a record; DataError as `expectPlaceForFile`. */
async function expectNewFile(command: PlayCommand, path: string, gameId: string): Promise<void> {
  const format = formatOfName(path);
  if (format === undefined || (format === 'sgf' && gameId !== 'gess')) {
    const expected = gameId === 'gess' ? '.sgf or .json' : `.json for ${gameId}`;
    throw new UsageError(
      command,
      'option-value',
      `expected a name ending in ${expected} for --save, got ${quote(path)}`,
    );
  }
  if (await exists(path)) {
    throw new DataError('file-exists', `expected no file at ${path}: it would be overwritten`);
  }
  await expectPlaceForFile(path, false);
}

/** The game that the options name, a saved one or a new one. */
async function openGame(command: PlayCommand): Promise<ResumedGame> {
  const options = command.opts();
  if (options.resume === undefined) return newGame(options);
  const path = options.resume === true ? await newestGame() : options.resume;
  const resumed = await resumeGame(path);
  expectOwnGame(command, resumed.session.game.id, `the game in ${path}`);
  return resumed;
}

async function openTable(
  command: PlayCommand,
  output: Output,
  analysisMs: number | undefined,
): Promise<PlayTable> {
  const options = command.opts();
  const { resume, level, side, save } = options;
  const opened = await openGame(command);
  const { session, saved, facts } = opened;
  const { game } = session;
  if (save !== undefined) await expectNewFile(command, save, game.id);
  if (resume !== undefined && side !== undefined) session.seats = parseSeats(game, side);
  const levels = levelsOfGame(game).length;
  if (level !== undefined && level > levels) {
    const expected = `expected a whole number from 1 to ${levels} for --level with the rules ${game.rules}`;
    throw new UsageError(command, 'option-value', `${expected}, got ${level}`);
  }
  const chosen = options.opponent ?? (level === undefined ? undefined : agentOfLevel(game, level));
  const opponent = chosen ?? opened.opponent ?? defaultAgent(game);
  parseAgentSpec(opponent);
  const { replaced } = opened;
  if (chosen === undefined && replaced !== undefined) {
    const names = 'names files or a program that this program does not ship';
    output.message(`gess play: ${opponent} replaces the opponent ${quote(replaced)}, which ${names}`);
  }
  const { seed } = options;
  const adviser = defaultAgent(game);
  const file = save === undefined ? saved : new SavedGame(save);
  await file.claim();
  return new PlayTable({ session, saved: file, facts, opponent, adviser, seed, analysisMs });
}

/** Says where the game is, if it was saved. */
async function tellSaved(table: PlayTable, output: Output): Promise<void> {
  const path = await table.savedFile();
  if (path !== undefined) tellFile(output, table.session, path);
}

/** At a signal, says where the game is and ends the program: every move has been saved. */
function leaveAtSignal(table: PlayTable, output: Output): () => void {
  const leave = (signal: NodeJS.Signals): void => {
    void tellSaved(table, output).finally(() => {
      table.releaseFile();
      process.exit(exitCodeOf(signal));
    });
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}

async function playLines(table: PlayTable, output: Output, input: AsyncIterable<Uint8Array>): Promise<void> {
  // FORCE_COLOR requests colours in a pipe.
  const paint = colorDepthOf(process.stdout, process.env) > 1 ? ansiPaint : undefined;
  const view = new PlainView(table, (text) => void output.line(text), paint);
  table.view = view;
  const prompt = new Prompt(table);
  view.update();
  await prompt.begin();
  for await (const line of inputLines(input, 4 * MAX_ENTRY_LENGTH)) {
    if (line === OVERLONG) view.tell([`expected a line of at most ${MAX_ENTRY_LENGTH} characters`]);
    else if (line === NOT_UTF8) view.tell(['expected a line of UTF-8']);
    else await prompt.receive(line);
    if (prompt.hasQuit) break;
  }
}

/** Says where the game is, and how to resume it. */
function tellFile(output: Output, { game, isOver }: PlaySession, path: string): void {
  const hint = isOver ? '' : `; resume it with: gess play${moduleFlag(game.id)} --resume ${shellWord(path)}`;
  output.message(`gess play: saved as ${path}${hint}`);
}

/** Prepares a table, plays a game at it, and closes it, however the game ends. */
async function playAt(table: PlayTable, play: () => Promise<void>): Promise<void> {
  try {
    await table.prepare();
    await play();
  } finally {
    await table.close();
  }
}

/**
 * `gess play`: a game in the terminal, against an agent or between two people. `input` stands in for stdin in tests.
 */
export function definePlay(command: Command, output: Output, input?: () => AsyncIterable<Uint8Array>): void {
  const play = declareFlags(command);
  play.action(async ({ ascii }) => {
    const terminal = { input: process.stdin, output: process.stdout };
    const hasScreen = input === undefined && isScreen(terminal, process.env);
    const table = await openTable(play, output, hasScreen ? undefined : ANALYSIS_MS);
    const stopListening = hasScreen ? undefined : leaveAtSignal(table, output);
    try {
      await playAt(table, () => {
        if (!hasScreen) return playLines(table, output, input?.() ?? standardInput());
        const facts = factsOf(process.stdout, process.env, ascii === true);
        return new ScreenPlay(table, { ...terminal, facts }).run();
      });
      await tellSaved(table, output);
    } finally {
      stopListening?.();
      table.releaseFile();
    }
  });
}
