#!/bin/bash
# What keeps compile time near that of other compilers: units with much code keep one version of a
# kernel, kernels without launches have none, and long code is not made longer.
. "$(dirname "$0")/support.bash"

entries() { # entries OBJECT KERNEL: the kinds of its entries, in one line
    nm "$1" | sed -nE "s/.* [TtWV] cdp\.([a-z_]+)[0-9]*\.[A-Za-z0-9_]*$2.*/\1/p" | sort -u | tr '\n' ' '
}
code() { # code OBJECT: bytes of the block entries
    nm -S -t d "$1" | awk '$4 ~ /^cdp\.(fixed|one_row|rows|any)/ { sum += $2 } END { print sum + 0 }'
}
equals() { # equals NAME EXPECTED RESULT
    [ "$2" = "$3" ] && ok "$1" || fail "$1" "'$3', not '$2'"
}
options=(--entry=block -O3 -march=x86-64-v4 -c)

# Kernels that only this unit could launch.
cat >launches.cu <<'CU'
static __global__ void unused(int *p) { p[threadIdx.x] = 1; }
namespace {
__global__ void unnamed(int *p) { p[threadIdx.x] = 2; }
__global__ void from_device(int *p) { p[threadIdx.x] = 3; }
__global__ void by_address(int *p) { p[threadIdx.x] = 4; }
}
__global__ void public_one(int *p) { from_device<<<1, p[0]>>>(p); }
void (*table[])(int *) = {by_address, public_one};
void launch(int *p, int i) { table[i]<<<1, 64>>>(p); }
CU
"$CDPCC" "${options[@]}" --explain launches.cu -o launches.o 2>said.txt || fail compiles "$(cat said.txt)"
equals static_and_not_launched 'thread ' "$(entries launches.o 6unused)"
equals unnamed_and_not_launched 'thread ' "$(entries launches.o 7unnamed)"
[ "$(grep -c 'thread entries: no launch reaches it' said.txt)" = 2 ] && ok says_why ||
    fail says_why "$(cat said.txt)"
equals launched_by_a_kernel 'block one_row thread ' "$(entries launches.o 11from_device)"
equals launched_by_address 'block one_row thread ' "$(entries launches.o 10by_address)"

# Forty instances are much code; three are not.
cat >many.cu <<'CU'
template <int N> __global__ void scale(float *x) { x[threadIdx.x] *= N; }
template <int N> void launch(float *x)
{
    scale<N><<<1, 128>>>(x);
    if constexpr (N > 1) launch<N - 1>(x);
}
void all(float *x) { launch<COUNT>(x); }
CU
"$CDPCC" "${options[@]}" --explain -DCOUNT=3 many.cu -o few.o 2>few.txt
"$CDPCC" "${options[@]}" --explain -DCOUNT=45 many.cu -o many.o 2>many.txt
equals few_kernels 'block fixed one_row thread ' "$(entries few.o scaleILi3E)"
equals many_kernels 'block fixed thread ' "$(entries many.o scaleILi3E)"
grep -q 'each keeps one version' many.txt && ! grep -q 'each keeps one version' few.txt &&
    ok explained || fail explained "$(head -n 3 many.txt)"

# In such a unit a kernel for blocks of any size has thread entries if its code would be long.
library() { # library LINES: the unit, and a kernel that is launched with an unknown size
    cat many.cu
    echo '__global__ void generic(const int *at, const float *x, float *y) { int i = at[threadIdx.x]; float s = x[i];'
    for i in $(seq "$1"); do echo "s = s * y[i - $i] + x[at[i + $i]] * x[at[i - $i]];"; done
    echo 'y[i] = s; } void go(const int *at, const float *x, float *y, int n) { generic<<<8, n>>>(at, x, y); }'
}
library 10 >generic_short.cu
library 1600 >generic_long.cu
for length in short long; do
    "$CDPCC" "${options[@]}" --explain -DCOUNT=45 generic_$length.cu -o generic_$length.o 2>generic_$length.txt
