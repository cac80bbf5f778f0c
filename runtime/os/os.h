/* The runtime's interface to the operating system. Only this folder includes system headers beyond
 * libc and pthread. Sizes and addresses are multiples of the page size unless stated otherwise.
 * Nothing here allocates from the C heap. */
#ifndef CDP_OS_OS_H
#define CDP_OS_OS_H

#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The page size: 4096 on x86-64; 4, 16 or 64 KiB on aarch64, depending on the kernel. */
size_t cdp_os_page(void);

/* Address space that faults on access until committed; NULL if there is none. */
void *cdp_os_reserve(size_t bytes) CDP_MUST_CHECK;
/* Makes a part of a reservation readable and writable, filled with zeros. */
bool cdp_os_commit(void *address, size_t bytes) CDP_MUST_CHECK;
/* Requests large pages where whole ones fit: fewer faults and look-ups for large memory. */
void cdp_os_want_huge_pages(void *address, size_t bytes);
/* Returns the memory to the system. The addresses stay reserved and fault on access until they are
 * committed again. */
void cdp_os_close(void *address, size_t bytes);
/* A new mapping: readable, writable and filled with zeros; NULL on failure. */
void *cdp_os_map(size_t bytes) CDP_MUST_CHECK;
void cdp_os_unmap(void *address, size_t bytes);
/* Makes pages inside a mapping fault on access. If the kernel supports it, no extra mapping is
 * needed. False if the guard could not be made. */
bool cdp_os_guard(void *address, size_t bytes);
/* Read-only, or writable again. */
bool cdp_os_protect(void *address, size_t bytes, bool writable);

/* Like memcpy, with nontemporal stores, for data that is too large for the caches anyway. */
void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes);

/* The start of the program or library that contains address; NULL if there is none. */
const void *cdp_os_module_of(const void *address);

/* CPUs this process may run on, at least 1. */
unsigned cdp_os_cpu_count(void);
/* The number of the index-th CPU this process was started with, modulo their count. */
int cdp_os_cpu(unsigned index);
/* The CPU after that number; after the last CPU, the first. */
int cdp_os_next_cpu(int cpu);
/* Pins the thread to the CPU of that number. A sleeping thread will wake there. For a thread that
 * has ended, the result is false, and this is no error. */
bool cdp_os_move(int thread_number, int cpu);
/* A CPU that this process was started with. */
struct cdp_os_place {
    int cpu;
    int node;     /* its NUMA node; 0 if the system does not report one */
    int distance; /* of the node from the host's */
    int turn;     /* the round in which it is chosen, if the order alternates between nodes */
};
enum { CDP_OS_MOST_PLACES = 1024 };
/* The order in which workers get CPUs: node by node, or alternating between the nodes. */
struct cdp_os_order {
    bool is_spread;
    int host_cpu; /* comes last; its node comes first, then the nearest nodes */
};
/* The CPUs in that order; returns their number. */
unsigned cdp_os_places(const struct cdp_os_order *order, struct cdp_os_place *out);
/* Sorts places, whose CPUs are set, into that order. directory: like /sys/devices/system/node, or
 * absent. */
void cdp_os_order_places(struct cdp_os_place *places, unsigned count, const char *directory,
                         const struct cdp_os_order *order);
/* The sum of the sizes of these CPUs' last-level caches; 0 if the system does not report any.
 * directory: like /sys/devices/system/cpu. */
uint64_t cdp_os_sum_caches(const char *directory, const struct cdp_os_place *places,
                           unsigned count);
/* The same for the CPUs this process was started with. */
uint64_t cdp_os_caches(void);
/* The number of the CPU the calling thread runs on now. */
int cdp_os_current_cpu(void);
/* A number that differs between processes that run at the same time. */
unsigned cdp_os_process_number(void);
/* Bytes of physical memory. */
uint64_t cdp_os_memory(void);
/* The machine's memory, or less if the process's control groups allow less. */
uint64_t cdp_os_memory_limit(void);
/* The smallest limit of the control groups, UINT64_MAX if there is none. groups: a file like
 * /proc/self/cgroup; system: a directory like /sys/fs/cgroup. */
uint64_t cdp_os_group_memory(const char *groups, const char *system);

/* Bytes of address space that this process may still map; SIZE_MAX if there is no limit (ulimit
 * -v). */
size_t cdp_os_address_space(void);
/* To be called if so little address space is left that the C library must not reserve some of it
 * for each thread's allocations. */
void cdp_os_save_address_space(void);
/* Names the limit that the process reached when it cannot get memory or a thread: a phrase for
 * messages. */
void cdp_os_describe_memory_limit(char *out, size_t size);
void cdp_os_describe_thread_limit(char *out, size_t size);

