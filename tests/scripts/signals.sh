#!/usr/bin/env bash
# Signals of a program as a whole: faults of host code that nobody handles end it as without the
# runtime, and handlers are chained also if the runtime was loaded by dlopen.
# rules: S42
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

cat >"$work/end.cu" <<'CU'
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void nothing() {}
int main(int, char **argv)
{
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    if (strstr(argv[1], "default")) {
        signal(SIGSEGV, SIG_DFL);
    } else if (strstr(argv[1], "ignored")) {
        signal(SIGSEGV, SIG_IGN);
    }
    if (strstr(argv[1], "fault")) {
        *(volatile int *)16 = 1;
    } else {
        kill(getpid(), SIGSEGV);
        for (int i = 0; i < 5000 && !strstr(argv[1], "ignored"); i++) {
            usleep(1000); // another thread may get it
        }
    }
    return 3;
}
CU
cat >"$work/library.cu" <<'CU'
__global__ void store(int *p) { *p = 1; }
extern "C" int fault_in_kernel()
{
    store<<<1, 1>>>((int *)64);
    int error = cudaDeviceSynchronize();
    cudaDeviceReset();
    return error;
}
CU
cat >"$work/loader.c" <<'C'
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf place;
static void handle(int signal) { siglongjmp(place, signal); }
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    int (*run)(void) = library ? (int (*)(void))dlsym(library, "fault_in_kernel") : 0;
    if (!run) {
        return puts(dlerror());
    }
    printf("%d", run());
    for (int i = 0; i < 2; i++) {
        signal(SIGSEGV, handle);
        printf(" %d", run());
        int caught = sigsetjmp(place, 1);
        if (!caught) {
            *(volatile int *)16 = 1;
        }
        printf(" %d", caught == SIGSEGV);
    }
    puts("");
}
C

ends() { # ends STATUS HOW
    local status
    (limit 30 "$work/end" "$2") >/dev/null 2>&1
    status=$?
    [ $status -eq "$1" ] || { echo "$2: status $status instead of $1"; return 1; }
}
unhandled_faults_end_it() {
    "$CDPCC" "$work/end.cu" -o "$work/end" || return 1
    # The status of a shell whose command a signal ended. An ignored signal is not sent again.
    ends 139 fault && ends 139 'fault, default' && ends 139 'fault, ignored' && ends 139 sent &&
        ends 139 'sent, default' && ends 3 'sent, ignored'
}
handlers_chain_in_a_loaded_library() {
    "$CDPCC" -shared -Xcompiler -fPIC "$work/library.cu" -o "$work/liblibrary.so" &&
        "${CC:-cc}" "$work/loader.c" -o "$work/loader" -ldl || return 1
    "$work/loader" "$work/liblibrary.so" >"$work/out" 2>"$work/err"
    [ "$(cat "$work/out")" = "700 700 1 700 1" ] || { cat "$work/out" "$work/err"; return 1; }
}
check "unhandled faults end the program" unhandled_faults_end_it
check "handlers are chained if the runtime was loaded by dlopen" handlers_chain_in_a_loaded_library
finish
