import { once } from 'node:events';
import type { Command } from '@commander-js/extra-typings';
import { type PageModelFile, readPageModel } from '../../../training/export/page/page-model.js';
import { shippedModel } from '../../../training/export/shipped-models.js';
import { quote } from '../../../env/text/quoted-text.js';
import { TrainingError } from '../../../training/training-error.js';
import { BROWSER_URL } from '../../../training/workers/pool/wire/ticket-file.js';
import { wholeNumber } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { readPage, pageFolder, withModel } from '../../serve/page-files.js';
import { servePage } from '../../serve/page-server.js';
import { listenForStop } from '../../stopping/stop-signal.js';

const DEFAULT_PORT = 8417;
const MAX_PORT = 65_535;

/** The part of the page's address that starts a game against a model. */
function gameAddress({ model: { game, rules } }: PageModelFile): string {
  return `#/play?${new URLSearchParams({ game, rules }).toString()}`;
}

/** The address of a pool, as a page's policy names it. @throws TrainingError `pool-address`. */
function poolOrigin(text: string): string {
  if (BROWSER_URL.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new TrainingError('pool-address', `expected ws://HOST:PORT or wss://HOST:PORT, got ${quote(text)}`);
}

/** `gess serve`: the page, for a browser on this machine. */
export function defineServe(command: Command, output: Output): void {
  command
    .option('--port <number>', 'port to listen on; 0: any free one', wholeNumber(MAX_PORT), DEFAULT_PORT)
    .option('--host <address>', 'address to listen on; by default this machine only', '127.0.0.1')
    .option(
      '--pool <address>',
      'ws://HOST:PORT or wss://HOST:PORT of a pool: the page for volunteers may connect to it',
    )
    .option(
      '--model <folder>',
      "an export, or the name of a shipped one such as gess, whose network plays its game in place of the page's own",
    )
    .action(async ({ port, host, model, pool }) => {
      const shownPool = pool === undefined ? null : poolOrigin(pool);
      const page = await readPage(pageFolder());
      const shown = model === undefined ? null : await readPageModel(shippedModel(model) ?? model);
      const files = shown === null ? page : withModel(page, shown);
      const server = await servePage(files, { host, port, pool: shownPool });
      const stop = listenForStop(output, {
        ...{ hint: 'Nothing is lost.', action: 'ending the server', isUsualEnd: true },
      });
      output.result(`gess serve: ${server.address}${shown === null ? '' : gameAddress(shown)}`);
      if (shownPool !== null) output.result(`for volunteers: ${server.address}volunteer.html#${shownPool}`);
      if (!stop.signal.aborted) await once(stop.signal, 'abort');
      await server.close();
      stop.dispose();
    });
}
