/** The computer's kinds of player: the network with tree search, or alpha-beta with a hand-written evaluation. */
export type OpponentKind = 'network' | 'alpha-beta';

/** A strength of the computer. */
export interface Level {
  readonly name: string;
  /** The agent's text (agents/agent-spec.ts); in that of a network, `MODEL` stands for the model. */
  readonly agent: string;
}

/** In an agent's text, stands for the model. */
export const MODEL = 'MODEL';

/** Evaluations that a search requests from the network at once. */
const LEAVES = 8;

function network(name: string, limits: string): Level {
  return { name, agent: `mcts:model=${MODEL},${limits}` };
}

/** Strengths by the kind of player, the weakest first. */
const LEVELS: Readonly<Record<OpponentKind, readonly Level[]>> = {
  network: [
    { name: 'First steps', agent: 'careful' },
    { name: 'Beginner', agent: 'greedy' },
    network('Casual', 'simulations=2,temperature=1'),
    network('Friendly', 'simulations=8'),
    network('Club', 'simulations=32,leaves=4'),
    network('Strong', `simulations=128,leaves=${LEAVES}`),
    network('Expert', `simulations=512,leaves=${LEAVES}`),
    network('Full', `timeMs=5000,leaves=${LEAVES}`),
  ],
  'alpha-beta': [
    { name: 'First steps', agent: 'careful' },
    { name: 'Beginner', agent: 'greedy' },
    { name: 'Casual', agent: 'alphabeta:depth=1' },
    { name: 'Club', agent: 'alphabeta:depth=2' },
    { name: 'Strong', agent: 'alphabeta:depth=3' },
    { name: 'Expert', agent: 'alphabeta:timeMs=2000' },
    { name: 'Full', agent: 'alphabeta:timeMs=5000' },
  ],
};

/** The strengths of a kind of player, the weakest first. */
export function levelsOf(kind: OpponentKind): readonly Level[] {
  return LEVELS[kind];
}
