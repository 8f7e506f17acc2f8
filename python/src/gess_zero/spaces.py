"""The spaces of the environments, and their environments on a server."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gess_zero.drawing import pixels_of
from gess_zero.server import GessServer, Made, PlanesType

#: `{"observation": planes [rows, columns, planes], "action_mask": int8 [actions]}`
Observation = dict[str, NDArray[Any]]

RENDER_MODES = ["ansi", "human", "rgb_array"]


def observation_space(made: Made) -> spaces.Dict:
    """The space of one environment's observations."""
    planes: spaces.Box
    if made.dtype == "uint8":
        planes = spaces.Box(0, 255, made.shape, np.uint8)
    else:
        planes = spaces.Box(0, 1, made.shape, np.float32)
    return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (made.num_actions,), np.int8)})


class Table:
    """The server's environments behind an environment of this package, and their pictures."""

    def __init__(
        self,
        method: str,
        server: GessServer | None,
        render_mode: str | None,
        planes: PlanesType,
        params: dict[str, Any],
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"expected a render mode of {RENDER_MODES}, got {render_mode!r}")
        self.render_mode = render_mode
        self._owns_server = server is None
        self.server = GessServer() if server is None else server
        self._closed = False
        drawn = {None: None, "rgb_array": "svg"}.get(render_mode, "ansi")
        try:
            self.made = self.server.make(
                "make" if method == "make" else "makeVector", renderMode=drawn, planes=planes, **params
            )
        except BaseException:
            if self._owns_server:
                self.server.close()
            raise

    def render(self, index: int = 0) -> str | NDArray[np.uint8] | None:
        """Returns the position in the render mode; `human` prints it."""
        if self.render_mode is None:
            return None
        text: str = self.server.call("render", env=self.made.number, index=index)["text"]
        if self.render_mode == "rgb_array":
            return pixels_of(text)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Closes the environments, and the server if it was made for them; further calls have no effect."""
        if self._closed:
            return
        self._closed = True
        if self._owns_server:
            self.server.close()
        else:
            self.server.call("close", env=self.made.number)
