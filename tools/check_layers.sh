#!/usr/bin/env bash
# The folders of the runtime and of the compiler depend downwards only (docs/architecture.md has the
# pictures).  Each folder of the runtime may include itself, abi/, and folders of lower rank; only
# api/ sees CUDA.
#
#   tools/check_layers.sh [ROOT]
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2

# folder:rank.  Folders of one rank do not see each other.
ranks="base:0 os:1 mem:2 fiber:2 sched:3 texture:3 exec:4 stream:5 api:6"
rank_of() {
    local entry
    for entry in $ranks; do
        [ "${entry%%:*}" = "$1" ] && echo "${entry##*:}" && return
    done
}
# The rooms of exec/ likewise, among themselves.
rooms="state:0 report:1 launch:2 block:3 loop:4"
room_rank_of() { # room_rank_of PATH, from exec/ on
    local entry room=${1#exec/}
    for entry in $rooms; do
        [ "${entry%%:*}" = "${room%%/*}" ] && echo "${entry##*:}" && return
    done
}
check_rooms() { # check_rooms FILE:LINE FROM TO: paths from exec/ on
    local from to
    from=$(room_rank_of "$2") to=$(room_rank_of "$3")
    if [ -z "$from" ] || [ -z "$to" ]; then
        complain "$1" "\"$3\", included by $2: one of them is in no room of exec/"
    elif [ "$(dirname "$2")" != "$(dirname "$3")" ] && [ "$to" -ge "$from" ]; then
        complain "$1" "$(dirname "$2")/ (rank $from) includes \"$3\" (rank $to)"
    fi
}

bad=0
complain() {
    echo "$1: $2"
    bad=$((bad + 1))
}

for file in runtime/*/*.[chS] runtime/*/*.def runtime/*/*/*.[ch]; do
    [ -f "$file" ] || continue
    folder=${file#runtime/}
    folder=${folder%%/*}
    rank=$(rank_of "$folder")
    while IFS=: read -r line text; do
        [ -n "$line" ] || continue
        included=${text#*\"}
        included=${included%%\"*}
        room=${included%%/*}
        if [ "$folder" = abi ]; then
            complain "$file:$line" "abi/ includes nothing of the project, but \"$included\""
        elif [ "$room" = "$included" ]; then
            # No folder: a header of compat/.
            [ "$folder" = api ] || complain "$file:$line" "only api/ may include compat's \"$included\""
        elif [ "$room" = exec ] && [ "$folder" = exec ]; then
            check_rooms "$file:$line" "${file#runtime/}" "$included"
        elif [ "$room" = abi ] || [ "$room" = "$folder" ]; then
            :
        elif [ -z "$(rank_of "$room")" ]; then
            [ "$folder" = api ] && [ -f "compat/$included" ] ||
                complain "$file:$line" "\"$included\" is in no room of the runtime"
        elif [ "$(rank_of "$room")" -ge "${rank:--1}" ]; then
            complain "$file:$line" "$folder/ (rank ${rank:-none}) includes \"$included\" (rank $(rank_of "$room"))"
        fi
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file")
done

# CUDA's errors exist in api/ only; everything below speaks of enum cdp_status.
while IFS=: read -r file line text; do
    complain "$file:$line" "CUDA error outside api/:$text"
done < <(grep -nE '\bcudaError[A-Z_]' runtime/{base,os,mem,fiber,sched,texture,exec,exec/*,stream}/*.[ch] 2>/dev/null |
    grep -vE '(/\*|^[^:]*:[0-9]*:[[:space:]]*\*|//)')

# The compiler sees of the runtime its contract only.
while IFS=: read -r file line text; do
    complain "$file:$line" "cdpcc may include only abi/ of the runtime:$text"
done < <(find tools/cdpcc -name '*.[ch]' -exec \
    grep -nHE '#[[:space:]]*include[[:space:]]*"(base|os|mem|fiber|sched|texture|exec|stream|api)/' {} +)

# ---- the compiler ----
# Each folder may include itself and folders of lower rank; folders of one rank do not see each
# other.  math/ and object/ are parts of programs: of them the compiler sees math_library.h.
compiler="support:0 target:1 ir:2 math:2 lower:3 ptx:4 simd:4 instrument:4 backend:5 driver:6"
compiler_rank() { # compiler_rank PATH, within tools/cdpcc
    local folder=${1%%/*} entry
    [ "$folder" != "$1" ] || folder=main
    [ "$folder" != main ] || echo 7
    for entry in $compiler; do
        [ "${entry%%:*}" = "$folder" ] && echo "${entry##*:}" && return
    done
}
while IFS=: read -r file line text; do
    included=${text#*\"}
    included=${included%%\"*}
    from=${file#tools/cdpcc/}
    case $from in math/* | object/*) continue ;; esac
    case $included in
    abi/*) continue ;;
    */*) ;;
    *) complain "$file:$line" "\"$included\" without its folder"; continue ;;
    esac
    to=$(compiler_rank "$included")
    if [ -z "$to" ]; then
        complain "$file:$line" "\"$included\" is in no folder of the compiler"
    elif [ "${from%%/*}" != "${included%%/*}" ] && [ "$to" -ge "$(compiler_rank "$from")" ]; then
        complain "$file:$line" "${from%%/*}/ (rank $(compiler_rank "$from")) includes \"$included\" (rank $to)"
    fi
done < <(find tools/cdpcc -name '*.[ch]' -exec grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} +)

if [ $bad -ne 0 ]; then
    echo "$bad includes against the layers"
    exit 1
fi
echo "layers: ok"
