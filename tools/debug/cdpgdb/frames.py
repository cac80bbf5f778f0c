"""Backtraces: the frames of the program's code; beneath a kernel, the launches that led there.

`bt -full-runtime` shows the frames of the runtime, too."""
import os

import gdb
from gdb.FrameDecorator import FrameDecorator

from cdpdebug import records

from . import dap, fiber

known_folders = {}


def folder(name="cdp_engine_start", tail="exec/loop/", domain=gdb.SYMBOL_VAR_DOMAIN):
    """The folder of the runtime's sources, as the debug information has it."""
    if name not in known_folders:
        symbol = gdb.lookup_static_symbol(name, domain) or gdb.lookup_global_symbol(name, domain)
        if symbol is None or symbol.symtab is None:
            return None
        known_folders[name] = symbol.symtab.fullname().rsplit(tail, 1)[0]
    return known_folders[name]


def headers_folder():
    """The folder of cdpcc's headers."""
    return folder("dim3", "vector_types.h", gdb.SYMBOL_STRUCT_DOMAIN)


def is_runtime_file(symtab):
    folders = tuple(f for f in (folder(), headers_folder()) if f is not None)
    return symtab is not None and symtab.fullname().startswith(folders)


def is_runtime(frame):
    if frame.type() == gdb.INLINE_FRAME or frame.function() is not None:
        function = frame.function()
        return function is not None and is_runtime_file(function.symtab)
    return (frame.name() or "").startswith("cdp_")


def user_frames(frame):
    """The frames of device code, from the innermost one to the kernel. frame: the newest one."""
    found = []
    while frame is not None and fiber.is_carrier(frame):
        frame = frame.older()
    while frame is not None:
        if is_runtime(frame):
            if found:
                break
        elif found or frame.find_sal().symtab is not None:
            found.append(frame)
        frame = frame.older()
    return found


def innermost(frame):
    found = user_frames(frame)
    return found[0] if found else None


def short_name(name):
    """Without parameters, as gdb prints it: ns::f<int>(int) -> ns::f<int>."""
    depth, at = 0, len(name)
    if name.endswith(("const", ")")) and "(" in name:
        at = name.rindex(")")
        for i in range(at, -1, -1):
            depth += (name[i] == ")") - (name[i] == "(")
            if depth == 0 and name[i] == "(":
                return name[:i] or name
    return name


class Shown(FrameDecorator):
    """A frame of the program's code."""

    def function(self):
        found = self.inferior_frame().function()
        return short_name(found.name) if found is not None else super().function()


class Kernel(Shown):
    """The frame of a kernel, as cuda-gdb shows it."""

    def __init__(self, frame, grid):
        super().__init__(frame)
        self.grid = grid

    def function(self):
        name = super().function()  # an address, if gdb knows no symbol there
        return f"{name if isinstance(name, str) else self.grid.name}{records.configuration(self.grid)}"


class Launch(FrameDecorator):
    """A line beneath a kernel: where a launch was. It has no frame of its own."""

    def __init__(self, kernel_frame, who, place):
        super().__init__(kernel_frame)
        self.who, self.place = who, place

    def function(self):
        return f"[launched by {self.who}]"

    def address(self):
        return self.place.pc if dap.is_server() else None

    def filename(self):
        return self.place.file if self.place.line else None

    def line(self):
        return self.place.line or None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


class Filter:
    """Leaves out the frames of the runtime."""

    def __init__(self):
        self.name, self.priority, self.enabled = "cdp", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        thread = fiber.current_thread() if folder() is not None else None
        if thread is None:
            return self.host_frames(frames)
        return self.device_frames(frames, thread)

    @staticmethod
    def host_frames(frames):
        """Of the runtime, only functions of the API."""
        for decorated in frames:
            frame = decorated.inferior_frame()
            if not is_runtime(frame) or (frame.name() or "").startswith(("cu", "nccl", "nvrtc")):
                yield Shown(decorated)

    @staticmethod
    def device_frames(frames, thread):
        found = []
        for decorated in frames:
            frame = decorated.inferior_frame()
            if fiber.is_carrier(frame):
                continue
            if is_runtime(frame):
                if found:
                    break
            elif found or frame.find_sal().symtab is not None:
                found.append(decorated)
        for decorated in found[:-1]:
            yield Shown(decorated)
        if found:
            yield Kernel(found[-1], thread.block.grid)
            for who, place in records.launches(thread):
                yield Launch(found[-1].inferior_frame(), who, place)


class Backtrace(gdb.Command):
    """Print backtrace of all frames of the program's code.
bt -full-runtime: also those of the runtime. Other arguments are gdb's own."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split()
        if "-full-runtime" in words:
            words.remove("-full-runtime")
            words.insert(0, "-no-filters")
        try:
            gdb.execute(" ".join(["backtrace", *words]), from_tty)
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None


class Step(gdb.Command):
    """Select and print the stack frame that called this one, or that this one called, without
frames of the runtime. An argument says how many frames up or down to go."""

    def __init__(self, name, direction):
        super().__init__(name, gdb.COMMAND_STACK)
        self.direction = direction

    def invoke(self, argument, from_tty):
        count = int(gdb.parse_and_eval(argument)) if argument.strip() else 1
        if fiber.current_thread() is not None:
            found = user_frames(gdb.newest_frame())
        else:
            found, frame = [], gdb.newest_frame()
            while frame is not None:
                if not is_runtime(frame):
                    found.append(frame)
                frame = frame.older()
        levels = [frame.level() for frame in found]
        here = gdb.selected_frame().level()
        at = levels.index(here) if here in levels else -1
        to = min(max(at + self.direction * count, 0), len(found) - 1)
        if to == at or not found:
            raise gdb.GdbError("Initial frame selected; you can't go up." if self.direction > 0
                               else "Bottom (innermost) frame selected; you can't go down.")
        found[to].select()
        gdb.execute("frame")


def print_source_line(frame):
    """As gdb does after a stop."""
    sal = frame.find_sal()
    print_line(sal.symtab.fullname() if sal.symtab is not None else "?", sal.line)


def print_place(place):
    print_line(place.path or "?", place.line)


def print_line(path, number):
    lines = []
    if os.path.exists(path):
        with open(path, errors="replace") as file:
            lines = file.read().splitlines()
    print(f"{number}\t{lines[number - 1]}" if 0 < number <= len(lines) else f"at {path}:{number}")


skipped = set()


def skip_runtime(_event=None):
    """`step` does not enter the runtime, nor functions of cdpcc's headers."""
    for path in (folder(), headers_folder()):
        if path is not None and path not in skipped:
            skipped.add(path)
            for depth in ("*", "*/*", "*/*/*"):
                gdb.execute(f"skip -gfi {path}{depth}", to_string=True)


def set_up():
    gdb.execute("skip -rfu ^__device_stub__", to_string=True)
    Filter()
    for name in ("bt", "where"):
        Backtrace(name)
    Step("up", 1)
    Step("down", -1)
    gdb.events.stop.connect(skip_runtime)
