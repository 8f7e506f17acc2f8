import { createListing, createPlay } from './environment-benchmark.js';
import { processorMs, timePerSecond } from './timing.js';

// Our rates for the comparison in peers/environments.py, as JSON: per second of processor time.
const rates = {
  steps: timePerSecond(createPlay({ copy: false, planes: true, mask: true }), processorMs),
  'steps with new arrays': timePerSecond(createPlay({ copy: true, planes: true, mask: true }), processorMs),
  'legal actions': timePerSecond(createListing(), processorMs),
};
process.stdout.write(`${JSON.stringify(rates)}\n`);
