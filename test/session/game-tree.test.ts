import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGame } from '../../env/games.js';
import { GameTree, type NodeId, ROOT_NODE } from '../../session/game-tree.js';
import { recordOfTree, treeOfRecord } from '../../session/record-tree.js';

const gess = createGame('gess');

/** Plays a legal move, chosen by a number. */
function playSome(tree: GameTree, choice: number): NodeId {
  const legal = new Int32Array(tree.game.maxLegalActions);
  const count = tree.game.legalActions(tree.state, legal);
  return count === 0 ? tree.current : tree.play(legal[choice % count]!);
}

/** The part of a position that replaying it from the start keeps. */
function textAt(tree: GameTree, node: NodeId): string {
  const state = tree.game.parsePosition(tree.start);
  for (const action of tree.actionsTo(node)) tree.game.apply(state, action);
  return tree.game.formatPosition(state);
}

/** Steps at a board: a move, or a walk to some node. */
const steps = fc.array(fc.record({ isMove: fc.boolean(), choice: fc.nat(5000) }), { maxLength: 40 });

function wander(tree: GameTree, list: readonly { isMove: boolean; choice: number }[]): void {
  for (const { isMove, choice } of list) {
    if (isMove) playSome(tree, choice);
    else tree.goTo(choice % tree.size);
  }
}

describe.each(['gess', 'quess', 'connect-four'])('a tree of %s', (id) => {
  const game = createGame(id);

  test('has at every node the position of its moves', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const tree = new GameTree(game);
        wander(tree, list);
        for (let node = 0; node < tree.size; node++) {
          tree.goTo(node);
          expect(game.formatPosition(tree.state)).toBe(textAt(tree, node));
          expect(tree.lineThrough(node).slice(0, tree.pathTo(node).length)).toEqual(tree.pathTo(node));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is the same after a record of it was read', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const tree = new GameTree(game);
        wander(tree, list);
        tree.setComment(tree.current, 'here');
        const record = recordOfTree(tree);
        const again = treeOfRecord(game, record);
        expect(again.size).toBe(tree.size);
        expect(recordOfTree(again)).toEqual(record);
      }),
      { numRuns: 20 },
    );
  });
});

test('a move that already exists is not added again; another one is a variation', () => {
  const tree = new GameTree(gess);
  const first = tree.play(gess.parseAction('f6-f7'));
  tree.goTo(ROOT_NODE);
  expect(tree.play(gess.parseAction('f6-f7'))).toBe(first);
  tree.goTo(ROOT_NODE);
  const other = tree.play(gess.parseAction('f6-f8'));
  expect(tree.childrenOf(ROOT_NODE)).toEqual([first, other]);
  tree.goTo(ROOT_NODE);
  tree.remove(first);
  expect(tree.childrenOf(ROOT_NODE)).toEqual([other]);
});

test('taking a move back restores its seconds', () => {
  const quess = createGame('quess', 'standard,clock=60');
  const tree = new GameTree(quess);
  const before = quess.formatPosition(tree.state);
  const legal = new Int32Array(quess.maxLegalActions);
  quess.legalActions(tree.state, legal);
  const node = tree.play(legal[0]!, 12.5);
  expect(quess.describe?.(tree.state)).toMatchObject({ clocks: { light: 47.5, dark: 60 } });
  tree.goTo(ROOT_NODE);
  expect(quess.formatPosition(tree.state)).toBe(before);
  tree.goTo(node);
  expect(quess.describe?.(tree.state)).toMatchObject({ clocks: { light: 47.5, dark: 60 } });
});
