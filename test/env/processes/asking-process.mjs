// A parent that `orphaned-process.test.ts` kills: asks a process for something that it never answers, and prints its
// id.
import { ProcessClient } from '../../../dist/env/processes/process-client.js';

// As `gess` does when it is told to stop at once.
process.on('SIGTERM', () => process.exit(1));

const [module, kind, value] = process.argv.slice(2);
const client = new ProcessClient({ module, errors: [], onLine: () => undefined });
await client.ask({ kind: 'echo' });
console.log(client.pid);
await client.ask({ kind, value });
