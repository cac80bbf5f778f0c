/* What must not be left behind: the unfinished page, and the folder for temporary files. */
#ifndef CDP_REPORT_TIDY_H
#define CDP_REPORT_TIDY_H

/* From now on a signal that ends cdp-report first removes what was added. A signal that was ignored
 * (nohup) stays so. */
void tidy_catch_signals(void);
/* A file, or a folder that is empty when what was added after it is gone. It need not exist. */
void tidy_add(const char *path);
/* Removes all that was added, the latest first. */
void tidy_now(void);

#endif
