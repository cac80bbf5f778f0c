"""gdb for CUDA programs that cdpcc compiled.

    gdb -x cdp_gdb.py PROGRAM        or the wrapper: cdp-gdb PROGRAM

threadIdx, blockIdx, blockDim and gridDim work in every expression: print, display, and
conditions ("break child if threadIdx.x == 5").  Of the threads that wait for something
(a barrier, a child grid), gdb itself sees nothing, as each is a fiber of the runtime:

    cdp-threads [all]    lists them, with what they wait for; `all`: also the running ones
    cdp-bt N             backtrace of thread number N of that list; works on core files too
"""
import gdb
from gdb.unwinder import Unwinder, register_unwinder

# Macros rather than functions, so that .x and & work, also in conditions. The runtime stores each
# as three 32-bit words, which have the layout of a dim3.
BUILT_IN = {
    "threadIdx": "cdp_abi_self->thread_idx",
    "blockIdx": "cdp_abi_self->block->block_idx",
    "blockDim": "cdp_abi_self->block->block_dim",
    "gridDim": "cdp_abi_self->block->grid_dim",
}
for name, place in BUILT_IN.items():
    gdb.execute(f"macro define {name} (*(dim3 *){place})")
gdb.execute("macro define warpSize 32")

SAVED = ["r15", "r14", "r13", "r12", "rbx"]  # order of the pops in switch_x86_64.S
PAGE = 4096


def value(expression):
    return gdb.parse_and_eval(expression)


def engine():
    """struct cdp_engine of the program, or None while it has not started."""
    for symbol in gdb.lookup_static_symbols("runtime"):
        if str(symbol.type.strip_typedefs()).endswith("cdp_runtime"):
            pointer = symbol.value()["engine"]
            return pointer.dereference() if int(pointer) else None
    return None


def fibers():
    """Every fiber the runtime has made: each has its record at the start of a chunk of stacks."""
    state = engine()
    if state is None:
        return
    stacks = state["ranges"]["stacks"]
    count = int(stacks["chunk"])
    chunk_bytes = int(stacks["head_size"]) + count * int(stacks["stack_size"])
    pointer = gdb.lookup_type("struct cdp_fiber").pointer()
    for chunk in range(int(stacks["low"]), int(stacks["next"]), chunk_bytes):
        for index in range(count):
            at = chunk + PAGE + index * int(stacks["record_size"])
            try:
                fiber = gdb.Value(at).cast(pointer).dereference()
                if int(fiber["main"]) != 0:
                    yield fiber
            except gdb.MemoryError:
                break  # not touched yet


def block_of(fiber):
    return fiber["thread"]["block"].cast(gdb.lookup_type("struct cdp_block").pointer())


def in_queue(fiber, queue):
    other = queue["head"]
    while int(other):
        if int(other) == int(fiber.address):
            return True
        other = other["next"]
    return False


def ring_entry(fiber):
    """The fiber's place in its block's ring (exec/state/ring.h), or None."""
    ring = block_of(fiber)["ring"]
    thread = int(fiber["thread"].address)
    entry, end = ring["start"], int(ring["end"])
    while int(entry) < end:
        if int(entry["thread"]) == thread:
            return entry
        entry = entry + 1
    return None


def saved_sp(fiber):
    entry = ring_entry(fiber) if int(fiber["thread"]["block"]) else None
    return int(fiber["sp"] if entry is None else entry["sp"])


def waits_for(fiber):
    block = block_of(fiber)
    if any(int(fiber.address) == running for running in running_fibers()):
        return None
    entry = ring_entry(fiber)
    if entry is not None:
        return "__syncthreads" if int(entry) < int(block["ring"]["at"]) else "its turn"
    for queue, text in ((block["ready"], "its turn"), (block["polling"], "its turn"),
                        (block["barrier"]["waiting"], "__syncthreads"),
                        (block["children"]["waiting"], "cudaDeviceSynchronize"),
                        (block["converge"], "its warp")):
        if in_queue(fiber, queue):
            return text
    barrier = block["named"]
    while int(barrier):
        if in_queue(fiber, barrier["waiting"]) or in_queue(fiber, barrier["again"]):
            return f"barrier {int(barrier['id'])}"
        barrier = barrier["next"]
    return "its warp"


