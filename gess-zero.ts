// The root export: the names that most programs need. It runs in browsers; the other public modules are in
// docs/explanation/architecture.md.
export type { Agent, Choice } from './agents/agent.js';
export { createAgent } from './agents/create-agent.js';
export { createOpponent } from './agents/environment-opponent.js';
export type { ModelOpener } from './agents/evaluators/inference-session.js';
export type { Environment, Observation, TurnEnvironment } from './env/environments/environment.js';
export { make } from './env/environments/make.js';
export { registeredIds } from './env/environments/registry.js';
export { makeVec } from './env/environments/vector/make-vec.js';
export { CodedError } from './env/errors.js';
export type { Action, Game, Outcome, Player } from './env/game.js';
export { createGame, GAME_IDS, registerGame } from './env/games.js';
export { createRng, type Rng } from './env/random.js';
export { positionAfter, replayMoves } from './env/replay/checked-replay.js';
export type { ReplayResult } from './env/replay/replay.js';
