# Shared by the scripts beside it: each sources this first.  CDPCC names the
# compiler under test; TOP is the repository; the current directory is private.
set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CDPCC=$(readlink -f "${CDPCC:-$TOP/build/bin/cdpcc}")
if [ ! -x "$CDPCC" ]; then
    echo "FAIL $0: no compiler; set CDPCC or run make first"
    exit 1
fi
HERE=$TOP/tests/cdpcc
ROOT=$(dirname "$(dirname "$CDPCC")")
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp
cd "$work" || exit 1

ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; failures=$((failures + 1)); }
finish() {
    # What tools/gen_semantics.sh reads.
    if [ -d "$TOP/build" ]; then
        mkdir -p "$TOP/build/results"
        [ $failures -eq 0 ] && echo passes >"$TOP/build/results/$(basename "$0")" ||
            echo FAILS >"$TOP/build/results/$(basename "$0")"
    fi
    exit $((failures != 0))
}

# limit SECONDS COMMAND...: ends it if it takes longer than a quiet machine would need.
limit() {
    timeout -k 5 "$(($1 * ${CDP_TEST_PATIENCE:-5}))" "${@:2}"
}

# check NAME COMMAND...: the command succeeds.
check() {
    local name=$1
    shift
    if "$@" >out.txt 2>err.txt; then
        ok "$name"
    else
        fail "$name" "status $?: $(head -c 300 out.txt err.txt | tr '\n' ' ')"
    fi
}

# refuses NAME TEXT COMMAND...: status 1 and exactly one line, with TEXT in it.
refuses() {
    local name=$1 text=$2 status=0
    shift 2
    "$@" >out.txt 2>err.txt || status=$?
    if [ $status != 1 ]; then
        fail "$name" "status $status, not 1"
    elif [ "$(cat out.txt err.txt | wc -l)" != 1 ]; then
        fail "$name" "not one line: $(cat out.txt err.txt | tr '\n' ' ')"
    elif ! grep -qF -- "$text" err.txt; then
        fail "$name" "says '$(cat err.txt)' without '$text'"
    else
        ok "$name"
    fi
}

# nothing_left NAME: no temporary directory stayed behind.
nothing_left() {
    if [ -z "$(ls -A "$TMPDIR")" ]; then
        ok "$1"
    else
        fail "$1" "left $(ls -A "$TMPDIR")"
    fi
}

cat >hello.cu <<'EOF'
#include <cstdio>
__global__ void child(int x) { printf("child %d\n", x); }
__global__ void parent(int x) { child<<<1, 1>>>(x); }
int main(int argc, char **argv)
{
    parent<<<1, 1>>>(argc > 1 ? 10 * argc : 7);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 1; i < argc; i++) printf("argument %s\n", argv[i]);
    return error == cudaSuccess ? 0 : 1;
}
EOF
