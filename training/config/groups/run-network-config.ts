import { createGame } from '../../../env/games.js';
import { NetworkConfig } from '../../network/network-config.js';
import { GameConfig } from '../../games/game-config.js';
import { isJsonObject } from '../../../env/text/json-object.js';

/**
 * The network of a run. `NetworkConfig` fits every game; a run knows its game, so its default has attention, which
 * reached a lower loss wherever it was measured (docs/results/learning.md).
 */
export const RunNetworkConfig = NetworkConfig.extend({
  policyAttention: NetworkConfig.shape.policyAttention.default(32),
});

/**
 * Sets `network.policyAttention` to 0, its default in games whose moves do not go from square to square, if the JSON of
 * a run lacks it.
 *
 * @param value any JSON; not changed.
 * @returns a changed copy, or `value` if no change is needed or it is invalid.
 */
export function withoutImpossibleAttention(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { game = {}, network = {} } = value;
  if (!isJsonObject(network) || 'policyAttention' in network) return value;
  const { data } = GameConfig.safeParse(game);
  if (data === undefined || createGame(data.id, data.rules).policyTargets !== undefined) return value;
  return { ...value, network: { ...network, policyAttention: 0 } };
}
