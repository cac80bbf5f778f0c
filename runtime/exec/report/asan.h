/* Programs built with -fsanitize=address: names the kernel, the block and the thread before each
 * report of AddressSanitizer, which knows only functions and threads of the system. */
#ifndef CDP_EXEC_REPORT_ASAN_H
#define CDP_EXEC_REPORT_ASAN_H

/* Links this module into the program: AddressSanitizer calls it through a weak symbol. */
void cdp_asan_install(void);
/* The calling OS thread's next report says this instead of what memory is at its address. */
void cdp_asan_says(const char *text);

#endif
