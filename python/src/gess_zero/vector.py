"""Many environments in one server process, stepped by one message, as a Gymnasium `VectorEnv`.

    import gymnasium
    import gess_zero  # registers gess/Gess-v0 and the others

    envs = gymnasium.make_vec("gess/Quess-v0", num_envs=64, opponent="greedy")
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium import spaces
from numpy.typing import NDArray

from gess_zero.batch import FINAL, TERMINATED, TRUNCATED, Batch
from gess_zero.server import GessServer, PlanesType
from gess_zero.single import SELF, Side, server_side
from gess_zero.spaces import RENDER_MODES, Observation, Table, observation_space

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class GessVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` environments for one agent each, 1 to 1,024. An illegal action raises `GessError` and changes nothing.

    `opponent` is the text of an agent, or `self`, the default: one agent plays both sides, and rewards are those of the
    player who moved. `autoreset_mode` as in Gymnasium; its default is `NEXT_STEP`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        env_id: str = "gess/Gess",
        num_envs: int = 1,
        opponent: str = SELF,
        side: Side = "random",
        render_mode: str | None = None,
        server: GessServer | None = None,
        planes: PlanesType = "float32",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        params: dict[str, Any] = {"id": env_id, "count": num_envs, "kwargs": kwargs, "opponent": opponent}
        params["autoreset"] = _AUTORESET[AutoresetMode(autoreset_mode)]
        if opponent != SELF:
            params["side"] = server_side(side, opponent)
        self._table = Table("makeVector", server, render_mode, planes, params)
        made = self._table.made
        self.num_envs = made.count
        self.render_mode = render_mode
        self.metadata = {**GessVectorEnv.metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.single_observation_space = observation_space(made)
        self.single_action_space = spaces.Discrete(made.num_actions)
        self.observation_space = batch_space(self.single_observation_space, made.count)
        self.action_space = batch_space(self.single_action_space, made.count)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """`options` may have `reset_mask`, `position` and `moves`; others are ignored."""
        given = options or {}
        mask = given.get("reset_mask")
        batch = self._table.server.reset(
            self._table.made,
            seed=seed,
            resetMask=None if mask is None else [int(value) for value in mask],
            position=given.get("position"),
            moves=given.get("moves"),
        )
        return self._observations(batch), self._infos(batch)

    def step(
        self, actions: Any
    ) -> tuple[
        Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """`actions`: `[num_envs]`; the action of an environment that is being reset is ignored."""
        batch = self._table.server.step(self._table.made, actions)
        flags = batch.flags
        ends = (flags & TERMINATED) != 0, (flags & TRUNCATED) != 0
        return self._observations(batch), batch.rewards.astype(np.float64), *ends, self._infos(batch)

    def render(self) -> tuple[Any, ...] | None:
        """Returns the position of each environment in the render mode."""
        if self.render_mode is None:
            return None
        return tuple(self._table.render(index) for index in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        self._table.close()

    def _observations(self, batch: Batch) -> Observation:
        return {"observation": batch.planes, "action_mask": batch.masks(self._table.made.num_actions)}

    def _infos(self, batch: Batch) -> dict[str, Any]:
        """`ply` and `player`, `[num_envs]`, `legal_actions`, a list; with `SAME_STEP` also `final_obs`, `final_info`."""
        everyone = np.ones(self.num_envs, np.bool_)
        lists = np.empty(self.num_envs, object)
        lists[:] = batch.legal_actions
        infos: dict[str, Any] = {
            "ply": batch.plies.astype(np.int64),
            "_ply": everyone,
            "player": batch.players.astype(np.int64),
            "_player": everyone,
            "legal_actions": lists,
            "_legal_actions": everyone,
        }
        ended = (batch.flags & FINAL) != 0
        if ended.any():
            final = np.empty(self.num_envs, object)
            plies = np.zeros(self.num_envs, np.int64)
            nothing = np.zeros(self._table.made.num_actions, np.int8)
            for at, index in enumerate(np.flatnonzero(ended)):
                final[index] = {"observation": batch.final_planes[at], "action_mask": nothing}
                plies[index] = batch.final_plies[at]
            infos |= {"final_obs": final, "_final_obs": ended}
            infos |= {"final_info": {"ply": plies, "_ply": ended}, "_final_info": ended}
        return infos
