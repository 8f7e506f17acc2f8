/** Version of this program, which the build knows. */
declare const SOFTWARE_VERSION: string;

declare module 'virtual:published-game' {
  import type { GameRecord } from '../../data/records/record.js';
  const record: GameRecord;
  export default record;
}

declare module 'virtual:lessons' {
  const address: string;
  export default address;
}
