/** Longest wait for a moment without other work, in ms. */
const PATIENCE_MS = 2000;

/** Resolves when the page has nothing else to do, or after a time in browsers that cannot tell. */
export function whenIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, PATIENCE_MS);
  });
}
