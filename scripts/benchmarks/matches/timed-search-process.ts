import { measureTimedSearches } from './timed-searches.js';

// A process of match-benchmark.ts: thinks about the positions and sends what it measured.
process.send!(await measureTimedSearches());
