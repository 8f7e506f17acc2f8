import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Wheel } from '../../../../training/tensorflow/native/wheel.js';

/** Writes the zip file `argv[1]` with the files of the JSON object `argv[2]`. */
const WRITE_ZIP = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name, content in json.loads(sys.argv[2]).items():
        archive.writestr(name, content)
`;

/**
 * Writes a wheel that pip accepts, named in the style of TensorFlow's.
 *
 * @returns its path, and its description for `downloadWheel`.
 */
export function writeSmallWheel(
  folder: string,
  files: Readonly<Record<string, string>>,
): { readonly path: string; readonly wheel: Wheel } {
  const information = 'gess_sample-1.0.dist-info';
  const path = join(folder, 'gess_sample-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl');
  const all = {
    ...files,
    [`${information}/METADATA`]: 'Metadata-Version: 2.1\nName: gess-sample\nVersion: 1.0\n',
    [`${information}/WHEEL`]:
      'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux2014_x86_64\n',
    [`${information}/RECORD`]: '',
  };
  execFileSync('python3', ['-c', WRITE_ZIP, path, JSON.stringify(all)]);
  const content = readFileSync(path);
  const wheel: Wheel = {
    name: 'gess-sample',
    version: '1.0',
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    unpackedBytes: 1000,
    python: '3.11',
    abi: 'cp311',
    platform: 'manylinux2014_x86_64',
  };
  return { path, wheel };
}

/** The environment in which pip finds wheels in that folder and nowhere else. */
export function offlineEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, PIP_CONFIG_FILE: '/dev/null', PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
}
