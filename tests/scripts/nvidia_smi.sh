#!/usr/bin/env bash
# NVML and nvidia-smi: the devices as programs see them.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
bin=$(dirname "$(command -v "$CDPCC")")
smi=$bin/nvidia-smi

queries() {
    "$CDPCC" "$top/tests/driver/nvml.cpp" -o "$work/nvml" -lnvidia-ml &&
        CDP_DEVICE=t4,h100 CDP_MEMORY_MB=500 "$work/nvml" 2 T4 500 && CDP_MEMORY_MB=600 "$work/nvml" 1 CPU 600
}
check "NVML's queries agree with CUDA's" queries

as_c() {
    gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$bin/../include/cdpcc" -x c - <<'C'
#include <nvml.h>
_Static_assert(nvmlMemory_v2 == 0x2000028, "NVIDIA's value");
_Static_assert(sizeof(nvmlFieldValue_t) == 40 && sizeof(nvmlProcessInfo_t) == 24 && sizeof(nvmlPciInfo_t) == 68, "NVIDIA's sizes");
int main(void)
{
    return nvmlInit() == NVML_SUCCESS;
}
C
}
check "nvml.h in C" as_c

temperature() {
    mkdir -p "$work/hwmon/hwmon0" "$work/hwmon/hwmon1" &&
        echo nvme >"$work/hwmon/hwmon0/name" && echo 99000 >"$work/hwmon/hwmon0/temp1_input" &&
        echo k10temp >"$work/hwmon/hwmon1/name" && echo 41500 >"$work/hwmon/hwmon1/temp1_input" &&
        cat >"$work/heat.c" <<'C' &&
#include <stdio.h>
#include "state.h"
int main(int count, char **words)
{
    unsigned celsius = 0;
    bool found = cdp_nvml_temperature(words[count - 1], &celsius);
    printf("%d %u\n", found, celsius);
}
C
        gcc -std=c11 -D_GNU_SOURCE -I"$top/libraries/nvml" -I"$top/runtime" -I"$top/compat" "$work/heat.c" \
            "$top/libraries/nvml/sensors.c" -o "$work/heat" &&
        [ "$("$work/heat" "$work/hwmon")" = "1 41" ] && [ "$("$work/heat" "$work/hwmon/hwmon0")" = "0 0" ] &&
        [ "$("$work/heat" "$work/nothing")" = "0 0" ]
}
check "the processor's temperature" temperature

export CDP_DEVICE=h100,t4 CDP_MEMORY_MB=3000
same() { # same STATUS EXPECTED ARGUMENTS...: the whole output
    local status=$1 expected=$2 got
    shift 2
    got=$("$smi" "$@")
    [ $? -eq "$status" ] && [ "$got" = "$expected" ] || { echo "$got"; return 1; }
}
csv='index, name, memory.total [MiB], compute_cap, clocks.current.sm [MHz], fan.speed [%]
0, NVIDIA H100 80GB HBM3 (cdpcc), 3000 MiB, 9.0, 1980 MHz, [N/A]
1, Tesla T4 (cdpcc), 3000 MiB, 7.5, 1590 MHz, [N/A]'
check "fields" same 0 "$csv" --query-gpu=index,name,memory.total,compute_cap,clocks.sm,fan.speed --format=csv
check "fields without header and units" same 0 "3000, 1, 00000000:01:00.0" --query-gpu=memory.total,index,gpu_bus_id \
    --format=csv,noheader,nounits -i 1
