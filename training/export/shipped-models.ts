import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Game } from '../../env/game.js';
import { GAME_IDS } from '../../env/games.js';
import { modelsFolder, shippedPatterns } from '../inference/package-models.js';
import { isInstalled } from '../software-version.js';
import { EXPORT_FILES } from './export-files.js';
import { readSpecSync } from './spec-file.js';

/** Thinking time of the default agents per move, in milliseconds. */
const MOVE_MS = 1000;

/**
 * The folder of a model that the package ships, by its name: `gess`, `quess`, `connect-four`; undefined for any other
 * text, such as a path.
 */
export function shippedModel(name: string): string | undefined {
  const folder = modelsFolder(name);
  return folder !== undefined && existsSync(join(folder, EXPORT_FILES.spec)) ? folder : undefined;
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
 * Whether the package ships a network for the game and its rules, and the library that runs it is installed.
 *
 * @throws DataError if the specification of the shipped network is damaged.
 */
export function hasShippedNetwork(game: Game<unknown>): boolean {
  const folder = shippedModel(game.id);
  return folder !== undefined && isInstalled('onnxruntime-node') && isFor(folder, game);
}

function isFor(folder: string, { rules }: Game<unknown>): boolean {
  return readSpecSync(join(folder, EXPORT_FILES.spec)).rules === rules;
}

/** Default agents by game and rules: the files of the package do not change, and the engine asks at each line. */
const defaultAgents = new Map<string, string>();

/**
 * Text of the best agent for a game that needs no further files: alpha-beta with the shipped pattern network, the
 * shipped network, or plain alpha-beta; one second per move.
 *
 * @throws DataError if the specification of the shipped network is damaged.
 */
export function defaultAgent(game: Game<unknown>): string {
  const key = `${game.id} ${game.rules}`;
  let agent = defaultAgents.get(key);
  if (agent === undefined) {
    agent = findDefaultAgent(game);
    defaultAgents.set(key, agent);
  }
  return agent;
}

function findDefaultAgent(game: Game<unknown>): string {
  if (shippedPatterns(game.id) !== undefined && isFor(shippedModel(game.id)!, game)) {
    return `alphabeta:network=${game.id},timeMs=${MOVE_MS}`;
  }
  if (hasShippedNetwork(game)) return `mcts:model=${game.id},leaves=8,timeMs=${MOVE_MS}`;
  return `alphabeta:timeMs=${MOVE_MS}`;
}
