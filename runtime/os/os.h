/* What the runtime needs of the operating system: the only folder with system
 * headers beyond libc and pthread.  Sizes and addresses are multiples of the page
 * size unless said otherwise; nothing here allocates from the C heap. */
#ifndef CDP_OS_OS_H
#define CDP_OS_OS_H

#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The page size: 4096 on x86-64; 4, 16 or 64 KiB on aarch64, as the kernel was built. */
size_t cdp_os_page(void);

/* Address space that faults on access until committed; NULL if there is none. */
void *cdp_os_reserve(size_t bytes) CDP_MUST_CHECK;
/* Makes part of a reservation readable and writable, zeroed. */
bool cdp_os_commit(void *address, size_t bytes) CDP_MUST_CHECK;
/* Asks for large pages where whole ones fit: fewer faults and look-ups for memory that
 * is used in bulk. */
void cdp_os_want_huge_pages(void *address, size_t bytes);
/* Gives the memory back, and what is left faults on access until committed again. */
void cdp_os_close(void *address, size_t bytes);
/* Zeroed readable, writable memory of its own; NULL on failure. */
void *cdp_os_map(size_t bytes) CDP_MUST_CHECK;
void cdp_os_unmap(void *address, size_t bytes);
/* Makes pages inside a mapping fault on access.  Uses no mapping of its own where
 * the kernel can do that; false if no guard could be made. */
bool cdp_os_guard(void *address, size_t bytes);
/* Read-only, or writable again. */
bool cdp_os_protect(void *address, size_t bytes, bool writable);

/* As memcpy, for what is too large for the caches anyway. */
void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes);

/* Where the program or library that address lies in begins; NULL if it is in none. */
const void *cdp_os_module_of(const void *address);

/* CPUs this process may run on, at least 1. */
unsigned cdp_os_cpu_count(void);
/* The number of the index-th CPU this process was started with, modulo their count. */
int cdp_os_cpu(unsigned index);
/* The one after that number, and after the last the first. */
int cdp_os_next_cpu(int cpu);
/* Pins the thread to the CPU of that number; one that is asleep will wake there, and one that
 * has ended is no error but false. */
bool cdp_os_move(int thread_number, int cpu);
/* A CPU that this process was started with. */
struct cdp_os_place {
    int cpu;
    int node;     /* of memory; 0 where the system tells of none */
    int distance; /* of the node from the host's */
    int turn;     /* in which its node gives it, if nodes take turns */
};
enum { CDP_OS_MOST_PLACES = 1024 };
/* How workers come to CPUs: node by node, or each node in turn. */
struct cdp_os_order {
    bool is_spread;
    int host_cpu; /* comes last; its node first, then the nearest */
};
/* The CPUs in that order; their count. */
unsigned cdp_os_places(const struct cdp_os_order *order, struct cdp_os_place *out);
/* Puts places, of which the CPUs are known, into that order.  The directory is one as
 * /sys/devices/system/node, or absent. */
void cdp_os_order_places(struct cdp_os_place *places, unsigned count, const char *directory,
                         const struct cdp_os_order *order);
/* Bytes of the last caches before memory that these CPUs have, all together; 0 where the system
 * tells of none.  The directory is one as /sys/devices/system/cpu. */
uint64_t cdp_os_sum_caches(const char *directory, const struct cdp_os_place *places,
                           unsigned count);
/* The same for the CPUs this process was started with. */
uint64_t cdp_os_caches(void);
/* The number of the CPU the calling thread runs on now. */
int cdp_os_current_cpu(void);
/* A number that differs between processes that run at once. */
unsigned cdp_os_process_number(void);
/* Bytes of physical memory. */
uint64_t cdp_os_memory(void);
/* The same, or what the process's control groups leave it of that. */
uint64_t cdp_os_memory_limit(void);
/* The least limit of control groups, UINT64_MAX if there is none: groups is a file as
 * /proc/self/cgroup, system a directory as /sys/fs/cgroup. */
uint64_t cdp_os_group_memory(const char *groups, const char *system);

/* Bytes of address space that this process may still map, SIZE_MAX if that is not limited (by
 * ulimit -v). */
size_t cdp_os_address_space(void);
/* Of a limited address space so much is left that the C library must not take some for each
 * thread's allocations. */
void cdp_os_save_address_space(void);
/* Which limit of the process is met when it can get no memory, or no thread: a phrase for
 * messages. */
void cdp_os_describe_memory_limit(char *out, size_t size);
void cdp_os_describe_thread_limit(char *out, size_t size);

/* Sleeps while *word == expected; may return early. */
void cdp_os_wait(_Atomic uint32_t *word, uint32_t expected);
/* As above, at most ns nanoseconds. */
void cdp_os_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns);
void cdp_os_wake(_Atomic uint32_t *word, int threads);

/* A fence in every thread of this process: what lets the common side of a
 * store-then-load handshake do without one.  False where the kernel has none;
 * then both sides need their own fence. */
bool cdp_os_membarrier_register(void);
void cdp_os_membarrier(void);

/* Nanoseconds of a monotonic clock, and of the wall clock. */
uint64_t cdp_os_now(void);
uint64_t cdp_os_wall_clock(void);

/* A fast monotonic counter of no particular unit, as clock64() gives. */
uint64_t cdp_os_ticks(void);

/* The signals that an instruction raises which cannot be carried out, from <signal.h>. */
#if defined(__aarch64__)
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP /* of __builtin_trap() */
#else
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL
#endif

/* How a return to an address from the stack, which is where no code is, shows itself. */
enum cdp_os_return { CDP_OS_NO_RETURN, CDP_OS_AT_RETURN, CDP_OS_RETURNED };

