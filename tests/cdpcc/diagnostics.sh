#!/bin/bash
# The compiler's messages read as clang's own, each of them once.
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

# What only one side sees is shown too.
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

# An error does not keep other sources from being compiled; nothing is linked.
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
nothing_left failures_leave_nothing
finish
