import fc from 'fast-check';
import { formatAgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import { AgentError } from '../../agents/agent-error.js';
import { fuzz } from './fuzz.js';
import { hostileTexts } from './hostile-texts.js';
import { checkRoundTrip, readOrRefuse } from './refusal.js';

const VALID = [
  'mcts:simulations=16,root=gumbel,consideredActions=8',
  ...[
    'random',
    'careful',
    'greedy',
    'alphabeta:depth=3',
    'alphabeta:nodes=10000,timeMs=0.5',
    'mcts',
    'mcts:leaves=8',
  ],
  ...[
    'mcts:simulations=64,exploration=1.25,firstPlayReduction=0,temperature=1e-3',
    'policy:model=a%2Cb%25.onnx',
  ],
  'engine:cmd="python3 x.py \\"a, b\\" c",nodes=100,timeMs=5',
  'mcts:model=runs/quickstart/checkpoints/gen-000003/model.onnx,simulations=32',
];
const ALPHABET = [
  ...['root=gumbel', 'root=puct', 'consideredActions=', 'valueScale=', 'maxVisitInit=', 'gumbelScale='],
  ...['random', 'alphabeta', 'mcts', 'policy', ':', ',', '=', 'depth', 'nodes', 'timeMs', 'model', 'leaves'],
  ...[
    'simulations=',
    'exploration=',
    'firstPlayReduction=',
    'temperature=',
    'model=',
    '%2c',
    '%2C',
    '%25',
    '1',
  ],
];

fuzz('the text of an agent', {
  input: hostileTexts(fc.constantFrom(...VALID), ALPHABET),
  runs: 1500,
  law: (text) => {
    const found = readOrRefuse(() => parseAgentSpec(text), AgentError, [
      'agent-syntax',
      'agent-unknown',
      'agent-option',
    ]);
    if (found === undefined) return false;
    checkRoundTrip(found.value, { read: parseAgentSpec, write: formatAgentSpec });
    return true;
  },
});
