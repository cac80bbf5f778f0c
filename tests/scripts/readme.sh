#!/usr/bin/env bash
# README.md is correct: its program, that program's output, its table of options, and the files that
# it links to. So is the sample of docs/performance.md.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
readme=$top/README.md

program_prints_what_is_shown() {
    block program "$readme" >"$work/sum.cu" && block output "$readme" >"$work/expected" && [ -s "$work/sum.cu" ] || return 1
    (cd "$work" && "$CDPCC" sum.cu -o sum && ./sum) >"$work/actual" && diff <(sed '/^\$/d' "$work/expected") "$work/actual"
}
plan_is_what_is_shown() {
    local doc=$top/docs/performance.md
    block column "$doc" >"$work/col.cu" && block plan "$doc" | sed '/^\$/d' >"$work/expected" && [ -s "$work/col.cu" ] || return 1
    (cd "$work" && "$CDPCC" --explain=plan -O3 --entry=block -march=x86-64-v4 -c col.cu) 2>"$work/actual" && diff "$work/expected" "$work/actual"
}
options_are_fresh() { "$top/tools/gen_options.sh" --check; }
links_lead_somewhere() {
    local target bad=0
    for target in $(grep -oE '\]\([^)#]+' "$readme" "$top"/docs/*.md "$top/CONTRIBUTING.md" | sed 's/](/ /; s/:/ /' | awk '{ print $1 "|" $2 }'); do
        case ${target#*|} in http*) continue ;; esac
        [ -e "$(dirname "${target%%|*}")/${target#*|}" ] || { echo "$target"; bad=1; }
    done
    return $bad
}
documents_are_listed() {
    local document bad=0
    for document in "$top"/docs/*.md; do
        document=$(basename "$document")
        [ "$document" = README.md ] || grep -qF "($document" "$top/docs/README.md" || { echo "$document"; bad=1; }
    done
    return $bad
}
make_targets_exist() {
    local target bad=0
    for target in $(grep -ohE '\bmake [a-z]+' "$readme" "$top/CONTRIBUTING.md" "$top/docs/tutorial.md" | awk '{ print $2 }' | sort -u); do
        grep -qhE "^([a-z-]+ )*$target( [a-z-]+)*:" "$top/Makefile" "$top"/mk/*.mk || { echo "make $target"; bad=1; }
    done
    return $bad
}
check "the program of README prints what README shows" program_prints_what_is_shown
check "--explain=plan prints what docs/performance.md shows" plan_is_what_is_shown
check "the table of options is that of options.def" options_are_fresh
check "links of README and docs lead somewhere" links_lead_somewhere
check "docs/README.md lists all documents" documents_are_listed
check "make targets named in README and the tutorial exist" make_targets_exist
finish
