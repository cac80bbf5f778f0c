"""gdb as a debug adapter: `cdp-gdb --interpreter=dap`, from gdb 14 on. gdb's server does not know of
our breakpoints and of the focus; here it learns of them."""
import sys

import gdb


def is_server():
    """gdb loads its server before it reads cdp_gdb.py."""
    return "gdb.dap" in sys.modules


def say(text):
    """While the program runs, the server keeps what is printed to itself."""
    if not is_server():
        print(text)
        return
    from gdb.dap import server

    server.send_event("output", {"category": "console", "output": f"{text}\n"})


def tell_of_stop(reason, description):
    """Editors ask for frames and variables again, and allow to step."""
    from gdb.dap import server

    thread = gdb.selected_thread()
    server.send_event("stopped", {
        "reason": reason,
        "description": description,
        "threadId": thread.global_num if thread is not None else 0,
        "allThreadsStopped": True,
    })


def focus_moved(description):
    if not is_server():
        return
    from gdb.dap import frames, scopes, varref

    # The server keeps the frames of an OS thread until the program continues.
    frames._clear_frame_ids(None)
    scopes.clear_scopes(None)
    varref.clear_vars(None)
    tell_of_stop("goto", f"Focus on CUDA {description}")


def refused(why):
    """A command that lets the program run did not. The server only writes that into its log, and
    the editor waits for a stop."""
    if is_server():
        say(why)
        tell_of_stop("step", str(why))


def refuse_to_run_again(command):
    """The end of a process is the end of an editor's session."""
    if is_server():
        raise gdb.GdbError(f"{command} runs the program again, which ends the session: use cdp-gdb in a terminal.")


def is_internal(breakpoint):
    return breakpoint.number < 0


def is_passed(event):
    """A stop after which the program continues by itself: a thread that waits comes in for `next`."""
    return isinstance(event, gdb.BreakpointEvent) and all(getattr(b, "is_passed", False) for b in event.breakpoints)


def hide(registry, handler, hidden):
    """The server's handler gets no event that is hidden."""
    registry.disconnect(handler)
    registry.connect(lambda event: None if hidden(event) else handler(event))


def set_up():
    if not is_server():
        return
    from gdb.dap import breakpoint, events

    try:  # gdb has no public names for these
        for registry, handler, hidden in (
                (gdb.events.breakpoint_created, breakpoint._bp_created, is_internal),
                (gdb.events.breakpoint_modified, breakpoint._bp_modified, is_internal),
                (gdb.events.breakpoint_deleted, breakpoint._bp_deleted, is_internal),
                (gdb.events.stop, events._on_stop, is_passed)):
            hide(registry, handler, hidden)
    except AttributeError as error:
        say(f"cdp-gdb: this gdb's adapter is not one that cdp-gdb knows ({error}): editors see internal breakpoints")
