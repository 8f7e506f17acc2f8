import type { EvaluationBatch, Evaluator } from '../evaluators/evaluator.js';
import type { Search } from './search.js';

/** The part of a `Search` that the driver uses. */
export type DrivenSearch = Pick<Search<never>, 'advance' | 'receive' | 'isDone' | 'leaves'>;

/**
 * Lets `search` add as many leaves to the batch as it may have pending.
 *
 * @param owners receives `number` at the index of each leaf added.
 */
function collect(search: DrivenSearch, batch: EvaluationBatch, owners: Int32Array, number: number): void {
  while (search.advance(batch)) owners[batch.size - 1] = number;
}

/**
 * Runs searches that were begun until all are done. In each round a search adds either as many leaves as it can or
 * none, so its course does not depend on the other searches.
 *
 * @param batch cleared first; must have room for the leaves of any one search.
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
    // Searches that found no room come first next time.
    active = [...left, ...served.filter((number) => !searches[number]!.isDone)];
  }
}
