"""What lldb can do for cdpdebug (see cdpdebug/debugger.py)."""
import lldb

from cdpdebug import records

from . import frames, waiting


class Error(Exception):
    """Printed by the command that raised it."""


class MemoryError(Exception):
    """Memory of the program cannot be read."""


chosen = None  # the lldb.SBTarget that the command is about


def program():
    return chosen


def process():
    return chosen.GetProcess()


class Value:
    """A value of the program: record["member"], array[1], int(), and what else gdb.Value has here."""

    def __init__(self, value):
        self.value = value

    def __getitem__(self, key):
        if isinstance(key, str):
            base = self.value.Dereference() if self.value.type.IsPointerType() else self.value
            found = base.GetChildMemberWithName(key)
        elif self.value.type.IsPointerType():
            found = (self + key).value.Dereference()
        else:
            found = self.value.GetChildAtIndex(key)
        if not found.IsValid():
            raise Error(f"cdpcc: {self.value.type.name} has no member {key}: another version of the runtime?")
        return Value(found)

    def __int__(self):
        error = lldb.SBError()
        number = self.value.GetValueAsUnsigned(error)
        if error.Fail():
            raise MemoryError(error.GetCString())
        return number

    __index__ = __int__

    def __bool__(self):
        return int(self) != 0

    def __add__(self, count):
        kind = self.value.type
        address = int(self) + count * kind.GetPointeeType().size
        data = lldb.SBData.CreateDataFromUInt64Array(chosen.GetByteOrder(), 8, [address])
        return Value(chosen.CreateValueFromData("pointer", data, kind))

    def dereference(self):
        return Value(self.value.Dereference())

    def string(self):
        error = lldb.SBError()
        text = process().ReadCStringFromMemory(int(self), 4096, error)
        if error.Fail():
            raise MemoryError(error.GetCString())
        return text


def find_type(name):
    kinds = chosen.FindTypes(name.removeprefix("struct ").removeprefix("union "))
    for i in range(kinds.GetSize()):
        kind = kinds.GetTypeAtIndex(i)
        if kind.size > 0 and kind.GetNumberOfFields() > 0:
            return kind
    raise Error(f"cdpcc: no {name} in the program: was it linked by cdpcc?")


def member(kind, name):
    """Also one of an anonymous union."""
    for field in kind.GetCanonicalType().get_fields_array():
        if field.name == name:
            return field.GetOffsetInBytes(), field.type
        if not field.name:
            inner = member(field.type, name)
            if inner is not None:
                return field.GetOffsetInBytes() + inner[0], inner[1]
    return None


def read(address, size):
    error = lldb.SBError()
    found = process().ReadMemory(address, size, error)
    if error.Fail() or len(found) != size:
        raise MemoryError(f"cannot read {size} bytes at {address:#x}")
    return found


def at(address, type_name):
    return Value(chosen.CreateValueFromAddress("record", lldb.SBAddress(address, chosen), find_type(type_name)))


def runtime():
    found = chosen.FindGlobalVariables("runtime", 100)
    for i in range(found.GetSize()):
        value = Value(found.GetValueAtIndex(i))
        if value.value.type.GetCanonicalType().name == "cdp_runtime":
            return value if value["engine"] else None
    return None


def demangle(name):
    result = lldb.SBCommandReturnObject()
    chosen.GetDebugger().GetCommandInterpreter().HandleCommand(f"language cplusplus demangle {name}", result)
    return result.GetOutput().strip().partition(" ---> ")[2] or name if result.Succeeded() else name


def line_of(pc):
    line = chosen.ResolveLoadAddress(pc - 1).GetLineEntry()  # a return address: the call before it counts
    if not line.IsValid() or not line.GetFileSpec().IsValid():
        return None, "?", 0
    return line.GetFileSpec().fullpath, line.GetFileSpec().GetFilename(), line.GetLine()


def expression_of(thread):
    """The address of cdp_abi_self of a thread, by an expression: slow, and needs a frame of the
    program's own code."""
    for frame in thread:
        if frame.GetLineEntry().IsValid():
            found = frame.EvaluateExpression("(unsigned long)&cdp_abi_self")
            if found.GetError().Success():
                return found.GetValueAsUnsigned()
    return None


def thread_pointer(thread):
    name = "fs_base" if chosen.GetTriple().startswith("x86_64") else "tpidr"
    register = thread.GetFrameAtIndex(0).FindRegister(name)
    if not register.IsValid():
        raise Error(f"cdp-lldb: lldb does not show the register {name}")
    return register.GetValueAsUnsigned()


distances = {}  # from the thread pointer to cdp_abi_self, by process


def distance_of_context():
    """The same in all threads: the runtime is in the program, or its library was loaded at the start."""
    number = process().GetUniqueID()
    for thread in process():
        if number in distances:
            break
        place = expression_of(thread) if not waiting.is_waiting(thread) else None
        if place is not None:
            distances[number] = place - thread_pointer(thread)
    return distances.get(number)


def context_of(thread):
    """cdp_abi_self of a thread; 0: it runs no device code."""
    if not chosen.FindFirstGlobalVariable("cdp_abi_self").IsValid():
        return 0
    distance = distance_of_context()
    try:
        return records.word(thread_pointer(thread) + distance) if distance is not None else 0
    except MemoryError:
        return 0


def current_context():
    return context_of(process().GetSelectedThread())


def running():
    threads = [thread for thread in process() if not waiting.is_waiting(thread)]
    found = {context_of(thread): thread for thread in threads}
    found.pop(0, None)
    return found


def current_thread():
    here = process().GetSelectedThread()
    if not here.IsValid():
        return None
    return thread_of(here)


def thread_of(here):
    """The records.Thread that a thread of lldb shows, or None."""
    if waiting.is_waiting(here):
        return waiting.thread_of(here)
    for thread in records.snapshot().by_fiber.values():
        if thread.is_running and thread.runner.GetThreadID() == here.GetThreadID():
            return thread
    return None


def place_of(thread):
    place = records.Place(0)
    frame = frames.innermost(thread.runner)
    if frame is not None:
        line = frame.GetLineEntry()
        place.pc, place.line, place.file = frame.GetPC(), line.GetLine(), line.GetFileSpec().GetFilename()
    return place


def variable_text(name):
    found = chosen.FindFirstGlobalVariable(name)
    return found.GetValue() or found.GetSummary() if found.IsValid() else None


def symbol_address(name):
    for found in chosen.FindSymbols(name):
        return found.GetSymbol().GetStartAddress().GetLoadAddress(chosen)
    return None


def execute(command):
    """A command of lldb's own; its output."""
    result = lldb.SBCommandReturnObject()
    # Not the context in which this command began: its thread may be gone.
    context = lldb.SBExecutionContext(process().GetSelectedThread())
    chosen.GetDebugger().GetCommandInterpreter().HandleCommand(command, context, result)
    if not result.Succeeded():
        raise Error(result.GetError().removeprefix("error: ").strip())
    return result.GetOutput().rstrip("\n")


last_stop = None


def choose(target):
    """Before each command: what was known of another stop is forgotten."""
    global chosen, last_stop
    stop = (target.GetProcess().GetUniqueID(), target.GetProcess().GetStopID(True))
    if chosen is None or last_stop is None or stop[0] != last_stop[0]:
        records.forget_all()
    elif stop != last_stop:
        records.forget()
    chosen, last_stop = target, stop
