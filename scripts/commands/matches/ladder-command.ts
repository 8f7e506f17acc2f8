import { type Command, Option } from '@commander-js/extra-typings';
import { namesProgram } from '../../../agents/agent-spec.js';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { expectPlaceForFile } from '../../../data/files/output-file.js';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { lockFolder } from '../../../data/files/lock.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { countOf } from '../../../env/text/count-of.js';
import { quote } from '../../../env/text/quoted-text.js';
import { MAX_GAMES } from '../../../training/config/groups/setting-limits.js';
import {
  type Ladder,
  LADDER_FORMATS,
  LADDER_VERSION,
  type LadderGames,
  type LadderPlan,
  type LadderPlayer,
} from '../../../training/matches/ladder/ladder-file.js';
import { LadderFolder } from '../../../training/matches/ladder/ladder-folder.js';
import { runLadder } from '../../../training/matches/ladder/ladder-run.js';
import {
  DEFAULT_ANCHOR,
  matchesByStanding,
  standingsOf,
} from '../../../training/matches/ladder/standings.js';
import { planMatch } from '../../../training/matches/match-run.js';
import { expectRunFile } from '../../../training/run/run-folder.js';
import { TrainingError } from '../../../training/training-error.js';
import { expectPool, openPool } from '../../options/open-pool.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { gameOption, moduleFlag, rulesOption } from '../../options/game-options.js';
import { expectNoIdleOptions, expectNoIdlePoolOptions, isGiven } from '../../options/idle-options.js';
import { fixedPlayer, joinPlayers, playersOfRun } from '../../options/ladder-players.js';
import {
  matchProcessesOption,
  matchSeedOption,
  openingPliesOption,
  openingsOption,
  openingSettings,
  timeMarginOption,
} from '../../options/match-options.js';
import { evenNumber, positiveNumber, wholeNumber } from '../../options/numbers.js';
import { expectEnding } from '../../options/output-endings.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import { anyProcessorOption, poolOption, replayShareOption } from '../../options/pool-option.js';
import { collect } from '../../options/repeated-option.js';
import type { Output } from '../../output.js';
import { describeStandings } from '../../progress/ladder-text.js';
import { createMatchTable, type MatchTable } from '../../progress/match-table.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { shellWord } from '../../text/shell-word.js';
import { UsageError } from '../../usage/usage-error.js';
import { messenger } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--out <folder>', 'the folder of the ladder; an existing ladder is continued')
    .option('--player <agent>', 'add a fixed agent; may be repeated', collect, [])
    .option('--run <folder>', "add a run's checkpoints; may be repeated", collect, [])
    .option('--every <n>', 'with --run: only generations that are multiples of this', positiveNumber, 1)
    .option(
      '--simulations <n>',
      "of a run: simulations per move of its checkpoints (default: those of the run's matches)",
      positiveNumber,
    )
    .addOption(
      new Option('--format <name>', 'who plays whom').choices(LADDER_FORMATS).default('gauntlet' as const),
    )
    .option(
      '--neighbours <n>',
      'gauntlet: number of earlier checkpoints of the same run that each checkpoint plays',
      wholeNumber(1000),
      2,
    )
    .option('--games <n>', 'games of each match, even', evenNumber(MAX_GAMES), 40)
    .option('--anchor <player>', 'the player whose rating is 0', DEFAULT_ANCHOR)
    .addOption(matchSeedOption)
    .addOption(openingsOption)
    .addOption(openingPliesOption)
    .addOption(timeMarginOption)
    .addOption(matchProcessesOption)
    .addOption(poolOption)
    .addOption(anyProcessorOption)
    .addOption(replayShareOption)
    .option('--svg <file>', 'draw the ratings over generations')
    .option('--html <file>', 'write a page with the ratings')
    .addOption(overwriteOption)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type LadderCommand = ReturnType<typeof declareFlags>;
type LadderOptions = OptionsOf<typeof declareFlags>;

