# shellcheck shell=bash
# Sourced by cdp-lab: checks one program. Variables of cdp-lab: labs, exercise, file. Works in the current folder.
# Sets result (passed, failed, does not compile), points, cases, problem and advice.

# cases_of EXERCISE: "ARGUMENTS => WANTED" on each line. WANTED is what a file says that the program prints,
# "exit N", both, or "counts FILE".
cases_of() { grep -v '^#' "$labs/$1/cases" | grep -F ' => '; }

# run_case ARGUMENTS WANTED: prints what is wrong, if anything.
run_case() {
    local arguments wanted workers expected="" expected_status=0 text
    read -ra arguments <<<"$1"
    read -ra wanted <<<"$2"
    if [ "${wanted[0]}" = counts ]; then
        [ -x counted ] || compile counted --count || { cat compiled; return; }
        rm -f counts
        run 1 yes ../counted ${arguments[@]+"${arguments[@]}"}
        judge_counts "$labs/$exercise/${wanted[1]}"
        return
    fi
    [ "${wanted[0]}" = exit ] || expected=$labs/$exercise/${wanted[0]}
    [[ $2 != *"exit "* ]] || expected_status=${2##*exit }
    for workers in 1 2; do
        run $workers "" ../program ${arguments[@]+"${arguments[@]}"}
        text=$(judge "$expected" "$expected_status")
        [ -n "$text" ] || continue
        [ $workers = 1 ] || echo "(with 2 workers; with 1 worker this case is passed)"
        printf '%s\n' "$text"
        return
    done
}

indented() { sed "s/^/$1/"; }

# report TEXT: the first problem with all its lines and the hint; of others the first line.
report() {
    if [ -n "$problem" ]; then
        sed 's/:$//; q' <<<"$1" | indented "          "
        return
    fi
    problem=$(grep -v '^(' <<<"$1" | sed -n '1p; /^  \(expected\|printed\): /p' | tr -s '\n ' ' ')
    problem=${problem% }
    printf '%s\n' "$1" >problem
    indented "          " <problem
    advice=$(hint problem)
    [ -z "$advice" ] || fold -s -w 90 <<<"hint: $advice" | sed 's/ *$//' | indented "          "
}

report_compiler() {
    result="does not compile" cases=$(cases_of "$exercise" | wc -l)
    problem=$(grep -m1 'error' compiled)
    head -n 20 compiled
    advice=$(hint compiled)
    [ -z "$advice" ] || echo "hint: $advice"
}

check() {
    local line text command
    result=passed points=0 cases=0 problem="" advice=""
    compile program --lab || { report_compiler; return; }
    while IFS= read -r line; do
        cases=$((cases + 1))
        text=$(run_case "${line%% => *}" "${line#* => }")
        command="$(basename "$file" .cu) ${line%% => *}"
        if [ -z "$text" ]; then
            points=$((points + 1))
            echo "  passed  ${command% }"
        else
            result=failed
            echo "  FAILED  ${command% }"
            report "$text"
        fi
    done < <(cases_of "$exercise")
}

# quoted TEXT: as a string of JSON.
quoted() {
    local text
    text=$(printf '%s' "$1" | printable)
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

# result_as_json STUDENT
result_as_json() {
    printf '{"student": %s, "exercise": "%s", "file": %s, "result": "%s", "passed": %d, "cases": %d, ' \
        "$(quoted "$1")" "$exercise" "$(quoted "$file")" "$result" "$points" "$cases"
    printf '"problem": %s, "hint": %s}\n' "$(quoted "$problem")" "$(quoted "$advice")"
}
