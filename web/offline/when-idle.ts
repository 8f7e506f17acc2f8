/** Longest wait for a moment without other work, in ms. */
const PATIENCE_MS = 2000;

/** Resolves when the page has nothing else to do, or has been busy for long. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no such callback.
    if ('requestIdleCallback' in globalThis)
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: PATIENCE_MS },
      );
    else setTimeout(resolve, PATIENCE_MS / 10);
  });
}
