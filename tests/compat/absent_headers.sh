#!/usr/bin/env bash
# Headers of what cdpcc does not have: each says so, and what to do: cuda_gl_interop.h where a call
# uses it, the others where they are included. A program's own header of that name comes first.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/../scripts/common.sh"
cd "$work" || exit 2

says() { # says HEADER LANGUAGE [FLAG]: the first message is the header's #error, and a second one ends
    # the compilation
    printf '#include <%s>\nunknown_t unit_is_not_empty;\n' "$1" >"unit.$2"
    ! "$CDPCC" ${3:+"$3"} -c "unit.$2" -o unit.o 2>log &&
        grep -m 1 'error: ' log | grep -qE "absent/$1:1:[0-9]+: error: \"$1: cdpcc has no [^;]+; .+\"" &&
        { [ "${3:-}" = -w ] || ! grep -q unknown_t log; } || { cat log; return 1; }
}
well_formed() { # well_formed HEADER: it names itself, what is absent, and what to do
    grep -qxE "#error \"$1: cdpcc has no [^;]+; .+\"" "$top/compat/absent/$1"
}
for name in $(cd "$top/compat/absent" && find . -type f | sed 's,^\./,,' | sort); do
    [ "$name" != cuda_gl_interop.h ] || continue
    check "$name is well formed" well_formed "$name"
    [ ! -e "/usr/include/$name" ] || continue # that one is found
    # To compile each of them finds no more than to compile some.
    [ -n "${CDP_TEST_ALL:-}" ] || [[ $name =~ ^(cufft|curand_kernel)\.h$ ]] || continue
    check "$name" says "$name" cu
done
check "cublas_v2.h in C" says cublas_v2.h c
check "cublas_v2.h without warnings" says cublas_v2.h cu -w

graphics() { # graphics FLAGS...: only the call is an error
    printf '#include <cuda_gl_interop.h>\n#ifdef CALL\nint main() { cudaGLSetGLDevice(0); }\n#endif\n' >gl.cu
    "$CDPCC" "$@" -c gl.cu && ! "$CDPCC" "$@" -DCALL -c gl.cu 2>log &&
        grep -qE "^gl.cu:3:14: error: 'cudaGLSetGLDevice.*' is unavailable: cdpcc has no graphics; .+" log
}
check "cuda_gl_interop.h" graphics
check "cuda_gl_interop.h in C" graphics -x c

mkdir own
echo 'static inline int cufftAnswer() { return 42; }' >own/cufft.h
printf '#include <cufft.h>\nint main() { return cufftAnswer() - 42; }\n' >own.cu
own() { # own FLAG: the program's directory, as -I or as -isystem
    "$CDPCC" "$1" own own.cu -o own_program && ./own_program
}
check "a header of the program, -I" own -I
check "a header of the program, -isystem" own -isystem
finish
