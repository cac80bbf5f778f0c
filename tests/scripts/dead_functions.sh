#!/usr/bin/env bash
# Each external function of the compiler and of the runtime is used by another file. A function that
# only its own file uses is static, and compilers warn if it is unused.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
objects=$top/build/obj
[ "${MODE:-release}" = release ] || objects=$top/build/$MODE/obj

# What the runtime exports (CDP_EXPORT: CUDA's calls, those of compiled code, what the process calls)
# is for programs. Of the rest these are used by no other file: NAME WHY.
kept="
cdp_barrier_arrive assembly in its own file calls it
cdp_engine_stop tests of single modules end the engines that they start; the process's own never ends
cdp_heap_finish tests end their heaps
cdp_os_group_memory a test gives it files of its own
cdp_owned_list libraries/nvml calls it
cdp_owned_ticks libraries/nvml calls it
cdp_check_is_due debug builds call it
cdp_check_valid debug builds call it
cdp_block_is_valid debug builds call it
cdp_deque_is_valid debug builds call it
cdp_executor_is_valid debug builds call it
cdp_grid_is_valid debug builds call it
cdp_heap_is_valid debug builds call it
cdp_stream_is_valid debug builds call it
"

# Objects of the existing sources. Objects of deleted files may still exist.
objects_of() { # objects_of SOURCES OBJECTS
    (cd "$top/$1" && find . -name '*.c' -printf '%P\n') | grep -vE '^(math|object)/' | sed -e "s|^|$2/|" -e 's|\.c$|.o|'
}
# "D name object" for each defined function, "U name" for each used one.
symbols() { # symbols OBJECTS...
    nm -A "$@" | awk '$(NF - 1) == "T" { sub(/:.*/, "", $1); print "D", $NF, $1 } $(NF - 1) == "U" { print "U", $NF }'
}
unused() { # unused OBJECTS...: those that no object uses
    symbols "$@" | awk '$1 == "U" { used[$2] } $1 == "D" { defined[$2] = $3 }
        END { for (name in defined) { if (!(name in used)) { print name, defined[name] } } }' |
        grep -vE '^main |^lower_run_pass |^instrument_host_module '
}
hidden() { # hidden OBJECTS...: functions for the library alone
    readelf -sW "$@" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "HIDDEN" && $7 != "UND" { print $8 }' | sort -u
}
none_of() { # none_of FILE: it is empty, or its lines are why not
    [ ! -s "$1" ] || { cat "$1"; return 1; }
}

none_of_the_compiler() {
    mapfile -t here < <(objects_of tools/cdpcc "$objects/tool")
    unused "${here[@]}" >"$work/unused"
    none_of "$work/unused"
}
# What a sanitizer's build alone uses is used.
none_of_the_runtime() {
    local variant
    here=()
    for variant in plain asan tsan; do
        mapfile -t -O ${#here[@]} here < <(objects_of runtime "$objects/$variant")
    done
    # Assembly defines a name for debuggers, and uses some.
    unused "${here[@]}" "$objects"/plain/fiber/switch_*.o | sort -u >"$work/all"
    hidden "${here[@]}" | join - "$work/all" >"$work/hidden"
    awk 'NF > 1 { print $1 }' <<<"$kept" | sort >"$work/kept"
    {
        join -v 1 "$work/hidden" "$work/kept"
        join -v 2 "$work/hidden" "$work/kept" | sed 's/$/ is listed here, and used or gone/'
    } >"$work/unused"
    none_of "$work/unused"
}
an_unused_one_is_found() {
    printf 'void used(void);\nvoid alone(void);\nvoid used(void) {}\nvoid alone(void) { }\n' >"$work/a.c"
    printf 'void used(void);\nint main(void) { used(); }\n' >"$work/b.c"
    (cd "$work" && clang-22 -c a.c b.c && unused a.o b.o) >"$work/unused"
    says "$work/unused" '^alone a\.o$' && [ "$(wc -l <"$work/unused")" = 1 ]
}
exported_ones_are_left_out() {
    printf '#define EXPORT __attribute__((visibility("default")))\nEXPORT void api(void);\nvoid own(void);\nvoid api(void) {}\nvoid own(void) {}\n' >"$work/c.c"
    (cd "$work" && clang-22 -fvisibility=hidden -c c.c && hidden c.o) >"$work/hidden"
    [ "$(cat "$work/hidden")" = own ]
}
check "no external function of the compiler is used only by its own file" none_of_the_compiler
check "no external function of the runtime is used only by its own file" none_of_the_runtime
check "such a function would be found" an_unused_one_is_found
check "functions that the runtime exports are left out" exported_ones_are_left_out
finish
