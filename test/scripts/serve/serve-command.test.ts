import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { missingToServe } from '../../web/open-page.js';
import { LAUNCHER } from '../usage/launcher.js';

const missing = missingToServe();
if (missing !== null) console.log(`gess serve is not tested: ${missing}`);

test.runIf(missing === null)(
  'gess serve prints its addresses, serves the page, and ends at a signal',
  async () => {
    const words = ['serve', '--port', '0', '--model', 'quess', '--pool', 'ws://127.0.0.1:4223'];
    const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const lines = createInterface({ input: child.stdout });
    const printed: string[] = [];
    for await (const line of lines) {
      printed.push(line);
      if (printed.length === 2) break;
    }
    const address = /^gess serve: (?<page>http:\/\/127\.0\.0\.1:\d+\/)#\/play\?game=quess&rules=standard$/;
    const page = address.exec(printed[0]!)?.groups?.['page'];
    expect(page, printed[0]).toBeDefined();
    expect(printed[1]).toBe(`for volunteers: ${page!}volunteer.html#ws://127.0.0.1:4223`);
    const answer = await fetch(page!);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>');
    const volunteer = await fetch(`${page!}volunteer.html`);
    expect(volunteer.headers.get('content-security-policy')).toContain('ws://127.0.0.1:4223');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);
