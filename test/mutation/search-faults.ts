import { faultsIn, type PlantedFault } from './planted-fault.js';

const simulations = [
  ...faultsIn('agents/mcts/search.ts', [
    {
      name: 'the index of an edge is played as its action',
      rule: 'M3',
      find: 'return this.tree.actions[gumbelRoot.bestEdge(this.tree)]!;',
      replace: 'return gumbelRoot.bestEdge(this.tree);',
    },
    {
      name: 'Dirichlet noise is added to the Gumbel noise',
      rule: 'M5',
      find: "this.noise = config.root === 'puct' ? options.noise : undefined;",
      replace: 'this.noise = options.noise;',
    },
    {
      name: 'a value is backed up with the sign of the leaf',
      rule: 'M8',
      find: 'backUp(tree, owner, edge, -value);',
      replace: 'backUp(tree, owner, edge, value);',
    },
  ]),
  ...faultsIn('agents/mcts/simulation.ts', [
    {
      name: 'a truncated line counts as a proven draw',
      rule: 'M9',
      find: 'this.budget.spendNode();\n      return FINISHED;',
      replace: 'prove(this.tree, owner, edge, proofOf(0)); this.budget.spendNode(); return FINISHED;',
    },
    {
      name: 'an abandoned simulation counts for sequential halving',
      rule: 'M7',
      find: 'tree.virtualLosses[ROOT_EDGE]! -= 1;\n      this.selection.leave(tree, rootEdge);',
      replace: 'tree.virtualLosses[ROOT_EDGE]! -= 1;',
    },
    {
      name: 'an abandoned simulation leaves its virtual losses',
      rule: 'M2',
      find: 'virtualLosses[current]! -= 1;\n      this.game.undo(state);',
      replace: 'this.game.undo(state);',
    },
  ]),
  ...faultsIn('agents/mcts/last-root.ts', [
    {
      name: 'a tree is reused for an unrelated position',
      rule: 'M11',
      find: 'return game.observationHash(earlier) === this.hash;',
      replace: 'return game.observationHash(earlier) === game.observationHash(earlier);',
    },
  ]),
];

const gumbelRoot = faultsIn('agents/mcts/gumbel/gumbel-root.ts', [
  {
    name: 'the noise of the first move is reused',
    rule: 'M4',
    find: 'this.noise[place] = rng === null || this.scale === 0 ? 0 : this.scale * drawGumbel(rng);',
    replace: 'if (this.noise[place] === 0 && rng !== null) this.noise[place] = this.scale * drawGumbel(rng);',
  },
  {
    name: 'the first of the most visited is played',
    rule: 'M6',
    find: 'if (visits === bestVisits && score <= bestScore) continue;',
    replace: 'if (visits === bestVisits) continue;',
  },
  {
    name: 'the best score is played, regardless of its visits',
    rule: 'M6',
    find: 'if (visits === bestVisits && score <= bestScore) continue;\n      best = edge;\n      bestVisits = visits;',
    replace: 'if (score <= bestScore) continue;\n      best = edge;\n      bestVisits = 0;',
  },
  {
    name: 'visits of earlier searches count in the allocation',
    rule: 'M7',
    find: 'this.searchVisits[place] = 0;',
    replace: 'this.searchVisits[place] = root.visits[i]!;',
  },
  {
    name: 'the policy target includes the noise',
    rule: 'M5',
    find: 'out[i] = this.logits[edges[i]! - start]! + this.sigmaOf(tree, edges[i]!);',
    replace: 'out[i] = this.scoreOf(tree, edges[i]!) + 0 * start;',
  },
  {
    name: 'noise and logits do not move with their edge',
    rule: 'M3',
    find: 'numbers[edge - start] = numbers[other - start]!;',
    replace: 'numbers[edge - start] = number;',
  },
]);

