import type { ThinkingLimits, Thought } from '../../agents/thinking/thinking.js';
import type { Output } from '../output.js';
import { formatDuration } from './duration.js';

/** Time before the first message about a search, and between two. */
const FIRST_MS = 2000;
const EVERY_MS = 5000;

/** Messages about a search of more than two seconds. */
export interface SearchProgress {
  /** Receives thoughts on the way. */
  readonly update: (thought: Thought) => void;
  readonly stop: () => void;
}

/** Share of a limit that is used, 0 to 1; 0 if unknown. */
function shareOf(
  { simulations, nodes, timeMs }: ThinkingLimits,
  elapsedMs: number,
  thought: Thought | undefined,
): number {
  const shares = [
    timeMs === undefined ? 0 : elapsedMs / timeMs,
    simulations === undefined ? 0 : (thought?.simulations ?? 0) / simulations,
    nodes === undefined ? 0 : (thought?.nodes ?? 0) / nodes,
  ];
  return Math.min(1, Math.max(...shares));
}

function describeWork({ depth, nodes, simulations }: Thought): readonly string[] {
  return Object.entries({ depth, nodes, simulations })
    .filter(([, number]) => number !== undefined)
    .map(([name, number]) => `${name} ${number!}`);
}

/** Reports a search, with the time left where a limit determines it. */
export function watchSearch(output: Output, limits: ThinkingLimits): SearchProgress {
  const startMs = performance.now();
  let last: Thought | undefined;
  let timer = setTimeout(report, FIRST_MS);
  function report(): void {
    const elapsedMs = performance.now() - startMs;
    const share = shareOf(limits, elapsedMs, last);
    const left =
      share > 0 ? `about ${formatDuration((elapsedMs * (1 / share - 1)) / 1000)} left` : 'Ctrl-C ends it';
    const words = [formatDuration(elapsedMs / 1000), ...(last === undefined ? [] : describeWork(last)), left];
    output.message(`gess: searching, ${words.join(', ')}`);
    timer = setTimeout(report, EVERY_MS);
  }
  return {
    update: (thought) => {
      last = thought;
    },
    stop: () => {
      clearTimeout(timer);
    },
  };
}
