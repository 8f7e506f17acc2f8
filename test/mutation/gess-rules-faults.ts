import { faultsIn, type PlantedFault } from './planted-fault.js';

const settings = faultsIn('env/gess/gess-rules.ts', [
  {
    name: 'startOffBoard is read from endOffBoard',
    rule: '4.1',
    find: "startOffBoard: words.startOffBoard === 'yes'",
    replace: "startOffBoard: words.endOffBoard === 'yes'",
  },
  {
    name: 'the setting edge is ignored',
    rule: '4.1',
    find: 'edge: words.edge',
    replace: "edge: 'free'",
  },
  { name: 'the setting ko is ignored', rule: '4.1', find: 'ko: words.ko', replace: "ko: 'none'" },
  {
    name: 'the setting suicide is ignored',
    rule: '4.1',
    find: 'suicide: words.suicide',
    replace: "suicide: 'loss'",
  },
  {
    name: 'wikipedia has a free edge',
    rule: '4.2',
    find: "EUREKA, edge: 'enter'",
    replace: "EUREKA, edge: 'free'",
  },
  {
    name: 'gach has a free edge',
    rule: '4.2',
    find: "EUREKA, edge: 'stone'",
    replace: "EUREKA, edge: 'free'",
  },
  {
    name: 'sgf lets pieces start off the grid',
    rule: '4.2',
    find: '{ ...EUREKA, startOffBoard: false, endOffBoard: false }',
    replace: '{ ...EUREKA, endOffBoard: false }',
  },
  {
    name: 'osu allows suicide',
    rule: '4.2',
    find: "SGF, suicide: 'illegal'",
    replace: "SGF, suicide: 'loss'",
  },
  {
    name: 'the default rules have superko',
    rule: '2.9',
    find: "  ko: 'none',\n",
    replace: "  ko: 'superko',\n",
  },
]);

const geometry = faultsIn('env/gess/gess-board.ts', [
  {
    name: 'a piece without a centre stone goes 4 squares',
    rule: '2.2',
    find: 'export const SHORT_DISTANCE = 3;',
    replace: 'export const SHORT_DISTANCE = 4;',
  },
]);

const start = faultsIn('env/gess/position-notation.ts', [
  {
    name: 'White moves first',
    rule: '1.2',
    find: '1b1b1bbbbbbbb1b1b1 b 0',
    replace: '1b1b1bbbbbbbb1b1b1 w 0',
  },
  {
    name: "Black's ring stands on file k at the start",
    rule: '1.2',
    find: '/bbb1b1bbbb1b1b1bbb/',
    replace: '/bbb1b1bb1bbb1b1bbb/',
  },
]);

/** Faults of the named rules, the geometry and the starting position. */
export const GESS_RULES_FAULTS: readonly PlantedFault[] = [...settings, ...geometry, ...start];
