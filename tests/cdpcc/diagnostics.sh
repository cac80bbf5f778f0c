#!/bin/bash
# The compiler's messages look like clang's own, and each appears once.
. "$(dirname "$0")/support.bash"

cat >wrong.cu <<'EOF'
__global__ void kernel(int *p) { *p = undeclared; }
int host() { return "text"; }
#warning from both sides
int main() { kernel<<<1>>>(nullptr); }
EOF
"$CDPCC" -Wall -c wrong.cu >out.txt 2>err.txt
status=$?
[ $status = 1 ] && ok status_of_a_wrong_source || fail status_of_a_wrong_source "$status"
once() {
    local count
    count=$(grep -cF -- "$2" err.txt)
    [ "$count" = 1 ] && ok "$1" || fail "$1" "'$2' appears $count times"
}
once device_error_once "wrong.cu:1:39: error: use of undeclared identifier 'undeclared'"
once host_error_once "wrong.cu:2:21: error: cannot initialize return object"
once warning_once "wrong.cu:3:2: warning: from both sides"
once host_only_error_shown "wrong.cu:4:24: error: too few execution configuration arguments"
once one_count " generated."
[ -e wrong.o ] && fail no_object_after_errors "wrong.o exists" || ok no_object_after_errors

# In the order of the source, for messages of both sides.
[ "$(grep -oE '^wrong.cu:[0-9]+' err.txt | tr '\n' ' ')" = "wrong.cu:1 wrong.cu:2 wrong.cu:3 wrong.cu:4 " ] &&
    ok messages_in_the_order_of_the_source || fail messages_in_the_order_of_the_source "$(grep ^wrong err.txt)"

# Without outputs: the messages are the same. PTX assembly is understood.
"$CDPCC" -Wall -fsyntax-only wrong.cu >out.txt 2>syntax.txt
[ $? = 1 ] && cmp -s err.txt syntax.txt && ok syntax_of_a_wrong_source || fail syntax_of_a_wrong_source "$(cat syntax.txt)"
echo '__global__ void kernel(int *p) { asm("mov.u32 %0, %laneid;" : "=r"(*p)); }' >right.cu
echo 'int main() { return 0; }' >right.cpp
writes_nothing() {
    "$CDPCC" "$@" -fsyntax-only right.cu right.cpp && ! ls a.out right.o right.s 2>/dev/null
}
check syntax_of_right_sources writes_nothing
check syntax_of_one_side writes_nothing --cuda-device-only
check syntax_and_object writes_nothing -c

# With the user's words: the expansions of our macros for CUDA's keywords do not appear. PTX
# assembly makes cdpcc compile the device side again, from preprocessed text.
cat >words.cu <<'EOF'
__shared__ int function();
__global__ int result() { return 1; }
__global__ void initialized() { __shared__ int value = 3; }
__launch_bounds__(UNKNOWN) __global__ void bounds() {}
__device__ void both() { __shared__ int of_kernel; int unused; } __constant__ int *broken = undeclared;
const char *text = "an error: in the source"; int wrong = text;
EOF
{ cat words.cu; echo '__device__ void assembly(int *p) { asm("mov.u32 %0, %laneid;" : "=r"(*p)); }'; } >assembly.cu
for file in words.cu assembly.cu; do
    "$CDPCC" -Wall -c $file >out.txt 2>err.txt && fail "words_of_$file" "status 0"
    grep -qE 'attribute\(\(|annotate|host_defines|expanded from|cdpcc/' err.txt &&
        fail "words_of_$file" "$(grep -E 'attribute\(\(|annotate|host_defines|expanded' err.txt | head -3)" ||
        ok "words_of_$file"
    once "attribute_by_its_name_$file" "$file:1:1: warning: '__shared__' attribute only applies to variables"
    once "kernel_with_a_result_$file" "$file:2:12: error: kernel function type 'int ()' must have void return type"
    once "shared_with_a_value_$file" "$file:3:48: error: initialization is not supported for __shared__ variables"
    once "argument_of_a_macro_$file" "$file:4:19: error: use of undeclared identifier 'UNKNOWN'"
    once "unused_$file" "$file:5:56: warning: unused variable 'unused'"
    once "undeclared_$file" "$file:5:93: error: use of undeclared identifier 'undeclared'"
    once "message_with_a_message_in_its_source_$file" "$file:6:51: error: cannot initialize a variable"
    once "count_$file" "warnings and 5 errors generated."
done

