"""lldb loads this file by the setting target.process.python-os-plugin-path."""
from cdplldb.waiting import Threads as OperatingSystemPlugIn  # noqa: F401
