"""A CUDA thread that waits, shown in place of an OS thread.

A thread that runs is one of gdb's threads. A thread that waits is on a stack of its own, of which
gdb knows nothing: an unwinder replaces the frames of the selected OS thread, the carrier, by those of
the waiting one, until the program continues."""
import contextlib

import gdb
from gdb.unwinder import Unwinder, register_unwinder

from cdpdebug import records

from . import target

SAVED = ["r15", "r14", "r13", "r12", "rbx"]  # order of the pops in switch_x86_64.S


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class FiberUnwinder(Unwinder):
    """Continues the innermost frame into the saved registers of a thread that waits."""

    def __init__(self):
        super().__init__("cdp-fiber")
        self.thread = None  # a records.Thread that waits
        self.carrier = None  # the number of gdb's thread that shows it
        self.sp = None  # the carrier's own stack pointer
        self.own_context = None  # cdp_abi_self of that thread, while it is replaced

    def __call__(self, pending):
        if self.thread is None or gdb.selected_thread().global_num != self.carrier:
            return None
        sp = self.thread.sp
        rsp, rip = pending.read_register("rsp"), pending.read_register("rip")
        if int(rsp) != self.sp:
            return None
        word_type = gdb.lookup_type("unsigned long")

        def word(address):
            return gdb.Value(address).cast(word_type.pointer()).dereference()

        # Below the fiber's frames; otherwise gdb takes them for inner frames.
        frame = pending.create_unwind_info(FrameId(gdb.Value(sp - 16).cast(rsp.type), rip))
        frame.add_saved_register("rbp", word(sp))
        if int(word(sp + 8)) == int(gdb.parse_and_eval("(unsigned long)&cdp_switch_restored")):
            for i, register in enumerate(SAVED):
                frame.add_saved_register(register, word(sp + 16 + 8 * i))
            sp += 8 + 8 * len(SAVED)
        frame.add_saved_register("rip", word(sp + 8).cast(rip.type))
        frame.add_saved_register("rsp", gdb.Value(sp + 16).cast(rsp.type))
        return frame


unwinder = FiberUnwinder()
register_unwinder(None, unwinder, replace=True)


def is_stand_in():
    """Whether the selected OS thread carries a thread that waits."""
    here = gdb.selected_thread()
    return unwinder.thread is not None and here is not None and here.global_num == unwinder.carrier


def is_carrier(frame):
    """Whether the frame is one of the OS thread itself, before those of the thread that waits. There
    are several if functions are inlined."""
    return is_stand_in() and int(frame.read_register("rsp")) == unwinder.sp


def set_context(address):
    """Code of the program finds its CUDA thread by cdp_abi_self, and so do threadIdx and the like
    in its debug information. In a core file it cannot be set: then only expressions are right, by
    the macros of cdp_gdb.py."""
    try:
        gdb.execute(f"set var cdp_abi_self = (struct cdp_abi_thread *){address:#x}", to_string=True)
        return True
    except gdb.error:
        return False


def carry(thread):
    """The selected OS thread carries the thread from now on."""
    if gdb.selected_inferior().architecture().name() != "i386:x86-64":
        raise gdb.GdbError("cdp-gdb: threads that wait can be shown on x86-64 only")
    unwinder.sp = int(gdb.newest_frame().read_register("rsp"))
    unwinder.thread, unwinder.carrier = thread, gdb.selected_thread().global_num
    own, snapshot = target.current_context(), records.current
    unwinder.own_context = own if set_context(thread.context) else None
    records.current = snapshot  # gdb has told of the change of memory; it is none for us
    gdb.invalidate_cached_frames()
    pointer = gdb.lookup_type("struct cdp_abi_thread").pointer()
    gdb.set_convenience_variable("_cdp_focus", gdb.Value(thread.context).cast(pointer))


@contextlib.contextmanager
def set_aside():
    """Within it, frames are those of the OS threads themselves. Afterwards the selection is as before."""
    here, frame, thread = gdb.selected_thread(), gdb.selected_frame(), unwinder.thread
    level = frame.level()

    def carried(what):
        if thread is not None:
            unwinder.thread = what
            gdb.invalidate_cached_frames()

    carried(None)
    try:
        yield
    finally:
        here.switch()
        carried(thread)
        if thread is not None:
            gdb.execute(f"frame level {level}", to_string=True)
        elif frame.is_valid():
            frame.select()


def clear(_event=None):
    """The OS thread is itself again."""
    if unwinder.thread is not None:
        unwinder.thread = None
        gdb.invalidate_cached_frames()
        if unwinder.own_context is not None and gdb.selected_inferior().pid != 0:
            here = gdb.selected_thread()
            for thread in gdb.selected_inferior().threads():
                if thread.global_num == unwinder.carrier:
                    thread.switch()
                    set_context(unwinder.own_context)
            if here is not None and here.is_valid():
                here.switch()
        unwinder.own_context = None
    gdb.set_convenience_variable("_cdp_focus", 0)


def current_thread():
    """The records.Thread in focus, or None."""
    here = gdb.selected_thread()
    if here is None:
        return None
    if is_stand_in():
        return unwinder.thread
    context = target.current_context()
    if context == 0:
        return None
    return records.snapshot().by_fiber.get(context - records.offset("struct cdp_fiber", "thread"))
