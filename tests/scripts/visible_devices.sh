#!/usr/bin/env bash
# CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cat >"$work/see.cu" <<'CU'
#include <cstdio>
#include <cuda.h>
__global__ void count(int *out) { cudaGetDeviceCount(out); }
static void show(int device)
{
    cudaDeviceProp p;
    char id[16];
    int back = -1, *seen;
    cudaSetDevice(device);
    cudaMallocManaged(&seen, sizeof *seen);
    cudaGetDeviceProperties(&p, device);
    cudaDeviceGetPCIBusId(id, sizeof id, device);
    cudaDeviceGetByPCIBusId(&back, id);
    count<<<1, 1>>>(seen);
    cudaDeviceSynchronize();
    printf("; %d: bus %d, %s, found as %d, kernel sees %d, major %d", device, p.pciBusID, id, back,
           *seen, p.major);
    cudaFree(seen);
}
int main(int argc, char **argv)
{
    int n = 0, drivers = -1;
    bool first = argc > 1;
    CUresult init = first ? cuInit(0) : CUDA_SUCCESS;
    cudaError_t error = cudaGetDeviceCount(&n);
    init = first ? init : cuInit(0);
    CUresult counted = cuDeviceGetCount(&drivers);
    printf("%d devices, error %d, driver %d %d %d", n, error, init, counted, drivers);
    void *p;
    if (error != cudaSuccess) {
        printf(", malloc %d", cudaMalloc(&p, 1));
    }
    for (int i = 0; i < n; i++) {
        show(i);
    }
    printf("\n");
}
CU
"$CDPCC" "$work/see.cu" -o "$work/see" -lcuda || exit 1
export CDP_DEVICE=h100,t4,a100
unset CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER
is_quiet() { # one line if there is no device
    if [[ $1 == *"error 100"* ]]; then
        says "$work/err" 'names none of the 3 devices' && [ "$(wc -l <"$work/err")" = 1 ]
    else
        [ ! -s "$work/err" ]
    fi
}
sees() { # sees EXPECTED VARIABLE=VALUE ...
    local expected=$1
    shift
    env "$@" "$work/see" >"$work/out" 2>"$work/err" && [ "$(cat "$work/out")" = "$expected" ] &&
        is_quiet "$expected" && env "$@" "$work/see" driver >"$work/out" 2>"$work/err" &&
        [ "$(cat "$work/out")" = "$expected" ] && is_quiet "$expected"
}
refuses() { # refuses SENTENCE VARIABLE=VALUE: error 101, and one line that says why
    env "$2" "$work/see" >"$work/out" 2>"$work/err"
    [ "$(cat "$work/out")" = "0 devices, error 101, driver 101 3 -1, malloc 101" ] && says "$work/err" "$1" &&
        [ "$(wc -l <"$work/err")" = 1 ]
}
see() { # see "BUS MAJOR" ...: what the program prints if it sees these devices
    local i=0 device bus major text="$# devices, error 0, driver 0 0 $#"
    for device in "$@"; do
        read -r bus major <<<"$device"
        text+="; $i: bus $bus, 0000:0$bus:00.0, found as $i, kernel sees $#, major $major"
        i=$((i + 1))
    done
    echo "$text"
}
h100="0 9" t4="1 7" a100="2 8" uuid=632d-6370-752d-646576696365
none="0 devices, error 100, driver 100 3 -1, malloc 100"
list() { # list VALUE DEVICE...: CUDA_VISIBLE_DEVICES=VALUE shows these devices
    local value=$1
    shift
    check "CUDA_VISIBLE_DEVICES='$value'" sees "$([ $# = 0 ] && echo "$none" || see "$@")" CUDA_VISIBLE_DEVICES="$value"
}
check "all devices" sees "$(see "$h100" "$t4" "$a100")" CDP_WORKERS=2
list 1 "$t4"
list 2,0 "$a100" "$h100"
list " 1, 02" "$t4" "$a100"
list 0,3,1 "$h100"
list 1,-1,0 "$t4"
list 0,GPU-6564 "$h100"
list ""
list -1
list 3,0
list none
list GPU-
list "GPU-6564" "$a100"
list "GPU-64647063-$uuid,gpu-63" "$t4" "$h100"
list "GPU-64647063-$uuid-0"
list "GPU-65,0" "$a100"
check "an order that CUDA has" sees "$(see "$t4")" CUDA_VISIBLE_DEVICES=1 CUDA_DEVICE_ORDER=PCI_BUS_ID
check "a device named twice" refuses "CUDA_VISIBLE_DEVICES=1,0,1: names device 1 twice" CUDA_VISIBLE_DEVICES=1,0,1
check "the same by its UUID" refuses "names device 0 twice" CUDA_VISIBLE_DEVICES=GPU-63,GPU-6364
check "an order that CUDA does not have" refuses "CUDA_DEVICE_ORDER=x: must be FASTEST_FIRST" CUDA_DEVICE_ORDER=x

cat >"$work/held.cu" <<'CU'
#include <cstdio>
int main()
{
    void *p;
    cudaMalloc(&p, 8 << 20);
    cudaMemset(p, 1, 8 << 20);
    cudaDeviceSynchronize();
    return system("exec \"$NVIDIA_SMI\" --query-gpu=index,memory.used --format=csv,noheader,nounits") != 0;
}
CU
held() { # NVML counts the machine's devices
    "$CDPCC" -include cstdlib "$work/held.cu" -o "$work/held" &&
        NVIDIA_SMI="$(dirname "$CDPCC")/nvidia-smi" CUDA_VISIBLE_DEVICES=2,1 "$work/held" >"$work/out" &&
        says "$work/out" '^0, 0$' '^1, 0$' '^2, ([8-9]|[1-9][0-9]+)$'
}
check "nvidia-smi shows memory at the machine's number" held

cat >"$work/ipc.cu" <<'CU'
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
int main()
{
    int to[2], from[2];
    cudaIpcMemHandle_t handle;
    void *p;
    if (pipe(to) != 0 || pipe(from) != 0) {
        return 1;
    }
    if (fork() == 0) {
        setenv("CUDA_VISIBLE_DEVICES", "0,2", 1);
        cudaPointerAttributes a;
        if (read(to[0], &handle, sizeof handle) != sizeof handle ||
            cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
            return 1;
        }
        cudaPointerGetAttributes(&a, p);
        printf("device %d\n", a.device);
        cudaIpcCloseMemHandle(p);
        return write(from[1], "", 1) != 1;
    }
    cudaMalloc(&p, 4096);
    cudaIpcGetMemHandle(&handle, p);
    char done;
    bool good = write(to[1], &handle, sizeof handle) == sizeof handle && read(from[0], &done, 1) == 1;
    cudaFree(p);
    wait(NULL);
    return !good;
}
CU
shared() { # device 0 of the one process is device 1 of the other
    "$CDPCC" "$work/ipc.cu" -o "$work/ipc" && CUDA_VISIBLE_DEVICES=2 limit 20 "$work/ipc" >"$work/out" &&
        [ "$(cat "$work/out")" = "device 1" ]
}
check "memory of another process is at the machine's number" shared
finish
