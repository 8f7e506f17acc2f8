import { CACHE_SIZE } from '../../play/cache-size.js';
import { EvaluationBatch, type Evaluator } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { runSearches } from '../../../agents/mcts/driver.js';
import { Search, type SearchOptions } from '../../../agents/mcts/search.js';
import { convertDatasets, type DatasetRequest } from '../../../data/datasets/dataset-tools.js';
import { samplesOf } from '../../../data/datasets/row-filter.js';
import type { Sample } from '../../../data/shards/sample.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { createGame } from '../../../env/games.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { openModelFile } from '../../export/model-file.js';
import { readTargets } from '../../play/search-targets.js';

/** Positions searched at the same time: also the size of the network's batches. */
const CONCURRENT_SEARCHES = 16;

/** A search by a network that replaces targets. */
export interface Reanalysis {
  /** The model: an ONNX file, or the folder of a checkpoint or an export. */
  readonly model: string;
  readonly search: Pick<SearchOptions, 'config' | 'gumbelScale'>;
  /** Description of the search for the dataset's card. */
  readonly searchText: string;
  /** Seed of the noise of the searches. */
  readonly seed: number;
}

/** Searches packed positions again. */
class TargetOracle {
  private readonly game: Game<unknown>;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private readonly searches: readonly Search<unknown>[];
  private readonly policy: Float32Array;

  constructor(game: Game<unknown>, evaluator: Evaluator, { search, seed }: Reanalysis) {
    this.game = game;
    this.evaluator = evaluator;
    this.batch = new EvaluationBatch(game, CONCURRENT_SEARCHES, evaluator);
    const rng = createRng(seed, 'reanalysis');
    this.searches = Array.from({ length: CONCURRENT_SEARCHES }, () => new Search(game, search, rng));
    this.policy = new Float32Array(game.maxLegalActions);
  }

  /** The samples with the targets of new searches. */
  async search(samples: readonly Sample[], onShare: (share: number) => void): Promise<readonly Sample[]> {
    const found: Sample[] = [];
    for (let first = 0; first < samples.length; first += CONCURRENT_SEARCHES) {
      const some = samples.slice(first, first + CONCURRENT_SEARCHES);
      const searches = some.map(({ position }, index) => {
        const state = this.game.initialState();
        this.game.unpack(position, 0, state);
        const search = this.searches[index]!;
        search.begin(state);
        return search;
      });
      await runSearches(searches, this.evaluator, this.batch);
      for (const [index, sample] of some.entries()) {
        found.push({ ...sample, ...readTargets(searches[index]!, this.policy) });
      }
      onShare(found.length / samples.length);
    }
    return found;
  }

  async dispose(): Promise<void> {
    await this.evaluator.dispose();
  }
}

/**
 * Writes a dataset with the rows of other datasets and new search targets: in rows whose search has weight, `policy`,
 * `rootValue`, `searchSize` and `surprise` come from a new search by a network. Rows without a search or without weight
 * are unchanged.
 *
 * @returns the number of rows of the new dataset, and how many of them were searched.
 * @throws AgentError for the model; DataError `shard-rules`, `shard-encoding`, `shard-format`, and as `mergeDatasets`
 *   does.
 * @see Schrittwieser et al. 2020, "Mastering Atari, Go, chess and shogi by planning with a learned model", appendix H.
 */
export async function reanalyzeDataset(
  request: DatasetRequest,
  reanalysis: Reanalysis,
): Promise<{ readonly rows: number; readonly searched: number }> {
  const { model, searchText, seed } = reanalysis;
  let searched = 0;
  let oracle: TargetOracle | null = null;
  try {
    const rows = await convertDatasets(request, {
      operation: 'reanalyze',
      options: { search: searchText, seed },
      parts: [''],
      take: async ({ path, shard, rows: kept, onShare }, parts) => {
        const { metadata, columns } = shard;
        const game = createGame(metadata.game, metadata.rules);
        checkShardRows(path, shard);
        oracle ??= new TargetOracle(game, await openEvaluator(game, model), reanalysis);
        const samples = [...samplesOf(columns, kept)];
        const isSearched = ({ policyWeight, searchSize }: Sample): boolean =>
          policyWeight > 0 && searchSize > 0;
        const found = await oracle.search(samples.filter(isSearched), onShare);
        searched += found.length;
        let next = 0;
        const renewed = samples.map((sample) => (isSearched(sample) ? found[next++]! : sample));
        await parts.get('')!.add(metadata, renewed);
      },
    });
    return { rows: rows['']!, searched };
  } finally {
    await (oracle as TargetOracle | null)?.dispose();
  }
}

async function openEvaluator(game: Game<unknown>, model: string): Promise<Evaluator> {
  const options = { batchSize: CONCURRENT_SEARCHES, cacheSize: CACHE_SIZE };
  return NetworkEvaluator.create(game, await openModelFile(model, game), options);
}
