#!/usr/bin/env bash
# Every header compiles alone: those of the host API as C11 and as C++11 to C++20,
# with gcc and clang; all of them in both passes of a CUDA compilation.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/../scripts/common.sh"
compat=$top/compat
strict="-Wall -Wextra -Wshadow -Wundef -Wpedantic -Werror"
plain="builtin_types.h cuda_occupancy.h cuda_runtime_api.h cuda_device_runtime_api.h driver_types.h host_defines.h
       library_types.h texture_types.h vector_types.h vector_functions.h"

compiles() { # compiles COMPILER FLAGS... HEADER: the last argument is the header
    local header=${!#} language=c++
    set -- "${@:1:$#-1}"
    case $1 in *++*) ;; *) language=c ;; esac
    # shellcheck disable=SC2086
    printf '#include "%s"\nint unit_is_not_empty;\n' "$header" |
        "$@" $strict -I"$compat" -x $language -fsyntax-only -
}

for header in $plain; do
    for compiler in gcc clang-22; do
        check "$header as C11, $compiler" compiles $compiler -std=c11 -Wconversion \
            -Wstrict-prototypes "$header"
    done
    # All pairs of standard and compiler only with CDP_TEST_ALL.
    for standard in 11 14 17 20; do
        for compiler in g++ clang++-22; do
            [ -n "${CDP_TEST_ALL:-}" ] || [[ $standard$compiler =~ ^(11cl|17g|20cl) ]] || continue
            check "$header as C++$standard, $compiler" compiles $compiler -std=c++$standard "$header"
        done
    done
done
for header in cuda.h cuda_runtime.h cuComplex.h nvToolsExt.h math_constants.h; do
    for compiler in g++ clang++-22; do
        check "$header as C++17, $compiler" compiles $compiler -std=c++17 "$header"
    done
done

both_passes() { # both_passes STANDARD HEADER
    printf '#include "%s"\n__global__ void kernel() {}\nint main() {}\n' "$2" >"$work/header.cu"
    "$CDPCC" -O0 -std=c++"$1" -Wall -Wextra -Werror -c "$work/header.cu" -o "$work/header.o"
}
# Those that programs include; with CDP_TEST_ALL also those that only these include, but for
# five that are parts of others and never alone. Those in absent are errors.
# cdpcc includes cuda_runtime.h ahead of all. What that includes is read again with CDP_TEST_ALL only.
echo 'int i;' >"$work/empty.cu"
"$CDPCC" -M "$work/empty.cu" >"$work/known"
while read -r header; do
    [ -n "${CDP_TEST_ALL:-}" ] || ! grep -q "/include/cdpcc/$header " "$work/known" || continue
    check "$header in both passes" both_passes 17 "$header"
done < <(cd "$compat" && find . -name '*.h' -o -name '*.hpp' | sed 's|^\./||' |
    grep -vE "^absent/|^cdp/${CDP_TEST_ALL:+(per_thread|collectives|operators|wmma|wmma_types)\.h\$}" | sort)
for standard in 11 14 20; do
    for header in cuda_runtime.h cuda_bf16.h cooperative_groups.h; do
        check "$header in both passes, C++$standard" both_passes $standard "$header"
    done
done

in_order() { # the table's numbers rise, and no name comes twice
    local numbers
    numbers=$(sed -n 's/^__CDP_CUDA_ERROR([A-Za-z]*, \([0-9]*\),.*/\1/p' "$compat/cuda_errors.def")
    [ -n "$numbers" ] && [ "$numbers" = "$(sort -n -u <<<"$numbers")" ] &&
        [ -z "$(sed -n 's/^__CDP_CUDA_ERROR(\([A-Za-z]*\),.*/\1/p' "$compat/cuda_errors.def" | sort | uniq -d)" ]
}
check "the table of errors is in order" in_order

# Clang needs long to read them, so they are included only for programs that include <cmath>.
special_functions() { # special_functions INCLUDE: how many headers of theirs a unit reads
    printf '%s\nint main() {}\n' "$1" >"$work/special.cu"
    "$CDPCC" -std=c++17 -M "$work/special.cu" | grep -c 'bits/specfun\.h'
}
only_if_asked() {
    [ "$(special_functions '')" = 0 ] && [ "$(special_functions '#include <math.h>')" = 0 ] &&
        [ "$(special_functions '#include <cmath>')" -gt 0 ]
}
check "special functions come only with <cmath>" only_if_asked
finish
