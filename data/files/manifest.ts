import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { namedValues } from '../../env/named-values.js';
import { writeFileAtomic } from './atomic-file.js';
import { DataError, readFailure, systemErrorCode } from '../data-error.js';
import { openSealed, sealJson, sha256 } from './sealed-json.js';

/**
 * Version of the manifests that this program writes; it reads this one and older ones. Version 2 has a checksum of
 * its own.
 */
export const MANIFEST_VERSION = 2;

const PLAIN_NAME = /^[^/\\]+$/;

const FileEntry = z.strictObject({
  /** Size. */
  bytes: z.int().min(0),
  /** SHA-256 in lower-case hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const ManifestSchema = z.strictObject({
  manifestVersion: z.literal([1, MANIFEST_VERSION]),
  /** What the files are together: `shard`, `checkpoint`, … */
  kind: z.string(),
  /** The files beside the manifest, by name. */
  files: namedValues(FileEntry).refine(
    (files) => Object.keys(files).every((name) => PLAIN_NAME.test(name)),
    'expected plain names of files',
  ),
  /** What whoever wrote the files says of them. */
  details: namedValues(z.json()),
});

/**
 * Says which files belong together, how long they are and what their checksums are. It is written after
 * them: without a valid manifest they do not exist for a reader.
 */
export type Manifest = z.infer<typeof ManifestSchema>;

/** What a manifest says beside its files: plain JSON. */
export type ManifestDetails = Manifest['details'];

/**
 * Writes files and, when all are safely there, their manifest. A manifest that was there is overwritten
 * last, so a reader in between sees files that fail their checksums: write to fresh names instead where
 * somebody may read.
 *
 * Throws `DataError` `disk-full` or `write-failed`.
 *
 * @param path of the manifest; the files go beside it.
 * @param contents of the files, by plain name.
 */
export async function writeWithManifest(
  path: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
  about: { readonly kind: string; readonly details: ManifestDetails },
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const [name, content] of contents) {
    await writeFileAtomic(join(dirname(path), name), content);
    files[name] = { bytes: Buffer.byteLength(content), sha256: sha256(content) };
  }
  const manifest: Manifest = { manifestVersion: MANIFEST_VERSION, ...about, files };
  await writeFileAtomic(path, sealJson(manifest, 'file'));
  return manifest;
}

/**
 * Writes the manifest of files that are there already, in its folder.
 *
 * Throws `DataError` `file-missing`, `file-unreadable`, `disk-full` or `write-failed`.
 */
export async function writeManifestOf(
  path: string,
  filePaths: readonly string[],
  about: { readonly kind: string; readonly details: ManifestDetails },
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const file of filePaths) {
    const content = await readFile(file).catch((error: unknown) => {
      throw readFailure(file, error);
    });
    files[basename(file)] = { bytes: content.length, sha256: sha256(content) };
  }
  const manifest: Manifest = { manifestVersion: MANIFEST_VERSION, ...about, files };
  await writeFileAtomic(path, sealJson(manifest, 'file'));
  return manifest;
}

function parseManifest(path: string, text: string): Manifest {
  const { value, seal } = openSealed(text, 'file');
  if (value === null) throw new DataError('manifest-damaged', `expected JSON, an object, in ${path}`);
  const version = z.object({ manifestVersion: z.int() }).safeParse(value).data?.manifestVersion;
  if (version !== undefined && version > MANIFEST_VERSION) {
    throw new DataError(
      'manifest-too-new',
      `${path} has manifest version ${version}, this program reads up to ${MANIFEST_VERSION}`,
    );
  }
  const parsed = ManifestSchema.safeParse(value);
  if (!parsed.success) {
    const problems = describeProblems(parsed.error);
    throw new DataError('manifest-damaged', `expected a manifest in ${path}: ${problems}`);
  }
  // Version 1 has no checksum of its own: with one it is of version 2, and its version was altered.
  const expected = parsed.data.manifestVersion === 1 ? 'unsealed' : 'sound';
  if (seal === expected) return parsed.data;
  throw new DataError('manifest-damaged', `the manifest ${path} does not fit its own checksum`);
}

/**
 * Reads a manifest of any kind, but not the files it names.
 *
 * Throws `DataError` `manifest-missing`, `manifest-damaged`, `manifest-too-new` or `file-unreadable`.
 */
export async function readAnyManifest(path: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw readFailure(path, error);
    throw new DataError('manifest-missing', `expected a manifest at ${path}, found none`, { cause: error });
  }
  return parseManifest(path, text);
}

/**
 * Reads a manifest, but not the files it names.
 *
 * Throws `DataError` `manifest-missing`, `manifest-damaged` (also: of another kind), `manifest-too-new` or
 * `file-unreadable`.
 */
export async function readManifest(path: string, kind: string): Promise<Manifest> {
  const manifest = await readAnyManifest(path);
  if (manifest.kind === kind) return manifest;
  throw new DataError(
    'manifest-damaged',
    `expected a manifest of a ${kind}, ${path} is of a ${manifest.kind}`,
  );
}

/**
 * What a manifest says of a file.
 *
 * @param path of the file, in the manifest's folder.
 * @throws DataError `manifest-damaged` where it does not name it.
 */
export function listedFile({ files }: Manifest, path: string): Manifest['files'][string] {
  const entry = files[basename(path)];
  if (entry === undefined) throw new DataError('manifest-damaged', `the manifest does not name ${path}`);
  return entry;
}

/**
 * Reads one file that a manifest names, and checks it.
 *
 * Throws `DataError` `manifest-damaged` (the manifest does not name it), `file-missing`, `file-unreadable`,
 * `file-cut` or `file-altered`.
 *
 * @param path of the file, in the manifest's folder.
 */
export async function readListedFile(manifest: Manifest, path: string): Promise<Buffer> {
  const entry = listedFile(manifest, path);
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    throw readFailure(path, error);
  }
  if (content.length !== entry.bytes) {
    throw new DataError('file-cut', `expected ${entry.bytes} bytes in ${path}, found ${content.length}`);
  }
  const found = sha256(content);
  if (found === entry.sha256) return content;
  throw new DataError('file-altered', `expected SHA-256 ${entry.sha256} of ${path}, found ${found}`);
}

/**
 * Reads a manifest and all its files, by name, each checked. Throws what `readManifest` and
 * `readListedFile` throw.
 */
export async function readWithManifest(
  path: string,
  kind: string,
): Promise<{ readonly manifest: Manifest; readonly contents: ReadonlyMap<string, Buffer> }> {
  const manifest = await readManifest(path, kind);
  const contents = new Map<string, Buffer>();
  for (const name of Object.keys(manifest.files)) {
    contents.set(name, await readListedFile(manifest, join(dirname(path), name)));
  }
  return { manifest, contents };
}
