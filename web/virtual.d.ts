declare module 'virtual:published-game' {
  import type { GameRecord } from '../data/records/record.js';
  const record: GameRecord;
  export default record;
}

declare module 'virtual:rules-diagrams' {
  import type { RulesDiagram } from './build/rules-diagrams.js';
  const diagrams: readonly RulesDiagram[];
  export default diagrams;
}
