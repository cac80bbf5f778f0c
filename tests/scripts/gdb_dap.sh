#!/usr/bin/env bash
# cdp-gdb as a debug adapter: gdb 14 and later have a server, which a script drives as an editor would.
# With an older gdb, a stand-in for the server shows what it is told.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v gdb >/dev/null || { echo "gdb is not installed" >&2; exit 2; }
cd "$work" || exit 2
export CDP_WORKERS=1 PYTHONPATH=$top/tests/support PYTHONDONTWRITEBYTECODE=1
debugger=("$(dirname "$CDPCC")/cdp-gdb" -q -nx -iex 'set debuginfod enabled off')

cat >dbg.cu <<'CU'
__global__ void child(int *out, int base)
{
    int mine = base + threadIdx.x;
    out[threadIdx.x] = mine;
    __syncthreads();
    out[64 + threadIdx.x] = out[63 - threadIdx.x];
}
__global__ void parent(int *out)
{
    if (threadIdx.x == 0) {
        child<<<1, 64>>>(out, 10);
    }
}
int main()
{
    int *out;
    cudaMallocManaged(&out, 1000 * sizeof(int));
    parent<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
CU
"$CDPCC" -g -G -rdc=true dbg.cu -o dbg || exit 1

cat >editor.py <<'PY'
import os, sys
from protocol import Adapter
adapter = Adapter([*sys.argv[1:], "--interpreter=dap"])
call, wait = adapter.call, adapter.wait
source, thread, stack = os.path.abspath("dbg.cu"), None, []
def stop(reason, line):
    global thread, stack
    event = wait("stopped")
    thread = event["threadId"]
    stack = call("stackTrace", threadId=thread)["stackFrames"]
    seen = (event["reason"], stack[0]["line"] if stack else None)
    assert seen == (reason, line), (event, stack)
    return event
def repl(command):
    return call("evaluate", expression=command, context="repl", frameId=stack[0]["id"])["result"]
def variable(name):
    for scope in call("scopes", frameId=stack[0]["id"])["scopes"]:
        for found in call("variables", variablesReference=scope["variablesReference"])["variables"]:
            if found["name"] == name:
                return found["value"]
def console():
    return "".join(e["body"]["output"] for e in adapter.events if e["event"] == "output" and e["body"]["category"] == "console")
call("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
wait("initialized")
adapter.send("launch", program=os.path.abspath("dbg"))
call("setBreakpoints", source={"path": source}, breakpoints=[{"line": 6, "condition": "threadIdx.x == 3"}])
call("configurationDone")
stop("breakpoint", 6)
assert "thread (3,0,0)" in console(), console()
names = [frame["name"] for frame in stack]
assert names == ["child<<<(1,1,1),(64,1,1)>>>", "[launched by parent<<<(1,1,1),(32,1,1)>>> block (0,0,0)]", "[launched by the host]"], names
assert [frame["line"] for frame in stack] == [6, 11, 18] and variable("mine") == "13", stack
assert "waits for its turn" in repl("info cuda threads")
# The focus moves: the editor is told.
assert "thread (5,0,0)" in repl("cuda thread 5")
assert "thread (5,0,0)" in stop("goto", 5)["description"]
assert variable("mine") == "15"
call("setBreakpoints", source={"path": source}, breakpoints=[])
adapter.events.clear()
for line in (6, 7):
    call("next", threadId=thread)
    stop("step", line)
    assert repl("cuda thread") == "thread (5,0,0)\n" and variable("mine") == "15"
assert not any(e["event"] in ("stopped", "breakpoint") and e["body"].get("breakpoint", {}).get("id", -1) < 0
               for e in adapter.events), adapter.events
call("next", threadId=thread)
stop("stopped", None)
assert "[CUDA thread (5,0,0) of block (0,0,0) of child has ended]" in console(), console()
# What cannot step still says so.
call("next", threadId=thread)
assert "choose another one" in stop("step", None)["description"]
adapter.send("evaluate", expression="cdp-who-wrote out[0]", context="repl")
while (answer := adapter.read_event()).get("request_seq") != adapter.number:
    pass
assert "ends the session" in answer["message"], answer
call("continue", threadId=thread)
assert wait("exited") == {"exitCode": 0}
call("disconnect", terminateDebuggee=True)
PY
editor() {
    limit 60 python3 editor.py "${debugger[@]}"
}

cat >stand_in.py <<'PY'
import sys, types
def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)
def handler(registry, text):
    def told(event):
        print("TOLD", text, getattr(event, "number", ""))
    registry.connect(told)
    return told
events = gdb.events
module("gdb.dap")
module("gdb.dap.server", send_event=lambda name, body: print("EVENT", name, body))
module("gdb.dap.frames", _clear_frame_ids=lambda event: print("CLEARED"))
module("gdb.dap.scopes", clear_scopes=lambda event: None)
module("gdb.dap.varref", clear_vars=lambda event: None)
module("gdb.dap.events", _on_stop=handler(events.stop, "stop"))
module("gdb.dap.breakpoint", _bp_created=handler(events.breakpoint_created, "breakpoint"),
       _bp_modified=handler(events.breakpoint_modified, "changed"), _bp_deleted=handler(events.breakpoint_deleted, "removed"))
PY
stand_in() {
    local frames='for frame in gdb.frames.execute_frame_filters(gdb.newest_frame(), 0, -1): print("FRAME", frame.function(), hex(frame.address()))'
    limit 60 "${debugger[@]}" -batch -iex 'source stand_in.py' -ex 'break dbg.cu:6 if threadIdx.x == 3' -ex run \
        -ex "python import gdb.frames
$frames" -ex delete -ex 'cuda thread 5' -ex 'echo STEP\n' -ex next -ex 'echo STEPPED\n' -ex next -ex next -ex next \
        -ex 'cdp-who-wrote out[0]' -ex kill ./dbg >out 2>&1
    sed -n '/^STEP$/,/^STEPPED$/p' out >step
    says out '^FRAME child<<<' '^FRAME \[launched by parent.* 0x' '^FRAME \[launched by the host\] 0x' '^CLEARED$' \
        "^EVENT stopped .*'goto', 'description': 'Focus on CUDA .*thread \(5,0,0\)" "^EVENT output .*thread \(5,0,0\).* has ended" \
        "^EVENT stopped .*'step', 'description': 'The CUDA thread has ended" '^cdp-who-wrote runs the program again, which ends' &&
        ! grep -E '^TOLD [a-z]+ -' out && says step '^6' && [ "$(grep -c '^TOLD stop' step)" = 1 ]
}

check "what gdb's server is told" stand_in
if gdb -nx -batch -ex 'python import gdb.dap' 2>&1 | grep -q Error; then
    echo "left out: $(gdb --version | sed 1q) has no server for editors; gdb 14 has"
else
    check "an editor: breakpoints, the focus, steps, launches" editor
fi
finish
