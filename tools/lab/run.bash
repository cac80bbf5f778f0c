# shellcheck shell=bash
# Sourced by cdp-lab: compiles a program, and runs it within limits. Variables of cdp-lab: cdpcc, work, file,
# seconds, megabytes, file_megabytes. Everything is written into the current folder.
runs="" # the process of the run
page_bytes=$(getconf PAGESIZE 2>/dev/null || echo 4096)
mkfifo "$work/never" # nobody writes into it

# compile PROGRAM FLAGS...: the compiler's words are in the file compiled, without the folder of the source.
compile() {
    local status text
    text=$(
        ulimit -c 0 -f 1048576 -t $((seconds * 4))
        exec timeout -k 2 $((seconds * 4)) "$cdpcc" "${@:2}" "$file" -o "$1" 2>&1 </dev/null
    )
    status=$?
    printf '%s\n' "${text//"${file%/*}/"/}" >compiled
    return $status
}

# Kills the program that the process $1 runs if it takes too much memory. Limits of the system do not
# serve: with ulimit -v or -d the checks cannot reserve their address space.
watch_memory() {
    local child pages
    while ! read -r -t 0.1 -u 9; do # waits, without a process for it
        read -r child _ <"/proc/$1/task/$1/children" # the line has no end, so this may fail
        [ -n "$child" ] && read -r _ pages _ <"/proc/$child/statm" || continue
        if ((pages * page_bytes > megabytes << 20)); then
            echo "needs more than $megabytes MB of memory" >killed
            kill -KILL "$child"
            return
        fi
    done 2>/dev/null 9<>"$work/never"
}

# run WORKERS COUNTS PROGRAM ARGUMENTS...: out, err, findings, and the variable status. The program gets no variable
# of the caller's environment, so CDP_CHECK there does not matter.
run() {
    local workers=$1 counts=$2 watcher
    shift 2
    rm -rf out err findings killed scratch
    mkdir scratch
    (
        ulimit -c 0 -f $((file_megabytes << 10)) -t $((seconds * 4))
        cd scratch && exec timeout -k 2 "$seconds" env -i PATH=/usr/bin:/bin HOME="$PWD" TMPDIR="$PWD" LC_ALL=C.UTF-8 \
            CDP_WORKERS="$workers" CDP_TIMEOUT=$(((seconds + 2) / 3)) CDP_MEMORY_MB="$megabytes" CDP_CHECK_EXIT=0 \
            CDP_ERROR_EXIT=0 CDP_CHECK_LOG=../findings ${counts:+CDP_COUNT=../counts} "$@"
    ) >out 2>err </dev/null &
    runs=$!
    watch_memory $runs &
    watcher=$!
    wait $runs 2>/dev/null
    status=$?
    kill $watcher 2>/dev/null
    wait $watcher 2>/dev/null
}
