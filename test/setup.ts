import fc from 'fast-check';

// The same inputs in every run, so that what passes here passes in CI; FC_SEED and FC_RUNS try others, and more.
const numRuns = Number(process.env['FC_RUNS'] ?? '50');
const seed = Number(process.env['FC_SEED'] ?? '1');
fc.configureGlobal({ numRuns, seed });
