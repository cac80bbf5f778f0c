#!/bin/bash
# Pointers that a child cannot use, and writes to constants through a pointer: a warning at the
# line, and nothing if the pointer is not proven to be one.
# rules: S32 S33
. "$(dirname "$0")/support.bash"

# The declarations that most sources use; two lines before each source.
prelude='struct Box { int *p; int n; }; struct Big { int *p[4]; int n; }; __device__ int g, ga[4]; __constant__ int c; __global__ void child(int *p) { *p = 1; }
__global__ void boxed(Box b) { *b.p = 1; } __global__ void bigs(Big b) { *b.p[0] = 1; } __device__ void use(int *p) { *p += 1; }'

# warns NAME EXPECTED FLAGS...: compiling the source on standard input prints exactly the warnings
# and notes EXPECTED, as "line:column: text" without the source lines.
warns() {
    local name=$1 expected=$2
    shift 2
    { echo "$prelude"; cat; } >"$name.cu"
    "$CDPCC" -S "$@" "$name.cu" -o "$name.s" 2>err.txt || { fail "$name" "$(cat err.txt)"; return; }
    grep -E "^$name.cu:" err.txt | sed -e "s/^$name.cu://" >got.txt
    printf '%s' "$expected" >want.txt
    [ -z "$expected" ] || echo >>want.txt
    if cmp -s want.txt got.txt; then ok "$name"; else fail "$name" "$(diff want.txt got.txt | tr '\n' ' ')"; fi
}

local_x() { # local_x LINE:COLUMN DECLARATION [KERNEL]
    echo "$1: warning: pointer to local variable 'x' passed to child kernel '${3:-child}' [-Wcdp-local-pointer]
$2: note: 'x' declared here"
}

# The origin of the pointer.
warns local_variable "$(local_x 5:5 4:9)" <<'CU'
__global__ void k() {
    int x = 0;
    child<<<1, 1>>>(&x);
}
CU
warns local_array "$(local_x 5:5 4:9)" <<'CU'
__global__ void k() {
    int x[4];
    child<<<1, 1>>>(x);
}
CU
warns pointer_arithmetic "$(local_x 5:5 4:9)" <<'CU'
__global__ void k(int i) {
    int x[4][3];
    child<<<1, 1>>>(&x[i][1] - 1);
}
CU
warns pointer_variable "$(local_x 6:5 4:9)" <<'CU'
__global__ void k() {
    int x;
    int *p = &x; p++;
    child<<<1, 1>>>(p);
}
CU
warns pointer_in_a_loop "$(local_x 6:9 4:9)" <<'CU'
__global__ void k(int n) {
    int x[8];
    for (int *p = x; p < x + n; p++)
        child<<<1, 1>>>(p);
}
CU
warns reference "$(local_x 6:5 4:9)" <<'CU'
__global__ void k() {
    int x;
    int &r = x;
    child<<<1, 1>>>(&r);
}
CU
warns shared_variable "6:5: warning: pointer to shared variable 's' passed to child kernel 'child' [-Wcdp-shared-pointer]
4:20: note: 's' declared here
7:5: warning: pointer to shared variable 't' passed to child kernel 'child' [-Wcdp-shared-pointer]
5:20: note: 't' declared here" <<'CU'
__global__ void k(int i) {
    __shared__ int s;
    __shared__ int t[4];
    child<<<1, 1>>>(&s);
    child<<<1, 1>>>(t + i);
}
CU
warns dynamic_shared_array "5:5: warning: pointer to shared variable 'dynamic' passed to child kernel 'child' [-Wcdp-shared-pointer]" <<'CU'
extern __shared__ int dynamic[];
__global__ void k(int i) {
    child<<<1, 1>>>(dynamic + i);
}
CU
warns parameter "4:5: warning: pointer to parameter 'n' passed to child kernel 'child' [-Wcdp-local-pointer]
3:23: note: 'n' declared here
5:5: warning: pointer to parameter 'b' passed to child kernel 'child' [-Wcdp-local-pointer]
3:30: note: 'b' declared here
6:5: warning: pointer to parameter 'v' passed to child kernel 'child' [-Wcdp-local-pointer]
3:37: note: 'v' declared here" <<'CU'
__global__ void k(int n, Box b, Big v) {
    child<<<1, 1>>>(&n);
    child<<<1, 1>>>(&b.n);
    child<<<1, 1>>>(&v.n);
}
CU
warns struct_with_a_pointer "$(local_x 6:5 4:9 boxed)" <<'CU'
__global__ void k() {
    int x;
    Box b = {&x, 1};
    boxed<<<1, 1>>>(b);
}
CU
warns large_struct_with_a_pointer "$(local_x 7:5 4:9 bigs)" <<'CU'
__global__ void k() {
    int x;
    Big b;
    b.p[0] = &g, b.p[3] = &x;
    bigs<<<1, 1>>>(b);
}
CU
warns lambda_by_reference "$(local_x 6:5 5:9 'run<(lambda at lambda_by_reference.cu:6:19)>')" <<'CU'
template <class F> __global__ void run(F f) { f(); }
__global__ void k() {
    int x = 1;
    run<<<1, 1>>>([&] { x = 2; });
}
CU
warns by_hand "6:21: warning: pointer to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
4:9: note: 'x' declared here" <<'CU'
__global__ void k() {
    int x;
    void *buffer = cudaGetParameterBuffer(64, 8);
    *(int **)buffer = &x;
    cudaLaunchDevice((void *)child, buffer, dim3(1), dim3(1), 0, 0);
}
CU
warns kernel_of_another_unit "$(local_x 6:5 5:9 far)" <<'CU'
__global__ void far(int *);
__global__ void k() {
    int x;
    far<<<1, 1>>>(&x);
}
CU
warns kernel_through_a_pointer "5:5: warning: pointer to local variable 'x' passed to a child kernel [-Wcdp-local-pointer]
4:9: note: 'x' declared here" <<'CU'
__global__ void k(void (*f)(int *)) {
    int x;
    f<<<1, 1>>>(&x);
}
CU

