#!/usr/bin/env bash
# Each external function of the compiler is used by another file: what only its own file uses is
# static, and then compilers tell whether anything uses it.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
objects=$top/build/obj/tool
[ "${MODE:-release}" = release ] || objects=$top/build/$MODE/obj/tool

# "D name object" for each function defined, "U name" for each that is used.
symbols() { # symbols OBJECTS...
    nm -A "$@" | awk '$(NF - 1) == "T" { sub(/:.*/, "", $1); print "D", $NF, $1 } $(NF - 1) == "U" { print "U", $NF }'
}
unused() { # unused OBJECTS...: those that no object uses
    symbols "$@" | awk '$1 == "U" { used[$2] } $1 == "D" { defined[$2] = $3 }
        END { for (name in defined) { if (!(name in used)) { print name, defined[name] } } }' |
        grep -vE '^main |^lower_run_pass '
}
none_is_unused() {
    # Objects of files that are gone may still lie there.
    mapfile -t here < <(cd "$top" && find tools/cdpcc -name '*.c' | sed -e 's|^tools/cdpcc/|'"$objects"'/|' -e 's|\.c$|.o|' | grep -vE '/(math|object)/')
    unused "${here[@]}" >"$work/unused"
    [ ! -s "$work/unused" ] || { cat "$work/unused"; return 1; }
}
an_unused_one_is_found() {
    printf 'void used(void);\nvoid alone(void);\nvoid used(void) {}\nvoid alone(void) { }\n' >"$work/a.c"
    printf 'void used(void);\nint main(void) { used(); }\n' >"$work/b.c"
    (cd "$work" && clang-22 -c a.c b.c && unused a.o b.o) >"$work/unused"
    says "$work/unused" '^alone a\.o$' && [ "$(wc -l <"$work/unused")" = 1 ]
}
check "no external function of the compiler is used by its own file alone" none_is_unused
check "one that is would be found" an_unused_one_is_found
finish
