"""Gess and its kin as Gymnasium environments: one agent against an opponent.

    import gymnasium
    import gess_zero_gym  # registers gess/Gess-v0, gess/Gach-v0, gess/Quess-v0, gess/ConnectFour-v0

    env = gymnasium.make("gess/Quess-v0", opponent=gess_zero_gym.random_opponent, side=0)
    observation, info = env.reset(seed=1)
    done = False
    while not done:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    env.close()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from gess_zero_env import raw_env

Observation = dict[str, np.ndarray]
#: Chooses a legal action from what the opponent sees; the generator is the environment's.
Opponent = Callable[[Observation, np.random.Generator], int]


def random_opponent(observation: Observation, rng: np.random.Generator) -> int:
    """Any legal action, all with equal probability."""
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


class GessZeroEnv(gymnasium.Env):
    """The learner plays side `side`, 0 (moves first) or 1; an illegal action loses. `kwargs` as in `raw_env`."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}

    def __init__(
        self,
        env_id: str = "gess/Gess",
        opponent: Opponent = random_opponent,
        side: int = 0,
        render_mode: str | None = None,
        **kwargs: Any,
    ):
        self._game = raw_env(env_id, render_mode=render_mode, **kwargs)
        self._opponent = opponent
        self._agent = self._game.possible_agents[side]
        self.render_mode = render_mode
        self.observation_space = self._game.observation_space(self._agent)
        self.action_space = self._game.action_space(self._agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._game.reset(seed=seed, options=options)
        observation, _, _, _, info = self._play_opponent()
        return observation, info

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        observation = self._game.observe(self._agent)
        if observation["action_mask"][action] == 0:
            return observation, -1.0, True, False, {"illegal_action": int(action)}
        self._game.step(action)
        return self._play_opponent()

    def render(self) -> str | None:
        return self._game.render()

    def close(self) -> None:
        self._game.close()

    def _play_opponent(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the opponent's moves until the learner is to move or the game is over."""
        game = self._game
        agent = self._agent
        while True:
            terminated, truncated = game.terminations[agent], game.truncations[agent]
            if terminated or truncated or game.agent_selection == agent:
                reward = float(game.rewards[agent])
                return game.observe(agent), reward, terminated, truncated, game.infos[agent]
            game.step(self._opponent(game.observe(game.agent_selection), self.np_random))


for name in ["Gess", "Gach", "Quess", "ConnectFour"]:
    gymnasium.register(
        f"gess/{name}-v0", entry_point=GessZeroEnv, kwargs={"env_id": f"gess/{name}-v0"}
    )
