"""The magics: %%cuda and %cdp_report."""
from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from . import process, tools
from .frame import Frame
from .messages import translator
from .session import Session
from .words import UNNAMED, Mistake, Words, is_header, take


class CellFailed(Exception):
    """Marks the cell as failed and stops "Run all". The reason is one line, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


@contextmanager
def in_words() -> Iterator[None]:
    """Mistakes and interruptions end the cell with a sentence."""
    try:
        yield
    except Mistake as mistake:
        raise UsageError(str(mistake)) from None
    except KeyboardInterrupt:
        raise CellFailed("interrupted") from None


def limits(seconds: float) -> dict[str, str]:
    """A launch that hangs is reported, with the places of its threads, before the program is ended."""
    return {} if os.environ.get("CDP_TIMEOUT") else {"CDP_TIMEOUT": str(max(1, int(0.9 * seconds)))}


@magics_class
class CudaMagics(Magics):
    def __init__(self, shell):
        super().__init__(shell)
        self.session = Session()

    @cell_magic
    def cuda(self, line: str, cell: str) -> None:
        """Compile the cell with cdpcc and run the program.

        %%cuda [--name FILE] [--timeout SECONDS] [-o PROGRAM] [OPTIONS OF CDPCC] [-- ARGUMENTS]

          --name FILE        later cells can write #include "FILE", and %cdp_report --name FILE.
                             FILE.cuh and FILE.h are only kept, not compiled
          --timeout SECONDS  ends the program after this time (60)
          -o PROGRAM         keeps the program, for use outside of the notebook
          -- ARGUMENTS       the program's arguments

        Useful options of cdpcc: --check finds mistakes while the program runs, -g and -G are for
        debuggers, --count counts for %cdp_report what a GPU's profiler counts.
        """
        with in_words():
            words = take(line, ("--name", "--timeout", "-o"))
            source = self.session.write(words.name, cell)
            if is_header(words.name):
                return
            program = self.compile(source, words)
            if program is not None:
                self.run(program, words)

    @line_magic
    def cdp_report(self, line: str) -> None:
        """Run the last program again with cdp-report, and show the picture of the run.

        %cdp_report [--name FILE] [--timeout SECONDS] [--height PIXELS] [--block KERNEL:X,Y,Z] [[--] ARGUMENTS]

          --name FILE        the program of the cell with this name
          --timeout SECONDS  ends the program after this time (60)
          --height PIXELS    of the picture (700)
          --block KERNEL[:X,Y,Z]   also what the threads of this block do, step by step
        """
        with in_words():
            words = take(line, ("--name", "--timeout", "--height", "--block"))
            words.arguments = words.others + words.arguments
            self.report(self.session.program(None if words.name == UNNAMED else words.name), words)

    def show(self, command: list[str | Path], **more) -> process.Ended:
        return process.run([str(word) for word in command], translator(self.session.folder), **more)

    def compile(self, source: Path, words: Words) -> Path | None:
        """The program; None if the options ask for something else, such as an object."""
        program = Path(words.output or source.with_suffix("")).absolute()
        program.unlink(missing_ok=True)
        ended = self.show([tools.compiler(), "-lineinfo", "-iquote", ".", *words.others, source, "-o", program])
        if ended.status != 0:
            raise CellFailed("the cell does not compile")
        if not os.access(program, os.X_OK):
            print("no program was made, so nothing runs", file=sys.stderr)
            return None
        self.session.add(words.name, program)
        return program

    def run(self, program: Path, words: Words) -> None:
        ended = self.show([program, *words.arguments], limit=words.seconds, variables=limits(words.seconds))
        if ended.sentence():
            raise CellFailed(ended.sentence())

    def report(self, program: Path, words: Words) -> None:
        page = self.session.folder / "page.html"
        page.unlink(missing_ok=True)
        block = ["--block", words.block] if words.block else []
        ended = self.show([tools.tool("cdp-report"), "-o", page, *block, program, *words.arguments],
                          limit=words.seconds, variables=limits(words.seconds))
        if ended.sentence():
            print(ended.sentence(), file=sys.stderr)
        if not page.exists():
            raise CellFailed("cdp-report made no page")
        display(Frame(page.read_text(encoding="utf-8", errors="replace"), words.height,
                      f"the picture of a run of {program.name}"))
