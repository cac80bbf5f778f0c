#!/usr/bin/env bash
# The package in python/: %%cuda and %cdp_report in notebooks, which Debian's Jupyter executes.
# CDP_TEST_PYTHON: another python3, with ipykernel and nbclient.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
needed='import ipykernel, nbclient'
python=$(for p in ${CDP_TEST_PYTHON:-/usr/bin/python3 python3}; do $p -c "$needed" 2>/dev/null && echo $p && break; done)
if [ -z "$python" ]; then
    echo "left out: no python3 has ipykernel and nbclient (Debian: python3-ipykernel, python3-nbclient)"
    echo "0 passed, 0 failed"
    exit 0
fi
cd "$work" || exit 2
unset CDP_TIMEOUT CDP_CHECK CDP_CHECK_EXIT CDP_ERROR_EXIT
export CDPCC PYTHONPATH=$top/python PYTHONDONTWRITEBYTECODE=1 HOME=$work IPYTHONDIR=$work/ipython TMPDIR=$work JUPYTER_PLATFORM_DIRS=1
# debugpy, which ipykernel imports, complains otherwise.
export PYDEVD_DISABLE_FILE_VALIDATION=1

# cells(CELL, ...) executes a notebook with these cells after %load_ext, and returns what each shows.
cat >notebook.py <<'PY'
import nbclient, nbformat

class Shown:
    def __init__(self, cell):
        def streams(name):
            return "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == name)
        self.out, self.err = streams("stdout"), streams("stderr")
        self.html = "".join(o.data.get("text/html", "") for o in cell.outputs if "data" in o)
        self.failed = [o for o in cell.outputs if o.output_type == "error"]
        # A frontend shows only the traceback.
        self.error = "\n".join("\n".join(o.traceback) for o in self.failed)

    def __repr__(self):
        return repr(vars(self))

def execute(notebook, **options):
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", **options).execute()
    return [Shown(cell) for cell in notebook.cells if cell.cell_type == "code"]

def cells(*sources):
    sources = ("%load_ext cdpcc", *sources)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    first, *others = execute(notebook, allow_errors=True)
    assert not first.error, first
    return others
PY
in_notebook() { limit 60 "$python" -; }

runs() {
    in_notebook <<'PY'
from notebook import cells
hello = r"""#include <cstdio>
__global__ void hello() { printf("thread %d\n", threadIdx.x); }
int main(int n, char **words)
{
    for (int i = 1; i < n; i++)
        printf("[%s]", words[i]);
    hello<<<1, 2>>>();
    fprintf(stderr, "to stderr, %d\n", getchar());
    return cudaDeviceSynchronize();
}
"""
plain, words, code, signal, later, wish, variable = cells("%%cuda\n" + hello, "%%cuda -O1 -- one 'two words' --\n" + hello,
    "%%cuda\nint main() { return 3; }", "%%cuda\n#include <cstdlib>\nint main() { abort(); }", "print(6 * 7)",
    "%env WISH=granted", "%%cuda\n#include <cstdio>\n#include <cstdlib>\nint main() { puts(getenv(\"WISH\")); }")
assert variable.out == "granted\n", variable
assert plain.out == "thread 0\nthread 1\n" and plain.err == "to stderr, -1\n" and not plain.failed, plain
assert words.out.startswith("[one][two words][--]thread 0"), words
assert code.error == "the program ended with exit status 3", code
assert signal.error == "the program was ended by signal 6 (Aborted)", signal
assert later.out == "42\n", later
PY
}
check "a cell is compiled and runs, and shows both streams and the exit status" runs

messages() {
    in_notebook <<'PY'
from notebook import cells
race = r"""__global__ void reverse(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    int *a;
    cudaMalloc(&a, 256);
    cudaMemset(a, 0, 256);
    reverse<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
"""
wrong, warns, found, lab, fault, link = cells("%%cuda\nint main()\n{\n    return x;\n}", "%%cuda -Wunused-variable\nint main()\n{\n    int x;\n}",
    "%%cuda --check\n" + race, "%%cuda --lab\n" + race, "%%cuda\n__global__ void k(int *a)\n{\n    *a = 1;\n}\nint main()\n{\n    k<<<1, 1>>>(nullptr);\n    return cudaDeviceSynchronize();\n}",
    "%%cuda\n// no main")
assert "cell line 4, column 12: error: use of undeclared identifier 'x'\n    4 |     return x;\n" in wrong.err, wrong
assert wrong.error == "the cell does not compile", wrong
assert "cell line 4, column 9: warning" in warns.err and not warns.failed, warns
assert "cdp: race: " in found.err and "  --> cell line 6, column 22, in kernel reverse" in found.err and not found.failed, found
assert "     6 |     a[threadIdx.x] = s[63 - threadIdx.x];\n" in found.err and "by the host at cell line 13" in found.err, found
assert "cdp-gdb" not in found.err and "cell.cu" not in found.err and "cdpcc-" not in found.err, found
assert "cdp: race: " in lab.err and lab.error == "the program ended with exit status 1", lab
assert "cudaErrorIllegalAddress" in fault.err and "cell line 4" in fault.err and fault.error.endswith("exit status 188"), fault
assert "undefined" in link.err and link.error == "the cell does not compile", link
PY
}
check "messages of the compiler and of checks name lines of the cell" messages

