import { join } from 'node:path';
import type { PlayOptions } from '../../agents/play-options.js';
import { exists } from '../../data/files/atomic-file.js';
import type { Checkpoint } from '../../training/checkpoints/checkpoint.js';
import { checkpointManifestPath } from '../../training/checkpoints/checkpoint-files.js';
import { readCheckpoint, readInt8Model } from '../../training/checkpoints/checkpoint-folder.js';
import { playOptionsOf } from '../../training/config/groups/evaluation-config.js';
import { EXPORT_FILES } from '../../training/export/export-files.js';
import { readExportedFile } from '../../training/export/exported-file.js';
import { readExportedNetwork } from '../../training/export/exported-network.js';
import { notesIn } from '../../training/export/model-card.js';
import { readSpec } from '../../training/export/spec-file.js';
import { notedRun } from './run-notes.js';

/** A network to export, with the facts in its folder. */
export interface ExportSource {
  readonly checkpoint: Checkpoint;
  readonly play?: PlayOptions | undefined;
  readonly license?: string | undefined;
  /** Markdown for the model card. */
  readonly notes?: string | undefined;
  readonly int8?: Uint8Array | undefined;
}

/** An earlier export; null for other folders. */
async function readEarlierExport(folder: string): Promise<ExportSource | null> {
  const checkpoint = await readExportedNetwork(folder);
  const spec = await readSpec(join(folder, EXPORT_FILES.spec));
  if (checkpoint === null || spec === null) return null;
  const fileIn = async (name: string): Promise<Buffer | undefined> =>
    spec.files[name] === undefined ? undefined : readExportedFile(spec, join(folder, name));
  const card = await fileIn(EXPORT_FILES.card);
  return {
    checkpoint,
    // Its agents play with the default options.
    play: spec.play ?? {},
    license: spec.license ?? undefined,
    notes: card === undefined ? undefined : notesIn(join(folder, EXPORT_FILES.card), card),
    int8: await fileIn(EXPORT_FILES.int8),
  };
}

/**
 * Reads a checkpoint, with the records of its run if it belongs to one, or an earlier export.
 *
 * @throws errors of `readCheckpoint`, `summarizeRun` and `readExportedNetwork`.
 */
export async function readExportSource(folder: string): Promise<ExportSource> {
  if (!(await exists(checkpointManifestPath(folder)))) {
    const earlier = await readEarlierExport(folder);
    if (earlier !== null) return earlier;
  }
  const checkpoint = await readCheckpoint(folder);
  const run = await notedRun(folder, checkpoint.generation);
  return {
    checkpoint,
    play: run === null ? undefined : playOptionsOf(run.config.evaluation),
    notes: run?.notes,
    int8: await readInt8Model(folder),
  };
}
