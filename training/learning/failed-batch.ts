import { join, resolve } from 'node:path';
import { exists, makeFolder, writeFileAtomic } from '../../data/files/atomic-file.js';
import type { RowWindow } from '../../data/datasets/row-window.js';
import { sampleOfRow } from '../../data/shards/shard-rows.js';
import type { Game } from '../../env/game.js';
import { TrainingError } from '../training-error.js';

/** A batch whose loss or gradient is not finite. */
export interface FailedBatch<State> {
  readonly game: Game<State>;
  readonly window: RowWindow;
  /** Rows of the batch, in the window. */
  readonly rows: Uint32Array;
  /** Step of the optimiser. */
  readonly step: number;
  /** Losses and norms by name; at least one is not finite. */
  readonly found: Readonly<Record<string, number>>;
}

/** An unused path for a JSON file, since earlier failures may have left files. */
async function freePath(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? '' : `-${String(count)}`}.json`);
    if (!(await exists(path))) return path;
  }
}

/**
 * Saves the batch for inspection and fails.
 *
 * @param folder for the batch's file; created if it is missing.
 * @throws TrainingError `loss-not-finite`, whose message names the file.
 * @throws DataError `disk-full`, `write-failed` if the batch cannot be saved.
 */
export async function saveFailedBatch<State>(failed: FailedBatch<State>, folder: string): Promise<never> {
  const { game, window, rows, step } = failed;
  const state = game.initialState();
  const samples = Array.from(rows, (row) => {
    const { position, finalPosition, actions, policy, ...sample } = sampleOfRow(
      window.shard(row),
      window.index(row),
    );
    const text = (packed: Uint8Array): string => {
      game.unpack(packed, 0, state);
      return game.formatPosition(state);
    };
    return {
      ...sample,
      row,
      position: text(position),
      finalPosition: finalPosition === null ? null : text(finalPosition),
      actions: Array.from(actions),
      policy: Array.from(policy, String),
    };
  });
  const path = await freePath(resolve(folder), `loss-not-finite-step-${String(step)}`);
  const losses = Object.fromEntries(
    Object.entries(failed.found).map(([name, value]) => [name, String(value)]),
  );
  await makeFolder(folder);
  await writeFileAtomic(path, `${JSON.stringify({ step, losses, samples })}\n`);
  const names = Object.keys(losses).filter((name) => !Number.isFinite(failed.found[name]));
  throw new TrainingError(
    'loss-not-finite',
    `expected finite losses, found ${names.map((name) => `${name} ${losses[name]!}`).join(', ')} ` +
      `in step ${step}; the batch is in ${path}`,
  );
}
