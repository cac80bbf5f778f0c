#!/usr/bin/env bash
# The programs printed in CUDA's guides, the book and the tutorial (tests/seeds) give the results
# that their texts state: with 1, 2 and 8 workers, by both entries, with 20 seeds, and with CDP_TEST_ALL
# also unoptimized and under AddressSanitizer. Errors in the printed programs are corrected there in lines
# that say why. -DAS_PRINTED gives the printed form, which must compile, and gives wrong results.
# rules: S56
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
export CDP_TEST_DIR=$top/tests/seeds

# Thrust's headers take long to compile: the quadtree is tested only with optimization, and the rest
# with CDP_TEST_ALL.
some='^[^q]'
[ -z "${CDP_TEST_ALL:-}" ] || some=.

[ -z "${CDP_TEST_ALL:-}" ] ||
    check "unoptimized" env CDP_TEST_THREADS=0 "$top/tests/run_cu.sh" "$some" -- -O0
check "optimized, and with 20 seeds" env CDP_TEST_SEEDS=20 "$top/tests/run_cu.sh" . -- -O2
[ -z "${CDP_TEST_ALL:-}" ] ||
    check "under AddressSanitizer" env CDP_TEST_THREADS=0 "$top/tests/run_cu.sh" "$some" -- -O1 -fsanitize=address

# The races of the printed forms are for the race check. Their overruns are found here.
for source in $(grep -l AS_PRINTED "$CDP_TEST_DIR"/*.cu); do
    name=$(basename "$source" .cu)
    [ "$name" != permute ] && [[ $name =~ $some ]] || continue
    check "$name compiles as printed" "$CDPCC" -O0 -DAS_PRINTED -c "$source" -o "$work/$name.o"
done
overruns() {
    "$CDPCC" -O1 -g -fsanitize=address -DAS_PRINTED "$CDP_TEST_DIR/permute.cu" -o "$work/permute" &&
        ! limit 60 "$work/permute" >"$work/out" 2>&1 &&
        says "$work/out" 'AddressSanitizer: use-after-poison' '#0 .*permute.*permute.cu:22'
}
check "permute as printed overruns its shared memory" overruns
finish
