import { measureTimedSearches } from './timed-searches.js';

// A child process of match-benchmark.ts: runs the timed searches and sends the measurements.
process.send!(await measureTimedSearches());
