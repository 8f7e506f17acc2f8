import type { GameDefinition } from '../definition/game-definition.js';
import { NotationError } from '../errors.js';
import { connectFour } from './connect-four.js';
import { connectFourEvaluation } from './connect-four-evaluation.js';
import type { ConnectFourState } from './connect-four-position.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

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
};
