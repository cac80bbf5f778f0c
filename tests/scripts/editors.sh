#!/usr/bin/env bash
# cdpcc --init: clangd understands the examples; VS Code's files name tools that exist; a debug adapter
# stops in kernels.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
clangd=$(command -v clangd-22) || { echo "clangd-22 is not installed" >&2; exit 2; }
mkdir "$work/project" && cp -r "$top"/examples/*.cu "$top"/examples/check.h "$work/project" && cd "$work/project" || exit 2

export PYTHONPATH=$top/tests/support PYTHONDONTWRITEBYTECODE=1
cat >"$work/clangd.py" <<'PY'
import glob, os, sys
from protocol import Server
server = Server([sys.argv[1], "--background-index=false", "-j=2"])
number, diagnostics = 0, {}
def read():
    message = server.read()
    if message.get("method") == "textDocument/publishDiagnostics":
        diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
    return message
def send(method, **params):
    server.write({"jsonrpc": "2.0", "method": method, "params": params})
def call(method, **params):
    global number
    number += 1
    server.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    while True:
        message = read()
        if message.get("id") == number and "method" not in message:
            return message["result"]
root = os.getcwd()
call("initialize", processId=None, rootUri="file://" + root, capabilities={})
send("initialized")
def open_text(path, text):
    uri = "file://" + path
    send("textDocument/didOpen", textDocument={"uri": uri, "languageId": "cuda", "version": 1, "text": text})
    while uri not in diagnostics:
        read()
    return [d for d in diagnostics[uri] if d.get("severity", 1) <= 2]
failed = False
for path in sorted(glob.glob("*.cu")):
    found = open_text(os.path.join(root, path), open(path).read())
    for d in found:
        print(f"{path}:{d['range']['start']['line'] + 1}: {d['message']}")
        failed = True
text = """__global__ void k(int *p)
{
    p[threadIdx.x] = 1 + thre;
    cudaDeviceSy;
    k<<<1, 1>>>(blockI);
}
int main()
{
    cudaMemcpyAs;
    undeclared(1);
}
"""
path = os.path.join(root, "new.cu")
found = open_text(path, text)
assert any("undeclared" in d["message"] for d in found), found
def complete(after):
    at = text.index(after) + len(after)
    line = text[:at].count("\n")
    result = call("textDocument/completion", textDocument={"uri": "file://" + path},
                  position={"line": line, "character": at - text[:at].rfind("\n") - 1})
    return [item["label"].strip(" \u2022") for item in result["items"]]
for after, wanted in (("1 + thre", "threadIdx"), ("threadIdx.", "x"), ("cudaDeviceSy", "cudaDeviceSynchronize()"),
                      ("(blockI", "blockIdx"), ("cudaMemcpyAs", "cudaMemcpyAsync")):
    labels = complete(after)
    if not any(label == wanted or label.startswith(wanted + "(") for label in labels):
        print(f"after {after}: no {wanted} in {labels[:10]}")
        failed = True
sys.exit(failed)
PY
editor() {
    "$CDPCC" --init clangd >out && [ "$(cat out)" = "wrote .clangd" ] && limit 100 python3 "$work/clangd.py" "$clangd"
}
check "clangd: no false error in any example; completion" editor
exists() {
    ! "$CDPCC" --init clangd 2>err && says err '^cdpcc: error: --init: \.clangd exists already' &&
        ! "$CDPCC" --init emacs 2>err && says err "'emacs' is not a value of option '--init'; it takes clangd or vscode"
}
check "a file that exists is kept" exists
options() {
    mkdir sub && cd sub && mkdir own && echo 'constexpr auto text = u8"a";' >own/mine.h &&
        printf '#include "mine.h"\nint main() { return sizeof(*text) - sizeof(char) + WANTED; }\n' >a.cu &&
        "$CDPCC" --init clangd -Iown -DWANTED=0 -std=c++20 >/dev/null && "$clangd" --check=a.cu >log 2>&1 &&
        says log 'All checks completed, 0 errors'
    local status=$?
    cd ..
    return $status
}
check "options beside --init" options
vscode() {
    "$CDPCC" --init vscode >out && grep -q 'wrote .vscode/launch.json' out && python3 - <<'PY'
import json, os, subprocess
tasks = json.load(open(".vscode/tasks.json"))["tasks"]
variables = {"${file}": os.path.abspath("vector_add.cu"), "${fileDirname}": os.getcwd(),
             "${fileBasenameNoExtension}": "vector_add"}
def fill(text):
    for name, value in variables.items():
        text = text.replace(name, value)
    return text
for task in reversed(tasks):
    subprocess.run([task["command"], *map(fill, task["args"])], check=True)
launch = json.load(open(".vscode/launch.json"))["configurations"]
assert [c["type"] for c in launch] == ["cppdbg", "lldb-dap"]
assert all(fill(c["program"]) == os.path.abspath("vector_add") for c in launch)
assert {c["preLaunchTask"] for c in launch} == {tasks[0]["label"]}
# What the extension does with cppdbg: gdb's machine interface.
gdb = subprocess.run([launch[0]["miDebuggerPath"], "--interpreter=mi", "-nx", "./vector_add"], text=True, capture_output=True,
                     input="-break-insert vector_add.cu:13\n-exec-run\n-gdb-exit\n", timeout=100)
assert "^done,bkpt=" in gdb.stdout and "^running" in gdb.stdout, gdb.stdout
PY
}
check "VS Code's tasks build, its debugger starts" vscode
cat >"$work/dap.py" <<'PY'
import json, os, sys
from protocol import Adapter
adapter = Adapter([sys.argv[1]])
call, wait = adapter.call, adapter.wait
launch = json.load(open(".vscode/launch.json"))["configurations"][1]
call("initialize", adapterID="lldb-dap", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
adapter.send("launch", program=os.path.abspath("dbg"), env=["CDP_WORKERS=1"], initCommands=launch["initCommands"])
wait("initialized")
call("setBreakpoints", source={"path": os.path.abspath("dbg.cu")}, breakpoints=[{"line": 4}])
call("configurationDone")
stop = wait("stopped")
assert stop["reason"] == "breakpoint", stop
frames = call("stackTrace", threadId=stop["threadId"])["stackFrames"]
assert frames[0]["line"] == 4 and frames[0]["source"]["name"] == "dbg.cu" and "kernel" in frames[0]["name"], frames[0]
scopes = call("scopes", frameId=frames[0]["id"])["scopes"]
names = {}
for scope in scopes:
    for variable in call("variables", variablesReference=scope["variablesReference"])["variables"]:
        names.setdefault(variable["name"], variable["value"])
assert names.get("mine") == "10", names
# The commands of cuda-gdb in the console.
answer = call("evaluate", expression="info cuda threads", context="repl", frameId=frames[0]["id"])["result"]
assert "running" in answer and "dbg.cu" in answer, answer
assert not any("loop.c" in frame.get("source", {}).get("name", "") and frame.get("presentationHint") != "subtle"
               for frame in frames), frames
call("disconnect", terminateDebuggee=True)
PY
adapter() {
    cat >dbg.cu <<'CU'
__global__ void kernel(int *p)
{
    int mine = 10;
    p[threadIdx.x] = mine + threadIdx.x;
}
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    kernel<<<2, 64>>>(p);
    return cudaDeviceSynchronize();
}
CU
    "$CDPCC" -g -G dbg.cu -o dbg && limit 100 python3 "$work/dap.py" "$(command -v lldb-dap-22 || echo /usr/lib/llvm-22/bin/lldb-dap)"
}
check "lldb-dap stops in a kernel, shows its variables; the commands of cuda-gdb" adapter
finish
