import type { PoolStatus } from '../../training/workers/pool/wire/pool-status.js';

/** A number with a name, of one worker or of the whole pool. */
interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge';
  readonly help: string;
  readonly values: readonly (readonly [labels: string, value: number])[];
}

function metricText({ name, kind, help, values }: Metric): string {
  const lines = values.map(([labels, value]) => `gess_pool_${name}${labels} ${value}`);
  return [`# HELP gess_pool_${name} ${help}`, `# TYPE gess_pool_${name} ${kind}`, ...lines].join('\n');
}

function poolMetrics(status: PoolStatus): readonly Metric[] {
  const { processes, jobs, results, gamesPerSecond, evaluationsPerSecond } = status;
  const gauge = (name: string, help: string, value: number): Metric => ({
    ...{ name, kind: 'gauge', help, values: [['', value]] },
  });
  const states = (['done', 'played', 'waiting'] as const).map(
    (state) => [`{state="${state}"}`, jobs?.[state] ?? 0] as const,
  );
  return [
    gauge('processes', "Processes of the run's machine that play.", processes),
    { name: 'jobs', kind: 'gauge', help: 'Current jobs by state.', values: states },
    gauge('results', 'Results waiting to be judged.', results),
    gauge('games_per_second', 'Games a second over the last minutes.', gamesPerSecond),
    gauge('evaluations_per_second', 'Evaluations a second over the last minutes.', evaluationsPerSecond),
  ];
}

function workerMetrics(workers: PoolStatus['workers']): readonly Metric[] {
  const each = (
    [name, kind]: readonly [string, Metric['kind']],
    help: string,
    value: (worker: PoolStatus['workers'][number]) => number,
  ): Metric => {
    const values = workers.map((worker) => [`{worker="${worker.key}"}`, value(worker)] as const);
    return { name: `worker_${name}`, kind, help, values };
  };
  return [
    each(['present', 'gauge'], 'Whether the worker is present.', ({ isPresent }) => Number(isPresent)),
    each(['suspended', 'gauge'], 'Whether the worker gets no more jobs.', (worker) =>
      Number(worker.suspension !== null),
    ),
    each(['jobs_total', 'counter'], 'Accepted jobs of the worker.', ({ jobs }) => jobs),
    each(['games_total', 'counter'], 'Accepted games of the worker.', ({ games }) => games),
    each(['evaluations_total', 'counter'], 'Evaluations for these games.', ({ evaluations }) => evaluations),
    each(['failures_total', 'counter'], 'Jobs that failed on the worker.', ({ failures }) => failures),
  ];
}

/** The state of a pool in Prometheus's text format. Keys are letters and digits, so labels need no escapes. */
export function prometheusText(status: PoolStatus): string {
  const metrics = [...poolMetrics(status), ...workerMetrics(status.workers)];
  return metrics
    .filter(({ values }) => values.length > 0)
    .map(metricText)
    .join('\n');
}
