"""The line of a magic becomes options: ours, those of another command, and a program's arguments."""
from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import PurePath

SECONDS = 60.0
HEIGHT = 700
SOURCES = (".cu",)
HEADERS = (".cuh", ".h", ".hpp")
# The file of a cell that has no name. Messages call it "cell".
UNNAMED = "cell.cu"


class Mistake(Exception):
    """The user's mistake, in a sentence."""


@dataclass
class Words:
    name: str = UNNAMED
    seconds: float = SECONDS
    height: int = HEIGHT
    output: str | None = None
    block: str | None = None
    others: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


def number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise Mistake(f"{option} {text}: must be a number greater than 0")
    return value


def file_name(text: str) -> str:
    path = PurePath(text)
    if path.name != text or path.suffix not in SOURCES + HEADERS:
        raise Mistake(f"--name {text}: must be a file name without a folder, which ends with "
                      + ", ".join(SOURCES + HEADERS))
    if text == UNNAMED:
        raise Mistake(f"--name {text}: cells without a name are called so")
    return text


def is_header(name: str) -> bool:
    return PurePath(name).suffix in HEADERS


SETTERS = {
    "--name": lambda words, text: setattr(words, "name", file_name(text)),
    "--timeout": lambda words, text: setattr(words, "seconds", number("--timeout", text)),
    "--height": lambda words, text: setattr(words, "height", int(number("--height", text))),
    "--block": lambda words, text: setattr(words, "block", text),
    "-o": lambda words, text: setattr(words, "output", text),
}


def split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise Mistake(f"{line}: {error}") from None


def take(line: str, own: tuple[str, ...]) -> Words:
    """Options that `own` names are taken. Words after "--" are the program's, the rest is in `others`."""
    words = Words()
    rest = split(line)
    if "--" in rest:
        at = rest.index("--")
        rest, words.arguments = rest[:at], rest[at + 1:]
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        if option not in own:
            words.others.append(option + equals + value)
            continue
        if not equals:
            if not rest:
                raise Mistake(f"{option} needs a value")
            value = rest.pop(0)
        SETTERS[option](words, value)
    return words
