#!/usr/bin/env bash
# cdp-report's page in a real browser: Chromium without a window, driven by tests/support/browser.py.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
report=$(dirname "$CDPCC")/cdp-report
if ! command -v chromium chromium-browser google-chrome >/dev/null; then
    echo "skipped: Chromium is not installed, so no page is opened; make check-all installs it"
    echo "0 passed, 0 failed"
    exit 0
fi
cd "$work" || exit 1

cat >mistakes.cu <<'CU'
#include <cstdio>
#include <cstdlib>
/* A comment of
   two lines */
__global__ void reverse(int *a)
{
    __shared__ int s[256]; // "not a string"
    int t = threadIdx.x;
    s[t] = a[t];
    a[t] = s[255 - t];
}
__global__ void over(int *a, int n) { a[n + threadIdx.x] = 1; }
__global__ void parent(int *a) { over<<<1, 4>>>(a, 254); }
int main(int count, char **)
{
    int *a;
    cudaMalloc(&a, 256 * sizeof *a);
    cudaMemset(a, 0, 1024);
    reverse<<<1, 256>>>(a);
    parent<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    if (count > 1) {
        fprintf(stderr, "</script><script>console.log('no')</script>\n");
        abort();
    }
}
CU
cat >many.cu <<'CU'
__global__ void leaf() {}
__global__ void middle() { for (int i = 0; i < 10; i++) leaf<<<1, 4>>>(); }
__global__ void many(int n) { for (int i = 0; i < n; i++) middle<<<1, 1>>>(); }
int main() { many<<<1, 1>>>(20000); return cudaDeviceSynchronize(); }
CU
cat >steps.cu <<'CU'
__global__ void wait()
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = 1;
    __syncwarp();
    s[threadIdx.x ^ 1] = 2;
}
int main() { wait<<<1, 64>>>(); return cudaDeviceSynchronize(); }
CU
cat >count.cu <<'CU'
__global__ void column(float *out, const float *in)
{
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void scatter(unsigned *out)
{
    if (threadIdx.x % 32 < 8) {
        atomicAdd(out, 1);
    }
    out[threadIdx.x * 8] = 1;
}
int main()
{
    float *p;
    cudaMalloc(&p, 16384);
    column<<<1, dim3(32, 32)>>>(p, p + 1024);
    scatter<<<1, 64>>>((unsigned *)p);
    return cudaDeviceSynchronize();
}
CU
# A file with more lines than are shown at first; each second launch is in the middle of it.
{
    echo '__global__ void leaf() {}' && for i in {2..400}; do echo "// line $i"; done
    echo 'int main() { leaf<<<1, 1>>>();' && for i in {402..800}; do echo "// line $i"; done && echo 'return cudaDeviceSynchronize(); }'
} >long.cu
cat >streams.cu <<'CU'
__global__ void work(int *p) { *p = 1; }
int main()
{
    int *p;
    cudaMallocManaged(&p, 4 * 600);
    for (int i = 0; i < 600; i++) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        work<<<1, 1, 0, stream>>>(p + i);
    }
    return cudaDeviceSynchronize();
}
CU
# What a later version may write: sums for each kernel, and members that the page does not know.
cat >newer <<'SH'
#!/bin/bash
cat >"${CDP_COUNT/\%p/$$}" <<'JSON'
{"version": 1, "news": {"a": [1]}, "sites": [
{"file": "mistakes.cu", "line": 8, "column": 1, "function": "reverse", "operation": "branch", "space": "", "smsp__inst_executed.sum": 8,
 "smsp__thread_inst_executed.sum": 128, "bytes": 0, "divergent_branches": 3, "more": null},
{"file": "mistakes.cu", "line": 9, "column": 1, "function": "reverse", "operation": "ld", "space": "texture", "smsp__inst_executed.sum": 8,
 "smsp__thread_inst_executed.sum": 256}],
"lines": [{"file": "mistakes.cu", "line": 8, "smsp__inst_executed.sum": 80, "instructions": {"fp32": 80}}],
"kernels": [{"kernel": "reverse", "launches": 1, "threads": 256, "occupancy": 0.75, "smsp__inst_executed.sum": 1000,
 "smsp__thread_inst_executed.sum": 24000, "branches": 40, "divergent_branches": 10, "instructions": {"fp32": 250, "integer": 500, "fp64": 0, "quantum": 250}},
{"kernel": "over", "launches": 2}]}
JSON
cat >"${CDP_PROFILE_LOG/\%p/$$}" <<'JSON'
{"kernels": [{"name": "reverse", "calls": 1, "total_ns": 5, "min_ns": 5, "max_ns": 5, "entry": "block", "grid": "(1,1,1)", "block": "(256,1,1)"},
{"name": "other", "calls": 1, "total_ns": 5, "min_ns": 5, "max_ns": 5, "entry": "block", "grid": "(1,1,1)", "block": "(256,1,1)"}]}
JSON
SH
cat >ranks <<'SH'
#!/bin/sh
OMPI_COMM_WORLD_RANK=1 ./mistakes
OMPI_COMM_WORLD_RANK=0 ./count
OMPI_COMM_WORLD_RANK=10 ./streams
SH
printf '%s\n' '#include <cstdlib>' 'int main() { cudaFree(0); abort(); }' >early.cu
chmod +x newer ranks
for program in long streams; do "$CDPCC" -g -lineinfo $program.cu -o $program && "$report" ./$program || exit 1; done
"$CDPCC" --count count.cu -o count && "$report" ./count && "$CDPCC" --check early.cu -o early || exit 1
"$report" ./early
"$CDPCC" early.cu -o plain && "$report" ./plain
"$CDPCC" -lineinfo steps.cu -o steps && "$report" --block wait ./steps || exit 1
"$CDPCC" --check mistakes.cu -o mistakes && "$CDPCC" many.cu -o many && "$CDPCC" "$top/examples/quadtree.cu" -o quadtree &&
    "$report" ./quadtree >out && "$report" ./many >out && "$report" ./mistakes >out 2>err || exit 1
