import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../env/errors.js';
import { EPISODES_KIND, readEpisodes } from './episodes/episode-file.js';
import { DataError } from './data-error.js';
import { type FolderContent, FolderReader, isFolder } from './folder-reader.js';
import { isFolderLock } from './files/lock.js';
import { type Manifest, readAnyManifest, readListedFile } from './files/manifest.js';
import { checkShardRows } from './shards/shard-check.js';
import { isShardManifestName, arrowManifestPath } from './arrow-names.js';
import { readShardFile, SHARD_KIND } from './shards/shard.js';
import { errorText } from '../env/text/error-text.js';
import { quote } from '../env/text/quoted-text.js';

/** A damaged or missing file. */
export interface FileProblem {
  readonly path: string;
  readonly code: string;
  /** Names the file. */
  readonly message: string;
}

/** Result of a verification; plain JSON. */
export interface Verification {
  /** Number of checked files, including damaged ones. */
  readonly files: number;
  /** Total size of the checked files. */
  readonly bytes: number;
  readonly problems: readonly FileProblem[];
  /** Files without a known checksum: of other programs, or without a manifest. */
  readonly unchecked: readonly string[];
}

/** Options of a verification. */
export interface VerificationOptions {
  /** Whether to compare the rows of shards with the rules of the game. */
  readonly deep: boolean;
  /**
   * Checks of files that no manifest names, by file name. They throw `CodedError` for a damaged file and return false
   * for one without a known checksum.
   */
  readonly checkOf?: (name: string) => ((path: string) => Promise<boolean>) | undefined;
  /**
   * Further checks by kind of manifest, after those of the checksums; given the manifest's path. A text that they return
   * is the id of the game of its files.
   */
  readonly kinds?: ReadonlyMap<string, (path: string) => Promise<unknown>>;
  /**
   * Finds files that are missing from a folder, judged by the files that it has. Reported before the folder's other
   * problems.
   */
  readonly missingIn?: (folder: string) => Promise<readonly FileProblem[]>;
  /** Called after each file with the number of files checked. */
  readonly onFile?: ((files: number) => void) | undefined;
  /** Called with the id of the game of each shard and each checkpoint. */
  readonly onGame?: ((id: string) => void) | undefined;
}

/** Names of manifests in any folder, besides those of shards. */
const MANIFEST_NAMES: readonly string[] = ['manifest.json', 'dataset.json'];

/** Code of the problem of a file whose check failed without a code: a defect of this program. */
const CHECK_FAILED = 'check-failed';

/**
 * Path of the only file of a shard or of episodes.
 *
 * @param path of the manifest.
 * @throws DataError `manifest-damaged` for other files, which no reader of this kind would find.
 */
function arrowFileOf(path: string, { kind, files }: Manifest): string {
  const names = Object.keys(files);
  const expected = `${basename(path, '.json')}.arrow`;
  if (names.length === 1 && names[0] === expected) return join(dirname(path), expected);
  const found = names.length === 0 ? 'none' : names.map(quote).join(', ');
  throw new DataError(
    'manifest-damaged',
    `expected the file ${expected} alone in ${path}, of the kind ${kind}; found ${found}`,
  );
}

class Verifier {
  private readonly problems: FileProblem[] = [];
  private readonly unchecked: string[] = [];
  private readonly checked = new Set<string>();
  private readonly reader = new FolderReader();
  private bytes = 0;
  private readonly options: VerificationOptions;

  constructor(options: VerificationOptions) {
    this.options = options;
  }

  result(): Verification {
    const { problems, unchecked, checked, bytes } = this;
    return { files: checked.size, bytes, problems, unchecked };
  }

  async folder(folder: string): Promise<void> {
    const content = await this.contentOf(folder);
    if (content === null) return;
    await this.addMissing(folder);
    for (const [path, error] of content.badLinks) this.report(path, error);
    // Locks of running processes appear and disappear.
    const files = content.files.filter((name) => !isFolderLock(name));
    const names = new Set(files);
    for (const name of files) {
      if (!name.endsWith('.json') || this.options.checkOf?.(name) !== undefined) continue;
      await this.manifest(join(folder, name), names);
    }
    for (const name of files) {
      const path = join(folder, name);
      if (!this.checked.has(path)) await this.loose(path);
    }
    for (const name of content.folders) await this.folder(join(folder, name));
  }

  private async addMissing(folder: string): Promise<void> {
    try {
      this.problems.push(...((await this.options.missingIn?.(folder)) ?? []));
    } catch (error) {
      this.report(folder, error);
    }
  }

