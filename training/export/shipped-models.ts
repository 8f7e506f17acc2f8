import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Game } from '../../env/game.js';
import { GAME_IDS } from '../../env/games.js';
import { EXPORT_FILES } from './export-files.js';
import { isInstalled } from '../software-version.js';
import { readSpecSync } from './spec-file.js';

const require = createRequire(import.meta.url);

/** Thinking time of the default agents per move, in milliseconds. */
const MOVE_MS = 1000;

/**
 * The folder of a model that the package ships, by its name: `gess`, `quess`, `connect-four`; undefined for any other
 * text, such as a path.
 */
export function shippedModel(name: string): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(name)) return undefined;
  const folder = join(dirname(require.resolve('gess-zero/package.json')), 'models', name);
  return existsSync(join(folder, EXPORT_FILES.spec)) ? folder : undefined;
}

/** Names of the models that the package ships. */
export function shippedModels(): readonly string[] {
  return GAME_IDS.filter((name) => shippedModel(name) !== undefined);
}

/** Suffix of the names of shipped models in int8. */
const INT8_SUFFIX = '-int8';

/** The ONNX file of a shipped model: float32 for `gess`, int8 for `gess-int8`; undefined for other texts. */
export function shippedModelFile(name: string): string | undefined {
  const isInt8 = name.endsWith(INT8_SUFFIX);
  const folder = shippedModel(isInt8 ? name.slice(0, -INT8_SUFFIX.length) : name);
  return folder === undefined ? undefined : join(folder, isInt8 ? EXPORT_FILES.int8 : EXPORT_FILES.legal);
}

/**
 * Text of the best agent for a game that needs no further files: the shipped network, or alpha-beta; one second per
 * move.
 *
 * @throws DataError if the specification of the shipped network is damaged.
 */
export function defaultAgent(game: Game<unknown>): string {
  const folder = shippedModel(game.id);
  if (folder === undefined || !isInstalled('onnxruntime-node')) return `alphabeta:timeMs=${MOVE_MS}`;
  if (readSpecSync(join(folder, EXPORT_FILES.spec)).rules !== game.rules)
    return `alphabeta:timeMs=${MOVE_MS}`;
  return `mcts:model=${game.id},leaves=8,timeMs=${MOVE_MS}`;
}
