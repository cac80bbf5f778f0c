"""The parts of cdp_lldb.py.

target     what lldb can do for cdpdebug
frames     which frames are the runtime's; the launches beneath a kernel
waiting    threads that wait, shown as threads of lldb: a plug-in of kind "operating system"
stops      breakpoints that stop once a warp
commands   `info cuda`, `cuda`, `bt`
"""
