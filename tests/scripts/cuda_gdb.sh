#!/usr/bin/env bash
# cdp-gdb has the words of cuda-gdb. The program and the commands are those of a session with
# cuda-gdb 13.0 on an H100; where the two differ, docs/debugger.md says so.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v gdb >/dev/null || { echo "gdb is not installed" >&2; exit 2; }
cd "$work" || exit 2

cat >dbg.cu <<'CU'
#include <cstdio>
__device__ int device(int x)
{
    int doubled = 2 * x;
    return doubled + 1;
}
__global__ void child(int *out, int base)
{
    __shared__ int sum[64];
    int mine = base + threadIdx.x;
    sum[threadIdx.x] = device(mine);
    __syncthreads();
    out[threadIdx.x] = sum[63 - threadIdx.x];
}
__managed__ int total = 7;
__global__ void parent(int *out)
{
    if (threadIdx.x == 0) {
        child<<<2, 64>>>(out, 10);
    }
    out[64 + threadIdx.x] = 1;
}
int main()
{
    int *out;
    cudaMallocManaged(&out, 1000 * sizeof(int));
    parent<<<3, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", out[0], cudaGetErrorName(error));
}
CU
"$CDPCC" -g -G -rdc=true dbg.cu -o dbg || exit 1

debug() { # debug PROGRAM COMMANDS... : output of cdp-gdb with these commands, in out
    local program=$1 arguments=() command
    shift
    for command in "$@"; do
        arguments+=(-ex "$command")
    done
    CDP_WORKERS=${CDP_WORKERS:-2} limit 120 "$(dirname "$CDPCC")/cdp-gdb" -q -nx -batch -iex 'set debuginfod enabled off' \
        -ex 'set confirm off' "${arguments[@]}" --args ./"$program" >out 2>&1
}

