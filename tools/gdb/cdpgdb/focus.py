"""The focus: the CUDA thread that bt, print, info locals and up are about. The command `cuda`."""
import re

import gdb

from . import fiber, frames, records

INVALID = "Invalid coordinates requested. CUDA focus unchanged."
NO_FOCUS = "Focus is not set on any active CUDA kernel."


def current_index(thread):
    """threadIdx: a block entry runs all threads of a block, and sets the index as it goes."""
    if thread.block.is_whole:
        context = records.at(thread.fiber, "struct cdp_fiber")["thread"]
        return tuple(int(context["thread_idx"][i]) for i in range(3))
    return thread.index


def describe(thread):
    grid, block, index = thread.block.grid, thread.block, current_index(thread)
    linear = records.join(index, block.dim)
    return (f"kernel {grid.number}, grid {grid.number}, block {records.triple(block.index)}, "
            f"thread {records.triple(index)}, device {grid.device}, sm {block.worker}, "
            f"warp {linear // records.WARP}, lane {linear % records.WARP}")


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
        thread.gdb_thread.switch()
    else:
        fiber.carry(thread)
    return select_user_frame()


def switch(thread):
    frame = show(thread)
    print(f"[Switching focus to CUDA {describe(thread)}]")
    if frame is not None:
        frames.print_source_line(frame)


# ---- The command ----

COORDINATES = ("kernel", "grid", "block", "thread", "warp", "lane", "device", "sm")
INDEX = re.compile(r"\(?\s*(-?\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?\s*")


def parse(text):
    """[("kernel", (2,)), ("block", None), ...]. None: the word stands alone."""
    found, at = [], 0
    while at < len(text):
        word = re.match(r"[A-Za-z]\w*", text[at:])
        if word is None:
            raise gdb.GdbError("Unrecognized argument(s).")
        if word.group() not in COORDINATES:
            raise gdb.GdbError(f'Undefined cuda command: "{word.group()}".  Try "help cuda".')
        at += word.end()
        at += len(text[at:]) - len(text[at:].lstrip())
        index = INDEX.match(text[at:])
        numbers = None
        if index is not None:
            numbers = tuple(int(n) for n in index.groups() if n is not None)
            at += index.end()
        found.append((word.group(), numbers))
        at += len(text[at:]) - len(text[at:].lstrip(" ,"))
    return found


def whole(numbers):
    return (numbers + (0, 0))[:3]


def first_thread(block):
    """A running one, else the first one."""
    running = [t for t in block.threads.values() if t.is_running]
    return min(running or block.threads.values(), key=lambda t: t.linear, default=None)


def find_grid(wanted, focus):
    number = wanted.get("kernel", wanted.get("grid"))
    if number is None:
        if focus is not None:
            return focus.block.grid
        active = [g for g in records.snapshot().kernels() if records.snapshot().is_active(g)]
        if not active:
            raise gdb.GdbError(INVALID)
        return active[-1]
    for grid in records.snapshot().grids.values():
        if grid.number == number[0]:
            return grid
    raise gdb.GdbError(INVALID)


def find_block(wanted, grid, focus):
    blocks = records.snapshot().blocks_of(grid)
    if "block" in wanted:
        blocks = [b for b in blocks if b.index == whole(wanted["block"])]
        if not blocks:
            raise gdb.GdbError(INVALID + " The block has not started, or has ended.")
    elif "sm" in wanted:
        blocks = [b for b in blocks if b.worker == wanted["sm"][0]]
    elif focus is not None and focus.block.grid is grid:
        return focus.block
    for block in blocks:
        if block.threads:
            return block
    raise gdb.GdbError(INVALID + " No thread of it runs or waits." if blocks else INVALID)


def find_thread(wanted, block, focus):
    same_block = focus is not None and focus.block is block
    if block.is_whole:
        return first_thread(block)
    if "thread" in wanted:
        index = whole(wanted["thread"])
        linear = records.join(index, block.dim)
        if any(index[i] >= block.dim[i] for i in range(3)):
            raise gdb.GdbError(INVALID)
    elif "warp" in wanted or "lane" in wanted:
        now = focus.linear if same_block else 0
        warp = wanted.get("warp", (now // records.WARP,))[0]
        linear = warp * records.WARP + wanted.get("lane", (0,))[0]
    elif same_block:
        return focus
    else:
        return first_thread(block)
    if linear >= block.count:
        raise gdb.GdbError(INVALID)
    if linear not in block.threads:
        raise gdb.GdbError(f"{INVALID} The thread {block.state_of(linear)}.")
    return block.threads[linear]


def describe_parts(words):
    thread = fiber.current_thread()
    if thread is None:
        raise gdb.GdbError(NO_FOCUS)
    index = current_index(thread)
    linear = records.join(index, thread.block.dim)
    text = {"kernel": thread.block.grid.number, "grid": thread.block.grid.number,
            "block": records.triple(thread.block.index), "thread": records.triple(index),
            "device": thread.block.grid.device, "sm": thread.block.worker, "warp": linear // records.WARP,
            "lane": linear % records.WARP}
    print(", ".join(f"{word} {text[word]}" for word in words))


class Cuda(gdb.Command):
    """Print or select the CUDA focus.
cuda kernel 2 block 1,0,0 thread 3,0,0   selects; also device, grid, sm (a worker), warp, lane
cuda kernel block thread                 prints"""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            raise gdb.GdbError("Missing argument(s).")
        try:
            self.select(argument)
        except (gdb.error, gdb.MemoryError) as error:
            raise gdb.GdbError(f"cdp-gdb: {error}") from None

    @staticmethod
    def select(argument):
        parsed = parse(argument.strip())
        wanted = {word: numbers for word, numbers in parsed if numbers is not None}
        if not wanted:
            describe_parts([word for word, _ in parsed])
            return
        focus = fiber.current_thread()
        grid = find_grid(wanted, focus)
        block = find_block(wanted, grid, focus)
        thread = find_thread(wanted, block, focus)
        if thread is None:
            raise gdb.GdbError(INVALID)
        if thread is focus:
            print("CUDA focus unchanged.")
            return
        switch(thread)


# ---- The program continues ----

class Arrival(gdb.Breakpoint):
    """Where a thread that waits comes back to the program's code."""

    def __init__(self, pc, context):
        super().__init__(f"*{pc:#x}", internal=True)
        self.silent = True
        self.context, self.has_stopped = context, False

    def stop(self):
        self.has_stopped = records.current_context() == self.context
        return self.has_stopped


def bring_in():
    """Before next, step, finish and the like: if the focus waits, lets the program run until the
    thread continues. Then gdb's own command goes on with it."""
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
        self.function()


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
