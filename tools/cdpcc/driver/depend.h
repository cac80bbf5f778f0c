/* Rules for make in nvcc's form. */
#ifndef CDPCC_DEPEND_H
#define CDPCC_DEPEND_H

/* Writes clang's rules again with one name a line, to the file `to`, or to standard output if it is
 * NULL. Returns 0, or 1 after printing an error. */
int depend_rewrite(const char *from, const char *to);

#endif
