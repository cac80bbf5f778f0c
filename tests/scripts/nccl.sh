#!/usr/bin/env bash
# NCCL between processes: collectives with fork and with MPI, and what is said of mistakes. The
# programs are in tests/nccl. What one process does is in tests/cu/nccl_*.cu.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
from=$top/tests/nccl
export CDP_MEMORY_MB=256 CDP_WORKERS=1

# More ranks than processors, also as root, and without the networks of clusters.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_mpi_yield_when_idle=1

builds() { OMPI_CXX=$CDPCC mpicxx -O0 -DWITH_MPI "$from/processes.cu" -lnccl -o "$work/processes"; }
right() { # right PROCESSES RANKS_OF_EACH NAME=VALUE...
    limit 60 env CDP_DEVICES="$2" "${@:3}" "$work/processes" "$1" "$2" >"$work/out" 2>"$work/err" &&
        [ "$(cat "$work/out")" = 'wrong: 0' ] && [ ! -s "$work/err" ] && return
    cat "$work/out" "$work/err"
    return 1
}
check "a program of several processes" builds
check "two processes" right 2 1
check "two processes with two ranks each, two workers" right 2 2 CDP_WORKERS=2
check "three processes, eight workers" right 3 1 CDP_WORKERS=8
# The first process to end closes its connections while others still read what it sent.
often() { # often TIMES ARGUMENTS: of right
    for ((i = 0; i < $1; i++)); do
        right "${@:2}" || return
    done
}
check "three processes, which end at any time" often 20 3 1 CDP_WORKERS=8
check "one process by an id" right 1 3
check "two processes, a schedule by number" right 2 1 CDP_SEED=3
if [ -n "${CDP_TEST_ALL:-}" ]; then
    check "four processes with four ranks each" right 4 4 CDP_WORKERS=2
fi

with_interface() {
    right 2 1 NCCL_SOCKET_IFNAME=^eth,docker NCCL_DEBUG=WARN && right 2 1 NCCL_SOCKET_IFNAME==lo || return
    ! right 2 1 NCCL_SOCKET_IFNAME==none >"$work/log" && says "$work/err" \
        '^cdp: ncclSystemError: ncclGetUniqueId: no network interface is up whose name fits NCCL_SOCKET_IFNAME==none$'
}
check "NCCL_SOCKET_IFNAME chooses the interface" with_interface
informs() {
    limit 60 env NCCL_DEBUG=INFO "$work/processes" 2 1 >"$work/out" 2>"$work/err" &&
        says "$work/err" 'NCCL INFO: .* listens at 127\.0\.0\.1:[0-9]+$' 'rank 1 of 2, device 0: ready$' 'rank 0 of 2 was destroyed$'
}
check "NCCL_DEBUG=INFO" informs

