#!/bin/bash
# Precompiled headers: made at the second use of a set of options, used from then on, and never with
# another result than the headers themselves.
. "$(dirname "$0")/support.bash"

export CUDA_CACHE_PATH=$work/cache
headers=$work/cache/headers

cat >a.cu <<'EOF'
#include <cmath>
#include <cstdio>
#ifndef N
#define N 7
#endif
__global__ void kernel(float *p)
{
    *p = std::sqrt((float)N) + threadIdx.x;
}
int main()
{
    float *p;
    cudaMallocManaged(&p, sizeof *p);
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%.4f\n", *p);
}
EOF

files() { # files SUFFIX: how many the cache has
    find "$headers" -name "*$1" 2>/dev/null | wc -l
}

# prints TEXT NAME WORDS...: the program that cdpcc makes of a.cu prints the text.
prints() {
    local expected=$1 name=$2
    shift 2
    rm -f program
    if "$CDPCC" "$@" -o program >messages 2>&1 && [ "$(./program)" = "$expected" ] &&
        [ ! -s messages ]; then
        ok "$name"
    else
        fail "$name" "$(cat messages; ./program)"
    fi
}

has() { # has NAME SUFFIX COUNT
    [ "$(files "$2")" = "$3" ] && ok "$1" || fail "$1" "$(files "$2") of $2"
}

prints 2.6458 first_use a.cu
has first_use_makes_none .pch 0
prints 2.6458 second_use a.cu
has second_use_makes_those_of_both_sides .pch 2
prints 2.6458 third_use a.cu

# A use sets the file's time.
touch -d 2001-01-01 "$headers"/*.pch
prints 2.6458 used_again a.cu
[ -z "$(find "$headers" -name '*.pch' ! -newermt 2002-01-01)" ] && ok both_are_used ||
    fail both_are_used "$(ls -l "$headers")"

prints 3.0000 other_definitions a.cu -DN=9
prints 3.0000 other_definitions_again a.cu -DN=9
has other_definitions_have_their_own .pch 4

# A header of the user's that the C++ library's headers would find instead of the system's.
mkdir dir shadow
echo '#define N 16' >dir/mine.h
sed 's/#include <cmath>/&\n#include "mine.h"/' a.cu >b.cu
prints 4.0000 directory_of_the_user b.cu -Idir
has directory_of_the_user_needs_no_other .pch 4
printf '#include_next <math.h>\n#define N 25\n' >shadow/math.h
prints 5.0000 header_that_hides_one_of_the_system a.cu -Ishadow
prints 5.0000 header_that_hides_one_of_the_system_again a.cu -I shadow
CPATH=$PWD/shadow prints 5.0000 directory_from_the_environment a.cu

# Messages are those of a compilation without.
echo '__global__ void k() { undeclared(); } int main() {}' >error.cu
"$CDPCC" -c error.cu 2>with
CUDA_CACHE_DISABLE=1 "$CDPCC" -c error.cu 2>without
[ -s with ] && cmp with without && ok messages || fail messages "$(diff with without)"

# The list of dependencies begins with the source.
"$CDPCC" -MD -MF deps -c a.cu -o a.o
CUDA_CACHE_DISABLE=1 "$CDPCC" -MD -MF deps.without -c a.cu -o a.o
cmp deps deps.without && ok dependencies || fail dependencies "$(diff deps deps.without)"

# Damaged files and other states.
for file in "$headers"/*.pch; do truncate -s 1M "$file"; done
prints 2.6458 short_precompiled_header a.cu
for file in "$headers"/*.pch; do dd if=/dev/zero of="$file" bs=4k seek=1 count=900 conv=notrunc status=none; done
prints 2.6458 damaged_precompiled_header a.cu
rm -rf "$headers"
touch "$headers"
prints 2.6458 no_directory a.cu
prints 2.6458 no_directory_again a.cu
rm "$headers"
CUDA_CACHE_DISABLE=1 prints 2.6458 switched_off a.cu
CUDA_CACHE_DISABLE=1 prints 2.6458 switched_off_again a.cu
[ -e "$headers" ] && fail switched_off_writes_nothing "$(ls "$headers")" ||
    ok switched_off_writes_nothing

# A header that has changed: a copy of cdpcc with headers of its own.
mkdir -p copy/bin copy/include
cp "$CDPCC" copy/bin/cdpcc
cp -rL "$ROOT/lib" copy
cp -rL "$ROOT/include/cdpcc" copy/include # not links to the repository's
find copy/include -type f -exec touch -d 2020-01-01 {} +
sed -i 's/#ifndef N/#ifdef OURS\n#define N OURS\n#endif\n&/' a.cu
CDPCC=$PWD/copy/bin/cdpcc
prints 2.6458 own_headers a.cu
prints 2.6458 own_headers_again a.cu
echo '#define OURS 36' >>copy/include/cdpcc/cdp/stddef.h
sleep 1.1 # a header as new as this moment is not stored
prints 6.0000 header_has_changed a.cu
has changed_header_is_compiled_again .pch 2
prints 6.0000 header_has_changed_again a.cu

# Many at once: one makes it, the others do without.
rm -rf "$headers"
status=0
for i in $(seq 3); do "$CDPCC" -c a.cu -o "a$i.o" >>messages 2>&1 & done
wait
for i in $(seq 3); do "$CDPCC" -c a.cu -o "a$i.o" >>messages 2>&1 & done
wait
for i in $(seq 3); do [ -s "a$i.o" ] || status=1; done
[ $status = 0 ] && [ ! -s messages ] && ok many_at_once || fail many_at_once "$(cat messages)"
has one_of_many_makes_it .pch 2
[ "$(files .new)" = 0 ] && [ "$(files .lock)" = 0 ] && ok nothing_is_left || fail nothing_is_left

finish
