"""The files of a notebook's cells, and the programs that were made of them."""
from __future__ import annotations

import tempfile
from pathlib import Path

from .words import UNNAMED, Mistake


class Session:
    """Life: as long as the notebook's kernel. The folder is removed when the kernel exits."""

    def __init__(self) -> None:
        self._keep = tempfile.TemporaryDirectory(prefix="cdpcc-", ignore_cleanup_errors=True)
        self.folder = Path(self._keep.name).resolve()
        self.programs: dict[str, Path] = {}
        self.last: str | None = None

    def write(self, name: str, cell: str) -> Path:
        """The first line stands for the magic's. So the numbers of lines are those of the cell."""
        path = self.folder / name
        path.write_text("\n" + cell, encoding="utf-8")
        self.programs.pop(name, None)
        return path

    def add(self, name: str, program: Path) -> None:
        self.programs[name] = program
        self.last = name

    def program(self, name: str | None) -> Path:
        name = name or self.last
        if name is None:
            raise Mistake("there is no program yet: run a cell that begins with %%cuda")
        if name not in self.programs:
            raise Mistake("the last cell made no program" if name == UNNAMED else f"no cell made a program of {name}")
        return self.programs[name]
