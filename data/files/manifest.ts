import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { namedValues } from '../../env/named-values.js';
import { quote } from '../../env/text/quoted-text.js';
import { DataError } from '../data-error.js';
import { writeFileAtomic } from './atomic-file.js';
import { SHA256_DIGITS } from './content-digest.js';
import { readInput } from './input-file.js';
import { type JsonForm, readJsonFile } from './json-file.js';
import { sealJson, sha256 } from './sealed-json.js';
import { kindOfName } from './size-limits.js';

/** Version of manifests. */
export const MANIFEST_VERSION = 1;

/** A name within the folder, and not of the folder itself or of the one that contains it. */
const PLAIN_NAME = /^(?!\.{1,2}$)[^/\\]+$/;

const FileEntry = z.strictObject({
  /** Size. */
  bytes: z.int().min(0),
  /** SHA-256 in lower-case hexadecimal digits. */
  sha256: z.string().regex(SHA256_DIGITS),
});

const ManifestSchema = z.strictObject({
  manifestVersion: z.literal(MANIFEST_VERSION),
  /** Kind of the files together: `shard`, `checkpoint`, … */
  kind: z.string(),
  /** The files beside the manifest, by name. */
  files: namedValues(FileEntry).refine(
    (files) => Object.keys(files).every((name) => PLAIN_NAME.test(name)),
    'expected plain names of files',
  ),
  /** Facts about the files, from the program that wrote them. */
  details: namedValues(z.json()),
});

/**
 * Names files that belong together, with their sizes and checksums. It is written after them: for a reader, files
 * without a valid manifest do not exist.
 */
export type Manifest = z.infer<typeof ManifestSchema>;

/** Facts about the files of a manifest: plain JSON. */
export type ManifestDetails = Manifest['details'];

const MANIFEST_FORM: JsonForm<Manifest> = {
  schema: ManifestSchema,
  name: 'a manifest',
  seal: 'file',
  version: {
    key: 'manifestVersion',
    newest: MANIFEST_VERSION,
    error: (message) => new DataError('manifest-too-new', message),
  },
  error: (message, cause) => new DataError('manifest-damaged', message, { cause }),
};

type ManifestSubject = Pick<Manifest, 'kind' | 'details'>;

function entryOf(content: string | Uint8Array): Manifest['files'][string] {
  return { bytes: Buffer.byteLength(content), sha256: sha256(content) };
}

async function writeManifest(
  path: string,
  subject: ManifestSubject,
  files: Manifest['files'],
): Promise<Manifest> {
  const manifest: Manifest = { manifestVersion: MANIFEST_VERSION, ...subject, files };
  await writeFileAtomic(path, sealJson(manifest, 'file'));
  return manifest;
}

/**
 * Writes files and, when all are safe on the disk, their manifest. An existing manifest is overwritten last, so a
 * concurrent reader would find files that fail their checksums: write to fresh names where there may be one.
 *
 * @param path of the manifest; the files go beside it.
 * @param contents of the files, by plain name.
 * @throws DataError `disk-full`, `write-failed`.
 */
export async function writeWithManifest(
  path: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
  subject: ManifestSubject,
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const [name, content] of contents) {
    await writeFileAtomic(join(dirname(path), name), content);
    files[name] = entryOf(content);
  }
  return writeManifest(path, subject, files);
}

/**
 * Writes the manifest of existing files, into their folder.
 *
 * @throws DataError `file-missing`, `file-unreadable`, `file-too-large`, `disk-full`, `write-failed`.
 */
export async function writeManifestOf(
  path: string,
  filePaths: readonly string[],
  subject: ManifestSubject,
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const file of filePaths) files[basename(file)] = entryOf(await readInput(file, kindOfName(file)));
  return writeManifest(path, subject, files);
}

/**
 * Reads a manifest of any kind, without the files it names.
 *
 * @throws DataError `manifest-missing`, `manifest-damaged`, `manifest-too-new`, `file-unreadable`, `file-too-large`.
 */
export async function readAnyManifest(path: string): Promise<Manifest> {
  const manifest = await readJsonFile(path, 'manifest', MANIFEST_FORM);
  if (manifest !== null) return manifest;
  throw new DataError('manifest-missing', `expected a manifest at ${path}, found none`);
}

/**
 * Reads a manifest, without the files it names.
 *
 * @throws DataError `manifest-missing`, `manifest-damaged` (also for another kind), `manifest-too-new`,
 *   `file-unreadable`, `file-too-large`.
 */
export async function readManifest(path: string, kind: string): Promise<Manifest> {
  const manifest = await readAnyManifest(path);
  if (manifest.kind === kind) return manifest;
  throw new DataError(
    'manifest-damaged',
    `expected a manifest of the kind ${quote(kind)} at ${path}, found one of the kind ${quote(manifest.kind)}`,
  );
}

/**
 * Refuses details of a manifest that a newer version of the program wrote.
 *
 * @param path of the manifest.
 * @param known the version's field without its end (`pattern` for `patternVersion`), and the newest version that this
 *   program reads.
 * @throws DataError `manifest-too-new`.
 */
export function expectKnownVersion(
  path: string,
  details: ManifestDetails,
  known: { readonly name: string; readonly newest: number },
): void {
  const { name, newest } = known;
  const version = details[`${name}Version`];
  if (typeof version !== 'number' || version <= newest) return;
  const expected = `this program reads version ${newest}`;
  throw new DataError('manifest-too-new', `${path} has ${name} version ${version}, ${expected}`);
}

/**
 * Size and checksum of a file by its manifest.
 *
 * @param path of the file, in the manifest's folder.
 * @throws DataError `manifest-damaged` if the manifest does not name it.
 */
export function listedFile({ files }: Manifest, path: string): Manifest['files'][string] {
  const entry = files[basename(path)];
  if (entry === undefined) throw new DataError('manifest-damaged', `the manifest does not name ${path}`);
  return entry;
}

/**
 * Reads a file and checks it against its manifest.
 *
 * @param path of the file, in the manifest's folder.
 * @throws DataError `manifest-damaged` if the manifest does not name it, `file-missing`, `file-unreadable`,
 *   `file-too-large`, `file-cut`, `file-altered`.
 */
export async function readListedFile(manifest: Manifest, path: string): Promise<Buffer> {
  const expected = listedFile(manifest, path);
  const checkSize = (bytes: number): void => {
    if (bytes === expected.bytes) return;
    throw new DataError('file-cut', `expected ${expected.bytes} bytes in ${path}, found ${bytes}`);
  };
  const content = await readInput(path, kindOfName(path), checkSize);
  const found = sha256(content);
  if (found === expected.sha256) return content;
  throw new DataError('file-altered', `expected SHA-256 ${expected.sha256} of ${path}, found ${found}`);
}

/**
 * Reads a manifest and its files, by name, each checked.
 *
 * @throws DataError as `readManifest` and `readListedFile`.
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
