/* Linux's side of os.h. */
#include "os/code.h"
#include "os/context.h"
#include "os/cpu.h"
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/alloc.h"

/* Linux 6.13. The number is part of the ABI; only newer headers have the name. */
#define MADVISE_GUARD_INSTALL 102

/* Without MADVISE_GUARD_INSTALL each guard costs two mappings, and a process may have 65,530.
 * Beyond this number of guards, stacks have none. */
#define MOST_PROTECTED_GUARDS 30000

size_t cdp_os_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map(size_t bytes, int protection)
{
    if (cdp_alloc_fails()) {
        return NULL;
    }
    void *p = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Reserved addresses stay out of core files. Without the advice gdb would write all of them. */
void *cdp_os_reserve(size_t bytes)
{
    void *p = map(bytes, PROT_NONE);
    if (p != NULL) {
        (void)madvise(p, bytes, MADV_DONTDUMP);
    }
    return p;
}

bool cdp_os_commit(void *address, size_t bytes)
{
    if (cdp_alloc_fails() || mprotect(address, bytes, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    (void)madvise(address, bytes, MADV_DODUMP);
    return true;
}

void cdp_os_want_huge_pages(void *address, size_t bytes)
{
    (void)madvise(address, bytes, MADV_HUGEPAGE);
}

void cdp_os_close(void *address, size_t bytes)
{
    /* In this order: a thread that still writes there cannot create new pages. */
    (void)mprotect(address, bytes, PROT_NONE);
    (void)madvise(address, bytes, MADV_DONTNEED);
    (void)madvise(address, bytes, MADV_DONTDUMP);
}

void cdp_os_discard(void *address, size_t bytes)
{
    (void)madvise(address, bytes, MADV_DONTNEED);
}

void *cdp_os_map(size_t bytes)
{
    return map(bytes, PROT_READ | PROT_WRITE);
}

void cdp_os_unmap(void *address, size_t bytes)
{
    (void)munmap(address, bytes);
}

/* Whether the system can read at the address. The system call reports this without a signal.
 * valgrind does not read this argument, as it would read a path. */
static bool is_readable(void *address)
{
    static const struct timespec at_once = {.tv_nsec = 0};
    return syscall(SYS_futex, address, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &at_once, NULL, 0) ==
               0 ||
           errno != EFAULT;
}

/* An emulator may accept the advice and do nothing (QEMU). The first guard shows that. */
static bool install_guard(void *address, size_t bytes)
{
    enum { UNKNOWN, REAL, NONE };
    static atomic_int kind;
    int known = atomic_load(&kind);
    if (known == NONE || madvise(address, bytes, MADVISE_GUARD_INSTALL) != 0) {
        return false;
    }
    if (known == UNKNOWN) {
        bool is_real = !is_readable(address);
        atomic_store(&kind, is_real ? REAL : NONE);
        return is_real;
    }
    return true;
}

bool cdp_os_guard(void *address, size_t bytes)
{
    static atomic_int protected_guards;
    if (install_guard(address, bytes)) {
        return true;
    }
    if (atomic_fetch_add_explicit(&protected_guards, 1, memory_order_relaxed) >=
        MOST_PROTECTED_GUARDS) {
        return false;
    }
    return mprotect(address, bytes, PROT_NONE) == 0;
}

bool cdp_os_protect(void *address, size_t bytes, bool writable)
{
    return mprotect(address, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

/* The mask at first use. A later pin of the calling thread must not narrow it. */
static cpu_set_t start_mask;
static pthread_once_t start_mask_once = PTHREAD_ONCE_INIT;

static void read_start_mask(void)
{
    if (sched_getaffinity(0, sizeof start_mask, &start_mask) != 0) {
        CPU_ZERO(&start_mask);
        CPU_SET(0, &start_mask);
    }
}

unsigned cdp_os_cpu_count(void)
{
    pthread_once(&start_mask_once, read_start_mask);
    int count = CPU_COUNT(&start_mask);
    return count > 0 ? (unsigned)count : 1;
}

bool cdp_os_move(int thread_number, int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    return sched_setaffinity(thread_number, sizeof one, &one) == 0;
}

int cdp_os_cpu(unsigned index)
{
    unsigned nth = index % cdp_os_cpu_count();
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &start_mask) && nth-- == 0) {
            return cpu;
        }
    }
    return 0;
}

int cdp_os_next_cpu(int cpu)
{
    unsigned count = cdp_os_cpu_count();
    for (int i = 1; count > 1 && i <= CPU_SETSIZE; i++) {
        int next = (cpu + i) % CPU_SETSIZE;
        if (CPU_ISSET((size_t)next, &start_mask)) {
            return next;
        }
    }
    return cpu;
}

static unsigned list_cpus(struct cdp_os_cpu_info *out)
{
    unsigned count = 0;
    pthread_once(&start_mask_once, read_start_mask);
    for (int cpu = 0; cpu < CPU_SETSIZE && count < CDP_OS_MOST_CPUS; cpu++) {
        if (CPU_ISSET((size_t)cpu, &start_mask)) {
            out[count++] = (struct cdp_os_cpu_info){.cpu = cpu};
        }
    }
    return count;
}

uint64_t cdp_os_caches(void)
{
    struct cdp_os_cpu_info cpus[CDP_OS_MOST_CPUS];
    return cdp_os_sum_caches("/sys/devices/system/cpu", cpus, list_cpus(cpus));
}

unsigned cdp_os_ordered_cpus(const struct cdp_os_order *order, struct cdp_os_cpu_info *out)
{
    unsigned count = list_cpus(out);
    cdp_os_sort_cpus(out, count, "/sys/devices/system/node", order);
    return count;
}

int cdp_os_current_cpu(void)
{
    return sched_getcpu();
}

unsigned cdp_os_process_number(void)
{
    return (unsigned)getpid();
}

/* A word in quotes if a shell needs them. False if it does not fit. */
static bool add_word(char *out, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    size_t start = strlen(out), used = start;
    bool is_plain = *word != '\0' && word[strspn(word, plain)] == '\0';
    const char *quote = is_plain ? "" : "'";
    used += (size_t)snprintf(out + used, size - used, "%s%s", used != 0 ? " " : "", quote);
    for (const char *at = word; *at != '\0' && used < size; at++) {
        const char one[] = {*at, '\0'};
        /* The quotes end, one of the word follows, and new quotes start. */
        used += (size_t)snprintf(out + used, size - used, "%s", *at == '\'' ? "'\\''" : one);
    }
    used += used < size ? (size_t)snprintf(out + used, size - used, "%s", quote) : 0;
    if (used < size) {
        return true;
    }
    out[start] = '\0';
    return false;
}

void cdp_os_command_line(char *out, size_t size, const char *program)
{
    enum { DOTS = 5 }; /* " ..." and the final zero */
    static char text[4096];
    *out = '\0';
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    text[length > 0 ? length : 0] = '\0';
    for (const char *word = text; word < text + length; word += strlen(word) + 1) {
        bool is_first = word == text && program != NULL;
        if (!add_word(out, size - DOTS, is_first ? program : word)) {
            strcat(out, " ...");
            return;
        }
    }
}

uint64_t cdp_os_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (uint64_t)pages * cdp_os_page() : (uint64_t)1 << 32;
}

void cdp_os_wait(_Atomic uint32_t *word, uint32_t expected)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, expected, NULL, NULL, 0);
}

