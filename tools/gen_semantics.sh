#!/usr/bin/env bash
# Writes docs/semantics.md: each rule of docs/semantics.def with the tests that carry its
# number and how they last ended, and where cdpcc answers otherwise than hardware.
#
#   tools/gen_semantics.sh            writes the page; results are those that the test runs
#                                     left in build/results, else those of the present page
#   tools/gen_semantics.sh --check    fails if the page is not what it would write, a rule
#                                     has no test, a test no rule, or one failed or never ran
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
page=$top/docs/semantics.md
cd "$top" || exit 2
check=${1:-}
results=build/results
[ "$check" != --check ] || results=/nonexistent

# "rule<TAB>test" for each rule that a test's name or its line "rules: ..." carries.
proofs() {
    local file name
    for file in tests/cu/*.cu tests/scripts/*.sh tests/cdpcc/*.sh tests/api/*.c tests/unit/*.c; do
        name=$(basename "$file")
        [ "${file##*.}" != cu ] || name=${name%.cu}
        {
            sed -n '1,12s|^[#/ *]*rules: \([MS0-9 ]*\).*|\1|p' "$file" | tr ' ' '\n' | grep .
            [[ $name =~ ^([ms][0-9]+)_ ]] && echo "${BASH_REMATCH[1]^^}"
        } | sort -u | awk -v name="$name" '{ print $1 "\t" name }'
    done
}

# "test<TAB>result": of the present page, then of the runs, which count more.
outcomes() {
    grep -oE '`[A-Za-z0-9_.]+` \([^)]*\)' "$page" 2>/dev/null | sed 's/^`\(.*\)` (\(.*\))$/\1\t\2/'
    for file in "$results"/*; do
        [ ! -f "$file" ] || printf '%s\t%s\n' "$(basename "$file")" "$(cat "$file")"
    done
}

rules() {
    echo '| rule | from | what is owed | tests (passed with so many workers) |'
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

# The lines of docs/semantics.def that start with the letter, as rows of a table.
entries() {
    sed -n "s/^$1 | \(.*\)$/| \1 |/p" docs/semantics.def
}

# The groups of tests/golden/differences, with the hardware's answers beside ours.
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
# What CUDA's dynamic parallelism owes, and what proves it

Written by `tools/gen_semantics.sh` from [semantics.def](semantics.def), the tests' names and
what their last runs left in `build/results`; do not edit. Names ending in `.sh` are scripts
of `tests/scripts` and `tests/cdpcc`, in `.c` Check suites, others programs of `tests/cu`;
`make check` runs them all, `make check MODE=asan` under AddressSanitizer.

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

They are in `tests/seeds`, each mended line with its reason; those that race or overrun memory have
the printed form, too, under `-DAS_PRINTED`.

| program | from | what is wrong |
|---|---|---|
MD
    entries P
    cat <<'MD'

## Where hardware answers otherwise

The programs of `tests/golden` ask what an H200 and an H100 under CUDA 13 were asked; the answers are the
same, line for line, but for these (`tests/scripts/golden.sh` fails at any other).
MD
    differences
    rm -f "$proofs" "$outcomes"
}

# Programs of tests/seeds that are mended and not listed, or listed and not there.
seeds_amiss() {
    diff <(grep -l '// mended' tests/seeds/*.cu | sed 's|.*/||; s|\.cu$||' | sort) \
        <(sed -n 's/^P | \([a-z0-9_]*\) |.*/\1/p' docs/semantics.def | sort) |
        sed -n 's/^< \(.*\)/tests\/seeds\/\1.cu is mended, which no line says/p
                s/^> \(.*\)/no mended program \1 in tests\/seeds/p'
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
