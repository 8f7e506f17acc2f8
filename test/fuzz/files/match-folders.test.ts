import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createGame } from '../../../env/games.js';
import { MatchFolder } from '../../../training/matches/match-folder.js';
import type { MatchGame } from '../../../training/matches/match-game.js';
import { playMatchJob } from '../../../training/matches/match-job.js';
import { MatchSettings } from '../../../training/matches/match-settings.js';
import { planGames } from '../../../training/matches/openings-of-match.js';
import { CONNECT_FOUR_MATCH } from '../../training/matches/match-fixtures.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { hostileTexts } from '../hostile-texts.js';
import { takes } from '../refusal.js';
import { JSON_WORDS, resealed } from './resealed.js';

const folder = fuzzFolder();
const SETTINGS_FILE = join(folder, 'match.json');
const GAMES = join(folder, 'games');

/** Matches of a few games each. */
const MATCHES = [
  CONNECT_FOUR_MATCH,
  MatchSettings.parse({ ...CONNECT_FOUR_MATCH, game: { id: 'quess' }, agent: 'greedy', games: 2 }),
  MatchSettings.parse({
    ...CONNECT_FOUR_MATCH,
    openings: { plies: 6 },
    sprt: { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05 },
    agent: 'careful',
    timeMarginMs: 0,
    games: 4,
  }),
];

/** The texts of `match.json` and of the games of a match. */
async function filesOf(settings: MatchSettings): Promise<{ settings: string; games: readonly string[] }> {
  rmSync(GAMES, { recursive: true, force: true });
  rmSync(SETTINGS_FILE, { force: true });
  const match = await MatchFolder.open(folder, settings);
  const game = createGame(settings.game.id, settings.game.rules);
  const plans = planGames(game, settings.openings as { plies: number }, { pairs: 1, seed: settings.seed });
  const { agent, opponent, seed, timeMarginMs } = settings;
  const job = { game: settings.game, agent, opponent, seed, timeMarginMs, plans };
  const finished: MatchGame[] = [];
  await playMatchJob(job, (one) => finished.push(one));
  for (const one of finished) await match.add(one);
  return {
    settings: readFileSync(SETTINGS_FILE, 'utf8'),
    games: readdirSync(GAMES).map((name) => readFileSync(join(GAMES, name), 'utf8')),
  };
}

const played: Awaited<ReturnType<typeof filesOf>>[] = [];
for (const settings of MATCHES) played.push(await filesOf(settings));
rmSync(GAMES, { recursive: true });

const SETTING_WORDS = [
  ...[...JSON_WORDS, '"game":{"id":"gess"}', '"agent":"random"', '"games":', '"sprt":null'],
  ...['"openings":{"plies":3}', '"openings":{"book":"/dev/zero","sha256":"x"}', '"timeMarginMs":'],
];

fuzz('the match.json of a match, with a new checksum', {
  input: fc.record({
    text: hostileTexts(fc.constantFrom(...played.map(({ settings }) => settings)), SETTING_WORDS),
    seal: fc.boolean(),
  }),
  runs: 100,
  law: async ({ text, seal }) => {
    writeFileSync(SETTINGS_FILE, seal ? resealed(text, 'file') : text);
    return takes(async () => {
      const settings = await MatchFolder.readSettings(folder);
      const match = await MatchFolder.open(folder, settings);
      assert.deepEqual(match.settings, settings);
    });
  },
});

const GAME_WORDS = [
  ...[
    ...JSON_WORDS,
    '"properties":{',
    '"PAIR":["1"]',
    '"AGENT":["2"]',
    '"OPENING":["999999"]',
    '"END":["time"]',
  ],
  ...[
    '"POINTS":["0.5"]',
    '"LATE":["1e999"],"LATEMOVE":["3"]',
    '"VALUE":["NaN"]',
    '{"move":"3"}',
    '"moves":[',
  ],
  ...['"3"', '"F2-D3"', '"seconds":-1', '"variations":[[', '"game":"quess"', '"players":[null,null]'],
];

fuzz('a game of a match, with a new checksum', {
  input: fc.constantFrom(...MATCHES.keys()).chain((index) =>
    fc.record({
      index: fc.constant(index),
      seal: fc.boolean(),
      text: hostileTexts(fc.constantFrom(...played[index]!.games), GAME_WORDS),
    }),
  ),
  runs: 200,
  law: async ({ index, text, seal }) => {
    mkdirSync(GAMES, { recursive: true });
    writeFileSync(SETTINGS_FILE, played[index]!.settings);
    const match = await MatchFolder.open(folder, MATCHES[index]!);
    writeFileSync(join(GAMES, 'pair-000000-0.json'), seal ? resealed(text, 'file') : text);
    return takes(async () => {
      const [game] = await match.finishedGames();
      // A game that was read is written with the same bytes.
      await match.add(game!);
      const [, again = game] = await match.finishedGames();
      assert.deepEqual(again, game);
    }).finally(() => {
      rmSync(GAMES, { recursive: true });
    });
  },
});
