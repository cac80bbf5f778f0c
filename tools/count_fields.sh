#!/usr/bin/env bash
# How many fields the structs of C files have: lines "FIELDS NAME FILE", the largest first.  Fields of
# structs within count too.  It reads the text, in the form that clang-format gives it.
#
#   tools/count_fields.sh FILE...
set -u
awk '
    FNR == 1 { inside = 0; comment = 0 }
    {
        # Comments go; those over several lines too.
        line = $0
        text = ""
        while (line != "") {
            if (comment) {
                at = index(line, "*/")
                if (at == 0) { line = ""; break }
                line = substr(line, at + 2)
                comment = 0
                continue
            }
            at = index(line, "/*")
            if (at == 0) { text = text line; break }
            text = text substr(line, 1, at - 1)
            line = substr(line, at + 2)
            comment = 1
        }
        sub(/\/\/.*/, "", text)
    }
    text ~ /^(typedef |static |const )*(struct|union) [^;(=]*\{$/ {
        inside = 1
        fields = 0
        name = text
        sub(/ *\{$/, "", name)
        sub(/.* /, "", name)
        next
    }
    inside && text ~ /^}/ {
        print fields, name, FILENAME
        inside = 0
        next
    }
    inside && text !~ /^#/ {
        # Each ";" ends a declaration of one name, and of one more for each comma outside brackets.
        depth = 0
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(" || c == "[") { depth++ }
            else if (c == ")" || c == "]") { depth-- }
            else if (c == ";" || (c == "," && depth == 0 && text !~ /^ *[A-Z_]+,?$/)) { fields++ }
        }
    }' "$@" | sort -k1,1nr -k2