# Through functions: the launch's line, and the calls that lead to it.
warns helper_that_launches "3:34: warning: pointer to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
6:5: note: in a call of 'helper' here
5:9: note: 'x' declared here" <<'CU'
__device__ void helper(int &r) { child<<<1, 1>>>(&r); }
__global__ void k() {
    int x;
    helper(x);
    helper(g);
}
CU
warns two_helpers_deep "3:46: warning: pointer to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
4:33: note: in a call of 'inner' here
7:5: note: in a call of 'outer' here
6:9: note: 'x' declared here" <<'CU'
__noinline__ __device__ void inner(int *p) { child<<<1, 1>>>(p); }
__device__ void outer(int *p) { inner(p + 1); }
__global__ void k() {
    int x[2];
    outer(x);
}
CU
warns helper_that_derives "$(local_x 6:5 5:9)" <<'CU'
__device__ int *next(int *p) { return p + 1; }
__global__ void k() {
    int x[4];
    child<<<1, 1>>>(next(x));
}
CU
warns method "4:28: warning: pointer to local variable 'self' passed to child kernel 'child' [-Wcdp-local-pointer]
8:10: note: in a call of 'go' here
7:10: note: 'self' declared here" <<'CU'
struct Self { int n;
    __device__ void go() { child<<<1, 1>>>(&n); }
};
__global__ void k() {
    Self self;
    self.go();
}
CU

# Several origins.
warns either_of_two "5:5: warning: pointer to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
4:9: note: 'x' declared here
5:5: warning: pointer to local variable 'y' passed to child kernel 'child' [-Wcdp-local-pointer]
4:12: note: 'y' declared here" <<'CU'
__global__ void k(bool b) {
    int x, y;
    child<<<1, 1>>>(b ? &x : &y);
}
CU
warns perhaps_local "6:5: warning: pointer that may point to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
4:9: note: 'x' declared here" <<'CU'
__global__ void k(bool b) {
    int x, *p = &g;
    if (b) p = &x;
    child<<<1, 1>>>(p);
}
CU

