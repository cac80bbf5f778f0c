"""A CUDA thread that waits, shown as a thread of lldb.

A thread that runs is one of lldb's threads. A thread that waits is on a stack of its own, of which
lldb knows nothing. lldb's plug-ins for operating systems may add threads: this one adds the thread
in focus, until the program continues. Its number is the address of its fiber."""
import struct

from cdpdebug import debugger, records

from . import frames, stops, target

# (name, number in DWARF, role), in the order of the bytes of register_bytes().
REGISTERS = [("rax", 0, None), ("rdx", 1, None), ("rcx", 2, None), ("rbx", 3, None), ("rsi", 4, None),
             ("rdi", 5, None), ("rbp", 6, "fp"), ("rsp", 7, "sp"), ("r8", 8, None), ("r9", 9, None),
             ("r10", 10, None), ("r11", 11, None), ("r12", 12, None), ("r13", 13, None), ("r14", 14, None),
             ("r15", 15, None), ("rip", 16, "pc")]
SAVED = ["r15", "r14", "r13", "r12", "rbx"]  # order of the pops in switch_x86_64.S

shown = {}  # number -> records.Thread, until the next stop


def is_waiting(thread):
    return thread.GetThreadID() in shown


def thread_of(thread):
    """By the snapshot of now, so that its block and grid are those of other threads."""
    return records.snapshot().by_fiber.get(thread.GetThreadID())


def register_bytes(thread):
    """The registers that cdp_switch saved."""
    sp = thread.sp
    values = dict.fromkeys((name for name, _, _ in REGISTERS), 0)
    values["rbp"] = records.word(sp)
    if records.word(sp + 8) == target.symbol_address("cdp_switch_restored"):
        for i, register in enumerate(SAVED):
            values[register] = records.word(sp + 16 + 8 * i)
        sp += 8 + 8 * len(SAVED)
    # Within the call, so that lldb shows its line: of a thread's first frame it takes pc itself.
    values["rip"], values["rsp"] = records.word(sp + 8) - 1, sp + 16
    return struct.pack(f"<{len(REGISTERS)}Q", *(values[name] for name, _, _ in REGISTERS))


def describe(thread):
    return {"tid": thread.fiber, "name": f"CUDA block {records.triple(thread.block.index)} thread "
            f"{records.triple(thread.index)}", "state": "stopped", "stop_reason": "none"}


class Threads:
    """lldb calls these functions: see its operating_system.py."""

    def __init__(self, process):
        self.process = process

    def get_thread_info(self):
        """At each stop: threads that wait are shown only when the user asks for one."""
        shown.clear()
        stops.attach(self.process.GetTarget())
        return []

    def get_register_info(self):
        return {"sets": ["GPR"], "registers": [
            dict({"name": name, "bitsize": 64, "offset": 8 * i, "encoding": "uint", "format": "hex", "set": 0,
                  "gcc": number, "dwarf": number}, **({"generic": role} if role else {}))
            for i, (name, number, role) in enumerate(REGISTERS)]}

    def get_register_data(self, number):
        return register_bytes(shown[number]) if number in shown else None

    def create_thread(self, number, _context):
        return describe(shown[number]) if number in shown else None


def show(thread):
    """Adds the thread to lldb's list, and selects it."""
    process = target.process()
    if not process.GetTarget().GetTriple().startswith("x86_64"):
        raise debugger.Error("cdp-lldb: threads that wait can be shown on x86-64 only")
    if thread.fiber not in shown:
        shown[thread.fiber] = thread
        process.CreateOSPluginThread(thread.fiber, 0)
    if not process.SetSelectedThreadByID(thread.fiber):
        del shown[thread.fiber]
        raise debugger.Error("cdp-lldb: lldb does not show the thread; was cdp_lldb.py loaded before `run`?")


def return_address(thread):
    """Where a thread that waits comes back to the program's code; None: it does not wait."""
    if thread is None or thread.is_running:
        return None
    process = target.process()
    here = process.GetSelectedThread()
    show(thread)
    frame = frames.innermost(process.GetSelectedThread())
    process.SetSelectedThread(here)
    if frame is None:
        return None
    return frame.GetPC() + (1 if frame.GetFrameID() == 0 else 0)
