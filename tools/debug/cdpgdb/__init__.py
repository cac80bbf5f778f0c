"""The parts of cdp_gdb.py.

target     what gdb can do for cdpdebug
dap        what gdb's own debug adapter lacks
fiber      a thread that waits, shown in place of an OS thread
focus      the CUDA thread that commands are about, and the command `cuda`
frames     backtraces without frames of the runtime, and stepping
info       the command `info cuda`
settings   `set cuda` and `show cuda`
stops      breakpoints that stop once a warp; cdp-rerun-to, cdp-who-wrote
"""
