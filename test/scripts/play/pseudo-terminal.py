"""Runs a program in a pseudo-terminal, with scripted keys.

Reads a job from stdin, {"command", "columns", "lines", "environment", "steps"}; each step is {"expect": REGEX} and then one of
{"send": KEYS}, {"resize": [COLUMNS, LINES]}, {"signal": NUMBER} or nothing. Prints {"text", "status", "isSane"}: all output, the
exit status (negative for a signal), and whether the terminal is left as it was.
"""

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SECONDS = 45


def set_size(descriptor, columns, lines):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


class Terminal:
    def __init__(self, job):
        self.leader, self.follower = pty.openpty()
        set_size(self.leader, job["columns"], job["lines"])
        self.before = termios.tcgetattr(self.follower)
        # A read may end inside a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.text = ""
        self.seen = 0
        self.process = os.fork()
        if self.process == 0:
            os.login_tty(self.follower) if hasattr(os, "login_tty") else self.log_in()
            os.execvpe(job["command"][0], job["command"], {**os.environ, **job["environment"]})

    def log_in(self):
        os.setsid()
        fcntl.ioctl(self.follower, termios.TIOCSCTTY, 0)
        for descriptor in range(3):
            os.dup2(self.follower, descriptor)

    def read(self, seconds):
        if select.select([self.leader], [], [], seconds)[0]:
            self.text += self.decoder.decode(os.read(self.leader, 65536))

    def expect(self, pattern):
        deadline = time.monotonic() + SECONDS
        while True:
            found = re.compile(pattern, re.S).search(self.text, self.seen)
            if found:
                self.seen = found.end()
                return
            if time.monotonic() > deadline:
                raise SystemExit(f"expected {pattern!r} within {SECONDS} s, got {self.text[self.seen:]!r}")
            self.read(0.1)

    def follow(self, step):
        if "expect" in step:
            self.expect(step["expect"])
        if "send" in step:
            os.write(self.leader, step["send"].encode())
        if "resize" in step:
            set_size(self.leader, *step["resize"])
            os.kill(self.process, signal.SIGWINCH)
        if "signal" in step:
            os.kill(self.process, step["signal"])

    def end(self):
        deadline = time.monotonic() + SECONDS
        while True:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process != 0:
                break
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
                raise SystemExit(f"expected the end within {SECONDS} s, got {self.text[self.seen:]!r}")
            self.read(0.1)
        self.read(0)
        is_sane = termios.tcgetattr(self.follower)[:4] == self.before[:4]
        return {"text": self.text, "status": os.waitstatus_to_exitcode(status), "isSane": is_sane}


job = json.load(sys.stdin)
terminal = Terminal(job)
for step in job["steps"]:
    terminal.follow(step)
print(json.dumps(terminal.end()))
