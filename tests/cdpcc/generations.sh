#!/bin/bash
# The generations of dynamic parallelism: which options choose which one, and the messages for a
# unit that needs both.
# rules: M1 M2 M3 M4
. "$(dirname "$0")/support.bash"

cat >tail.cu <<'EOF'
#include <cstdio>
__global__ void hello() { printf("Hello "); }
__global__ void world() { printf("World!\n"); }
__global__ void parent()
{
    hello<<<1, 1>>>();
    world<<<1, 1, 0, cudaStreamTailLaunch>>>();
}
int main() { parent<<<1, 1>>>(); return cudaDeviceSynchronize(); }
EOF
cat >wait.cu <<'EOF'
__global__ void child() {}
__global__ void parent() { child<<<1, 1>>>(); cudaDeviceSynchronize(); }
int main() { parent<<<1, 1>>>(); return cudaDeviceSynchronize(); }
EOF
cat >flat.cu <<'EOF'
__global__ void child() {}
int main() { child<<<1, 1>>>(); return cudaDeviceSynchronize(); }
EOF

# silent NAME COMMAND...: it succeeds and prints nothing.
silent() {
    check "$@"
    [ ! -s err.txt ] || fail "$1" "$(cat err.txt)"
}
# says NAME TEXT COMMAND...: it fails with TEXT.
says() {
    local name=$1 text=$2
    shift 2
    "$@" >out.txt 2>err.txt && fail "$name" "status 0" ||
        { grep -qF -- "$text" err.txt && ok "$name" || fail "$name" "$(cat err.txt)"; }
}

for arch in 50 61 72 75 120; do
    silent "tail_launch_on_sm_$arch" "$CDPCC" -arch=sm_$arch -c tail.cu
done
silent tail_launch_without_options "$CDPCC" tail.cu -o tail
[ "$(./tail)" = "Hello World!" ] && ok tail_launch_runs || fail tail_launch_runs "other output"
for flags in -arch=sm_35 -arch=sm_37 --cdp=1 -DCUDA_FORCE_CDP1_IF_SUPPORTED \
    "-DCUDA_FORCE_CDP1_IF_SUPPORTED -arch=sm_70"; do
    # shellcheck disable=SC2086
    says "no_tail_launch_with_$flags" cudaStreamTailLaunch "$CDPCC" $flags -c tail.cu
    # shellcheck disable=SC2086
    silent "wait_with_$flags" "$CDPCC" $flags -c wait.cu
done
for arch in 50 72 89; do
    silent "wait_on_sm_$arch" "$CDPCC" -arch=sm_$arch -c wait.cu
done
says no_wait_on_sm_90 "into cudaStreamTailLaunch, or compile with --cdp=1, or with -arch below sm_90" "$CDPCC" -arch=sm_90 -c wait.cu

# The first generation does not have the second one's streams, and says what does.
for stream in TailLaunch FireAndForget GraphTailLaunch GraphFireAndForget GraphFireAndForgetAsSibling; do
    cat >stream.cu <<EOF
#ifdef cudaStream$stream
#error "a program cannot ask for the stream"
#endif
__device__ cudaStream_t stream() { return cudaStream$stream; }
EOF
    says "no_$stream" "compile with --cdp=2, or with -arch=sm_50 or later (nvcc also needs -rdc=true)" \
        "$CDPCC" -arch=sm_35 -c stream.cu
    [ "$(grep -c error: err.txt)" = 1 ] || fail "no_$stream" "more than one error"
done

