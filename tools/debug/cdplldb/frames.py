"""Which frames are the program's. lldb leaves the others out of bt, up and down (bt -u shows all)."""
folders = {}  # of the runtime's sources and of cdpcc's headers, by the program's file


def folders_of(program):
    name = program.GetExecutable().fullpath
    if name not in folders:
        found = []
        for function in program.FindFunctions("cdp_engine_start"):
            path = function.GetFunction().GetStartAddress().GetLineEntry().GetFileSpec().fullpath
            if path and "exec/loop/" in path:
                found.append(path.rsplit("exec/loop/", 1)[0])
        headers = program.FindTypes("dim3")
        found.extend(path for path in [folder_of_headers(headers)] if path)
        if not found:
            return ()
        folders[name] = tuple(found)
    return folders[name]


def folder_of_headers(kinds):
    """lldb does not say where a type is declared; its module's compile units name the headers."""
    for i in range(kinds.GetSize()):
        for unit in kinds.GetTypeAtIndex(i).GetModule().compile_units:
            for k in range(unit.GetNumSupportFiles()):
                path = unit.GetSupportFileAtIndex(k).fullpath or ""
                if path.endswith("/cdpcc/vector_types.h"):
                    return path[:-len("vector_types.h")]
    return None


def is_runtime(frame):
    path, name = frame.GetLineEntry().GetFileSpec().fullpath, frame.GetFunctionName() or ""
    if name.startswith("__device_stub__"):
        return True
    if path:
        return path.startswith(folders_of(frame.GetThread().GetProcess().GetTarget()))
    return name.startswith("cdp_")


class Hidden:
    """lldb's frame recognizer: frames of the runtime are hidden, but functions of the API are not."""

    def get_recognized_arguments(self, _frame):
        return []

    def should_hide(self, frame):
        return is_runtime(frame) and not (frame.GetFunctionName() or "").startswith(("cuda", "cu", "nccl", "nvrtc"))


device_modules = {}


def is_of_cdpcc(module):
    """Whether cdpcc linked it: the system's libraries may have debug information, too."""
    path = module.GetFileSpec().fullpath
    if path not in device_modules:
        device_modules[path] = any(module.FindSection(name).IsValid() for name in ("cdp_kernels", "cdp_objects"))
    return device_modules[path]


def user_frames(thread):
    """The frames of device code, from the innermost one to the kernel."""
    found = []
    for frame in thread:
        if is_runtime(frame):
            if found:
                break
        elif found or frame.GetLineEntry().IsValid() and is_of_cdpcc(frame.GetModule()):
            found.append(frame)
    return found


def innermost(thread):
    found = user_frames(thread)
    return found[0] if found else None
