# shellcheck shell=bash
# Sourced by cdp-lab: says in sentences what is wrong with the last run. Variables of cdp-lab: labs, exercise, parts,
# seconds, megabytes, file_megabytes; of run.bash: status.

# first_finding KINDS: the lines of the first finding of one of these checks, without the command for gdb.
first_finding() {
    awk -v kinds="^cdp: ($1): " '/^cdp: / { if (shown) { exit } shown = $0 ~ kinds }
        shown && !/^  gdb: / { sub(/^cdp: /, ""); print }' findings 2>/dev/null
}

how_it_ended() {
    case $status in
    124 | 137) echo "the program does not end within $seconds s" ;;
    152) echo "the program takes more than $((seconds * 4)) s of processor time" ;;
    153) echo "the program writes more than $file_megabytes MB into a file" ;;
    12[89] | 1[3-9]? | 2??) echo "the program is ended by signal $((status - 128)) ($(kill -l $((status - 128))))" ;;
    *) echo "the program exits with status $status" ;;
    esac
}

# What a program printed, without control characters and what is no UTF-8.
printable() { LC_ALL=C cut -b 1-400 | LC_ALL=C tr -d '\0-\11\13-\37\177' | iconv -f UTF-8 -t UTF-8 -c; }

# difference EXPECTED: the first line of out that is not as in EXPECTED.
difference() {
    local line expected printed
    line=$(awk 'NR == FNR { expected[NR] = $0; lines = NR; next }
        $0 != expected[FNR] || FNR > lines { print FNR; found = 1; exit }
        END { if (!found) { print FNR + 1 } }' "$1" out)
    expected=$(sed -n "${line}p" "$1") printed=$(sed -n "${line}p" out | printable)
    echo "the output differs in line $line:"
    echo "  expected: ${expected:-(no such line)}"
    echo "  printed:  ${printed:-(no such line)}"
}

# judge EXPECTED STATUS: nothing if the last run is right. EXPECTED may be empty. What is never freed comes last: a
# program that ends early does not free.
judge() {
    local text
    text=$(first_finding "memory|init|race|sync|api|space")
    if [ -n "$text" ]; then
        printf '%s\n' "$text"
    elif grep -qs 'the race check: it is off' err; then
        echo "the check of races had no address space, so the run does not count"
    elif [ -s killed ]; then
        echo "the program $(cat killed)"
    elif [ "$status" != "$2" ]; then
        echo "$(how_it_ended); expected: status $2"
        cat out err | tail -n 3 | printable
    elif [ -n "$1" ] && ! cmp -s "$1" out; then
        difference "$1"
    else
        first_finding leak
    fi
}

# judge_counts LIMITS: the access that is furthest above the first limit that is not kept.
judge_counts() {
    if [ -s counts ]; then awk -f "$parts/counts.awk" "$1" counts; else how_it_ended; fi
}

# hint FILE: the sentence beside the first pattern of the exercise that FILE matches.
hint() {
    local line
    while IFS= read -r line; do
        if [[ $line == *" => "* && $line != "#"* ]] && grep -qE -- "${line%% => *}" "$1"; then
            echo "${line#* => }"
            return
        fi
    done <"$labs/$exercise/hints"
}
