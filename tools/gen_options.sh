#!/usr/bin/env bash
# Writes the table of CDP_* variables in README.md from runtime/base/options.def.
#
#   tools/gen_options.sh            rewrites the table between its two markers
#   tools/gen_options.sh --check    fails if the table is out of date
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
readme=$top/README.md

# The entries are C strings and numbers, so the C preprocessor can read them.
table() {
    echo '| variable | values | default | meaning |'
    echo '|---|---|---|---|'
    printf '%s\n' \
        '#define CDP_OPTION_NUMBER(field, variable, initial, least, most, help) ROW variable @ least to most @ initial @ help' \
        '#define CDP_OPTION_CHOICE(field, variable, initial, words, help) ROW variable @ words @ choice initial @ help' \
        '#define CDP_OPTION_LIST(field, variable, words, help) ROW variable @ all, none, words @ all @ help' \
        '#define CDP_OPTION_TEXT(field, variable, values, help) ROW variable @ values @ none @ help' \
        '#define UINT32_MAX 4294967295' '#include "base/options.def"' |
        cpp -P -I"$top/runtime" - | tr '\n' ' ' | sed 's/ROW /\nROW /g' | sed -n 's/^ROW //p' |
        awk -F' @ ' '{
            gsub(/" *"/, "", $4); gsub(/^ *"|" *$/, "", $4); gsub(/"/, "", $2); sub(/ *$/, "", $4)
            if ($3 ~ /^choice/) { split($2, words, "|"); $3 = words[substr($3, 8) + 1] }
            gsub(/\|/, ", ", $2)
            printf "| `%s` | %s | %s | %s |\n", $1, $2, $3, $4
        }'
}

updated=$(mktemp) || exit 2
trap 'rm -f "$updated"' EXIT
table >"$updated.table"
sed -e "/<!-- begin options -->/r $updated.table" -e '/<!-- begin options -->/,/<!-- end options -->/{/<!--/!d}' \
    "$readme" >"$updated"
rm -f "$updated.table"
if [ "${1:-}" = --check ]; then
    diff -u "$readme" "$updated" || { echo "README.md: run tools/gen_options.sh" >&2; exit 1; }
else
    cp "$updated" "$readme"
fi
