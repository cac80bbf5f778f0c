"""`set cuda NAME VALUE` and `show cuda`: what cuda-gdb has. Few of them mean something here; the
others are accepted, and say so once."""
import gdb

# name: (values, default, what it does here; None: nothing)
SETTINGS = {
    "break": (("once", "warp", "thread"), "warp",
              "A breakpoint in a kernel stops once for each grid, each warp or each thread"),
    "break_on_launch": (("none", "application", "all"), "none", "Break on every kernel launch"),
    "api_failures": (("ignore", "hide", "stop"), "ignore", None),
    "coalescing": (("on", "off"), "on", None),
    "context_events": (("off", "on"), "off", None),
    "defer_kernel_launch_notifications": (("off", "on"), "off", None),
    "device_resume_on_cpu_dynamic_function_call": (("on", "off"), "on", None),
    "disassemble_from": (("elf_image", "device_memory"), "elf_image", None),
    "disassemble_per": (("function", "file"), "function", None),
    "gpu_busy_check": (("off", "on"), "off", None),
    "hide_internal_frame": (("on", "off"), "on", None),
    "hide_internal_frames": (("on", "off"), "on", None),
    "kernel_events": (("none", "application", "all"), "none", None),
    "launch_blocking": (("off", "on"), "off", None),
    "memcheck": (("off", "on"), "off", None),
    "notify": (("youngest", "random"), "youngest", None),
    "ptx_cache": (("on", "off"), "on", None),
    "single_stepping_optimizations": (("on", "off"), "on", None),
    "software_preemption": (("auto", "on", "off"), "auto", None),
    "step_divergent_lanes": (("on", "off"), "on", None),
    "thread_selection": (("logical", "physical"), "logical", None),
    "value_extrapolation": (("off", "on"), "off", None),
}

WHY_NOTHING = {
    "launch_blocking": "a fault is reported with its kernel and launch anyway",
    "software_preemption": "the debugger needs no GPU of its own, so nothing is preempted",
    "memcheck": "compile with cdpcc --check=memory, which finds more",
}


class Setting(gdb.Parameter):
    def __init__(self, name, choices, default, meaning):
        self.set_doc = self.show_doc = meaning or f"{name}: accepted as by cuda-gdb, without an effect"
        self.name, self.meaning = name, meaning
        super().__init__(f"cuda {name}", gdb.COMMAND_RUNNING, gdb.PARAM_ENUM, choices)
        self.value = self.last = default

    def get_set_string(self):
        if self.meaning is None and self.value != self.last:
            why = WHY_NOTHING.get(self.name, "it concerns GPUs only")
            print(f"cuda {self.name} has no effect: {why}.")
        self.last = self.value
        for listener in listeners.get(self.name, ()):
            listener(self.value)
        return ""

    def get_show_string(self, value):
        return f"{self.meaning or self.name} is '{value}'."


settings, listeners = {}, {}


def get(name):
    return settings[name].value


def on_change(name, function):
    listeners.setdefault(name, []).append(function)


class Prefix(gdb.Command):
    def __init__(self, name, doc):
        self.__doc__ = doc
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError(f'Undefined {self.__doc__.split()[0].lower()} cuda command: "{argument}".')
        gdb.execute(f"help {self.__doc__.split()[0].lower()} cuda")


class Show(Prefix):
    def invoke(self, argument, from_tty):
        if argument:
            super().invoke(argument, from_tty)
        for name, setting in sorted(settings.items()):
            print(f"cuda {name}:  {setting.get_show_string(setting.value)}")


def set_up():
    Prefix("set cuda", "Set variables of cuda-gdb.")
    Show("show cuda", "Show variables of cuda-gdb.")
    for name, (choices, default, meaning) in SETTINGS.items():
        settings[name] = Setting(name, choices, default, meaning)