void cdp_os_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u),
                             .tv_nsec = (long)(ns % 1000000000u)};
    (void)syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, expected, &limit, NULL, 0);
}

void cdp_os_sleep_precisely(void)
{
    (void)prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
}

void cdp_os_wake(_Atomic uint32_t *word, int threads)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, threads, NULL, NULL, 0);
}

int cdp_os_thread_number(void)
{
    return (int)syscall(SYS_gettid);
}

void cdp_os_signal_thread(int number, int signal)
{
    (void)syscall(SYS_tgkill, getpid(), number, signal);
}

bool cdp_os_membarrier_register(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void cdp_os_membarrier(void)
{
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cdp_os_leave_cpu(void)
{
    (void)sched_yield();
}

uint64_t cdp_os_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return cdp_os_now();
#endif
}

void *cdp_os_context_pc(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (void *)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)c->uc_mcontext.pc;
#endif
}

void *cdp_os_context_sp(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (void *)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (void *)c->uc_mcontext.sp;
#endif
}

bool cdp_os_context_writes(const void *context)
{
#if defined(__x86_64__)
    const greg_t write = 2;
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & write) != 0;
#else
    (void)context;
    return true;
#endif
}

#if defined(__x86_64__)
/* The return address is still on the stack where it was popped from. An impossible address faults
 * at the return instruction itself. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high)
{
    enum { RETURN = 0xc3, RETURN_AND_POP = 0xc2 };
    const char *sp = cdp_os_context_sp(context);
    const unsigned char *pc = cdp_os_context_pc(context);
    if (pc == address) {
        bool can_look = sp >= low + sizeof pc && sp <= high;
        return can_look && ((const unsigned char *const *)(const void *)sp)[-1] == pc
                   ? CDP_OS_RETURNED
                   : CDP_OS_NO_RETURN;
    }
    bool is_refused = address == NULL; /* then the system reports none */
    return is_refused && (*pc == RETURN || *pc == RETURN_AND_POP) ? CDP_OS_AT_RETURN
                                                                  : CDP_OS_NO_RETURN;
}

