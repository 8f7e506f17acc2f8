// Compiles env/gess/heuristics/patterns/kernel.as to kernel-code.ts beside it, so that a page needs no other file.
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
const LINE_LENGTH = 100;
const FOLDER = new URL('../../../../../../env/gess/heuristics/patterns/', import.meta.url);
const CODE = new URL('kernel-code.ts', FOLDER);

/** The text of kernel-code.ts. */
export async function compileKernel() {
  const source = readFileSync(new URL('kernel.as', FOLDER), 'utf8');
  let binary;
  const { error, stderr } = await asc.main(['kernel.ts', '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile(name, contents) {
      if (name === 'kernel.wasm') binary = contents;
    },
  });
  if (error !== null) throw new Error(String(stderr));
  const lines = Buffer.from(binary)
    .toString('base64')
    .match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g'))
    .map((line) => `  '${line}'`);
  return (
    '// Made from kernel.as by `npm run build --prefix test/env/gess/heuristics/patterns/kernel`.\n\n' +
    `/** The WebAssembly module of the kernel, in base64. */\nexport const KERNEL_CODE =\n${lines.join(' +\n')};\n`
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CODE, await compileKernel());
