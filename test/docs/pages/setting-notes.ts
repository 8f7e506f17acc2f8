/** Published values of papers and programs, by setting; the introduction of the page names the sources. */
export const PUBLISHED_VALUES: Readonly<Record<string, string>> = {
  'network.channels': '256 (AlphaZero)',
  'network.blocks': '19 (AlphaGo Zero, AlphaZero)',
  'network.valueHidden': '256 (AlphaGo Zero)',
  'selfPlay.search.simulations': '800 (AlphaZero); 1,600 (AlphaGo Zero)',
  'selfPlay.search.exploration': '1.25, growing with the visits (AlphaZero)',
  'selfPlay.search.firstPlayReduction': '0.2 times the root of the priors tried (Wu 2019)',
  'selfPlay.search.consideredActions': '16 (Danihelka et al. 2022)',
  'selfPlay.search.valueScale': '0.1 (mctx)',
  'selfPlay.search.rescaleValues': 'true (mctx)',
  'selfPlay.search.maxVisitInit': '50 (mctx)',
  'selfPlay.playOnShare': '0.1 (AlphaGo Zero)',
  'selfPlay.resignErrorShare': '0.05 (AlphaGo Zero)',
  'selfPlay.temperature': '1 (AlphaGo Zero)',
  'selfPlay.temperaturePlies': '30 (AlphaGo Zero)',
  'selfPlay.finalTemperature': '0 (AlphaGo Zero)',
  'selfPlay.fullSearchShare': '0.25 (Wu 2019)',
  'selfPlay.cheapSimulations': '100 of 600 at first, then 200 of 1,000 (Wu 2019)',
  'selfPlay.dirichletScale':
    'alpha 0.3 in chess, 0.15 in shogi, 0.03 in Go (AlphaZero): about 10 over the number of moves',
  'selfPlay.noiseFraction': '0.25 (AlphaZero)',
  'selfPlay.gumbelScale': '1 (mctx)',
  'learner.batchSize': '4,096 (AlphaZero); 2,048 (AlphaGo Zero)',
  'learner.learningRate': '0.001 (Adam)',
  'learner.valueMix': '0 (AlphaZero)',
  'learner.valueWeight': '1.5 (Wu 2019)',
  'learner.holdersWeight': '1.5 (Wu 2019)',
  'learner.symmetries': 'true (AlphaGo Zero)',
  'replay.window.rows': '250,000 (Wu 2019)',
  'replay.window.exponent': '0.75 (Wu 2019)',
  'replay.window.slope': '0.4 (Wu 2019)',
  'gate.games': '400 (AlphaGo Zero)',
  'gate.score': '0.55 (AlphaGo Zero)',
  'gate.simulations': '1,600 (AlphaGo Zero)',
};

/** Examples of structured values, by setting. */
export const SETTING_EXAMPLES: Readonly<Record<string, string>> = {
  'learner.rateDrops': '[{"step": 20000, "factor": 0.1}]',
};

/** Pages with more about a setting. */
export const SETTING_PAGES: Readonly<Record<string, string>> = {
  'selfPlay.precision': '[int8](../explanation/learning-methods.md#int8)',
  'selfPlay.quietPlies': '[quiet games](../explanation/learning-methods.md#quiet-games)',
  'evaluation.timeShare': '[matches of a run](../how-to/watch-a-run.md#matches)',
};
