"""Breakpoints that stop once a warp, steps that stay with their thread, and the focus that a stop
says."""
import contextlib
import signal

import lldb

from cdpdebug import coordinates, records

from . import frames, target, waiting

visits = records.Visits()
wanted = set()  # (number of the stop, thread of lldb) for which has_to_stop said yes; others only came along
records.at_new_run.append(wanted.clear)


def has_to_stop(frame, location, _extra, _names):
    """lldb calls this at a breakpoint. While the answer is no, a step that has begun continues."""
    here = frame.GetThread()
    target.choose(here.GetProcess().GetTarget())
    try:
        context = target.context_of(here)
        if context == 0:
            return True
        number = (location.GetBreakpoint().GetID(), location.GetID())
        if not visits.has_to_stop(number, records.Position(context), "warp"):
            return False
        wanted.add((here.GetProcess().GetStopID(), here.GetThreadID()))
        return True
    except (target.Error, target.MemoryError):
        return True  # not a program of cdpcc's, or it has not loaded the runtime


def attach(program):
    """Before a stop is judged: breakpoints of the user get the function above, unless they have
    commands of their own."""
    for breakpoint in program.breakpoint_iter():
        if not breakpoint.IsInternal() and not breakpoint.GetCommandLineCommands(lldb.SBStringList()):
            breakpoint.SetScriptCallbackFunction("cdp_lldb.has_to_stop")


# ---- A step whose thread has waited ----
#
# lldb steps an OS thread. At a barrier the OS thread switches to another CUDA thread, and lldb ends the step there.

awaited = 0  # the context of the CUDA thread that has to come back


def is_awaited(frame, _location, _extra, _names):
    return target.context_of(frame.GetThread()) == awaited


@contextlib.contextmanager
def one_at_a_time(debugger):
    """Commands that run the program return when it has stopped."""
    was = debugger.GetAsync()
    debugger.SetAsync(False)
    try:
        yield
    finally:
        debugger.SetAsync(was)


def is_of_user(process):
    return process.GetState() != lldb.eStateStopped or bool(reached(process)) or any(map(is_fault, process))


def has_left(thread):
    """Whether a step of the thread ended in another thread, for no reason of the user's."""
    return not is_of_user(target.process()) and target.current_context() != thread.context


def come_back(thread):
    """Lets the program run until a thread that waits continues. Whether it did so."""
    global awaited
    process = target.process()
    pc = waiting.return_address(records.snapshot().by_fiber.get(thread.fiber))
    if pc is None:
        return False
    breakpoint = target.program().BreakpointCreateByAddress(pc)
    breakpoint.SetScriptCallbackFunction("cdp_lldb.is_awaited")
    awaited = thread.context
    visits.stay_with(thread)
    try:
        target.execute("process continue")
    finally:
        target.program().BreakpointDelete(breakpoint.GetID())
    for candidate in process if not is_of_user(process) else ():
        if target.context_of(candidate) == thread.context:
            process.SetSelectedThread(candidate)
            return True
    return False


def reached(process):
    """The threads that stopped at a breakpoint of the user."""
    return [number for stop, number in wanted if stop == process.GetStopID()]


def is_fault(thread):
    reason = thread.GetStopReason()
    if reason == lldb.eStopReasonSignal:
        return thread.GetStopReasonDataAtIndex(0) != signal.SIGTRAP  # of a breakpoint that is gone
    return reason in (lldb.eStopReasonException, lldb.eStopReasonWatchpoint)


class Hook:
    """lldb calls handle_stop for each thread that has a reason to stop, when the program has stopped."""

    def __init__(self, _target, _extra, _names):
        pass

    def handle_stop(self, context, stream):
        target.choose(context.GetTarget())
        visits.stay_with(None)
        process, here = context.GetProcess(), context.GetThread()
        selected, others = process.GetSelectedThread(), reached(process)
        if others and selected.GetThreadID() not in others and \
                selected.GetStopReason() in (lldb.eStopReasonBreakpoint, lldb.eStopReasonNone):
            process.SetSelectedThreadByID(others[0])
        is_selected = here.GetThreadID() == process.GetSelectedThread().GetThreadID()
        if not is_selected and here.GetThreadID() not in others:
            return True
        try:
            thread = target.thread_of(here)
        except (target.Error, target.MemoryError):
            return True
        if thread is not None and is_selected:
            stream.Print(f"[Switching focus to CUDA {coordinates.describe(thread)}]\n")
        elif thread is not None:
            stream.Print(f"[At a breakpoint, too: CUDA {coordinates.describe(thread)}]\n")
        return True
