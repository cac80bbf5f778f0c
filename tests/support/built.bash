# shellcheck shell=bash
# Sourced by test scripts. CDPCC names the compiler, work a private directory.
#
#   built SOURCE TO FLAGS...   TO becomes the program of SOURCE; messages are in TO.log. Scripts of
#                              one run share programs with the same source and flags: CDP_TEST_PROGRAMS.
built() {
    local shared=${CDP_TEST_PROGRAMS:-$work/programs} key program status
    key=$(printf '%s\n' "$CDPCC" "$1" "${@:3}" | cksum | tr ' ' -)
    program=$shared/$(basename "$1" .cu).$key
    mkdir -p "$shared"
    (
        flock 9
        [ -e "$program" ] || "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} "${@:3}" "$1" -o "$program" >"$program.log" 2>&1
    ) 9>"$program.lock"
    status=$?
    cp "$program.log" "$2.log" && [ $status -eq 0 ] && ln -sf "$program" "$2"
}
