#!/bin/bash
# Sources that nvcc accepts and clang does not: launches with blanks within <<< and >>>, shared
# variables whose constructor has an effect, references to textures.
# rules: S38
. "$(dirname "$0")/support.bash"

# runs NAME TEXT FLAGS...: the program NAME.cu compiles without messages and prints TEXT.
runs() {
    local name=$1 text=$2
    shift 2
    "$CDPCC" "$@" "$name.cu" -o "$name" >out.txt 2>err.txt || { fail "$name$*" "$(head -5 err.txt)"; return; }
    [ ! -s err.txt ] || { fail "$name$*" "says $(cat err.txt)"; return; }
    [ "$("./$name")" = "$text" ] && ok "$name$*" || fail "$name$*" "prints '$("./$name")'"
}

# ---- Launches ----
mkdir -p sub
cat >sub/launch.h <<'EOF'
#define LAUNCH(kernel, ...) kernel << <1, 32>> >(__VA_ARGS__)
template <class K> void run(K kernel, int *p) { kernel << < dim3(1), dim3(32) >> > (p); }
EOF
cat >spaced.cu <<'EOF'
#include <cstdio>
#include "sub/launch.h"
template <class T> struct Box { static const int value = 1; };
struct Stream { int sum; };
template <class T> Stream &operator<<(Stream &s, T v) { s.sum += v; return s; }
__global__ void add(int *p) { atomicAdd(p, 1); }
template <int N> __global__ void add_n(int *p) { atomicAdd(p, N); }
__global__ void parent(int *p)
{
    if (threadIdx.x == 0) add << <1, 2>> >(p);
}
#define TEXT "k << <1, 1>> >(p);"
// A comment: k << <1, 1>> >(p);
int main(int argc, char **)
{
    int *p, n = 32, g = 1;
    cudaMallocManaged(&p, 4);
    *p = 0;
    add << <1, 32>> >(p);
    add << < g, n >> > (p);
    add<<<g, n>> >(p);
    add << <g, n>>>(p);
    add<< /* the grid */ <g, n>> /* its end */ >(p), add<<<1, 1>>>(p);
    add << <Box<Box<Box<int>> >::value, n>> >(p);
    add << <Box<Box<Box<int> > >::value, (n > 4) ? n : 1>> >(p);
    add << <n < 4 ? 2 : 1, n >> 1>> >(p);
    add << <
        ::dim3(1),
        32, 0, 0>> >(p);
    add_n<2> << <1, 32>> >(p);
    [&] { add << <1, 1>> >(p); }();
    LAUNCH(add, p);
    run(add, p);
    parent << <1, 1>> >(p);
    cudaDeviceSynchronize();
    Stream s = {0};
    operator<< <int>(s, 3) << (1 << 2) << (n >> 4 > 1);
    printf("%d %d %s %s:%d\n", *p, s.sum, TEXT, __FILE__, __LINE__);
    return argc > 1 && n << argc < 5;
}
EOF
expected="404 8 k << <1, 1>> >(p); spaced.cu:38"
runs spaced "$expected"
[ -z "${CDP_TEST_ALL:-}" ] || runs spaced "$expected" -O0
runs spaced "$expected" -g -G
runs spaced "$expected" --threads 1
check spaced_dependencies "$CDPCC" -MD -c spaced.cu -o spaced.o
grep -q '^spaced.o: spaced.cu' spaced.d && grep -q 'sub/launch.h' spaced.d && ! grep -q respelled spaced.d &&
    ok spaced_dependencies_by_their_names || fail spaced_dependencies_by_their_names "$(head -3 spaced.d)"
{ cat spaced.cu; echo '__device__ void lane(int *p) { asm("mov.u32 %0, %laneid;" : "=r"(*p)); }'; } >spaced_ptx.cu
runs spaced_ptx "404 8 k << <1, 1>> >(p); spaced_ptx.cu:38"
sed 's/^int main/__managed__ int managed;\n&/' spaced.cu >spaced_managed.cu
runs spaced_managed "404 8 k << <1, 1>> >(p); spaced_managed.cu:39"