# Both in one unit.
cat >both.cu <<'EOF'
__global__ void child() {}
__device__ cudaStream_t choose(bool last)
{
    return last ? cudaStreamTailLaunch : cudaStreamFireAndForget;
}
__global__ void first() { child<<<1, 1>>>(); cudaDeviceSynchronize(); }
__global__ void second(bool last) { child<<<1, 1, 0, choose(last)>>>(); cudaDeviceSynchronize(); }
EOF
check both_are_accepted "$CDPCC" -c both.cu
cat >want.txt <<'EOF'
both.cu:6:46: warning: no CUDA toolkit accepts both cudaDeviceSynchronize in device code, which -arch=sm_90 and later refuse, and cudaStreamTailLaunch [-Wcdp-generation]
both.cu:4:12: note: cudaStreamTailLaunch, which -arch below sm_50 and --cdp=1 refuse, is here
EOF
grep '^both.cu' err.txt | cmp -s - want.txt && ok both_are_warned_of_once || fail both_are_warned_of_once "$(cat err.txt)"
silent both_silenced "$CDPCC" -Wno-cdp-generation -c both.cu
silent both_silenced_by_w "$CDPCC" -w -c both.cu
says both_as_an_error "[-Werror,-Wcdp-generation]" "$CDPCC" -Werror=cdp-generation -c both.cu
check both_with_auto "$CDPCC" --cdp=auto -arch=sm_80 -c both.cu
grep -q 'Wcdp-generation' err.txt && ok both_with_auto_are_warned_of || fail both_with_auto_are_warned_of "no warning"
says both_with_1 "'cudaStreamTailLaunch' is unavailable: it belongs to the second generation" "$CDPCC" --cdp=1 -c both.cu
says both_with_2 "no matching function for call to 'cudaDeviceSynchronize'" "$CDPCC" --cdp=2 -c both.cu
# In two units they are a program that some toolkit accepts.
silent each_in_its_unit "$CDPCC" -c wait.cu tail.cu
# A host's wait is of no generation.
silent host_waits "$CDPCC" -c tail.cu

# Below compute capability 3.5 device code has no launches.
for arch in 20 30; do
    silent "flat_on_sm_$arch" "$CDPCC" -arch=sm_$arch -c flat.cu
    says "no_launch_on_sm_$arch" "needs compute capability 3.5 (-arch=sm_35 or later); -arch=sm_$arch was given" \
        "$CDPCC" -arch=sm_$arch -c wait.cu
done
silent launch_on_the_highest_of_several "$CDPCC" -gencode arch=compute_30,code=sm_30 \
    -gencode arch=compute_35,code=sm_35 -c wait.cu

# Versions: nvcc's macros, the output of --version, and the runtime's version.
cat >version.cu <<'EOF'
#include <cstdio>
#include <cuda.h>
#if !defined(__CUDACC_VER_MAJOR__) || !defined(__CUDACC_VER_MINOR__) || !defined(__CUDACC_VER_BUILD__)
#error no version
#endif
static_assert(CUDART_VERSION == 1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__, "");
static_assert(CUDA_VERSION == CUDART_VERSION && __CUDART_API_VERSION == CUDART_VERSION, "");
int main()
{
    int runtime = 0, driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    printf("release %d.%d, V%d.%d.%d\n", runtime / 1000, runtime % 1000 / 10, __CUDACC_VER_MAJOR__,
           __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
    return driver != runtime;
}
EOF
check version_macros "$CDPCC" version.cu -o version
version=$(./version) || fail driver_version "not the runtime's"
"$CDPCC" --version | grep -qE "^Cuda compilation tools, $version( |\$)" && ok one_version ||
    fail one_version "'$version' is not in $("$CDPCC" --version | tail -1)"
"$ROOT/bin/nvcc" --version | grep -qE "^Cuda compilation tools, $version( |\$)" && ok version_as_nvcc ||
    fail version_as_nvcc "$("$ROOT/bin/nvcc" --version | tail -1)"
release=${version%%, *}
for file in version.json lib64/pkgconfig/cudart.pc; do
    grep -q "[ \"]${release#release }" "$ROOT/$file" && ok "version_in_$file" || fail "version_in_$file" "another"
done
grep -q "^CUDA Version ${version##*V}\$" "$ROOT/version.txt" && grep -q "\"${version##*V}\"" "$ROOT/version.json" && ok version_of_nvcc || fail version_of_nvcc "another"
finish
