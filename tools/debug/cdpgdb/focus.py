"""The focus: the CUDA thread that bt, print, info locals and up are about. The command `cuda`."""
import gdb

from cdpdebug import coordinates, records

from . import dap, fiber, frames, target


def select_user_frame():
    frame = frames.innermost(gdb.newest_frame())
    if frame is not None:
        frame.select()
    return frame


switched = []  # functions that are called when the focus moves
waits_for = []  # functions that are called before the program runs until a thread continues


def show(thread):
    """Makes the thread the focus, and selects its frame in the program's code."""
    fiber.clear()
    for function in switched:
        function()
    if thread.is_running:
        thread.runner.switch()
    else:
        fiber.carry(thread)
    return select_user_frame()


def switch(thread):
    frame = show(thread)
    description = coordinates.describe(thread)
    print(f"[Switching focus to CUDA {description}]")
    if frame is not None:
        frames.print_source_line(frame)
    dap.focus_moved(description)


# ---- The command ----

class Cuda(gdb.Command):
    """Print or select the CUDA focus.
cuda kernel 2 block 1,0,0 thread 3,0,0   selects; also device, grid, sm (a worker), warp, lane
cuda kernel block thread                 prints"""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        try:
            coordinates.select(argument, switch)
        except (gdb.error, gdb.MemoryError) as error:
            raise gdb.GdbError(f"cdp-gdb: {error}") from None

# ---- The program continues ----

class Arrival(gdb.Breakpoint):
    """Where a thread that waits comes back to the program's code."""

    is_passed = True

    def __init__(self, pc, context):
        super().__init__(f"*{pc:#x}", internal=True)
        self.silent = True
        self.context, self.has_stopped = context, False

    def stop(self):
        self.has_stopped = target.current_context() == self.context
        return self.has_stopped


def bring_in():
    """Before next, step, finish and the like: if the focus waits, lets the program run until the
    thread continues. Then gdb's own command runs."""
    thread = fiber.unwinder.thread
    if thread is None:
        return
    connection = gdb.selected_inferior().connection
    if connection is None or connection.type == "core":
        raise gdb.GdbError("The program is not being run.")
    frame = frames.innermost(gdb.newest_frame())
    pc = frame.pc() if frame is not None else 0
    fiber.clear()
    if pc == 0:
        raise gdb.GdbError("cdp-gdb: the thread has no frame in the program's code")
    arrival = Arrival(pc, thread.context)
    for function in waits_for:
        function(thread)
    try:
        gdb.execute("continue", to_string=True)
        if not arrival.has_stopped:
            raise gdb.GdbError("The program has stopped before the CUDA thread continued.")
    finally:
        arrival.delete()


def leave():
    """Before continue and the like."""
    fiber.clear()


class Before(gdb.Command):
    """Used by cdp_gdb.py itself, before other commands."""

    def __init__(self, name, function):
        super().__init__(name, gdb.COMMAND_SUPPORT)
        self.function = function

    def invoke(self, argument, from_tty):
        try:
            self.function()
        except gdb.GdbError as error:
            dap.refused(error)
            raise


def hook(command, helper):
    gdb.execute(f"define hook-{command}\n{helper}\nend")


def set_up():
    gdb.set_convenience_variable("_cdp_focus", 0)
    Cuda()
    Before("cdp-bring-in", bring_in)
    Before("cdp-leave", leave)
    for command in ("stepi", "nexti"):
        hook(command, "cdp-bring-in")
    for command in ("continue", "jump", "run", "signal", "kill", "detach"):
        hook(command, "cdp-leave")