# Messages have the user's lines, columns and words.
cat >wrong.cu <<'EOF'
__global__ void k(int *p) { *p = 7; }
void f(int *p)
{
    f(p), k << <1, 1>> >(p); k << <1, 1>> >(nothing);
    k << <1>> >(p);
}
EOF
"$CDPCC" -Wall -c wrong.cu 2>err.txt && fail wrong_launches "status 0"
cat >want.txt <<'EOF'
wrong.cu:4:45: error: use of undeclared identifier 'nothing'
    4 |     f(p), k << <1, 1>> >(p); k << <1, 1>> >(nothing);
      |                                             ^
wrong.cu:5:12: error: too few execution configuration arguments to kernel function call, expected at least 2, have 1
    5 |     k << <1>> >(p);
      |            ^
2 errors generated.
EOF
sed 's/\^~*/^/' err.txt | cmp -s - want.txt && ok words_of_wrong_launches ||
    fail words_of_wrong_launches "$(diff want.txt err.txt | head -20)"

# Code that nvcc refuses is still refused, at its position.
refused() { # refused NAME LINE:COLUMN < SOURCE
    cat >"$1.cu"
    "$CDPCC" -c "$1.cu" 2>err.txt && { fail "$1" "status 0"; return; }
    grep -q "^$1.cu:$2: error" err.txt && ok "$1" || fail "$1" "$(cat err.txt)"
}
refused apart_three_times 1:38 <<<'__global__ void k() {} void f() { k< < <1, 1>>>(); }'
refused apart_after_one 1:38 <<<'__global__ void k() {} void f() { k< <<1, 1>>>(); }'
refused apart_by_a_line 3:1 <<<$'__global__ void k() {}\nvoid f() { k <<\n<1, 1>>>(); }'
refused shift_without_operand 1:28 <<<'int f(int a) { return a << < 3; }'
nothing_left respelled_sources_leave_nothing

# A source that needs none of this is compiled once: each side's compiler runs once.
cat >counting-clang <<EOF
#!/bin/sh
case "\$*" in *-fcuda-is-device*) echo device >>$work/runs;; *"-x cuda"*) echo host >>$work/runs;; esac
exec clang-22 "\$@"
EOF
chmod +x counting-clang
CUDA_CACHE_DISABLE=1 CDPCC_CLANG=$work/counting-clang check one_run_of_each_side "$CDPCC" -c hello.cu
[ "$(sort runs | tr '\n' ' ')" = "device host " ] && ok plain_source_is_read_once || fail plain_source_is_read_once "$(cat runs)"
: >runs
CUDA_CACHE_DISABLE=1 CDPCC_CLANG=$work/counting-clang "$CDPCC" -c wrong.cu 2>err.txt
[ "$(sort runs | tr '\n' ' ')" = "device device host host " ] && ok respelled_source_is_read_twice ||
    fail respelled_source_is_read_twice "$(cat runs)"

