import type { Precision } from '../../../agents/play-options.js';
import { benchInt8Model, benchModel } from '../bench-network.js';
import { BENCH_GAME, measureGames } from './self-play-measurement.js';

// A process of self-play-benchmark.ts: measures games with the precision that its first argument names, and the network
// alone if there is a second.
const [precision, comparison] = process.argv.slice(2) as [Precision, string | undefined];
const model = precision === 'int8' ? benchInt8Model(BENCH_GAME) : benchModel(BENCH_GAME);
process.send!(await measureGames(model, comparison !== undefined));
