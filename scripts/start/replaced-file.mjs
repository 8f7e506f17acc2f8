import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that other programs may be reading: they see the old file or the new one. */
export function replaceFile(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
