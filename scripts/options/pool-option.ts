import { Option } from '@commander-js/extra-typings';
import { shareOfOne } from './numbers.js';

/** `--pool`: the server of many machines. */
export const poolOption = new Option(
  '--pool <server>',
  'play on many machines: nats://HOST:PORT, or a file with credentials of gess pool init',
);

/** `--any-processor`: for coordinators. */
export const anyProcessorOption = new Option(
  '--any-processor',
  'with --pool: also accept workers whose processors differ in the last bits; the run is then not repeatable bit for bit',
);

/** `--replay-share`: for coordinators. */
export const replayShareOption = new Option(
  '--replay-share <share>',
  'with --pool: share of the games of workers that this machine plays again to check them, and all games of the first job of a new worker; 0: none, for workers that you trust (default: 0.02)',
).argParser(shareOfOne);

/** The options with which a command becomes a coordinator. */
export interface PoolWords {
  readonly pool?: string | undefined;
  readonly anyProcessor?: true | undefined;
  readonly replayShare?: number | undefined;
}
