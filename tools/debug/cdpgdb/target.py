"""What gdb can do for cdpdebug (see cdpdebug/debugger.py)."""
import gdb

from cdpdebug import records

from . import fiber, frames

Error = gdb.GdbError
MemoryError = gdb.MemoryError


def find_type(name):
    return gdb.lookup_type(name)


def member(kind, name):
    """Also one of an anonymous union."""
    for field in kind.strip_typedefs().fields():
        if field.name == name:
            return field.bitpos // 8, field.type
        if not field.name:
            inner = member(field.type, name)
            if inner is not None:
                return field.bitpos // 8 + inner[0], inner[1]
    return None


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def at(address, type_name):
    return gdb.Value(address).cast(gdb.lookup_type(type_name).pointer()).dereference()


def runtime():
    for symbol in gdb.lookup_static_symbols("runtime"):
        if str(symbol.type.strip_typedefs()).endswith("cdp_runtime"):
            found = symbol.value()
            return found if int(found["engine"]) else None
    return None


def demangle(name):
    try:
        return gdb.execute(f"demangle -l c++ -- {name}", to_string=True).strip()
    except gdb.error:
        return name


def line_of(pc):
    line = gdb.find_pc_line(pc - 1)  # a return address: the call before it counts
    if not line or not line.symtab:
        return None, "?", 0
    return line.symtab.fullname(), line.symtab.filename.rsplit("/", 1)[-1], line.line


def current_context():
    """cdp_abi_self of the selected OS thread; 0: it runs no device code."""
    try:
        return int(gdb.parse_and_eval("(unsigned long)cdp_abi_self"))
    except gdb.error:
        return 0


def running():
    here, found = gdb.selected_thread(), {}
    frame = gdb.selected_frame() if here is not None else None
    try:
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            context = current_context()
            if context:
                found[context] = thread
    except gdb.error:
        pass  # the program has no runtime, or has not loaded it
    finally:
        if here is not None:
            here.switch()
            try:
                frame.select()
            except gdb.error:
                pass
    return found


def current_thread():
    return fiber.current_thread()


def place_of(thread):
    place = records.Place(0)
    with fiber.set_aside():
        thread.runner.switch()
        found = frames.innermost(gdb.newest_frame())
        if found is not None:
            sal = found.find_sal()
            place.pc, place.line = found.pc(), sal.line
            place.file = sal.symtab.filename.rsplit("/", 1)[-1]
    return place


def variable_text(name):
    try:
        return str(gdb.parse_and_eval(name))
    except gdb.error:
        return None


def set_up():
    gdb.events.cont.connect(records.forget)
    gdb.events.exited.connect(records.forget_all)
    gdb.events.memory_changed.connect(records.forget)
