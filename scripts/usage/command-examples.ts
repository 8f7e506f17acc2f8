import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { pathOf } from './usage-error.js';

/** Examples of a command, which run as they stand once their input exists, and the page that describes it. */
export interface CommandExamples {
  readonly page: string;
  /** The anchor of the page's section that describes it; undefined for the whole page. */
  readonly section?: string;
  readonly lines: readonly [string, string, ...string[]];
}

const HOW_TO_WATCH = 'docs/how-to/watch-a-run.md';
const MACHINES = 'docs/how-to/several-machines.md';
const TRAINING = 'docs/how-to/resume-a-run.md';
const NO_TENSORFLOW = 'docs/how-to/without-tensorflow.md';
const COMMANDS = 'docs/reference/commands.md';
const SETTINGS = 'docs/reference/settings.md';
const FORMATS = 'docs/reference/formats.md';
const MATCHES = 'docs/reference/matches.md';
const ANALYSIS = 'docs/reference/analysis.md';
const ENGINE = 'docs/reference/engine.md';

/** Examples by command, without `gess` before them. Each command without sub-commands has some. */
export const COMMAND_EXAMPLES: Readonly<Record<string, CommandExamples>> = {
  setup: { page: NO_TENSORFLOW, lines: ['setup', 'setup --verify --json'] },
  doctor: { page: NO_TENSORFLOW, lines: ['doctor', 'doctor --json'] },
  perft: {
    page: 'docs/reference/rules.md',
    lines: ['perft 3', 'perft 6 --game connect-four --last-ply play --json'],
  },
  replay: {
    page: FORMATS,
    lines: [
      'replay --moves "f6-f7 p15-m12" --json',
      'replay --sgf gess-zero/examples/records/eureka-53.sgf --force',
    ],
  },
  show: {
    page: 'docs/reference/rules.md',
    lines: ['show --moves "f6-f7 p15-m12"', 'show --piece l3 --svg board.svg --overwrite'],
  },
  play: {
    page: 'docs/reference/play.md',
    lines: ['play --level 3', 'play --game quess --opponent greedy --side second'],
  },
  analyze: {
    page: ANALYSIS,
    lines: [
      'analyze --moves "f6-f7 p15-m12" --depth 4',
      'analyze --moves "f6-f7 p15-m12" --agent mcts:model=gess,simulations=400 --lines 3',
    ],
  },
  engine: { page: ENGINE, lines: ['engine --agent alphabeta:depth=4', 'engine --game connect-four --json'] },
  'engine-test': {
    page: ENGINE,
    lines: [
      'engine-test "gess engine --agent greedy"',
      'engine-test "gess engine --game quess" --game quess --json',
    ],
  },
  problems: {
    page: 'docs/reference/web.md',
    lines: [
      'problems --count 60 --agent alphabeta:depth=2 --out runs/problems.json',
      'problems --game quess --count 10 --out runs/quess-problems.json',
    ],
  },
  serve: { page: 'docs/reference/web.md', lines: ['serve', 'serve --port 0 --model runs/quickstart/export'] },
  quickstart: {
    page: TRAINING,
    lines: ['quickstart', 'quickstart --preset tiny --out runs/tiny-start --backend wasm'],
  },
  selfplay: {
    page: TRAINING,
    lines: [
      'selfplay --agent alphabeta:depth=2 --games 400 --out runs/warm',
      'selfplay --model gess --preset small --games 100 --out runs/games',
    ],
  },
  learn: {
    page: TRAINING,
    lines: [
      'learn --data runs/warm --preset small --out runs/learnt',
      'learn --data runs/warm --from runs/learnt --steps 200 --seed 2 --out runs/learnt-more',
    ],
  },
  average: {
    page: 'docs/explanation/learning-methods.md',
    lines: [
      'average runs/learnt runs/learnt-more --out runs/mean',
      'average runs/learnt runs/learnt-more --data runs/warm --out runs/mean --json',
    ],
  },
  train: {
    page: TRAINING,
    lines: [
      'train --preset tiny --out runs/tiny',
      'train --out runs/tiny --resume --set generations=6',
      'train --preset small --pool nats://127.0.0.1:4222 --out runs/many',
      'train --preset gess-24h --from models/gess/checkpoint --set warmStart.games=0 --out runs/mine',
    ],
  },
  watch: { page: HOW_TO_WATCH, lines: ['watch runs/tiny', 'watch runs/tiny --once --json'] },
  worker: {
    page: MACHINES,
    lines: ['worker --pool worker-1.json', 'worker --pool nats://127.0.0.1:4222 --processes 2'],
  },
  'pool init': {
    page: MACHINES,
    lines: [
      'pool init --out pool --host pool.example.org --workers 4',
      'pool init --out pool --host 192.168.1.10 --host pool.local',
    ],
  },
  'pool add': { page: MACHINES, lines: ['pool add pool --workers 2', 'pool add pool'] },
  'pool remove': { page: MACHINES, lines: ['pool remove pool worker-2', 'pool remove pool worker-3'] },
  'pool simulate': {
    page: 'docs/results/scale.md',
    lines: [
      'pool simulate --pool nats://127.0.0.1:4222',
      'pool simulate --pool nats://127.0.0.1:4222 --workers 64 --job-seconds 60',
    ],
  },
  'pool status': {
    page: MACHINES,
    lines: ['pool status --pool pool/observer.json', 'pool status --pool pool/observer.json --prometheus'],
  },
  'config show': {
    page: SETTINGS,
    lines: ['config show --preset small --set seed=2', 'config show --game quess'],
  },
  'config schema': { page: SETTINGS, lines: ['config schema', 'config schema > run.schema.json'] },
  evaluate: {
    page: MATCHES,
    lines: [
      'evaluate --agent alphabeta:depth=2 --opponent greedy --games 10',
      'evaluate --agent mcts:model=gess,simulations=64 --opponent alphabeta:depth=2 --sprt 0,20 --out runs/match',
      'evaluate --out runs/match --resume',
    ],
  },
  ladder: {
    page: MATCHES,
    lines: [
      'ladder --out runs/ladder --player alphabeta:depth=2 --player careful --player greedy',
      'ladder --out runs/ladder --run runs/mine --every 20 --svg ladder.svg --html ladder.html',
      'ladder --out runs/ladder --games 200',
    ],
  },
  'openings make': {
    page: MATCHES,
    lines: [
      'openings make --game quess --count 200 --out runs/quess.txt',
      'openings make --count 64 --judge alphabeta:nodes=5000 --out runs/gess.txt',
    ],
  },
  accuracy: {
    page: FORMATS,
    section: 'solved-positions',
    lines: [
      'accuracy --game connect-four --solved gess-zero/models/connect-four/solved-positions.jsonl --agent alphabeta:depth=4',
      'accuracy --run runs/tiny --solved gess-zero/models/connect-four/solved-positions.jsonl',
    ],
  },
  regret: {
    page: 'docs/explanation/learning-methods.md',
    section: 'targets-of-a-gumbel-root',
    lines: [
      'regret --model gess --data runs/games --search root=gumbel,simulations=32 --positions 50',
      'regret --model gess --data runs/games --search root=gumbel,simulations=16 root=puct,simulations=16 --json',
    ],
  },
  export: {
    page: 'docs/how-to/use-a-model.md',
    lines: [
      'export --checkpoint runs/tiny/checkpoints/gen-000003 --out runs/tiny-export',
      'export --verify runs/tiny-export',
    ],
  },
  report: {
    page: HOW_TO_WATCH,
    lines: ['report runs/tiny', 'report runs/tiny runs/quess --out runs/compared.html'],
  },
  inspect: { page: FORMATS, lines: ['inspect runs/tiny', 'inspect runs/tiny/data --row 100 --json'] },
  study: {
    page: ANALYSIS,
    lines: ['study runs/games', 'study runs/games/shard-000000.arrow --json'],
  },
  'data verify': {
    page: FORMATS,
    lines: ['data verify runs/tiny', 'data verify runs/tiny/data --deep --json'],
  },
  'data merge': {
    page: FORMATS,
    lines: [
      'data merge runs/warm runs/games --out runs/merged',
      'data merge runs/games --where ply=10..40 --sample 0.5 --out runs/middle',
    ],
  },
  'data split': {
    page: FORMATS,
    lines: [
      'data split runs/games --out runs/parts',
      'data split runs/games --part train=0.8 --part test=0.2 --out runs/two-parts',
    ],
  },
  'data rescore': {
    page: FORMATS,
    lines: [
      'data rescore runs/games --lambda 0.9 --out runs/rescored',
      'data rescore runs/games --agent alphabeta:depth=3 --out runs/judged',
      'data rescore runs/games --agent alphabeta:network=gess,nodes=3000 --agent-moves --out runs/taught',
    ],
  },
  'data reanalyze': {
    page: FORMATS,
    lines: [
      'data reanalyze runs/games --model gess --search root=gumbel,simulations=64 --out runs/again',
      'data reanalyze runs/games --model gess --search root=puct,simulations=32 --sample 0.1 --out runs/some',
    ],
  },
  'data convert': {
    page: FORMATS,
    lines: [
      'data convert runs/games --out runs/parquet',
      'data convert runs/parquet --to arrow --out runs/arrow',
    ],
  },
  'data card': {
    page: FORMATS,
    lines: ['data card runs/games', 'data card runs/games --license CC-BY-4.0 --author "A. Player" --write'],
  },
  'env-server': {
    page: 'docs/reference/envs/protocol.md',
    lines: ['env-server', 'env-server --game ./my-game.mjs'],
  },
  distill: {
    page: 'docs/explanation/pattern-network.md',
    lines: [
      'distill --data runs/judged --out runs/patterns',
      'distill --data runs/games --from gess --passes 2 --learning-rate 0.0005 --out runs/patterns --json',
    ],
  },
  tune: {
    page: 'docs/explanation/search.md',
    lines: ['tune --data runs/warm', 'tune --data runs/warm --start guessed --pull 300 --json'],
  },
  bench: { page: 'docs/results/benchmarks.md', lines: ['bench', 'bench perft search --json'] },
  completion: {
    page: COMMANDS,
    lines: ['completion bash', 'completion fish'],
  },
};

/** Appends examples to the help of a command; a command with nothing but sub-commands has none. */
export function addExamples(command: CommandUnknownOpts): void {
  const found = COMMAND_EXAMPLES[pathOf(command).replace(/^gess /, '')];
  if (found === undefined) return;
  const lines = found.lines.map((line) => `  gess ${line}`);
  const place = found.section === undefined ? found.page : `${found.page}#${found.section}`;
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}\n\n${place} has the details.`);
}
