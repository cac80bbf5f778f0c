#!/usr/bin/env bash
# docs/profile.md is correct: its commands, and those of its phrasebook, run as they are printed,
# and give what the phrasebook says.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
doc=$top/docs/profile.md
bin=$(cd "$(dirname "$CDPCC")" && pwd)
export PATH=$bin:$PATH
cd "$work" || exit 2
ln -s "$top/examples" examples

printed() { # the indented commands; those with a name to fill in, and mpirun, are left out
    sed -nE 's/^    (\$ )?((CDP_[A-Z_]+=|cdpcc |cdp-)[^[:space:]].*)$/\2/p' "$doc" | grep -v PID
}
# The second column of the tables of the phrasebook, and the first one of the last table.
phrases() {
    sed -n '/^## Phrasebook/,/^## Names/p' "$doc" | sed -E 's/\\\|/!/g' >phrasebook
    sed -nE -e 's/^\| .* \| `([^`]*)` \| .*$/\1/p' -e 's/^\| `([^`]*)` \| [^`|]* \|$/\1/p' phrasebook
    sed -nE 's/^\| `((CDP_|cdp)[^`]*)` \| [^|]* \|$/\1/p' phrasebook
}
mapfile -t commands < <(printed)
check "the commands that are printed" all_run 9 "${commands[@]}"
mapfile -t commands < <(phrases | awk '!seen[$0]++')
check "the commands of the phrasebook" all_run 14 "${commands[@]}"
no_row_is_lost() { # each row has a command of ours
    local rows
    rows=$(grep -c '^| [^h-]' phrasebook)
    [ "$(phrases | wc -l)" -ge $((rows - 3)) ] || { echo "$rows rows"; phrases; return 1; }
}
check "each row of the phrasebook has a command" no_row_is_lost
tables() {
    cdp-prof ./program >out 2>err &&
        says err '^cdp: kernels$' '^cdp: device launches$' '^cdp: copies and fills$' '^cdp: API calls$' ' grid +block ' &&
        cdp-prof --csv ./program 2>err >out && says err '^section,.*,bytes,' '^"kernels",' '^"API calls",' '^"copies and fills",'
}
check "sections and columns of the profile" tables
lines() {
    cdp-prof --lines ./counted >out 2>err && cut -c 15- err >after && sed -n '/begin lines/,/end lines/p' "$doc" | cut -c 15- |
        sed '1,2d' | head -n -2 | while IFS= read -r line; do
        grep -qxF -- "$line" after || { echo "not printed: $line"; cat err; exit 1; }
    done
}
check "what --lines prints, but for instructions, which depend on the processor" lines
json() {
    CDP_COUNT=counts.json ./counted >out && python3 - "$doc" <<'PY'
import json, re, sys
counts = json.load(open("counts.json"))
classes = set(counts["kernels"][0]["instructions"])
text = open(sys.argv[1]).read()
listed = re.search(r"the latter by class: (.*), which are nvprof's", text).group(1)
assert classes <= set(re.findall("`(.*?)`", listed)), (classes, listed)
load = next(s for s in counts["sites"] if s["operation"] == "ld" and s["space"] == "global")
sectors = load["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
assert 0 < load["bytes"] / (32 * sectors) <= 1 and load["smsp__inst_executed.sum"] > 0, load
PY
}
check "the file of CDP_COUNT" json
names() { [ -n "$(find . -name 'run0.*.json')" ] && [ -n "$(find . -name 'run.*.txt')" ]; }
check "%p and %q{NAME} in names of files" names
ranks() { # the line with mpirun
    command -v mpirun >/dev/null || return 0
    local line
    line=$(sed -nE 's/^    (mpirun .*)/\1/p' "$doc")
    [ -n "$line" ] || return 1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    limit 60 bash -c "$line" >out 2>err && ls rank0.json rank1.json rank2.json rank3.json
}
check "a trace of each rank of MPI" ranks
finish
