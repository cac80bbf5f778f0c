"""The commands `info cuda`, `cuda` and `bt`."""
import contextlib
import io
import os

import lldb

from cdpdebug import coordinates, records, tables

from . import frames, stops, target, waiting


class Command:
    """A command whose text is printed by run(words)."""

    def __init__(self, _debugger, _names):
        pass

    def __call__(self, debugger, argument, context, result):
        output = io.StringIO()
        target.choose(context.GetTarget() if context.GetTarget().IsValid() else debugger.GetSelectedTarget())
        try:
            with contextlib.redirect_stdout(output):
                self.run(argument.strip())
        except (target.Error, target.MemoryError) as error:
            result.SetError(str(error))
        result.AppendMessage(output.getvalue().rstrip("\n"))

    def get_short_help(self):
        return self.__doc__.splitlines()[0]

    def get_long_help(self):
        return self.__doc__

    @staticmethod
    def need_process():
        if not target.process().IsValid() or target.process().GetState() != lldb.eStateStopped:
            raise target.Error("The program is not being run, or has not stopped.")


class Info(Command):
    __doc__ = tables.HELP

    def run(self, argument):
        word, _, rest = argument.partition(" ")
        if word != "cuda":
            raise target.Error("lldb has no command `info`; cdpcc's is `info cuda`.")
        self.need_process()
        tables.show(rest)


class Cuda(Command):
    """Print or select the CUDA focus.
cuda kernel 2 block 1,0,0 thread 3,0,0   selects; also device, grid, sm (a worker), warp, lane
cuda kernel block thread                 prints"""

    def run(self, argument):
        self.need_process()
        coordinates.select(argument, self.switch)

    @staticmethod
    def switch(thread):
        if thread.is_running:
            target.process().SetSelectedThreadByID(thread.runner.GetThreadID())
        else:
            waiting.show(thread)
        print(f"[Switching focus to CUDA {coordinates.describe(thread)}]")
        here = target.process().GetSelectedThread()
        frame = frames.innermost(here)
        if frame is not None:
            here.SetSelectedFrame(frame.GetFrameID())
            line = frame.GetLineEntry()
            print(f"at {line.GetFileSpec().GetFilename()}:{line.GetLine()} in {frame.GetDisplayFunctionName()}")


class Move(Command):
    """A step of the CUDA thread in focus: others run meanwhile, and pass breakpoints."""

    def run(self, argument):
        self.need_process()
        with stops.one_at_a_time(target.program().GetDebugger()):
            print(self.move(f"{self.command} {argument}"))

    def move(self, command):
        """Returns what lldb says of the stop."""
        thread = target.current_thread()
        if thread is None:
            return target.execute(command)
        name = f"[CUDA thread {records.triple(thread.index)} of block {records.triple(thread.block.index)} has ended]"
        if not thread.is_running and not stops.come_back(thread):
            raise target.Error("The program has stopped before the CUDA thread continued.")
        stops.visits.stay_with(thread)
        text = target.execute(command)
        if stops.has_left(thread) and stops.come_back(thread):
            text = target.execute(command if self.goes_on else "process status")
        here = target.process().GetSelectedThread()
        if target.process().GetState() == lldb.eStateStopped and here.GetNumFrames() > 0 and \
                frames.is_runtime(here.GetFrameAtIndex(0)) and not frames.user_frames(here):
            text = f"{text}\n{name}"
        return text


class Next(Move):
    """Step to the next line, over calls. Arguments are those of `thread step-over`."""
    command, goes_on = "thread step-over", True


class Step(Move):
    """Step to the next line, into functions of the program. Arguments are those of `thread step-in`."""
    command, goes_on = "thread step-in", True

    def move(self, command):
        start = self.line()
        text = super().move(command)
        # Into a function of the runtime or of cdpcc's headers: out of it, and on to the next line.
        here = target.process().GetSelectedThread()
        while here.GetNumFrames() > 0 and frames.is_runtime(here.GetFrameAtIndex(0)) and \
                here.GetStopReason() == lldb.eStopReasonPlanComplete and frames.user_frames(here):
            here.SetSelectedFrame(0)
            target.execute("thread step-out")
            text = super().move(command) if self.line() == start else target.execute("process status")
            here = target.process().GetSelectedThread()
        return text

    @staticmethod
    def line():
        here = target.process().GetSelectedThread()
        line = here.GetFrameAtIndex(0).GetLineEntry() if here.GetNumFrames() > 0 else None
        return (line.GetFileSpec().fullpath, line.GetLine()) if line is not None else None


class Finish(Move):
    """Run until the function returns. Arguments are those of `thread step-out`."""
    command, goes_on = "thread step-out", False


class Backtrace(Command):
    """Print the frames of the program's code; beneath a kernel, the launches that led there.
Arguments are those of `thread backtrace`; -u shows the frames of the runtime, too."""

    def run(self, argument):
        words = f"-c {argument}" if argument.isdigit() else argument
        print(target.execute(f"thread backtrace {words}"))
        thread = target.current_thread() if words in ("", "-u") else None
        for who, place in records.launches(thread) if thread is not None else ():
            print(f"    [launched by {who}]" + (f" at {place}" if place.line else ""))


# All but info and cuda replace aliases of lldb's.
COMMANDS = {"info": "Info", "cuda": "Cuda", "bt": "Backtrace", "next": "Next", "n": "Next", "step": "Step", "s": "Step",
            "finish": "Finish"}


def set_up(debugger):
    here = os.path.dirname(os.path.abspath(__file__))
    commands = [f'settings set target.process.python-os-plugin-path "{here}/os_plugin.py"',
                'settings set target.process.thread.step-avoid-regexp "^std::|^cdp_|^__cdp_"',
                "frame recognizer add -l cdp_lldb.Hidden -x -s . -n . -f false",
                "target stop-hook add -P cdp_lldb.Hook"]
    commands += [f"command unalias {name}" for name in COMMANDS if name not in ("info", "cuda")]
    commands += [f"command script add -c cdp_lldb.{kind} {name}" for name, kind in COMMANDS.items()]
    for command in commands:
        result = lldb.SBCommandReturnObject()
        debugger.GetCommandInterpreter().HandleCommand(command, result)
        if not result.Succeeded():
            print(f"cdp-lldb: {command}: {result.GetError()}")
