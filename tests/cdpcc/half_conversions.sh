#!/bin/bash
# 16-bit floating-point types convert to other types, and are operands, where they may with nvcc.
. "$(dirname "$0")/support.bash"

source=$HERE/half_conversions.cu
grep -n ' // no$' "$source" | cut -d: -f1 >refused.txt
"$CDPCC" -fsyntax-only --cuda-device-only "$source" 2>err.txt
sed -nE 's/.*half_conversions\.cu:([0-9]+):[0-9]+: error.*/\1/p' err.txt | sort -nu >errors.txt
[ "$(wc -l <refused.txt)" -gt 30 ] && cmp -s refused.txt errors.txt && ok as_nvcc ||
    fail as_nvcc "$(diff refused.txt errors.txt; cat err.txt)"
finish
