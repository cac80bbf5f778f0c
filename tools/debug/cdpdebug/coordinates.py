"""Kernels, blocks and threads as the user names them: kernel 2 block 1,0,0 thread 3,0,0."""
import re

from . import debugger, records

INVALID = "Invalid coordinates requested. CUDA focus unchanged."
NO_FOCUS = "Focus is not set on any active CUDA kernel."


def current_index(thread):
    """threadIdx: a block entry runs all threads of a block, and sets the index as it goes."""
    if thread.block.is_whole:
        context = debugger.at(thread.fiber, "struct cdp_fiber")["thread"]
        return tuple(int(context["thread_idx"][i]) for i in range(3))
    return thread.index


def describe(thread):
    grid, block, index = thread.block.grid, thread.block, current_index(thread)
    linear = records.join(index, block.dim)
    return (f"kernel {grid.number}, grid {grid.number}, block {records.triple(block.index)}, "
            f"thread {records.triple(index)}, device {grid.device}, sm {block.worker}, "
            f"warp {linear // records.WARP}, lane {linear % records.WARP}")


COORDINATES = ("kernel", "grid", "block", "thread", "warp", "lane", "device", "sm")
INDEX = re.compile(r"\(?\s*(-?\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?\s*")


def parse(text):
    """[("kernel", (2,)), ("block", None), ...]. None: the word stands alone."""
    found, at = [], 0
    while at < len(text):
        word = re.match(r"[A-Za-z]\w*", text[at:])
        if word is None:
            raise debugger.Error("Unrecognized argument(s).")
        if word.group() not in COORDINATES:
            raise debugger.Error(f'Undefined cuda command: "{word.group()}".  Try "help cuda".')
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
            raise debugger.Error(INVALID)
        return active[-1]
    for grid in records.snapshot().grids.values():
        if grid.number == number[0]:
            return grid
    raise debugger.Error(INVALID)


def find_block(wanted, grid, focus):
    blocks = records.snapshot().blocks_of(grid)
    if "block" in wanted:
        blocks = [b for b in blocks if b.index == whole(wanted["block"])]
        if not blocks:
            raise debugger.Error(INVALID + " The block has not started, or has ended.")
    elif "sm" in wanted:
        blocks = [b for b in blocks if b.worker == wanted["sm"][0]]
    elif focus is not None and focus.block.grid is grid:
        return focus.block
    for block in blocks:
        if block.threads:
            return block
    raise debugger.Error(INVALID + " No thread of it runs or waits." if blocks else INVALID)


def find_thread(wanted, block, focus):
    same_block = focus is not None and focus.block is block
    if block.is_whole:
        return first_thread(block)
    if "thread" in wanted:
        index = whole(wanted["thread"])
        linear = records.join(index, block.dim)
        if any(index[i] >= block.dim[i] for i in range(3)):
            raise debugger.Error(INVALID)
    elif "warp" in wanted or "lane" in wanted:
        now = focus.linear if same_block else 0
        warp = wanted.get("warp", (now // records.WARP,))[0]
        linear = warp * records.WARP + wanted.get("lane", (0,))[0]
    elif same_block:
        return focus
    else:
        return first_thread(block)
    if linear >= block.count:
        raise debugger.Error(INVALID)
    if linear not in block.threads:
        raise debugger.Error(f"{INVALID} The thread {block.state_of(linear)}.")
    return block.threads[linear]


def describe_parts(words):
    thread = debugger.current_thread()
    if thread is None:
        raise debugger.Error(NO_FOCUS)
    index = current_index(thread)
    linear = records.join(index, thread.block.dim)
    text = {"kernel": thread.block.grid.number, "grid": thread.block.grid.number,
            "block": records.triple(thread.block.index), "thread": records.triple(index),
            "device": thread.block.grid.device, "sm": thread.block.worker, "warp": linear // records.WARP,
            "lane": linear % records.WARP}
    print(", ".join(f"{word} {text[word]}" for word in words))


def select(argument, switch):
    """The command `cuda`: prints the focus, or moves it to another thread by switch(thread)."""
    if not argument.strip():
        raise debugger.Error("Missing argument(s).")
    parsed = parse(argument.strip())
    wanted = {word: numbers for word, numbers in parsed if numbers is not None}
    if not wanted:
        describe_parts([word for word, _ in parsed])
        return
    focus = debugger.current_thread()
    grid = find_grid(wanted, focus)
    block = find_block(wanted, grid, focus)
    thread = find_thread(wanted, block, focus)
    if thread is None:
        raise debugger.Error(INVALID)
    if thread is focus:
        print("CUDA focus unchanged.")
        return
    switch(thread)
