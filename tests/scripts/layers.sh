#!/usr/bin/env bash
# tools/check_layers.sh finds an include that runs upwards, wherever it is.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
tree=$work/tree
mkdir "$tree"
(cd "$top" && cp -r --parents runtime compat tools/cdpcc "$tree")

holds() { "$top/tools/check_layers.sh" "$tree" >"$work/out"; }
# planted FILE INCLUDED: such an include in the file is found, with its place.
planted() {
    cp "$tree/$1" "$work/kept"
    printf '#include "%s"\n' "$2" >>"$tree/$1"
    holds
    local status=$?
    cp "$work/kept" "$tree/$1"
    [ $status -eq 1 ] && says "$work/out" "^$1:$(($(wc -l <"$work/kept") + 1)): .*$2"
}
check "the tree as it is" holds
check "runtime: upwards" planted runtime/mem/heap.c exec/state/grid.h
check "runtime: beside" planted runtime/mem/heap.c fiber/fiber.h
check "runtime: CUDA below api/" planted runtime/exec/launch/grid.c cuda_runtime.h
check "runtime: out of abi/" planted runtime/abi/cdp_abi.h base/attr.h
check "exec: a report of what is above it" planted runtime/exec/report/fault.c exec/block/block.h
check "exec: a launch of blocks" planted runtime/exec/launch/grid.c exec/block/batch.h
check "exec: a block of the loop" planted runtime/exec/block/barrier.h exec/loop/replay.h
check "exec: shared structs of a room" planted runtime/exec/state/executor.h exec/report/stats.h
check "exec: a file in no room" planted runtime/exec/loop/loop.c exec/engine.h
check "compiler: what is not the contract" planted tools/cdpcc/simd/pass.c exec/state/grid.h
check "compiler: upwards" planted tools/cdpcc/support/str.h ir/module.h
check "compiler: to the driver" planted tools/cdpcc/backend/emit.c driver/args.h
check "compiler: beside" planted tools/cdpcc/ptx/call.c simd/simd.h
check "compiler: from a nested folder" planted tools/cdpcc/simd/plan/width.c backend/emit.h
check "compiler: no folder" planted tools/cdpcc/lower/print.c print.h
finish