ends() {
    in_notebook <<'PY'
import time
from notebook import cells
start = time.monotonic()
endless, launch, children, much = cells("%%cuda --timeout=2\n#include <csignal>\nint main() { signal(SIGTERM, SIG_IGN); for (;;) ; }",
    "%%cuda --timeout 2\n__global__ void k(volatile int *a)\n{\n    while (*a == 0)\n        ;\n}\nint main()\n{\n    int *a;\n"
    "    cudaMalloc(&a, 4);\n    cudaMemset(a, 0, 4);\n    k<<<1, 1>>>(a);\n    return cudaDeviceSynchronize();\n}",
    "%%cuda\n#include <unistd.h>\n#include <cstdio>\nint main() { if (fork() == 0) { sleep(1000); } puts(\"parent\"); }",
    "%%cuda\n#include <cstdio>\nint main() { for (int i = 0; i < 3000000; i++) puts(\"0123456789\"); }")
assert endless.error == "the program was ended after 2 seconds (--timeout)", endless
assert "no launch has completed for 1 s" in launch.err and "cell line 4" in launch.err and "cudaErrorLaunchTimeout" in launch.err, launch
assert children.out == "parent\n" and not children.failed, children
assert 1000000 <= len(much.out) < 1000100 and much.out.endswith("[the program prints more, which is left out]\n"), (len(much.out), much.out[-100:])
PY
    ! pgrep -f "$work/cdpcc-" || { echo "programs are left"; return 1; }
}
check "programs end at their time limit, and what they started with them" ends

# A kernel with a program that never ends by itself; its number.
cat >endless.py <<'PY'
import os, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
def until(condition):
    while True:
        message = client.get_iopub_msg(timeout=120)
        if condition(message["msg_type"], message["content"]):
            return message["content"]
def start(seconds):
    client.execute("%load_ext cdpcc")
    until(lambda kind, content: content.get("execution_state") == "idle")
    client.execute(f'%%cuda --timeout {seconds}\n#include <cstdio>\n#include <unistd.h>\nint main() {{ printf("%d\\n", getpid()); fflush(stdout); for (;;) ; }}')
    return int(until(lambda kind, content: kind == "stream")["text"])
def ends(number):
    end = time.monotonic() + 60
    while os.path.exists(f"/proc/{number}") and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{number}"), "the program still runs"
PY
interrupted() {
    in_notebook <<'PY'
from endless import *
number = start(100)
manager.interrupt_kernel()
error = until(lambda kind, content: kind == "error")
assert error["traceback"] == ["interrupted"], error
ends(number)
client.stop_channels()
manager.shutdown_kernel()
PY
}
check "an interrupted kernel ends the program" interrupted
killed() {
    in_notebook <<'PY'
from endless import *
number = start(4)
client.stop_channels()
manager.shutdown_kernel(now=True)
ends(number)
PY
    rm -rf "$work"/cdpcc-*
}
check "the program of a killed kernel ends at its time limit" killed

files() {
    in_notebook <<'PY'
import os
from notebook import cells
os.makedirs("mine", exist_ok=True)
open("mine/local.h", "w").write("#define LOCAL 5\n")
header, program, user, other, both, slash, unknown, reserved, object_, kept, left = cells("%%cuda --name twice.cuh\n__device__ int twice(int x)\n{\n    return 2 * x + nothing;\n}",
    '%%cuda --name first.cu\n#include <cstdio>\n#include "mine/local.h"\nint main() { printf("first %d\\n", LOCAL); }',
    '%%cuda\n#include "twice.cuh"\n__global__ void k(int *a) { *a = twice(1); }\nint main() {}',
    '%%cuda --name second.cu\nint main() { return y; }', '%cdp_report --name first.cu',
    "%%cuda --name a/b.cu\nint a;", "%cdp_report --name second.cu", "%%cuda --name cell.cu\nint a;", "%%cuda -c\nint a;", "%%cuda -o kept\nint main() {}",
    "import tempfile, glob\nprint(len(glob.glob(tempfile.gettempdir() + '/cdpcc-*/first.cu')))")
assert not header.failed and not header.err, header
assert program.out == "first 5\n", program
assert "twice.cuh:4:20: error" in user.err and "cdpcc-" not in user.err, user
assert "second.cu:2:21: error" in other.err, other
assert both.out == "first 5\n" and "a run of first" in both.html, (both.out, both.err)
assert "must be a file name without a folder" in slash.err, slash
assert "no cell made a program of second.cu" in unknown.err, unknown
assert "cells without a name are called so" in reserved.err, reserved
assert "no program was made, so nothing runs" in object_.err and not object_.failed, object_
assert os.access("kept", os.X_OK), kept
assert left.out == "1\n", left
PY
    [ -z "$(find "$work" -maxdepth 1 -name 'cdpcc-*')" ] || { echo "a folder is left"; return 1; }
}
check "files of cells with names, and options" files