def running_fibers():
    """Addresses of the fibers that OS threads run now."""
    here = gdb.selected_thread()
    offset = next(f for f in gdb.lookup_type("struct cdp_fiber").fields() if f.name == "thread")
    found = set()
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        try:
            context = int(value("(unsigned long)cdp_abi_self"))
        except gdb.error:
            continue
        if context:
            found.add(context - offset.bitpos // 8)
    if here is not None:
        here.switch()
    return found


def triple(array):
    return "({},{},{})".format(*(int(array[i]) for i in range(3)))


def list_threads(with_running):
    threads = []
    for fiber in fibers():
        if int(fiber["busy"]) and int(fiber["thread"]["block"]):
            reason = waits_for(fiber)
            if reason is not None or with_running:
                threads.append((fiber, reason))
    return threads


listed = []


class CdpThreads(gdb.Command):
    """cdp-threads [all]: lists the CUDA threads that wait; with all, the running ones too."""

    def __init__(self):
        super().__init__("cdp-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        global listed
        listed = list_threads(argument.strip() == "all")
        if not listed:
            print("no CUDA thread waits")
        for number, (fiber, reason) in enumerate(listed):
            block = block_of(fiber)
            kernel = block["view"]["kernel"]["name"].string() if int(block["view"]["kernel"]) else "?"
            print("{:4} {} block {} thread {} {}".format(
                number, kernel, triple(block["view"]["block_idx"]), triple(fiber["thread"]["thread_idx"]),
                "runs" if reason is None else "waits for " + reason))


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class FiberUnwinder(Unwinder):
    """Continues the innermost frame into a suspended fiber's saved registers."""

    def __init__(self):
        super().__init__("cdp-fiber")
        self.fiber = None

    def __call__(self, pending):
        if self.fiber is None or pending.level() != 0:
            return None
        word_type = gdb.lookup_type("unsigned long")
        sp = saved_sp(self.fiber)

        def word(address):
            return gdb.Value(address).cast(word_type.pointer()).dereference()

        rsp, rip = pending.read_register("rsp"), pending.read_register("rip")
        # Below the fiber's frames; otherwise gdb takes them for inner frames.
        frame = pending.create_unwind_info(FrameId(gdb.Value(sp - 16).cast(rsp.type), rip))
        frame.add_saved_register("rbp", word(sp))
        if int(word(sp + 8)) == int(value("(unsigned long)&cdp_switch_restored")):
            for i, register in enumerate(SAVED):
                frame.add_saved_register(register, word(sp + 16 + 8 * i))
            sp += 8 + 8 * len(SAVED)
        frame.add_saved_register("rip", word(sp + 8).cast(rip.type))
        frame.add_saved_register("rsp", gdb.Value(sp + 16).cast(rsp.type))
        return frame


unwinder = FiberUnwinder()
register_unwinder(None, unwinder, replace=True)


class CdpBacktrace(gdb.Command):
    """cdp-bt N: backtrace of the waiting CUDA thread that cdp-threads gave number N."""

    def __init__(self):
        super().__init__("cdp-bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not listed:
            raise gdb.GdbError("cdp-bt: call cdp-threads first")
        try:
            fiber, reason = listed[int(argument or "0")]
        except (ValueError, IndexError):
            raise gdb.GdbError(f"cdp-bt: {argument}: must be 0 to {len(listed) - 1}") from None
        if reason is None:
            raise gdb.GdbError("cdp-bt: this thread runs: find it by `thread apply all bt`")
        if gdb.selected_inferior().architecture().name() != "i386:x86-64":
            raise gdb.GdbError("cdp-bt: only for x86-64")
        unwinder.fiber = fiber
        gdb.invalidate_cached_frames()
        try:
            gdb.execute("bt")
        finally:
            unwinder.fiber = None
            gdb.invalidate_cached_frames()


CdpThreads()
CdpBacktrace()
