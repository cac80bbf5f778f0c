/* The host's side of __managed__ variables. */
#ifndef CDPCC_MANAGED_H
#define CDPCC_MANAGED_H

/* For host bitcode with __managed__ variables: replaces each annotated shadow by a reference to
 * the device's variable. Reads the file input and writes bitcode to the file output. Returns 0, or
 * 1 after printing an error. */
int lower_host_managed(const char *input, const char *output);

#endif
