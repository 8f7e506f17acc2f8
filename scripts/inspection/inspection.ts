import { basename, dirname, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import { listDatasetShards } from '../../data/datasets/dataset-folder.js';
import {
  type DatasetSummary,
  summarizeDataset,
  type SummaryOptions,
} from '../../data/datasets/dataset-summary.js';
import { EPISODES_KIND, readEpisodes } from '../../data/episodes/episode-file.js';
import { arrowManifestPath } from '../../data/arrow-names.js';
import { type EpisodesSummary, summarizeEpisodes } from '../../data/episodes/episode-summary.js';
import { DataError } from '../../data/data-error.js';
import { isFolder } from '../../data/folder-reader.js';
import { readAnyManifest } from '../../data/files/manifest.js';
import { type FolderKind, folderKindOf } from '../../data/files/output-folder.js';
import { SHARD_KIND } from '../../data/shards/shard.js';
import { CHECKPOINT_KIND } from '../../training/checkpoints/checkpoint-files.js';
import {
  type CheckpointSummary,
  summarizeCheckpoint,
} from '../../training/checkpoints/checkpoint-summary.js';
import { isRunFolder, runPaths } from '../../training/run/run-paths.js';
import { type RunSummary, summarizeRun } from '../../training/run/run-summary.js';
import { quote } from '../../env/text/quoted-text.js';

/** The content of a path, by its kind. */
export type Inspection = { readonly path: string } & (
  | ({ readonly kind: 'shard' } & DatasetSummary)
  | ({ readonly kind: 'dataset' } & DatasetSummary)
  | ({ readonly kind: 'checkpoint' } & CheckpointSummary)
  | ({ readonly kind: 'run' } & RunSummary)
  | ({ readonly kind: 'episodes' } & EpisodesSummary)
);

/** The inspection of this kind. */
export type InspectionOf<Kind extends Inspection['kind']> = Extract<Inspection, { readonly kind: Kind }>;

const EXPECTED =
  'a shard or a file of episodes (.arrow, with its manifest beside it), a folder of shards, a checkpoint or a run';

/** The commands that describe folders of other kinds. */
const OTHER_COMMANDS: Partial<Record<FolderKind, string>> = {
  'exported model': 'an exported model: gess export --verify checks and describes it',
  match: 'a match: gess evaluate --resume with this folder as --out prints its result',
  ladder: 'a ladder: gess ladder with this folder as --out prints its ratings',
};

function unknown(path: string, kind?: string): DataError {
  return unexpected(
    path,
    kind === undefined ? '' : `, found the manifest of files of the kind ${quote(kind)}`,
  );
}

function unexpected(path: string, found: string): DataError {
  return new DataError('dataset-unknown', `expected ${EXPECTED} at ${path}${found}`);
}

async function inspectFile(path: string, options: SummaryOptions): Promise<Inspection> {
  // A shard or a checkpoint can also be named by the path of its manifest.
  if (path.endsWith('.json')) {
    if (basename(path) === 'run.json') return inspect(dirname(path), options);
    const { kind, files } = await readAnyManifest(path);
    const [first] = Object.keys(files);
    if (kind === CHECKPOINT_KIND) return inspect(dirname(path), options);
    if ((kind === SHARD_KIND || kind === EPISODES_KIND) && first !== undefined) {
      return inspectFile(join(dirname(path), first), options);
    }
    throw unknown(path, kind);
  }
  if (!path.endsWith('.arrow')) throw unknown(path);
  const { kind } = await readAnyManifest(arrowManifestPath(path));
  if (kind === EPISODES_KIND) {
    return { kind: 'episodes', path, ...summarizeEpisodes(await readEpisodes(path)) };
  }
  return { kind: 'shard', path, ...(await summarizeDataset(path, options)) };
}

/**
 * Determines the kind of the file or folder at `path` and summarises it.
 *
 * @throws DataError `dataset-unknown`, and those of reading it, which name the file.
 */
export async function inspect(path: string, options: SummaryOptions): Promise<Inspection> {
  if (!(await isFolder(path))) return inspectFile(path, options);
  if (await isRunFolder(runPaths(path))) {
    return { kind: 'run', path, ...(await summarizeRun(path)) };
  }
  const manifest = join(path, 'manifest.json');
  if (await exists(manifest)) {
    const { kind } = await readAnyManifest(manifest);
    if (kind !== CHECKPOINT_KIND) throw unknown(path, kind);
    return { kind: 'checkpoint', path, ...(await summarizeCheckpoint(path)) };
  }
  const kind = await folderKindOf(path);
  const other = kind === null ? undefined : OTHER_COMMANDS[kind];
  if (other !== undefined) throw unexpected(path, `, found ${other}`);
  if ((await listDatasetShards(path)).length === 0) throw unknown(path);
  return { kind: 'dataset', path, ...(await summarizeDataset(path, options)) };
}
