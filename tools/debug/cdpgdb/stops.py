"""When the program stops: breakpoints once a warp, launches, the end of a thread; and running it
again up to a point, with CDP_SEED."""
import os
import re

import gdb

from cdpdebug import coordinates, records

from . import dap, fiber, focus, frames, settings, target

CONDITION = "$_cdp_stops"


def here():
    """The records.Position of the CUDA thread that stopped, or None."""
    context = target.current_context()
    return records.Position(context) if context != 0 else None


class Stops(gdb.Function):
    """Whether a breakpoint stops."""

    def __init__(self):
        super().__init__("_cdp_stops")
        self.visits = records.Visits()

    def invoke(self, number):
        position = here()
        return position is None or self.visits.has_to_stop(int(number), position, settings.get("break"))


stops = None


def wrap(breakpoint):
    """Adds the condition above to a breakpoint of the user."""
    if breakpoint.type != gdb.BP_BREAKPOINT or not breakpoint.visible or breakpoint.number <= 0:
        return
    condition = breakpoint.condition
    if condition is not None and CONDITION in condition:
        return
    call = f"{CONDITION}({breakpoint.number})"
    try:
        breakpoint.condition = call if not condition else f"({condition}) && {call}"
    except gdb.error:
        pass  # not possible, for example for `thread N`


# ---- The end of a CUDA thread ----

class End(gdb.Breakpoint):
    """Where the kernel's code returns to the runtime."""

    def __init__(self, pc, thread):
        super().__init__(f"*{pc:#x}", internal=True)
        self.silent = True
        self.text = (f"[CUDA thread {records.triple(coordinates.current_index(thread))} of block "
                     f"{records.triple(thread.block.index)} of {thread.block.grid.name} has ended]")
        self.context = thread.context

    def stop(self):
        if target.current_context() != self.context:
            return False
        dap.say(self.text)
        return True


end = None
has_ended = False


def stay_with(thread):
    """Until the next stop, other CUDA threads pass breakpoints. So next, step and finish end in the
    thread in which they began, though the others run meanwhile. Grids that it launches do stop."""
    stops.visits.stay_with(thread)


def watch_end():
    """Before next, step and finish."""
    global end
    if has_ended:
        raise gdb.GdbError("The CUDA thread has ended: choose another one by `cuda thread`, or continue.")
    thread = fiber.current_thread()
    if thread is None or end is not None:
        return
    stay_with(thread)
    found = frames.user_frames(gdb.newest_frame())
    outer = found[-1].older() if found else None
    if outer is not None and outer.is_valid():
        end = End(outer.pc(), thread)


def before_finish():
    found = frames.user_frames(gdb.newest_frame()) if fiber.current_thread() is not None else []
    if found and gdb.selected_frame() == found[-1]:
        raise gdb.GdbError('"finish" not meaningful in the outermost frame.')


last_shown = None


def stopped(event):
    """After a stop: says which CUDA thread it is."""
    global end, has_ended, last_shown
    stops.visits.stay_with(None)
    was_end = end is not None and isinstance(event, gdb.BreakpointEvent) and end in event.breakpoints
    if end is not None:
        end.delete()
        end = None
    has_ended = was_end
    at = None if was_end else here()
    if at is not None and at != last_shown and isinstance(event, (gdb.BreakpointEvent, gdb.SignalEvent)):
        thread = fiber.current_thread()
        if thread is not None and isinstance(event, gdb.BreakpointEvent) and \
                isinstance(event.breakpoints[0], LaunchBreakpoint):
            LaunchBreakpoint.say(thread)
        if thread is not None:
            dap.say(f"[Switching focus to CUDA {coordinates.describe(thread)}]")
    last_shown = at


def continues(_event=None):
    global has_ended
    has_ended = False


# ---- Launches ----

class LaunchBreakpoint(gdb.Breakpoint):
    """Stops the first thread of each grid of a kernel."""

    def __init__(self, spec):
        super().__init__(spec, internal=True)
        self.silent = True

    def stop(self):
        at = here()
        return at is not None and at.block == (0, 0, 0) and at.linear == 0

    @staticmethod
    def say(thread):
        grid = thread.block.grid
        dap.say(f"[CUDA kernel {grid.number} starts: {grid.name}{records.configuration(grid)}]")
        frames.print_source_line(gdb.newest_frame())


launch_breakpoints = []


def kernel_lines():
    """file:line of each kernel of the program and the libraries that are loaded."""
    found = set()
    for objfile in gdb.objfiles():
        if not os.path.exists(objfile.filename or ""):
            continue  # such as the system's own
        symbols = gdb.execute(f"maint print msymbols -objfile '{objfile.filename}'", to_string=True)
        for address in re.findall(r"(0x[0-9a-f]+) cdp\.thread\.", symbols):
            line = gdb.find_pc_line(int(address, 16))
            if line.symtab is not None:
                found.add(f"{line.symtab.fullname()}:{line.line}")
    return sorted(found)


def break_on_launches(_event=None):
    for old in launch_breakpoints:
        if old.is_valid():
            old.delete()
    launch_breakpoints.clear()
    if settings.get("break_on_launch") != "none":
        launch_breakpoints.extend(LaunchBreakpoint(line) for line in kernel_lines())