# ---- Shared variables with constructors ----
cat >sub/barrier.h <<'EOF'
// Shaped as cuda::barrier: a constructor that is not trivial, members of such classes, and init.
namespace sync {
enum scope { block };
template <class T> struct word {
    T value;
    __device__ word() : value() {}
    word(const word &) = delete;
};
template <scope S> class barrier {
    word<unsigned long long> expected, arrived;
    struct phases { word<int> now; } phase;
  public:
    barrier() = default;
    barrier(const barrier &) = delete;
    __device__ ~barrier() { expected.value = 0; }
    __device__ void begin(unsigned n) { expected.value = n, arrived.value = 0, phase.now.value = 0; }
    __device__ void arrive_and_wait() {
        const int mine = *(volatile int *)&phase.now.value;
        if (atomicAdd(&arrived.value, 1ull) + 1 == expected.value) {
            arrived.value = 0;
            __threadfence();
            *(volatile int *)&phase.now.value = mine + 1;
        }
        while (*(volatile int *)&phase.now.value == mine) {}
    }
    friend __device__ void init(barrier *b, unsigned n) { b->begin(n); }
};
}
EOF
cat >barrier.cu <<'EOF'
#include "sub/barrier.h"
#include <cstdio>
#pragma nv_diag_suppress static_var_with_dynamic_init
struct Five { int a = 5; };
template <class T> __device__ T *place() { static __shared__ T t; return &t; }
template <int N> __global__ void turn(int *p)
{
    __shared__ sync::barrier<sync::block> b, more[2];
    __shared__ int s[N];
    Five __shared__ five;
    if (!threadIdx.x) {
        init(&b, N);
        init(&more[1], N);
        five.a = 6;
        place<Five>()->a = 7;
    }
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    auto wait = [=] { b.arrive_and_wait(); };
    wait();
    {
        __shared__ Five five;
        five.a = 8;
        more[1].arrive_and_wait();
        p[threadIdx.x] = s[N - 1 - threadIdx.x] + 100 * five.a;
    }
    p[threadIdx.x] += 1000 * five.a + 10000 * place<Five>()->a + 100000 * sizeof(more) / sizeof(b);
}
int main()
{
    int *p, bad = 0;
    cudaMallocManaged(&p, 256);
    turn<64><<<1, 64>>>(p);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) bad += p[i] != 63 - i + 276800;
    printf("%d %s\n", bad, cudaGetErrorName(error));
}
EOF
several=(-O2 "-g -G" -std=c++11)
[ -z "${CDP_TEST_ALL:-}" ] || several+=(-O0 -std=c++20)
for flags in "${several[@]}"; do
    # shellcheck disable=SC2086
    runs barrier "0 cudaSuccess" $flags
done
export CDP_ENTRY=thread
runs barrier "0 cudaSuccess" -O3
unset CDP_ENTRY
{ cat barrier.cu; echo '__device__ void lane(int *p) { asm("mov.u32 %0, %laneid;" : "=r"(*p)); }'; } >barrier_ptx.cu
runs barrier_ptx "0 cudaSuccess"

# nvcc warns of constructors and destructors that do something when the program runs, and of no
# others.
cat >warned.cu <<'EOF'
struct Empty { int a; __device__ Empty() {} __device__ ~Empty() {} };
struct Constant { int a = 5; };
struct Constexpr { int a; constexpr __device__ Constexpr() : a(3) {} };
struct Works { int a; __device__ Works() { a = 1; } };
struct Ends { int a; __device__ ~Ends() { a = 0; } };
struct Virtual { int a; __device__ virtual void f() {} };
template <class T> __device__ int in_template() { __shared__ T t; return t.a; }
__global__ void k(int *p)
{
    __shared__ Empty empty;
    __shared__ Constant constant;
    __shared__ Constexpr constexpression;
    __shared__ Works works, others[3];
	static __shared__ Ends ends;
    Virtual __shared__ with_virtual;
    *p = empty.a + constant.a + constexpression.a + works.a + others[1].a + ends.a +
         with_virtual.a + in_template<Works>() + in_template<Constant>();
}
EOF
check constructors_are_accepted "$CDPCC" -c warned.cu
cat >want.txt <<'EOF'
warned.cu:13:22: warning: dynamic initialization
warned.cu:13:29: warning: dynamic initialization
warned.cu:14:25: warning: dynamic initialization
warned.cu:15:24: warning: dynamic initialization
warned.cu:7:64: warning: dynamic initialization
EOF
grep -oE '^warned.cu:[0-9:]* warning: dynamic initialization' err.txt | cmp -s - want.txt &&
    ok constructors_that_nvcc_warns_of || fail constructors_that_nvcc_warns_of "$(cat err.txt)"