by_hand() { # two processes that were started one by one
    rm -f "$work/id"
    limit 60 env CDP_DEVICES=2 CDP_WORKERS=2 "$work/processes" 2 2 1 "$work/id" >"$work/out" 2>"$work/err" &
    limit 60 env CDP_DEVICES=2 CDP_WORKERS=2 "$work/processes" 2 2 0 "$work/id" >"$work/out0" 2>"$work/err0"
    wait $! && [ "$(cat "$work/out" "$work/err" "$work/out0" "$work/err0")" = 'wrong: 0
wrong: 0' ] && return
    cat "$work/out" "$work/err" "$work/out0" "$work/err0"
    return 1
}
check "two processes that are started by hand" by_hand
with_mpi() {
    limit 60 mpirun -n 3 "$work/processes" >"$work/out" 2>&1 && [ "$(cat "$work/out")" = 'wrong: 0' ] && return
    cat "$work/out"
    return 1
}
check "three ranks of MPI" with_mpi

example() { # example FLAGS...
    "$CDPCC" "$@" "$top/examples/nccl/descent.cu" -lnccl -o "$work/descent" &&
        CDP_DEVICES=4 limit 60 "$work/descent" 500 >"$work/out" 2>&1 &&
        [ "$(cat "$work/out")" = 'descent: 4 devices, 500 samples, 200 steps: the weights were found' ] && return
    cat "$work/out"
    return 1
}
check "the example" example -O1

sanitized() { # sanitized WHICH
    "$CDPCC" -O0 "-fsanitize=$1" "$from/processes.cu" -lnccl -o "$work/processes" && by_hand
}
if [ -n "${CDP_TEST_ALL:-}" ]; then
    check "the example with all checks" example -g --check
    check "under ThreadSanitizer" sanitized thread
    check "under AddressSanitizer" sanitized address
fi

mistakes() { "$CDPCC" -O0 "$from/mistakes.cu" -lnccl -o "$work/mistakes"; }
told() { # told KIND RESULT SENTENCE: what rank 0 gets, and what some rank says
    limit 30 "$work/mistakes" "$1" >"$work/out" 2>"$work/err"
    tail -n 1 "$work/out" | grep -qx "$2" && says "$work/err" "$3" && ! grep -qx 'next: another' "$work/out" && return
    cat "$work/out" "$work/err"
    return 1
}
check "a program with mistakes" mistakes
check "a rank that is killed" told dies 'remote error' 'ncclRemoteError: ncclAllReduce of rank 0 waits for (data of the process at 127.* which|rank 1, whose communicator.*) has ended$'
check "a rank that has destroyed its communicator" told leaves 'remote error' 'waits for rank 1, whose communicator (was destroyed|has ended)$'
check "a rank that aborts" told aborts 'remote error' 'rank 1(, whose communicator (was aborted|has ended)| has aborted the communicator)$'
check "another count" told count 'invalid usage' 'has (50|100) elements, and ncclAllReduce of rank [01] has (50|100)$'
check "another type" told type 'invalid usage' 'has the type nccl(Int|Float)32 at rank [01] and nccl(Int|Float)32 at rank [01]$'
check "another call" told call 'invalid usage' 'rank [01] calls nccl(Broadcast|AllReduce) where rank [01] calls nccl(Broadcast|AllReduce)$'
check "more bytes than are received" told bytes 'invalid usage' 'has (400|396) bytes, and nccl(Send|Recv) of rank [01] has (400|396)$'
check "another number of ranks" told ranks 'invalid argument' 'rank [01] says that there are [23] ranks, and another rank with the same id said [23]$'
check "the same rank twice" told same 'invalid argument' 'two ranks with the same id are rank 0$'

ends() { # the thread for messages does not keep the process alive
    printf '#include <nccl.h>\n#include <pthread.h>\nint main() { ncclUniqueId id; void *p; ncclGetUniqueId(&id); cudaMalloc(&p, 4); pthread_exit(nullptr); }\n' >"$work/ends.cu" &&
        "$CDPCC" -O0 "$work/ends.cu" -lnccl -o "$work/ends" && limit 10 "$work/ends"
}
check "a process whose main thread ends first" ends

shared() { # linked to the library by the C++ compiler
    local root
    root=$(cd "$(dirname "$CDPCC")/.." && pwd)
    echo '#include <nccl.h>
int main() { int version; return ncclGetVersion(&version) != ncclSuccess || version != NCCL_VERSION_CODE; }' >"$work/version.cpp"
    g++ -Wall -Werror "$work/version.cpp" -I"$root/include/cdpcc" -L"$root/lib64" -lnccl -Wl,-rpath,"$root/lib64" -o "$work/version" &&
        "$work/version" && [ -e "$root/lib64/libnccl.so.2" ] &&
        g++ "$work/version.cpp" -I"$root/include/cdpcc" "$root/lib64/libnccl_static.a" -o "$work/version" && "$work/version"
}
check "libnccl.so and libnccl_static.a" shared
finish
