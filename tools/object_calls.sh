#!/usr/bin/env bash
# Prints which file uses functions and variables of which other file, from the symbols of their objects.
# Lines are "FROM TO SYMBOL KIND".  FROM and TO are paths below SOURCES without extension.  KIND is nm's
# letter: T is a function.  A use through a pointer counts where the address is taken.
#
#   tools/object_calls.sh SOURCES OBJECTS     runtime build/obj/plain, or tools/cdpcc build/obj/tool
#
# Status 3, with the name of a source on standard error, if it has no object there.
set -u
sources=$1 objects=$2
list=$(find "$sources" -name '*.[cS]' -printf '%P\n' | LC_ALL=C sort)
present=()
for source in $list; do
    object=$objects/${source%.*}.o
    if [ -e "$object" ]; then
        present+=("${source%.*}.o")
    elif [[ $source = *.c && ! $source =~ ^(math|object)/ ]]; then
        # An assembly file is for one machine, so it may have no object. math/ and object/ become parts of
        # compiled programs.
        echo "$sources/$source" >&2
        exit 3
    fi
done
[ ${#present[@]} -gt 0 ] || { echo "$sources" >&2; exit 3; }
cd "$objects" && nm -A -g "${present[@]}" | awk '
    { sub(/\.o:.*/, "", $1); kind = $(NF - 1); name = $NF }
    kind == "U" || kind == "w" || kind == "v" { uses[++count] = $1 " " name; next }
    { definer[name] = $1; kinds[name] = kind }
    END {
        for (i = 1; i <= count; i++) {
            split(uses[i], use, " ")
            if (use[2] in definer && definer[use[2]] != use[1]) {
                print use[1], definer[use[2]], use[2], kinds[use[2]]
            }
        }
    }'
