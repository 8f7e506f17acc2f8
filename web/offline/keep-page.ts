/**
 * Starts the service worker, which keeps the page for use without a network; does nothing in browsers without service
 * workers.
 */
export async function keepPage(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('./service-worker.js');
}
