"""Runs a command and shows what it prints while it runs.

The command is the leader of a session of its own, so it and all that it starts can be ended together:
after the time limit, when the user interrupts the kernel, and when the command has ended. The limit
is kept by timeout(1). So a program ends even if the notebook's kernel is killed.
"""
from __future__ import annotations

import codecs
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Callable, TextIO

# More than this of each stream would make the notebook unusable.
MOST_TEXT = 1_000_000
GRACE = 2


class Stream:
    """One stream of the command: bytes become text, which is shown up to a limit."""

    def __init__(self, to: TextIO, translate: Callable[[str], str] | None):
        self.to = to
        self.translate = translate
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.line = ""
        self.shown = 0

    def take(self, data: bytes) -> None:
        text = self.decoder.decode(data, final=not data)
        if self.translate is None:
            return self.show(text)
        *lines, self.line = (self.line + text).split("\n")
        self.show("".join(self.translate(line + "\n") for line in lines))
        if not data or len(self.line) > MOST_TEXT:
            self.show(self.translate(self.line))
            self.line = ""

    def show(self, text: str) -> None:
        rest = MOST_TEXT - self.shown
        if text and rest > 0:
            self.to.write(text[:rest])
            if len(text) >= rest:
                self.to.write("\n[the program prints more, which is left out]\n")
            self.to.flush()
        self.shown += len(text)


@dataclass
class Ended:
    status: int
    seconds: float
    limit: float | None

    @property
    def too_late(self) -> bool:
        return self.limit is not None and self.seconds >= self.limit and self.status in (124, 137, -signal.SIGKILL)

    def sentence(self) -> str:
        """How it ended; nothing if that was well."""
        if self.too_late:
            return f"the program was ended after {self.limit:g} seconds (--timeout)"
        if self.status < 0:
            return f"the program was ended by signal {-self.status} ({signal.strsignal(-self.status)})"
        return f"the program ended with exit status {self.status}" if self.status else ""


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    # The process stays a zombie until end(), so its number is not given to another one.
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def show_all(process: subprocess.Popen[bytes], streams: dict[int, Stream]) -> None:
    with selectors.DefaultSelector() as selector:
        for descriptor in streams:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ended = has_ended(process)
            ready = selector.select(0 if ended else 0.1)
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if data:
                    streams[key.fd].take(data)
                else:
                    selector.unregister(key.fd)
            # What the command started may keep the pipes open.
            if ended and not ready:
                break
    for stream in streams.values():
        stream.take(b"")


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def end(process: subprocess.Popen[bytes]) -> int:
    """Ends the command and what it started."""
    if not has_ended(process):
        send(process, signal.SIGTERM)
        stop = time.monotonic() + GRACE
        while not has_ended(process) and time.monotonic() < stop:
            time.sleep(0.02)
    send(process, signal.SIGKILL)
    return process.wait()


def run(command: list[str], translate: Callable[[str], str], limit: float | None = None,
        variables: dict[str, str] | None = None) -> Ended:
    if limit is not None:
        command = ["timeout", "-k", str(GRACE), f"{limit:g}", *command]
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, env={**os.environ, **(variables or {})})
    with process.stdout, process.stderr:
        try:
            show_all(process, {process.stdout.fileno(): Stream(sys.stdout, None),
                               process.stderr.fileno(): Stream(sys.stderr, translate)})
            while not has_ended(process):  # it has closed its streams
                time.sleep(0.02)
        finally:
            status = end(process)
    return Ended(status, time.monotonic() - start, limit)
