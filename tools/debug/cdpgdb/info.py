"""The command `info cuda`."""
import gdb

from cdpdebug import tables


class InfoCuda(gdb.Command):
    __doc__ = tables.HELP

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        try:
            tables.show(argument)
        except (gdb.error, gdb.MemoryError) as error:
            raise gdb.GdbError(f"cdp-gdb: {error}") from None


def set_up():
    InfoCuda()
