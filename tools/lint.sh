#!/usr/bin/env bash
# What a machine can check of the style: format, a second compiler's warnings, no
# platform tests outside their rooms, comments without leftovers.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
complain() {
    echo "lint: $*" >&2
    status=1
}

mapfile -t sources < <(git ls-files 'runtime/*.[ch]' 'tools/*.[ch]' 'tests/*.[ch]')

formatter=$(command -v clang-format-22 || command -v clang-format || true)
if [ -n "$formatter" ]; then
    "$formatter" --dry-run --Werror "${sources[@]}" >/tmp/cdp-lint.$$ 2>&1 ||
        complain "format: $(grep -c 'error:' /tmp/cdp-lint.$$) places; run tools/lint.sh --fix"
    [ "${1:-}" != --fix ] || "$formatter" -i "${sources[@]}"
    rm -f /tmp/cdp-lint.$$
fi

if command -v gcc >/dev/null; then
    for file in $(git ls-files 'runtime/*.c'); do
        gcc -std=c11 -fsyntax-only -D_GNU_SOURCE -Iruntime -Icompat -Wall -Wextra -Wshadow \
            -Wconversion -Wundef -Wvla -Wmissing-prototypes -Wstrict-prototypes -Wduplicated-cond \
            -Wduplicated-branches -Wlogical-op -Werror "$file" || complain "gcc: $file"
    done
fi

matches=$(git grep -nE '^ *#(if|ifdef|elif).*(__linux__|__x86_64__|__aarch64__|__APPLE__)' -- \
    'runtime/*.[ch]' ':!runtime/os' ':!runtime/fiber' ':!runtime/base/attr.h')
[ -z "$matches" ] || complain "platform tests outside os/, fiber/ and base/attr.h:"$'\n'"$matches"
matches=$(git grep -nE '\<(TODO|FIXME|XXX)\>' -- runtime tools compat examples | grep -v 'TODO(#[0-9]*)' |
    grep -v 'tools/lint.sh')
[ -z "$matches" ] || complain "TODO without an issue:"$'\n'"$matches"
tools/gen_semantics.sh --check || status=1
exit $status
