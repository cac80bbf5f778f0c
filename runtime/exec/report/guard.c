/* Guarded functions: after a fault, the signal handler of exec/report/fault.c continues here. */
#include "exec/report/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "os/context.h"

/* It is in the frame of cdp_guard_run. */
struct guard {
    jmp_buf place;
    const void *address;
};

static __thread struct guard *active CDP_TLS_INITIAL_EXEC;

/* Runs in the interrupted thread, after the handler. */
static void go_back(void *guard)
{
    longjmp(((struct guard *)guard)->place, 1);
}

bool cdp_guard_caught(int signal, const void *address, void *context)
{
    struct guard *guard = active;
    if (guard == NULL || (signal != SIGSEGV && signal != SIGBUS)) {
        return false;
    }
    active = NULL;
    guard->address = address;
    cdp_os_context_go(context, go_back, guard);
    return true;
}

bool cdp_guard_run(void (*function)(void *data), void *data, const void **address)
{
    struct guard guard;
    /* It saves no signal mask, because the return from the handler restores it. */
    if (setjmp(guard.place) != 0) {
        *address = guard.address;
        return false;
    }
    active = &guard;
    function(data);
    active = NULL;
    return true;
}
