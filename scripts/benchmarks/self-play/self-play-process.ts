import type { Precision } from '../../../agents/play-options.js';
import { benchInt8Model, benchModel } from '../bench-network.js';
import { BENCH_GAME, measureGames } from './self-play-measurement.js';

// A process of self-play-benchmark.ts: measures games with the precision that its argument names.
const precision = process.argv[2] as Precision;
process.send!(await measureGames(precision === 'int8' ? benchInt8Model(BENCH_GAME) : benchModel(BENCH_GAME)));
