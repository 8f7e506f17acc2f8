import { measureGames } from './self-play-measurement.js';

// A process of self-play-benchmark.ts: plays and sends its network evaluations per second.
process.send!((await measureGames()).perSecond);
