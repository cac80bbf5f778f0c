#!/usr/bin/env bash
# Writes docs/support.md: the supported host calls and the refused ones,
# from compat/cuda_runtime_api.h, compat/cdp/array_api.h, compat/cdp/graph_api.h, compat/cdp/peer_api.h, compat/cdp/batch_api.h, compat/cdp/array_parts.h, compat/cdp/notification_api.h,
# compat/cdp/occupancy_api.h, compat/cdp/entry_api.h, compat/cdp/external_api.h, compat/cdp/library_api.h, compat/cdp/reference_api.h and
# runtime/api/unsupported.def.
#
#   tools/gen_support.sh            writes the page
#   tools/gen_support.sh --check    fails if the page is out of date
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
page=$top/docs/support.md

# "name<TAB>feature" for each refused call; entries may span lines.
refused() {
    tr '\n' ' ' <"$top/runtime/api/unsupported.def" | sed 's/CDP_UNSUPPORTED(/\n&/g' |
        sed -n 's/^CDP_UNSUPPORTED(\([A-Za-z0-9_]*\),.*"\([^"]*\)").*/\1\t\2/p'
}

# Every call the header declares, once, in its order.
declared() {
    sed 's://.*$::' "$top/compat/cuda_runtime_api.h" "$top/compat/cdp/array_api.h" "$top/compat/cdp/graph_api.h" "$top/compat/cdp/peer_api.h" "$top/compat/cdp/batch_api.h" "$top/compat/cdp/array_parts.h" "$top/compat/cdp/notification_api.h" "$top/compat/cdp/occupancy_api.h" \
        "$top/compat/cdp/entry_api.h" "$top/compat/cdp/external_api.h" "$top/compat/cdp/library_api.h" "$top/compat/cdp/reference_api.h" | tr '\n' ' ' | sed 's:/\*[^*]*\*/: :g' |
        grep -oE '\<cuda[A-Z][A-Za-z0-9_]*\(' | tr -d '(' | awk '!seen[$0]++'
}

write_page() {
    echo '# Host calls of the CUDA runtime API'
    echo
    echo 'Written by `tools/gen_support.sh`; do not edit. Device calls: `runtime/abi/cdp_abi.def`.'
    echo
    echo '## Refused'
    echo
    echo 'Each returns `cudaErrorNotSupported` and prints a message once on stderr.'
    echo
    echo '| feature | calls |'
    echo '|---|---|'
    refused | awk -F'\t' '
        !($2 in calls) { order[++count] = $2 }
        { calls[$2] = calls[$2] (calls[$2] == "" ? "" : ", ") "`" $1 "`" }
        END { for (i = 1; i <= count; i++) printf "| %s | %s |\n", order[i], calls[order[i]] }'
    echo
    echo '## Supported'
    echo
    declared | grep -vxF -f <(refused | cut -f1) | sort | sed 's/.*/`&`/' | paste -sd' ' | fold -sw 100 |
        sed 's/ *$//'
}

if [ "${1:-}" = --check ]; then
    write_page | diff -u "$page" - || { echo "docs/support.md: run tools/gen_support.sh" >&2; exit 1; }
else
    write_page >"$page"
fi
