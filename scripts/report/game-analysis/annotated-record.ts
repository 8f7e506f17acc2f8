import type { GameRecord, RecordMove, RecordProperties } from '../../../data/records/record.js';
import { withoutUndefined } from '../../../data/records/record.js';
import { describeMove } from './analysis-words.js';
import type { GameAnalysis, MoveAnalysis } from './game-analysis.js';

/** Prefix of the line that an analysis adds to a comment, by which a later analysis finds and replaces it. */
const MARK = 'gess analyze: ';
/** Digits of a value in a record. */
const DIGITS = 4;

/** SGF's annotations of moves, of which a node may have one. */
const MOVE_ANNOTATIONS = ['BM', 'DO', 'IT', 'TE'] as const;

/** A comment with the line of the analysis; other lines are kept. */
function commentWith(comment: string | undefined, line: string): string {
  const kept = (comment ?? '').split('\n').filter((text) => !text.startsWith(MARK));
  while (kept.at(-1)?.trim() === '') kept.pop();
  return [...kept, `${MARK}${line}`].join('\n');
}

/** SGF's bad move, for a blunder with emphasis, or doubtful move; none if the record has an annotation already. */
function annotationOf({ judgement }: MoveAnalysis, properties: RecordProperties): RecordProperties {
  if (judgement === null || MOVE_ANNOTATIONS.some((name) => name in properties)) return {};
  switch (judgement.name) {
    case 'blunder':
      return { BM: ['2'] };
    case 'mistake':
      return { BM: ['1'] };
    case 'inaccuracy':
      return { DO: [''] };
  }
}

/** The value after the move to player 0, as SGF's `V` counts it. */
function valueOf({ value, before }: MoveAnalysis, properties: RecordProperties): RecordProperties {
  if (value === null || 'V' in properties) return {};
  return { V: [(before.player === 0 ? value : 0 - value).toFixed(DIGITS)] };
}

/** The record with the analysis in its comments and properties; existing content is kept. */
export function annotateRecord({ game, record, moves }: GameAnalysis): GameRecord {
  const byNode = new Map(moves.map((move) => [move.node, move]));
  const annotate = (node: RecordMove, index: number): RecordMove => {
    const move = byNode.get(index);
    if (move === undefined) return node;
    const { properties = {} } = node;
    const added = { ...annotationOf(move, properties), ...valueOf(move, properties) };
    return withoutUndefined({
      ...node,
      comment: commentWith(node.comment, describeMove(game, move)),
      properties:
        Object.keys({ ...properties, ...added }).length === 0 ? undefined : { ...properties, ...added },
    });
  };
  return { ...record, moves: record.moves.map(annotate) };
}
