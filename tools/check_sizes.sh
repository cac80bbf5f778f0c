#!/usr/bin/env bash
# Headers have at most 250 lines and structs at most 20 fields.  tools/sizes lists those that have more.
# These may not grow.  A change of one header of the vectorizer rebuilds at most a third of its files.
#
#   tools/check_sizes.sh [LIST]
set -u
cd "$(dirname "$0")/.." || exit 2
{
    find runtime tools compat -name '*.h' -exec awk '{ lines[FILENAME]++ } END { for (f in lines) { print "header", f, lines[f] } }' {} +
    find runtime tools -name '*.[ch]' -exec tools/count_fields.sh {} + | awk '{ print "struct", $2, $1, $3 }'
} | awk -v list="${1:-tools/sizes}" '
    BEGIN { most["header"] = 250; most["struct"] = 20; unit["header"] = "lines"; unit["struct"] = "fields" }
    function complain(text) { print text; bad = 1 }
    NR == FNR {
        if ($1 == "header" || $1 == "struct") { listed[$1, $2] = $3 }
        if ($1 == "header" && NF < 4) { complain(list ": no reason for " $2) }
        next
    }
    {
        key = $1 SUBSEP $2
        if ($3 <= most[$1]) { next }
        found[key] = 1
        what = $1 " " $2 (NF > 3 ? " (" $4 ")" : "") ": " $3 " " unit[$1]
        if (!(key in listed)) { complain(what ", at most " most[$1] " are allowed") }
        else if ($3 > listed[key]) { complain(what ", more than the " listed[key] " of " list) }
        else if ($3 < listed[key]) { complain(what "; lower the number " listed[key] " of " list) }
    }
    END {
        for (key in listed) {
            split(key, at, SUBSEP)
            if (!(key in found)) { complain(list ": " at[1] " " at[2] " is no longer larger than others") }
        }
        exit bad
    }' "${1:-tools/sizes}" -
status=$?

# The headers that each file includes, also by way of other headers.
grep -rnHoE '^#include "simd/[^"]*"' --include='*.[ch]' "${SIMD:-tools/cdpcc/simd}" |
    sed -E 's|^.*/(simd/[^:]*):[0-9]*:#include "(.*)"|\1 \2|' | awk '
    { included[$1] = included[$1] " " $2; if ($1 ~ /\.c$/ && !($1 in files)) { files[$1]; count++ } }
    function visit(file,   names, n, i) {
        n = split(included[file], names, " ")
        for (i = 1; i <= n; i++) {
            if (!(names[i] in seen)) { seen[names[i]]; visit(names[i]) }
        }
    }
    END {
        for (file in files) {
            split("", seen)
            visit(file)
            for (header in seen) { rebuilds[header]++ }
        }
        for (header in rebuilds) {
            if (3 * rebuilds[header] > count) {
                print "header " header ": a change rebuilds " rebuilds[header] " of " count " files, more than a third"
                bad = 1
            }
        }
        exit bad
    }' || status=1
exit $status