"$report" -o killed.report.html ./mistakes now >out 2>err
"$report" ./newer >out 2>err && "$report" ./ranks >out 2>err || exit 1

# What every test begins with; at its end the console is empty, and nothing was loaded but the page.
cat >begin.py <<'PY'
import re, sys
sys.path.insert(0, sys.argv[1] + "/tests/support")
from browser import Browser
def opened(name, **options):
    browser = Browser(**options)
    browser.open(f"{name}.report.html")
    return browser
def closed(browser, name):
    complaints, requests = browser.complaints, browser.requests
    browser.close()
    assert complaints == [], complaints
    assert len(requests) == 1 and requests[0].endswith(f"/{name}.report.html"), requests
PY
in_browser() { # the test's text is the standard input
    { cat begin.py && cat; } >test.py && limit 60 python3 test.py "$top"
}
tree() {
    in_browser <<'PY'
b = opened("quadtree")
count = "document.querySelectorAll('[role=treeitem]').length"
first = "document.querySelector('[role=treeitem]')"
assert b.ask(count) >= 8 and "build" in b.ask(first + ".textContent")
# The chain of launches: one grid of the host, one below it, then more.
grids = b.ask("[...document.querySelectorAll('[role=treeitem] > .row')].filter(r => r.querySelector('.kernel')).map(r => +r.children[1].textContent)")
assert grids[:3] == [1, 1, 4] and sum(grids) == 223, grids
# By mouse: the line of single grids opens, and closes again.
before = b.ask(count)
line = "[...document.querySelectorAll('[role=treeitem]')].find(i => /^.?each of the 4 grids/.test(i.querySelector('.label').textContent.trim()))"
b.ask(f"{line}.querySelector('.label').click()")
assert b.ask(count) == before + 4 and b.ask(f"{line}.getAttribute('aria-expanded')") == "true"
b.ask(f"{line}.querySelector('.label').click()")
assert b.ask(count) == before
# By keys: down and up, left closes, right opens.
b.ask(f"{first}.focus()")
b.press("ArrowDown")
assert b.ask("document.activeElement.getAttribute('aria-level')") == "2"
b.press("ArrowUp")
b.press("ArrowLeft")
assert b.ask(count) == 1 and b.ask(f"{first}.getAttribute('aria-expanded')") == "false"
b.press("ArrowRight")
assert b.ask(count) == 2
# t shows the grid in the timeline.
b.press("t")
b.wait("/launched by.*the host/s.test(document.getElementById('selected').textContent)")
closed(b, "quadtree")
PY
}
check "the tree opens by mouse and by keys" tree
timeline() {
    in_browser <<'PY'
b = opened("quadtree")
shown = lambda: b.ask("document.getElementById('range').textContent")
b.ask("""function pixels() {
    const canvas = document.querySelector('canvas'), copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data;
}""")
drawn = "(() => { const d = pixels(); const s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return [...s]; })()"
b.wait(f"{drawn}.includes(0x7db6e8)")  # the colour of the first kernel
grids = shown()
b.ask("document.querySelector('canvas').focus()")
b.press("0")
whole = shown()
assert whole.startswith("0 ns to") and whole != grids
b.press("g")
assert shown() == grids
b.press("0")
b.press("+")
b.press("+")
closer = shown()
assert closer != whole, closer
b.press("ArrowRight")
assert shown() != closer
b.press("0")
assert shown() == whole, (shown(), whole)
b.ask("document.querySelector('.controls button').click()")
assert shown() != whole
b.ask("[...document.querySelectorAll('.controls button')].at(-1).click()")
assert shown() == whole
# Ctrl and the wheel; the wheel alone scrolls the page.
b.ask("document.querySelector('canvas').scrollIntoView({block: 'center', behavior: 'instant'})")
x, y = b.ask("(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return [r.left + r.width / 2, r.top + 40]; })()")
b.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100, modifiers=2)
b.wait(f"document.getElementById('range').textContent !== {whole!r}")
b.press("0")
# A click on a slice: the first one of the default stream.
b.draw()
chosen = "document.getElementById('selected').textContent"
found = b.ask("(() => { const c = document.querySelector('canvas'), d = pixels(), r = c.getBoundingClientRect();"
              " for (let y = 0; y < c.height; y++) for (let x = 200; x < c.width; x++) { const i = 4 * (y * c.width + x);"
              " if (d[i] === 0x7d && d[i + 1] === 0xb6) return [r.left + x * r.width / c.width + 3, r.top + y * r.height / c.height + 5]; } })()")
