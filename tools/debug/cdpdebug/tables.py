"""The command `info cuda`: tables with the columns of cuda-gdb."""
from . import coordinates, debugger, records

FILTERS = ("kernel", "grid", "block", "thread", "device")


def table(heading, rows, is_right=()):
    """Columns as wide as needed. A row: (whether it is in focus, cells)."""
    rows = [(mark, [str(cell) for cell in cells]) for mark, cells in rows]
    widths = [max([len(name)] + [len(cells[i]) for _, cells in rows]) for i, name in enumerate(heading)]

    def line(mark, cells):
        padded = [cell.ljust(width) if i == len(widths) - 1 else cell.rjust(width)
                  for i, (cell, width) in enumerate(zip(cells, widths))]
        return f"{'*' if mark else ' '} {' '.join(padded)}".rstrip()

    print(line(False, list(heading)))
    for mark, cells in rows:
        print(line(mark, cells))


def parse_filter(text):
    if not text:
        return {}
    try:
        found = coordinates.parse(text)
    except debugger.Error:
        raise debugger.Error(f"Incorrect filter: '{text}'.") from None
    for word, numbers in found:
        if word not in FILTERS or numbers is None:
            raise debugger.Error(f"Incorrect filter: '{text}'.")
    return dict(found)


def wanted_grids(wanted):
    """The grids that the filter names; without one, that in focus."""
    snapshot = records.snapshot()
    grids = snapshot.kernels()
    if "device" in wanted:
        grids = [g for g in grids if g.device == wanted["device"][0]]
    number = wanted.get("kernel", wanted.get("grid"))
    if number is not None:
        return [g for g in grids if g.number == number[0]]
    here = debugger.current_thread()
    if here is not None and "device" not in wanted:
        return [here.block.grid]
    return grids


def status(grid):
    return "Active" if records.snapshot().is_active(grid) else "Sleeping"


def kernels(wanted):
    snapshot, here = records.snapshot(), debugger.current_thread()
    grids = snapshot.kernels()
    if "device" in wanted:
        grids = [g for g in grids if g.device == wanted["device"][0]]
    if "kernel" in wanted or "grid" in wanted:
        grids = wanted_grids(wanted)
    if not grids:
        print("No CUDA kernels.")
        return
    rows = []
    for grid in grids:
        parent = snapshot.parent(grid)
        blocks = len([b for b in snapshot.blocks_of(grid) if b.threads])
        rows.append((here is not None and here.block.grid is grid,
                     (grid.number, "-" if parent is None else parent.number, grid.device, grid.number,
                      status(grid), blocks, records.triple(grid.dim), records.triple(grid.block_dim),
                      records.Place(grid.site) if grid.site else "?", f"{grid.name}()")))
    table(("Kernel", "Parent", "Dev", "Grid", "Status", "Blocks", "GridDim", "BlockDim", "Launched at",
           "Invocation"), rows)


def place_of(thread):
    """Where the thread is in the program's code."""
    return debugger.place_of(thread) if thread.is_running else records.Place(thread.site)


def all_blocks(wanted):
    snapshot = records.snapshot()
    for grid in wanted_grids(wanted):
        for block in snapshot.blocks_of(grid):
            if "block" not in wanted or block.index == coordinates.whole(wanted["block"]):
                yield block


def by_kernel(items, key):
    """Consecutive items of one grid."""
    groups = []
    for item in items:
        if not groups or groups[-1][0] is not key(item):
            groups.append((key(item), []))
        groups[-1][1].append(item)
    return groups


def blocks(wanted):
    found = list(all_blocks(wanted))
    if not found:
        print("No CUDA blocks.")
        return
    here = debugger.current_thread()
    for grid, members in by_kernel(found, lambda b: b.grid):
        rows, last = [], None
        for block in members:
            state = block_state(block)
            if last is not None and last[1].number + 1 == block.number and last[3] == state:
                last[1], last[2] = block, last[2] + 1
            else:
                last = [block, block, 1, state]
                rows.append(last)
            if here is not None and here.block is block:
                last.append(True)
        print(f"Kernel {grid.number}")
        table(("BlockIdx", "To BlockIdx", "Count", "State"),
              [(len(row) > 4, (records.triple(row[0].index), records.triple(row[1].index), row[2], row[3]))
               for row in rows])
        missing = grid.dim[0] * grid.dim[1] * grid.dim[2] - len(members)
        if missing and "block" not in wanted:
            print(f"  {missing} more have not started, or have ended")


