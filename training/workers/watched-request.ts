import { processorMsOf } from '../../data/files/process-identity.js';
import type { ProcessClient, RequestListener } from '../../env/processes/process-client.js';
import { SilenceMeter, type SilenceLimits } from './silence-meter.js';

/**
 * Sends a request to a process and pings the process while it works on it. A process that stays silent for too long is
 * killed.
 *
 * @throws ProcessEnd if the process ended before it answered; the error with which the request failed.
 */
export async function askWatched<Request, Answer, Note>(
  client: ProcessClient<Request, Answer, Note>,
  request: Request,
  limits: SilenceLimits,
  onNote: NonNullable<RequestListener<Note>['onNote']>,
): Promise<Answer> {
  const { pid } = client;
  const meter = new SilenceMeter(limits, () => (pid === undefined ? null : processorMsOf(pid)));
  const watch = setInterval(() => {
    if (meter.isPingDue) client.ping();
    const silence = meter.tick();
    if (silence !== null) client.kill(silence);
  }, meter.tickMs);
  try {
    return await client.ask(request, {
      onNote,
      onSign: () => {
        meter.heard();
      },
    });
  } finally {
    clearInterval(watch);
  }
}
