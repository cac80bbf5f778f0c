#!/usr/bin/env bash
# The runtime on a kernel with pages of 64 KiB, as some ARM kernels have: memory is mapped in such
# pages, and calls with an address within a page fail (tests/support/large_pages.c). Tests stack
# guards, freed memory that faults, and the device's heap.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
clang-22 -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -fPIC -shared \
    "$top/tests/support/large_pages.c" -o "$work/large_pages.so" -ldl ||
    fail "the pages cannot be made"
programs() {
    CDP_TEST_RUNNER="env LD_PRELOAD=$work/large_pages.so" CDP_TEST_WORKERS="1 2" CDP_TEST_THREADS=0 \
        bash "$top/tests/run_cu.sh" "$1"
}
check "stacks" programs '^s42_stack_overflow|^s43_process_lives'
check "heaps" programs '^device_heap|^s36_|^s45_heap'
check "faults" programs '^s42_kinds_of_faults|^s33_hardware_faults|^s29_faults'
finish