const void *cdp_os_context_caller(const void *context, const void *address, const char *low,
                                  const char *high)
{
    const char *sp = cdp_os_context_sp(context);
    bool can_look = sp >= low && sp <= high - sizeof(char *);
    return cdp_os_context_pc(context) == address && can_look
               ? *(const char *const *)(const void *)sp - 1
               : NULL;
}

bool cdp_os_is_end_of_call(const void *byte)
{
    enum { CALL = 0xff, LONGEST = 7 };
    const unsigned char *end = (const unsigned char *)byte + 1;
    if (cdp_os_module_of(byte) == NULL || cdp_os_module_of(end - LONGEST) == NULL) {
        return false;
    }
    /* CALL, a byte whose middle bits are 2, and up to five bytes of an address. */
    for (int size = 2; size <= LONGEST; size++) {
        if (end[-size] == CALL && (end[1 - size] >> 3 & 7) == 2) {
            return true;
        }
    }
    return false;
}
#elif defined(__aarch64__)
/* A call stores another address in the link register. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high)
{
    const ucontext_t *c = context;
    (void)low, (void)high;
    return (uintptr_t)address == c->uc_mcontext.pc && c->uc_mcontext.regs[30] == c->uc_mcontext.pc
               ? CDP_OS_RETURNED
               : CDP_OS_NO_RETURN;
}

const void *cdp_os_context_caller(const void *context, const void *address, const char *low,
                                  const char *high)
{
    (void)low, (void)high;
    return cdp_os_context_pc(context) == address
               ? (const char *)((const ucontext_t *)context)->uc_mcontext.regs[30] - 1
               : NULL;
}

bool cdp_os_is_end_of_call(const void *byte)
{
    (void)byte; /* no return looks like a call */
    return false;
}
#endif

bool cdp_os_context_step(void *context, bool step)
{
#if defined(__x86_64__)
    const greg_t trap_flag = 0x100;
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    *flags = step ? *flags | trap_flag : *flags & ~trap_flag;
    return true;
#else
    (void)context, (void)step;
    return false;
#endif
}

void cdp_os_context_go(void *context, void (*function)(void *argument), void *argument)
{
    ucontext_t *c = context;
#if defined(__x86_64__)
    const greg_t direction_flag = 0x400; /* the ABI requires it to be clear at a call */
    const greg_t red_zone = 128;
    greg_t sp = c->uc_mcontext.gregs[REG_RSP];
    c->uc_mcontext.gregs[REG_RSP] = ((sp - red_zone) & ~(greg_t)15) - 8; /* the return address */
    c->uc_mcontext.gregs[REG_RIP] = (greg_t)function;
    c->uc_mcontext.gregs[REG_RDI] = (greg_t)argument;
    c->uc_mcontext.gregs[REG_EFL] &= ~direction_flag;
#elif defined(__aarch64__)
    c->uc_mcontext.pc = (uintptr_t)function;
    c->uc_mcontext.regs[0] = (uintptr_t)argument;
#endif
}

static bool is_traced(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    int tracer = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "TracerPid: %d", &tracer) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return tracer != 0;
}

/* Workers block all signals of this kind. */
bool cdp_os_break(void)
{
    if (!is_traced()) {
        return false;
    }
    sigset_t trap, old;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    pthread_sigmask(SIG_UNBLOCK, &trap, &old);
    raise(SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return true;
}

bool cdp_os_is_mapped(const void *address, size_t bytes)
{
    uintptr_t page = (uintptr_t)address & ~((uintptr_t)cdp_os_page() - 1);
    return msync((void *)page, bytes + ((uintptr_t)address - page), MS_ASYNC) == 0;
}

uint64_t cdp_os_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t cdp_os_wall_clock(void)
{
    return read_clock(CLOCK_REALTIME);
}
