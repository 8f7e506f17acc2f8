"""Batches: the state of environments after a reset or a step, from a frame (docs/reference/envs/protocol.md, "Frames")."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gess_zero.errors import GessError

TERMINATED = 1
TRUNCATED = 2
FINAL = 4

Mask = NDArray[np.int8]
Planes = NDArray[Any]


@dataclass(frozen=True)
class Batch:
    """The state of `N` environments. The arrays are new, and the caller may change them."""

    #: `[N]` of the agent; in an environment for agents in turn, of the agent that moves first.
    rewards: NDArray[np.float32]
    #: `[N]`
    plies: NDArray[np.uint32]
    #: `[N]` sums of `TERMINATED`, `TRUNCATED` and `FINAL`.
    flags: NDArray[np.uint8]
    #: `[N]` the player whose view the planes show.
    players: NDArray[np.uint8]
    #: `N` lists of legal actions, ascending.
    legal_actions: list[NDArray[np.int32]]
    #: `[N, rows, columns, planes]`
    planes: Planes
    #: Plies of the ended episodes of environments with `FINAL`.
    final_plies: NDArray[np.uint32]
    #: Their last planes.
    final_planes: Planes

    def mask(self, index: int, num_actions: int) -> Mask:
        """`[num_actions]` 1 for the legal actions of an environment."""
        mask = np.zeros(num_actions, np.int8)
        mask[self.legal_actions[index]] = 1
        return mask

    def masks(self, num_actions: int) -> NDArray[np.int8]:
        """`[N, num_actions]`"""
        masks = np.zeros((len(self.legal_actions), num_actions), np.int8)
        for row, legal in zip(masks, self.legal_actions, strict=True):
            row[legal] = 1
        return masks


def read_batch(payload: bytearray, shape: tuple[int, ...], dtype: str) -> tuple[int, Batch]:
    """Returns the number of the environment and the batch of a frame.

    `shape` and `dtype`, `float32` or `uint8`, are those of the planes of one environment.
    """
    try:
        env, count, legal, finals = struct.unpack_from("<4I", payload)
        at = 16

        def take(kind: str, size: int) -> NDArray[Any]:
            nonlocal at
            taken = np.frombuffer(payload, kind, size, at)
            at += taken.nbytes
            return taken if taken.dtype.isnative else taken.astype(taken.dtype.newbyteorder("="))

        kind = "<f4" if dtype == "float32" else "u1"
        size = math.prod(shape)
        rewards, plies, counts = take("<f4", count), take("<u4", count), take("<u4", count)
        lists = np.split(take("<i4", legal), np.cumsum(counts[:-1])) if count > 1 else [take("<i4", legal)]
        final_plies = take("<u4", finals)
        planes = take(kind, count * size).reshape(count, *shape)
        final_planes = take(kind, finals * size).reshape(finals, *shape)
        flags, players = take("u1", count), take("u1", count)
        if at != len(payload) or sum(len(part) for part in lists) != legal:
            raise ValueError(f"{len(payload) - at} bytes too many")
    except (ValueError, struct.error) as cause:
        raise GessError("protocol", f"expected the batch of a frame: {cause}") from cause
    return env, Batch(rewards, plies, flags, players, lists, planes, final_plies, final_planes)
