"""Errors of this package. `code` is for programs, the message for people."""

from __future__ import annotations


class GessError(Exception):
    """A rejected request, which has changed nothing. Its code is the server's, such as `illegal-action`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} [{code}]")
        self.code = code


class GessStartError(GessError):
    """The program `gess` could not be started: `node-missing`, `gess-missing`, `render-missing`, `protocol`."""


class GessServerEnded(GessError):
    """The process of the environments has ended or was closed (`server-ended`); make new environments."""
