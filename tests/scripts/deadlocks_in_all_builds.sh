#!/usr/bin/env bash
# Deadlocks and misused barriers are reported for every kind of compilation: without optimization,
# for debuggers, with checks; with CDP_TEST_ALL also with more optimization and with thread entries
# only.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

named() { CDP_TEST_WORKERS=2 CDP_TEST_THREADS=0 "$top/tests/run_cu.sh" '^(deadlock|barriers_with_impossible)' -- "$@"; }
builds=(-O0 -G --check=space)
[ -z "${CDP_TEST_ALL:-}" ] || builds+=(-O3 --entry=thread)
for build in "${builds[@]}"; do
    check "deadlocks are reported with $build" named "$build"
done
finish
