#!/usr/bin/env bash
# Counts the fields of the structs in C files: lines "FIELDS NAME FILE", the largest first.  Fields of
# nested structs count too.  It reads the text and relies on clang-format's layout.
#
#   tools/count_fields.sh FILE...
set -u
awk '
    FNR == 1 { inside = 0; comment = 0 }
    {
        # Removes comments, also those of several lines.
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
        # Each ";" ends a declaration of one name. Each comma outside brackets adds one name.
        depth = 0
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(" || c == "[") { depth++ }
            else if (c == ")" || c == "]") { depth-- }
            else if (c == ";" || (c == "," && depth == 0 && text !~ /^ *[A-Z_]+,?$/)) { fields++ }
        }
    }' "$@" | sort -k1,1nr -k2
