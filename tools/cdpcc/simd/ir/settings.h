/* Variables of the environment by which tests choose versions of kernels. */
#ifndef CDPCC_SIMD_IR_SETTINGS_H
#define CDPCC_SIMD_IR_SETTINGS_H
#include <stdbool.h>

struct lower_context;
struct simd_size;

/* Reports an error for each variable with an invalid value; false: there was one. The other
 * functions require valid values. An empty variable counts as not set. */
bool simd_settings_are_right(struct lower_context *lower);

/* CDPCC_LANES and CDPCC_VECTORS: the lanes of a vector, and the vectors side by side. 0: not set.
 */
unsigned simd_setting_lanes(void);
unsigned simd_setting_vectors(void);
/* CDPCC_SIZES: the sizes of blocks that have versions, "XxYxZ,...", in place of those of launches.
 * "none": no sizes at all. */
bool simd_setting_is_no_size(void);
/* Reads the next size from the text and advances it; NULL is the variable's start. False: there
 * are no more. */
bool simd_setting_next_size(const char **text, struct simd_size *size);
/* CDPCC_ALONG_Y=1: lanes go along threadIdx.y wherever they may. */
bool simd_setting_along_y(void);
/* CDPCC_CALLS=vectors: calls of functions are vectorized wherever they can be. CDPCC_CALLS=lanes:
 * none is. */
bool simd_setting_calls_vectors(void);
bool simd_setting_calls_lanes(void);
/* CDPCC_VERIFY=1: plans and code are verified. */
bool simd_setting_verifies(void);

#endif
