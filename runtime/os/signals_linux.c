/* The program's actions for signals that the runtime has taken.
 *
 * The functions at the end have the names of the C library's functions. Programs and their
 * libraries find these first. The sanitizers' versions are weak, and are called from here. */
#include "os/signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "base/attr.h"
#include "os/os.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1 /* the sanitizers' versions are weak and are called first */
#endif
#endif
#ifdef SANITIZED
#define INSTEAD CDP_EXPORT
#else
#define INSTEAD CDP_EXPORT __attribute__((weak)) /* a program may define its own version */
#endif

enum { SIGNALS = 65 };

typedef void (*cdp_trap_handler)(int signal, siginfo_t *info, void *context);

/* State of the process. A thread that holds the lock has all signals blocked, so handlers may take
 * the lock. */
static struct {
    atomic_flag lock;
    cdp_trap_handler taken[SIGNALS];   /* NULL: the signal is the program's alone */
    struct sigaction program[SIGNALS]; /* under the lock; for the taken signals */
} actions = {.lock = ATOMIC_FLAG_INIT};

/* The system's function, or the sanitizer's version that calls it. */
extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);
extern int __interceptor_sigaction(int signal, const struct sigaction *action,
                                   struct sigaction *old) __attribute__((weak));
extern sighandler_t __interceptor_signal(int signal, sighandler_t handler) __attribute__((weak));

static int set_real(int signal, const struct sigaction *action, struct sigaction *old)
{
    return __interceptor_sigaction != NULL ? __interceptor_sigaction(signal, action, old)
                                           : __sigaction(signal, action, old);
}

CDP_NOT_INSTRUMENTED static void lock(sigset_t *mask)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    while (atomic_flag_test_and_set_explicit(&actions.lock, memory_order_acquire)) {
        cdp_os_pause();
    }
}

CDP_NOT_INSTRUMENTED static void unlock(const sigset_t *mask)
{
    atomic_flag_clear_explicit(&actions.lock, memory_order_release);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static bool is_taken(int signal)
{
    return signal > 0 && signal < SIGNALS && actions.taken[signal] != NULL;
}

/* Exchanges the program's action for a taken signal. */
CDP_NOT_INSTRUMENTED static struct sigaction exchange(int signal, const struct sigaction *action)
{
    sigset_t mask;
    lock(&mask);
    struct sigaction old = actions.program[signal];
    if (action != NULL) {
        actions.program[signal] = *action;
    }
    unlock(&mask);
    return old;
}

static struct sigaction own_action(int signal)
{
    struct sigaction own = {.sa_sigaction = actions.taken[signal],
                            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&own.sa_mask);
    return own;
}

void cdp_os_signal_take(int signal, cdp_trap_handler handler)
{
    sigset_t mask;
    lock(&mask);
    if (actions.taken[signal] == NULL) {
        actions.taken[signal] = handler;
        struct sigaction own = own_action(signal);
        set_real(signal, &own, &actions.program[signal]);
    }
    unlock(&mask);
}

void cdp_os_signals_take_back(void)
{
    for (int signal = 1; signal < SIGNALS; signal++) {
        struct sigaction now;
        if (actions.taken[signal] == NULL || set_real(signal, NULL, &now) != 0 ||
            ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == actions.taken[signal])) {
            continue;
        }
        struct sigaction own = own_action(signal);
        set_real(signal, &own, &now);
        (void)exchange(signal, &now);
    }
}

/* Does what the system does without a handler. If that is to end the process, it happens when the
 * handler that called this function returns. */
CDP_NOT_INSTRUMENTED static void pass_to_system(int signal, bool is_ignored, const siginfo_t *info)
{
    bool is_sent = info->si_code <= 0;
    if (is_sent && (is_ignored || signal == SIGURG)) { /* its default is no action */
        return;
    }
    struct sigaction standard = {.sa_handler = SIG_DFL};
    set_real(signal, &standard, NULL);
    if (is_sent) {
        raise(signal); /* the signal will not come again by itself */
    }
}