  /** The content of a folder; null if it was read before, or cannot be listed, which is a problem like others. */
  private async contentOf(folder: string): Promise<FolderContent | null> {
    try {
      return await this.reader.read(folder);
    } catch (error) {
      this.report(folder, error);
      return null;
    }
  }

  /** Checks a manifest and all files that it names. */
  async manifest(path: string, names: ReadonlySet<string>): Promise<void> {
    const listed = await this.listing(path, names);
    if (listed === null) return;
    let isSound = true;
    for (const name of Object.keys(listed.files)) {
      const file = join(dirname(path), name);
      const content = await this.attempt(file, () => readListedFile(listed, file));
      isSound &&= content !== undefined;
    }
    if (isSound) await this.attempt(path, () => this.content(path, listed));
  }

  /** The manifest at `path`; null if it is damaged or if the file is other JSON. */
  private async listing(path: string, names: ReadonlySet<string>): Promise<Manifest | null> {
    // Folders may have other JSON files: a manifest is recognized by its name, the file beside it or its content.
    const name = basename(path);
    const isNamed = MANIFEST_NAMES.includes(name) || isShardManifestName(name);
    const isMeant = isNamed || names.has(`${basename(name, '.json')}.arrow`);
    const reading = readAnyManifest(path);
    const isThere = await reading.then(
      () => true,
      () => false,
    );
    if (!isMeant && !isThere) return null;
    return (await this.attempt(path, () => reading)) ?? null;
  }

  /** Checks that the files have the content that their kind of manifest promises, which checksums do not show. */
  private async content(path: string, manifest: Manifest): Promise<void> {
    const { kind } = manifest;
    if (kind === SHARD_KIND) {
      const file = arrowFileOf(path, manifest);
      const shard = await readShardFile(file);
      this.options.onGame?.(shard.metadata.game);
      if (this.options.deep) checkShardRows(file, shard);
    } else if (kind === EPISODES_KIND) await readEpisodes(arrowFileOf(path, manifest));
    else {
      const game = await this.options.kinds?.get(kind)?.(path);
      if (typeof game === 'string') this.options.onGame?.(game);
    }
  }

  /** A file that no manifest names. */
  private async loose(path: string): Promise<void> {
    const check = this.options.checkOf?.(basename(path));
    const isVouchedFor = check === undefined ? false : await this.attempt(path, () => check(path));
    if (isVouchedFor === false) this.unchecked.push(path);
  }

  /** Counts a file and returns the result of `check`; if that throws, records the problem and returns undefined. */
  private async attempt<Found>(path: string, check: () => Promise<Found>): Promise<Found | undefined> {
    await this.count(path);
    try {
      return await check();
    } catch (error) {
      this.report(path, error);
      return undefined;
    }
  }

  /** Records a problem of one file; the others are still checked, even if the check itself failed. */
  private report(path: string, error: unknown): void {
    const code = error instanceof CodedError ? String(error.code) : CHECK_FAILED;
    const reason = errorText(error);
    const message = code === CHECK_FAILED ? `${path} cannot be checked: ${reason}` : reason;
    this.problems.push({ path, code, message: message.includes(path) ? message : `${path}: ${message}` });
  }

  private async count(path: string): Promise<void> {
    if (this.checked.has(path)) return;
    this.checked.add(path);
    this.bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    this.options.onFile?.(this.checked.size);
  }
}

/**
 * Checks every file below a folder, through symbolic links too, or one shard or file of episodes: its checksum, and
 * that its content is of the promised kind. One file is in memory at a time. Damage is a result, not an error.
 *
 * @throws DataError `file-missing`, `file-unreadable` if `path` itself cannot be found; `dataset-unknown` for a file of
 *   another kind and for a folder without files that can be checked.
 */
export async function verifyFiles(path: string, options: VerificationOptions): Promise<Verification> {
  const verifier = new Verifier(options);
  if (await isFolder(path)) await verifier.folder(path);
  else if (path.endsWith('.arrow')) {
    await verifier.manifest(arrowManifestPath(path), new Set([basename(path)]));
  } else throw new DataError('dataset-unknown', `expected a folder or an .arrow file at ${path}`);
  const result = verifier.result();
  if (result.files + result.problems.length > 0) return result;
  throw new DataError(
    'dataset-unknown',
    `expected a run, a dataset, a checkpoint or an export in ${path}, found no file that can be checked`,
  );
}
