import { Option } from '@commander-js/extra-typings';

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

/** The options with which a command becomes a coordinator. */
export interface PoolWords {
  readonly pool?: string | undefined;
  readonly anyProcessor?: true | undefined;
}
