"""A client of `gess env-server`: environments in a Node process, one frame per request (docs/reference/envs/protocol.md)."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, Literal

import numpy as np

from gess_zero.batch import Batch, read_batch
from gess_zero.command import gess_command
from gess_zero.errors import GessError, GessServerEnded, GessStartError

PROTOCOL_VERSION = 1
FRAMES_VERSION = 1
#: Longest accepted answer in bytes.
MAX_ANSWER_BYTES = 256 * 1024 * 1024
#: The action with which an agent leaves an episode that is over.
LEAVE = -1

PlanesType = Literal["float32", "uint8"]

_HEADER = struct.Struct("<IB3xI")
_CALL, _STEP, _RESET, _LOOK = 1, 2, 3, 4
_ANSWER_CALL, _ANSWER_BATCH, _ANSWER_ERROR = 1, 2, 3
#: Seconds in which a process must end after its input has ended.
_END_SECONDS = 5.0


@dataclass(frozen=True)
class Made:
    """An environment or vector of a server."""

    number: int
    count: int
    spec: dict[str, Any]
    #: Names of the players, in the order of their moves.
    players: list[str]
    #: Shape of the planes of one environment.
    shape: tuple[int, ...]
    dtype: PlanesType
    num_actions: int


class GessServer:
    """The server as a child process. It ends when this object is closed or this process ends.

    Not for use by several threads at once. An interrupt between a request and its answer, such as Ctrl-C, ends the server.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """`command`: the words of the server, `env-server` included; by default `gess_command()` with `env-server`."""
        words = [*gess_command(), "env-server"] if command is None else list(command)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C is for this process; the server ends when its input does.
                start_new_session=True,
            )
        except OSError as cause:
            raise GessStartError("gess-missing", f"expected a program that starts, got {words}: {cause}") from cause
        self._owner = os.getpid()
        self._requests = 0
        self._closed = False
        try:
            self._agree()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def call(self, method: str, **params: Any) -> Any:
        """Calls a method of the protocol by its name. Raises `GessError` if the server answers with an error."""
        self._requests += 1
        request = {"id": self._requests, "method": method, "params": params}
        kind, payload = self._exchange(_CALL, json.dumps(request).encode())
        return _result(payload) if kind == _ANSWER_CALL else self._fail(kind, payload)

    def make(self, method: Literal["make", "makeVector"], **params: Any) -> Made:
        """Makes an environment, or a vector."""
        made = self.call(method, **params)
        players = list(made["possibleAgents"])
        box = made["observationSpaces"][players[0]]["spaces"]["observation"]
        return Made(
            number=made["env"],
            count=made["count"],
            spec=made["spec"],
            players=players,
            shape=tuple(box["shape"]),
            dtype=params.get("planes", "float32"),
            num_actions=int(made["actionSpaces"][players[0]]["n"]),
        )

    def reset(self, made: Made, **options: Any) -> Batch:
        """Starts an episode in each environment. Options: `seed`, `position`, `moves`, for a vector also `resetMask`."""
        known = {name: value for name, value in options.items() if value is not None}
        return self._batch(_RESET, json.dumps({"env": made.number, **known}).encode(), made)

    def step(self, made: Made, actions: Sequence[int] | np.typing.NDArray[np.integer[Any]]) -> Batch:
        """Plays an action in each environment, `[count]`."""
        numbers = np.asarray(actions, "<i4")
        return self._batch(_STEP, struct.pack("<II", made.number, numbers.size) + numbers.tobytes(), made)

    def look(self, made: Made, player: int | None = None) -> Batch:
        """Returns the view of a player, by default the one to move, in an environment for agents in turn."""
        return self._batch(_LOOK, struct.pack("<Ii", made.number, -1 if player is None else player), made)

    def close(self) -> None:
        """Ends the server; further calls have no effect."""
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        process = self._process
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _agree(self) -> None:
        """The handshake: a line in each direction, then frames."""
        stdin, stdout = self._streams()
        request = {"id": 0, "method": "hello", "params": {"frames": FRAMES_VERSION}}
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            stdin.flush()
            line = stdout.readline(1_000_000)
        except OSError:
            line = b""
        if not line:
            code = self._process.wait()
            raise GessStartError("gess-missing", f"expected a server, but it has ended with exit code {code}")
        try:
            hello = _result(line)
            spoken = (hello["protocol"], hello["frames"])
        except (ValueError, KeyError, TypeError, GessError) as cause:
            raise GessStartError("protocol", f"expected a server with frames, got {line[:200]!r}") from cause
        if spoken != (PROTOCOL_VERSION, FRAMES_VERSION):
            expected = f"protocol {PROTOCOL_VERSION} with frames {FRAMES_VERSION}"
            raise GessStartError("protocol", f"expected {expected}, the server speaks {spoken}")

    def _streams(self) -> tuple[IO[bytes], IO[bytes]]:
        process = self._process
        if self._closed or process.stdin is None or process.stdout is None:
            raise GessServerEnded("server-ended", "expected a server that was not closed")
        if self._owner != os.getpid():
            raise GessServerEnded("server-ended", "expected a server of this process: make another after a fork")
        return process.stdin, process.stdout

    def _batch(self, kind: int, payload: bytes, made: Made) -> Batch:
        self._requests += 1
        answered, answer = self._exchange(kind, payload)
        if answered != _ANSWER_BATCH:
            self._fail(answered, answer)
        _, batch = read_batch(answer, made.shape, made.dtype)
        return batch

    def _exchange(self, kind: int, payload: bytes) -> tuple[int, bytearray]:
        """Sends a frame and waits for its answer, a kind and a payload."""
        stdin, stdout = self._streams()
        number = self._requests & 0xFFFFFFFF
        try:
            stdin.write(_HEADER.pack(len(payload), kind, number) + payload)
            stdin.flush()
            length, answered, repeated = _HEADER.unpack(_read(stdout, _HEADER.size))
            if length > MAX_ANSWER_BYTES or repeated != number:
                raise GessServerEnded(
                    "server-ended", f"expected the answer to {number}, got {length} bytes to {repeated}"
                )
            return answered, _read(stdout, length)
        except (EOFError, OSError) as cause:
            self.close()
            code = self._process.returncode
            raise GessServerEnded("server-ended", f"the server has ended with exit code {code}") from cause
        except BaseException:
            # Otherwise the late answer would be taken for that to the next request.
            self.close()
            raise

    def _fail(self, kind: int, payload: bytearray) -> Any:
        if kind != _ANSWER_ERROR:
            self.close()
            raise GessServerEnded("server-ended", f"expected another kind of answer, got {kind}")
        error = json.loads(bytes(payload))
        raise GessError(error["code"], error["message"])


def _result(answer: bytes | bytearray) -> Any:
    parsed = json.loads(bytes(answer))
    if "error" in parsed:
        raise GessError(parsed["error"]["code"], parsed["error"]["message"])
    return parsed["result"]


def _read(stream: IO[bytes], size: int) -> bytearray:
    """Reads exactly `size` bytes. Raises `EOFError` if the stream ends first."""
    taken = bytearray(size)
    view = memoryview(taken)
    at = 0
    while at < size:
        count = stream.readinto(view[at:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        at += count
    return taken
