// A process that `process-client.test.ts` talks to.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { serveRequests } from '../../../dist/env/processes/process-server.js';
import { NotationError } from '../../../dist/env/errors.js';
import { PackageError } from '../../../dist/env/optional-packages.js';

const ANSWERS = {
  echo: ({ value }) => value,
  variable: ({ value }) => process.env[value],
  count: async ({ value }, note) => {
    for (let step = 1; step <= value; step++) {
      note(step);
      await setImmediate();
    }
    return 'counted';
  },
  print: ({ value }) => {
    console.log(value);
    console.error(`error: ${value}`);
  },
  exit: ({ value }) => {
    console.error('last words');
    process.exit(value);
  },
  'fail-notation': () => {
    throw new NotationError('action-syntax', 'no such move');
  },
  'fail-package': () => {
    throw new PackageError(['echarts']);
  },
  'fail-defect': () => {
    throw new TypeError('a defect');
  },
  'answer-function': () => () => undefined,
  read: ({ value }) => readFile(value),
  'read-now': ({ value }) => readFileSync(value),
  spin: () => {
    for (;;);
  },
};

serveRequests((request, note) => ANSWERS[request.kind](request, note));
