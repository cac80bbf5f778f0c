"""The runtime's records in the memory of the program, or in a core file.

A snapshot of all of them is taken at the first question after a stop, and dropped when the program
continues. The layouts come from the debug information of the runtime."""
import struct

from . import debugger

PAGE = 4096
WARP = 32


def offset(type_name, path):
    """Bytes from the start of a structure to the member `a.b.c`."""
    at, kind = 0, debugger.find_type(type_name)
    for name in path.split("."):
        found = debugger.member(kind, name)
        if found is None:
            raise debugger.Error(f"cdpcc: {type_name} has no member {path}: another version of the runtime?")
        at, kind = at + found[0], found[1]
    return at


def read(address, size):
    return debugger.read(address, size)


def word(address):
    return struct.unpack("<Q", read(address, 8))[0]


def triple(numbers):
    return "({},{},{})".format(*(int(numbers[i]) for i in range(3)))


def split(linear, dim):
    """The index of a number in dimensions: x is the fastest."""
    return (linear % dim[0], linear // dim[0] % dim[1], linear // dim[0] // dim[1])


def join(index, dim):
    return index[0] + dim[0] * (index[1] + dim[1] * index[2])


class Place:
    """Where code is: pc, function, file and line."""

    def __init__(self, pc):
        self.pc = pc
        self.path, self.file, self.line = debugger.line_of(pc) if pc else (None, "?", 0)

    def __str__(self):
        return f"{self.file}:{self.line}" if self.line else f"{self.pc:#x}"


class Thread:
    """A CUDA thread that has started and not ended. reason: what it waits for; None: it runs."""

    def __init__(self, fiber, block, linear, site):
        self.fiber, self.block, self.linear, self.site = fiber, block, linear, site
        self.index = split(linear, block.dim)
        self.reason, self.sp = "its turn", None
        self.runner = None  # the thread of the debugger that runs it

    @property
    def context(self):
        """What cdp_abi_self is while it runs."""
        return self.fiber + offset("struct cdp_fiber", "thread")

    @property
    def is_running(self):
        return self.runner is not None

    def state(self):
        return "running" if self.is_running else f"waits {self.reason}"


class Block:
    def __init__(self, address, grids):
        self.address = address
        record = debugger.at(address, "struct cdp_block")
        view = record["view"]
        self.index = tuple(int(view["block_idx"][i]) for i in range(3))
        self.dim = tuple(int(view["block_dim"][i]) for i in range(3))
        self.grid = grids(int(record["grid"]))
        self.number = join(self.index, self.grid.dim)
        self.count = int(view["thread_count"])
        self.is_whole = bool(record["flags"]["is_whole"])
        self.started = int(record["threads"]["next"])
        self.order = (int(record["order"]["stride"]), int(record["order"]["offset"]))
        self.worker = int(record["executor"]["worker"]["index"])
        self.children = int(record["children"]["count"])
        self.threads = {}  # by linear number
        self.record = record

    def has_started(self, linear):
        stride, first = self.order
        if stride == 0:
            return linear < self.started
        return any((first + i * stride) % self.count == linear for i in range(self.started))

    def state_of(self, linear):
        thread = self.threads.get(linear)
        if thread is not None:
            return thread.state()
        if self.is_whole:
            return "running"
        return "has ended" if self.has_started(linear) else "has not started"

    def reasons(self):
        """What the threads wait for: fiber -> text; and saved stack pointers that the fibers lack."""
        found, sps = {}, {}
        record = self.record

        def queue(of, text):
            fiber = int(of["head"])
            for _ in range(self.count + 1):
                if fiber == 0:
                    break
                found[fiber] = text
                fiber = int(debugger.at(fiber, "struct cdp_fiber")["next"])

        queue(record["barrier"]["waiting"], "at __syncthreads")
        queue(record["children"]["waiting"], "at cudaDeviceSynchronize")
        queue(record["converge"], "for its warp")
        for name in ("ready", "polling"):
            queue(record[name], "for its turn")
        named = record["named"]
        while int(named):
            for name in ("waiting", "again"):
                queue(named[name], f"at barrier {int(named['id'])}")
            named = named["next"]
        ring, in_fiber = record["ring"], offset("struct cdp_fiber", "thread")
        start, end, reached = int(ring["start"]), int(ring["end"]), int(ring["at"])
        entries = read(start, end - start) if end > start else b""
        for i, (sp, thread) in enumerate(struct.iter_unpack("<QQ", entries)):
            found[thread - in_fiber] = "at __syncthreads" if start + 16 * i < reached else "for its turn"
            sps[thread - in_fiber] = sp
        return found, sps


class Grid:
    def __init__(self, address):
        self.address = address
        record = debugger.at(address, "struct cdp_grid")
        self.kernel = record["kernel"]
        self.mangled = self.kernel["name"].string() if int(self.kernel) else "?"
        self.name = debugger.demangle(self.mangled).split("(")[0] if int(self.kernel) else "an operation"
        if self.name.startswith("void "):
            self.name = self.name[5:]
        shape = record["shape"]
        self.dim = tuple(int(shape["grid_dim"][i]) for i in range(3))
        self.block_dim = tuple(int(shape["block_dim"][i]) for i in range(3))
        self.depth = int(shape["depth"])
        self.device = int(record["device"]) & 0x1F
        self.kind = ("host", "child", "tail")[int(record["kind"])]
        self.site = int(record["site"])
        # The launching block of a tail launch may be gone.
        self.parent_block = int(record["parent"]) if self.kind == "child" else 0
        self.owner = int(record["owner"]) if self.kind == "tail" else 0
        self.number = None

    def key(self):
        return (self.address, self.mangled, self.parent_block, self.owner, self.site)

    def shape(self):
        return f"{triple(self.dim)} {triple(self.block_dim)}"


def offset_of_context():
    return offset("struct cdp_fiber", "thread")


class Snapshot:
    """All blocks with threads, their grids, and the grids that these were launched by."""

    numbers = {}  # of grids, by key, as long as they are seen
    next_number = 0

    def __init__(self):
        self.blocks, self.grids, self.by_fiber = {}, {}, {}
        contexts = debugger.running()
        in_fiber = offset_of_context() if contexts else 0
        self.running = {context - in_fiber: thread for context, thread in contexts.items()}
        state = debugger.runtime()
        if state is not None:
            self.engine = state["engine"].dereference()
            self.find_threads()
            for block in list(self.blocks.values()):
                self.add_ancestors(block.grid)
            self.number_grids()

    def grid(self, address):
        if address not in self.grids:
            self.grids[address] = Grid(address)
        return self.grids[address]

    def block(self, address):
        if address not in self.blocks:
            self.blocks[address] = Block(address, self.grid)
        return self.blocks[address]

    def fibers(self):
        """Each has its record at the start of a chunk of stacks."""
        stacks = self.engine["ranges"]["stacks"]
        count = int(stacks["chunk"])
        size = int(stacks["record_size"])
        chunk_bytes = int(stacks["head_size"]) + count * int(stacks["stack_size"])
        places = {name: offset("struct cdp_fiber", name)
                  for name in ("sp", "site", "main", "busy", "thread.block", "thread.linear")}
        for chunk in range(int(stacks["low"]), int(stacks["next"]), chunk_bytes):
            for index in range(count):
                address = chunk + PAGE + index * size
                try:
                    record = read(address, size)
                except debugger.MemoryError:
                    break  # not touched yet

                def field(name, form="<Q"):
                    return struct.unpack_from(form, record, places[name])[0]

                if field("main") != 0 and field("busy", "<B") and field("thread.block") != 0:
                    yield address, field("sp"), field("site"), field("thread.block"), field("thread.linear", "<I")

    def find_threads(self):
        for address, sp, site, block_address, linear in self.fibers():
            block = self.block(block_address)
            thread = Thread(address, block, linear, site)
            thread.sp = sp
            thread.runner = self.running.get(address)
            block.threads[linear] = thread
            self.by_fiber[address] = thread
        for block in self.blocks.values():
            reasons, sps = block.reasons()
            for thread in block.threads.values():
                thread.reason = reasons.get(thread.fiber, "for its warp")
                thread.sp = sps.get(thread.fiber, thread.sp)
                if thread.fiber in sps and not thread.is_running:
                    thread.site = word(thread.sp + 8)  # as in cdp_ring_publish

    def add_ancestors(self, grid):
        while True:
            if grid.parent_block:
                grid = self.block(grid.parent_block).grid
            elif grid.owner:
                grid = self.grid(grid.owner)
            else:
                return

    def number_grids(self):
        seen = {}
        for grid in sorted(self.grids.values(), key=lambda g: (g.depth, g.address)):
            grid.number = Snapshot.numbers.get(grid.key())
            if grid.number is None:
                grid.number = Snapshot.next_number
                Snapshot.next_number += 1
            seen[grid.key()] = grid.number
        Snapshot.numbers = seen

    def parent(self, grid):
        """The launching grid, or None: the host."""
        if grid.parent_block:
            return self.block(grid.parent_block).grid
        return self.grid(grid.owner) if grid.owner else None

    def blocks_of(self, grid):
        return sorted((b for b in self.blocks.values() if b.grid is grid), key=lambda b: b.number)

    def is_active(self, grid):
        return any(block.threads for block in self.blocks_of(grid))

    def kernels(self):
        return sorted(self.grids.values(), key=lambda g: -g.number)


current = None


def snapshot():
    global current
    if current is None:
        current = Snapshot()
    return current


def forget(_event=None):
    global current
    current = None


at_new_run = []  # functions that are called when another run begins


def forget_all(_event=None):
    global _layout
    forget()
    Snapshot.numbers, Snapshot.next_number = {}, 0
    _layout = None
    for function in at_new_run:
        function()


def configuration(grid):
    return f"<<<{triple(grid.dim)},{triple(grid.block_dim)}>>>"


def launches(thread):
    """(who, where) of the launches that led to the thread's grid, the latest first."""
    grid = thread.block.grid
    while grid is not None:
        parent = snapshot().parent(grid)
        if parent is None:
            who = "the host"
        elif grid.parent_block:
            block = snapshot().block(grid.parent_block)
            who = f"{parent.name}{configuration(parent)} block {triple(block.index)}"
        else:
            who = f"{parent.name}{configuration(parent)} as its tail"
        yield who, Place(grid.site)
        grid = parent


# ---- Where one thread is, by few reads: breakpoints ask for each lane that comes ----

_layout = None


def layout():
    global _layout
    if _layout is None:
        _layout = {name: offset("struct cdp_abi_thread", name) for name in ("block", "thread_idx")}
        for name in ("block_dim", "block_idx"):
            _layout[name] = offset("struct cdp_abi_block", name)
        _layout["grid"] = offset("struct cdp_block", "grid")
        for name in ("parent", "kind"):
            _layout["grid." + name] = offset("struct cdp_grid", name)
    return _layout


def three(address):
    return struct.unpack("<3I", read(address, 12))


class Position:
    """grid: its address; block: its index; linear: the thread's number in the block."""

    def __init__(self, context):
        places = layout()
        block = word(context + places["block"])
        self.context, self.grid = context, word(block + places["grid"])
        self.block = three(block + places["block_idx"])
        self.linear = join(three(context + places["thread_idx"]), three(block + places["block_dim"]))

    def __eq__(self, other):
        return other is not None and vars(self) == vars(other)


def is_below(grid, other):
    """Whether the grid was launched by the other one, or by one below that."""
    places = layout()
    while read(grid + places["grid.kind"], 1)[0] == 1:  # CDP_GRID_CHILD
        grid = word(word(grid + places["grid.parent"]) + places["grid"])
        if grid == other:
            return True
    return False


class Visits:
    """Whether a breakpoint stops: a warp's lanes come to it one after the other, and only the first
    one stops. A lane that comes again begins the next visit."""

    def __init__(self):
        self.lanes = {}  # (breakpoint, grid, block, warp) -> lanes that have come
        at_new_run.append(self.lanes.clear)
        self.only = None  # (grid, context): only this thread stops, and grids below this grid

    def stay_with(self, thread):
        self.only = (thread.block.grid.address, thread.context) if thread is not None else None

    def has_to_stop(self, breakpoint, position, policy):
        if self.only is not None and self.only[1] != position.context and \
                not is_below(position.grid, self.only[0]):
            return False
        if policy == "thread":
            return True
        if policy == "once":
            key, lane = (breakpoint, position.grid), (position.block, position.linear)
        else:
            key = (breakpoint, position.grid, position.block, position.linear // WARP)
            lane = position.linear % WARP
        lanes = self.lanes.setdefault(key, set())
        if lanes and lane not in lanes:
            lanes.add(lane)
            return False
        self.lanes[key] = {lane}
        return True