b.click(*found)
b.wait(f"/^build in device 0, default stream/.test({chosen}) && /launched1 grid/.test({chosen})")
b.draw()
# Down to its child, and with c back to the grid that launched it.
b.press("ArrowDown")
b.press("ArrowDown")
b.wait(f"/depth 1/.test({chosen}) && /launched bybuild/.test({chosen})")
b.press("c")
b.wait(f"/launched bythe host/.test({chosen})")
closed(b, "quadtree")
PY
}
check "the timeline zooms, moves and chooses" timeline
findings() {
    in_browser <<'PY'
b = opened("mistakes")
assert b.ask("[...document.querySelectorAll('.finding .badge')].map(x => x.textContent)") == ["race", "memory"]
code = b.ask("[...document.querySelectorAll('.source td.code')].map(x => x.textContent)")
assert "\n".join(code) + "\n" == open("mistakes.cu").read()
marked = b.ask("[...document.querySelectorAll('.source tr.marked td.number')].map(x => +x.textContent)")
assert marked == [9, 10, 12], marked
comments = b.ask("[...document.querySelectorAll('.source .comment')].map(x => x.textContent)")
assert comments == ["/* A comment of", "   two lines */", '// "not a string"'], comments
launches = b.ask("[...document.querySelectorAll('.source tr.launch')].map(x => [x.previousElementSibling.querySelector('.number').textContent, x.textContent])")
assert launches == [["13", "▸ launched 1 grid of over"], ["19", "▸ launched 1 grid of reverse"], ["20", "▸ launched 1 grid of parent"]], launches
assert "mistakes.cu:13" in b.ask("document.querySelector('#tree').textContent")
b.ask("[...document.querySelectorAll('#tree .row a')].find(x => x.textContent.startsWith('mistakes.cu:13')).click()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '13'")
b.ask("document.querySelector('.finding a').click()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '9'")
b.ask("document.querySelector('.source tr.remark a').click()")
b.wait("document.querySelector('.finding:target') !== null")
assert "cdp: race:" in b.ask("document.querySelector('#errors pre').textContent")
closed(b, "mistakes")
PY
}
check "findings and their source lines lead to each other" findings
tables() {
    in_browser <<'PY'
b = opened("mistakes")
names = "[...document.querySelectorAll('table[aria-label=Kernels] tbody td.name')].map(x => x.textContent)"
head = "document.querySelectorAll('table[aria-label=Kernels] th')[0]"
b.ask(f"{head}.querySelector('button').click()")
assert b.ask(names) == ["over", "parent", "reverse"] and b.ask(f"{head}.getAttribute('aria-sort')") == "ascending"
b.ask(f"{head}.querySelector('button').click()")
assert b.ask(names) == ["reverse", "parent", "over"] and b.ask(f"{head}.getAttribute('aria-sort')") == "descending"
# Each number says what it means.
assert b.ask("[...document.querySelectorAll('.numbers td, .numbers th button, .tree .row > span:not(.label)')].every(x => x.title.length > 10)")
assert b.ask("[...document.querySelectorAll('.card')].every(x => x.querySelector('.means').textContent.length > 10)")
assert b.ask("[...document.querySelectorAll('dl dd')].every(x => x.textContent.length > 0 && x.textContent !== 'undefined')")
assert "undefined" not in b.ask("document.body.innerText") and "NaN" not in b.ask("document.body.innerText")
closed(b, "mistakes")
PY
}
check "tables sort, and each number has its meaning" tables
looks() {
    in_browser <<'PY'
background = "getComputedStyle(document.body).backgroundColor"
light, dark = opened("mistakes"), opened("mistakes", dark=True)
light, dark = light.ask(background), dark.ask(background)
assert light == "rgb(255, 255, 255)" and dark == "rgb(20, 24, 29)", (light, dark)
b = opened("mistakes", dark=True)
b.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "light"}])
assert b.ask(background) == "rgb(255, 255, 255)" and b.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
b.call("Emulation.setEmulatedMedia", media="", features=[])
assert len(b.call("Page.printToPDF")["data"]) > 20000
assert b.ask("[...document.querySelectorAll('details')].every(x => x.open)")
closed(b, "mistakes")
for name in "quadtree", "count", "newer", "ranks", "streams":
    for width in (400, 1900):
        b = opened(name, width=width)
        assert b.ask("document.documentElement.scrollWidth") <= width, (name, width)
        closed(b, name)