const gumbelValues = [
  ...faultsIn('agents/mcts/gumbel/considered-visits.ts', [
    {
      name: 'the last two are halved too',
      rule: 'M7',
      find: 'left = Math.max(2, left >> 1);',
      replace: 'left = Math.max(1, left >> 1);',
    },
    {
      name: 'the number of rounds is rounded down',
      rule: 'M7',
      find: 'Math.ceil(Math.log2(considered))',
      replace: 'Math.floor(Math.log2(considered))',
    },
  ]),
  ...faultsIn('agents/mcts/gumbel/completed-values.ts', [
    {
      name: 'an unvisited action has the raw value of the position',
      rule: 'M6',
      find: 'this.mixedValue = (tree.rawValue[node]! + visitSum * visitedValue) / (1 + visitSum);',
      replace: 'this.mixedValue = tree.rawValue[node]! + 0 * visitSum * visitedValue;',
    },
    {
      name: 'values are not scaled to their spread',
      rule: 'M6',
      find: 'Math.max(this.greatest - this.least, LEAST_SPREAD)',
      replace: 'Math.max(1, LEAST_SPREAD)',
    },
  ]),
  ...faultsIn('agents/mcts/gumbel/improved-selection.ts', [
    {
      name: 'below the root the most probable action is always taken',
      rule: 'M6',
      find: 'const visitWeight = sum / (1 + values.countSum);',
      replace: 'const visitWeight = (0 * sum) / (1 + values.countSum);',
    },
    {
      name: 'below the root proven losses that were never selected keep their probability',
      rule: 'M6',
      find: 'const openPrior = 1 - tree.triedPrior[node]! - tree.lostPrior[node]!;',
      replace: 'const openPrior = 1 - tree.triedPrior[node]! - 0 * tree.lostPrior[node]!;',
    },
  ]),
];

const backup = faultsIn('agents/mcts/backup.ts', [
  {
    name: 'values do not change sign on the way up',
    rule: 'M8',
    find: 'signed = -signed;',
    replace: 'signed = 1 * signed;',
  },
  {
    name: 'a virtual loss is never taken back',
    rule: 'M2',
    find: '    virtualLosses[current]! -= 1;\n    totalValue',
    replace: '    virtualLosses[current]! -= 0;\n    totalValue',
  },
  {
    name: 'a virtual loss is taken back twice',
    rule: 'M2',
    find: '    virtualLosses[current]! -= 1;\n    totalValue',
    replace: '    virtualLosses[current]! -= 2;\n    totalValue',
  },
  {
    name: 'a visit counts only on the last edge',
    rule: 'M1',
    find: '    visits[current]! += 1;',
    replace: '    visits[current]! += current === edge ? 1 : 0;',
  },
  {
    name: 'a proof propagates only one node up',
    rule: 'M10',
    find: 'else if (tree.unprovenCount[owner] === 0) result = bestProof(tree, owner);',
    replace: 'else if (tree.unprovenCount[owner] === -1) result = bestProof(tree, owner);',
  },
  {
    name: 'a draw is forgotten if all other moves lose',
    rule: 'M10',
    find: 'if (tree.proofs[edge] === PROVEN_DRAW) return PROVEN_DRAW;',
    replace: 'if (tree.proofs[edge] === PROVEN_WIN) return PROVEN_DRAW;',
  },
]);

const puct = faultsIn('agents/mcts/puct-selection.ts', [
  {
    name: 'PUCT continues with moves that are proven losses',
    rule: 'M10',
    find: 'if (proof === PROVEN_LOSS) continue;',
    replace: 'if (proof === PROVEN_LOSS && edge === start) continue;',
  },
  {
    name: 'a selected edge is not marked as tried',
    rule: 'M1',
    find: '  tree.triedCount[node]! += 1;',
    replace: '  tree.triedCount[node]! += tree.triedCount[node] === 2 ? 0 : 1;',
  },
]);

const proof = faultsIn('agents/mcts/proof.ts', [
  {
    name: 'the policy keeps the share of a proven loss',
    rule: 'M10',
    find: 'return node === PROVEN_LOSS || edge !== PROVEN_LOSS;',
    replace: 'return edge >= 0;',
  },
]);

const tree = faultsIn('agents/mcts/search-tree.ts', [
  {
    name: 'a kept subtree forgets the value of its root',
    rule: 'M11',
    find: 'this.totalValue[ROOT_EDGE] = this.totalValue[rootEdge]!;',
    replace: 'this.totalValue[ROOT_EDGE] = 0 * rootEdge;',
  },
  {
    name: 'a kept subtree forgets which edges were tried',
    rule: 'M11',
    find: 'this.triedCount[to] = this.triedCount[from]!;',
    replace: 'this.triedCount[to] = 0;',
  },
  {
    name: 'children of a kept subtree keep their old indices',
    rule: 'M11',
    find: 'newNode[old] = this.children[newParentEdge] = hasRoom ? nodes : NO_NODE;',
    replace:
      'newNode[old] = hasRoom ? nodes : NO_NODE; if (old === node) this.children[newParentEdge] = nodes;',
  },
]);

/** Faults of Monte Carlo tree search, including those reported of other implementations. */
export const SEARCH_FAULTS: readonly PlantedFault[] = [
  ...simulations,
  ...gumbelRoot,
  ...gumbelValues,
  ...backup,
  ...puct,
  ...proof,
  ...tree,
];
