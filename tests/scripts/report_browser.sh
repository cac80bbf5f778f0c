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
"$CDPCC" -lineinfo steps.cu -o steps && "$report" --block wait ./steps || exit 1
"$CDPCC" --check mistakes.cu -o mistakes && "$CDPCC" many.cu -o many && "$CDPCC" "$top/examples/quadtree.cu" -o quadtree &&
    "$report" ./quadtree >out && "$report" ./many >out && "$report" ./mistakes >out 2>err || exit 1
"$report" -o killed.report.html ./mistakes now >out 2>err

# What every test begins with; at its end the console is empty, and nothing was loaded but the page.
cat >begin.py <<'PY'
import sys
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
for width in (400, 1900):
    b = opened("quadtree", width=width)
    assert b.ask("document.documentElement.scrollWidth") <= width
    closed(b, "quadtree")
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
finish