break_and_backtrace() {
    debug dbg 'break dbg.cu:5' run bt 'info cuda kernels' 'info cuda launch trace' 'info cuda launch children' kill
    order out 'hit Breakpoint 1, device \(x=10\) at .*dbg\.cu:5' '^5' \
        '\[Switching focus to CUDA kernel [0-9]+, grid [0-9]+, block \([01],0,0\), thread \(0,0,0\), device 0, sm [01], warp 0, lane 0\]' \
        '^#0 +device \(x=10\) at .*dbg\.cu:5$' \
        '^#1 .* in child<<<\(2,1,1\),\(64,1,1\)>>> \(out=0x[0-9a-f]+, base=10\) at .*dbg\.cu:11$' \
        '^\[launched by parent<<<\(3,1,1\),\(32,1,1\)>>> block \([0-2],0,0\)\] \(\) at .*dbg\.cu:19$' \
        '^\[launched by the host\] \(\) at .*dbg\.cu:27$' \
        '^ +Kernel Parent Dev Grid +Status Blocks GridDim +BlockDim Launched at Invocation$' \
        '^\* +[1-9] +0 +0 +[1-9] +Active +[12] \(2,1,1\) \(64,1,1\) +dbg.cu:19 child\(\)$' \
        '^  +0 +- +0 +0 (Sleeping|  Active) +[0-3] \(3,1,1\) \(32,1,1\) +dbg.cu:27 parent\(\)$' \
        '^ +Lvl Kernel Dev Grid +Status GridDim +BlockDim Launched at Invocation$' '^\* +#0 .* child\(\)$' \
        '^ +#1 +0 .* parent\(\)$' '^No CUDA kernels\.$' || return 1
    without out 'runtime/|cdp_|\?\?'
}
whole_backtrace() {
    debug dbg 'break dbg.cu:5' run 'bt -full-runtime' 'bt 1' kill
    order out '#0 +device' '#1 .*child \(' 'runtime/exec/loop/loop\.c' '^#0 +device \(x=10\)'
}
# A thread that waits: its variables, its frames. Then it goes on.
focus() {
    debug dbg 'break dbg.cu:13 if threadIdx.x == 3' run delete 'cuda kernel block thread' 'cuda thread 5' bt \
        'print threadIdx' 'print mine' 'info locals' 'cuda thread' next 'cuda thread' 'print mine' 'print threadIdx.x' \
        next next next 'cuda block 0 thread 40' 'cuda lane warp' 'cuda thread' 'cuda warp 0 lane 9' 'print mine' kill
    order out '^kernel [0-9]+, block \([01],0,0\), thread \(3,0,0\)$' \
        '^\[Switching focus to CUDA kernel .*, thread \(5,0,0\), device 0, sm [01], warp 0, lane 5\]$' '^12.*__syncthreads' \
        '^#[0-9]+ .* in child<<<.*at .*dbg\.cu:12$' '^\[launched by parent' '^\[launched by the host\]' \
        '= \{x = 5, y = 0, z = 0\}' '= 15$' '^threadIdx = \{x = 5, y = 0, z = 0\}' '^mine = 15$' '^thread \(5,0,0\)$' \
        '^13.*out\[' '^thread \(5,0,0\)$' '= 15$' '= 5$' '^14' \
        '^\[CUDA thread \(5,0,0\) of block \([01],0,0\) of child has ended\]$' '^The CUDA thread has ended: choose' \
        '^\[Switching focus to CUDA .*, thread \(40,0,0\), .*, warp 1, lane 8\]$' '^lane 8, warp 1$' '^thread \(40,0,0\)$' \
        '^\[Switching focus to CUDA .*, thread \(9,0,0\), .*, warp 0, lane 9\]$' '= 19$' || return 1
    without out 'runtime/|cdp_|\?\?'
}
tables() {
    CDP_WORKERS=1 debug dbg 'break dbg.cu:13 if threadIdx.x == 3 && blockIdx.x == 0' run 'info cuda threads' 'info cuda blocks' \
        'info cuda warps' 'info cuda lanes' 'info cuda managed' 'info cuda devices' 'info cuda threads kernel 0' kill
    order out 'BlockIdx ThreadIdx To BlockIdx ThreadIdx Count +PC Filename Line State$' \
        '^ +\(0,0,0\) +\(0,0,0\) +\(0,0,0\) +\(2,0,0\) +3 +- +- +- has ended$' \
        '^\* +\(0,0,0\) +\(3,0,0\) +\(0,0,0\) +\(3,0,0\) +1 0x[0-9a-f]{16} +dbg.cu +13 running$' \
        '^ +\(0,0,0\) +\(4,0,0\) +\(0,0,0\) +\(62,0,0\) +59 0x[0-9a-f]{16} +dbg.cu +12 waits for its turn$' \
        'BlockIdx To BlockIdx Count State$' '^\* +\(0,0,0\) +\(0,0,0\) +1 running$' 'Wp Active Lanes Mask' \
        '^\* +0 +0xfffffff8 +1 +\(3,0,0\) dbg.cu:13 running, waits for its turn$' '^ +1 +0x7fffffff +0 +\(32,0,0\) dbg.cu:12' \
        'Ln +State ThreadIdx +At Doing$' '^ +0 inactive +\(0,0,0\) +- has ended$' '^\* +3 +active +\(3,0,0\) dbg.cu:13 running$' \
        '^Static managed variables' '^ +total = 7$' 'Dev +Name SMs' '^\* +0 this machine'
}
wrong_coordinates() {
    debug dbg 'info cuda kernels' 'cuda thread 1' 'cuda kernel' 'break main' run 'info cuda kernels' 'info cuda threads' \
        'cuda kernel block thread' 'break dbg.cu:13' continue 'cuda kernel 7' 'cuda block 9' 'cuda thread 70' 'cuda' 'cuda foo' \
        'info cuda lane' 'info cuda threads breakpoint 1' 'cuda 5' kill
    local invalid='^Invalid coordinates requested\. CUDA focus unchanged\.'
    order out '^No CUDA kernels\.' "$invalid" '^Focus is not set on any active CUDA kernel\.' 'Breakpoint 1, main' \
        '^No CUDA kernels\.' '^No CUDA threads\.' '^Focus is not set' 'hit Breakpoint 2, child' "$invalid" "$invalid" "$invalid" \
        '^Missing argument\(s\)\.' '^Undefined cuda command: "foo"\.  Try "help cuda"\.' "^Unrecognized option: 'lane'\." \
        '^Incorrect filter: ' '^Unrecognized argument\(s\)\.' || return 1
    without out 'Python|Traceback'
}
once() { # stops with each policy: 2 grids of 2 blocks of 2 warps of 32 lanes... of 3 parents
    local policy=$1 expected=$2
    CDP_WORKERS=1 debug dbg "set cuda break $policy" 'break dbg.cu:10' run "python
for _ in range($((expected + 1))): gdb.execute('continue')"
    [ "$(grep -c 'hit Breakpoint 1' out)" = "$expected" ] || { echo "stops: $(grep -c 'hit Breakpoint 1' out)"; tail -5 out; return 1; }
    says out 'exited normally'
}
steps() {
    CDP_WORKERS=1 debug dbg 'break parent' run delete step step step step step 'break main' run step step kill
    order out 'hit Breakpoint 1, parent' '^18' '^19' '^20' '^21' '^22' 'has ended\]$' 'Breakpoint 2, main' '^27' '^28' || return 1
    without out 'runtime/|include/'
}
over_a_barrier() {
    debug dbg 'break dbg.cu:12 if threadIdx.x == 2' run delete step 'cuda thread' up finish kill
    order out '^12' '^13' '^thread \(2,0,0\)$' "^Initial frame selected; you can't go up" '"finish" not meaningful in the outermost frame' || return 1
    debug dbg 'break dbg.cu:5 if threadIdx.x == 2' run delete up up down down finish 'cuda thread' kill
    order out '#1 .*child' "can't go up" '#0 .*device' "can't go down" 'Value returned is .* = 25' '^thread \(2,0,0\)$'
}
# A program for speed has lines, but a function that runs all threads of a block.
block_entry() {
    cat >scale.cu <<'CU'
__global__ void scale(float *a, float k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[i] * k + 1;
}
int main()
{
    float *a;
    cudaMallocManaged(&a, 1024 * sizeof *a);
    scale<<<4, 256>>>(a, 2);
    return cudaDeviceSynchronize();
}
CU
    "$CDPCC" -O2 -lineinfo scale.cu -o scale || return
    CDP_WORKERS=1 debug scale 'break scale.cu:4' run 'cuda kernel block thread' bt 'info cuda threads' kill
    order out 'Switching focus to CUDA kernel 0, grid 0, block \(0,0,0\)' '^kernel 0, block \(0,0,0\), thread' \
        'scale.cu:4$' 'in scale<<<\(4,1,1\),\(256,1,1\)>>>' '^\[launched by the host\]' ' scale\.cu +4 running$' || return 1
    without out 'Python|Traceback'
}
on_launch() {
    CDP_WORKERS=1 debug dbg 'set cuda break_on_launch application' run bt continue bt 'set cuda break_on_launch none' continue \
        'set cuda software_preemption on' 'set cuda memcheck on' 'show cuda break' 'set cuda foo 1'
    order out '^\[CUDA kernel 0 starts: parent<<<\(3,1,1\),\(32,1,1\)>>>\]$' '^18' '^#0 +parent<<<' '^\[launched by the host\]' \
        '^\[CUDA kernel 1 starts: child<<<\(2,1,1\),\(64,1,1\)>>>\]$' '^10' '^#0 +child<<<' 'exited normally' \
        '^cuda software_preemption has no effect: ' '^cuda memcheck has no effect: compile with cdpcc --check=memory' "is 'warp'" \
        'Undefined set cuda command'
}
# Other threads pass breakpoints during next; those of a child grid do not.
stays() {
    debug dbg 'break dbg.cu:13' run 'cuda thread 9' next 'cuda thread' 'cuda thread 30' next 'cuda thread' kill
    order out 'thread \(9,0,0\)' '^12' '^13' '^thread \(9,0,0\)$' 'thread \(30,0,0\)' '^12' '^13' '^thread \(30,0,0\)$' || return 1
    cat >wait.cu <<'CU'
__global__ void child(int *p)
{
    *p = 1;
}
__global__ void parent(int *p)
{
    child<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    *p = 2; // line 9
}
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    parent<<<1, 2>>>(p);
    return cudaDeviceSynchronize();
}
CU
    "$CDPCC" --cdp=1 -g -G wait.cu -o wait || return 1
    CDP_WORKERS=1 debug wait 'break wait.cu:8' run 'break child' 'info breakpoints' next kill
    order out 'hit Breakpoint 1, parent' 'hit Breakpoint 2, child'
}
# A program that hangs: attached to, by gdbserver, and as a core file.
cat >hang.cu <<'CU'
#include <cstdio>
__global__ void child(int *p)
{
    int mine = threadIdx.x + 100;
    if (threadIdx.x != 7) {
        __syncthreads();
    } else {
        while (*(volatile int *)p == 0) {
        }
    }
    p[1] = mine;
}
__global__ void parent(int *p)
{
    if (threadIdx.x == 0) {
        child<<<1, 40>>>(p);
    }
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 1000);
    p[0] = 0;
    parent<<<1, 32>>>(p);
    puts("ready");
    fflush(stdout);
    return cudaDeviceSynchronize();
}
CU
"$CDPCC" -g -G hang.cu -o hang || exit 1
shows_the_hang() { # in out
    order out '\(0,0,0\) +\(0,0,0\) +\(0,0,0\) +\(6,0,0\) +7 .* hang.cu +6 waits at __syncthreads$' \
        '\(0,0,0\) +\(7,0,0\) +\(0,0,0\) +\(7,0,0\) +1 .* hang.cu +[89] (running|waits for its turn)$' \
        '\(0,0,0\) +\(8,0,0\) +\(0,0,0\) +\(39,0,0\) +32 .* hang.cu +6 waits at __syncthreads$' \
        '^#[0-9]+ .* in child<<<\(1,1,1\),\(40,1,1\)>>> .*hang\.cu:6$' '^\[launched by parent<<<' '^\[launched by the host\]' '= 109$'
}
look=('info cuda threads kernel 1' 'cuda kernel 1 thread 9' bt 'print mine')
is_ready() { # the program has launched its kernel, which then hangs
    for _ in $(seq 200); do
        ! grep -q ready ready || break
        sleep 0.1
    done
    sleep 0.3
}
attach() {
    ./hang >ready &
    local pid=$! arguments=() command
    is_ready
    for command in "${look[@]}"; do
        arguments+=(-ex "$command")
    done
    limit 60 "$(dirname "$CDPCC")/cdp-gdb" -q -nx -batch -iex 'set debuginfod enabled off' -p $pid "${arguments[@]}" >out 2>&1
    kill -KILL $pid
    wait $pid 2>/dev/null
    shows_the_hang
}
core_file() {
    grep -qx core /proc/sys/kernel/core_pattern || { echo "cores go elsewhere"; return 0; }
    (
        ulimit -c unlimited
        ./hang >ready &
        p=$!
        is_ready
        kill -ABRT $p
        wait $p
    ) 2>/dev/null
    local arguments=() command
    [ "$(du -k core* | cut -f1)" -lt 50000 ] || { du -k core*; return 1; }
    for command in "${look[@]}"; do
        arguments+=(-ex "$command")
    done
    limit 60 "$(dirname "$CDPCC")/cdp-gdb" -q -nx -batch -iex 'set debuginfod enabled off' "${arguments[@]}" -ex next ./hang core* >out 2>&1
    rm -f core*
    shows_the_hang && says out '^The program is not being run\.$'
}
remote() {
    gdbserver --once localhost:0 ./dbg >server 2>&1 &
    local port=
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        port=$(sed -nE 's/^Listening on port ([0-9]+)$/\1/p' server)
        [ -z "$port" ] || break
        sleep 0.3
    done
    debug dbg "target remote localhost:$port" 'break dbg.cu:13 if threadIdx.x == 3' continue 'cuda thread 5' bt 'print mine' next kill
    order out '^\[Switching focus to CUDA .*thread \(5,0,0\)' '^\[launched by the host\]' '= 15$'
}
# Each command of the phrasebook is known.
phrasebook() {
    local commands
    mapfile -t commands < <(sed -n '/^## Phrasebook/,/^## Back/p' "$top/docs/debugger.md" | sed -nE 's/^\| `[^`]*` \| `([^`]*)` .*/\1/p')
    [ ${#commands[@]} -ge 20 ] || { echo "only ${#commands[@]} commands"; return 1; }
    debug dbg 'break dbg.cu:13 if threadIdx.x == 10 && blockIdx.x == 1' run "${commands[@]}" kill
    without out 'Undefined|Unrecognized|Incorrect|Invalid|Python|Traceback|No symbol|Missing'
}
# The program is the one above, and each line that is shown is printed; but for addresses.
session() {
    local doc=$top/docs/debugger.md commands
    block program "$doc" | diff - dbg.cu || return 1
    mapfile -t commands < <(block session "$doc" | sed -n 's/^(gdb) //p')
    CDP_WORKERS=1 debug dbg "${commands[@]}" kill
    plain() { sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/^Thread [0-9]+ /Thread /'; }
    plain <out >plain
    block session "$doc" | grep -v '^(gdb)' | plain | while IFS= read -r line; do
        grep -qxF -- "$line" plain || { echo "not printed: $line"; cat out; exit 1; }
    done
}
# Back in time, by running again.
cat >race.cu <<'CU'
#include <cstdio>
__global__ void k(int *p, int *q)
{
    p[threadIdx.x / 2] = threadIdx.x;
    q[0] = p[3];
}
int main()
{
    int *p, *q;
    cudaMallocManaged(&p, 1000);
    cudaMallocManaged(&q, 1000);
    k<<<1, 64>>>(p, q);
    cudaDeviceSynchronize();
    p[5] = 3;
    printf("%d %d\n", p[5], q[0]);
}
CU
"$CDPCC" -g -G --check=race race.cu -o race || exit 1
rerun() {
    debug race 'cdp-rerun-to 2' bt 'cdp-rerun-to 1' 'cdp-rerun-to 900' 'cdp-rerun-to x'
    order out '^\[Before report 2, focus on CUDA kernel .*\]$' '^[45]' '^#[0-9]+ .* in k<<<' '^\[Before report 1, focus on CUDA .*thread \(1,0,0\)' \
        '^4' '^\[The program made only [0-9]+ reports\]$' '^cdp-rerun-to: give the number' || return 1
    without out 'Python|Traceback|finding\.c'
}
# Some virtual machines take watchpoints, and never stop at them.
watchpoints_work() {
    printf 'int x;\nint main(void)\n{\n    x = 1;\n    x = 2;\n    return x;\n}\n' >watched.c
    clang-22 -g -O0 watched.c -o watched || exit 1
    gdb -nx -batch -ex 'break main' -ex run -ex 'watch x' -ex continue ./watched 2>&1 | grep -q '^New value = 1'
}
who_wrote() {
    debug race 'set environment CDP_CHECK 0' 'break race.cu:15' run 'cdp-who-wrote p[5]' 'cdp-who-wrote p[4]' 'print threadIdx.x' kill
    order out '^\[p\[5\] became 3 by main of the host\]$' '^14' '^\[p\[4\] became [89] by CUDA kernel .*thread \([89],0,0\)' '^4' '= [89]$' || return 1
    without out 'Python|Traceback'
}

check "break, bt, info cuda kernels, launch trace" break_and_backtrace
check "bt -full-runtime" whole_backtrace
check "cuda: the focus moves to a thread that waits, and stays" focus
check "info cuda" tables
check "wrong coordinates, as in cuda-gdb" wrong_coordinates
check "a breakpoint stops once a warp" once warp 12
check "a breakpoint stops once a grid" once once 3
[ -z "${CDP_TEST_ALL:-}" ] || check "a breakpoint stops each thread" once thread 384
check "step does not enter the runtime" steps
check "step over a barrier, up, down, finish" over_a_barrier
check "next stays with its thread" stays
check "the commands in docs/debugger.md" phrasebook
check "the session in docs/debugger.md" session
check "set cuda" on_launch
check "a block entry" block_entry
check "attach to a hang" attach
check "a core file" core_file
check "gdbserver" remote
check "cdp-rerun-to" rerun
if watchpoints_work; then
    check "cdp-who-wrote" who_wrote
else
    echo "left out: cdp-who-wrote: this machine has no hardware watchpoints"
fi
finish
