#!/usr/bin/env bash
# tools/check_sizes.sh finds a header and a struct that grew, and a number that is too large.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
holds() { "$top/tools/check_sizes.sh" "$work/list" >"$work/out"; }
# changed SED-SCRIPT REGEX: with the list changed so, it complains so.
changed() {
    sed "$1" "$top/tools/sizes" >"$work/list"
    ! holds && says "$work/out" "$2"
}
fields_are_counted() {
    cat >"$work/a.h" <<'END'
struct two_and_more {
    int a, b; /* c, d; */
    /* e;
     * f; */
    void (*call)(int, int);
    struct {
        char g[2];
    } each[3];
#define H 1
    uint64_t wide : 3, narrow : 2;
};
struct declared;
struct two_and_more function(int a);
END
    [ "$("$top/tools/count_fields.sh" "$work/a.h")" = "7 two_and_more $work/a.h" ]
}
# A header that all files of a folder include, and so too many files.
header_of_many() {
    cp "$top/tools/sizes" "$work/list"
    cp -r "$top/tools/cdpcc/simd" "$work/simd"
    sed -i '1i #include "simd/emit/emit.h"' "$work"/simd/plan/*.c
    ! SIMD=$work/simd holds && says "$work/out" 'header simd/emit/emit.h: a change rebuilds [0-9]+ of [0-9]+ files'
}
cp "$top/tools/sizes" "$work/list"
check "the tree as it is" holds
check "a header that is not listed" changed '/^header compat\/cdp\/math.h/d' 'header compat/cdp/math.h: [0-9]+ lines, at most 250'
check "a header that grew" changed 's/^\(header compat.cdp.math.h\) [0-9]*/\1 251/' 'header compat/cdp/math.h: .* more than the 251'
check "a header without a reason" changed 's/^\(header compat.cdp.math.h [0-9]*\).*/\1/' 'no reason for compat/cdp/math.h'
check "a struct that is not listed" changed '/^struct cdp_grid/d' 'struct cdp_grid .*: [0-9]+ fields, at most 20'
check "a struct that grew" changed 's/^\(struct cdp_grid\) .*/\1 21/' 'struct cdp_grid .* more than the 21'
check "a struct that shrank" changed 's/^\(struct cdp_grid\) .*/\1 99/' 'struct cdp_grid .* lower the number 99'
check "one that is not large" changed 's/^struct cdp_grid.*/&\nstruct vec 30/' 'struct vec is no longer larger'
check "a header that too many files include" header_of_many
check "fields are counted" fields_are_counted
finish
