import { Command } from 'commander';
import type { Game } from '../../env/game.js';
import { nameOutcome } from '../../env/replay.js';
import { addPositionOptions, openPosition, type PositionOptions } from '../game-options.js';
import type { Output } from '../output.js';

/** All that a front-end may want to know of a position, for JSON. */
function summarise(game: Game<unknown>, state: unknown): Readonly<Record<string, unknown>> {
  const actions = new Int32Array(game.maxLegalActions);
  const count = game.legalActions(state, actions);
  const moves = game.historyLength(state);
  return {
    game: game.id,
    rules: game.rules,
    position: game.formatPosition(state),
    player: game.playerNames[game.currentPlayer(state)],
    ply: game.ply(state),
    outcome: nameOutcome(game, state),
    lastMove: moves === 0 ? null : game.formatAction(game.historyAction(state, moves - 1)),
    ...game.describe?.(state),
    legalMoves: Array.from(actions.subarray(0, count), (action) => game.formatAction(action)),
  };
}

/** `gess show`: a position as a diagram, or all about it as JSON. */
export function showCommand(output: Output): Command {
  const command = new Command('show')
    .description('draw a position')
    .option('--json', 'print one JSON object, legal moves included');
  return addPositionOptions(command).action((options: PositionOptions & { json?: true }) => {
    const { game, state } = openPosition(options);
    output.result(options.json === true ? JSON.stringify(summarise(game, state)) : game.render(state));
  });
}