check "by UUID" same 0 "1" --query-gpu index --format=csv,noheader --id=GPU-64647063-632d-6370-752d-646576696365
check "the list" same 0 "GPU 0: NVIDIA H100 80GB HBM3 (cdpcc) (UUID: GPU-63647063-632d-6370-752d-646576696365)
GPU 1: Tesla T4 (cdpcc) (UUID: GPU-64647063-632d-6370-752d-646576696365)" -L
check "an unknown field" same 2 'Field "bogus" is not a valid field to query.' --query-gpu=name,bogus --format=csv
check "an unknown format" same 2 'Format modifier is not recognized.' --query-gpu=name --format=xml
check "several devices" same 0 $'1\n0' --query-gpu=index --format=csv,noheader -i 01:00.0,0
check "a list with an unknown device" same 6 'No devices were found' -i 0,7
check "the header has units without units" same 0 $'memory.total [MiB], index\n3000, 0' \
    --query-gpu=memory.total,index --format=csv,nounits -i 0
reasons() { # idle or not: other programs may run
    "$smi" --query-gpu=clocks_throttle_reasons.active --format=csv -i 0 >"$work/out" &&
        says "$work/out" '^clocks_event_reasons.active$' '^0x000000000000000[01]$'
}
check "the reasons for the clocks" reasons
board=ecc.mode.current,ecc.errors.corrected.volatile.total,retired_pages.dbe,remapped_rows.pending
board+=,pcie.link.gen.current,temperature.memory,power.limit,power.min_limit,mig.mode.current,pci.device_id,pstate
check "facts of the profile" same 0 'Enabled, 0, [N/A], No, 5, N/A, 700.00 W, 200.00 W, Disabled, 0x233010DE, P0
Enabled, 0, 0, [N/A], 3, N/A, 70.00 W, 60.00 W, [N/A], 0x1EB810DE, P0' --format=csv,noheader --query-gpu=$board
cpu_has_none() {
    [ "$(CDP_DEVICE=cpu "$smi" --format=csv,noheader --query-gpu=$board)" = \
        '[N/A], [N/A], [N/A], [N/A], [N/A], N/A, [N/A], [N/A], [N/A], [N/A], [N/A]' ]
}
check "this machine has no such facts" cpu_has_none
topology() {
    "$smi" topo -m >"$work/out" && "$smi" topo >/dev/null && ! "$smi" topo -p2p r >/dev/null &&
        [ "$(head -1 "$work/out")" = $'\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID' ] &&
        [ "$(sed -n 3p "$work/out" | cut -f 1,3)" = $'GPU1\t X ' ] && says "$work/out" "^GPU0.( X ).(PHB|SYS)." '^  PHB  = '
}
check "the topology" topology
xml() { # read by a parser that knows nothing of NVIDIA's document type
    "$smi" -q -x -i 1 >"$work/out" && python3 - "$work/out" <<'PY'
import sys, xml.etree.ElementTree as tree
log = tree.parse(sys.argv[1]).getroot()
gpu = log.find("gpu")
words = [log.find("attached_gpus").text, len(log.findall("gpu")), gpu.get("id"), gpu.find("product_name").text,
         gpu.find("fb_memory_usage/total").text, gpu.find("ecc_mode/current_ecc").text, gpu.find("clocks/sm_clock").text,
         len(gpu.findall("processes"))]
sys.exit(words != ["2", 1, "00000000:01:00.0", "Tesla T4 (cdpcc)", "3000 MiB", "Enabled", "1590 MHz", 1] and str(words))
PY
}
check "XML" xml
architecture() {
    "$smi" -q -i 1 >"$work/out" && says "$work/out" 'Product Brand +: NVIDIA$' 'Product Architecture +: Turing$'
}
check "the architecture" architecture
check "an unknown device" same 6 'No devices were found' -i 7
check "an unknown option" same 255 "ERROR: Option --bogus is not recognized. Please run 'nvidia-smi -h'." --bogus
check "an unknown part" same 2 "Failed to parse --display/-d flags" -q -d BOGUS

help_names_fields() {
    local fields
    fields=$("$smi" --help-query-gpu | sed -n 's/^"\([^"]*\)".*/\1/p')
    [ "$(wc -l <<<"$fields")" -gt 25 ] && "$smi" --query-gpu="$(tr '\n' ',' <<<"$fields")" --format=csv >"$work/out" &&
        [ "$(wc -l <"$work/out")" -eq 3 ] && "$smi" --help >"$work/help" && says "$work/help" --query-gpu=
}
check "each field of the help exists" help_names_fields

