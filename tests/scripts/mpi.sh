#!/usr/bin/env bash
# Programs of several processes with MPI: device pointers in MPI's calls, dynamic parallelism in
# each rank, results that do not depend on the number of ranks.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
read -ra compile <<<"$(mpicxx --showme:compile)"
read -ra link <<<"$(mpicxx --showme:link)"
# More ranks than processors, also as root, and without the networks of clusters.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_mpi_yield_when_idle=1
source=$top/examples/mpi/flame.cu

with_ranks() { # with_ranks N NAME=VALUE...: the example
    env "${@:2}" timeout -k 5 "$((60 * ${CDP_TEST_PATIENCE:-5}))" mpirun -n "$1" "$work/flame" 8 60 >"$work/out" 2>&1 ||
        { cat "$work/out"; return 1; }
    says "$work/out" "^flame: $1 ranks, 128 x 128 cells, 60 steps, [0-9]{4,} child grids: the same as one rank"
}

# The number of child grids, which is also the same with any number of ranks.
same_work() {
    local ranks
    for ranks in 1 2 4; do
        with_ranks $ranks CDP_WORKERS=1 && grep -o '[0-9]* child grids' "$work/out" >"$work/grids.$ranks" || return
    done
    cmp "$work/grids.1" "$work/grids.2" && cmp "$work/grids.1" "$work/grids.4"
}

by_mpicxx() {
    OMPI_CXX=$CDPCC mpicxx -O2 "$source" -o "$work/flame" && with_ranks 2
}

# The compiler for C++ links an object of cdpcc's, as makefiles of MPI programs do.
linked_by_gcc() {
    "$CDPCC" "${compile[@]}" -O2 -c "$source" -o "$work/flame.o" &&
        mpicxx "$work/flame.o" -o "$work/flame" -L"$(dirname "$CDPCC")/../lib" -lcudart \
            -Wl,-rpath,"$(cd "$(dirname "$CDPCC")/../lib" && pwd)" &&
        with_ranks 2
}

# A kernel's fault in one rank: its report, and the end of all ranks.
fault() {
    cat >"$work/fault.cu" <<'CU'
#include <mpi.h>
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *p = nullptr;
    if (rank == 0) cudaMalloc(&p, sizeof *p);
    parent<<<1, 1>>>(p);
    if (cudaDeviceSynchronize() != cudaSuccess) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD); // waits for a rank that never comes
    MPI_Finalize();
}
CU
    "$CDPCC" -g "${compile[@]}" "$work/fault.cu" "${link[@]}" -o "$work/fault" || return
    limit 60 mpirun --tag-output -n 2 "$work/fault" >"$work/out" 2>&1
    [ $? -eq 3 ] && says "$work/out" '<stderr>:cdp: .*child' '1,1\]<stderr>:.*fault.cu:2' &&
        ! grep '1,0\]<stderr>:cdp:' "$work/out"
}

checked() {
    "$CDPCC" -g --check "$source" "${compile[@]}" "${link[@]}" -o "$work/flame" &&
        env CDP_WORKERS=1 timeout -k 5 "$((60 * ${CDP_TEST_PATIENCE:-5}))" mpirun -n 2 "$work/flame" 2 10 >"$work/out" 2>&1 &&
        says "$work/out" '^flame: 2 ranks' && ! grep -q '^cdp:' "$work/out"
}

# One page with both ranks, by their numbers.
reported() {
    timeout -k 5 "$((60 * ${CDP_TEST_PATIENCE:-5}))" "$(dirname "$CDPCC")/cdp-report" -o "$work/ranks.html" mpirun -n 2 "$work/flame" 2 10 >"$work/out" 2>&1 ||
        return
    python3 - "$work/ranks.html" <<'PY'
import json, sys
data = json.loads(open(sys.argv[1], encoding="utf-8").read().split('id="data">')[1].split("</script>")[0])
assert sorted(p["trace"]["rank"] for p in data["processes"]) == ["0", "1"]
assert all(p["trace"]["program"].endswith("/flame 2 10") and p["trace"]["grids"]["count"] > 0 for p in data["processes"])
PY
}

check "the example builds" "$CDPCC" -O2 "$source" "${compile[@]}" "${link[@]}" -o "$work/flame"
check "1, 2 and 4 ranks do the same work" same_work
check "2 ranks with 2 workers each" with_ranks 2 CDP_WORKERS=2
check "2 ranks, a schedule by number" with_ranks 2 CDP_SEED=5
check "cdp-report of 2 ranks" reported
check "mpicxx with cdpcc" by_mpicxx
check "a fault in one rank" fault
check "the example with all checks" checked
check "linked by the C++ compiler" linked_by_gcc
finish
