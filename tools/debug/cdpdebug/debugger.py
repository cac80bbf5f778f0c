"""The debugger of this process. cdpgdb.target and cdplldb.target have the same functions:

Error               the exception that the debugger prints as a message
MemoryError         memory of the program cannot be read
member(type, name)  (offset, type) of a member of a structure type, or None
find_type(name)     a structure type by its C name
read(address, n)    bytes of the program
at(address, name)   the structure there: record["member"], int(), .string(), .dereference(), + 1
runtime()           struct cdp_runtime, or None while it has not started
demangle(name)      the C++ name
line_of(pc)         (path, file, line) of the code before a return address; line 0: unknown
running()           context (cdp_abi_self) -> thread of the debugger that runs it
current_thread()    the records.Thread in focus, or None
place_of(thread)    records.Place in the program's code of a thread that runs
variable_text(name) the value of a global variable as text, or None
"""
import importlib

_target = None


def use(name):
    """Before all else: the module with the functions above."""
    global _target
    _target = importlib.import_module(name)


def __getattr__(name):
    return getattr(_target, name)
