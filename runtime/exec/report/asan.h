/* Programs built with -fsanitize=address: names the kernel, the block and the thread before each
 * report of AddressSanitizer, which knows only functions and threads of the system. */
#ifndef CDP_EXEC_REPORT_ASAN_H
#define CDP_EXEC_REPORT_ASAN_H

/* Links this module into the program: AddressSanitizer calls it through a weak symbol. */
void cdp_asan_install(void);
/* The calling OS thread's next report prints this text instead of describing the memory at its
 * address. */
void cdp_asan_says(const char *text);

#endif
