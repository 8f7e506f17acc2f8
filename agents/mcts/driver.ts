import type { EvaluationBatch, Evaluator } from '../evaluators/evaluator.js';
import type { Search } from './search.js';

/** What the driver needs of a `Search`. */
export type DrivenSearch = Pick<Search<never>, 'advance' | 'receive' | 'isDone' | 'leaves'>;

/**
 * Lets `search` put as many leaves into the batch as it may have.
 *
 * @param owners gets `number` at the place of each leaf added.
 */
function collect(search: DrivenSearch, batch: EvaluationBatch, owners: Int32Array, number: number): void {
  while (search.advance(batch)) owners[batch.size - 1] = number;
}

/**
 * Runs searches that were begun until all are done. A search adds all the leaves it can, or none, to a batch:
 * so its course doesn't depend on what it is run with.
 *
 * @param batch is cleared; must have room for the leaves of any one search.
 */
export async function runSearches(
  searches: readonly DrivenSearch[],
  evaluator: Evaluator,
  batch: EvaluationBatch,
): Promise<void> {
  const owners = new Int32Array(batch.capacity);
  let active = searches.map((_, index) => index);
  while (active.length > 0) {
    batch.clear();
    const left: number[] = [];
    const served: number[] = [];
    for (const number of active) {
      const search = searches[number]!;
      if (batch.size + search.leaves > batch.capacity) {
        left.push(number);
        continue;
      }
      collect(search, batch, owners, number);
      if (!search.isDone) served.push(number);
    }
    if (batch.size > 0) await evaluator.evaluate(batch);
    for (let index = 0; index < batch.size; index++) searches[owners[index]!]!.receive(batch, index);
    // Those that found no room come first.
    active = [...left, ...served.filter((number) => !searches[number]!.isDone)];
  }
}
