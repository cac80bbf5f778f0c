"""lldb for CUDA programs that cdpcc compiled, with the commands of cuda-gdb.

    command script import cdp_lldb.py       or the wrapper: cdp-lldb PROGRAM

    info cuda kernels|blocks|threads|warps|lanes|launch trace|launch children|managed|devices
    cuda kernel 2 block 1,0,0 thread 3,0,0      moves the focus to a thread that runs or waits
    bt                                          without the runtime; below, the launches

threadIdx, blockIdx, blockDim and gridDim are variables of each kernel. All works on core files too,
except stepping.
"""
import os
import sys

sys.dont_write_bytecode = True  # the folder may be the source tree
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cdpdebug import debugger as shared  # noqa: E402

shared.use("cdplldb.target")
import cdplldb.commands  # noqa: E402
from cdplldb.commands import Backtrace, Cuda, Finish, Info, Next, Step  # noqa: E402,F401  (lldb finds them here)
from cdplldb.frames import Hidden  # noqa: E402,F401
from cdplldb.stops import Hook, has_to_stop, is_awaited  # noqa: E402,F401


def __lldb_init_module(debugger, _names):
    cdplldb.commands.set_up(debugger)