CDP_NOT_INSTRUMENTED void cdp_os_signal_pass(int signal, siginfo_t *info, void *context)
{
    struct sigaction action = exchange(signal, NULL);
    bool has_info = (action.sa_flags & SA_SIGINFO) != 0;
    if (!has_info && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
        pass_to_system(signal, action.sa_handler == SIG_IGN, info);
        return;
    }
    if ((action.sa_flags & (int)SA_RESETHAND) != 0) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        (void)exchange(signal, &standard);
    }
    /* The signals that the program's action alone would block: its handler may jump out and keep
     * this mask. */
    sigset_t mask;
    sigorset(&mask, &((const ucontext_t *)context)->uc_sigmask, &action.sa_mask);
    if ((action.sa_flags & SA_NODEFER) == 0) {
        sigaddset(&mask, signal);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (has_info) {
        action.sa_sigaction(signal, info, context);
    } else {
        action.sa_handler(signal);
    }
}

bool cdp_os_signal_stack(void *memory, size_t bytes)
{
    enum { USUAL_FRAME = 4096, FOR_HANDLERS = 4096 };
    stack_t now, own = {.ss_sp = memory, .ss_size = bytes};
    unsigned long frame = getauxval(AT_MINSIGSTKSZ); /* of all registers */
    size_t least = (frame != 0 ? frame : USUAL_FRAME) + FOR_HANDLERS;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0 && now.ss_size >= least) {
        return false;
    }
    return sigaltstack(&own, NULL) == 0;
}

/* ---- Instead of the C library's ---- */

static int own_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (!is_taken(signal)) {
        return set_real(signal, action, old);
    }
    struct sigaction before = exchange(signal, action);
    if (old != NULL) {
        *old = before;
    }
    return 0;
}

INSTEAD int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
    __attribute__((alias("own_sigaction")));

bool cdp_os_signals_are_open(void)
{
    return dlsym(RTLD_DEFAULT, "sigaction") != (void *)(uintptr_t)own_sigaction;
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return exchange(signal, &action).sa_handler;
}

/* The next function of this name, after ours; NULL if there is none. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

INSTEAD sighandler_t signal(int signal, sighandler_t handler)
{
    if (is_taken(signal)) {
        return set_handler(signal, handler, SA_RESTART);
    }
    /* ssignal is the C library's second name for it. */
    return __interceptor_signal != NULL ? __interceptor_signal(signal, handler)
                                        : ssignal(signal, handler);
}

sighandler_t bsd_signal(int number,
                        sighandler_t handler); /* headers declare it only for old programs */
INSTEAD sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

INSTEAD sighandler_t __sysv_signal(int signal, sighandler_t handler)
{
    if (is_taken(signal)) {
        return set_handler(signal, handler, (int)SA_RESETHAND | SA_NODEFER);
    }
    sighandler_t (*real)(int, sighandler_t) =
        (sighandler_t (*)(int, sighandler_t))(uintptr_t)next("__sysv_signal");
    return real != NULL ? real(signal, handler) : SIG_ERR;
}

INSTEAD sighandler_t sysv_signal(int signal, sighandler_t handler)
{
    return __sysv_signal(signal, handler);
}

INSTEAD sighandler_t sigset(int signal, sighandler_t handler)
{
    if (!is_taken(signal)) {
        sighandler_t (*real)(int, sighandler_t) =
            (sighandler_t (*)(int, sighandler_t))(uintptr_t)next("sigset");
        return real != NULL ? real(signal, handler) : SIG_ERR;
    }
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, signal);
    bool holds = handler == SIG_HOLD;
    sighandler_t old = holds ? exchange(signal, NULL).sa_handler : set_handler(signal, handler, 0);
    if (old == SIG_ERR) {
        return SIG_ERR;
    }
    pthread_sigmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &one, &before);
    return sigismember(&before, signal) == 1 ? SIG_HOLD : old;
}

INSTEAD int sigignore(int signal)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    return own_sigaction(signal, &ignore, NULL);
}
