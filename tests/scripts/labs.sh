#!/usr/bin/env bash
# The exercises in labs/, and cdp-lab: each starter fails with the hint that belongs to its mistake, each solution
# passes, with 1 and 2 workers; with CDP_TEST_ALL it also runs without checks. The commands in the texts work.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
PATH=$(dirname "$(readlink -f "$(command -v "$CDPCC")")"):$PATH
labs=$top/labs
cd "$work" || exit 2
unset "${!CDP_CHECK@}" CDP_TIMEOUT CDP_WORKERS

# What the check of each starter must report and advise, as regular expressions.
expected() {
    case $1 in
    ex01*) echo 'memory: read of 4 bytes beyond the end of an allocation|hint: Compare the number of threads' ;;
    ex02*) echo 'memory: write of 4 bytes beyond the end of an allocation|hint: How many rows does .out. have' ;;
    ex03*) echo 'api: the launch roots.* failed, and the program does not read the error|hint: A launch returns nothing' ;;
    ex04*) echo 'race: thread .* writes 4 bytes that thread .* reads|hint: One thread reads what another thread of its block' ;;
    ex05*) echo 'race: thread .* of block .1,0,0. reads 4 bytes|hint: Blocks run at the same time' ;;
    ex06*) echo 'init: read of 4 bytes of shared memory that no thread|hint: .local. is shared memory' ;;
    ex07*) echo 'counts: tiles.cu:25: 32.0 sectors of 32 bytes each time a warp writes global memory|hint: The threads of a warp have' ;;
    ex08*) echo 'race: thread .* reads 4 bytes that a copy or fill writes|hint: The kernel and the copy to the device' ;;
    ex09*) echo "memory: parameter 1 \\('row'\\) of kernel compute points to local variable|hint: The child cannot read variables" ;;
    ex10*) echo 'init: read of 4 bytes of memory that nobody wrote|hint: The parent reads the sums of its children' ;;
    ex11*) echo 'the output differs in line 1|hint: Fill the gap first' ;;
    ex12*) echo 'race: thread .* reads 4 bytes that thread .* writes|hint: Look at the two lines that begin with' ;;
    esac
}

ends() { # ends STATUS COMMAND...: out and err
    local expected=$1 status
    limit 100 "${@:2}" >out 2>err </dev/null
    status=$?
    [ $status = "$expected" ] || { echo "exit status $status, not $expected:"; cat out err; return 1; }
}

# commands FILE: the indented commands of a text.
commands() { sed -n 's/^    \(\$ \)\{0,1\}\(\(cdp\|CDP\|\.\/\)[^#]*\).*/\2/p' "$1"; }

# starter EXERCISE: a student without experience types all commands of the text. Only the check fails.
starter() {
    local command status text
    mkdir "$1" && cd "$1" || return 1
    while IFS= read -r command; do
        limit 60 bash -c "$command" >out 2>&1 </dev/null
        status=$?
        [[ $command != "cdp-lab check"* ]] || { cp out checked; status=$((status == 1 ? 0 : 99)); }
        [ $status = 0 ] || { echo "$command: status $status"; cat out; return 1; }
    done < <(commands "$labs/$1/README.md")
    text=$(expected "$1")
    cd "$work" && says "$1/checked" "^ +${text%%|*}" "^ +${text#*|}" '^score: [0-9]+ of [0-9]+$' &&
        { [[ $1 == ex11* ]] || says "$1/checked" '[a-z_]\.cu:[0-9]+'; }
}

