import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Game } from '../../env/game.js';
import { isInstalled } from '../software-version.js';

const require = createRequire(import.meta.url);

/** Time of a move of the default agents. */
const MOVE_MS = 1000;

/**
 * The folder of a model that the package ships, by its name: `gess`, `quess`, `connect-four`; undefined for any other text,
 * such as a path.
 */
export function shippedModel(name: string): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(name)) return undefined;
  const folder = join(dirname(require.resolve('gess-zero/package.json')), 'models', name);
  return existsSync(join(folder, 'model.onnx')) ? folder : undefined;
}

/** Text of the best agent for a game that needs no further files: the shipped network, or alpha-beta; a second a move. */
export function defaultAgent(game: Game<unknown>): string {
  const folder = shippedModel(game.id);
  if (folder === undefined || !isInstalled('onnxruntime-node')) return `alphabeta:timeMs=${MOVE_MS}`;
  const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as { readonly rules: string };
  if (spec.rules !== game.rules) return `alphabeta:timeMs=${MOVE_MS}`;
  return `mcts:model=${game.id},leaves=8,timeMs=${MOVE_MS}`;
}