done
equals short_kernel_in_much_code 'block one_row thread ' "$(entries generic_short.o 7generic)"
equals long_kernel_in_much_code 'thread ' "$(entries generic_long.o 7generic)"
grep -q 'generic.*thread entries: its code would be long.*; put it into a file' generic_long.txt &&
    ok long_kernel_explained || fail long_kernel_explained "$(grep generic generic_long.txt)"

# A tree over bytes: no processor gathers bytes, so straight code for all threads would be a
# megabyte of branches.
cat >bytes.cu <<'CU'
__global__ void tree(char *x)
{
    __shared__ char s[2048];
    int t = threadIdx.x, apart = 1;
    s[2 * t] = x[2 * t], s[2 * t + 1] = x[2 * t + 1];
    for (int d = 1024; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
        apart *= 2;
    }
    if (t == 0) s[2047] = 0;
    for (int d = 1; d < 2048; d *= 2) {
        apart >>= 1;
        __syncthreads();
        if (t < d) {
            int low = apart * (2 * t + 1) - 1, high = apart * (2 * t + 2) - 1;
            char old = s[low];
            s[low] = s[high];
            s[high] += old;
        }
    }
    __syncthreads();
    x[2 * t] = s[2 * t], x[2 * t + 1] = s[2 * t + 1];
}
void launch(char *x) { tree<<<1, 1024>>>(x); }
CU
"$CDPCC" "${options[@]}" bytes.cu -o bytes.o
[ "$(code bytes.o)" -lt 200000 ] && ok tree_over_bytes || fail tree_over_bytes "$(code bytes.o) bytes"

# Long straight code has one vector at a time, shorter code has several.
{
    echo '__global__ void polynomial(const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; float v = x[i], s = 0;'
    for i in $(seq 600); do echo "s = s * v + x[i + $i];"; done
    echo 'y[i] = s; } void go(const float *x, float *y) { polynomial<<<8, 256>>>(x, y); }'
} >long.cu
sed '20,590d' long.cu >short.cu
"$CDPCC" "${options[@]}" --explain long.cu -o long.o 2>long.txt
"$CDPCC" "${options[@]}" --explain short.cu -o short.o 2>short.txt
equals long_kernel_has_known_sizes 'block fixed thread ' "$(entries long.o 10polynomial)"
equals short_kernel_has_all_sizes 'block fixed one_row thread ' "$(entries short.o 10polynomial)"
grep -q '16 lanes, 1 at a time' long.txt && ! grep -q '1 at a time' short.txt &&
    ok long_code || fail long_code "$(cat long.txt short.txt)"

# Thousands of lanes that access bytes one by one.
{
    echo '__global__ void gathers(const int *n, const char *x, char *y) { int i = n[threadIdx.x];'
    for i in $(seq 60); do echo "y[i + $i * n[$i]] = x[i * 3 + n[$i]];"; done
    echo '}'
} >gathers.cu
"$CDPCC" "${options[@]}" --explain gathers.cu -o gathers.o 2>said.txt
grep -q 'too many gathers' said.txt && ok lanes_of_gathers || fail lanes_of_gathers "$(cat said.txt)"

# Every third element, each from a run-time start that has a test of its own. Twice the loads are
# about twice the code: a vector of 48 elements that another basic block uses would be 48 scalars, and
# a mask of 48 bits takes hundreds of instructions.
starts() { # starts COUNT INDEX TYPE: the source
    echo "__global__ void starts(const float *x, float *y, $3 k) { $3 i = $2; float s = 0;"
    for i in $(seq 0 "$1"); do echo "s = s * 1.5f + x[(i + k * $i) * 3 + $((i % 3))];"; done
    echo "y[i] = s; } void go(const float *x, float *y, $3 k) { starts<<<8, 256>>>(x, y, k); }"
}
for count in 30 120; do
    starts $count 'blockIdx.x * blockDim.x + threadIdx.x' unsigned >starts.cu
    "$CDPCC" "${options[@]}" starts.cu -o starts$count.o
