/** Checksums of the page's files by their paths in its folder; the build writes them before this script. */
declare const PAGE_FILES: Readonly<Record<string, string>>;

/** The parts of the worker's global object in use; TypeScript's types for workers and for pages exclude each other. */
interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listen: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listen: (event: RequestEvent) => void): void;
}
const worker = globalThis as unknown as WorkerScope;

/** Files of the page, each under its path and checksum: versions of the page share equal files. */
const PAGE_CACHE = 'gess-page';
/** Models that a server offers in place of the page's own. */
const MODEL_CACHE = 'gess-models';
/** Maximum number of cached models; the oldest are removed first. */
const MAX_MODELS = 12;
/** The list of models differs between servers. */
const MODEL_LIST = 'models/models.json';

/** Files whose names change with their bytes: the browser's own copy is current. */
const NAMED_BY_CONTENT = /-[\w-]{8,}\.\w+$/;

const { scope } = worker.registration;

/** The address under which a file is kept. */
function keyOf(path: string): string {
  return `${scope}${path}?${PAGE_FILES[path]!}`;
}

async function keepPage(): Promise<void> {
  const cache = await caches.open(PAGE_CACHE);
  await Promise.all(
    Object.keys(PAGE_FILES).map(async (path) => {
      const key = keyOf(path);
      if ((await cache.match(key)) !== undefined) return;
      const cacheMode = NAMED_BY_CONTENT.test(path) ? 'default' : 'no-cache';
      const response = await fetch(`${scope}${path}`, { cache: cacheMode });
      if (!response.ok) throw new Error(`expected ${path} of the page, got status ${response.status}`);
      await cache.put(key, response);
    }),
  );
}

async function forgetOthers(): Promise<void> {
  const cache = await caches.open(PAGE_CACHE);
  const known = new Set(Object.keys(PAGE_FILES).map(keyOf));
  const others = (await cache.keys()).filter(({ url }) => !known.has(url));
  await Promise.all(others.map((request) => cache.delete(request)));
}

async function fromPage(path: string): Promise<Response> {
  const cache = await caches.open(PAGE_CACHE);
  // The browser may have deleted it.
  return (await cache.match(keyOf(path))) ?? fetch(`${scope}${path}`);
}

async function keepModel(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(MODEL_CACHE);
  await cache.put(request, response);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MAX_MODELS).map((key) => cache.delete(key)));
}

/** A file that the server may have in another version; without a server, the last version or the page's own. */
async function fromServer(event: RequestEvent, path: string): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(keepModel(request, response.clone()));
    return response;
  } catch (error) {
    const kept = await (await caches.open(MODEL_CACHE)).match(request);
    if (kept === undefined && !(path in PAGE_FILES)) throw error;
    return kept ?? fromPage(path);
  }
}

worker.addEventListener('install', (event) => {
  event.waitUntil(keepPage());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOthers(), worker.clients.claim()]));
});

worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(scope)) return;
  const path = new URL(url).pathname.slice(new URL(scope).pathname.length) || 'index.html';
  const isOwn = Object.hasOwn(PAGE_FILES, path) && path !== MODEL_LIST;
  if (isOwn) event.respondWith(fromPage(path));
  else if (path.startsWith('models/')) event.respondWith(fromServer(event, path));
});