def block_state(block):
    if not block.threads:
        return f"waits for {block.children} grids that it launched" if block.children else "has ended"
    return "running" if any(t.is_running for t in block.threads.values()) else "waiting"


def ranges(block):
    """Threads that follow each other and have the same state and place: [first, last, state, place]."""
    found = []
    places = {}
    for linear in range(block.count):
        thread = block.threads.get(linear if not block.is_whole else 0)
        state, place = block.state_of(linear), None
        if thread is not None:
            key = thread.fiber if thread.is_running else thread.site
            if key not in places:
                places[key] = place_of(thread)
            place = places[key]
        if found and found[-1][2] == state and str(found[-1][3]) == str(place):
            found[-1][1] = linear
        else:
            found.append([linear, linear, state, place])
    return found


def threads(wanted):
    found = [b for b in all_blocks(wanted) if b.threads]
    if not found:
        print("No CUDA threads.")
        return
    here = debugger.current_thread()
    for grid, members in by_kernel(found, lambda b: b.grid):
        rows = []
        for block in members:
            for first, last, state, place in ranges(block):
                if "thread" in wanted and not first <= records.join(coordinates.whole(wanted["thread"]), block.dim) <= last:
                    continue
                mark = here is not None and here.block is block and (
                    block.is_whole or first <= here.linear <= last)
                whole = first == 0 and last == block.count - 1
                before = rows[-1] if rows else None
                if whole and before is not None and before["whole"] and before["state"] == state and \
                        before["place"] == str(place) and before["to"].number + 1 == block.number:
                    before["to"], before["mark"] = block, before["mark"] or mark
                    before["count"] += block.count
                    continue
                rows.append({"from": block, "first": first, "to": block, "last": last, "whole": whole,
                             "state": state, "place": str(place), "at": place, "mark": mark,
                             "count": last - first + 1})
        print(f"Kernel {grid.number}")
        table(("BlockIdx", "ThreadIdx", "To BlockIdx", "ThreadIdx", "Count", "PC", "Filename", "Line", "State"),
              [(row["mark"], (records.triple(row["from"].index), index_text(row["from"], row["first"]),
                              records.triple(row["to"].index), index_text(row["to"], row["last"]), row["count"],
                              f"{row['at'].pc:#018x}" if row["at"] else "-", row["at"].file if row["at"] else "-",
                              row["at"].line if row["at"] else "-", row["state"])) for row in rows])


def index_text(block, linear):
    return records.triple(records.split(linear, block.dim))


def focus_block():
    here = debugger.current_thread()
    if here is None:
        raise debugger.Error(coordinates.NO_FOCUS)
    return here, here.block


def warps(_wanted):
    here, block = focus_block()
    rows = []
    for first in range(0, block.count, records.WARP):
        lanes = range(first, min(first + records.WARP, block.count))
        active = [l for l in lanes if l in block.threads or block.is_whole]
        if not active:
            continue
        running = {l for l in active if block.is_whole or block.threads[l].is_running}
        state = {block.state_of(l) for l in active}
        mask = sum(1 << (l - first) for l in active)
        thread = block.threads.get(active[0], here)
        rows.append((not block.is_whole and first <= here.linear < first + records.WARP,
                     (first // records.WARP, f"{mask:#010x}", len(running), index_text(block, active[0]),
                      place_of(thread), ", ".join(sorted(state)))))
    print(f"Kernel {block.grid.number} Block {records.triple(block.index)}")
    table(("Wp", "Active Lanes Mask", "Running", "First Active ThreadIdx", "At", "State"), rows)


def lanes(_wanted):
    here, block = focus_block()
    linear = records.join(coordinates.current_index(here), block.dim)
    first = linear // records.WARP * records.WARP
    rows = []
    for lane in range(first, min(first + records.WARP, block.count)):
        thread = block.threads.get(0 if block.is_whole else lane)
        rows.append((lane == linear, (lane - first, "active" if thread is not None else "inactive",
                                      index_text(block, lane), place_of(thread) if thread is not None else "-",
                                      block.state_of(lane))))
    print(f"Kernel {block.grid.number} Block {records.triple(block.index)} Warp {linear // records.WARP}")
    table(("Ln", "State", "ThreadIdx", "At", "Doing"), rows)