done
[ "$(code starts120.o)" -lt $((5 * $(code starts30.o))) ] && ok tested_strides ||
    fail tested_strides "$(code starts30.o) bytes for 30 loads, $(code starts120.o) for 120"
# For blocks of any size each index has a test. These come before all loads, or what is loaded is spilled.
for count in 30 120; do
    starts $count 'blockIdx.x * blockDim.x + threadIdx.x' unsigned >starts.cu
    CDPCC_SIZES=none "$CDPCC" "${options[@]}" starts.cu -o starts$count.o
done
[ "$((2 * $(code starts120.o)))" -lt $((9 * $(code starts30.o))) ] && ok tests_before_loads ||
    fail tests_before_loads "$(code starts30.o) bytes for 30 loads, $(code starts120.o) for 120"
starts 30 threadIdx.x int >masks.cu
"$CDPCC" "${options[@]}" masks.cu -o masks.o
[ "$(code masks.o)" -lt 40000 ] && ok masked_strides || fail masked_strides "$(code masks.o) bytes"

# The fields of a structure are extracted from vectors that only the first load reads, so many
# structures stay interleave groups.
{
    echo '__global__ void fields(const float4 *x, const int *at, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;'
    for i in $(seq 48); do echo "{ float4 v = x[i + at[$i]]; s = s * v.x + v.y * v.z + v.w; }"; done
    echo 'y[i] = s; } void go(const float4 *x, const int *at, float *y) { fields<<<8, 256>>>(x, at, y); }'
} >fields.cu
"$CDPCC" "${options[@]}" --explain=plan fields.cu -o fields.o 2>said.txt
[ "$(grep -c 'interleave group (4 times)' said.txt)" -ge 48 ] && [ "$(code fields.o)" -lt 90000 ] &&
    ok many_structures || fail many_structures "$(code fields.o) bytes: $(grep -c 'interleave' said.txt)"

# Such accesses have no branch for each lane: sixteen lanes would be 32 basic blocks.
cat >lanes.cu <<'CU'
__global__ void table(const int *at, const unsigned char *x, unsigned char *y)
{
    int i = at[threadIdx.x];
    if (i > 3) y[i] = x[i];
}
CU
for processor in x86-64-v4 x86-64-v3; do
    CDPCC_SIZES=none "$CDPCC" --entry=block -O3 -march=$processor --cuda-device-only -S lanes.cu -o lanes.s
    jumps=$(sed -n '/^cdp\.one_row/,/^\.Lfunc_end/p' lanes.s | grep -cE '^\s+j[a-z]+\s')
    [ "$jumps" -gt 0 ] && [ "$jumps" -lt 30 ] &&
        ok "no_branch_for_a_lane_$processor" || fail "no_branch_for_a_lane_$processor" "$jumps jumps"
done

# Divisions of 128-bit integers run lane by lane: many of them leave the kernel to thread entries.
divisions() { # divisions COUNT: the source
    echo '__global__ void divide(const unsigned long long *a, unsigned long long *o) { int i = threadIdx.x;'
    echo 'unsigned __int128 x = (unsigned __int128)a[i] << 64 | a[i + 1], s = 0;'
    for i in $(seq "$1"); do echo "s += x / ((unsigned __int128)a[i + $i] << 40 | a[$i]);"; done
    echo 'o[i] = (unsigned long long)(s ^ s >> 64); }'
}
divisions 8 >few.cu
divisions 80 >divide.cu
"$CDPCC" "${options[@]}" --explain few.cu -o few.o 2>few.txt
"$CDPCC" "${options[@]}" --explain divide.cu -o divide.o 2>said.txt
grep -q 'too many divisions of wide integers' said.txt && grep -q 'block entry: 1 region' few.txt &&
    ok wide_divisions || fail wide_divisions "$(cat few.txt said.txt)"

finish
