#!/usr/bin/env bash
# Deadlocks and misused barriers are named however the program was compiled: with and
# without optimization, for debuggers, with checks and with thread entries only.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

named() { CDP_TEST_WORKERS=2 CDP_TEST_THREADS=0 "$top/tests/run_cu.sh" '^(deadlock|barriers_with_impossible)' -- "$@"; }
for build in -O0 -G -O3 --check=space --entry=thread; do
    check "deadlocks are named with $build" named "$build"
done
finish
