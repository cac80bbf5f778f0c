/* The private directory of temporary files, which is always removed.
 *
 * A guard process waits for cdpcc's end. If cdpcc is killed by SIGKILL, the guard ends cdpcc's
 * children, which are in its process group, and removes the directory. */
#ifndef CDPCC_TEMP_H
#define CDPCC_TEMP_H
#include <stdbool.h>
#include <sys/types.h>

/* Creates the directory and starts the guard; NULL after printing an error. If kept is not NULL, it
 * is the user's directory for these files: it is created if it does not exist, and never removed.
 */
const char *temp_create(const char *kept);
/* The process group that children must join; 0 before temp_create. It is the guard's. */
pid_t temp_group(void);
/* To be called first by a forked child that does not exec: the guard must see the end of the
 * parent, not of the child. */
void temp_leave_to_parent(void);
/* Removes the directory, unless keep, and ends the guard. */
void temp_finish(bool keep);

#endif
