import type { Command } from '@commander-js/extra-typings';
import { expectPlaceForFile, writeOutputFile } from '../../../data/files/output-file.js';
import { NotationError } from '../../../env/errors.js';
import { type DiagramOptions, type Game, listActions } from '../../../env/game.js';
import { nameOutcome } from '../../../env/replay/replay.js';
import {
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
} from '../../options/game-options.js';
import { expectNoIdleOptions } from '../../options/idle-options.js';
import { expectEnding } from '../../options/output-endings.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import type { Output } from '../../output.js';
import { UsageError } from '../../usage/usage-error.js';

/** The state of a position for front-ends, as JSON. */
function summarize(game: Game<unknown>, state: unknown): Readonly<Record<string, unknown>> {
  const moves = game.historyLength(state);
  const pieces = game.describePieces?.(state);
  return {
    ...game.describe?.(state),
    game: game.id,
    rules: game.rules,
    position: game.formatPosition(state),
    player: game.playerNames[game.currentPlayer(state)],
    ply: game.ply(state),
    outcome: nameOutcome(game, state),
    lastMove: moves === 0 ? null : game.formatAction(game.historyAction(state, moves - 1)),
    legalMoves: Array.from(listActions(game, state), (action) => game.formatAction(action)),
    ...(pieces !== undefined && { pieces }),
  };
}

function drawSvg(game: Game<unknown>, state: unknown, options: DiagramOptions): string {
  const svg = game.renderSvg?.(state, options);
  if (svg !== undefined) return svg;
  throw new NotationError('no-diagram', `expected a game that draws SVG, got '${game.id}'`);
}

/** `gess show`: a position as a diagram, or its state as JSON. */
export function defineShow(command: Command, output: Output): void {
  command
    .option('--piece <square>', 'mark the moves of the piece on this square, such as l3')
    .option('--svg [file]', 'draw SVG, to stdout or to a file')
    .addOption(overwriteOption)
    .option('--json', 'print one JSON object, legal moves included')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addOption(positionOption)
    .addOption(movesOption)
    .action(async (options) => {
      const { piece, svg, json, overwrite } = options;
      if (json === true && (svg !== undefined || piece !== undefined)) {
        throw new UsageError(command, 'option-conflict', 'expected --json without --svg and --piece');
      }
      const { game, state } = openPosition(options);
      // Its moves have no first square.
      if (game.policyTargets === undefined)
        expectNoIdleOptions(command, ['piece'], `with a game of pieces that move, got '${game.id}'`);
      if (typeof svg === 'string') {
        expectEnding(command, '--svg', svg, '.svg');
        await expectPlaceForFile(svg, overwrite);
        await writeOutputFile(svg, drawSvg(game, state, { piece }), overwrite);
        output.message(`gess show: wrote ${svg}`);
        return;
      }
      if (json === true) output.result(JSON.stringify(summarize(game, state)));
      else if (svg === true) output.result(drawSvg(game, state, { piece }).trimEnd());
      else
        output.result(
          `${game.render(state, { piece, paint: output.paint })}\nposition ${game.formatPosition(state)}`,
        );
    });
}