/** The game of the options, or that of the first run; `--rules` holds for both. */
async function gameOf(command: LadderCommand, { game, rules, run }: LadderOptions): Promise<Game<unknown>> {
  const [folder] = run;
  if (folder === undefined || isGiven(command, 'game')) return createGame(game, rules);
  const found = (await expectRunFile(folder)).config.game;
  return createGame(found.id, isGiven(command, 'rules') ? rules : found.rules);
}

async function gamesSettings(command: LadderCommand, options: LadderOptions): Promise<LadderGames> {
  const { id, rules } = await gameOf(command, options);
  const { seed, games, timeMargin } = options;
  const openings = await openingSettings({ ...options, game: id, rules });
  // Refuses openings that cannot be played.
  await planMatch({ game: { id, rules }, seed, games, openings });
  return { game: { id, rules }, seed, openings, timeMarginMs: timeMargin };
}

/** The options that name a setting of the games of a ladder. */
const GAMES_OPTIONS = {
  game: ['game', 'rules', 'run'],
  seed: ['seed'],
  openings: ['openings', 'openingPlies'],
  timeMarginMs: ['timeMargin'],
} as const satisfies Record<keyof LadderGames, readonly (keyof LadderOptions)[]>;

/** @throws TrainingError `ladder-changed` if the options contradict the settings of the ladder. */
async function expectSameGames(
  command: LadderCommand,
  options: LadderOptions,
  ladder: Ladder,
): Promise<void> {
  const named = (Object.keys(GAMES_OPTIONS) as (keyof LadderGames)[]).filter((setting) =>
    GAMES_OPTIONS[setting].some((option) => isGiven(command, option)),
  );
  if (named.length === 0) return;
  const given = await gamesSettings(command, options);
  for (const setting of named) {
    const [before, now] = [ladder, given].map((games) =>
      setting === 'game' ? `${games.game.id} ${games.game.rules}` : JSON.stringify(games[setting]),
    );
    if (before === now) continue;
    throw new TrainingError(
      'ladder-changed',
      `expected ${setting} ${before!}, that of the ladder in ${options.out}, got ${now!}`,
    );
  }
}

/** The plan of a ladder: each given option replaces the ladder's own setting. */
function planOf(command: LadderCommand, options: LadderOptions, ladder: Ladder | null): LadderPlan {
  const choose = <Name extends keyof LadderPlan & keyof LadderOptions>(name: Name): LadderPlan[Name] =>
    ladder !== null && !isGiven(command, name) ? ladder[name] : options[name];
  const format = choose('format');
  if (format !== 'gauntlet') expectNoIdleOptions(command, ['neighbours'], 'with --format gauntlet only');
  return {
    format,
    neighbours: choose('neighbours'),
    games: choose('games'),
    anchor: choose('anchor'),
  };
}

/** @throws TrainingError `match-program`: the ladder may come from an untrusted source. */
function expectNamedPrograms(ladder: Ladder | null, named: readonly string[]): void {
  const program = ladder?.players.find(({ name, agent }) => namesProgram(agent) && !named.includes(name));
  if (program === undefined) return;
  throw new TrainingError(
    'match-program',
    `the ladder runs the program of player ${quote(program.name)}; name it with --player again to run it`,
  );
}

/** The ladder in the folder, or a new one, with the players and the plan of the options. */
async function ladderOf(
  command: LadderCommand,
  options: LadderOptions,
  folder: LadderFolder,
): Promise<Ladder> {
  const found = (await folder.exists()) ? await folder.read() : null;
  if (found !== null) await expectSameGames(command, options, found);
  const games = found ?? (await gamesSettings(command, options));
  const plan = planOf(command, options, found);
  const game = createGame(games.game.id, games.game.rules);
  const candidates: LadderPlayer[] = [];
  for (const run of options.run) candidates.push(...(await playersOfRun(run, game, options)));
  const known = new Set([...(found?.players ?? []), ...candidates].map(({ name }) => name));
  for (const agent of [plan.anchor, ...options.player]) {
    if (!known.has(agent)) candidates.unshift(await fixedPlayer(agent));
    known.add(agent);
  }
  const isAnchorNamed = isGiven(command, 'anchor');
  expectNamedPrograms(found, [...options.player, ...(isAnchorNamed ? [options.anchor] : [])]);
  const players = await joinPlayers(found?.players ?? [], candidates, game);
  if (players.length < 2) command.error('error: expected two players or more: add --player or --run');
  const { seed, openings, timeMarginMs } = games;
  const settings = { game: games.game, seed, openings, timeMarginMs };
  return { ladderVersion: LADDER_VERSION, ...settings, ...plan, players, matches: found?.matches ?? [] };
}

