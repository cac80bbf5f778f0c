"""What cdp_gdb.py and cdp_lldb.py share.

debugger     what the debugger of this process can do: set by cdpgdb or cdplldb
records      the runtime's records in the program's memory: fibers, blocks, grids
coordinates  kernels, blocks and threads as the user names them
tables       the tables of `info cuda`
"""