# Unproven, or correct.
warns pointer_was_changed "" <<'CU'
__device__ void set(int **p) { *p = ga; }
__device__ int *pick(int *a, int *b, bool first) { return first ? a : b; }
__global__ void k(int *q) {
    int x = 0, *p = &x;
    use(p), p = q;
    child<<<1, 1>>>(p);
    p = &x, set(&p);
    child<<<1, 1>>>(p);
    Box b = {&x, 1};
    use(b.p), b.p = &g;
    boxed<<<1, 1>>>(b);
    child<<<1, 1>>>(pick(&x, &g, false));
}
CU
warns values_of_locals "" <<'CU'
template <class F> __global__ void run(F f) { f(); }
__global__ void numbers(int a, Box b, int *p, long address) { *p = a + b.n; }
__global__ void k(int *p, Box b) {
    int x = 1;
    __shared__ int s[4];
    int *table[3] = {p, &g, ga};
    s[0] = 1, use(s), use(&x);
    numbers<<<1, x, s[0]>>>(s[1], b, &ga[x], (long)&x);
    for (int i = 0; i < 3; i++) child<<<1, 1>>>(table[i]);
    run<<<1, 1>>>([=] { *p = x; });
    int *heap = (int *)malloc(4);
    child<<<1, 1>>>(heap), child<<<1, 1>>>(nullptr);
}
CU
warns host_launches "" <<'CU'
void f() { int x; child<<<1, 1>>>(&x); }
CU

# Nothing is wrong with the examples.
for example in "$TOP"/examples/*.cu; do
    check "example_$(basename "$example" .cu)" "$CDPCC" -c -Werror "$example" -o example.o
done

# Constants. A write by name is an error, see lower_checks.sh.
warns constant_through_a_helper "3:36: warning: device code writes to the __constant__ variable 'c' through a pointer [-Wcdp-constant-write]
5:5: note: in a call of 'write' here" <<'CU'
__device__ void write(int *p) { *p = 3; }
__global__ void k() {
    write(&c);
    write(&g);
}
CU
warns constant_through_a_cast "5:15: warning: device code writes to the __constant__ variable 'c' through a pointer [-Wcdp-constant-write]" <<'CU'
__global__ void k() {
    const int *p = &c;
    *(int *)p = 1;
}
CU
warns constant_is_read "" <<'CU'
__device__ int read(const int *p) { return *p; }
__global__ void k(int *p, bool b) {
    *p = read(&c);
    int *q = b ? p : (int *)&c;
    if (b) *q = 1;
}
CU

# The source line with the caret; tabs are shown as in clang.
printf '__global__ void child(int *p) {}\n__global__ void k() {\n\tint x;\n\tchild<<<1, 1>>>(&x);\n}\n' >shown.cu
"$CDPCC" -c shown.cu 2>got.txt
cat >want.txt <<'EOF'
shown.cu:4:2: warning: pointer to local variable 'x' passed to child kernel 'child' [-Wcdp-local-pointer]
    4 |         child<<<1, 1>>>(&x);
      |         ^
shown.cu:3:6: note: 'x' declared here
    3 |         int x;
      |             ^
1 warning generated.
EOF
cmp -s want.txt got.txt && ok source_and_caret || fail source_and_caret "$(diff want.txt got.txt)"

# Options.
quiet() {
    local name=$1
    shift
    check "$name" "$CDPCC" -c shown.cu "$@"
    [ ! -s err.txt ] || fail "$name" "$(cat err.txt)"
}
quiet no_warnings -w
quiet turned_off -Wno-cdp-local-pointer
quiet last_word_counts -Wno-cdp-local-pointer -Wcdp-local-pointer -Wno-cdp-local-pointer
"$CDPCC" -c shown.cu -Wno-cdp-shared-pointer 2>err.txt
grep -q 'local-pointer' err.txt && ok other_warning_turned_off || fail other_warning_turned_off "$(cat err.txt)"
for flag in -Werror -Werror=cdp-local-pointer "-Werror all-warnings"; do
    # shellcheck disable=SC2086
    if "$CDPCC" -c $flag shown.cu -o error.o 2>err.txt; then
        fail "error_by_$flag" "accepted"
    elif grep -q "shown.cu:4:2: error: pointer to local .* \[-Werror,-Wcdp-local-pointer\]" err.txt; then
        ok "error_by_$flag"
    else
        fail "error_by_$flag" "$(cat err.txt)"
    fi
done
check not_an_error "$CDPCC" -c -Werror -Wno-error=cdp-local-pointer shown.cu
refuses unknown_warning "'-Wcdp-pointer' is not a warning of cdpcc" "$CDPCC" -c -Wcdp-pointer shown.cu
"$CDPCC" -c -G -g shown.cu 2>got.txt
cmp -s want.txt got.txt && ok without_optimization || fail without_optimization "$(diff want.txt got.txt)"
finish