table() {
    "$smi" >"$work/out" &&
        says "$work/out" '^\| NVIDIA-SMI [0-9.]+ \(cdpcc\) +Driver Version: [0-9.]+ +CUDA Version: [0-9.]+ +\|$' \
            '^\|   0  NVIDIA H100 80GB HBM3 \(cdpcc\) +On  \|   00000000:00:00.0 Off \|                    0 \|$' \
            '^\| N/A +[0-9A-Z/]+ +P0             N/A /  700W \|' '^\| +\| +\|             Disabled \|$' \
            '^\|   1  Tesla T4 \(cdpcc\) ' ' / +3000MiB \|' &&
        [ "$(tail -n +2 "$work/out" | awk 'length > 0 && length != 91' | wc -l)" -eq 0 ] &&
        "$smi" -q >"$work/out" && says "$work/out" 'Attached GPUs +: 2$' 'Total +: 3000 MiB' 'Power Draw +: N/A' &&
        "$smi" -q -d MEMORY -i 1 >"$work/out" && says "$work/out" 'Total +: 3000 MiB' &&
        ! grep -q 'Product Name' "$work/out"
}
check "the table and the details" table
parts() { # in the places where NVIDIA's has them
    "$smi" -q -i 0 -d ECC,ROW_REMAPPER,PAGE_RETIREMENT,ACCOUNTING,POWER >"$work/out" &&
        says "$work/out" '^    Accounting Mode Buffer Size                        : 4000$' '^    ECC Mode$' \
            '^        Current                                        : Enabled$' '^        Volatile$' \
            '^            SRAM Correctable                           : 0$' '^        Single Bit ECC                                 : N/A$' \
            '^        Remapping Failure Occurred                     : No$' \
            '^        Min Power Limit                                : 200.00 W$' &&
        ! grep -q 'Product Name' "$work/out" || return 1
    "$smi" -q -i 1 >"$work/out" &&
        says "$work/out" '^            SRAM Correctable                           : N/A$' '^                Max                                    : 16x$' \
            '^        Idle                                           : (Not )?Active$' '^        Device Id                                      : 0x1EB810DE$'
}
check "details of errors, limits and the link" parts

cat >"$work/holds.cu" <<'CU'
#include <cstdio>
#include <csignal>
#include <cstdlib>
#include <unistd.h>
int main()
{
    char *p, line[10];
    cudaMalloc(&p, 24 << 20); // not touched
    cudaMallocManaged(&p, 12 << 20);
    cudaSetDevice(1);
    cudaMalloc(&p, 40 << 20);
    cudaMemset(p, 1, 40 << 20);
    pid_t child = fork(); // does not count
    if (child == 0) {
        pause();
    }
    puts("ready");
    fflush(stdout);
    bool is_good = fgets(line, sizeof line, stdin) != NULL;
    kill(child, SIGKILL);
    return !is_good;
}
CU
running() {
    "$CDPCC" "$work/holds.cu" -o "$work/holds" || return 1
    coproc "$work/holds"
    local id=$COPROC_PID line out=${COPROC[0]} in=${COPROC[1]}
    read -r line <&"$out"
    "$smi" --query-compute-apps=pid,name,used_memory --format=csv,noheader | grep holds >"$work/apps"
    "$smi" >"$work/table"
    echo >&"$in"
    wait "$id"
    [ "$(cat "$work/apps")" = "$id, $work/holds, 24 MiB"$'\n'"$id, $work/holds, 40 MiB" ] && says "$work/table" "^\|    1   N/A  N/A +$id +C   .*holds +4[0-9]MiB \|\$"
}
check "a program that has memory of a device is listed" running
finish
