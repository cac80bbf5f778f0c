#!/usr/bin/env bash
# Writes docs/semantics.md: each rule of docs/semantics.def with the tests that carry its
# number and their last results, and where cdpcc's results differ from hardware's.
#
#   tools/gen_semantics.sh            writes the page; the results are those in build/results,
#                                     or, for tests without one, those on the present page
#   tools/gen_semantics.sh --check    fails if the page is out of date, if a rule has no test or
#                                     a test no rule, or if a test failed or never ran
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
page=$top/docs/semantics.md
cd "$top" || exit 2
check=${1:-}
results=build/results
[ "$check" != --check ] || results=/nonexistent

# "rule<TAB>test" for each rule that a test's name or its line "rules: ..." names.
proofs() {
    awk '
        function claim(rule) { if (!seen[rule, FILENAME]++) { print rule "\t" name } }
        FNR == 1 {
            name = FILENAME; sub(/.*\//, "", name); sub(/\.cu$/, "", name)
            if (match(name, /^[ms][0-9]+_/)) { claim(toupper(substr(name, 1, RLENGTH - 1))) }
        }
        FNR > 12 { nextfile }
        sub(/^[#\/ *]*rules: /, "") {
            sub(/[^MS0-9 ].*/, "")
            count = split($0, rules, " ")
            for (i = 1; i <= count; i++) { claim(rules[i]) }
        }' tests/cu/*.cu tests/scripts/*.sh tests/cdpcc/*.sh tests/api/*.c tests/unit/*.c
}

# "test<TAB>result": first those of the present page, then those of the runs, which override them.
outcomes() {
    grep -oE '`[A-Za-z0-9_.]+` \([^)]*\)' "$page" 2>/dev/null | sed 's/^`\(.*\)` (\(.*\))$/\1\t\2/'
    for file in "$results"/*; do
        [ ! -f "$file" ] || printf '%s\t%s\n' "$(basename "$file")" "$(cat "$file")"
    done
}

rules() {
    echo '| rule | from | the rule | tests (numbers of workers with which they passed) |'
    echo '|---|---|---|---|'
    awk -F'\t' -v proofs="$1" -v outcomes="$2" '
        BEGIN {
            while ((getline line < outcomes) > 0) { split(line, f, "\t"); result[f[1]] = f[2] }
            while ((getline line < proofs) > 0) {
                split(line, f, "\t")
                ended = f[2] in result ? result[f[2]] : "never ran"
                if (f[1] in tests) { tests[f[1]] = tests[f[1]] ", " }
                tests[f[1]] = tests[f[1]] "`" f[2] "` (" ended ")"
                claimed[f[1]]
            }
        }
        /^[MS][0-9]+ \|/ {
            number = $0; sub(/ .*/, "", number)
            print "| " $0 " | " (number in tests ? tests[number] : "none") " |"
            delete claimed[number]
        }
        END { for (number in claimed) { print "| " number " | | no such rule | " tests[number] " |" } }' docs/semantics.def
}

# The lines of docs/semantics.def that start with the given letter, as rows of a table.
entries() {
    sed -n "s/^$1 | \(.*\)$/| \1 |/p" docs/semantics.def
}

# The groups of tests/golden/differences, with the hardware's results beside ours.
differences() {
    awk '
        function cell(text) { gsub(/\|/, "\\|", text); gsub(/__/, "\\_\\_", text); gsub(/\*/, "\\*", text); return text }
        FNR == NR { key = $0; sub(/: .*/, "", key); answer = $0; sub(/^[^:]*: /, "", answer); hardware[key] = answer; next }
        /^# / { if (blank) { print ""; print substr($0, 3); print ""; print "| question | GPU | cdpcc |"; print "|---|---|---|"; blank = 0 } next }
        /^$/ { blank = 1; next }
        {
            key = $0; sub(/: .*/, "", key); answer = $0; sub(/^[^:]*: /, "", answer)
            print "| " cell(key) " | " cell(key in hardware ? hardware[key] : "-") " | " cell(answer) " |"
        }' <(cat tests/golden/*.expect) tests/golden/differences
}

write_page() {
    local proofs outcomes
    proofs=$(mktemp) && outcomes=$(mktemp) || exit 2
    proofs >"$proofs"
    outcomes >"$outcomes"
    cat <<'MD'
# The rules of CUDA's dynamic parallelism, and the tests that prove them

Written by `tools/gen_semantics.sh` from [semantics.def](semantics.def), the tests' names and
the results of their last runs in `build/results`; do not edit. Names ending in `.sh` are scripts
in `tests/scripts` and `tests/cdpcc`, names ending in `.c` are Check suites, and the others are
programs in `tests/cu`. `make check` runs them all, `make check MODE=asan` under AddressSanitizer.

## The rules

MD
    rules "$proofs" "$outcomes"
    cat <<'MD'

## Where the documents disagree, or say nothing

| question | the documents | cdpcc |
|---|---|---|
MD
    entries D
    cat <<'MD'

## Programs of the documents that are wrong as printed

They are in `tests/seeds`. Each corrected line is marked `mended`, with its reason. The programs that
race or overrun memory also contain the printed form, under `-DAS_PRINTED`.

| program | from | what is wrong |
|---|---|---|
MD
    entries P
    cat <<'MD'

## Where hardware gives other results

The programs of `tests/golden` also ran on an H200 and an H100 under CUDA 13. The results are the same,
line for line, except for these (`tests/scripts/golden.sh` fails at any other difference).
MD
    differences
    rm -f "$proofs" "$outcomes"
}

# Programs of tests/seeds that are corrected but not listed, or listed but missing.
seeds_amiss() {
    diff <(grep -l '// mended' tests/seeds/*.cu | sed 's|.*/||; s|\.cu$||' | sort) \
        <(sed -n 's/^P | \([a-z0-9_]*\) |.*/\1/p' docs/semantics.def | sort) |
        sed -n 's/^< \(.*\)/tests\/seeds\/\1.cu is corrected, but docs\/semantics.def does not list it/p
                s/^> \(.*\)/no corrected program \1 in tests\/seeds/p'
}

# Rules without tests, tests without rules, tests that failed or never ran.
complaints() {
    seeds_amiss
    grep -E '\| none \|$|no such rule' "$1" | sed 's/^| \([^ ]*\) |.*\(none\|no such rule\).*/rule \1: tests: \2/'
    grep -oE '`[A-Za-z0-9_.]+` \((never ran|FAILS)\)' "$1" | sort -u
}

if [ "$check" = --check ]; then
    status=0
    write_page | diff -u "$page" - || { echo "docs/semantics.md: run tools/gen_semantics.sh" >&2; status=1; }
    wrong=$(complaints "$page")
    [ -z "$wrong" ] || { echo "docs/semantics.md: $wrong" >&2; status=1; }
    exit $status
fi
updated=$(mktemp) || exit 2
write_page >"$updated" && cat "$updated" >"$page"
rm -f "$updated"
wrong=$(complaints "$page")
[ -z "$wrong" ] || { echo "docs/semantics.md: $wrong" >&2; exit 1; }
