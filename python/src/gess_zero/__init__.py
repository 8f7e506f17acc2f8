"""Gess, Gach, Quess and Connect Four for PettingZoo and Gymnasium. Importing it registers the ids for `gymnasium.make`."""

from gess_zero.errors import GessError, GessServerEnded, GessStartError
from gess_zero.parallel import GessParallelEnv
from gess_zero.registration import register
from gess_zero.server import GessServer
from gess_zero.single import GessEnv, random_opponent
from gess_zero.turns import env, raw_env
from gess_zero.vector import GessVectorEnv

__all__ = [
    "GessEnv",
    "GessError",
    "GessParallelEnv",
    "GessServer",
    "GessServerEnded",
    "GessStartError",
    "GessVectorEnv",
    "env",
    "random_opponent",
    "raw_env",
]

register()