/* Sleeps while *word == expected; may return early. */
void cdp_os_wait(_Atomic uint32_t *word, uint32_t expected);
/* The same, for at most ns nanoseconds. */
void cdp_os_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns);
void cdp_os_wake(_Atomic uint32_t *word, int threads);

/* Executes a fence in every thread of this process. With it, the frequent side of a store-then-load
 * handshake needs no fence. False if the kernel does not support it; then both sides need their own
 * fence. */
bool cdp_os_membarrier_register(void);
void cdp_os_membarrier(void);

/* Nanoseconds of a monotonic clock, and of the wall clock. */
uint64_t cdp_os_now(void);
uint64_t cdp_os_wall_clock(void);

/* A fast monotonic counter without a fixed unit, for clock64(). */
uint64_t cdp_os_ticks(void);

/* The signals, from <signal.h>, of an instruction that cannot be executed. */
#if defined(__aarch64__)
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP /* of __builtin_trap() */
#else
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL
#endif

/* How a return to an address without code is detected. The address was read from the stack. */
enum cdp_os_return { CDP_OS_NO_RETURN, CDP_OS_AT_RETURN, CDP_OS_RETURNED };

/* These functions read and change the ucontext_t of a signal handler. The first returns the program
 * counter of the interrupted thread. The second makes the handler return to function(argument), as
 * if called, on the thread's stack. */
void *cdp_os_context_pc(const void *context);
void *cdp_os_context_sp(const void *context);
/* Whether the faulting access was a write; true if the system does not report it. */
bool cdp_os_context_writes(const void *context);
/* Whether the fault at that address comes from a return. low, high: the thread's stack. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high);
/* Turns single-stepping on or off: a SIGTRAP after each instruction. False if only the system may
 * do that. */
bool cdp_os_context_step(void *context, bool step);
void cdp_os_context_go(void *context, void (*function)(void *argument), void *argument);

/* Stops in the debugger; false if none is attached. */
bool cdp_os_break(void);
/* Whether every page of the range is mapped. */
bool cdp_os_is_mapped(const void *address, size_t bytes);

/* Yields the processor to other runnable threads. */
void cdp_os_leave_cpu(void);

/* One pause of a spin loop. */
static inline void cdp_os_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* The floating-point mode of this OS thread: rounding, traps and denormals. */
struct cdp_os_float_mode {
#if defined(__x86_64__)
    uint32_t control;
#else
    fenv_t environment;
#endif
};

/* Sets the mode of a thread that has never changed it: round to nearest, no traps, denormals kept.
 * Device code runs in this mode, whatever mode the host's threads have set. */
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

/* Restores the mode that cdp_os_float_enter() returned. */
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
/* Finds the functions whose names are wanted, if symbol tables were not stripped. */
void cdp_os_find_functions(bool (*wanted)(const char *name), struct cdp_os_functions *out);

/* One function's frame on a stack, with the values of the callee-saved registers in it. For
 * reports. The stack may be another thread's and may change at any time. Nothing outside of it is
 * read. Only x86-64 is supported; elsewhere there is no next frame. */
enum { CDP_OS_REGISTERS = 17 }; /* by DWARF's numbers */
struct cdp_os_frame {
    uint64_t registers[CDP_OS_REGISTERS];
    uintptr_t low, high; /* of the stack */
    bool is_exact;       /* the code address is not a return address */
    bool is_outermost;   /* it has no caller */
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
/* Moves to the caller's frame; false at the end of the stack, or if the caller is unknown. */
bool cdp_os_frame_next(struct cdp_os_frame *frame);
/* An address within the instruction that the frame executes. */
uintptr_t cdp_os_frame_pc(const struct cdp_os_frame *frame);
/* The value of a register, "rsp", "rbp" or "rbx", when the same function executes another
 * instruction, if the register does not change in between. */
bool cdp_os_frame_register(const struct cdp_os_frame *frame, const char *name, uintptr_t at,
                           uintptr_t *value);
/* The function whose code contains pc. */
bool cdp_os_function_at(uintptr_t pc, struct cdp_os_range *out);

/* The number of live threads of this process, and whether its first thread is alive. 0 if the
 * system does not report them. */
unsigned cdp_os_living_threads(bool *main_lives);
void cdp_os_sleep(uint64_t ns);

/* The calling thread's number, and a signal to the thread with such a number, if it still runs. */
int cdp_os_thread_number(void);
void cdp_os_signal_thread(int number, int signal);

/* The source name of a function or kernel, without its parameters. */
void cdp_os_demangle(const char *name, char *out, size_t size);

/* Source lines for code addresses, by the symbolizer that is installed (llvm-symbolizer,
 * addr2line). Writes "function (file:line)" into out, or as much of it as is known. Starts a
 * process, so it must never be called from a signal handler. */
void cdp_os_symbolize(const void *address, char *out, size_t size);

#endif
