"""The games as PettingZoo Parallel environments: all agents act at once, and actions of agents not to move are ignored."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from gess_zero.spaces import RENDER_MODES, Observation
from gess_zero.turns import raw_env


class GessParallelEnv(ParallelEnv[str, Any, Any]):
    """`step` takes the action of each agent and plays that of the agent to move; masks of the others are zeros.

    An illegal action raises `GessError` and changes nothing. Arguments as in `raw_env`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "name": "gess_v0", "render_fps": 2}

    def __init__(self, env_id: str = "gess/Gess", **kwargs: Any) -> None:
        self._game = raw_env(env_id, **kwargs)
        self.possible_agents = self._game.possible_agents
        self.agents: list[str] = []
        self.render_mode = self._game.render_mode

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._game.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._game.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._game.reset(seed=seed, options=options)
        self.agents = list(self._game.agents)
        return self._observations(), dict(self._game.infos)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        game = self._game
        game.step(int(actions[game.agent_selection]))
        ended = any(game.terminations.values()) or any(game.truncations.values())
        observations = self._observations()
        if ended:
            self.agents = []
        return observations, dict(game.rewards), dict(game.terminations), dict(game.truncations), dict(game.infos)

    def render(self) -> str | NDArray[np.uint8] | None:
        return self._game.render()

    def close(self) -> None:
        self._game.close()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._game.observe(agent) for agent in self._game.agents}
