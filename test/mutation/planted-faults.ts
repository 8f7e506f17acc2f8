import { GESS_MOVE_FAULTS } from './gess-move-faults.js';
import { GESS_MOVEMENT_FAULTS } from './gess-movement-faults.js';
import { GESS_RULES_FAULTS } from './gess-rules-faults.js';
import { GESS_STATE_FAULTS } from './gess-state-faults.js';
import type { PlantedFault } from './planted-fault.js';
import { QUESS_FAULTS } from './quess-faults.js';
import { SEARCH_FAULTS } from './search-faults.js';

/** Every fault that `npm run mutate` plants. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...GESS_MOVEMENT_FAULTS,
  ...GESS_MOVE_FAULTS,
  ...GESS_STATE_FAULTS,
  ...GESS_RULES_FAULTS,
  ...QUESS_FAULTS,
  ...SEARCH_FAULTS,
];