/* A signal handler's ucontext_t: where the thread was, and making the return from the
 * handler go to function(argument) instead, on the stack the thread had, as if called. */
void *cdp_os_context_pc(const void *context);
void *cdp_os_context_sp(const void *context);
/* Whether the access that faulted was to write; true where the system does not tell. */
bool cdp_os_context_writes(const void *context);
/* Whether the fault, at that address, is that of a return.  low, high: the thread's stack. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high);
/* A SIGTRAP after each instruction, or not; false where only the system may ask for it. */
bool cdp_os_context_step(void *context, bool step);
void cdp_os_context_go(void *context, void (*function)(void *argument), void *argument);

/* Stops in the debugger; false if none is attached. */
bool cdp_os_break(void);
/* Whether every page of the range is mapped. */
bool cdp_os_is_mapped(const void *address, size_t bytes);

/* Lets other threads that can run have the processor first. */
void cdp_os_leave_cpu(void);

/* One polite turn of a spin loop. */
static inline void cdp_os_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* How this OS thread's floating-point unit rounds, traps and treats denormals. */
struct cdp_os_float_mode {
#if defined(__x86_64__)
    uint32_t control;
#else
    fenv_t environment;
#endif
};

/* The mode of a thread that has never set one: to nearest, no traps, denormals kept.  Device code
 * runs in it, whatever the host's threads have set for themselves. */
static inline struct cdp_os_float_mode cdp_os_float_enter(void)
{
    struct cdp_os_float_mode old;
#if defined(__x86_64__)
    const uint32_t standard = 0x1f80, flags = 0x3f;
    old.control = __builtin_ia32_stmxcsr();
    if (CDP_UNLIKELY((old.control & ~flags) != standard)) {
        __builtin_ia32_ldmxcsr(standard);
    }
#else
    fegetenv(&old.environment);
    fesetenv(FE_DFL_ENV);
#endif
    return old;
}

/* Back to what cdp_os_float_enter() gave. */
static inline void cdp_os_float_leave(const struct cdp_os_float_mode *old)
{
#if defined(__x86_64__)
    if (CDP_UNLIKELY(__builtin_ia32_stmxcsr() != old->control)) {
        __builtin_ia32_ldmxcsr(old->control);
    }
#else
    fesetenv(&old->environment);
#endif
}

/* Functions of the program and its libraries, by address. */
struct cdp_os_range {
    uintptr_t low, high;
};
struct cdp_os_functions {
    struct cdp_os_range *ranges; /* cdp_free; ascending */
    size_t count;
};
/* Those whose names are wanted, as far as symbol tables were not stripped. */
void cdp_os_find_functions(bool (*wanted)(const char *name), struct cdp_os_functions *out);

/* One function's frame on a stack, with what the registers that calls keep hold in it.  For
 * reports: the stack may be another thread's and change meanwhile; nothing outside of it is
 * read.  Only x86-64 is known, elsewhere there is no next frame. */
enum { CDP_OS_REGISTERS = 17 }; /* by DWARF's numbers */
struct cdp_os_frame {
    uint64_t registers[CDP_OS_REGISTERS];
    uintptr_t low, high; /* of the stack */
    bool is_exact;       /* its address of code is no return address */
    bool is_outermost;   /* nothing called it */
};
/* The caller's own frame. */
__attribute__((always_inline)) static inline void
cdp_os_frame_here(struct cdp_os_frame *frame, const void *low, const void *high)
{
    *frame =
        (struct cdp_os_frame){.low = (uintptr_t)low, .high = (uintptr_t)high, .is_exact = true};
#if defined(__x86_64__)
    __asm__ volatile("movq %%rbx, 24(%0)\n\tmovq %%rbp, 48(%0)\n\tmovq %%rsp, 56(%0)\n\t"
                     "movq %%r12, 96(%0)\n\tmovq %%r13, 104(%0)\n\tmovq %%r14, 112(%0)\n\t"
                     "movq %%r15, 120(%0)\n\tleaq 0f(%%rip), %%rax\n\tmovq %%rax, 128(%0)\n0:"
                     :
                     : "r"(frame->registers)
                     : "rax", "memory");
#endif
}
/* Goes on to the frame that called it; false at the end, and where that is not known. */
bool cdp_os_frame_next(struct cdp_os_frame *frame);
/* Within the instruction that it stands at. */
uintptr_t cdp_os_frame_pc(const struct cdp_os_frame *frame);
/* What a register, "rsp", "rbp" or "rbx", holds where the same function is at another
 * instruction, as far as it is the same all the time. */
bool cdp_os_frame_register(const struct cdp_os_frame *frame, const char *name, uintptr_t at,
                           uintptr_t *value);
/* The function whose code holds pc. */
bool cdp_os_function_at(uintptr_t pc, struct cdp_os_range *out);

/* How many threads of this process live, 0 where the system does not tell, and whether its first
 * one does. */
unsigned cdp_os_living_threads(bool *main_lives);
void cdp_os_sleep(uint64_t ns);

/* The calling thread's number, and a signal for the thread of such a number, if it
 * still runs. */
int cdp_os_thread_number(void);
void cdp_os_signal_thread(int number, int signal);

/* The source's name of a function or kernel, without its parameters. */
void cdp_os_demangle(const char *name, char *out, size_t size);

/* Source lines for code addresses, by the symbolizers a developer's machine has
 * (llvm-symbolizer, addr2line).  Writes "function (file:line)" or the best that
 * is known into out.  Spawns a process: never call it from a signal handler. */
void cdp_os_symbolize(const void *address, char *out, size_t size);

#endif
