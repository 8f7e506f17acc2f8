import type { EvaluationBatch, Evaluator } from '../../agents/evaluators/evaluator.js';
import type { Action, Game } from '../../env/game.js';
import { fillByKey } from './evaluators/hash-evaluator.js';

/** A position: the 32-bit numbers from the root on, and the actions between them. */
export interface HashTreeState {
  readonly numbers: number[];
  readonly actions: Action[];
}

/** As in test/fixtures/mctx-golden.py. */
function scramble(number: number, salt: number): number {
  let hash = Math.imul(number ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** In [0, 1), a multiple of 2 ** -16. */
function fraction(number: number, salt: number): number {
  return (scramble(number, salt) >>> 16) / 65_536;
}

/** A hash of the position that does not depend on the moves that led there. */
function numberOf({ numbers }: HashTreeState): number {
  return numbers.at(-1)!;
}

export interface HashTree {
  /** The root's number. */
  readonly root: number;
  readonly numActions: number;
  /** Actions that are not legal at the root; below it all are. */
  readonly illegal: readonly Action[];
}

/**
 * An endless game in which the players take turns and every position is a number: the number before, scrambled with the
 * action.
 */
export function createHashTreeGame({ root, numActions, illegal }: HashTree): Game<HashTreeState> {
  const isLegal = ({ actions }: HashTreeState, action: Action): boolean =>
    action >= 0 && action < numActions && (actions.length > 0 || !illegal.includes(action));
  const legalOf = (state: HashTreeState): Action[] =>
    Array.from({ length: numActions }, (_, action) => action).filter((action) => isLegal(state, action));
  const unwritten = (): never => {
    throw new Error('a hash tree has no notation');
  };
  return {
    id: 'hash-tree',
    rules: 'default',
    rulesVersion: 1,
    encodingVersion: 1,
    playerNames: ['first', 'second'],
    numActions,
    maxLegalActions: numActions,
    encoding: {
      planes: ['the number'],
      orientation: '',
      policy: '',
      holders: { own: [], opponent: [] },
    },
    observationShape: [1, 1, 1],
    policyShape: [1, 1, numActions],
    plyLimit: Infinity,
    symmetries: [],
    packedSize: 4,
    initialState: () => ({ numbers: [root], actions: [] }),
    clone: ({ numbers, actions }) => ({ numbers: [...numbers], actions: [...actions] }),
    currentPlayer: ({ actions }) => (actions.length % 2 === 0 ? 0 : 1),
    ply: ({ actions }) => actions.length,
    outcome: () => null,
    legalActions: (state, out) => {
      const legal = legalOf(state);
      out.set(legal);
      return legal.length;
    },
    countLegalActions: (state) => legalOf(state).length,
    isLegal,
    apply: (state, action) => {
      state.numbers.push(scramble(numberOf(state), action + 7));
      state.actions.push(action);
    },
    undo: ({ numbers, actions }) => {
      numbers.pop();
      actions.pop();
    },
    historyLength: ({ actions }) => actions.length,
    historyAction: ({ actions }, index) => actions[index]!,
    hash: numberOf,
    observationHash: numberOf,
    observe: (state, out, offset) => {
      out[offset] = numberOf(state) / 2 ** 32;
    },
    policyIndex: (_player, action) => action,
    actionOfPolicyIndex: (_player, index) => index,
    pack: (state, out, offset) => {
      new DataView(out.buffer, out.byteOffset).setUint32(offset, numberOf(state));
    },
    unpack: unwritten,
    parsePosition: unwritten,
    formatPosition: unwritten,
    parseAction: Number,
    formatAction: String,
    render: unwritten,
  };
}

/** The evaluation of hash-tree positions in mctx-golden.py. */
export class HashTreeEvaluator implements Evaluator {
  readonly name = 'hash-tree';
  readonly readsInputs = true;

  evaluate(batch: EvaluationBatch): Promise<void> {
    fillByKey(batch, {
      weight: (key, policyIndex) => Math.exp(3 * fraction(key, 100 + policyIndex)),
      outcome: (key) => {
        const value = 2 * fraction(key, 1) - 1;
        return [(1 + value) / 2, 0, (1 - value) / 2];
      },
    });
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
