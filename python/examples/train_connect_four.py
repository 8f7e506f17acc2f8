"""PPO with masked actions in JAX, like CleanRL's: learns Connect Four against a bot, and prints how often it wins.

    pip install './python[train]'
    python python/examples/train_connect_four.py [--opponent random] [--updates 100]
"""

import argparse

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax
from gymnasium.vector import AutoresetMode

import gess_zero  # noqa: F401 registers the environments

ENVS, STEPS, EPOCHS, BATCHES, DISCOUNT, TRACE, CLIP = 64, 32, 4, 4, 0.99, 0.95, 0.2
parser = argparse.ArgumentParser()
parser.add_argument("--opponent", default="random")
parser.add_argument("--updates", type=int, default=100)
given = parser.parse_args()
rng = np.random.default_rng(1)
envs = gymnasium.make_vec("gess/ConnectFour-v0", num_envs=ENVS, opponent=given.opponent, autoreset_mode=AutoresetMode.SAME_STEP)
inputs, actions = int(np.prod(envs.single_observation_space["observation"].shape)), int(envs.single_action_space.n)


def layer(size: int, to: int, scale: float) -> list[jax.Array]:
    return [jnp.asarray(rng.normal(0, scale / size**0.5, (size, to)), jnp.float32), jnp.zeros(to)]


def network(params, planes, mask):
    """Log-probabilities of actions, with illegal ones far below the others, and the value of the position."""
    (w1, b1), (w2, b2), (w3, b3) = params
    out = jax.nn.relu(jax.nn.relu(planes @ w1 + b1) @ w2 + b2) @ w3 + b3
    return jax.nn.log_softmax(jnp.where(mask, out[:, :-1], -1e9)), out[:, -1]


def loss(params, planes, mask, action, old, advantage, target):
    logs, value = network(params, planes, mask)
    ratio = jnp.exp(logs[jnp.arange(len(action)), action] - old)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    entropy = -(jnp.exp(logs) * jnp.where(mask, logs, 0)).sum(1).mean()
    return 0.5 * ((value - target) ** 2).mean() - gain - 0.01 * entropy


@jax.jit
def improve(params, state, batch):
    updates, state = optimizer.update(jax.grad(loss)(params, *batch), state)
    return optax.apply_updates(params, updates), state


params = [layer(inputs, 128, 1.4), layer(128, 128, 1.4), layer(128, actions + 1, 0.01)]
optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))
state, act = optimizer.init(params), jax.jit(network)
seen, _ = envs.reset(seed=1)
for update in range(1, given.updates + 1):
    rows, results = [], []
    for _ in range(STEPS):
        planes, mask = seen["observation"].reshape(ENVS, -1), seen["action_mask"] == 1
        logs, values = map(np.asarray, act(params, planes, mask))
        action = (logs + rng.gumbel(size=logs.shape)).argmax(1)
        seen, rewards, terminated, truncated, _ = envs.step(action)
        ended = terminated | truncated
        rows.append((planes, mask, action, logs[np.arange(ENVS), action], rewards, ended, values))
        results.extend(rewards[ended])
    value = np.asarray(act(params, seen["observation"].reshape(ENVS, -1), seen["action_mask"] == 1)[1])
    planes, mask, action, old, rewards, ended, values = map(np.stack, zip(*rows, strict=True))
    advantages, advantage = np.zeros((STEPS, ENVS), np.float32), np.zeros(ENVS)
    for t in reversed(range(STEPS)):
        delta = rewards[t] + DISCOUNT * value * ~ended[t] - values[t]
        advantages[t] = advantage = delta + DISCOUNT * TRACE * advantage * ~ended[t]
        value = values[t]
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    data = [x.reshape(STEPS * ENVS, *x.shape[2:]) for x in (planes, mask, action, old, scaled, advantages + values)]
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(STEPS * ENVS), BATCHES):
            params, state = improve(params, state, [x[part] for x in data])
    if update % 10 == 0 or update == 1:
        print(f"{update * STEPS * ENVS:7} steps, wins {np.mean(np.array(results) > 0):.3f} of {len(results)} games", flush=True)
envs.close()
