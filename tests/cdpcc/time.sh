#!/bin/bash
# cdpcc --time prints where the processor time goes: by step, by pass of device code, and by version
# of a kernel. The sums of the tables agree with each other.
. "$(dirname "$0")/support.bash"

cat >kernels.cu <<'CU'
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
__global__ void add(float *x, const float *y)
{
    x[threadIdx.x] += y[threadIdx.x];
}
int main()
{
    scale<<<1, 256>>>(nullptr, 0);
    cudaDeviceSynchronize();
}
CU

"$CDPCC" --time kernels.cu -o program >out.txt 2>table.txt || fail compiles "$(cat table.txt)"
has() { # has NAME PATTERN
    grep -qE -- "$2" table.txt && ok "$1" || fail "$1" "no '$2' in: $(cat table.txt)"
}
[ ! -s out.txt ] && ok on_standard_error_only || fail on_standard_error_only "$(cat out.txt)"
has front_end_of_the_host '^ +[0-9.]+  host code: front end'
has front_end_of_the_device '^ +[0-9.]+  device code: front end'
has code_of_the_device '^ +[0-9.]+  device code: passes'
has link "^ +[0-9.]+  linking 'program'"
has code_generation '^ +[0-9.]+  code generation$'
has kernels '^ +[0-9.]+ .* +[1-9][0-9]*  _Z5scalePfi$'
has known_size '^ +[0-9.]+ .* +[1-9][0-9]*    fixed1$'
has thread_entries '^ +[0-9.]+ .*    thread$'

# Each table ends with its sum: the rows add up to it, and no table has more than the one before.
awk '/ all$/ { if (n++ == 0) total = $1; if ($1 > last && n > 1) exit 1; last = $1
         if (n < 3 && (sum - $1 > 1 || $1 - sum > 1)) exit 1; sum = 0; next }
     $1 ~ /^[0-9.]+$/ { sum += $1 }
     END { if (n != 3 || total <= 0) exit 1 }' table.txt &&
    ok sums || fail sums "$(cat table.txt)"

# It is what the command took, by the shell's own measurement.
TIMEFORMAT='%U %S'
taken=$( { time "$CDPCC" --time -c kernels.cu -o object.o 2>table.txt; } 2>&1)
awk -v taken="$taken" '/ all$/ { split(taken, t, " "); all = 1000 * (t[1] + t[2])
        exit !($1 > all / 2 - 50 && $1 < all + 50) }' table.txt &&
    ok all_of_it || fail all_of_it "the command took '$taken'; $(cat table.txt)"

# Names of files that look like lines of the table.
odd=$'a\n2\t5\tfoo\tb.cu'
cp kernels.cu "$odd"
"$CDPCC" --time -c "$odd" -o odd.o 2>table.txt && grep -q ' all$' table.txt &&
    ok odd_names || fail odd_names "$(cat table.txt)"

# Without the option nothing is printed, and the object is the same.
"$CDPCC" -c kernels.cu -o plain.o 2>err.txt && [ ! -s err.txt ] && cmp -s object.o plain.o &&
    ok same_object || fail same_object "$(cat err.txt)"
refuses file_of_times "writes no file of times" "$CDPCC" --time=times.csv kernels.cu
finish
