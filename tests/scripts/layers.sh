#!/usr/bin/env bash
# tools/check_layers.sh finds each include and each call of a folder that is not lower, and folders that
# use each other in a cycle. It also finds limits and exceptions in tools/layers that are too generous.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
tree=$work/tree
mkdir "$tree"
objects=$top/build/obj
[ "${MODE:-release}" = release ] || objects=$top/build/$MODE/obj
(cd "$top" && cp -r --parents runtime compat tools/cdpcc tools/layers tools/check_layers.sh tools/object_calls.sh "$tree")
mkdir -p "$tree/build/obj"
cp -rs "$objects/plain" "$objects/tool" "$tree/build/obj"

holds() { MODE=release "$tree/tools/check_layers.sh" >"$work/out"; }
holds_with_calls() { holds && says "$work/out" '^layers: [0-9]+ uses in runtime' '^layers: [0-9]+ uses in tools/cdpcc'; }

# planted FILE INCLUDED: an include that is added to the file is found, with its line.
planted() {
    cp "$tree/$1" "$work/kept"
    printf '#include "%s"\n' "$2" >>"$tree/$1"
    holds
    local status=$?
    cp "$work/kept" "$tree/$1"
    [ $status -eq 1 ] && says "$work/out" "^ *$1:$(($(wc -l <"$work/kept") + 1)): .*$2"
}
# with_call FILE FUNCTION COMMAND...: runs the command while FILE exists and calls the function.
with_call() {
    local file=$tree/$1.c object
    case $1 in
    runtime/*) object=$tree/build/obj/plain/${1#runtime/}.o ;;
    *) object=$tree/build/obj/tool/${1#tools/cdpcc/}.o ;;
    esac
    printf 'void %s(void);\nvoid planted(void);\nvoid planted(void)\n{\n    %s();\n}\n' "$2" "$2" >"$file"
    clang-22 -c "$file" -o "$object" && "${@:3}"
    local status=$?
    rm -f "$file" "$object"
    return $status
}
is_found() { # is_found REGEX...
    ! holds && says "$work/out" "$@"
}
call_is_found() { # call_is_found FILE FUNCTION
    with_call "$1" "$2" is_found "^$1: .*uses $2 of "
}
# listed LINE COMMAND...: runs the command while the line is in tools/layers.
listed() {
    cp "$tree/tools/layers" "$work/kept_list"
    echo "$1" >>"$tree/tools/layers"
    "${@:2}"
    local status=$?
    cp "$work/kept_list" "$tree/tools/layers"
    return $status
}
limit_must_be_lowered() {
    cp "$tree/tools/layers" "$work/kept_list"
    sed -i "s/^limit tools\/cdpcc simd $1 .*/limit tools\/cdpcc simd $1 9999/" "$tree/tools/layers"
    is_found "^tools/layers: .*simd: only [0-9]+ upward edges \($1\) are left; lower the limit 9999"
    local status=$?
    cp "$work/kept_list" "$tree/tools/layers"
    return $status
}
without_objects() {
    mv "$tree/build" "$tree/moved"
    holds
    local status=$?
    mv "$tree/moved" "$tree/build"
    [ $status -eq 0 ] && says "$work/out" 'calls in runtime not checked: no object of' 'calls in tools/cdpcc not checked'
}

check "the tree as it is" holds_with_calls
check "runtime: upwards" planted runtime/mem/heap.c exec/state/grid.h
check "runtime: same rank" planted runtime/mem/heap.c fiber/fiber.h
check "runtime: CUDA below api/" planted runtime/exec/launch/grid.c cuda_runtime.h
check "runtime: out of abi/" planted runtime/abi/cdp_abi.h base/attr.h
check "exec: report/ includes a folder above it" planted runtime/exec/report/fault.c exec/block/block.h
check "exec: launch/ includes block/" planted runtime/exec/launch/grid.c exec/block/batch.h
check "exec: block/ includes loop/" planted runtime/exec/block/barrier.h exec/loop/replay.h
check "exec: state/ includes a folder above it" planted runtime/exec/state/executor.h exec/report/stats.h
check "compiler: a header of the runtime outside abi/" planted tools/cdpcc/simd/pass.c exec/state/grid.h
check "compiler: upwards" planted tools/cdpcc/support/str.h ir/module.h
check "compiler: to the driver" planted tools/cdpcc/backend/emit.c driver/args.h
check "compiler: same rank" planted tools/cdpcc/ptx/call.c simd/pass.h
check "compiler: from a nested folder" planted tools/cdpcc/simd/plan/width.c backend/emit.h
check "compiler: upwards within simd/" planted tools/cdpcc/simd/ir/dominators.c simd/emit/builder.h
check "compiler: no folder" planted tools/cdpcc/lower/print.c print.h

check "runtime: a call upwards" call_is_found runtime/mem/planted cdp_grid_complete
check "runtime: a call within one rank" call_is_found runtime/fiber/planted cdp_heap_init
check "compiler: a call upwards" call_is_found tools/cdpcc/support/planted module_verify
check "compiler: a call within one rank" call_is_found tools/cdpcc/ptx/planted lower_blocks
check "compiler: a call upwards within simd/" \
    with_call tools/cdpcc/simd/ir/planted simd_emit_plan is_found 'simd/ir/planted: uses simd_emit_plan'
check "a call that an exception allows" listed "except tools/cdpcc ptx/planted simd/pass for this test" \
    with_call tools/cdpcc/ptx/planted lower_blocks holds
check "a cycle of folders, although an exception allows it" \
    listed "except tools/cdpcc support/planted ir/module for this test" \
    with_call tools/cdpcc/support/planted module_verify \
    is_found '^folders use each other in a cycle: .*tools/cdpcc/ir'
check "an exception that nothing needs" listed "except tools/cdpcc ptx/call simd/pass for this test" \
    is_found 'exception .* is no longer needed'
check "an exception without a reason" listed "except tools/cdpcc ptx/call simd/pass" \
    is_found 'an exception without a reason'
check "analysis that changes the input" \
    with_call tools/cdpcc/simd/analysis/planted LLVMSetOperand is_found 'simd/analysis/planted: uses LLVMSetOperand, but'
check "a plan that builds instructions" \
    with_call tools/cdpcc/simd/plan/planted LLVMBuildAdd is_found 'simd/plan/planted: uses LLVMBuildAdd, but'
check "fewer upward includes than the limit" limit_must_be_lowered includes
check "fewer upward calls than the limit" limit_must_be_lowered calls
check "without objects it prints what it does not check" without_objects
finish
