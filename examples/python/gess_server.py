"""A client of `gess env-server`: environments in a Node process, one JSON line a request (docs/envs/protocol.md)."""

from __future__ import annotations

import base64
import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

PROTOCOL_VERSION = 1


def default_command() -> list[str]:
    """The words of $GESS_ENV_SERVER; without it, the program beside this file or, if there is none, `npx gess`."""
    words = os.environ.get("GESS_ENV_SERVER")
    if words:
        return shlex.split(words)
    launcher = Path(__file__).resolve().parents[2] / "scripts" / "launch.mjs"
    if launcher.is_file():
        return ["node", str(launcher), "env-server"]
    return ["npx", "gess", "env-server"]


class GessError(Exception):
    """A request that the server could not follow: nothing has changed. `code` says why."""

    def __init__(self, code: str, message: str):
        super().__init__(f"{message} [{code}]")
        self.code = code


class GessServer:
    """The server as a child process. It ends when this object is closed, or with this process."""

    def __init__(self, command: Sequence[str] | None = None):
        self._process = subprocess.Popen(
            list(command) if command is not None else default_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for this process; the server ends when its input does.
            start_new_session=True,
        )
        self._requests = 0
        try:
            hello = self.call("hello")
            if hello["protocol"] != PROTOCOL_VERSION:
                raise RuntimeError(
                    f"expected protocol {PROTOCOL_VERSION}, the server speaks {hello['protocol']}"
                )
        except BaseException:
            self.close()
            raise

    def call(self, method: str, **params: Any) -> Any:
        """Sends a request and waits for its result. Raises `GessError` as the server answers."""
        process = self._process
        if process.stdin is None or process.stdin.closed:
            raise RuntimeError("the server was closed")
        self._requests += 1
        request = {"id": self._requests, "method": method, "params": params}
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise RuntimeError(f"the server has ended, exit code {process.wait()}")
        answer = json.loads(line)
        if answer["id"] != self._requests:
            raise RuntimeError(f"expected the answer to {self._requests}, got that to {answer['id']}")
        if "error" in answer:
            raise GessError(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    def close(self) -> None:
        """Ends the server; any number of calls do no harm."""
        process = self._process
        if process.stdin is not None and not process.stdin.closed:
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
            process.wait()
            process.stdout.close()


def decode_observation(encoded: dict[str, Any], num_actions: int) -> dict[str, np.ndarray]:
    """Planes, float32 `[rows, columns, planes]`, and the mask, int8 `[num_actions]`, 1 where legal."""
    planes = encoded["observation"]
    observation = np.frombuffer(base64.b64decode(planes["base64"]), dtype="<f4")
    mask = np.zeros(num_actions, dtype=np.int8)
    mask[encoded["legalActions"]] = 1
    return {
        # A copy, which may be written to and has this machine's order of bytes.
        "observation": observation.reshape(planes["shape"]).astype(np.float32),
        "action_mask": mask,
    }
