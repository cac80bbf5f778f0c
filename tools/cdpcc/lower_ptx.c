/* Inline PTX. */
#include "lower_pass.h"

void lower_ptx(struct lower_context *lower)
{
    (void)lower;
}
