"""CUDA in notebooks, without a GPU: `%load_ext cdpcc`, then `%%cuda` and `%cdp_report`.

    words.py      the line of a magic becomes options
    session.py    the folder with the files and programs of a notebook's cells
    tools.py      where cdpcc and cdp-report are
    process.py    runs a command, shows what it prints, ends it
    messages.py   names of files become "cell line 3"
    frame.py      a page inside a notebook
    magics.py     the two magics
"""

__version__ = "0.1.0"


def load_ipython_extension(shell) -> None:
    # Only here, so that the version can be read without IPython.
    from .magics import CudaMagics

    shell.register_magics(CudaMagics(shell))
