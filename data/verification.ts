import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../env/errors.js';
import { isHidden } from './datasets/dataset-folder.js';
import { EPISODES_KIND, readEpisodes } from './episodes/episode-file.js';
import { DataError, readFailure } from './data-error.js';
import { type Manifest, readAnyManifest, readListedFile } from './files/manifest.js';
import { checkShardRows } from './shards/shard-check.js';
import { readShardFile, SHARD_KIND, shardManifestPath } from './shards/shard.js';

/** A file that is not what it should be, or not there. */
export interface FileProblem {
  readonly path: string;
  readonly code: string;
  /** Names the file too. */
  readonly message: string;
}

/** What verifying found; plain JSON. */
export interface Verification {
  /** Files that were checked, damaged ones included. */
  readonly files: number;
  /** Of the checked files. */
  readonly bytes: number;
  readonly problems: readonly FileProblem[];
  /** Files that nothing vouches for: of other programs, of earlier versions, or without a manifest. */
  readonly unchecked: readonly string[];
}

/** How files are checked. */
export interface VerificationOptions {
  /** Whether the rows of shards are compared with the rules of the game. */
  readonly deep: boolean;
  /**
   * Checks of files that no manifest names, by name: throw `CodedError` for a damaged one; false: nothing vouches for
   * it.
   */
  readonly checks?: ReadonlyMap<string, (path: string) => Promise<boolean>>;
  /** Checks of what manifests are of, by kind, after their checksums; given the manifest's path. */
  readonly kinds?: ReadonlyMap<string, (path: string) => Promise<void>>;
  /** What is missing in a folder, by what is there; told before what its files are. */
  readonly missingIn?: (folder: string) => Promise<readonly FileProblem[]>;
  /** Told after each file. */
  readonly onFile?: ((files: number) => void) | undefined;
}

/** Locks of running processes come and go. */
const LOCK = /^run-\d+\.lock$/;
/** Manifests by name, wherever they lie. */
const MANIFEST_NAME = /^(?:manifest|dataset|shard-\d+)\.json$/;

class Verifier {
  private readonly problems: FileProblem[] = [];
  private readonly unchecked: string[] = [];
  private readonly checked = new Set<string>();
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
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw readFailure(folder, error);
    });
    this.problems.push(...((await this.options.missingIn?.(folder)) ?? []));
    const seen = entries.filter(({ name }) => !isHidden(name) && !LOCK.test(name));
    const files = seen.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    const names = new Set(files);
    for (const name of files.sort()) {
      if (!name.endsWith('.json') || this.options.checks?.has(name) === true) continue;
      await this.manifest(join(folder, name), names);
    }
    for (const name of files) {
      const path = join(folder, name);
      if (!this.checked.has(path)) await this.loose(path);
    }
    for (const entry of seen.filter((one) => one.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      await this.folder(join(folder, entry.name));
    }
  }

  /** Checks the manifest and all that it names. */
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

  /** The manifest at `path`; null where it is damaged, or where the file is other JSON. */
  private async listing(path: string, names: ReadonlySet<string>): Promise<Manifest | null> {
    // Other JSON may lie about: a manifest is known by its name, by the file beside it or by what it says.
    const name = basename(path);
    const isMeant = MANIFEST_NAME.test(name) || names.has(`${basename(name, '.json')}.arrow`);
    const isThere = await readAnyManifest(path).then(
      () => true,
      () => false,
    );
    if (!isMeant && !isThere) return null;
    return (await this.attempt(path, () => readAnyManifest(path))) ?? null;
  }

  /** What checksums say nothing of: whether the files hold what their kind of manifest says. */
  private async content(path: string, { kind, files }: Manifest): Promise<void> {
    const [first = ''] = Object.keys(files);
    const file = join(dirname(path), first);
    if (kind === SHARD_KIND) {
      const shard = await readShardFile(file);
      if (this.options.deep) checkShardRows(file, shard);
    } else if (kind === EPISODES_KIND) await readEpisodes(file);
    else await this.options.kinds?.get(kind)?.(path);
  }

  /** A file that no manifest names. */
  private async loose(path: string): Promise<void> {
    const check = this.options.checks?.get(basename(path));
    const isVouchedFor = check === undefined ? false : await this.attempt(path, () => check(path));
    if (isVouchedFor === false) this.unchecked.push(path);
  }

  /** Counts a file; what `check` finds, or undefined where it throws, which is noted. */
  private async attempt<Found>(path: string, check: () => Promise<Found>): Promise<Found | undefined> {
    await this.count(path);
    try {
      return await check();
    } catch (error) {
      // A file of a game that is not loaded may be sound: the caller has to name the game.
      if (!(error instanceof CodedError) || error.code === 'game-unknown') throw error;
      this.problems.push({ path, code: String(error.code), message: error.message });
      return undefined;
    }
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
 * Checks every file below a folder, or one shard or file of episodes: checksums, and that the content is what it is said to
 * be. One file is in memory at a time. Damage is among the results, not an error.
 *
 * @throws DataError `file-missing`, `file-unreadable` for `path` itself, `dataset-unknown` for a file of another kind, and a
 *   folder without any that can be checked.
 */
export async function verifyFiles(path: string, options: VerificationOptions): Promise<Verification> {
  const found = await stat(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  const verifier = new Verifier(options);
  if (found.isDirectory()) await verifier.folder(path);
  else if (path.endsWith('.arrow')) {
    await verifier.manifest(shardManifestPath(path), new Set([basename(path)]));
  } else throw new DataError('dataset-unknown', `expected a folder or an .arrow file at ${path}`);
  const result = verifier.result();
  if (result.files + result.problems.length > 0) return result;
  throw new DataError(
    'dataset-unknown',
    `expected a run, a dataset, a checkpoint or an export in ${path}, found no file that can be checked`,
  );
}
