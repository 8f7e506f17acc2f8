import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTable } from '../../../web/board/rules/tables.js';
import { viewPosition } from '../../../web/board/position-view.js';
import { linkQuery, treeOfQuery } from '../../../web/share/game-link.js';
import { fuzz } from '../fuzz.js';
import { hostileTexts } from '../hostile-texts.js';
import { takes } from '../refusal.js';
import { FUZZED_GAMES, moveLists } from './fuzzed-games.js';

/** Links to games and to positions, as the page writes them. */
const links = fc.constantFrom(...FUZZED_GAMES).chain(({ id, games, positions }) =>
  fc
    .record(
      {
        game: fc.constant(id),
        rules: fc.constantFrom(...games.keys()),
        moves: moveLists(id),
        position: positions,
      },
      { requiredKeys: ['game'] },
    )
    // The moves of the first position seldom fit another one.
    .map(({ moves, position, ...rest }) => ({
      ...rest,
      ...(position === undefined ? { ...(moves !== undefined && { moves }) } : { position }),
    }))
    .map((query) => new URLSearchParams(query).toString()),
);

const WORDS = [
  ...[
    'game=',
    'rules=',
    'position=',
    'moves=',
    '&',
    '=',
    '+',
    '%20',
    '%00',
    '%',
    'game=gess&',
    'game=quess&',
  ],
  ...[
    'game=connect-four',
    'eureka',
    'ko=superko',
    'standard',
    'f6-f7',
    'a1',
    'd',
    '18/18',
    ' b 0',
    '__proto__',
  ],
];

fuzz("the page's links to games", {
  input: hostileTexts(links, WORDS),
  runs: 200,
  law: (text) =>
    takes(() => {
      const tree = treeOfQuery(new URLSearchParams(text));
      if (tree === null) return null;
      const query = linkQuery(tree);
      const again = treeOfQuery(new URLSearchParams(query))!;
      assert.equal(linkQuery(again), query);
      assert.deepEqual(again.actionsTo(again.current), tree.actionsTo(tree.current));
      const view = viewPosition(createTable(tree.game.id, tree.game.rules), tree);
      assert.equal(view.moves.endsOf(null).size + view.moves.starts.length === 0, view.outcome !== null);
      return tree;
    }),
});
