# shellcheck shell=bash
# Sourced by cdp-lab: checks all exercises of one student, or of a class. Variables of cdp-lab: labs, all, work, jobs,
# json.

# students FOLDER: the folder itself if it has programs of exercises, else the folders in it.
students() {
    local exercise folder
    for exercise in "${all[@]}"; do
        if [ -e "$1/$(source_of "$exercise")" ] || [ -e "$1/$exercise" ]; then
            echo "$1"
            return
        fi
    done
    for folder in "$1"/*/; do
        [ ! -d "$folder" ] || echo "${folder%/}"
    done
}

# check_in STUDENT FOLDER NUMBER: one exercise of a student; writes NUMBER.json and NUMBER.row. The program may be in
# a folder of the exercise's name.
check_in() {
    local source
    source=$(source_of "$exercise")
    file=$2/$source
    [ -e "$file" ] || file=$2/$exercise/$source
    mkdir "$3" && cd "$3" || exit 2
    # A check that the parent ends takes its program along.
    trap 'kill "$runs" 2>/dev/null; exit 130' TERM
    if [ -r "$file" ]; then
        check >/dev/null
    else
        result=missing points=0 cases=$(cases_of "$exercise" | wc -l) problem="there is no $source" advice="" file=""
    fi
    result_as_json "$1" >"$3.json"
    printf '%s\t%s\t%s\t%d\t%d\t%s\n' "$1" "${exercise%%_*}" "$result" "$points" "$cases" "$problem" >"$3.row"
    cd "$work" && rm -rf "$3"
}

# table SEVERAL: a line for each exercise, or for each student if there are several.
table() {
    cat "$work"/*.row | awk -F '\t' -v several="$1" '
        {
            score = $3 == "missing" ? "-" : $4 "/" $5
            points[$1] += $4
            most[$1] += $5
            if (!($1 in row)) { names[++count] = $1 }
            row[$1] = row[$1] sprintf(" %5s", score)
            if (count == 1) { head = head sprintf(" %5s", $2) }
            if (!several) { printf "%-6s %-5s %s\n", $2, score, $3 == "failed" ? substr($6, 1, 100) : $3 }
        }
        END {
            if (several) { printf "%-20s%s  score\n", "student", head }
            for (i = 1; i <= count; i++) {
                name = names[i]
                if (several) { printf "%-20s%s  %d of %d\n", name, row[name], points[name], most[name] }
                else { printf "score: %d of %d\n", points[name], most[name] }
            }
        }'
}

check_all() { # check_all FOLDER
    local folder folders number=0
    folder=$(readlink -f "$1")
    [ -d "$folder" ] || die "$1: no such folder"
    mapfile -t folders < <(students "$folder")
    [ ${#folders[@]} -gt 0 ] || die "$1: no programs of exercises, and no folders of students"
    for folder in "${folders[@]}"; do
        for exercise in "${all[@]}"; do
            number=$((number + 1))
            [ ! -t 2 ] || printf '\r%d of %d' $number $((${#folders[@]} * ${#all[@]})) >&2
            while (($(jobs -pr | wc -l) >= jobs)); do
                wait -n
            done
            check_in "$(basename "$folder")" "$folder" "$work/$(printf '%07d' $number)" &
        done
    done
    wait
    [ ! -t 2 ] || printf '\r\033[K' >&2
    if [ -n "$json" ]; then
        cat "$work"/*.json | sed '1s/^/[/; $!s/$/,/; $s/$/]/'
    else
        table "$([ ${#folders[@]} = 1 ] || echo 1)"
    fi
    ! cut -f 3 "$work"/*.row | grep -qvx passed
}
