"""Where cdpcc and the programs beside it are."""
from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Iterator

from .words import Mistake

def near() -> Iterator[Path]:
    """cdpcc's sources with this package in python/, and an installation with it in share/cdpcc/python."""
    above = Path(__file__).resolve().parents
    yield from (folder / "build" / "bin" / "cdpcc" for folder in above[2:3])
    yield from (folder / "bin" / "cdpcc" for folder in above[4:5])


def compiler() -> Path:
    if named := os.environ.get("CDPCC"):
        if found := shutil.which(named):
            return Path(found).absolute()
        raise Mistake(f"CDPCC={named}: no such program")
    if found := shutil.which("cdpcc"):
        return Path(found).absolute()
    for path in near():
        if os.access(path, os.X_OK):
            return path
    raise Mistake("cdpcc is not found: put its folder into PATH, or its path into the variable CDPCC "
                  "(%env CDPCC=/opt/cdpcc/bin/cdpcc)")


def tool(name: str) -> Path:
    """A program that is installed with cdpcc."""
    path = compiler().resolve().parent / name
    if not os.access(path, os.X_OK):
        raise Mistake(f"{name} is not beside {compiler()}")
    return path
