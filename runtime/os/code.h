/* Code by its addresses: functions, frames on a stack, source lines. */
#ifndef CDP_OS_CODE_H
#define CDP_OS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The start of the program or library that contains address; NULL if there is none. */
const void *cdp_os_module_of(const void *address);
/* Its file, without folders; NULL if there is none. Valid while it is loaded. */
const char *cdp_os_module_file(const void *address);

/* Whether the code is of the C library, or of its functions of mathematics. */
bool cdp_os_is_of_c_library(const void *address);

/* A path without its folders. */
const char *cdp_os_base_name(const char *path);
/* Whether the file is one of cdpcc's headers. Reports name the line of the user's call instead. */
bool cdp_os_is_own_header(const char *file);

/* Functions or variables of the program and its libraries, by address. */
struct cdp_os_range {
    uintptr_t low, high;
};
struct cdp_os_symbols {
    struct cdp_os_range *ranges; /* cdp_free; ascending */
    size_t count;
};
/* Find the functions, or the variables, whose names are wanted, if symbol tables were not stripped.
 */
void cdp_os_find_functions(bool (*wanted)(const char *name), struct cdp_os_symbols *out);
void cdp_os_find_variables(bool (*wanted)(const char *name), struct cdp_os_symbols *out);
/* The name in the symbol table of the variable, or of the function, that contains the address;
 * false if there is none. */
bool cdp_os_variable_name(const void *address, char *out, size_t size);
bool cdp_os_function_name(const void *address, char *out, size_t size);

/* One function's frame on a stack, with the values of the callee-saved registers in it. For
 * reports. The stack may be another thread's and may change at any time. Nothing outside of it is
 * read. Only x86-64 is supported; elsewhere there is no next frame. */
enum { CDP_OS_REGISTERS = 17 }; /* by DWARF's numbers */
struct cdp_os_frame {
    uint64_t registers[CDP_OS_REGISTERS];
    uintptr_t low, high; /* of the stack */
    bool is_exact;       /* its address of code is no return address */
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
/* The frame of a thread that was interrupted at pc, in a function that has not changed the other
 * registers. */
static inline void cdp_os_frame_at(struct cdp_os_frame *frame, const void *pc, const void *sp,
                                   const void *high)
{
    enum { SP = 7, PC = 16 };
    *frame = (struct cdp_os_frame){.low = (uintptr_t)sp, .high = (uintptr_t)high, .is_exact = true};
    frame->registers[SP] = (uintptr_t)sp;
    frame->registers[PC] = (uintptr_t)pc;
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

/* The source name of a function or kernel, without its parameters. */
void cdp_os_demangle(const char *name, char *out, size_t size);

/* A place in the source. An empty text or a zero is not known. */
struct cdp_os_source {
    char function[512]; /* without parameters */
    char file[1024];    /* absolute, or as in the debug information */
    uint32_t line, column;
};
/* The source line of a code address, by the symbolizer that is installed (llvm-symbolizer,
 * addr2line). An address in an inlined function of cdpcc's own headers gets the line of its call.
 * False if nothing is known. Starts a process, so it must never be called from a signal handler. */
bool cdp_os_source_at(const void *address, struct cdp_os_source *out);
/* The same as text. Writes "function (file:line)" into out, or as much of it as is known. */
void cdp_os_symbolize(const void *address, char *out, size_t size);

/* Stops in the debugger; false if none is attached. */
bool cdp_os_break(void);

#endif
