#!/usr/bin/env bash
# Checks what a machine can check of the style: format, a second compiler's warnings, clang-tidy,
# platform tests only in the folders for them, no TODO without an issue, sizes of headers and structs.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
complain() {
    echo "lint: $*" >&2
    status=1
}

each() { # each FILES-ARRAY COMMAND...: runs the command on groups of the files until all are done
    local -n files=$1
    printf '%s\0' "${files[@]}" | xargs -0 -n "${group:-8}" -P "$(nproc)" "${@:2}"
}

mapfile -t sources < <(git ls-files 'runtime/*.[ch]' 'libraries/*.[ch]' 'tools/*.[ch]' 'tests/*.[ch]')

formatter=$(command -v clang-format-22 || command -v clang-format || true)
if [ -n "$formatter" ]; then
    group=40 each sources "$formatter" --dry-run --Werror >/tmp/cdp-lint.$$ 2>&1 ||
        complain "format: $(grep -c 'error:' /tmp/cdp-lint.$$) lines to change; run tools/lint.sh --fix"
    [ "${1:-}" != --fix ] || "$formatter" -i "${sources[@]}"
    rm -f /tmp/cdp-lint.$$
fi

# A second compiler's warnings, and clang-tidy's chosen checks (.clang-tidy).
mapfile -t runtime < <(git ls-files 'runtime/*.c' 'libraries/*.c')
mapfile -t compiler < <(git ls-files 'tools/cdpcc/*.c' ':!tools/cdpcc/math' ':!tools/cdpcc/object')
mapfile -t report < <(git ls-files 'tools/report/*.c')
read -ra llvm <<<"$(llvm-config-22 --cflags | tr ' ' '\n' | sed -n 's/^-I/-isystem /p' | tr '\n' ' ')"
of_runtime=(-std=c11 -D_GNU_SOURCE -Iruntime -Icompat)
of_compiler=(-std=c11 -D_GNU_SOURCE -Iruntime -Itools/cdpcc "${llvm[@]}")
of_report=(-std=c11 -D_GNU_SOURCE -Itools -Itools/cdpcc)
second=(gcc -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Wundef -Wvla -Wmissing-prototypes
    -Wstrict-prototypes -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Werror)
if command -v gcc >/dev/null; then
    each runtime "${second[@]}" "${of_runtime[@]}" || complain "gcc: runtime"
    each compiler "${second[@]}" "${of_compiler[@]}" || complain "gcc: compiler"
    each report "${second[@]}" "${of_report[@]}" || complain "gcc: report"
fi
if command -v clang-tidy-22 >/dev/null; then
    tidy() { # tidy FILES-ARRAY FLAGS...: the files come before "--", the flags after it
        # shellcheck disable=SC2016
        each "$1" sh -c 'clang-tidy-22 --quiet "$@" -- '"${*:2}" sh 2>/dev/null
    }
    tidy runtime "${of_runtime[@]}" || complain "clang-tidy: runtime"
    tidy compiler "${of_compiler[@]}" || complain "clang-tidy: compiler"
    tidy report "${of_report[@]}" || complain "clang-tidy: report"
fi

matches=$(git grep -nE '^ *#(if|ifdef|elif).*(__linux__|__x86_64__|__aarch64__|__APPLE__)' -- \
    'runtime/*.[ch]' ':!runtime/os' ':!runtime/fiber' ':!runtime/base/attr.h')
[ -z "$matches" ] || complain "platform tests outside os/, fiber/ and base/attr.h:"$'\n'"$matches"
matches=$(git grep -nE '\<(TODO|FIXME|XXX)\>' -- runtime libraries tools compat examples | grep -v 'TODO(#[0-9]*)' |
    grep -v 'tools/lint.sh')
[ -z "$matches" ] || complain "TODO without an issue:"$'\n'"$matches"
# The only files that are no text are small pictures.
while read -r picture; do
    case $picture in
    docs/images/*.png) [ "$(stat -c %s "$picture")" -le 200000 ] || complain "$picture: more than 200 KB" ;;
    *) complain "$picture: not a text file; pictures belong into docs/images" ;;
    esac
done < <(git ls-files --eol | sed -n 's/^i\/-text[^\t]*\t//p')
tools/check_sizes.sh >&2 || complain "sizes: headers and structs, see tools/sizes"
tools/gen_semantics.sh --check || status=1
exit $status
