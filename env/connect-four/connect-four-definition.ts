import type { GameDefinition } from '../definition/game-definition.js';
import { NotationError } from '../errors.js';
import { connectFour } from './connect-four.js';
import { connectFourEvaluation } from './connect-four-evaluation.js';
import type { ConnectFourState } from './connect-four-position.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

const INTRODUCTION = [
  'The players drop stones into the seven columns, red first. A stone falls onto',
  'the stones below it.',
  '',
  'Four stones of your colour in a line win: across, up, or along a diagonal. A',
  'full board without such a line is a draw.',
  '',
  '3 drops a stone into the middle column; columns are numbered 0 to 6.',
] as const;

/** Connect Four. */
export const connectFourDefinition: GameDefinition<ConnectFourState> = {
  id: connectFour.id,
  create: ({ rules }) => {
    if (rules === 'default' || rules === connectFour.rules) return connectFour;
    throw new NotationError(
      'rules-unknown',
      `expected rules '${connectFour.rules}', got ${quote(rules)}${suggestName(rules, [connectFour.rules])}`,
    );
  },
  environments: { 'gess/ConnectFour-v0': {} },
  evaluations: { default: () => connectFourEvaluation },
  introduction: INTRODUCTION,
};
