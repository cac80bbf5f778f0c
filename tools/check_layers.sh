#!/usr/bin/env bash
# Checks that the folders of the runtime and of the compiler depend downwards only (docs/architecture.md
# has the pictures).  It checks includes, and which symbols the objects use of each other: a
# declaration without an include would hide such a use.  tools/layers has the rank of each folder, the
# number of upward edges that are still allowed, and the exceptions.
#
#   tools/check_layers.sh [ROOT [OBJECTS]]
#
# OBJECTS is ROOT/build/obj, or ROOT/build/MODE/obj.  Without objects, calls are not checked, and a line
# says so.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=${1:-$(dirname "$here")}
cd "$root" || exit 2
objects=${2:-build/obj}
[ $# -ge 2 ] || [ "${MODE:-release}" = release ] || objects=build/$MODE/obj
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# ---- uses ----

# "include TREE FROM LINE TO": FROM and TO with their extensions, below the tree's folder.
includes() { # includes TREE
    find "$1" \( -name '*.[chS]' -o -name '*.def' \) \
        -exec grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + |
        sed -nE "s|^$1/([^:]*):([0-9]+):[^\"]*\"([^\"]*)\".*|include $1 \1 \2 \3|p" | LC_ALL=C sort
}
# "call TREE FROM SYMBOL TO": FROM and TO without extensions.
calls() { # calls TREE OBJECTS
    local missing
    if missing=$("$here/object_calls.sh" "$1" "$2" 2>&1 >"$work/calls"); then
        awk -v tree="$1" '{ print "call", tree, $1, $3, $2 }' "$work/calls"
    else
        echo "unchecked $1 ${missing##*$'\n'}"
    fi
}
{
    for tree in runtime tools/cdpcc; do includes $tree; done
    calls runtime "$objects/plain"
    calls tools/cdpcc "$objects/tool"
    (cd compat && find . -type f -printf 'compat %P\n')
} >"$work/uses"

# ---- check against the ranks ----

awk -v folder_edges="$work/folders" '
    function folder_of(path) { return sub(/\/[^\/]*$/, "", path) ? path : "." }
    function top_folder_of(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "." }
    # The innermost folder around the file that has a rank; "" if none has one.
    function ranked(tree, path,   folder) {
        folder = folder_of(path)
        while (!((tree, folder) in rank)) {
            if (folder !~ /\//) { return "" }
            folder = folder_of(folder)
        }
        return folder
    }
    function complain(place, text) { print place ": " text; bad++ }
    function without_extension(path) { sub(/\.[a-zA-Z]+$/, "", path); return path }

    # Checks one use against the ranks. A complaint prints place and words.
    function use(kind, tree, from, to, place, words,   low, high, top, pair) {
        low = ranked(tree, from)
        high = ranked(tree, to)
        if (low == high || (low != "" && high != "" && rank[tree, high] < rank[tree, low])) { return }
        pair = tree " " without_extension(from) " " without_extension(to)
        top = top_folder_of(from)
        if (pair in excepted) { needed[pair] = 1; return }
        if (top == top_folder_of(to) && (tree, top, kind) in limit) {
            if ((kind, pair) in seen) { return }
            seen[kind, pair] = 1
            upward_count[tree, top, kind]++
            upward_list[tree, top, kind] = upward_list[tree, top, kind] "    " place ": " words "\n"
            return
        }
        complain(place, (low == "" ? from : low "/") " (rank " (low == "" ? "none" : rank[tree, low]) ") " words \
            " (" (high == "" ? "no rank" : "rank " rank[tree, high]) ")")
    }

    FNR == NR && $1 == "rank" { rank[$2, $3] = $4; next }
    FNR == NR && $1 == "limit" { limit[$2, $3, $4] = $5; next }
    FNR == NR && $1 == "except" {
        if (NF < 5) { complain("tools/layers:" FNR, "an exception without a reason") }
        excepted[$2 " " $3 " " $4] = FNR
        next
    }
    FNR == NR { next }

    $1 == "compat" { compat[$2] = 1; next }
    $1 == "unchecked" { unchecked[$2] = $3; next }
    $1 == "include" { include[++include_count] = $0; next }
    $1 == "call" {
        called[$2]++
        use("calls", $2, $3, $5, $2 "/" $3, "uses " $4 " of " $5)
        low = ranked($2, $3); high = ranked($2, $5)
        if (low != high && !(top_folder_of($3) == top_folder_of($5) && ($2, top_folder_of($3), "calls") in limit)) {
            print $2 "/" low, $2 "/" high >folder_edges
        }
    }

    function runtime_include(from, to, place,   top, folder) {
        top = top_folder_of(to)
        folder = top_folder_of(from)
        if (folder == "abi") {
            if (top != "abi") { complain(place, "abi/ may include only its own headers, not \"" to "\"") }
        } else if (top == ".") {
            # An include without a folder is a header of compat/.
            if (folder != "api") { complain(place, "only api/ may include \"" to "\" of compat/") }
        } else if (top == "abi" || (folder == "api" && to in compat)) {
            return
        } else if (ranked("runtime", to) == "") {
            complain(place, "\"" to "\" is in no folder that tools/layers lists")
        } else {
            use("includes", "runtime", from, to, place, "includes \"" to "\"")
        }
    }
    function compiler_include(from, to, place) {
        if (from ~ /^(math|object)\// || to ~ /^abi\//) { return }
        if (to ~ /^(base|os|mem|fiber|sched|texture|exec|stream|api)\//) {
            complain(place, "cdpcc may include only abi/ of the runtime: \"" to "\"")
        } else if (to !~ /\//) {
            complain(place, "\"" to "\" is included without its folder")
        } else if (ranked("tools/cdpcc", to) == "") {
            complain(place, "\"" to "\" is in no folder that tools/layers lists")
        } else {
            use("includes", "tools/cdpcc", from, to, place, "includes \"" to "\"")
        }
    }

    END {
        for (i = 1; i <= include_count; i++) {
            split(include[i], at, " ")
            place = at[2] "/" at[3] ":" at[4]
            if (at[2] == "runtime") { runtime_include(at[3], at[5], place) }
            else { compiler_include(at[3], at[5], place) }
        }
        for (pair in excepted) {
            split(pair, at, " ")
            if (!(pair in needed) && !(at[1] in unchecked)) {
                complain("tools/layers:" excepted[pair], "the exception " pair " is no longer needed")
            }
        }
        for (key in limit) {
            split(key, at, SUBSEP)
            if (at[3] == "calls" && at[1] in unchecked) { continue }
            found = upward_count[key] + 0
            if (found > limit[key]) {
                complain(at[1] "/" at[2], found " upward edges (" at[3] "), but tools/layers allows " \
                    limit[key] ":")
                printf "%s", upward_list[key]
            } else if (found < limit[key]) {
                complain("tools/layers", at[1] " " at[2] ": only " found " upward edges (" at[3] ") are left; lower the limit " limit[key])
            }
        }
        for (tree in unchecked) {
            print "layers: calls in " tree " not checked: no object of " unchecked[tree] " (make first)"
        }
        for (tree in called) { print "layers: " called[tree] " uses in " tree " by symbols" }
        exit bad != 0
    }' "$here/layers" "$work/uses"
status=$?

# Functions that a folder may not use, whoever defines them.
while read -r _ tree folder symbol reason; do
    case $tree in
    runtime) built=$objects/plain/$folder ;;
    *) built=$objects/tool/$folder ;;
    esac
    [ -d "$built" ] || continue
    # An object without a source is left over from an earlier build.
    used=$(for source in "$tree/$folder"/*.c; do echo "$built/$(basename "$source" .c).o"; done | xargs nm -uA | sed -nE "s|^$built/(.*)\\.o: *U ($symbol.*)|$tree/$folder/\\1: uses \\2, but $reason|p")
    if [ -n "$used" ]; then
        echo "$used"
        status=1
    fi
done < <(grep '^forbid ' "$here/layers")

# Folders may not use each other in a cycle, not even by exceptions.
touch "$work/folders"
if ! LC_ALL=C sort -u "$work/folders" | tsort >"$work/order" 2>"$work/cycle"; then
    echo "folders use each other in a cycle:" "$(sed -n 's/^tsort: \(.*\/.*\)/\1/p' "$work/cycle" | tr '\n' ' ')"
    status=1
fi

# CUDA's errors exist in api/ only.  The folders below it use enum cdp_status.
find runtime -name '*.[ch]' -not -path 'runtime/api/*' -not -path 'runtime/abi/*' -exec \
    grep -nHE '\bcudaError[A-Z_]' {} + | grep -vE '(/\*|^[^:]*:[0-9]*:[[:space:]]*\*|//)' >"$work/errors"
if [ -s "$work/errors" ]; then
    sed 's/:\([0-9]*\):/:\1: CUDA error outside api\/:/' "$work/errors"
    status=1
fi

[ $status -eq 0 ] && echo "layers: ok"
exit $status
