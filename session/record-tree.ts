import type { GameRecord, RecordLine, RecordMove } from '../data/records/record.js';
import type { Game } from '../env/game.js';
import { GameTree, type NodeId, ROOT_NODE } from './game-tree.js';

/**
 * A record as a tree. A line ends before a move that cannot be played, even by force.
 *
 * @param game of the record's rules.
 * @throws NotationError for an unreadable position or move.
 */
export function treeOfRecord<State>(game: Game<State>, record: GameRecord): GameTree<State> {
  const tree = new GameTree(game, record.position);
  if (record.comment !== undefined) tree.setComment(ROOT_NODE, record.comment);
  addLine(tree, record.moves);
  tree.goTo(ROOT_NODE);
  return tree;
}

/** Adds a line after the current node. Recursive in the depth of variations, which readers limit. */
function addLine<State>(tree: GameTree<State>, line: RecordLine): void {
  for (const { move, comment, seconds, variations = [] } of line) {
    const before = tree.current;
    if (move !== undefined) {
      const action = tree.game.parseAction(move);
      if (!tree.game.isLegal(tree.state, action) && tree.game.canForce?.(tree.state, action) !== true) return;
      tree.play(action, seconds);
    }
    const here = tree.current;
    if (comment !== undefined) tree.setComment(here, joined(tree.commentOf(here), comment));
    for (const variation of variations) {
      tree.goTo(before);
      addLine(tree, variation);
    }
    tree.goTo(here);
  }
}

function joined(known: string, comment: string): string {
  return known === '' ? comment : `${known}\n${comment}`;
}

/** The moves after `node`, with variations. Recursive in the depth of variations only. */
function lineAfter(tree: GameTree, node: NodeId): RecordMove[] {
  const line: RecordMove[] = [];
  for (let [next, ...others] = tree.childrenOf(node); next !== undefined;) {
    const variations = others.map((other) => [moveAt(tree, other), ...lineAfter(tree, other)]);
    line.push({ ...moveAt(tree, next), ...(variations.length > 0 && { variations }) });
    [next, ...others] = tree.childrenOf(next);
  }
  return line;
}

function moveAt(tree: GameTree, node: NodeId): RecordMove {
  const { action, seconds } = tree.moveOf(node)!;
  const comment = tree.commentOf(node);
  return {
    move: tree.game.formatAction(action),
    ...(comment !== '' && { comment }),
    ...(seconds > 0 && { seconds }),
  };
}

/** A tree as a record, with its comments. */
export function recordOfTree(tree: GameTree): GameRecord {
  const { game, start } = tree;
  const comment = tree.commentOf(ROOT_NODE);
  return {
    game: game.id,
    rules: game.rules,
    ...(start !== game.formatPosition(game.initialState()) && { position: start }),
    ...(comment !== '' && { comment }),
    moves: lineAfter(tree, ROOT_NODE),
  };
}
