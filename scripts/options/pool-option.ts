import { Option } from '@commander-js/extra-typings';

/** `--pool`: the server of many machines. */
export const poolOption = new Option(
  '--pool <server>',
  'play on many machines: nats://HOST:PORT, or a file with credentials of gess pool init',
);

/** `--any-processor`: of coordinators. */
export const anyProcessorOption = new Option(
  '--any-processor',
  'with --pool: also take workers whose processors compute other last bits; the run is then not repeatable to the bit',
);

/** The options of a coordinator, as its command has them. */
export interface PoolWords {
  readonly pool?: string | undefined;
  readonly anyProcessor?: true | undefined;
}
