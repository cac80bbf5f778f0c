#!/usr/bin/env bash
# Programs for 64-bit ARM, run under QEMU unless this machine is one: examples, and whole programs
# that show the differences (passing of arguments, faults, switches, numbers, pages of 64 KiB). QEMU
# cannot show ARM's weaker memory order.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
target=aarch64-linux-gnu
flags=("--target=$target")
build=$(dirname "$(dirname "$CDPCC")")
if [ "$(uname -m)" != aarch64 ]; then
    # QEMU keeps a record of each page. With less address space than the runtime usually reserves,
    # programs start at once, but have memory for only some thousand stacks, or more small ones.
    emulator="qemu-aarch64 -R 0x300000000 -L /usr/$target"
    roomy="env CDP_MEMORY_MB=256 qemu-aarch64 -R 0x1800000000 -L /usr/$target"
    [ -n "${CDP_TEST_ALL:-}" ] || roomy="env CDP_MEMORY_MB=256 CDP_STACK_KB=64 $emulator"
    make -s -C "$top" TARGET=$target all >"$work/make.log" 2>&1 || fail "the runtime for it" "$work/make.log"
fi
read -ra runner <<<"${emulator:-}"

refuses() { # refuses REGEX WORDS...
    local regex=$1
    shift
    ! "$CDPCC" "$@" >"$work/out" 2>&1 && says "$work/out" "$regex"
}

elsewhere() { # elsewhere REGEX WORDS...: like refuses, if ARM is not this machine
    [ -z "${emulator:-}" ] || refuses "$@"
}

example() { # example NAME
    "$CDPCC" "${flags[@]}" "$top/examples/$1.cu" -o "$work/$1" &&
        CDP_WORKERS=2 limit 120 ${runner[@]+"${runner[@]}"} "$work/$1"
}

# Each thread by itself, with a switch at every barrier and launch.
in_another_order() {
    local seed
    for seed in 1 ${CDP_TEST_ALL:+2 3}; do
        CDP_STACK_KB=64 CDP_SEED=$seed limit 120 ${runner[@]+"${runner[@]}"} "$work/quicksort" &&
            CDP_STACK_KB=64 CDP_SEED=$seed limit 120 ${runner[@]+"${runner[@]}"} "$work/histogram" ||
            return
    done
}

# An installation without the other machine's runtime.
bare() {
    mkdir -p "$work/bare/lib" "$work/bare/include" && cp -r "$build/bin" "$work/bare/bin" &&
        ln -s "$top/compat" "$work/bare/include/cdpcc" &&
        cp "$build/lib/cdp_register.o" "$work/bare/lib" || return
    ! "$work/bare/bin/cdpcc" "${flags[@]}" "$work/empty.cu" >"$work/out" 2>&1 &&
        says "$work/out" "lacks '.*/lib/$target', that machine's runtime; 'make TARGET=$target' makes it"
}

is_for_arm() { # is_for_arm FILE
    readelf -h "$1" >"$work/header" && says "$work/header" 'Machine: *AArch64'
}

# A library, an archive and objects of several kinds, joined.
units() {
    cd "$work" || return
    cp "$top/examples/vector_add.cu" "$top/examples/check.h" .
    "$CDPCC" "${flags[@]}" -dc vector_add.cu -o part.o && is_for_arm part.o &&
        "$CDPCC" "${flags[@]}" -lib part.o -o libpart.a &&
        "$CDPCC" "${flags[@]}" part.o -o joined && is_for_arm joined &&
        "$CDPCC" "${flags[@]}" -march=neoverse-n1 vector_add.cu -o named &&
        "$CDPCC" "${flags[@]}" -march=armv8.2-a+fp16 vector_add.cu -o architecture &&
        limit 60 ${runner[@]+"${runner[@]}"} ./joined &&
        limit 60 ${runner[@]+"${runner[@]}"} ./named &&
        limit 60 ${runner[@]+"${runner[@]}"} ./architecture
}

# programs PATTERN FLAGS [-- WORDS OF THE RUNNER]
programs() {
    local pattern=$1 words=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    CDP_TEST_RUNNER="${*:2} ${runner[*]}" CDP_TEST_WORKERS=2 CDP_TEST_THREADS=0 \
        CDP_TEST_TIMEOUT=120 \
        bash "$top/tests/run_cu.sh" "$pattern" -- "${flags[@]}" ${words[@]+"${words[@]}"}
}

# At fixed addresses: QEMU's addresses are no multiples of such pages, as those of a kernel with
# such pages would be.
large_pages() {
    clang-22 "${flags[@]}" -std=c11 -D_GNU_SOURCE -fPIC -shared "$top/tests/support/large_pages.c" \
        -o "$work/large_pages.so" -ldl || return
    local setting="env LD_PRELOAD=$work/large_pages.so"
    [ -z "${emulator:-}" ] || setting="env QEMU_SET_ENV=LD_PRELOAD=$work/large_pages.so"
    # shellcheck disable=SC2086
    programs '^s32_writing_a_constant|^s42_stack_overflow|^s36_device_heap' -no-pie -- $setting
}

touch "$work/empty.cu"
check "another machine is refused by name" refuses \
    "'riscv64-linux-gnu' is not a value of option '--target'; it takes aarch64-linux-gnu or" \
    --target=riscv64-linux-gnu "$work/empty.cu"
check "sanitizers are refused" elsewhere '-fsanitize and --target=aarch64-linux-gnu cannot' \
    "${flags[@]}" -fsanitize=address "$work/empty.cu"
check "this machine's processor is refused" elsewhere '-march=native is this machine' \
    "${flags[@]}" -march=native "$work/empty.cu"
[ -z "${emulator:-}" ] || check "a missing runtime is reported, and how to build it" bare
for source in "$top"/examples/*.cu; do
    name=$(basename "$source" .cu)
    [ -n "${CDP_TEST_ALL:-}" ] || [[ $name =~ ^(quicksort|histogram|hello_cdp2)$ ]] || continue
    check "$name" example "$name"
done
check "examples in another order" in_another_order
check "objects, archives, processors" units
# The passing of parameters, results of every class and launch sizes; faults and their causes;
# shuffles; barriers with live registers; half precision; results to the last bit.
check "whole programs" programs '^s7_parameters_keep|^s4_kinds|^s42_kinds_of_faults|^device_intrinsics_m|^block_entries_launch_as|^barriers_keep|^s42_division|^what_cpp_leaves_open|^least_and_greatest|^functions_of_special'
[ -z "${CDP_TEST_ALL:-}" ] || check "more programs" programs \
    '^vector_types$|^s32_every_way|^math_in_both|^s58_|^s48_printf_of_odd'
check "pages of 64 KiB" large_pages
kernels=40
[ -z "${CDP_TEST_ALL:-}" ] || check "random kernels" env CDP_TEST_RUNNER="${roomy:-}" CDP_TEST_TIMEOUT=120 CDP_FUZZ_KEEP="$work" \
    bash "$top/tests/fuzz_kernels/run.sh" -s 7 -n $kernels -k 10 -w 4:2 -- "${flags[@]}" -O1
finish
