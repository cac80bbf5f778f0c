#!/usr/bin/env bash
# Compares the code that this compiler makes with the code of another one.  It is for changes that must
# not affect the code.  It compares the device code of tests/cu, examples and bench for four processors,
# as LLVM's text, byte by byte.
#
#   tools/ir_identity.sh BASE [PATTERN]    BASE is the other cdpcc; PATTERN selects paths
#
# Prints each source whose code differs, and the files with the two texts.  It is not part of make
# check, because it takes about ten minutes and needs a base.
#
# Environment: CDPCC, JOBS (2), CDP_IDENTITY_KEEP (a folder for the texts; BASE's texts are reused).
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
[ $# -ge 1 ] && [ -x "$1" ] || { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2; }
base=$1 pattern=${2:-.}
if [ -n "${CDP_IDENTITY_KEEP:-}" ]; then
    kept=$CDP_IDENTITY_KEEP
    mkdir -p "$kept" || exit 2
else
    kept=$(mktemp -d) || exit 2
    trap 'rm -rf "$kept"' EXIT
fi
trap 'exit 130' INT TERM
processors=(-march=x86-64-v4 -march=x86-64-v3 -march=x86-64 --target=aarch64-linux-gnu)

flags_of() { # flags_of SOURCE: the flags of a test of tests/cu, without processors
    sed -n '1,10s|^// cdpcc: ||p' "$1" | sed 's/-march=[^ ]*//g'
}

# text COMPILER SOURCE PROCESSOR OUT: without the parts that depend on paths. The output has one
# name for both compilers, because names of the unit's own symbols depend on it.
text() {
    local made=${4%.*}.ll
    # shellcheck disable=SC2046
    "$1" -w -O3 $(flags_of "$2") "$3" -S -emit-llvm --cuda-device-only "$2" -o "$made" 2>"$4.log" ||
        echo "does not compile" >"$made"
    sed -E -e '/^; ModuleID = /d' -e '/include\/cdpcc\/.*section "llvm.metadata"/d' \
        -e 's/^(![0-9]+ = !\{i64 )[0-9]+(\})$/\1\2/' \
        -e 's|DIFile\(filename: "[^"]*/include/cdpcc/([^"]*)", directory: "[^"]*"|DIFile(filename: "\1"|' "$made" >"$4"
    rm -f "$made"
}

compare() { # compare SOURCE
    local source=$1 processor name
    for processor in "${processors[@]}"; do
        name=$(echo "${source#"$top"/}$processor" | tr '/=' '__')
        [ -s "$kept/$name.base" ] || text "$base" "$source" "$processor" "$kept/$name.base"
        text "$CDPCC" "$source" "$processor" "$kept/$name.new"
        if cmp -s "$kept/$name.base" "$kept/$name.new"; then
            echo same
        else
            echo "differs: ${source#"$top"/} $processor ($kept/$name.base, .new)"
        fi
    done
}

cd "$top" || exit 2
for source in "$top"/tests/cu/*.cu "$top"/examples/*.cu "$top"/bench/*.cu "$top"/bench/*/*.cu; do
    [[ $source =~ $pattern ]] || continue
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
        wait -n
    done
    compare "$source" >"$kept/$(basename "$source").result" &
done
wait
cat "$kept"/*.result | grep '^differs'
same=$(cat "$kept"/*.result | grep -c '^same') differs=$(cat "$kept"/*.result | grep -c '^differs')
rm -f "$kept"/*.result
echo "$same passed, $differs failed"
[ "$differs" -eq 0 ] && [ "$same" -gt 0 ]
