import fc from 'fast-check';
import './byte-equality.js';
import { isLong } from './long-tests.js';

// Fixes the inputs, so that results are the same locally and in CI; FC_SEED and FC_RUNS change them.
const numRuns = Number(process.env['FC_RUNS'] ?? (isLong ? '50' : '20'));
const seed = Number(process.env['FC_SEED'] ?? '1');
fc.configureGlobal({ numRuns, seed });