# ---- Again, up to a point ----

class Counter(gdb.Breakpoint):
    """A point of which the N-th time counts."""

    def __init__(self, spec, times, **kind):
        super().__init__(spec, internal=True, **kind)
        self.times, self.count = times, 0

    def stop(self):
        self.count += 1
        return self.count == self.times


def must_repeat():
    """Runs can be compared only if they do the same."""
    seed = gdb.execute("show environment CDP_SEED", to_string=True)
    if "not defined" in seed:
        gdb.execute("set environment CDP_SEED 0")
        print("[CDP_SEED was not set: it is 0 now, so that runs repeat. What came before may differ.]")


class RerunTo(gdb.Command):
    """cdp-rerun-to N: runs the program again and stops before the N-th report of a check."""

    def __init__(self):
        super().__init__("cdp-rerun-to", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        try:
            times = int(argument)
        except ValueError:
            times = 0
        if times < 1:
            raise gdb.GdbError("cdp-rerun-to: give the number of a report, from 1 on")
        dap.refuse_to_run_again("cdp-rerun-to")
        must_repeat()
        fiber.clear()
        counter = Counter("-function cdp_finding_print_text", times)
        counter.silent = True
        gdb.execute("set confirm off")
        try:
            gdb.execute("run", to_string=True)
            reached = counter.count == times
        finally:
            if counter.is_valid():
                counter.delete()
        if not reached:
            print(f"[The program made only {counter.count} reports]")
            return
        thread = fiber.current_thread()
        print(f"[Before report {times}" + (f", focus on CUDA {coordinates.describe(thread)}]" if thread else "]"))
        frame = focus.select_user_frame()
        if frame is not None:
            frames.print_source_line(frame)


def spec_as(kind, address):
    return f"*({kind} *){address:#x}"


class WhoWrote(gdb.Command):
    """cdp-who-wrote EXPRESSION: runs the program again and stops after the write that gave the
expression's memory the value that it has now."""

    def __init__(self):
        super().__init__("cdp-who-wrote", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        dap.refuse_to_run_again("cdp-who-wrote")
        target = gdb.parse_and_eval(argument)
        if target.address is None:
            raise gdb.GdbError(f"cdp-who-wrote: {argument} is not in memory")
        size, address = target.type.sizeof, int(target.address)
        if size not in (1, 2, 4, 8):
            raise gdb.GdbError("cdp-who-wrote: only for 1, 2, 4 or 8 bytes")
        now = records.read(address, size)
        must_repeat()
        fiber.clear()
        spec = f"*(unsigned char (*)[{size}]){address:#x}"
        writes = self.run(spec, address, size)
        last = [number for number, value in writes if value == now]
        if not last:
            raise gdb.GdbError("cdp-who-wrote: in this run nobody wrote that value: is the program the same in each run, and "
                               "do hardware watchpoints work on this machine?")
        self.run(spec, address, size, last[-1])
        frame = focus.select_user_frame() or gdb.selected_frame()
        thread = fiber.current_thread()
        who = f"CUDA {coordinates.describe(thread)}" if thread is not None else f"{frame.name()} of the host"
        print(f"[{argument} became {gdb.parse_and_eval(spec_as(target.type, address))} by {who}]")
        frames.print_place(records.Place(frame.pc()))

    @staticmethod
    def run(spec, address, size, until=None):
        """Runs from the start, with all breakpoints off. Returns (number, new value) of each write."""
        writes = []

        class Writes(gdb.Breakpoint):
            def stop(self):
                try:
                    writes.append((len(writes) + 1, records.read(address, size)))
                except gdb.MemoryError:
                    return False
                return len(writes) == until

        others = [b for b in gdb.breakpoints() if b.enabled and b.visible]
        for other in others:
            other.enabled = False
        mapped = None
        try:
            gdb.execute("set confirm off")
            mapped = Counter("-function cdp_engine_start", 1)
            mapped.silent = True
            gdb.execute("run", to_string=True)
            mapped.delete()
            watch = Writes(spec, gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
            watch.silent = True
            gdb.execute("continue", to_string=True)
            if watch.is_valid():
                watch.delete()
        finally:
            for other in others:
                other.enabled = True
        return writes


def set_up():
    global stops
    stops = Stops()
    gdb.events.breakpoint_created.connect(wrap)
    gdb.events.breakpoint_modified.connect(wrap)
    gdb.events.stop.connect(stopped)
    gdb.events.cont.connect(continues)
    settings.on_change("break_on_launch", lambda _: break_on_launches())
    focus.switched.append(continues)
    focus.waits_for.append(stay_with)
    focus.Before("cdp-watch-end", watch_end)
    focus.Before("cdp-before-finish", before_finish)
    for command in ("next", "step", "until", "advance"):
        focus.hook(command, "cdp-bring-in\ncdp-watch-end")
    focus.hook("finish", "cdp-before-finish\ncdp-bring-in\ncdp-watch-end")
    RerunTo()
    WhoWrote()