printf '   13 |     __shared__ Works works, others[3];\n      |                             ^\n' >want.txt
grep -A2 'warned.cu:13:29' err.txt | tail -2 | cmp -s - want.txt && ok own_words_of_a_declaration ||
    fail own_words_of_a_declaration "$(grep -A2 'warned.cu:13:29' err.txt)"
grep -qE '__cdp|diagnose_if' err.txt && fail no_word_of_ours "$(grep -E '__cdp|diagnose_if' err.txt)" || ok no_word_of_ours
once() {
    [ "$(grep -c "$2" err.txt)" = 1 ] && ok "$1" || fail "$1" "$(cat err.txt)"
}
once five_warnings_in_all '^5 warnings generated'

cat >initialized.cu <<'EOF'
struct Works { int a; __device__ Works() { a = 1; } };
__shared__ Works at_file_scope;
__global__ void k(int *p)
{
    __shared__ int number = 3;
    __shared__ Works works{};
    *p = number + works.a + at_file_scope.a;
}
EOF
"$CDPCC" -c initialized.cu 2>err.txt && fail initializers_are_refused "status 0"
for place in 2:18 5:20 6:22; do
    once "refused_at_$place" "^initialized.cu:$place: error: initialization is not supported for __shared__ variables"
done
once three_errors_in_all '^3 errors generated'
nothing_left shared_variables_leave_nothing

# ---- Texture references ----
cat >texture.cu <<'EOF'
#include <cstdio>
texture<float> ref;
surface<void, 2> out;
__global__ void k(float *o) { o[0] = tex1Dfetch(ref, 1); if (o[0] < 0) surf2Dwrite(1.0f, out, 0, 0); }
int main()
{
    float *p;
    cudaMallocManaged(&p, 8), p[0] = 1, p[1] = 2;
    if (cudaBindTexture(0, ref, p, 8)) return 1;
    k << <1, 1>> >(p);
    cudaDeviceSynchronize();
    printf("%g\n", p[0]);
}
EOF
check texture_references_are_accepted "$CDPCC" texture.cu -o texture
cat >want.txt <<'EOF'
texture.cu:2:1: warning: 'texture<float>' is deprecated: texture references left CUDA in version 12: make a cudaTextureObject_t and pass it to the kernel [-Wdeprecated-declarations]
texture.cu:3:1: warning: 'surface<void, 2>' is deprecated: surface references left CUDA in version 12: make a cudaSurfaceObject_t and pass it to the kernel [-Wdeprecated-declarations]
EOF
grep '^texture.cu' err.txt | cmp -s - want.txt && ok references_are_deprecated || fail references_are_deprecated "$(cat err.txt)"
once two_warnings_in_all '^2 warnings generated'
[ "$(./texture)" = 2 ] && ok texture_references_run || fail texture_references_run "$(./texture)"
runs texture 2 -Wno-deprecated-declarations
# Names that CUDA 12 has not are the program's.
cat >own.cu <<'EOF'
struct surface { int height; };
cudaTextureObject_t texture;
__global__ void k(surface s, cudaTextureObject_t texture, float *o) { *o = s.height + (texture ? tex1Dfetch<float>(texture, 0) : 0); }
int main() { k<<<1, 1>>>(surface{3}, texture, nullptr); }
EOF
runs own "" -O1
: >runs
CUDA_CACHE_DISABLE=1 CDPCC_CLANG=$work/counting-clang "$CDPCC" -c own.cu
[ "$(sort runs | tr '\n' ' ')" = "device host " ] && ok own_names_are_read_once || fail own_names_are_read_once "$(cat runs)"
echo 'image<float> ref; texture<float, 2, unknown> other;' >wrong.cu
"$CDPCC" -c wrong.cu 2>err.txt && fail wrong_references "status 0"
once other_template_is_unknown "^wrong.cu:1:1: error: no template named 'image'"
once argument_is_unknown "^wrong.cu:1:37: error: use of undeclared identifier 'unknown'"
nothing_left texture_references_leave_nothing
finish
