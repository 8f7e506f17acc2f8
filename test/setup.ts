import fc from 'fast-check';

const runs = Number(process.env['FC_RUNS'] ?? '50');
fc.configureGlobal({ numRuns: runs });
