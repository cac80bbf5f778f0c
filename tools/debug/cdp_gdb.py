"""gdb for CUDA programs that cdpcc compiled, with the commands of cuda-gdb.

    gdb -x cdp_gdb.py PROGRAM        or the wrapper: cdp-gdb PROGRAM

    info cuda kernels|blocks|threads|warps|lanes|launch trace|launch children|managed|devices
    cuda kernel 2 block 1,0,0 thread 3,0,0      moves the focus to a thread that runs or waits
    bt                                          without the runtime; below, the launches

threadIdx, blockIdx, blockDim and gridDim work in every expression: print, display, and
conditions ("break child if threadIdx.x == 5"). All works on core files too, except stepping.
"""
import os
import sys

import gdb

sys.dont_write_bytecode = True  # the folder may be the source tree
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cdpdebug import debugger  # noqa: E402

debugger.use("cdpgdb.target")
import cdpgdb.dap  # noqa: E402
import cdpgdb.focus  # noqa: E402
import cdpgdb.frames  # noqa: E402
import cdpgdb.info  # noqa: E402
import cdpgdb.settings  # noqa: E402
import cdpgdb.stops  # noqa: E402
import cdpgdb.target  # noqa: E402

# Macros rather than functions, so that .x and & work, also in conditions. The runtime stores each
# as three 32-bit words, which have the layout of a dim3. $_cdp_focus is 0, or a thread that waits.
BUILT_IN = {
    "threadIdx": "thread_idx",
    "blockIdx": "block->block_idx",
    "blockDim": "block->block_dim",
    "gridDim": "block->grid_dim",
}
for name, member in BUILT_IN.items():
    gdb.execute(f"macro define {name} (*(dim3 *)($_cdp_focus ? $_cdp_focus : cdp_abi_self)->{member})")
gdb.execute("macro define warpSize 32")

for part in (cdpgdb.dap, cdpgdb.target, cdpgdb.settings, cdpgdb.focus, cdpgdb.frames, cdpgdb.info, cdpgdb.stops):
    part.set_up()
