import { expect, test } from 'vitest';
import type { Game } from '../../../../env/game.js';
import { createGess } from '../../../../env/gess/gess.js';
import { endSquare, SIZE } from '../../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../../env/gess/gess-position.js';
import { parseRules } from '../../../../env/gess/gess-rules.js';
import { threatenedRings } from '../../../../env/gess/heuristics/threatened-rings.js';
import { createMovement } from '../../../../env/gess/movement.js';
import { allRings } from '../../../../env/gess/rings.js';
import { createRng } from '../../../../env/random.js';

/** The rings of a player that a listed move of the opponent meets. */
function metRings(game: Game<GessPosition>, position: GessPosition, player: 0 | 1): readonly number[] {
  const attacker = game.clone(position);
  attacker.player = player === 0 ? 1 : 0;
  const legal = new Int32Array(game.maxLegalActions);
  const ends = [...legal.subarray(0, game.legalActions(attacker, legal))].map(endSquare);
  const meets = (ring: number, end: number): boolean =>
    Math.abs(Math.floor(ring / SIZE) - Math.floor(end / SIZE)) <= 2 &&
    Math.abs((ring % SIZE) - (end % SIZE)) <= 2;
  const rings = allRings(position.stones[player], position.stones[attacker.player]);
  return rings.filter((ring) => ends.some((end) => meets(ring, end)));
}

/** Compares the rings in danger along random games; returns their number. */
function compareGames(rules: string, games: number): number {
  const game = createGess({ rules });
  const movement = createMovement(parseRules(rules));
  const legal = new Int32Array(game.maxLegalActions);
  const rng = createRng(1, rules);
  let threats = 0;
  for (let played = 0; played < games; played++) {
    const position = game.initialState();
    while (game.outcome(position) === null && game.ply(position) < 100) {
      for (const player of [0, 1] as const) {
        const found = threatenedRings(position, movement, player);
        expect([...found]).toEqual(metRings(game, position, player));
        threats += found.length;
      }
      game.apply(position, legal[rng.integer(game.legalActions(position, legal))]!);
    }
  }
  return threats;
}

test('rings in danger are those that a legal move meets', () => {
  // Where a player may break the own last ring, random games are short.
  expect(compareGames('osu', 5)).toBeGreaterThan(20);
  for (const rules of ['eureka', 'gach', 'wikipedia,ko=superko']) compareGames(rules, 5);
});

test('a move that its player may not make threatens no ring', () => {
  const text =
    'w10w6/w17/18/w9www5/w9w1ww4/8w1www1ww2/18/18/18/18/18/b17/9b4b3/10b7/b2w5bbbb5/3w5b1b6/b8bbb6/b11b5';
  const notesOf = (rules: string): readonly string[] => {
    const game = createGess({ rules });
    return game.draw!(game.parsePosition(`${text} w 57`)).notes;
  };
  // Only White's own last ring could go there.
  expect(notesOf('eureka')).toContain("black's ring on l4 is in danger");
  expect(notesOf('osu')).toEqual([]);
});