cat >tree.cu <<'CU'
%%cuda --check
__global__ void leaf(int *a) { a[blockIdx.x] = 1; }
__global__ void root(int *a, int n) { leaf<<<n, 1>>>(a); }
int main(int count, char **words)
{
    int *a;
    cudaMalloc(&a, 64);
    root<<<1, 1>>>(a, count == 1 ? 16 : 17);
    return cudaDeviceSynchronize();
}
CU
picture() {
    in_notebook <<'PY'
import html, re
from notebook import cells
none, first, wrong, after, good, page, block, failed, large = cells("%cdp_report", "%%cuda\nint main() {}", "%%cuda\nx", "%cdp_report", open("tree.cu").read(), "%cdp_report --height 333", "%cdp_report --block root",
    "%cdp_report -- more", "%cdp_report --height 0")
assert "there is no program yet" in none.err, none
assert "the last cell made no program" in after.err and wrong.failed, after
assert not good.failed, good
assert page.html.startswith("<iframe srcdoc=") and "height: 333px" in page.html and not page.failed, (page.html[:100], page.err)
inside = html.unescape(re.search('srcdoc="(.*?)"', page.html, re.S)[1])
assert '<base href="about:srcdoc">' in inside and "leaf" in inside, inside[:300]
assert not re.search(r"(src|href)=.?(https?:)?//", inside), re.findall(r"(?:src|href)=[^ ]*//[^ ]*", inside)
assert "beyond the end" not in inside and "page.html" not in page.err, page.err
assert '"steps"' in html.unescape(block.html), block.err
assert "beyond the end of an allocation" in html.unescape(failed.html) and "exit status 188" in failed.err and not failed.failed, failed.err
assert "must be a number greater than 0" in large.err, large
print(len(page.html), "bytes")
PY
}
check "%cdp_report shows the page, which needs no other file" picture

missing() { # each way to find cdpcc; a copy of the package has no tree around it
    mkdir -p alone/share/cdpcc/python && cp -r "$top/python/cdpcc" alone/share/cdpcc/python
    cat >missing.py <<'PY'
import os, subprocess, sys
from cdpcc import tools, words
def found():
    try:
        return str(tools.compiler())
    except words.Mistake as mistake:
        return str(mistake)
real = os.environ.pop("CDPCC")
os.environ["PATH"] = "/usr/bin:/bin"
assert found().startswith("cdpcc is not found"), found()
os.makedirs("alone/bin", exist_ok=True)
os.symlink(real, "alone/bin/cdpcc")
assert found() == os.path.abspath("alone/bin/cdpcc"), found()
os.environ["PATH"] += ":" + os.path.dirname(real)
assert found() == real, found()
os.environ["CDPCC"] = "/no/cdpcc"
assert found() == "CDPCC=/no/cdpcc: no such program", found()
PY
    PYTHONPATH=alone/share/cdpcc/python "$python" missing.py
}
check "cdpcc is found by CDPCC, by PATH, or near" missing

example() {
    in_notebook <<PY
import nbformat
from notebook import execute
notebook = nbformat.read("$top/examples/notebook.ipynb", 4)
assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells), "outputs were committed"
shown = execute(notebook)
assert any("race" in s.err for s in shown) and any(s.html for s in shown), shown
PY
}
check "examples/notebook.ipynb" example

version() {
    local product
    product=$("$CDPCC" --version | sed -nE '1s/^cdpcc ([0-9.]+):.*/\1/p')
    [ -n "$product" ] && [ "$("$python" -c 'import cdpcc; print(cdpcc.__version__)')" = "$product" ]
}
check "the version is that of cdpcc" version

# Without a network, as on a machine for exercises. The sources are not written to.
installs() {
    cp -r "$top/python" sources && "$python" -m venv --system-site-packages venv &&
        venv/bin/python -m pip install --no-index --no-build-isolation --quiet ./sources &&
        venv/bin/python -m ipykernel install --sys-prefix >/dev/null 2>&1 || return 1
    rm -r sources
    cat >installed.py <<'PY'
from notebook import cells
where, hello = cells("import cdpcc; print(cdpcc.__file__)", "%%cuda\n#include <cstdio>\nint main() { puts(\"hello\"); }")
assert "/venv/lib/" in where.out and hello.out == "hello\n", (where, hello)
PY
    PYTHONPATH=$work limit 60 venv/bin/python installed.py
}
if [ -z "${CDP_TEST_ALL:-}" ]; then
    echo "left out: the installation by pip (make check-all)"
elif "$python" -c 'import ensurepip, setuptools, wheel' 2>/dev/null; then
    check "pip installs the package from the tree, without a network" installs
else
    echo "left out: pip, setuptools or wheel is missing (Debian: python3-venv, python3-wheel)"
fi
finish
