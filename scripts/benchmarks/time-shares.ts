import { type Profiler, Session } from 'node:inspector/promises';

/** Shares of time by the folder of the code; they sum to 1. */
export interface TimeShares {
  /** `env/`. */
  readonly rules: number;
  /** `agents/mcts/`. */
  readonly tree: number;
  /** ONNX Runtime. */
  readonly network: number;
  /** Batches, softmax, cache: the rest of `agents/`. */
  readonly evaluator: number;
  /** Records of games, garbage collection, everything else. */
  readonly other: number;
}

type Place = keyof TimeShares;

const SAMPLING_MICROSECONDS = 500;
/** The first entry that is part of a script's URL decides its share. */
const PLACES: readonly (readonly [string, Place])[] = [
  ['/onnxruntime-', 'network'],
  ['/dist/env/', 'rules'],
  ['/dist/agents/mcts/', 'tree'],
  ['/dist/agents/', 'evaluator'],
];

/** Share of each node of the profile: native code counts for its caller. */
function placesOf(nodes: readonly Profiler.ProfileNode[]): Map<number, Place> {
  const places = new Map<number, Place>();
  const place = (node: Profiler.ProfileNode, caller: Place): void => {
    const { url, functionName } = node.callFrame;
    const isNative = url === '' && !functionName.startsWith('(');
    places.set(node.id, isNative ? caller : (PLACES.find(([part]) => url.includes(part))?.[1] ?? 'other'));
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [root] = nodes;
  const waiting: (readonly [Profiler.ProfileNode, Place])[] = root === undefined ? [] : [[root, 'other']];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, caller] = next;
    place(node, caller);
    for (const child of node.children ?? []) waiting.push([byId.get(child)!, places.get(node.id)!]);
  }
  return places;
}

/** Runs `work` under V8's sampling profiler, which costs a few percent. */
export async function measureTimeShares(work: () => Promise<unknown>): Promise<TimeShares> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
    await session.post('Profiler.start');
    await work();
    const { profile } = await session.post('Profiler.stop');
    const places = placesOf(profile.nodes);
    const sums = { rules: 0, tree: 0, network: 0, evaluator: 0, other: 0 };
    let all = 0;
    profile.samples?.forEach((node, index) => {
      const micros = profile.timeDeltas?.[index] ?? 0;
      sums[places.get(node) ?? 'other'] += micros;
      all += micros;
    });
    const share = (place: Place): number => Math.round((1000 * sums[place]) / Math.max(1, all)) / 1000;
    return {
      rules: share('rules'),
      tree: share('tree'),
      network: share('network'),
      evaluator: share('evaluator'),
      other: share('other'),
    };
  } finally {
    session.disconnect();
  }
}
