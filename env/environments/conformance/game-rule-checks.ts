import { countPositions } from '../../perft.js';
import { positionAfter } from '../../replay/replay.js';
import { type Game, listActions } from '../../game.js';
import { firstDifference } from './difference.js';
import type { FindingList, Place } from './finding.js';
import { playActions } from './game-play.js';
import { type GameRun, listHistory, stateView, walk } from './game-run.js';
import { sizeOfShape } from '../../spaces/shape.js';

/** A perft count. */
export interface PerftCount {
  readonly depth: number;
  readonly nodes: number;
  /** The text of the position. Defaults to the game's initial one. */
  readonly position?: string | undefined;
  /** Moves from there, separated by white space. */
  readonly moves?: string | undefined;
}

/** Checks that the encoding describes each plane once and names planes that exist. */
function checkEncoding<State>({ encoding, observationShape }: Game<State>, list: FindingList): void {
  const [, , planes] = observationShape;
  if (encoding.planes.length !== planes || encoding.planes.includes('')) {
    list.add(
      'game-facts',
      `expected texts for ${planes} planes in the encoding, got ${encoding.planes.length}`,
    );
  }
  const { holders, rings } = encoding;
  const named = [...holders.own, ...holders.opponent, ...(rings ? [rings.own, rings.opponent] : [])];
  const isPlane = (plane: number): boolean => Number.isInteger(plane) && plane >= 0 && plane < planes;
  if (!named.every(isPlane) || new Set(named).size !== named.length) {
    list.add('game-facts', `expected different planes as holders and rings, got ${named.join(', ')}`);
  }
}

/** Checks sizes, names and limits. */
export function checkFacts<State>(game: Game<State>, list: FindingList): void {
  const counts = {
    numActions: game.numActions,
    maxLegalActions: game.maxLegalActions,
    plyLimit: game.plyLimit,
    packedSize: game.packedSize,
    'symmetries.length': game.symmetries.length,
    'product of observationShape': sizeOfShape(game.observationShape),
  };
  for (const [name, value] of Object.entries(counts)) {
    if (!Number.isInteger(value) || value < 1) {
      list.add('game-facts', `expected ${name} to be a positive integer, got ${value}`);
    }
  }
  if (sizeOfShape(game.policyShape) !== game.numActions) {
    list.add(
      'game-facts',
      `expected ${game.numActions} as product of policyShape, got ${sizeOfShape(game.policyShape)}`,
    );
  }
  if (game.maxLegalActions > game.numActions) {
    list.add('game-facts', `expected at most ${game.numActions} legal actions, got ${game.maxLegalActions}`);
  }
  checkEncoding(game, list);
  if (game.playerNames[0] === game.playerNames[1] || game.playerNames.includes('')) {
    list.add('game-facts', `expected two names, got '${game.playerNames.join("', '")}'`);
  }
}

/** Checks that initial states are equal, at ply 0 and independent. */
export function checkStart<State>({ game, list, actions, episode }: GameRun<State>): void {
  const before = stateView(game, game.initialState());
  if (before['ply'] !== 0 || game.historyLength(game.initialState()) !== 0) {
    list.end('game-start', `expected ply 0 and no history, got ply ${game.ply(game.initialState())}`);
  }
  playActions(game, actions);
  const after = stateView(game, game.initialState());
  list.expectSame('game-start', firstDifference(after, before), { episode, step: null });
}

/** Checks that a move passes the turn, adds a ply and extends the history. */
export function checkTurns<State>(run: GameRun<State>): void {
  const { game, list, actions } = run;
  const start = game.initialState();
  const first = game.currentPlayer(start);
  walk(run, (state, place) => {
    const step = place.step!;
    const found = {
      player: game.currentPlayer(state),
      ply: game.ply(state),
      history: listHistory(game, state),
    };
    const player = step % 2 === 0 ? first : 1 - first;
    const expected = { player, ply: game.ply(start) + step, history: actions.slice(0, step) };
    list.expectSame('game-turns', firstDifference(found, expected), place);
  });
}

/**
 * Checks that the outcome is valid, and that legal actions are ascending, in range, and empty exactly at the
 * end.
 */
export function checkActions<State>(run: GameRun<State>): void {
  const { game, list } = run;
  walk(run, (state, place) => {
    const outcome: number | null = game.outcome(state);
    if (outcome !== null && ![-1, 0, 1].includes(outcome)) {
      list.end('game-outcome', `expected null, 1, 0 or -1, got ${outcome}`, place);
    }
    const actions = listActions(game, state);
    const stray = actions.findIndex(
      (action, i) => action <= (i === 0 ? -1 : actions[i - 1]!) || action >= game.numActions,
    );
    if (stray !== -1) {
      const after = stray === 0 ? 'the first' : `after ${actions[stray - 1]!}`;
      list.end(
        'game-actions',
        `expected legal actions ascending below ${game.numActions}, got ${actions[stray]!} as ${after}`,
        place,
      );
    }
    if ((actions.length === 0) !== (outcome !== null)) {
      list.end(
        'game-actions',
        `expected legal actions before the end of the game and none at it, got ${actions.length} with outcome ${outcome}`,
        place,
      );
    }
  });
}

