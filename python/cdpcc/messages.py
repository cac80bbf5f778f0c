"""Names of files in messages: lines of a cell are "cell line 3", files of other cells have no folder."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

from .words import UNNAMED

# The last line of a finding, and of cdp-report, name temporary files, which are of no use elsewhere.
LEFT_OUT = re.compile(r"  gdb: cdp-gdb |cdp-report: the page is ")


def translator(folder: Path) -> Callable[[str], str]:
    """A function for one line of text."""
    prefix = re.escape(str(folder) + "/")
    place = re.compile(rf"(?<![\w/.-])(?:{prefix})?{re.escape(UNNAMED)}:(\d+)(?::(\d+))?")

    def of_cell(match: re.Match[str]) -> str:
        line, column = match.groups()
        return f"cell line {line}" + (f", column {column}" if column else "")

    def translate(line: str) -> str:
        if LEFT_OUT.match(line):
            return ""
        return place.sub(of_cell, line).replace(f"{folder}/", "")

    return translate
