import { request } from 'node:http';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PageServer, servePage } from '../../../scripts/serve/page-server.js';
import { readPage, withModel } from '../../../scripts/serve/page-files.js';

const HOST = '127.0.0.1';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends the path as it is: `fetch` would resolve its dots. */
function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Reply> {
  const { port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const asked = request({ host: HOST, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

let folder: string;
let server: PageServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gess-page-'));
  const page = join(folder, 'page');
  await mkdir(join(page, 'assets'), { recursive: true });
  await mkdir(join(page, 'models'));
  await writeFile(join(folder, 'secret.html'), 'secret');
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere', 'secret.html'), 'secret');
  await writeFile(join(page, 'index.html'), '<!doctype html>page');
  await writeFile(join(page, 'assets', 'page-0123abcd.js'), 'export {}');
  await writeFile(join(page, 'assets', 'notes.txt'), 'of no type that is served');
  await writeFile(join(page, 'models', 'models.json'), JSON.stringify({ models: [] }));
  await writeFile(join(page, 'assets', 'runtime-0123abcd.wasm.br'), brotliCompressSync('runtime'));
  await symlink(join(folder, 'secret.html'), join(page, 'link.html'));
  await symlink(join(folder, 'elsewhere'), join(page, 'linked'));
  server = await servePage(await readPage(page), HOST, 0);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('the page and its files have their types, and a policy that allows nothing from elsewhere', async () => {
  const page = await ask('/');
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.body.toString()).toBe('<!doctype html>page');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe-(inline|eval)'(?<!wasm-unsafe-eval')/);
  expect(page.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
  const script = await ask('/assets/page-0123abcd.js?v=1');
  expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
  expect(script.headers['cache-control']).toContain('immutable');
});

test('texts are compressed for those who take them so', async () => {
  for (let time = 0; time < 2; time++) {
    const { headers, body } = await ask('/', 'GET', { 'Accept-Encoding': 'br, gzip' });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
    expect(gunzipSync(body).toString()).toBe('<!doctype html>page');
  }
});

test.each([
  '/../secret.html',
  '/..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/assets/../../secret.html',
  '/assets/..\\..\\secret.html',
  '//etc/passwd',
  '/link.html',
  '/linked/secret.html',
  '/assets/notes.txt',
  '/assets/',
  '/index.html%00.js',
  '/%',
  '/%ff',
  '/__proto__',
  `/${'a'.repeat(5000)}`,
])('%s is not served', async (path) => {
  const { status, body } = await ask(path);
  expect(status).toBe(404);
  expect(body.toString()).not.toContain('secret');
});

test('only GET and HEAD are answered', async () => {
  const head = await ask('/', 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '19' } });
  expect(head.body).toHaveLength(0);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    expect(await ask('/', method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  }
});

test('a folder without a page, an address in use and one of another machine have codes', async () => {
  await expect(readPage(join(folder, 'elsewhere'))).rejects.toMatchObject({ code: 'page-missing' });
  const { port } = new URL(server.address);
  await expect(servePage(new Map(), HOST, Number(port))).rejects.toMatchObject({ code: 'address-in-use' });
  await expect(servePage(new Map(), '192.0.2.1', 0)).rejects.toMatchObject({ code: 'address-unusable' });
});

test('a model takes the place of the one for its game and rules', async () => {
  const model = { file: 'gess-0123.onnx', game: 'gess', rules: 'eureka', play: {} };
  const other = { ...model, file: 'gess-4567.onnx' };
  const quess = { file: 'quess-89ab.onnx', game: 'quess', rules: 'standard', play: {} };
  const bytes = Uint8Array.of(1, 2, 3);
  let files = withModel(await readPage(join(folder, 'page')), { model, bytes });
  files = withModel(withModel(files, { model: quess, bytes }), { model: other, bytes });
  const list = JSON.parse(Buffer.from(files.get('/models/models.json')!.bytes).toString()) as unknown;
  expect(list).toEqual({ models: [other, quess] });
  expect(files.get('/models/gess-4567.onnx')!.bytes).toEqual(bytes);
});

test('a compressed file is served as it was before', async () => {
  const { status, headers, body } = await ask('/assets/runtime-0123abcd.wasm');
  expect({ status, type: headers['content-type'], text: body.toString() }).toEqual({
    status: 200,
    type: 'application/wasm',
    text: 'runtime',
  });
  expect((await ask('/assets/runtime-0123abcd.wasm.br')).status).toBe(404);
});

test.each([
  ['no Brotli', Buffer.from('not compressed')],
  ['more than 64 MiB', brotliCompressSync(Buffer.alloc(65 * 2 ** 20))],
])('a compressed file with %s is named', async (_, bytes) => {
  const page = join(folder, 'damaged');
  await mkdir(page, { recursive: true });
  await writeFile(join(page, 'index.html'), 'page');
  await writeFile(join(page, 'large.wasm.br'), bytes);
  await expect(readPage(page)).rejects.toMatchObject({
    code: 'page-damaged',
    message: expect.stringContaining('large.wasm.br') as string,
  });
});
