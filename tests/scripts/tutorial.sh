#!/usr/bin/env bash
# docs/tutorial.md is correct: its programs and commands, in its order, print what it shows.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v gdb >/dev/null || { echo "gdb is not installed" >&2; exit 2; }
PATH=$(cd "$(dirname "$CDPCC")" && pwd):$PATH
export PATH HOME=$work
unset CDP_WORKERS CDP_TIMEOUT CDP_CHECK CDP_ENTRY
cd "$work" || exit 2
transcripts "$top/docs/tutorial.md"
pages() { [ -s race.report.html ] && [ -s tree.report.html ] && grep -q 'race.cu' race.report.html; }
check "the pages of the tutorial" pages
finish