/** Number of arbitrary actions tried at each position. */
const NUM_ASKED = 60;

/** Checks that `isLegal` and `countLegalActions` agree with the list. */
export function checkLegality<State>(run: GameRun<State>): void {
  const { game, list } = run;
  const { numActions } = game;
  const stride = Math.max(1, Math.floor(numActions / NUM_ASKED));
  walk(run, (state, place) => {
    const actions = listActions(game, state);
    const legal = new Set(actions);
    const count = game.countLegalActions(state);
    if (count !== actions.length) {
      list.end(
        'game-legality',
        `expected countLegalActions to return ${actions.length}, got ${count}`,
        place,
      );
    }
    // Arbitrary actions, which vary with the ply, and the neighbours of legal ones.
    const others = Array.from({ length: NUM_ASKED }, (_, i) => (i * stride + place.step! * 7) % numActions);
    const asked = [...actions, ...actions.map((action) => action + 1), ...others, -1, numActions, 0.5, NaN];
    for (const action of asked) {
      if (game.isLegal(state, action) === legal.has(action)) continue;
      list.end(
        'game-legality',
        `expected isLegal(${action}) to be ${legal.has(action)}, got the opposite`,
        place,
      );
    }
  });
}

/** Seconds that do not run out any clock. */
const SHORT_TIME = 0.002;

/** Checks that `undo` reverses `apply` and the time spent before it. */
export function checkUndo<State>(run: GameRun<State>): void {
  const { game, list } = run;
  const last = walk(run, (state, place) => {
    const actions = listActions(game, state);
    const before = stateView(game, state);
    const expectBefore = (): void => {
      list.expectSame('game-undo', firstDifference(stateView(game, state), before), place);
    };
    for (const action of new Set([actions.at(0), actions.at(-1)])) {
      if (action === undefined) continue;
      game.apply(state, action);
      game.undo(state);
      expectBefore();
      if (game.spendTime === undefined) continue;
      const timed = playActions(game, run.actions.slice(0, place.step!));
      game.spendTime(timed, SHORT_TIME);
      game.apply(timed, action);
      game.undo(timed);
      list.expectSame('game-undo', firstDifference(stateView(game, timed), before), place);
    }
  });
  const { episode } = run;
  while (game.historyLength(last) > 0) {
    const step = game.historyLength(last) - 1;
    game.undo(last);
    const expected = stateView(game, playActions(game, run.actions.slice(0, step)));
    list.expectSame('game-undo', firstDifference(stateView(game, last), expected), { episode, step });
  }
}

/** Checks that a clone is equal to its original, and that neither changes with the other. */
export function checkClone<State>(run: GameRun<State>): void {
  const { game, list, actions } = run;
  let previous: { readonly clone: State; readonly view: unknown } | undefined;
  const expectEqual = (state: State, view: unknown, place: Place): void => {
    list.expectSame('game-clone', firstDifference(stateView(game, state), view), place);
  };
  walk(run, (state, place) => {
    // The original has advanced since.
    if (previous !== undefined) expectEqual(previous.clone, previous.view, place);
    const view = stateView(game, state);
    const clone = game.clone(state);
    expectEqual(clone, view, place);
    const other = game.clone(state);
    const action = listActions(game, other).at(-1);
    if (action !== undefined) game.apply(other, action);
    expectEqual(state, view, place);
    expectEqual(clone, view, place);
    previous = { clone, view };
  });
  // The clone has its own full history: undoing it visits the original's earlier positions.
  const half = actions.slice(0, Math.ceil(actions.length / 2));
  const origin = playActions(game, half);
  const clone = game.clone(origin);
  for (const action of actions.slice(half.length)) game.apply(origin, action);
  const twin = playActions(game, half);
  while (game.historyLength(twin) > 0) {
    game.undo(clone);
    game.undo(twin);
    expectEqual(clone, stateView(game, twin), { episode: run.episode, step: game.historyLength(twin) });
  }
}

/** Checks perft counts. */
export function checkPerft<State>(game: Game<State>, list: FindingList, counts: readonly PerftCount[]): void {
  for (const { depth, nodes, position, moves = '' } of counts) {
    const found = countPositions(game, positionAfter(game, { position, moves }), depth);
    if (found === nodes) continue;
    const where =
      position === undefined && moves === '' ? 'the start' : `${position ?? 'the start'} ${moves}`;
    list.add('game-perft', `expected ${nodes} positions ${depth} plies below ${where}, got ${found}`);
  }
}

/** Checks that diagrams are not empty and that rendering changes nothing. */
export function checkGameRender<State>(run: GameRun<State>): void {
  const { game, list } = run;
  walk(run, (state, place) => {
    const before = stateView(game, state);
    const text = game.render(state);
    const svg = game.renderSvg?.(state);
    if (text.trim() === '') list.end('game-render-empty', 'expected a diagram of text, got none', place);
    if (svg !== undefined && !/<svg[\s>][^]*<\/svg>/.test(svg)) {
      list.end('game-render-empty', `expected an SVG document, got '${svg.slice(0, 20)}'`, place);
    }
    list.expectSame('game-render-changes', firstDifference(stateView(game, state), before), place);
  });
}