PY
}
check "light, dark, printed, narrow and wide" looks
steps() {
    in_browser <<'PY'
b = opened("steps")
letters = lambda: "".join(b.ask("[...document.querySelectorAll('.warp .thread')].map(x => x.textContent)"))
text = lambda: b.ask("document.getElementById('step-text').textContent")
press = lambda n, times=1: b.ask(f"for (let i = 0; i < {times}; i++) document.querySelectorAll('#steps button')[{n}].click()")
assert letters() == "·" * 64
press(3)
assert letters() == "B" + "·" * 63 and text().startswith("thread (0,0,0) arrives at __syncthreads at steps.cu:5."), text()
press(4)
assert letters() == "R" * 64 and "the barrier opens" in text()
press(2)
assert letters() == "B" * 64
press(4, 2)
assert sorted(letters()[0:32] + letters()[32:]) and "32 lanes of warp" in text(), text()
b.ask("(() => { const s = document.querySelector('#steps input'); s.value = s.max; s.dispatchEvent(new Event('input')); })()")
assert letters() == "E" * 64
press(0)
b.wait("document.querySelector('#steps button').textContent === 'play'")
assert letters() == "E" * 64
closed(b, "steps")
PY
}
check "one block, step by step" steps
counts() {
    in_browser <<'PY'
b = opened("count")
# The line, and the numbers of its columns.
rows = b.ask("""[...document.querySelectorAll('.source tbody tr')].filter(r => [...r.querySelectorAll('.count')].some(c => c.textContent !== ''))
    .map(r => [+r.querySelector('.number').textContent, [...r.querySelectorAll('.count')].map(c => c.textContent)])""")
heads = b.ask("[...document.querySelectorAll('.source th')].map(c => c.textContent)")
assert heads == ["instr.", "requests", "lanes", "sectors", "banks", "atomics", "divergent", "line", "source"], heads
assert [[line, "|".join(cells[1:])] for line, cells in rows if cells[1] != ""] == [[4, "64|32.0|4.0|||"], [6, "64|32.0|4.0|992||"],
    [10, "2|32.0||||2 of 2"], [11, "2|8.0|1.0||14|"], [13, "2|32.0|32.0|||"]], rows
assert all(int(cells[0]) >= int(cells[1] or 1) for _, cells in rows), rows
kernels = b.ask("[...document.querySelectorAll('table[aria-label=\"Instructions of each kernel\"] tbody tr')].map(r => [...r.cells].slice(0, 5).map(c => c.textContent))")
assert sorted(k[:4] for k in kernels) == [["column", "1", "32", "1,024"], ["scatter", "1", "2", "64"]] and all(re.fullmatch(r"[0-9.]+ %", k[4]) for k in kernels), kernels
heat = b.ask("[...document.querySelectorAll('.source td.hot')].filter(c => c.style.getPropertyValue('--heat') === '1.000').map(c => c.textContent)")
assert heat == ["992", "2 of 2", "8.0", "14", "32.0"], heat
assert b.ask("[...document.querySelectorAll('.source td.hot, .source td.busy')].every(c => /GPU/.test(c.title))")
colours = b.ask("[...document.querySelectorAll('.source td.hot')].map(c => getComputedStyle(c).backgroundColor)")
assert len(set(colours)) > 1
worst = b.ask("[...document.querySelectorAll('.worst li')].map(x => x.textContent)")
assert worst[0].startswith("count.cu:6 992 bank conflicts") and worst[1].startswith("count.cu:13 32.0 sectors a request, where 4.0 would do"), worst
b.ask("document.querySelectorAll('.worst a')[1].click()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '13'")
assert "build without it" in b.ask("document.querySelector('#tables').textContent")
closed(b, "count")
PY
}
check "counts beside the source, and the lines that lose most" counts
newer() {
    in_browser <<'PY'
b = opened("newer")
def table(name):
    of = f"""[...document.querySelector('table[aria-label="{name}"]')"""
    heads = b.ask(f"{of}.querySelectorAll('th')].map(x => x.textContent)")
    rows = b.ask(f"{of}.querySelectorAll('tbody tr')].map(r => [...r.cells].map(x => x.textContent))")
    return [dict(zip(heads, row)) for row in rows]
kernels = table("Kernels")
assert [k["occupancy"] for k in kernels] == ["75.0 %", ""] and kernels[0]["lanes"] == "24.0" and kernels[0]["divergent"] == "25.0 % of 40", kernels
assert kernels[0]["instructions"] == "1,000"
code = table("Instructions of each kernel")
assert [(k["kernel"], k["fp32"], k["integer"], k["quantum"]) for k in code] == [("reverse", "25.0 %", "50.0 %", "25.0 %"), ("over", "", "", "")], code
assert "fp64" not in code[0] and [(k["launches"], k["threads"]) for k in code] == [("1", "256"), ("2", "")], code
assert b.ask("[...document.querySelectorAll('.numbers td, .numbers th button')].every(x => x.title.length > 10)")
cells = b.ask("[...document.querySelectorAll('.source tr[id$=line-8] .count')].map(x => x.textContent)")
assert cells == ["80", "8", "16.0", "3 of 8"], cells
b.ask("[...document.querySelectorAll('table[aria-label=Kernels] th button')].find(x => x.textContent === 'occupancy').click()")
assert "undefined" not in b.ask("document.body.innerText") and "NaN" not in b.ask("document.body.innerText")
closed(b, "newer")
PY
}
check "sums of kernels, and members that are not known" newer
long() {
    in_browser <<'PY'
b = opened("long")
line = lambda n: b.ask(f"document.querySelector('.source tr[id$=line-{n}]') !== null")
assert line(401) and line(395) and not line(200) and not line(800)
assert "all 801 lines" in b.ask("document.querySelector('.source').textContent")
# As a link to any line of the file does.
b.ask("(() => { const a = document.createElement('a'); a.href = '#file-0-line-700'; a.id = 'test'; document.body.append(a); a.click(); })()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '700'")
assert line(200)
near = "(() => { const r = document.querySelector('.source tr:target').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()"
b.wait(near)
requests = b.requests[:]
b.call("Page.navigate", url="about:blank")
b.open("long.report.html#file-0-line-650")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '650'")
b.wait(near)
b.requests = requests
closed(b, "long")
PY
}
check "links to lines of a long file that are not shown" long
streams() {
    in_browser <<'PY'
b = opened("streams")
size = b.ask("(() => { const c = document.querySelector('canvas'), f = document.getElementById('lanes'); return [c.clientHeight, c.height, f.clientHeight, f.scrollHeight]; })()")
assert size[0] == size[1] == size[2] < 900 and size[3] > 600 * 20, size
chosen = "document.getElementById('selected').textContent"
# The rows that are scrolled to are drawn, below the times; a click finds them.
b.ask("document.getElementById('lanes').scrollIntoView({block: 'center', behavior: 'instant'})")
b.ask("document.getElementById('lanes').scrollTop = 6000")
b.draw()
b.draw()
found = b.ask("(() => { const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, r = c.getBoundingClientRect();"
              " for (let y = 200; y < c.height; y++) for (let x = 200; x < c.width; x++) { const i = 4 * (y * c.width + x);"
              " if (d[i + 2] - d[i] > 40) return [r.left + x, r.top + y + 4]; } })()")
b.click(*found)
b.wait(f"/^work in device 0, stream [23][0-9][0-9]/.test({chosen})")
first = int(b.ask(chosen).split("stream ")[1][:3])
# By keys to the next row, and the picture follows.
b.ask("document.querySelector('canvas').focus({preventScroll: true})")
for _ in range(40):
    b.press("ArrowDown")
b.wait(f"/stream {first + 40}/.test({chosen})")
assert b.ask("document.getElementById('lanes').scrollTop") > 6000
assert b.ask("getComputedStyle(document.querySelector('.printed')).display") == "none"
b.call("Emulation.setEmulatedMedia", media="print", features=[])
b.ask("window.dispatchEvent(new Event('beforeprint'))")
assert b.ask("getComputedStyle(document.querySelector('.printed')).display") == "block"
assert b.ask("[document.querySelector('canvas').height, document.getElementById('lanes').scrollHeight < 1000]") == [900, True]
closed(b, "streams")
PY
}
check "a timeline of 600 streams scrolls" streams
ranks() {
    in_browser <<'PY'
b = opened("ranks")
options = "[...document.getElementById('process').options].map(o => o.textContent.replace(/process [0-9]+/, 'process N'))"
assert b.ask(options) == ["rank 0, ./count, process N", "rank 1, ./mistakes, process N, 2 mistakes", "rank 10, ./streams, process N"], b.ask(options)
titles = lambda: b.ask("[...document.querySelectorAll('nav a')].map(x => x.textContent)")
files = lambda: b.ask("[...document.querySelectorAll('#source h3')].map(x => x.textContent)")
assert "What costs time on a GPU" in titles() and files() == ["count.cu"]
# By keys: the next process.
b.ask("document.getElementById('process').focus()")
b.press("ArrowDown")
b.wait("document.querySelectorAll('.finding').length === 2")
assert files() == ["mistakes.cu"] and "What costs time on a GPU" not in titles() and len(set(titles())) == len(titles())
assert b.ask("document.activeElement.id") == "process" and b.ask("document.getElementById('process').value") == "1"
b.ask("document.querySelector('.finding a').click()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '9'")
b.ask("document.getElementById('process').focus()")
b.press("ArrowDown")
b.wait("document.querySelector('.tree').textContent.includes('600')")
assert b.ask("document.querySelectorAll('canvas').length") == 1 and files() == ["streams.cu"]
b.ask("window.dispatchEvent(new Event('beforeprint'))")
closed(b, "ranks")
PY
}
check "a program of several processes" ranks
early() {
    in_browser <<'PY'
b = opened("early")
text = b.ask("document.body.innerText")
assert "Aborted (signal 6)" in text and "built without checks" not in text and "None until the program was ended. Checked: memory" in text, text
closed(b, "early")
b = opened("plain")
text = b.ask("document.body.innerText")
assert "Aborted (signal 6)" in text and "built without checks" in text, text
closed(b, "plain")
PY
}
check "programs with and without checks that were killed" early
keys() { # all that a mouse can use has a place in the order of the keys, or is the tree or the timeline
    in_browser <<'PY'
for name in "count", "mistakes", "ranks", "steps":
    b = opened(name)
    b.press("Tab")
    assert b.ask("document.activeElement.className") == "skip"
    seen = set()
    for _ in range(400):
        b.press("Tab")
        place = b.ask("(() => { const e = document.activeElement; return e === document.body ? '' : e.tagName + [...document.querySelectorAll('*')].indexOf(e); })()")
        if place == "" or place in seen:
            break
        seen.add(place)
        assert b.ask("getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.getAttribute('role') === 'treeitem'"), place
    left_out = b.ask("""[...document.querySelectorAll('a[href], button, select, input, summary, canvas')].filter(e => e.tabIndex < 0 && !e.closest('[role=tree]')).length""")
    assert left_out == 0 and len(seen) > 20, (name, left_out, len(seen))
    closed(b, name)
PY
}
check "everything can be reached by keys" keys
large() {
    in_browser <<'PY'
b = opened("many")
rows = b.ask("[...document.querySelectorAll('[role=treeitem] > .row')].filter(r => r.querySelector('.kernel')).map(r => [r.querySelector('.kernel').textContent, r.children[1].textContent])")
assert rows == [["many", "1"], ["middle", "20,000"], ["leaf", "200,000"]], rows
assert "shorter ones are left out" in b.ask("document.getElementById('timeline').textContent")
# The lines of single grids come by portions.
line = "[...document.querySelectorAll('[role=treeitem]')].find(i => /20,000 grids/.test(i.querySelector('.label').textContent))"
b.ask(f"{line}.querySelector('.label').click()")
assert b.ask(f"{line}.querySelectorAll('[role=treeitem]').length") == 51
b.ask(f"{line}.querySelector('[role=group]').lastElementChild.querySelector('.label').click()")
assert b.ask(f"{line}.querySelectorAll('[role=treeitem]').length") == 102
took = b.ask("(() => { const t = performance.now(); for (let i = 0; i < 5; i++) { document.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: '+'})); window.dispatchEvent(new Event('afterprint')); } return (performance.now() - t) / 5; })()")
print(f"{took:.0f} ms to draw")
closed(b, "many")
PY
}
check "220,000 grids" large
killed() {
    in_browser <<'PY'
b = opened("killed")
text = b.ask("document.body.innerText")
assert "Aborted (signal 6)" in text and "ended by a signal" in text and "</script><script>console.log" in text, text
assert b.ask("[...document.querySelectorAll('.finding .badge')].map(x => x.textContent)") == ["race", "memory"]
assert b.ask("document.querySelector('canvas') === null")
closed(b, "killed")
PY
}
check "a program that was killed" killed
frame() { # as %cdp_report shows it: links stay in the frame
    in_browser <<'PY'
sys.path.insert(0, sys.argv[1] + "/python")
from cdpcc.frame import Frame
with open("mistakes.report.html") as page, open("frame.report.html", "w") as notebook:
    notebook.write(f"<!DOCTYPE html><title>notebook</title><p id=overview>{Frame(page.read(), 700, 'picture')._repr_html_()}")
b = opened("frame")
outer = b.session
inner = next(t["targetId"] for t in b.call("Target.getTargets")["targetInfos"] if t["type"] == "iframe")
b.session = b.call("Target.attachToTarget", targetId=inner, flatten=True)["sessionId"]
for domain in ("Runtime", "Log", "Network"):
    b.call(f"{domain}.enable")
b.wait("document.querySelector('canvas') !== null")
b.ask("document.querySelector('.finding a').click()")
b.wait("document.querySelector('.source tr:target td.number')?.textContent === '9'")
assert b.ask("document.querySelectorAll('.finding').length") == 2
b.session = outer
closed(b, "frame")
PY
}
check "the page in a frame of a notebook" frame
finish
