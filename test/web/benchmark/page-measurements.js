// Measurements inside the page, called by page-benchmark.ts.
/* global document, MutationObserver, performance, Worker */

/** Asks a worker. Resolves with the time of its last answer since the question, or since "stop" at its first answer. */
function search(worker, id, question, stopsAtFirst) {
  return new Promise((resolve, reject) => {
    let since = performance.now();
    let isStopped = !stopsAtFirst;
    worker.onmessage = ({ data }) => {
      if (data.kind === 'failed') reject(new Error(data.message));
      if (data.isLast) resolve(performance.now() - since);
      if (isStopped) return;
      isStopped = true;
      since = performance.now();
      worker.postMessage({ kind: 'stop', id });
    };
    worker.postMessage({ kind: 'think', id, question: { ...question, seed: id } });
  });
}

/** Time of the page's engine for `nodes` evaluations, and for its answer to "stop", in ms. */
export async function measureEngine({ line, agent, nodes }) {
  const worker = new Worker(new URL('../assets/engine-worker.js', import.meta.url), { type: 'module' });
  const ask = (id, limits, stopsAtFirst) =>
    search(worker, id, { line, agent: `${agent},${limits}` }, stopsAtFirst);
  // The first search loads the model and warms the code.
  await ask(1, `nodes=${nodes}`, false);
  const times = {
    search: await ask(2, `nodes=${nodes}`, false),
    stop: await ask(3, 'timeMs=60000', true),
  };
  worker.terminate();
  return times;
}

/** Evaluations a second of the runtime alone. */
export function measureBare(question) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./bare-session.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(question);
  });
}

/** Resolves with the time from the load of the page to its list of `count` moves, in ms. */
export function timeOfMoves({ count }) {
  const [entry] = performance.getEntriesByType('navigation');
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelectorAll('li > .move').length < count) return;
      observer.disconnect();
      resolve(performance.now() - entry.loadEventEnd);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
  });
}
