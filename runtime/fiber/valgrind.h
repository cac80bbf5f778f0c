/* Requests to valgrind, by instructions that have no effect outside of it.
 *
 * valgrind recognizes a sequence of rotations and an exchange of a register with itself. This is
 * its interface to programs, which does not change (the manual's "client request mechanism").
 * valgrind's own header is not used: the runtime would know nothing of valgrind if it was compiled
 * where valgrind is not installed. */
#ifndef CDP_FIBER_VALGRIND_H
#define CDP_FIBER_VALGRIND_H

enum { CDP_VALGRIND_IS_RUNNING = 0x1001, CDP_VALGRIND_STACK = 0x1501 };

/* The request's result; 0 outside valgrind. */
static inline unsigned long cdp_valgrind_request(unsigned long request, unsigned long first,
                                                 unsigned long second)
{
    volatile unsigned long words[] = {request, first, second, 0, 0, 0};
    unsigned long result = 0;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi\n\t"
                     "rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi\n\t"
                     "rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
#elif defined(__aarch64__)
    register unsigned long in_x3 __asm__("x3") = result;
    register volatile unsigned long *in_x4 __asm__("x4") = words;
    __asm__ volatile("ror x12, x12, #3\n\t"
                     "ror x12, x12, #13\n\t"
                     "ror x12, x12, #51\n\t"
                     "ror x12, x12, #61\n\t"
                     "orr x10, x10, x10"
                     : "+r"(in_x3)
                     : "r"(in_x4)
                     : "cc", "memory");
    result = in_x3;
#else
    (void)words;
#endif
    return result;
}

#endif
