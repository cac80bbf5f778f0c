#!/usr/bin/env bash
# Headers have at most 250 lines and structs at most 20 fields.  tools/sizes lists those that have more.
# These may not grow.
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
