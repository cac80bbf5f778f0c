#!/usr/bin/env bash
# cdp-lldb has the commands of cuda-gdb, as cdp-gdb has (cuda_gdb.sh); the tables are the same code.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v lldb-22 >/dev/null || { echo "lldb-22 is not installed" >&2; exit 2; }
cd "$work" || exit 2

cat >dbg.cu <<'CU'
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
    return cudaDeviceSynchronize();
}
CU
"$CDPCC" -g -G -rdc=true dbg.cu -o dbg || exit 1

debug() { # debug PROGRAM COMMANDS... : output of cdp-lldb with these commands, in out
    local program=$1 command
    shift
    for command in "$@"; do
        printf '%s\n' "$command"
    done >commands
    CDP_WORKERS=${CDP_WORKERS:-2} limit 120 "$(dirname "$CDPCC")/cdp-lldb" --no-lldbinit -b \
        -o 'command source -e false -c false commands' \
        ${program:+"./$program"} "${options[@]}" >out 2>&1
}
options=()

break_and_backtrace() {
    debug dbg 'b dbg.cu:4' run bt 'info cuda kernels' 'info cuda launch trace' 'info cuda launch children' up 'bt -u' kill
    order out '^\[Switching focus to CUDA kernel [0-9]+, grid [0-9]+, block \([01],0,0\), thread \(0,0,0\), device 0, sm [01], warp 0, lane 0\]' \
        'stop reason = breakpoint 1\.1' '\* frame #0: .*`device\(x=10\) at dbg\.cu:4' 'frame #1: .*`child\(.*base=10\) at dbg\.cu:10' \
        '^ +\[launched by parent<<<\(3,1,1\),\(32,1,1\)>>> block \([0-2],0,0\)\] at dbg\.cu:18$' \
        '^ +\[launched by the host\] at dbg\.cu:26$' \
        '^\* +[1-9] +0 +0 +[1-9] +Active +[12] \(2,1,1\) \(64,1,1\) +dbg.cu:18 child\(\)$' \
        '^  +0 +- +0 +0 +(Sleeping|Active) +[0-3] \(3,1,1\) \(32,1,1\) +dbg.cu:26 parent\(\)$' \
        '^\* +#0 .* child\(\)$' '^ +#1 +0 .* parent\(\)$' '^No CUDA kernels\.$' '^frame #1: .*child' 'frame #[0-9]+: .*cdp_' || return 1
    sed '/^frame #1/,$d' out >filtered
    without filtered 'frame #[0-9]+: .*(loop|threads)\.c:'
}
focus() { # a thread that waits: its variables, its frames; then it goes on
    debug dbg 'b dbg.cu:12' run 'breakpoint delete -f' 'cuda kernel block thread' 'cuda thread 5' bt 'frame variable mine' \
        'p threadIdx.x' 'cuda thread' next 'cuda thread' 'p threadIdx.x' next next 'cuda block 0 thread 40' 'cuda lane warp' kill
    order out '^kernel [0-9]+, block \([01],0,0\), thread \([0-9]+,0,0\)$' \
        '^\[Switching focus to CUDA kernel .*, thread \(5,0,0\), device 0, sm [01], warp 0, lane 5\]$' '^at dbg\.cu:11 in child' \
        'CUDA block \([01],0,0\) thread \(5,0,0\)' '\* frame #[0-9]+: .*child\(.* at dbg\.cu:11' '\[launched by parent' \
        '\[launched by the host\]' '^\(int\) mine = 15$' '5$' '^thread \(5,0,0\)$' 'at dbg\.cu:12' '^thread \(5,0,0\)$' '5$' 'at dbg\.cu:13' \
        '^\[CUDA thread \(5,0,0\) of block \([01],0,0\) has ended\]$' \
        '^\[Switching focus to CUDA .*, thread \(40,0,0\), .*, warp 1, lane 8\]$' '^lane 8, warp 1$'
}
tables() {
    CDP_WORKERS=1 debug dbg 'b dbg.cu:12' run 'info cuda threads' 'info cuda blocks' 'info cuda warps' 'info cuda lanes' \
        'info cuda managed' 'info cuda devices' 'info cuda threads kernel 0' kill
    order out 'BlockIdx ThreadIdx To BlockIdx ThreadIdx Count +PC Filename Line State$' \
        '^ +\(0,0,0\) +\(0,0,0\) +\(0,0,0\) +\(62,0,0\) +63 0x[0-9a-f]{16} +dbg.cu +11 waits for its turn$' \
        '^\* +\(0,0,0\) +\(63,0,0\) +\(0,0,0\) +\(63,0,0\) +1 0x[0-9a-f]{16} +dbg.cu +12 running$' \
        'BlockIdx To BlockIdx Count State$' '^\* +\(0,0,0\) +\(0,0,0\) +1 running$' 'Wp Active Lanes Mask' \
        '^ +0 +0xffffffff +0 +\(0,0,0\) dbg.cu:11 waits for its turn$' '^\* +1 +0xffffffff +1 +\(32,0,0\)' \
        'Ln +State ThreadIdx +At Doing$' '^\* +31 +active +\(63,0,0\) dbg.cu:12 running$' \
        '^Static managed variables' '^ +total = 7$' 'Dev +Name SMs' '^\* +0 this machine'
}
wrong_words() {
    debug dbg 'info cuda kernels' 'cuda thread 1' 'b dbg.cu:12' run 'cuda kernel 7' 'cuda block 9' 'cuda thread 70' cuda \
        'cuda foo' 'info cuda lane' 'info cuda threads breakpoint 1' 'info registers' kill
    local invalid='Invalid coordinates requested\. CUDA focus unchanged\.'
    order out 'The program is not being run' 'The program is not being run' 'stop reason = breakpoint' "$invalid" "$invalid" "$invalid" \
        'Missing argument\(s\)\.' 'Undefined cuda command: "foo"' "Unrecognized option: 'lane'\." 'Incorrect filter: ' \
        "cdpcc's is \`info cuda\`" || return 1
    without out 'Traceback'
}
once_a_warp() { # 3 blocks of parent launch 2 blocks of 2 warps each
    local commands=()
    for _ in $(seq 13); do commands+=(continue); done
    CDP_WORKERS=$1 debug dbg 'b dbg.cu:9' run "${commands[@]}"
    # Two warps may come at once: then one stop shows both.
    [ "$(grep -cE '^\[(Switching focus|At a breakpoint, too)' out)" = 12 ] || { cat out; return 1; }
    says out 'exited with status = 0'
}
steps() { # over a barrier, where other threads run; into functions of the program, not into the runtime
    CDP_WORKERS=$1 debug dbg 'b dbg.cu:10' run 'cuda thread' step 'cuda thread' step step step step 'cuda thread' step step kill
    order out '^thread \(0,0,0\)$' 'device\(x=10\) at dbg\.cu:3' '^thread \(0,0,0\)$' 'at dbg\.cu:4' 'at dbg\.cu:10' 'at dbg\.cu:11' 'at dbg\.cu:12' \
        '^thread \(0,0,0\)$' 'at dbg\.cu:13' 'has ended\]$'
}
launch() { # host code and device code: not into cdpcc's headers
    CDP_WORKERS=1 debug dbg 'b dbg.cu:25' run step step kill
    order out 'at dbg\.cu:25' 'at dbg\.cu:26' 'at dbg\.cu:27' || return 1
    CDP_WORKERS=1 debug dbg 'b dbg.cu:17' run step step step kill
    order out 'at dbg\.cu:17' 'at dbg\.cu:18' 'at dbg\.cu:19' 'at dbg\.cu:20'
}
cat >hang.cu <<'CU'
#include <cstdio>
__global__ void k(int *p)
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
int main()
{
    int *p;
    cudaMallocManaged(&p, 1000);
    p[0] = 0;
    k<<<1, 40>>>(p);
    puts("ready");
    fflush(stdout);
    return cudaDeviceSynchronize();
}
CU
attach() {
    "$CDPCC" -g -G hang.cu -o hang || return 1
    ./hang >ready &
    local pid=$!
    for _ in $(seq 200); do
        ! grep -q ready ready || break
        sleep 0.1
    done
    sleep 0.3
    options=(-p $pid)
    debug '' 'info cuda threads' 'cuda kernel 0 thread 9' bt 'frame variable mine' detach
    options=()
    kill -KILL $pid
    wait $pid 2>/dev/null
    order out '\(0,0,0\) +\(0,0,0\) +\(0,0,0\) +\(6,0,0\) +7 .* hang.cu +6 waits at __syncthreads$' \
        '\(0,0,0\) +\(7,0,0\) +\(0,0,0\) +\(7,0,0\) +1 .* hang.cu +[89] (running|waits for its turn)$' \
        '\(0,0,0\) +\(8,0,0\) +\(0,0,0\) +\(39,0,0\) +32 .* hang.cu +6 waits at __syncthreads$' \
        'frame #[0-9]+: .*`k\(.* at hang\.cu:6' '\[launched by the host\] at hang\.cu:18' 'mine = 109$'
}
# Each command that docs/debugger.md has for lldb is known.
documented() {
    local commands
    mapfile -t commands < <(sed -n '/^## lldb/,/^## /p' "$top/docs/debugger.md" | sed -nE 's/^\| `([^`]*)` .*/\1/p')
    [ ${#commands[@]} -ge 12 ] || { echo "only ${#commands[@]} commands"; return 1; }
    debug dbg 'b dbg.cu:12' run "${commands[@]}" kill
        without out 'Undefined|Unrecognized|Incorrect|Invalid|error:|Traceback|Missing'
}

check "break, bt, info cuda kernels, launch trace" break_and_backtrace
check "cuda: the focus moves to a thread that waits, which then goes on" focus
check "info cuda" tables
check "wrong coordinates and words" wrong_words
check "a breakpoint stops once a warp, 1 worker" once_a_warp 1
check "a breakpoint stops once a warp, 2 workers" once_a_warp 2
check "step over a barrier, 1 worker" steps 1
check "step over a barrier, 2 workers" steps 2
check "step at a launch" launch
check "attach to a hang" attach
check "the commands in docs/debugger.md" documented
finish