# bare EXERCISE: the solution without checks, with 1 and 2 workers. cdp-lab runs it with checks, too, so this
# rarely finds more.
bare() {
    local line arguments wanted workers status=0
    "$CDPCC" "$labs/solutions/$1"/*.cu -o "$1.bare" || return 1
    while IFS= read -r line; do
        read -ra arguments <<<"${line%% => *}"
        read -ra wanted <<<"${line#* => }"
        [ "${wanted[0]}" != counts ] || continue
        for workers in 1 2; do
            CDP_WORKERS=$workers limit 30 "./$1.bare" ${arguments[@]+"${arguments[@]}"} >out 2>err
            [ $? = "${wanted[2]:-0}" ] || { echo "${arguments[*]}: exit status"; cat out err; status=1; }
            cmp "$labs/$1/${wanted[0]}" out || status=1
        done
    done < <(grep ' => ' "$labs/$1/cases" | grep -v '^#')
    return $status
}

exercises=()
for folder in "$labs"/ex*/; do
    exercises+=("$(basename "$folder")")
done
for exercise in "${exercises[@]}"; do
    check "the starter of $exercise fails with its hint" starter "$exercise"
    [ -z "${CDP_TEST_ALL:-}" ] || check "the solution of $exercise runs without checks" bare "$exercise"
done
# after EXERCISE SED REPORT HINT: the solution, changed into what a student may have after a first step.
after() {
    local source
    source=$(basename "$labs/$1"_*/*.cu)
    sed "$2" "$labs/solutions/$1"_*/"$source" >"$source"
    ! cmp -s "$source" "$labs/solutions/$1"_*/"$source" && ends 1 cdp-lab check "$1" && says out "^ +$3" "^ +hint: $4"
}
check "ex03, only the launch is tested" after ex03 's/error = cudaDeviceS.*//' 'printed: +line [0-9]*: device-side assert' 'Compare the text'
check "ex04, a barrier in a branch" after ex04 's/__syncthreads();/if (i < n) __syncthreads();/' 'sync: thread .* waits at' 'A barrier inside an'
check "ex06, counts by ++" after ex06 's/atomicAdd(&local\(.*\), 1);/local\1++;/' 'race: thread .* that thread .* writes' 'Two threads change the same count'
check "ex07, a tile without padding" after ex07 's/TILE + 1\]/TILE]/' 'counts: tiles.cu:32: 31.0 bank conflicts' 'The threads of a warp go down'
check "ex08, only the first event" after ex08 '/WaitEvent(copying/d' 'race: .* writes 4 bytes that a copy or fill reads' 'The copy back and the kernel'
check "ex10, waits as in CUDA 11" after ex10 's/join<<<.*/cudaDeviceSynchronize();/' 'api: cudaDeviceSynchronize\(\) does not wait' 'A wait in a kernel'
check "ex11, the arrays are not exchanged" after ex11 's/(child, to, from/(child, from, to/' 'printed: +112 leaves' 'Which of the two arrays'
solutions() {
    cdp-lab check all "$labs/solutions" -j2 >out && cat out && [ "$(grep -c ' passed' out)" = ${#exercises[@]} ]
}
check "all solutions pass, with 1 and 2 workers" solutions
texts_are_short() {
    local text bad=0
    for text in "$labs"/ex*/README.md; do
        [ "$(wc -l <"$text")" -le 60 ] || { echo "$text: more than a page"; bad=1; }
    done
    return $bad
}
check "texts have one page" texts_are_short

# The tool.
lists() { ends 0 cdp-lab list && [ "$(wc -l <out)" = ${#exercises[@]} ] && says out '^ex01 +vector_add.cu +vector addition$'; }
check "list" lists
shows() { ends 0 cdp-lab show ex01 && cmp out "$labs/ex01_vector_add/README.md"; }
check "show" shows
starts() {
    ends 0 cdp-lab start ex01 new && cmp new/vector_add.cu "$labs/ex01_vector_add/vector_add.cu" &&
        echo mine >new/vector_add.cu && ends 2 cdp-lab start ex01 new && says err 'exists already' &&
        ends 0 cdp-lab start all new && [ "$(cat new/vector_add.cu)" = mine ] && cmp new/transpose.cu "$labs"/ex02*/transpose.cu
}
check "start copies, and overwrites nothing" starts
misused() {
    ends 0 cdp-lab show 1 && ends 0 cdp-lab show vector_add.cu && ends 2 cdp-lab && ends 2 cdp-lab check && ends 2 cdp-lab check ex99 && says err 'ex99: no such exercise' &&
        ends 2 cdp-lab check ex01 absent.cu && ends 2 cdp-lab --time 0 list && ends 2 cdp-lab --bogus && ends 2 cdp-lab check all absent &&
        mkdir -p empty && ends 2 cdp-lab check all empty && ends 2 cdp-lab --labs empty list && ends 0 cdp-lab --help && says out 'Exit status'
}
check "wrong use" misused

# An exercise of a teacher's own, and programs that do what programs of students do.
mkdir -p own/ex01_hello own/ex02_absent
echo '# Exercise 1: hello' | tee own/ex01_hello/README.md >own/ex02_absent/README.md
printf '%s\n' '# comment' '1 => hello.expected' '2 3 => hello.expected exit 4' ' => exit 5' | tee own/ex01_hello/cases >own/ex02_absent/cases
printf '%s\n' 'the output differs => Greet the world.' 'error: => Read the first error.' '. => General.' | tee own/ex01_hello/hints >own/ex02_absent/hints
printf 'hello\nworld\n' >own/ex01_hello/hello.expected
echo 'int main() {}' | tee own/ex01_hello/hello.cu >own/ex02_absent/absent.cu
program() { # program BODY: hello.cu, whose main() does BODY before it ends as it must
    {
        printf '#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n'
        printf '__global__ void race(int *a) { *a = threadIdx.x; }\nint main(int argc, char **) {\n    %s\n' "$1"
        printf '    if (argc > 1) puts("hello\\nworld");\n    return argc == 2 ? 0 : argc == 3 ? 4 : 5;\n}\n'
    } >hello.cu
}
own() { ends "$1" cdp-lab --labs own "${@:2}"; }
passes() { program '' && own 0 check ex01 && says out '^  passed  hello 2 3$' '^score: 3 of 3$'; }
check "arguments, output and exit status" passes
differs() {
    program 'puts("oh");' && own 1 check ex01 && says out '^ +the output differs in line 1:' '^ +expected: hello' '^ +printed: +oh' \
        '^ +hint: Greet the world\.$' '^  passed  hello$' '^score: 1 of 3$' &&
        program 'if (argc > 1) { puts("hello"); return argc == 2 ? 0 : 4; }' && own 1 check ex01 && says out 'line 2' 'printed:  \(no such line\)' &&
        program 'exit(7);' && own 1 check ex01 && says out 'exits with status 7; expected: status 0' 'hint: General'
}
check "what differs is said, with a hint" differs
does_not_compile() {
    program 'int x = y;' && own 3 check hello.cu && says out "hello.cu:6:13: error: use of undeclared identifier 'y'" 'hint: Read' '^score: 0 of 3$'
}
check "a program that does not compile" does_not_compile
# The environment cannot turn off checks.
with_race() {
    program 'int *a; if (cudaMalloc(&a, 4)) return 9; race<<<1, 2>>>(a); if (cudaFree(a)) return 9;' &&
        own 1 check ex01 && says out 'race: thread' && CDP_CHECK=none own 1 check ex01 && says out 'race: thread'
}
check "findings of the checks" with_race
hangs() {
    program 'for (volatile int i = 0; ; ) i = 1;' && own 1 --time 1 check ex01 && says out 'does not end within 1 s'
}
check "a program that does not end" hangs
eats() {
    program 'volatile char *p = (char *)malloc(1 << 29); for (int i = 0; i < 1 << 29; i += 4096) p[i] = 1; sleep(9);' &&
        own 1 --memory 200 check ex01 && says out 'needs more than 200 MB of memory'
}
check "a program that takes too much memory" eats
device_memory() {
    program 'int *a; if (cudaMalloc(&a, (size_t)1 << 28)) { puts(cudaGetErrorName(cudaGetLastError())); return 9; }' &&
        own 1 --memory 200 check ex01 && says out 'exits with status 9' && own 1 check ex01 && says out 'leak: '
}
check "a program that takes too much device memory" device_memory
writes() {
    program 'for (int i = 0; i < 1 << 21; i++) puts("0123456789");' && own 1 --files 1 check ex01 && says out 'writes more than 1 MB into a file'
}
check "a program that writes too much" writes
crashes() { program 'abort();' && own 1 check ex01 && says out 'is ended by signal 6 \(ABRT\)'; }
check "a program that crashes" crashes

# A class of students.
as_json() { # as_json STATUS ASSERTION ARGUMENTS...: of the array `r`
    own "$1" "${@:3}" --json && python3 -c "import json; r = json.load(open('out', encoding='utf-8')); assert ($2), r"
}
class() {
    mkdir -p class/anna class/bert/ex01_hello class/"zoë Ö" && program '' && cp hello.cu class/anna &&
        program 'puts("\"\\");' && cp hello.cu class/bert/ex01_hello && program 'int x = y;' && cp hello.cu class/"zoë Ö" &&
        own 1 check all class && says out '^student +ex01 +ex02 +score$' '^anna +3/3 +- +3 of 6$' '^bert +1/3 +- +1 of 6$' '^zoë Ö +0/3 +- ' &&
        own 1 check all class/anna -j2 && says out '^ex01 +3/3 +passed' '^ex02 +- +missing$' '^score: 3 of 6$' &&
        as_json 1 '[(x["student"], x["passed"], x["cases"], x["result"]) for x in r if x["exercise"] == "ex01_hello"] ==
            [("anna", 3, 3, "passed"), ("bert", 1, 3, "failed"), ("zoë Ö", 0, 3, "does not compile")] and len(r) == 6
            and "undeclared" in r[4]["problem"] and r[2]["hint"] == "Greet the world."' check all class -j2
}
check "a class: table and JSON" class

# As in a container: no network, another user, few processes, little space for files.
user=() as=()
if [ "$(id -u)" = 0 ]; then
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all)
else
    user=(-r)
fi
mkdir small
chmod 755 . small
contained() { # contained OPTIONS COMMAND...: OPTIONS are those of the file system of TMPDIR
    # shellcheck disable=SC2016
    limit 100 unshare "${user[@]}" -nm bash -c 'mount -t tmpfs -o "$1" none small && ulimit -u 64 && shift && "$@"' . \
        "mode=1777,size=64m,$1" "${as[@]}" env TMPDIR="$PWD/small" "${@:2}" >out 2>err
}
is_contained() {
    contained exec "$(command -v cdp-lab)" --labs own check all class/anna
    says out '^ex01 +3/3 +passed' || { cat err; return 1; }
}
needs_exec() {
    contained noexec "$(command -v cdp-lab)" --labs own check all class/anna
    [ $? = 2 ] && says err 'TMPDIR must be a folder on a file system without noexec'
}
# shellcheck disable=SC2016
if ! contained exec sh -c 'test -x "$1" && : >/dev/null' . "$(command -v cdp-lab)"; then
    echo "skip contained checks: $(cat err)"
else
    check "without network, as another user, with little space" is_contained
    check "programs that cannot run there are not graded" needs_exec
fi
one_as_json() { program '' && as_json 0 'r["passed"] == 3 and r["result"] == "passed"' check ex01; }
check "one exercise as JSON" one_as_json

# docs/labs.md: its commands, and what it shows of their output.
block() { sed -n "/<!-- begin $1 -->/,/<!-- end $1 -->/p" "$top/docs/labs.md" | grep -v -e '^<!--' -e '^```'; }
doc() {
    local command wanted
    mkdir -p doc/submissions/anna doc/submissions/bert && cp -r own doc/mylabs && program '' && cp hello.cu doc && cd doc || return 1
    cp "$labs"/solutions/ex01*/vector_add.cu "$labs"/ex02*/transpose.cu submissions/anna && cp "$labs"/ex01*/vector_add.cu submissions/bert
    while IFS= read -r command; do
        wanted=0
        [[ $command != "cdp-lab check"* ]] || wanted=1
        ends $wanted bash -c "$command" || return 1
        case $command in
        "cdp-lab check ex01") diff <(block check) out || return 1 ;;
        "cdp-lab check all submissions -j2") diff <(block class) out || return 1 ;;
        esac
    done < <(commands "$top/docs/labs.md")
    python3 -c 'import json; assert len(json.load(open("grades.json"))) == 24' && [ "$(commands "$top/docs/labs.md" | wc -l)" -gt 7 ]
}
check "the commands of docs/labs.md, and what it shows" doc
limited() { (ulimit -v 100000000 && ends 2 cdp-lab check ex01 "$labs"/ex01*/vector_add.cu && says err 'ulimit -v or -d is set'); }
check "no grades where checks would be off" limited
finish