function resumeHint(out: string, gameId: string): string {
  return `Resume with: gess ladder --out ${shellWord(out)}${moduleFlag(gameId)}`;
}

/** Plays the missing matches and shows their progress. */
async function playLadder(
  output: Output,
  folder: LadderFolder,
  ladder: Ladder,
  options: LadderOptions,
): Promise<{ readonly ladder: Ladder; readonly finished: boolean }> {
  const pool = await openPool({
    ...options,
    book: null,
    onMessage: messenger(output),
  });
  const stop = listenForStop(output, {
    hint: resumeHint(options.out, ladder.game.id),
    action: 'stopping; games in progress are abandoned',
  });
  let table: MatchTable | null = null;
  try {
    const end = await runLadder(folder, ladder, {
      processes: pool.processes,
      play: (jobs, listener, signal) => pool.playMatch(jobs, listener, signal),
      onMatch: (first, second, left) => {
        table?.stop();
        output.message(`gess: ${first.name} against ${second.name}; ${countOf(left, 'more match')}`);
        table = createMatchTable(output, ladder.games);
      },
      onReport: (report) => {
        table?.update(report);
      },
      onGone: ({ name, agent }) => {
        output.message(`gess: ${name} plays no more matches: the model of ${agent} is missing`);
      },
      signal: stop.signal,
    });
    if (end.finished) stop.done();
    return end;
  } finally {
    (table as MatchTable | null)?.stop();
    stop.dispose();
    await pool.dispose();
  }
}

async function runLadderCommand(
  command: LadderCommand,
  output: Output,
  options: LadderOptions,
): Promise<void> {
  const { out, json } = options;
  await expectPlaceForOutput(out, 'ladder');
  const folder = new LadderFolder(out);
  // Checked before anything is written, so that an invalid ladder leaves no folder behind.
  const planned = await ladderOf(command, options, folder);
  if (options.svg !== undefined && planned.players.every(({ generation }) => generation === null)) {
    const message = '--svg draws the ratings of the checkpoints of a run: add --run FOLDER';
    throw new UsageError(command, 'option-conflict', message);
  }
  await expectPool(options);
  await makeFolder(out);
  const lock = await lockFolder(out);
  try {
    // Another process may have played meanwhile.
    const begun = (await folder.exists()) ? await ladderOf(command, options, folder) : planned;
    await folder.write(begun);
    const { ladder, finished } = await playLadder(output, folder, begun, options);
    const { players, matches, anchor } = ladder;
    const anchorIndex = players.findIndex(({ name }) => name === anchor);
    const standings = standingsOf(players, matches, anchorIndex);
    output.result(
      json === true
        ? JSON.stringify({
            finished,
            anchor,
            ...standings,
            matches: matchesByStanding(players, matches, standings),
            openings: ladder.openings,
          })
        : describeStandings(standings, anchor),
    );
    const { writeLadderFiles } = await import('../../report/ladder-files.js');
    await writeLadderFiles(standings, ladder, options);
    if (!finished) output.message(`gess: stopped. ${resumeHint(out, ladder.game.id)}`);
  } finally {
    lock.release();
  }
}

/** `gess ladder`: ratings of checkpoints and fixed agents from matches with each other. */
export function defineLadder(command: Command, output: Output): void {
  const ladder = declareFlags(command);
  ladder.action(async (options) => {
    expectNoIdlePoolOptions(ladder, options);
    if (options.run.length === 0) expectNoIdleOptions(ladder, ['every', 'simulations'], 'with --run only');
    expectEnding(ladder, '--svg', options.svg, '.svg');
    expectEnding(ladder, '--html', options.html, '.html');
    for (const named of [options.svg, options.html]) {
      if (named !== undefined) await expectPlaceForFile(named, options.overwrite);
    }
    await runLadderCommand(ladder, output, options);
  });
}
