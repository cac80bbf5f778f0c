#!/usr/bin/env bash
# Prints the structure of the source in numbers: call cycles, upward edges between folders, large
# headers and what they rebuild, large structs, tests of single passes, comments, and lengths of
# functions.  Run `make` first: call cycles and rebuilds come from the objects.
#
#   tools/structure_table.sh [--all]      --all: each header of simd/, not only the first ten
set -u
cd "$(dirname "$0")/.." || exit 2
objects=build/obj
[ "${MODE:-release}" = release ] || objects=build/$MODE/obj
first=10
[ "${1:-}" != --all ] || first=1000

row() { printf '%-58s %s\n' "$1" "$2"; }

# Files that call each other in a cycle, directly or through other files: the largest such group.
largest_cycle() { # largest_cycle SOURCES OBJECTS FOLDER
    local calls
    calls=$(tools/object_calls.sh "$1" "$2") || return 1
    awk -v folder="$3" '
        index($1, folder) != 1 || index($2, folder) != 1 || $4 != "T" { next }
        !(($1, $2) in seen) {
            seen[$1, $2] = 1
            next_of[$1] = next_of[$1] " " $2
            files[$1]; files[$2]
        }
        # Marks each file that calls from `file` can reach.
        function reach(file,   open, depth, at, names, n, i) {
            open[depth = 1] = file
            while (depth > 0) {
                at = open[depth--]
                n = split(next_of[at], names, " ")
                for (i = 1; i <= n; i++) {
                    if (!((file, names[i]) in reached)) {
                        reached[file, names[i]] = 1
                        open[++depth] = names[i]
                    }
                }
            }
        }
        END {
            for (file in files) { count++; reach(file) }
            most = 0
            for (file in files) {
                size = 0
                for (other in files) { size += (file, other) in reached && (other, file) in reached }
                if (size > most) { most = size }
            }
            print most + 0 " of " count + 0 " files"
        }' <<<"$calls"
}

echo "Largest call cycle between files"
row "  tools/cdpcc" "$(largest_cycle tools/cdpcc "$objects/tool" '')"
row "  tools/cdpcc/simd" "$(largest_cycle tools/cdpcc "$objects/tool" simd/)"
row "  runtime/exec" "$(largest_cycle runtime "$objects/plain" exec/)"

echo "Upward edges between files (against the order in tools/layers)"
while read -r _ tree folder kind number; do
    row "  $tree/$folder, $kind" "$number"
done < <(grep '^limit ' tools/layers)
row "  exceptions" "$(grep -c '^except ' tools/layers)"

echo "Longest headers, in lines"
find runtime tools/cdpcc -name '*.h' -exec awk '{ n[FILENAME]++ } END { for (f in n) { print n[f], f } }' {} + |
    sort -rn | head -n 6 | while read -r lines file; do row "  $file" "$lines"; done

echo "Largest structs, in fields"
find runtime tools/cdpcc -name '*.[ch]' -exec tools/count_fields.sh {} + | head -n 6 |
    while read -r fields name file; do row "  $name, $file" "$fields"; done

sources=$(find tools/cdpcc/simd -name '*.c' | wc -l)
echo "Objects of simd/ that a change of its headers rebuilds, of $sources"
find tools/cdpcc/simd -name '*.c' | sed "s|^tools/cdpcc/\(.*\)\.c$|$objects/tool/\1.d|" |
    xargs grep -ohE '^tools/cdpcc/simd/[^ :]*\.h:' 2>/dev/null | sort | uniq -c | sort -k1,1nr -k2 | head -n "$first" |
    while read -r count file; do row "  ${file%:}" "$count"; done

row "Tests of single passes (.ll)" "$(find tests/cdpcc/ll -name '*.ll' | wc -l) of $(find tests/cdpcc/ll -mindepth 1 -type d | wc -l) passes"

# Comment lines as a share of the lines that are not empty.
row "Comments in tools/cdpcc" "$(find tools/cdpcc -name '*.[ch]' -exec cat {} + | awk '
    /^[ \t]*$/ { next }
    { lines++ }
    within || /^[ \t]*(\/\*|\/\/)/ { comments++ }
    within { within = !/\*\//; next }
    /\/\*/ { within = !/\*\// }
    END { printf "%.1f %% of %d lines\n", 100 * comments / lines, lines }')"

# Lines between a function's braces.  clang-format puts these braces into the first column.
for tree in tools/cdpcc runtime; do
    row "Functions of $tree, in lines" "$(find $tree -name '*.c' -exec awk '
        FNR == 1 { inside = 0 }
        /^\{/ { inside = 1; from = FNR; next }
        /^\}/ && inside { print FNR - from - 1; inside = 0 }' {} + | sort -n | awk '
        { length_of[NR] = $1 }
        END {
            printf "median %d, p90 %d, most %d, of %d\n", length_of[int((NR + 1) / 2)],
                length_of[int(0.9 * NR + 0.5)], length_of[NR], NR
        }')"
done