# A macro that has its argument twice repeats the message in preprocessed text. Without a host side the
# messages of that text are always shown.
"$CDPCC" -Wall -cubin assembly.cu -o out.cubin 2>err.txt && fail device_side_alone "status 0"
once argument_that_a_macro_repeats "use of undeclared identifier 'UNKNOWN'"

# A template that is wrong for two arguments gives two errors, which name the arguments.
cat >template.cu <<'EOF'
template <class T> void check() { static_assert(sizeof(T) == 3, "size"); }
void use() { check<int>(); check<char>(); }
EOF
"$CDPCC" -c template.cu 2>err.txt && fail template_errors "status 0"
once template_for_int "specialization 'check<int>' requested here"
once template_for_char "specialization 'check<char>' requested here"
once template_count "2 errors generated."

# Many messages must not take longer than the compiler itself. If something were read again for each
# message, it would take some twenty times as long.
{ echo 'void f() {'; seq -f 'int u%.0f;' 60000; echo '}'; } >many.cu
TIMEFORMAT=%U
own=$({ time "$CDPCC" -Wall -c many.cu 2>err.txt; } 2>&1)
once many_messages "60000 warnings generated."
clangs=$({ time clang-22 -x cuda -nocudainc -nocudalib --cuda-host-only -Wall -c many.cu 2>err.txt; } 2>&1)
awk "BEGIN { exit !($own < 8 * $clangs + 1) }" && ok many_messages_are_fast ||
    fail many_messages_are_fast "$own seconds, clang takes $clangs"

# Messages of only one side are shown too.
cat >sides.cu <<'EOF'
#ifdef __CUDA_ARCH__
#warning device only
#else
#warning host only
#endif
void host() { int unused; }
EOF
check warnings_are_no_errors "$CDPCC" -Wall -Wextra -c sides.cu
once device_only_warning "warning: device only"
once host_only_warning "warning: host only"
once unused_once "unused variable 'unused'"
once nothing_in_our_headers "3 warnings generated."

# Colours on a terminal, but not with NO_COLOR.
on_a_terminal() { python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' env "$@" "$CDPCC" -c wrong.cu >err.txt </dev/null; grep -q error: err.txt; }
escape=$(printf '\033')
coloured() { on_a_terminal -u NO_COLOR && grep -q "$escape" err.txt && on_a_terminal NO_COLOR=1 && ! grep -q "$escape" err.txt; }
check colours coloured

# An error does not prevent the compilation of other sources; nothing is linked.
"$CDPCC" -c wrong.cu hello.cu 2>err.txt && fail failure_among_several "status 0" || ok failure_among_several
[ -e hello.o ] && ok others_are_compiled || fail others_are_compiled "no hello.o"
"$CDPCC" wrong.cu hello.cu -o program 2>err.txt && fail no_link_after_errors "status 0"
[ -e program ] && fail no_link_after_errors "program exists" || ok no_link_after_errors

# An old result survives a failed compilation of its source.
echo old >wrong.o
"$CDPCC" -c wrong.cu 2>err.txt
[ "$(cat wrong.o)" = old ] && ok old_object_survives || fail old_object_survives "changed"

cat >undefined.cu <<'EOF'
void absent();
int main() { absent(); }
EOF
"$CDPCC" undefined.cu -o program 2>err.txt && fail linker_error_shown "status 0"
once linker_error_shown "undefined reference to \`absent()'"
[ -e program ] && fail no_program_after_linker_error "program exists" || ok no_program_after_linker_error
# What nvcc and GCC only warn of.
cat >lenient.cu <<'EOF'
#include <cinttypes>
#include <cstdio>
__global__ void kernel(int n) { float sizes[] = {n, n * 2.0}; printf("%f", sizes[0]); }
int main(int n, char **) { dim3 grid = {n, n}; kernel<<<grid, 1>>>(n); printf("%"PRId64"\n", (int64_t)n); }
EOF
check lenient_cpp "$CDPCC" -c lenient.cu
once lenient_in_kernels "lenient.cu:3:50: warning: non-constant-expression cannot be narrowed from type 'int'"
once lenient_on_the_host "lenient.cu:4:41: warning: non-constant-expression cannot be narrowed from type 'int'"
refuses_narrowing() { ! "$CDPCC" -c -Werror=c++11-narrowing lenient.cu; }
check lenient_unless_told_otherwise refuses_narrowing
cat >old.c <<'EOF'
int main(argc, argv) int argc; char **argv; { int *p = 5L; char *q = p; return called(q); }
called(q) char *q; { return puts(q); }
none() { return; }
EOF
check lenient_c "$CDPCC" -c -w -std=gnu17 old.c
nothing_left failures_leave_nothing
finish