def launch_trace(wanted):
    snapshot, here = records.snapshot(), debugger.current_thread()
    grids = wanted_grids(wanted)
    if not grids or (here is None and not wanted):
        print("No CUDA kernels.")
        return
    grid, rows = grids[0], []
    while grid is not None:
        rows.append((not rows, (f"#{len(rows)}", grid.number, grid.device, grid.number, status(grid),
                                records.triple(grid.dim), records.triple(grid.block_dim),
                                records.Place(grid.site) if grid.site else "?", f"{grid.name}()")))
        grid = snapshot.parent(grid)
    table(("Lvl", "Kernel", "Dev", "Grid", "Status", "GridDim", "BlockDim", "Launched at", "Invocation"), rows)


def launch_children(wanted):
    snapshot = records.snapshot()
    grids = wanted_grids(wanted)
    if not grids:
        print("No CUDA kernels.")
        return
    for grid in grids:
        children = [g for g in snapshot.kernels() if snapshot.parent(g) is grid]
        pending = sum(b.children for b in snapshot.blocks_of(grid)) - len(children)
        if children:
            table(("Kernel", "Dev", "Grid", "Status", "GridDim", "BlockDim", "Launched at", "Invocation"),
                  [(False, (g.number, g.device, g.number, status(g), records.triple(g.dim),
                            records.triple(g.block_dim), records.Place(g.site), f"{g.name}()")) for g in children])
        if pending > 0:
            print(f"  {pending} more are pending")
        elif not children:
            print("No CUDA kernels.")


def modules():
    state = debugger.runtime()
    if state is None:
        return
    module = state["registry"]["modules"]
    while int(module):
        yield module["tables"]
        module = module["next"]


def managed(_wanted):
    print("Static managed variables on device 0 are:")
    for tables in modules():
        entry, end = tables["variables"], int(tables["variables_end"])
        while int(entry) < end:
            if int(entry["flags"]) & 2:  # CDP_VARIABLE_MANAGED
                name = debugger.demangle(entry["name"].string())
                value = debugger.variable_text(name)
                print(f"  {name} = {value}" if value is not None else
                      f"  {name} at {int(entry['address']):#x}, {int(entry['size'])} bytes")
            entry = entry + 1


def devices(_wanted):
    state = debugger.runtime()
    if state is None:
        print("The program is not being run.")
        return
    here = debugger.current_thread()
    workers = int(state["engine"]["worker_count"])
    rows = []
    for number in range(int(state["device_count"])):
        profile = state["devices"][number]["profile"]
        name = profile["name"].string() if int(profile["name"]) else "this machine"
        sms = int(profile["multiprocessors"]) or workers
        grids = [g for g in records.snapshot().grids.values() if g.device == number]
        rows.append((here is not None and here.block.grid.device == number,
                     (number, name, sms, workers, 64, 32, len(grids))))
    table(("Dev", "Name", "SMs", "Workers", "Warps/SM", "Lanes/Warp", "Kernels"), rows)


KINDS = {
    "kernels": (kernels, "information about all the active kernels"),
    "grids": (kernels, "the same"),
    "blocks": (blocks, "information about all the active blocks in the current kernel"),
    "threads": (threads, "information about all the active threads in the current kernel"),
    "warps": (warps, "information about all the warps in the current block"),
    "lanes": (lanes, "information about all the lanes in the current warp"),
    "launch trace": (launch_trace, "information about the parent kernels of the kernel in focus"),
    "launch children": (launch_children, "information about the kernels launched by the kernels in focus"),
    "managed": (managed, "information about global managed variables"),
    "devices": (devices, "information about all the devices"),
}


HELP = "Print informations about the current CUDA activities. Available options:\n" + "\n".join(
    f"{name:>16} : {text}" for name, (_, text) in KINDS.items()) + (
        "\nFilters follow: info cuda threads kernel 2 block 1,0,0")


def show(argument):
    """The command itself."""
    words = argument.split()
    count = 2 if words[:1] == ["launch"] else 1
    name = " ".join(words[:count])
    if not name:
        raise debugger.Error("Missing option.")
    if name not in KINDS:
        raise debugger.Error(f"Unrecognized option: '{name}'.")
    KINDS[name][0](parse_filter(" ".join(words[count:])))
